"""Assertions for tests, and the scores of a test run.

| module | what it holds |
|---|---|
| `asserting` | `assert_matches` and `aassert_matches` |
| `diff` | what they say when they fail |
| `plugin` | the pytest plugin: a fixture, options, and a table at the end |
| `scores` | what the plugin counts |
| `listening` | how scores reach whoever collects them |

pytest loads the plugin in every run of an environment that has fieldwise, so importing this package loads
nothing else: what scores and what shows is imported when it is first needed.
"""

from __future__ import annotations

from fieldwise.testing.asserting import aassert_matches, assert_matches

__all__ = ["aassert_matches", "assert_matches"]
