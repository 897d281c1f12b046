"""Evaluation sets: files in, verdicts out, and evaluators of one's own.

| where | what it holds |
|---|---|
| `model` | what evaluation sets are made of |
| `load` | sets and evaluators from files, everything that is wrong at once |
| `files` | JSON and YAML with the line of every member, and how mistakes are told |
| `schemas` | the shapes of both kinds of file: checked, and given to editors as JSON Schema |
| `registry` | which evaluators files may name, what they take, how they are made |
| `criteria` | what an item is compared with |
| `runner` | items through an agent, or with recorded answers |
| `results` | what became of them, as it comes: JSON Lines, SQLite |
| `summary`, `verdicts` | what it all means |
| `custom` | evaluators that are classes of one's own |
| `code` | their files: found, run, written from a template, registered |
| `isolation`, `loop` | what code of somebody else's may not do to a run, and where its coroutines run |

`files` know of nothing else here, `registry` of files, `schemas` of the registry, `load` and `runner` of all
that; `results` and `summary` know of no agent.
"""
