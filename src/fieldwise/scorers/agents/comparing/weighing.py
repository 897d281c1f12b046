"""Pairing calls one to one by how much of their arguments is right: the greatest sum of credits.

Calls that are equal as they are pair first, by definition: a credit is a share, so that another pairing may
have a greater sum, and nobody would call it better. The rest is put in an order of content and assigned, in
blocks past a stated size. A pair without any credit is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fieldwise.core.align.assign import assign
from fieldwise.scorers.agents.matching import Pairing, rest
from fieldwise.scorers.agents.matching.grouping import by_content, by_tool, in_blocks, pair_alike

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.matching.grouping import Names

    Weigh: TypeAlias = Callable[[str, Sequence[ToolCall], Sequence[ToolCall]], list[list[float]]]

MAX_WEIGHED: Final = 4_000_000
"""The most pairs of one tool's calls that are weighed together."""

Measure: TypeAlias = Literal["recall", "precision", "f1"]


def share(measure: Measure, right: float, wanted: int, came: int) -> float:
    """Return how much is right: of what was wanted, of what came, or of both; of nothing, all.

    >>> share("recall", 2, 2, 3), share("precision", 2, 2, 3), share("f1", 2, 2, 3)
    (1.0, 0.6666666666666666, 0.8)
    """
    part, whole = _PARTS[measure](right, wanted, came)
    return min(1.0, part / whole) if whole else 1.0


_PARTS: Final[dict[str, Callable[[float, int, int], tuple[float, int]]]] = {
    "recall": lambda right, wanted, _came: (right, wanted),
    "precision": lambda right, _wanted, came: (right, came),
    "f1": lambda right, wanted, came: (2 * right, wanted + came),
}


def pair_by_weight(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    weigh: Weigh,
    names: Names,
) -> Pairing:
    """Pair calls within each tool so that the sum of weights is greatest.

    Args:
        expected: the calls that were wanted.
        actual: the calls that came.
        weigh: `(tool, expected, actual)` to a row of weights for each expected call; none is negative.
        names: of the tool of each expected and of each actual call.
    """
    found = Pairing()
    notes = []
    for name, (wanted, came) in by_tool(expected, actual, names).items():
        if len(wanted) > 1 or len(came) > 1:
            wanted, came = pair_alike(expected, actual, wanted, came, found.pairs)  # noqa: PLW2901
        if not wanted or not came:
            continue
        blocks, note = in_blocks(by_content(expected, wanted), by_content(actual, came), MAX_WEIGHED)
        notes += [f"{name}: {note}"] if note else []
        for some, others in blocks:
            rows = weigh(name, [expected[at] for at in some], [actual[at] for at in others])
            found.pairs += [(others[column], some[row]) for row, column in assign(rows) if rows[row][column]]
    found.note = "; ".join(notes) or None
    return rest(found, len(expected), len(actual))
