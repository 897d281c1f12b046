"""Evaluation sets and evaluators, read from files.

| module | what it holds |
|---|---|
| `sets` | a set and the evaluators that it names |
| `specs` | an evaluator |
| `items` | the items of a set, and what they ask of its evaluators |
| `packed` | items kept small |
"""

from __future__ import annotations

from fieldwise.evalsets.files.faults import FileErrors
from fieldwise.evalsets.load.sets import load_set
from fieldwise.evalsets.load.specs import load_spec

__all__ = ["FileErrors", "load_set", "load_spec"]
