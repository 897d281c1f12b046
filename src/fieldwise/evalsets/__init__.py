"""Evaluation sets: files in, verdicts out.

| module | what it holds |
|---|---|
| `model` | what evaluation sets are made of |
| `custom` | evaluators that are classes of one's own |
"""
