"""Which evaluators files may name, what each takes, and how they are made of their specs.

| module | what it holds |
|---|---|
| `kinds` | every `evaluatorTypeId` |
| `signatures`, `annotations` | options, read off the factories, and the JSON Schema of each |
| `calls` | comparators and the like, written as calls |
| `plans` | evaluators made of specs |
"""
