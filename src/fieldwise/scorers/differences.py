"""Where two documents differ, leaf by leaf: how many leaves, and the first differences in words.

Everything listed is bounded, whatever the documents are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.compare import Outcome
from fieldwise.core.display import one_line
from fieldwise.core.equality import equal, preview
from fieldwise.core.explain import PLACE_LIMIT, SHOWN, line
from fieldwise.scorers.leaves import leaves, where
from fieldwise.scorers.rewrite import KINDS

if TYPE_CHECKING:
    from fieldwise._types import Json, Missing
    from fieldwise.core.policy import Node
    from fieldwise.scorers.leaves import Leaf

LISTED: Final = 50
_LONGEST: Final = 80
_LARGEST: Final = 2**53
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})


@dataclass(slots=True)
class Differences:
    """What became of the leaves of two documents.

    Attributes:
        right: how many are equal.
        total: how many there are.
        first: the first that are not equal.
        pairings: how lists were paired, by path.
    """

    right: int = 0
    total: int = 0
    first: list[Leaf] = field(default_factory=list)
    pairings: dict[str, Any] = field(default_factory=dict)

    @property
    def wrong(self) -> int:
        """How many leaves are not equal."""
        return self.total - self.right

    def comment(self) -> str | None:
        """Say what is not right, a line for each of the first differences; None when nothing is."""
        if not self.wrong:
            return None
        lines = "; ".join([_line(one) for one in self.first[:SHOWN]])
        if self.total == 1:
            return lines
        more = f"; and {self.wrong - SHOWN} more" if self.wrong > SHOWN else ""
        return f"{self.wrong} of {self.total} leaves not right: {lines}{more}"

    def listed(self) -> list[dict[str, Any]]:
        """Return the first differences as JSON: path, kind, expected, got."""
        return [
            {
                "path": place(one),
                "kind": _kind(one),
                "expected": as_shown(one.expected),
                "got": as_shown(one.actual),
            }
            for one in self.first
        ]


def differences(
    expected: Json, actual: Json, tree: Node | None = None, *, reference_only: bool = False
) -> Differences:
    """Compare two documents leaf by leaf.

    Args:
        expected: the reference.
        actual: the output.
        tree: what the policy says about lists.
        reference_only: leave out what the reference has no leaf for.

    >>> found = differences({"a": 1, "b": {}}, {"a": 2, "b": {}})
    >>> found.right, found.total, found.comment()
    (1, 2, '1 of 2 leaves not right: a: expected 1, got 2')
    """
    found = Differences()
    for one in leaves(expected, actual, tree, found.pairings):
        if reference_only and one.expected is MISSING:
            continue
        found.total += 1
        if MISSING not in (one.expected, one.actual) and equal(one.expected, one.actual):  # type: ignore[arg-type]
            found.right += 1
        elif len(found.first) < LISTED:
            found.first.append(one)
    return found


def place(leaf: Leaf) -> str:
    """Return the path of a leaf, bounded."""
    return one_line(where(leaf.link), PLACE_LIMIT)


def as_shown(value: Json | Missing) -> Any:
    """Return a short plain value itself, anything else as JSON text cut short; nothing is null."""
    if value is MISSING:
        return None
    if type(value) not in _PLAIN or not _is_short(value):
        return preview(value)
    return value


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST and not any("\ud800" <= one <= "\udfff" for one in value)
    return value is None or (math.isfinite(value) if isinstance(value, float) else abs(value) <= _LARGEST)


def _kind(one: Leaf) -> str:
    if one.actual is MISSING:
        return "missing"
    if one.expected is MISSING:
        return "unexpected"
    return "value" if KINDS[type(one.expected)] == KINDS[type(one.actual)] else "type"


def _line(one: Leaf) -> str:
    alone = one.expected is MISSING or one.actual is MISSING
    return line(Outcome(place(one), 0.0, one.expected, one.actual, reason="missing" if alone else None))
