"""Evaluators that are code: their files found, run, written anew and registered.

| module | what it holds |
|---|---|
| `references` | which file a spec may name |
| `modules` | running a file from its text |
| `loading` | the evaluator of a spec |
| `names` | what a new evaluator is called |
| `scaffold` | its file, from `evaluator.py.txt` |
| `registration`, `refreshing` | its spec, written from its class, and written again |
"""
