"""Two sequences of steps, side by side: what strict matching compares.

A step is a message where both sides are conversations, else the calls of one decision. Two steps are the same
when their roles are and their calls pair completely; the order of calls within a step means nothing.

Where two sequences differ they are laid side by side so that the most calls have their partners, and then
the most steps are the same: one step too many does not put all that follow in the wrong. What lies between is
taken in order; where there is more of it on one side, those steps are set side by side that are nearest.
Past `MAX_CELLS` possible pairs, steps that differ are compared place by place, and a note says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Final, TypeAlias

from fieldwise.scorers.agents.trajectory import reasons
from fieldwise.scorers.agents.trajectory.pairs import Pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fieldwise.scorers.agents.calls import ToolCall, Trajectory
    from fieldwise.scorers.agents.matching import ArgumentPolicy
    from fieldwise.scorers.agents.trajectory.reasons import Reason

    Places: TypeAlias = list[tuple[int | None, int | None]]

MAX_CELLS: Final = 20_000
"""The most pairs of steps that are compared to lay two sequences side by side."""


@dataclass(frozen=True, slots=True)
class Step:
    """A message, or the calls of a decision.

    Attributes:
        calls: what was called, in no order.
        role: of a message; None for a step that is none.
    """

    calls: tuple[ToolCall, ...]
    role: str | None = None


def messages(trajectory: Trajectory) -> list[Step] | None:
    """Return the messages of a conversation; None for what is none."""
    if trajectory.turns is None:
        return None
    return [Step(turn.calls, turn.role) for turn in trajectory.turns]


def decisions(expected: Trajectory, actual: Trajectory) -> tuple[list[Step], list[Step]]:
    """Return the calls of each side by decision.

    A plain list of calls does not say which were made at once: it is cut as the other side is.
    """
    sides = [_grouped(side.calls) for side in (expected, actual)]
    plain = [
        side.source == "calls" and len(side.calls) == len(steps)
        for side, steps in zip((expected, actual), sides, strict=True)
    ]
    for side, other in ((0, 1), (1, 0)):
        if plain[side] and not plain[other]:
            calls = [step.calls[0] for step in sides[side]]
            sides[side] = _cut(calls, [len(step.calls) for step in sides[other]])
    return sides[0], sides[1]


def _grouped(calls: Sequence[ToolCall]) -> list[Step]:
    return [Step(tuple(group)) for _, group in groupby(calls, key=lambda call: call.group)]


def _cut(calls: Sequence[ToolCall], sizes: Sequence[int]) -> list[Step]:
    """Cut calls into steps of these sizes; what is left over is a step each."""
    found: list[Step] = []
    start = 0
    for size in [*sizes, *[1] * len(calls)]:
        if start < len(calls):
            found.append(Step(tuple(calls[start : start + size])))
            start += size
    return found


@dataclass(frozen=True, slots=True)
class Sequences:
    """Two sequences of steps, and how the arguments of each tool compare."""

    expected: Sequence[Step]
    actual: Sequence[Step]
    rule: Callable[[str], ArgumentPolicy]
    _known: dict[tuple[int, int], Pairs] = field(default_factory=dict)
    _done: list[tuple[Places, str | None]] = field(default_factory=list)

    def same(self, wanted: int, came: int) -> bool:
        """Whether the steps at two places are the same."""
        one, other = self.expected[wanted], self.actual[came]
        if one.role != other.role or len(one.calls) != len(other.calls):
            return False
        return not one.calls or self._pairs(wanted, came).complete

    def reasons(self) -> Iterator[Reason]:
        """Yield what is wrong, in the order of the steps."""
        for wanted, came in self.places():
            if came is None:
                yield from _alone(self.expected, wanted or 0, reasons.missing)
            elif wanted is None:
                yield from _alone(self.actual, came, reasons.unexpected)
            elif not self.same(wanted, came):
                roles = self.expected[wanted].role, self.actual[came].role
                if roles[0] != roles[1]:
                    yield reasons.message(wanted, *roles)
                yield from self._pairs(wanted, came).reasons()

    def counts(self) -> tuple[int, int]:
        """Return how many calls have a partner in the step beside theirs, and how many steps are the same."""
        beside = [(wanted, came) for wanted, came in self.places() if wanted is not None and came is not None]
        return sum(self._matched(*place) for place in beside), sum(self.same(*place) for place in beside)

    @property
    def note(self) -> str | None:
        """What was bounded, or None."""
        return self._laid()[1]

    def places(self) -> Places:
        """Return the two sequences side by side."""
        return self._laid()[0]

    def _laid(self) -> tuple[Places, str | None]:
        if not self._done:
            sizes = len(self.expected), len(self.actual)
            self._done.append(side_by_side(self.same, self._worth, *sizes, near=self._near))
        return self._done[0]

    def _worth(self, wanted: int, came: int) -> int:
        """What it is worth to have two steps side by side: calls with partners first, then being the same."""
        if self.expected[wanted].role != self.actual[came].role:
            return 0
        most = min(len(self.expected), len(self.actual)) + 1
        return self._matched(wanted, came) * most + self.same(wanted, came)

    def _near(self, wanted: int, came: int) -> int:
        """How near two steps are that are worth nothing: by calls of one tool, and what differs."""
        one, other = self.expected[wanted], self.actual[came]
        if one.role != other.role or not one.calls or not other.calls:
            return 0
        return self._pairs(wanted, came).nearness()

    def _matched(self, wanted: int, came: int) -> int:
        one, other = self.expected[wanted], self.actual[came]
        if one.role != other.role or not one.calls or not other.calls:
            return 0
        return len(self._pairs(wanted, came).found.pairs)

    def _pairs(self, wanted: int, came: int) -> Pairs:
        place = wanted, came
        if place not in self._known:
            self._known[place] = Pairs(self.expected[wanted].calls, self.actual[came].calls, self.rule)
        return self._known[place]


def _alone(steps: Sequence[Step], at: int, reason: Callable[[ToolCall], Reason]) -> Iterator[Reason]:
    """The reasons of a step that the other side has not."""
    step = steps[at]
    yield from map(reason, step.calls)
    if not step.calls:
        lost = reason is reasons.missing
        yield reasons.message(at, step.role if lost else None, None if lost else step.role)


def side_by_side(
    same: Callable[[int, int], bool],
    worth: Callable[[int, int], int],
    expected: int,
    actual: int,
    *,
    near: Callable[[int, int], int] = lambda *_: 0,
) -> tuple[Places, str | None]:
    """Lay two sequences side by side.

    Args:
        same: whether the steps at an expected and an actual place are the same.
        worth: what it is worth to have them side by side; most for those that are the same.
        expected: how many steps were expected.
        actual: how many came.
        near: how near steps are that are worth nothing.

    Returns:
        (expected place, actual place), None for nothing; and what was bounded, or None.

    >>> side_by_side(alike := lambda one, other: "abc"[one] == "ac"[other], alike, 3, 2)
    ([(0, 0), (1, None), (2, 1)], None)
    """
    both = min(expected, actual)
    start = next((at for at in range(both) if not same(at, at)), both)
    ends = 0
    while ends < both - start and same(expected - 1 - ends, actual - 1 - ends):
        ends += 1
    rows, columns = range(start, expected - ends), range(start, actual - ends)
    anchors, note = [], None
    if len(rows) * len(columns) <= MAX_CELLS:
        anchors = _best(worth, rows, columns)
    else:
        note = f"{len(rows):,} x {len(columns):,} steps that differ: compared place by place"
    found: Places = [(at, at) for at in range(start)]
    row, column = rows.start, columns.start
    for anchor in anchors:
        found += [*_between(near, range(row, anchor[0]), range(column, anchor[1])), anchor]
        row, column = anchor[0] + 1, anchor[1] + 1
    found += _between(near, range(row, rows.stop), range(column, columns.stop))
    return found + [(rows.stop + at, columns.stop + at) for at in range(ends)], note


def _between(near: Callable[[int, int], int], rows: range, columns: range) -> Places:
    """Steps that are worth nothing, side by side: in order, the nearest where a side has more."""
    if not rows or not columns or len(rows) == len(columns) or len(rows) * len(columns) > MAX_CELLS:
        return [*zip_longest(rows, columns)]
    found: Places = []
    row, column = rows.start, columns.start
    for anchor in _best(near, rows, columns):
        found += [*zip_longest(range(row, anchor[0]), range(column, anchor[1])), anchor]
        row, column = anchor[0] + 1, anchor[1] + 1
    return [*found, *zip_longest(range(row, rows.stop), range(column, columns.stop))]


def _best(worth: Callable[[int, int], int], rows: range, columns: range) -> list[tuple[int, int]]:
    """The pairs of places, in order on both sides, that are worth the most: a table, filled from the end."""
    worths = [[worth(row, column) for column in columns] for row in rows]
    best = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for row in reversed(range(len(rows))):
        here, below = best[row], best[row + 1]
        for column in reversed(range(len(columns))):
            beside = worths[row][column] + below[column + 1]
            here[column] = max(beside, below[column], here[column + 1])
    found = []
    row = column = 0
    while row < len(rows) and column < len(columns):
        if worths[row][column] and best[row][column] == worths[row][column] + best[row + 1][column + 1]:
            found.append((rows[row], columns[column]))
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            row += 1
        else:
            column += 1
    return found
