"""Items through an agent, or with recorded answers, and through their evaluators.

| module | what it holds |
|---|---|
| `runs` | a run: items in, results out in their order, here or in other processes |
| `work` | what is done with one item |
| `agents` | calling an agent |
| `recorded` | answers that were recorded |
| `spans` | its spans as JSON, and back |
| `members` | the evaluators of a set, ready for its items |
"""

from __future__ import annotations

from fieldwise.evalsets.runner.runs import arun_set, run_set

__all__ = ["arun_set", "run_set"]
