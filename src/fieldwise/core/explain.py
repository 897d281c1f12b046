"""Outcomes in words: one line a person can act on, bounded whatever the values are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise._types import MISSING
from fieldwise.core._say import one_line
from fieldwise.core.equality import preview
from fieldwise.core.select import join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Path
    from fieldwise.core.compare import Outcome

SHOWN: Final = 5
PLACE_LIMIT: Final = 120
REASON_LIMIT: Final = 300
_WORDS: Final = frozenset({"missing", "unexpected"})


def line(outcome: Outcome) -> str:
    """Say what was expected at a place and what came.

    >>> from fieldwise.core.compare import Outcome
    >>> line(Outcome("qty", 0.0, 2, 3, where=("items", 0, "qty")))
    'items[0].qty: expected 2, got 3'
    """
    where = outcome.where
    place = _short(place_name(where) if len(where) > 1 else outcome.name, PLACE_LIMIT)
    reason = outcome.reason
    if reason in _WORDS and outcome.actual is MISSING:
        text = f"{place}: expected {preview(outcome.expected)}, missing"
    elif reason in _WORDS and outcome.expected is MISSING:
        text = f"{place}: got {preview(outcome.actual)}, not expected"
    else:
        text = f"{place}: expected {preview(outcome.expected)}, got {preview(outcome.actual)}"
        if reason:
            text += f" ({_short(reason, REASON_LIMIT)})"
    if outcome.score is None:
        return f"{text} [{outcome.status}]"
    return f"{text} [{outcome.comparator} {outcome.score:.4g}]" if 0 < outcome.score < 1 else text


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


def place_name(where: Path) -> str:
    """Return a concrete place as a path: `items[3].sku`."""
    name = ""
    for step in where:
        name = join(name, step) if isinstance(step, str) else f"{name}[{step}]"
    return name or "$"


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit and text.isprintable() else one_line(text, limit)
