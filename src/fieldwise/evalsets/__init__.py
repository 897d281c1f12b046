"""Evaluation sets: files in, verdicts out, and evaluators of one's own.

| modules | what they hold |
|---|---|
| `model` | what evaluation sets are made of |
| `load`, `specs`, `documents`, `plain` | files read, every mistake with its line |
| `kinds`, `registry`, `signatures`, `calls` | which evaluators files may name, and what they take |
| `criteria`, `plans`, `members` | what an item is compared with, and by what |
| `schema`, `faults` | the JSON Schema of both files, and how mistakes are told |
| `runner`, `agents`, `recorded`, `spans` | items through an agent, or with recorded answers |
| `results`, `headers`, `store` | what became of them, as it comes: JSON Lines, SQLite |
| `summary`, `verdicts`, `labels` | what it all means |
| `custom`, `code`, `scaffold`, `registration` | evaluators that are classes of one's own |
"""
