"""`fieldwise score`: one file, one evaluator, one report.

| module | what it holds |
|---|---|
| `command` | the options |
| `job` | what they ask for, and whether it was reached |
| `scoring` | the run: each record is read, scored, written to `--out` and forgotten |
| `explaining` | `--explain`: one record and its tree |
| `out` | the file of `--out` |
"""
