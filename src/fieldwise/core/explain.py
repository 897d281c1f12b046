"""Outcomes in words: one line a person can act on, bounded whatever the values are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import one_line
from fieldwise.core.equality import equal, preview
from fieldwise.core.select import place_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Json, Path, Step
    from fieldwise.core.compare import Outcome

SHOWN: Final = 5
PLACE_LIMIT: Final = 120
REASON_LIMIT: Final = 300
DEPTH_LIMIT: Final = 32
_WORDS: Final = frozenset({"missing", "unexpected"})


def line(outcome: Outcome) -> str:
    """Say what was expected at a place and what came.

    >>> from fieldwise.core.compare import Outcome
    >>> line(Outcome("qty", 0.0, 2, 3, where=("items", 0, "qty")))
    'items[0].qty: expected 2, got 3'
    """
    where = outcome.where
    place = place_name(where) if len(where) > 1 else outcome.name
    below, expected, actual = first_difference(outcome.expected, outcome.actual)
    place = _short(place_name(below, place) if below else place, PLACE_LIMIT)
    if actual is MISSING:
        text = f"{place}: expected {preview(expected)}, missing"
    elif expected is MISSING:
        text = f"{place}: got {preview(actual)}, not expected"
    else:
        text = f"{place}: expected {preview(expected)}, got {preview(actual)}"
    if outcome.reason and outcome.reason not in _WORDS:
        text += f" ({_short(outcome.reason, REASON_LIMIT)})"
    if outcome.score is None:
        return f"{text} [{outcome.status}]"
    return f"{text} [{outcome.comparator} {outcome.score:.4g}]" if 0 < outcome.score < 1 else text


def first_difference(expected: Any, actual: Any) -> tuple[Path, Any, Any]:
    """Return where two values first differ, from here down, and what stands there on either side.

    >>> first_difference({"a": [1, 2]}, {"a": [1, 3]})
    (('a', 1), 2, 3)
    """
    below: list[Step] = []
    while len(below) < DEPTH_LIMIT:
        kind = type(expected)
        if kind is not type(actual) or (kind is not dict and kind is not list):
            break
        step = _first_member(expected, actual) if kind is dict else _first_element(expected, actual)
        if step is None:
            break
        below.append(step)
        expected, actual = _at(expected, step), _at(actual, step)
    return tuple(below), expected, actual


def _first_member(expected: dict[str, Json], actual: dict[str, Json]) -> str | None:
    for name, value in expected.items():
        if name not in actual or not equal(value, actual[name]):
            return name
    return next((name for name in actual if name not in expected), None)


def _first_element(expected: list[Json], actual: list[Json]) -> int | None:
    for index, (wanted, came) in enumerate(zip(expected, actual, strict=False)):
        if not equal(wanted, came):
            return index
    return None if len(expected) == len(actual) else min(len(expected), len(actual))


def _at(value: Any, step: Step) -> Any:
    if isinstance(step, int):
        return value[step] if step < len(value) else MISSING
    return value.get(step, MISSING)


def comment(outcomes: Sequence[Outcome], total: int, what: str) -> str | None:
    """Say what of `total` parts is not right; None when there is nothing to say."""
    told = [one for one in outcomes if one.score != 1.0 or one.reason]
    if not told:
        return None
    if total == 1 and len(told) == 1:
        return line(told[0])
    wrong = sum([one.score != 1.0 for one in told])
    lines = "; ".join([line(one) for one in told[:SHOWN]])
    more = f"; and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return f"{wrong} of {total} {what} not right: {lines}{more}"


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit and text.isprintable() else one_line(text, limit)
