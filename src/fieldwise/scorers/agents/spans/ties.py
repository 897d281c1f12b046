"""Moments that started at once: which of them came before others, and which nobody can tell apart.

Of one start, what holds all the others came first: a span starts before those below it. The rest is one group
without order.
"""

from __future__ import annotations

from collections import deque
from itertools import groupby
from typing import TYPE_CHECKING

from fieldwise.scorers.agents.spans.timeline import Moment, below

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def tied(moments: Sequence[Moment]) -> list[list[Moment]]:
    """Return moments, as `read_moments` orders them, in groups whose members have no order.

    >>> [[one.name for one in group] for group in tied([Moment("a", 1, id="1"), Moment("b", 1, id="2")])]
    [['a', 'b']]
    >>> below_a = Moment("b", 1, id="2", parent="1")
    >>> [[one.name for one in group] for group in tied([Moment("a", 1, id="1"), below_a])]
    [['a'], ['b']]
    """
    reach = _reach(moments)
    return [
        group for _, same in groupby(moments, key=lambda one: one.start) for group in _split([*same], reach)
    ]


def _split(same: list[Moment], reach: dict[str, tuple[int, int]]) -> Iterator[list[Moment]]:
    """Take off the first as long as all the others are below it."""
    least, most = [*reach[same[-1].id]], [*reach[same[-1].id]]
    ends: deque[tuple[int, int]] = deque()
    for one in reversed(same):
        least[0], most[1] = min(least[0], reach[one.id][0]), max(most[1], reach[one.id][1])
        ends.appendleft((least[0], most[1]))
    at = 0
    while at + 1 < len(same):
        start, end = reach[same[at].id]
        if not (start < ends[at + 1][0] and ends[at + 1][1] <= end):
            break
        yield same[at : at + 1]
        at += 1
    yield same[at:]


def _reach(moments: Sequence[Moment]) -> dict[str, tuple[int, int]]:
    """The numbers of each moment and of the last one below it, counted from the top down."""
    tree = below(moments)
    first: dict[str, int] = {}
    found: dict[str, tuple[int, int]] = {}
    waiting = [(one, False) for one in tree[""]]
    while waiting:
        one, done = waiting.pop()
        if done:
            found[one.id] = (first[one.id], len(first) - 1)
            continue
        first[one.id] = len(first)
        waiting.append((one, True))
        waiting += [(inner, False) for inner in tree.get(one.id, ())]
    return found
