"""Scores as they come, told apart by item: what makes a `Spread` of a stream that may be split anywhere.

Scores of one id that follow each other are scores of one item, answered several times. The first and the last
item of a stream stay open, for the stream before or after may hold more of them; all others are closed and
merely counted. So streams merge in their order, and any split gives the spread of the whole. Few kinds of
item wait to be counted together: counting one costs a look into a dictionary.

Where the scores of an item may stand apart, as in a run that was gone on with, each id is kept (`scattered`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from fieldwise.core.statistics.exact import units
from fieldwise.core.statistics.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable

Scores: TypeAlias = tuple[float, ...]
_MAX_WAITING: Final = 256


@dataclass(slots=True)
class _Sum:
    """An item that came several times: however often that is, two numbers."""

    total: int = 0
    n: int = 0
    beyond: bool = False

    def take(self, scores: Scores | _Sum) -> _Sum:
        if isinstance(scores, _Sum):
            self.total += scores.total
            self.n += scores.n
            self.beyond |= scores.beyond
        else:
            self.total += sum(map(units, scores))
            self.n += len(scores)
            self.beyond |= not all(0 <= score <= 1 for score in scores)
        return self


_Item: TypeAlias = "tuple[str, Scores | _Sum]"


@dataclass(slots=True)
class Items:
    """A stream of scores.

    Attributes:
        scattered: whether scores of one id are of one item wherever they stand; each id is kept then.
        again: how often scores came of an item that had some already.

    >>> items = Items()
    >>> for id_, score in [("a", 1.0), ("a", 0.0), ("b", 1.0)]:
    ...     items.add(id_, (score,))
    >>> items.spread.items, items.spread.count, items.spread.mean
    (2, 3, 0.6666666666666666)
    """

    scattered: bool = False
    again: int = 0
    _by_id: dict[str, Scores | _Sum] = field(default_factory=dict)
    _closed: Spread = field(default_factory=Spread)
    _waiting: dict[Scores, int] = field(default_factory=dict)
    _first: _Item | None = None
    _last: _Item | None = None

    def add(self, id_: str, scores: Scores) -> None:
        """Count scores of an item, at least one."""
        if self.scattered:
            self._gather(id_, scores)
            return
        last = self._last
        if last is not None:
            if last[0] == id_:
                self.again += 1
                self._last = (id_, _Sum().take(last[1]).take(scores))
                return
            self._shut(last)
        self._last = (id_, scores)

    def merge(self, other: Items) -> None:
        """Count what `other` counted, which comes after."""
        self.again += other.again
        for id_, scores in other._by_id.items():
            self._gather(id_, scores)
        head = other._first or other._last
        if head is None or other._last is None:
            return
        last = self._last
        if last is not None and last[0] == head[0]:
            self.again += 1
            head = (head[0], _Sum().take(last[1]).take(head[1]))
        elif last is not None:
            self._shut(last)
        if other._first is None:
            self._last = head
            return
        self._shut(head)
        self._closed.merge(other._closed)
        for scores, times in other._waiting.items():
            self._wait(scores, times)
        self._last = other._last

    @property
    def spread(self) -> Spread:
        """The scores by item, those of both ends included."""
        self._settle()
        found = Spread()
        found.merge(self._closed)
        for scores in self._by_id.values():
            _count(found, scores)
        for item in (self._first, self._last):
            if item is not None:
                _count(found, item[1])
        return found

    def _gather(self, id_: str, scores: Scores | _Sum) -> None:
        held = self._by_id.get(id_)
        self.again += held is not None
        self._by_id[id_] = scores if held is None else _Sum().take(held).take(scores)

    def _shut(self, item: _Item) -> None:
        """Count an item to which nothing comes any more; the first may yet get some from before it."""
        if self._first is None:
            self._first = item
        elif isinstance(item[1], _Sum):
            _count(self._closed, item[1])
        else:
            self._wait(item[1])

    def _wait(self, scores: Scores, times: int = 1) -> None:
        self._waiting[scores] = self._waiting.get(scores, 0) + times
        if len(self._waiting) > _MAX_WAITING:
            self._settle()

    def _settle(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for scores, times in waiting.items():
            self._closed.add(scores, times)


def spread_of(values: Iterable[float | None]) -> Spread:
    """Return the spread of items with one value each; those of None are none.

    >>> spread_of([1.0, None, 0.5]).mean
    0.75
    """
    found = Spread()
    for value in values:
        if value is not None:
            found.add((value,))
    return found


def _count(spread: Spread, scores: Scores | _Sum) -> None:
    if isinstance(scores, _Sum):
        spread.add_sum(scores.total, scores.n)
        spread.beyond |= scores.beyond
    else:
        spread.add(scores)
