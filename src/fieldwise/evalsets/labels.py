"""The words of reports for a score: pass, partial, fail. They name a score; they never change one."""

from __future__ import annotations

from typing import Literal, TypeAlias

Label: TypeAlias = Literal["pass", "partial", "fail"]


def label(score: float | None, *, passed: bool | None = None) -> Label | None:
    """Return the word for a score.

    Args:
        score: from 0 to 1, or a boolean; None: not graded, which has no word.
        passed: whether it reached its threshold; None: there is none, so that only 1 passes.

    Returns:
        "pass" for 1.0 and for what reached its threshold; "fail" for 0.0; "partial" for what is between.

    >>> label(1.0), label(0.75), label(0), label(0.75, passed=True), label(None)
    ('pass', 'partial', 'fail', 'pass', None)
    """
    if score is None:
        return None
    if passed or (passed is None and score >= 1):
        return "pass"
    return "partial" if score > 0 else "fail"
