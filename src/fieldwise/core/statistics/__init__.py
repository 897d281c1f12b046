"""What numbers of an evaluation mean: intervals, paired tests, agreement, counts of classes.

Pure functions and states that merge: any split of the items gives the same numbers. Nothing here reads a
clock, and what resamples is seeded. numpy and scipy are imported where they are used.

| module | what it holds |
|---|---|
| `exact` | sums without rounding |
| `intervals` | of a share, of a mean |
| `spread` | the scores of a run as a state, and the interval of their mean |
| `items` | scores as they come, told apart by item |
| `paired` | two runs over the same items |
| `several` | several tests at once |
| `agreement` | raters over the same items |
| `repeats` | one item answered several times |
| `classes` | labels against labels |
"""
