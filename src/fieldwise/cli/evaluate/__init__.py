"""`fieldwise eval`: an evaluation set and an agent, or what it answered; a verdict.

| module | what it holds |
|---|---|
| `command` | the options |
| `job` | what they ask for, checked before anything runs |
| `evaluation` | the run |
| `sources` | where answers and judgements come from |
| `verdict` | whether a run passed |
"""
