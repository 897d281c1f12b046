"""Pass, partial, fail: of one result, of an evaluator's results for an item, of an item.

| verdict | when |
|---|---|
| pass | the threshold was reached |
| partial | it was not, and there is something right: the score is above 0 |
| fail | it was not, and the score is 0; or a distance is too long |
| not graded | there is no score, or of an item one that it should have had is missing |

A label never changes a score. What an evaluator made of an item is its verdict as `evalsets.verdicts` has it;
an item's score is the mean of those by weight, and withheld where one is owed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.weighted import weighted_mean
from fieldwise.evalsets.verdicts import label, verdict
from fieldwise.run._tally import OWED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fieldwise._types import EvaluatorResult

Verdict: TypeAlias = Literal["pass", "partial", "fail", "not graded"]
VERDICTS: Final[tuple[Verdict, ...]] = ("pass", "partial", "fail", "not graded")


@dataclass(frozen=True, slots=True)
class Mark:
    """What came of one or more results.

    Attributes:
        score: None: not graded.
        verdict: its label.
        owed: whether there should have been a score.
        lower: whether the score is a distance.
    """

    score: float | None = None
    verdict: Verdict = "not graded"
    owed: bool = False
    lower: bool = False


def extra_of(result: EvaluatorResult) -> Mapping[str, Any]:
    """Return what a result says beside its score; results of others may say nothing."""
    found: Any = result.get("extra") or result.get("metadata")
    return found if isinstance(found, dict) else {}


def score_of(result: EvaluatorResult) -> float | None:
    """Return a score as a float; None for none, and for what is no finite number."""
    score = result.get("score")
    if not isinstance(score, int | float) or not isfinite(score):
        return None
    return float(score)


def mark_of(result: EvaluatorResult) -> Mark:
    """Return what came of one result.

    >>> mark_of({"key": "a", "score": 0.5, "comment": None, "metadata": {}, "extra": {}}).verdict
    'partial'
    """
    extra, score = extra_of(result), score_of(result)
    lower = extra.get("lower_is_better") is True
    if score is None:
        return Mark(owed=extra.get("status", "graded") in {*OWED, "graded"}, lower=lower)
    passed = bool(extra.get("passed", score <= 0 if lower else score >= 1))
    word = label(score, passed=passed) or "not graded"
    return Mark(score, "fail" if lower and not passed else word, lower=lower)


def evaluator_mark(name: str, results: list[EvaluatorResult], threshold: float | None = None) -> Mark:
    """Return what an evaluator made of an item; a threshold given here replaces its own."""
    return mark_of(verdict(name, results, threshold))


def item_mark(marks: Iterable[tuple[Mark, float]]) -> Mark:
    """Return what came of an item: the weighted mean of its evaluators; distances are no part of it.

    >>> item_mark([(Mark(1.0, "pass"), 3.0), (Mark(0.0, "fail"), 1.0)])
    Mark(score=0.75, verdict='partial', owed=False, lower=False)
    """
    found = [(mark, weight) for mark, weight in marks if weight > 0]
    scored = [(mark, mark.score, weight) for mark, weight in found if mark.score is not None]
    if not scored or any(mark.owed for mark, _ in found):
        return Mark(owed=any(mark.owed for mark, _ in found))
    score = weighted_mean((weight, one) for mark, one, weight in scored if not mark.lower)
    if all(mark.verdict == "pass" for mark, _, _ in scored):
        return Mark(score, "pass")
    failed = all(mark.verdict == "fail" for mark, _, _ in scored)
    return Mark(score, "fail" if failed else "partial")
