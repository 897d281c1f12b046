"""Records scored by other processes and machines, for the option `executor` of a run.

| module | what it holds |
|---|---|
| `pools` | what an executor may be, and the ones that are made here |
| `sending` | evaluators made fit to travel |
| `chunks` | a part of the records: cut here, scored anywhere, and what comes back of it |
| `distribution` | a run in chunks: sent out, sent again where a worker died, counted in order |
"""
