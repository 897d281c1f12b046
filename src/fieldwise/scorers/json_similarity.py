"""JSON similarity: how alike two documents are, leaf by leaf of the reference.

The score is the mean over the leaves of the reference; an empty object or array is one leaf, met by any
of its kind. What the output has beyond the reference does not count, what it lacks is 0 for every leaf
of it. Unless a comparator says otherwise:

| leaf | score |
|---|---|
| equal | 1 |
| text | 1 - Levenshtein distance / length of the longer one |
| numbers | 1 within `number_tolerance` of the expected one, else max(0, 1 - relative error) |
| anything else | 0 |

The relative error is `|expected - actual| / |expected|`, computed exactly on the numbers as written;
nothing but 0 is near 0. Text is compared whole up to 100,000 x 100,000 characters; beyond that in pieces,
which is a lower bound, and the reason says so.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise._types import MISSING
from fieldwise.core.compare import Comparator
from fieldwise.core.display import one_line, shown
from fieldwise.core.explain import PLACE_LIMIT, SHOWN, line
from fieldwise.core.policy import Entry, Policy, entry
from fieldwise.core.read import Problem
from fieldwise.core.select import place_name
from fieldwise.core.walk import Place, walk
from fieldwise.errors import ConfigError
from fieldwise.scorers import distances, options
from fieldwise.scorers.differences import LISTED, as_shown
from fieldwise.scorers.leaves import list_entries
from fieldwise.scorers.single import Grade, single
from fieldwise.scorers.target import Aim, aim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import CompareCallable, Json, ListMode, Missing
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Outcome
    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

ENVELOPES: Final = ("expectedOutput", "expected_output")
_MAX_EXPONENT: Final = 1_000
_GREATEST: Final = sys.float_info.max


@options.READING.named
def json_similarity(
    *,
    target_output_key: str | Sequence[str] = "*",
    number_tolerance: float = 0.01,
    comparators: Mapping[str, Comparator | CompareCallable | str] | None = None,
    lists: Mapping[str, ListMode | ByKey] | None = None,
    feedback_key: str = "json_similarity",
    threshold: float = 1.0,
    **reading: Unpack[options.Reading],
) -> Plan:
    """Grade how alike two documents are: the mean over the leaves of the reference.

    The reference is a value, or an object with `expectedOutput` (or `expected_output`) as its sole key.
    `extra["differences"]` lists the first 50 leaves below 1: path, score, comparator, expected, got.

    Args:
        target_output_key: `"*"`, or the path or paths to compare, in the output and, where that is an object,
            the reference. Nothing there in the output is 0, nothing there on either side is not graded.
        number_tolerance: how far a number may be from the expected one, as a share of it, and still count
            as right; at least 0.
        comparators: path to a comparator, its name or a callable, instead of the table above; `$` for all.
        lists: path to how a list pairs: "ordered", by index, unless stated; "same_elements", "superset",
            "subset", or `by_key`; `$` for a top-level list.
        reading: how both sides are read; see `options.Reading`.
        feedback_key: replaces `json_similarity` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1; None where it could not be graded.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_json_similarity_evaluator()
        >>> result = evaluate(outputs={"n": 9.95, "s": "sitting"}, reference_outputs={"n": 10, "s": "kitten"})
        >>> round(result["score"], 3), result["comment"]
        (0.786, '1 of 2 leaves not right: s: expected "kitten", got "sitting" [similarity 0.5714]')
    """
    policy = Policy(_entries(comparators, lists))
    reader = options.reader(**reading)
    at = aim("target_output_key", target_output_key, reader)
    return single(
        "json_similarity",
        _Similarity(policy, similarity(number_tolerance), at).check,
        replace(reader, envelopes=ENVELOPES),
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        shaped=at.target is None,
        entries=policy.entries if at.target is None else (),
    )


def similarity(number_tolerance: float = 0.01) -> Comparator:
    """Make the comparator of the table above.

    Raises:
        ConfigError: for a tolerance that is negative, not finite or no number.

    >>> similarity(0.05)(100, 90), similarity()("abc", "abd")
    (0.9, 0.6666666666666667)
    """
    tolerance = _fraction(number_tolerance)
    if tolerance is None or not 0 <= number_tolerance <= _GREATEST:
        raise ConfigError(
            f"number_tolerance={shown(number_tolerance)}: must be a finite number of at least 0, "
            "0.01 for 1 % of the expected one"
        )

    def grade(expected: Any, actual: Any) -> float:
        if isinstance(expected, str) and isinstance(actual, str):
            return distances.levenshtein(expected, actual)
        for kind in (dict, list):
            if isinstance(expected, kind):
                return float(isinstance(actual, kind) and not expected)
        return _numbers(_fraction(expected), _fraction(actual), tolerance)

    return Comparator("similarity", grade, {"number_tolerance": float(number_tolerance)}, symmetric=False)


def _numbers(
    expected: tuple[int, int] | None, actual: tuple[int, int] | None, tolerance: tuple[int, int]
) -> float:
    """1 less the relative error of two unequal numbers; 0 for what is no number."""
    if expected is None or actual is None or not expected[0]:
        return 0.0
    off, whole = abs(expected[0] * actual[1] - actual[0] * expected[1]), abs(expected[0]) * actual[1]
    if off * tolerance[1] <= tolerance[0] * whole:
        return 1.0
    return 0.0 if off >= whole else 1.0 - off / whole


def _fraction(value: Any) -> tuple[int, int] | None:
    """A number as written, as two integers; None for what is no finite number, or one out of all bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, int):
        return int(value), 1
    written = Decimal(repr(float(value))) if isinstance(value, float) else value
    if not written.is_finite() or abs(written.adjusted()) > _MAX_EXPONENT:
        return None
    return written.as_integer_ratio()


