"""Pairing what found no equal: the greatest total weight, whatever order the elements came in.

The weight of a pair is the number of its equal fields (or the sum of its grades); ties prefer pairs with
more names in common. Two ways, the first that settles it:

- `settle`: every element has one strictly best partner, and no two elements the same. Then the optimum
  is unique and nothing has to be solved. Real lists nearly always end here.
- `assign`, over elements in canonical order, so that no tie is ever decided by position.

Time and memory are bounded: past `MAX_CELLS` the rest is cut into blocks of canonical order, each solved
by itself, and the note returned says so.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import add, eq
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.core.align.assign import assign, unique
from fieldwise.core.align.features import features
from fieldwise.core.equality import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from fieldwise._types import Json
    from fieldwise.core.align.features import Table

    Marks: TypeAlias = Collection[Hashable]
    Pairs: TypeAlias = list[tuple[int, int]]
    Grade: TypeAlias = Callable[[Sequence[Json], Sequence[Json]], list[list[float]]]
    Hits: TypeAlias = Callable[[int, int], int]

MAX_CELLS: Final = 4_000_000
"""The most pairs that are weighed together."""
MAX_TOTAL: Final = 20_000_000
"""The most pairs that are weighed in all."""


@dataclass(slots=True)
class Rest:
    """Two lists and how to weigh a pair of their elements.

    Attributes:
        actual: the elements that came.
        expected: the elements that were wanted.
        table: both lists as rows, where they are tables and nothing is graded.
        deep: whether leaves of nested objects count, not members.
        grade: adds grades of the members in `graded`, as a matrix over two lists of elements.
        graded: the members that `grade` looks at; they are not counted as equal or unequal.
    """

    actual: Sequence[Json]
    expected: Sequence[Json]
    table: Table | None
    deep: bool
    grade: Grade | None
    graded: frozenset[str]

    def pair(self, left: list[int], right: list[int]) -> tuple[Pairs, str | None]:
        """Pair indices of `actual` with indices of `expected`; return the pairs and what was bounded."""
        if self.grade is None:
            pairs = self._settle(left, right)
            if pairs is not None:
                return [(left[row], right[column]) for row, column in pairs], None
        elif len(left) * len(right) <= MAX_CELLS:
            return self._assigned(left, right), None
        left = sorted(left, key=lambda index: canonical(self.actual[index]))
        right = sorted(right, key=lambda index: canonical(self.expected[index]))
        if self.grade is None and self._unlike(left, right):
            return list(zip(left, right, strict=False)), None
        blocks, note = _blocks(left, right)
        pairs = []
        for some, others in blocks:
            pairs += [(some[row], others[column]) for row, column in assign(self.weigh(some, others))]
        return pairs, note

    def _assigned(self, left: list[int], right: list[int]) -> Pairs:
        """Weigh all pairs, and put the elements in canonical order only if the optimum may not be unique."""
        weights = self.weigh(left, right)
        pairs = unique(weights)
        if pairs is None:
            rows = sorted(range(len(left)), key=lambda at: canonical(self.actual[left[at]]))
            columns = sorted(range(len(right)), key=lambda at: canonical(self.expected[right[at]]))
            ordered = [[weights[row][column] for column in columns] for row in rows]
            pairs = [(rows[row], columns[column]) for row, column in assign(ordered)]
        return [(left[row], right[column]) for row, column in pairs]

    def weigh(self, left: list[int], right: list[int]) -> list[list[float]]:
        """Return the weight of every pair: equal fields first, names in common to settle ties."""
        rows: list[list[float]] = [[0.0] * len(right) for _ in left]
        elements = [*(self.actual[at] for at in left), *(self.expected[at] for at in right)]
        if not _are_named(elements, self.graded):
            _count(rows, self._marks(0, left), self._marks(1, right), 1.0)
        if not _are_alike(elements):
            names, others = _names(self.actual, left), _names(self.expected, right)
            most = sum(map(len, names)) + sum(map(len, others)) + 1
            _count(rows, names, others, 1.0 / most)
        if self.grade is not None:
            grades = self.grade([self.actual[at] for at in left], [self.expected[at] for at in right])
            if not any(map(any, rows)):
                return grades
            for row, extra in zip(rows, grades, strict=True):
                row[:] = map(add, row, extra)
        return rows

    def _unlike(self, left: list[int], right: list[int]) -> bool:
        """Whether no pair has anything in common that another has not, so that all weigh the same."""
        names = {*_names(self.actual, left), *_names(self.expected, right)}
        if len(names) > 1:
            return False
        held = set(chain.from_iterable(self._marks(1, right)))
        return all(held.isdisjoint(marks) for marks in self._marks(0, left))

    def _settle(self, left: list[int], right: list[int]) -> Pairs | None:
        marks, others = self._marks(0, left), self._marks(1, right)
        hits = self._hits(left, right, marks, others)
        if len(left) <= len(right):
            return settle(marks, others, hits)
        flipped = settle(others, marks, lambda row, column: hits(column, row))
        return None if flipped is None else [(column, row) for row, column in flipped]

    def _hits(self, left: list[int], right: list[int], marks: Any, others: Any) -> Hits:
        """How to count the equal fields of a pair."""
        if self.table is None:
            return lambda row, column: len(marks[row] & others[column])
        came, wanted = self.table
        return lambda row, column: sum(map(eq, came[left[row]], wanted[right[column]]))

    def _marks(self, side: int, indices: list[int]) -> Sequence[Marks]:
        if self.table is not None:
            rows = self.table[side]
            return [list(enumerate(rows[index])) for index in indices]
        elements = self.expected if side else self.actual
        if not self.graded:
            return [features(elements[index], deep=self.deep) for index in indices]
        return [self._ungraded(elements[index]) for index in indices]

    def _ungraded(self, element: Json) -> Marks:
        """The marks of the members that no grade looks at."""
        if not isinstance(element, dict) or not element:
            return features(element)
        rest = {name: value for name, value in element.items() if name not in self.graded}
        return features(rest, deep=self.deep) if rest else ()


def settle(rows: Sequence[Marks], columns: Sequence[Marks], hits: Hits) -> Pairs | None:
    """Return each row's strictly best column if those are all different, else None.

    Args:
        rows: the marks of each row.
        columns: the marks of each column; at least as many as rows.
        hits: counts the marks that a row and a column share.
    """
    holders: dict[Hashable, list[int]] = {}
    for column, marks in enumerate(columns):
        for mark in marks:
            holders.setdefault(mark, []).append(column)
    taken: set[int] = set()
    pairs = []
    votes_left = MAX_CELLS
    for row, marks in enumerate(rows):
        seen = [held for mark in marks if (held := holders.get(mark))]
        best = _pointed_at(row, seen, hits)
        if best is None:
            votes_left -= sum(map(len, seen))
            best = _voted(seen) if votes_left >= 0 else None
        if best is None or best in taken:
            return None
        taken.add(best)
        pairs.append((row, best))
    return pairs


def _pointed_at(row: int, seen: list[list[int]], hits: Hits) -> int | None:
    """The column that marks of its own point at, if no other column can share as many.

    If `own` marks of the row are held by that column alone, any other shares at most the rest of those
    that some column holds.
    """
    pointed = [held[0] for held in seen if len(held) == 1]
    if not pointed:
        return None
    best = max(pointed, key=pointed.count) if len(pointed) > 1 else pointed[0]
    return best if hits(row, best) > len(seen) - pointed.count(best) else None


def _voted(seen: list[list[int]]) -> int | None:
    """The column that shares strictly the most marks, by counting."""
    votes: dict[int, int] = {}
    for held in seen:
        for column in held:
            votes[column] = votes.get(column, 0) + 1
    if not votes:
        return None
    most = max(votes.values())
    winners = [column for column, count in votes.items() if count == most]
    return winners[0] if len(winners) == 1 else None


def _are_named(elements: Sequence[Json], names: frozenset[str]) -> bool:
    """Whether all are objects with these members only."""
    return bool(names) and all(isinstance(one, dict) and one and one.keys() <= names for one in elements)


def _are_alike(elements: Sequence[Json]) -> bool:
    """Whether all are objects with the same members, or none is an object."""
    first = elements[0] if elements else None
    if not isinstance(first, dict):
        return not any(isinstance(one, dict) for one in elements)
    return all(isinstance(one, dict) and one.keys() == first.keys() for one in elements)


def _names(elements: Sequence[Json], indices: list[int]) -> list[frozenset[Hashable]]:
    return [frozenset(here) if isinstance(here := elements[at], dict) else frozenset() for at in indices]


def _count(rows: list[list[float]], left: Sequence[Marks], right: Sequence[Marks], weight: float) -> None:
    """Add `weight` to a cell for each mark its two elements share, mark by mark."""
    holders: dict[Hashable, list[int]] = defaultdict(list)
    for column, marks in enumerate(right):
        for mark in marks:
            holders[mark].append(column)
    for row, marks in zip(rows, left, strict=True):
        everywhere = 0.0
        for mark in marks:
            columns = holders.get(mark, ())
            if len(columns) == len(right):
                everywhere += weight
                continue
            for column in columns:
                row[column] += weight
        if everywhere:
            row[:] = [cell + everywhere for cell in row]


def _blocks(left: list[int], right: list[int]) -> tuple[list[tuple[list[int], list[int]]], str | None]:
    """Cut a problem that is too large into even blocks of canonical order."""
    cells = len(left) * len(right)
    if cells <= MAX_CELLS:
        return [(left, right)], None
    count = max(2, -(-cells // MAX_TOTAL))
    while (len(left) // count + 1) * (len(right) // count + 1) > MAX_CELLS:
        count += 1
    edges = [(len(left) * block // count, len(right) * block // count) for block in range(count + 1)]
    blocks = [(left[start:end], right[first:last]) for (start, first), (end, last) in pairwise(edges)]
    size = f"{len(left):,} x {len(right):,} unequal elements"
    return blocks, f"{size}: paired in {count} blocks of canonical order"
