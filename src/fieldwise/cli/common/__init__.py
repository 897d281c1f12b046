"""What several commands share.

| module | what it holds |
|---|---|
| `streams` | the three streams, and what can go wrong when writing |
| `apart` | standard output for the command alone, whatever an agent prints |
| `codes` | exit codes |
| `types` | types of options: a share, a kappa, an executor |
| `options` | options that several commands have, declared once |
| `values` | texts of the command line as options of an evaluator |
| `imported` | judges and agents, by the names of what can be imported |
| `blocking` | async judges, which nothing here awaits |
| `records` | a file of records while it is read: bad lines, how far a run has come |
| `evaluators` | the evaluators that `--evaluator` knows |
| `comparators` | the comparators that options name |
| `bars` | whether a bar was reached, and how that is said |
"""
