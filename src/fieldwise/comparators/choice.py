"""Comparators made of comparators: several right answers, and a bar that makes a grade right or wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fieldwise.comparators._options import refuse
from fieldwise.comparators._readers import is_number
from fieldwise.core.compare import Comparator
from fieldwise.core.equality import preview
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from fieldwise._types import CompareCallable


def any_of(*, comparator: Comparator | CompareCallable | str = "exact") -> Comparator:
    """Grade against several right answers: the best grade that any of them gets. Not symmetric.

    The expected value is the list of right answers, or `{"any_of": [...]}` where a list or an object
    could be an answer itself. Any other expected value is the one right answer.

    Args:
        comparator: how each answer is graded: a comparator, its name, or a callable.

    Raises:
        ConfigError: for a comparator that does not exist.

    >>> any_of()(["Oslo", "Christiania"], "Oslo")
    1.0
    >>> any_of(comparator="number")({"any_of": [7, 8]}, 8.0)
    1.0
    """
    from fieldwise.comparators import resolve

    inner = resolve("any_of(comparator)", comparator)

    def grade(expected: Any, actual: Any) -> float:
        best: float | None = None
        problem: Unreadable | None = None
        for answer in _answers(expected):
            try:
                score = inner(answer, actual)
            except Unreadable as error:
                problem = problem or error
                continue
            best = score if best is None else max(best, score)
            if best == 1.0:
                break
        if best is None:
            raise problem or Unreadable("the list of right answers is empty")
        return best

    settings = {"comparator": inner.name, **inner.settings}
    return Comparator("any_of", grade, settings, symmetric=False, whole=True)


def _answers(expected: Any) -> list[Any]:
    if isinstance(expected, dict) and expected.keys() == {"any_of"}:
        answers = expected["any_of"]
        if not isinstance(answers, list):
            raise Unreadable(f"any_of holds {preview(answers, 40)}, not the list of right answers")
        return answers
    return expected if isinstance(expected, list) else [expected]


def within(comparator: Comparator | CompareCallable | str, threshold: float) -> Comparator:
    """Make a graded comparator boolean: 1 where its grade is at least `threshold`, else 0.

    Evaluators never do this by themselves: their thresholds set `passed` and leave the score alone.

    Args:
        comparator: a comparator, its name, or a callable.
        threshold: the least grade that is right, above 0 and at most 1.

    Raises:
        ConfigError: for a comparator that does not exist, or a threshold out of range.

    >>> within("string_similarity", 0.8)("Write greeting", "Write a greeting")
    1.0
    """
    from fieldwise.comparators import resolve

    inner = resolve("within(comparator)", comparator)
    if isinstance(threshold, bool) or not is_number(threshold) or not 0 < threshold <= 1:
        raise refuse(
            "within", "threshold", threshold, "give a number above 0 and at most 1; at 0 all is right"
        )

    def grade(expected: Any, actual: Any) -> bool:
        return inner(expected, actual) >= threshold

    settings = {"comparator": inner.name, **inner.settings, "threshold": threshold}
    name = f"{inner.name} at least {threshold:g}"
    return Comparator(name, grade, settings, symmetric=inner.symmetric, whole=inner.whole)
