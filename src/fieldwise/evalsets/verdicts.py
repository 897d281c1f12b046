"""One result for each evaluator and item, whatever keys the evaluator gives: what is counted, ranked, shown.

| an evaluator gave | the verdict is |
|---|---|
| one result | that result |
| several, with an aggregate | the aggregate |
| several without one | the mean of those graded; withheld where one is owed, as by a judge that failed |

A threshold of the evaluation set decides whether it passed; without one the evaluator's own. A label names
the score. Neither changes it.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.run._tally import OWED
from fieldwise.scorers.field_cards import AGGREGATE

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult, Results

Label: TypeAlias = Literal["pass", "partial", "fail"]
"""The words of reports for a score."""

_AGGREGATORS: Final = ("average", "all")


def verdict(evaluator: str, results: Results, threshold: float | None = None) -> EvaluatorResult:
    """Return one result for all that an evaluator gave for an item.

    Args:
        evaluator: its id, which becomes the key.
        results: what it gave, at least one.
        threshold: what the score has to reach to have passed; of a distance, not exceed.

    >>> both = [{"key": f"e:{name}", "score": score, "comment": None, "metadata": {}, "extra": {
    ...     "status": "graded", "passed": score == 1}} for name, score in (("a", 1.0), ("b", 0.5))]
    >>> found = verdict("e", both, 0.7)
    >>> found["score"], found["extra"]["passed"]
    (0.75, True)
    """
    one = aggregate_of(evaluator, results)
    if one is None:
        one = _mean(results)
    extra, score = one["extra"], one["score"]
    if threshold is not None:
        reached = score is not None and _reaches(score, threshold, extra)
        extra = {**extra, "passed": reached, "threshold": threshold}
    return {"key": evaluator, "score": score, "comment": one["comment"], "metadata": extra, "extra": extra}


def _reaches(score: float, threshold: float, extra: dict[str, Any]) -> bool:
    return score <= threshold if extra.get("lower_is_better") else score >= threshold


def aggregate_of(evaluator: str, results: Results) -> EvaluatorResult | None:
    """Return the one result that speaks for all that an evaluator gave, if there is one."""
    if len(results) == 1:
        return results[0]
    whole = {f"{evaluator}:{name}" for name in (AGGREGATE, *_AGGREGATORS)}
    return next((one for one in results if one["key"] in whole), None)


def _mean(results: Results) -> EvaluatorResult:
    owed = next((one for one in results if one["score"] is None and one["extra"].get("status") in OWED), None)
    graded = [one for one in results if one["score"] is not None]
    if owed is not None or not graded:
        return results[0] if owed is None else owed
    worst = min(graded, key=lambda one: one["score"] or 0.0)
    score = fsum(one["score"] or 0.0 for one in graded) / len(graded)
    odd = (one["extra"]["status"] for one in graded if one["extra"].get("status", "graded") != "graded")
    extra = {
        "status": next(odd, "graded"),
        "passed": all(one["extra"].get("passed", one["score"] == 1) for one in graded),
        "support": sum(one["extra"].get("support", 1) for one in graded),
    }
    if graded[0]["extra"].get("lower_is_better"):
        extra["lower_is_better"] = True
    comment = worst["comment"] if score < 1 else None
    return {"key": worst["key"], "score": score, "comment": comment, "metadata": extra, "extra": extra}


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