def _entries(comparators: Any, lists: Any) -> list[Entry]:
    found = list_entries(lists)
    named = options.mapping("comparators", comparators)
    if named:
        from fieldwise.comparators import resolve

        found += [
            entry(key, "comparator", resolve(f"comparators[{shown(key)}]", value))
            for key, value in named.items()
        ]
    return found


@dataclass(frozen=True, slots=True)
class _Similarity:
    """The checked options, and the check of one record."""

    policy: Policy
    comparator: Comparator
    aim: Aim

    def check(self, documents: Documents) -> Grade:
        found = self.aim.take(documents)
        if isinstance(found, Problem):
            return Grade(found.score(0.0), found.reason, found.status)
        expected, actual = found
        tree = self.policy.tree([side for side in (expected, actual) if side is not MISSING])
        comparator = (tree.comparator if tree is not None else None) or self.comparator
        outcomes = walk(Place("$", (), expected, actual, tree, comparator, 1.0), deep=True)
        return _graded([one for one in outcomes if one.expected is not MISSING], expected, actual)


def _graded(outcomes: list[Outcome], expected: Json | Missing, actual: Json | Missing) -> Grade:
    """The mean over leaves, and the first that are not right in words."""
    wrong = [one for one in outcomes if one.score != 1.0]
    long = [note for one in wrong if (note := _cut(one)) is not None]
    for one in wrong[:LISTED]:
        one.name = place_name(one.where)
        one.reason = one.reason or _cut(one)
    nothing = isinstance(expected, dict | list) and not expected and not actual and not wrong
    extra: dict[str, Any] = {
        "support": 0 if nothing else len(outcomes),
        "leaves": {"right": len(outcomes) - len(wrong), "total": len(outcomes)},
        "differences": [_listed(one) for one in wrong[:LISTED]],
    }
    if long:
        extra["estimated"] = len(long)
    owed = next((one for one in wrong if one.score is None), None)
    if owed is not None:
        owed.name = place_name(owed.where)
        return Grade(None, line(owed), owed.status, {**extra, "support": 0})
    score = math.fsum(one.score or 0.0 for one in outcomes) / len(outcomes) if outcomes else 1.0
    return Grade(score, "nothing to compare" if nothing else _comment(wrong, len(outcomes)), extra=extra)


def _cut(one: Outcome) -> str | None:
    """How a text was compared in pieces, if it was."""
    expected, actual = one.expected, one.actual
    if one.comparator != "similarity" or not isinstance(expected, str) or not isinstance(actual, str):
        return None
    return distances.note(expected, actual, distances.LEVENSHTEIN_CELLS)


def _comment(wrong: Sequence[Outcome], total: int) -> str | None:
    if not wrong:
        return None
    lines = "; ".join([line(one) for one in wrong[:SHOWN]])
    if total == 1:
        return lines
    more = f"; and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    return f"{len(wrong)} of {total} leaves not right: {lines}{more}"


def _listed(one: Outcome) -> dict[str, Any]:
    found = {
        "path": one_line(one.name, PLACE_LIMIT),
        "score": one.score,
        "comparator": one.comparator,
        "expected": as_shown(one.expected),
        "got": as_shown(one.actual),
        "kind": "missing" if one.actual is MISSING else "value",
    }
    return found if one.reason is None else {**found, "reason": one_line(one.reason)}
