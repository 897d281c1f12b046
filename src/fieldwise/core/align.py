"""Which element of one list answers which element of the other.

`ordered` pairs by index. The unordered modes pair one to one so that the most fields are equal, on
the content of the elements alone:

1. Elements that are equal pair first, found by hash. For a count of equal fields that is part of some
   optimum: swapping any other optimum to it loses nothing, since |x & a| + |x & b| <= |x| + |a & b|.
   Where comparators grade fields it is the definition.
2. The weight of a pair is the number of its equal fields (or the sum of its grades); ties prefer
   pairs with more names in common. The pairing of greatest total weight is found in one of two ways:
   - `_settle`: for each element a partner that is strictly better than every other could be, and no
     two elements want the same one. Then the optimum is unique and nothing has to be solved.
   - `assign`, over elements in canonical order, so that no tie is decided by position.

Elements of any kind take part: an object is the set of its fields, anything else is one nameless
field. Time and memory are bounded: past `MAX_CELLS` the rest is cut into blocks of canonical order,
each solved by itself, and `Alignment.note` says so. A pair may have nothing equal; whether it counts
as matched is the scorer's to say, and it never is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.assign import assign
from fieldwise.core.equality import SELF_FROZEN, canonical, freeze

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from fieldwise._types import Json, ListMode

    Marks = frozenset[Hashable]
    Grade = Callable[[Sequence[Json], Sequence[Json]], list[list[float]]]

MAX_CELLS: Final = 4_000_000
_OBJECTS: Final = {dict}


@dataclass(slots=True)
class Alignment:
    """The pairing of two lists.

    Attributes:
        same: (actual index, expected index) of equal elements.
        pairs: (actual index, expected index) of unequal elements that were paired.
        missing: indices of expected elements without a partner.
        invented: indices of actual elements without a partner.
        note: what was bounded, or None.
    """

    same: list[tuple[int, int]] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    invented: list[int] = field(default_factory=list)
    note: str | None = None


def align(
    actual: Sequence[Json],
    expected: Sequence[Json],
    mode: ListMode,
    *,
    deep: bool = False,
    grade: Grade | None = None,
    graded: frozenset[str] = frozenset(),
) -> Alignment:
    """Pair two lists.

    Args:
        actual: the elements that came.
        expected: the elements that were wanted.
        mode: "ordered" by index; any other mode one to one by content.
        deep: count equal leaves of nested objects instead of equal members.
        grade: adds grades of the members named in `graded`, as a matrix over two lists of elements.
        graded: the members that `grade` looks at; they are not counted as equal or unequal.

    >>> align([1, 2], [2, 3], "same_elements")
    Alignment(same=[(1, 0)], pairs=[(0, 1)], missing=[], invented=[], note=None)
    """
    if mode == "ordered":
        return _by_index(actual, expected)
    found = Alignment()
    row = _table(actual, expected)
    left, right = _equal_first(actual, expected, row or freeze, found)
    if not left or not right:
        found.invented, found.missing = left, right
        return found
    rest = _Rest(actual, expected, row is not None, deep, grade, graded)
    if not rest.settle(left, right, found):
        _solve(rest, left, right, found)
    return found


def features(element: Json, *, deep: bool = False) -> Marks:
    """Return what of an element can be equal: its (name, frozen value) fields.

    An object without members, and any element that is no object, is one nameless field, so equal
    elements of any kind have equal features and something in common.
    """
    if type(element) is not dict or not element:
        return frozenset([(None, freeze(element))])
    if SELF_FROZEN.issuperset(map(type, element.values())):
        return frozenset(element.items())
    if deep:
        return frozenset(_leaves(element))
    return frozenset([(name, freeze(value)) for name, value in element.items()])


def _leaves(root: dict[str, Json]) -> list[Hashable]:
    """The leaves of nested objects; a leaf at the top is named by its name, others by their path."""
    found: list[Hashable] = []
    stack: list[tuple[Any, Json]] = [(name, value) for name, value in root.items()]
    while stack:
        path, value = stack.pop()
        if type(value) is dict and value:
            above = path if isinstance(path, tuple) else (path,)
            stack.extend(((*above, name), item) for name, item in value.items())
        else:
            found.append((path, freeze(value)))
    return found


def _by_index(actual: Sequence[Json], expected: Sequence[Json]) -> Alignment:
    both = min(len(actual), len(expected))
    return Alignment(
        pairs=[(index, index) for index in range(both)],
        missing=list(range(both, len(expected))),
        invented=list(range(both, len(actual))),
    )


def _equal_first(
    actual: Sequence[Json], expected: Sequence[Json], identity: Callable[[Any], Hashable], found: Alignment
) -> tuple[list[int], list[int]]:
    """Pair equal elements into `found.same`; return the indices that are left on each side."""
    waiting: dict[Hashable, list[int]] = {}
    for index, mark in enumerate(map(identity, expected)):
        waiting.setdefault(mark, []).append(index)
    left = []
    for index, mark in enumerate(map(identity, actual)):
        partners = waiting.get(mark)
        if partners:
            found.same.append((index, partners.pop()))
        else:
            left.append(index)
    right = [index for partners in waiting.values() for index in partners]
    return left, right


def _table(actual: Sequence[Json], expected: Sequence[Json]) -> Callable[[Any], Hashable] | None:
    """How to read the identity of flat objects with the same members, or None for any other lists.

    Such lists are tables: one row of values identifies an element at a fraction of the cost of
    `freeze`. Booleans are left to `freeze`, which tells them from 0 and 1; NaN is one object.
    """
    both: list[Any] = [*actual, *expected]
    if set(map(type, both)) != _OBJECTS:
        return None
    names = set().union(*both)
    if not names or set(map(len, both)) != {len(names)}:
        return None
    if not SELF_FROZEN.issuperset(map(type, chain.from_iterable(map(dict.values, both)))):
        return None
    return itemgetter(*names)


@dataclass(slots=True)
class _Rest:
    """The elements that found no equal, and how to weigh a pair of them."""

    actual: Sequence[Json]
    expected: Sequence[Json]
    flat: bool
    deep: bool
    grade: Grade | None
    graded: frozenset[str]

    def settle(self, left: list[int], right: list[int], found: Alignment) -> bool:
        """Pair everything into `found` if the optimum is unique and shows without solving."""
        if self.grade is not None:
            return False
        pairs = (
            _settle(self._marks(self.actual, left), self._marks(self.expected, right))
            if len(left) <= len(right)
            else _flip(_settle(self._marks(self.expected, right), self._marks(self.actual, left)))
        )
        if pairs is None:
            return False
        _record(pairs, left, right, found)
        return True

    def weigh(self, left: list[int], right: list[int]) -> list[list[float]]:
        """The weight of every pair: equal fields first, names in common to settle ties."""
        rows: list[list[float]] = [[0.0] * len(right) for _ in left]
        _count(rows, self._marks(self.actual, left), self._marks(self.expected, right), 1.0)
        names, others = _names(self.actual, left), _names(self.expected, right)
        if len(set(chain(names, others))) > 1:
            most = sum(map(len, names)) + sum(map(len, others)) + 1
            _count(rows, names, others, 1.0 / most)
        if self.grade is not None:
            grades = self.grade([self.actual[at] for at in left], [self.expected[at] for at in right])
            for row, extra in zip(rows, grades, strict=True):
                row[:] = map(sum, zip(row, extra, strict=True))
        return rows

    def _marks(self, elements: Sequence[Json], indices: list[int]) -> list[Marks]:
        if self.flat:
            marks: list[Marks] = [frozenset(elements[index].items()) for index in indices]  # type: ignore[union-attr]
        else:
            marks = [features(elements[index], deep=self.deep) for index in indices]
        if not self.graded:
            return marks
        return [frozenset(item for item in mark if _top(item) not in self.graded) for mark in marks]


def _top(mark: Any) -> Any:
    name = mark[0]
    return name[0] if isinstance(name, tuple) else name


def _names(elements: Sequence[Json], indices: list[int]) -> list[Marks]:
    return [frozenset(here) if isinstance(here := elements[at], dict) else frozenset() for at in indices]


def _settle(rows: list[Marks], columns: list[Marks]) -> list[tuple[int, int]] | None:
    """Return each row's strictly best column if those are all different, else None.

    A field that only one column holds points at it. If `own` fields point at a column and it shares
    `hits` fields with the row, any other column shares at most `len(row) - own`.
    """
    holder: dict[Hashable, int] = {}
    for column, marks in enumerate(columns):
        for mark in marks:
            holder[mark] = -1 if mark in holder else column
    taken: set[int] = set()
    pairs = []
    for row, marks in enumerate(rows):
        pointed = [column for mark in marks if (column := holder.get(mark, -1)) >= 0]
        if not pointed:
            return None
        best = max(pointed, key=pointed.count) if len(pointed) > 1 else pointed[0]
        if best in taken or len(marks & columns[best]) <= len(marks) - pointed.count(best):
            return None
        taken.add(best)
        pairs.append((row, best))
    return pairs


def _flip(pairs: list[tuple[int, int]] | None) -> list[tuple[int, int]] | None:
    return None if pairs is None else [(column, row) for row, column in pairs]


def _count(rows: list[list[float]], left: list[Marks], right: list[Marks], weight: float) -> None:
    """Add `weight` to a cell for each feature its two elements share, feature by feature."""
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


def _solve(rest: _Rest, left: list[int], right: list[int], found: Alignment) -> None:
    """Pair by the greatest total weight, in canonical order."""
    left.sort(key=lambda index: canonical(rest.actual[index]))
    right.sort(key=lambda index: canonical(rest.expected[index]))
    for some_left, some_right in _blocks(left, right, found):
        _record(assign(rest.weigh(some_left, some_right)), some_left, some_right, found)


def _record(pairs: list[tuple[int, int]], left: list[int], right: list[int], found: Alignment) -> None:
    found.pairs += [(left[row], right[column]) for row, column in pairs]
    if len(pairs) < len(left):
        rows = {row for row, _ in pairs}
        found.invented += [index for at, index in enumerate(left) if at not in rows]
    if len(pairs) < len(right):
        columns = {column for _, column in pairs}
        found.missing += [index for at, index in enumerate(right) if at not in columns]


def _blocks(left: list[int], right: list[int], found: Alignment) -> list[tuple[list[int], list[int]]]:
    """Cut a problem that is too large into even blocks of canonical order."""
    if len(left) * len(right) <= MAX_CELLS:
        return [(left, right)]
    count = 2
    while (len(left) // count + 1) * (len(right) // count + 1) > MAX_CELLS:
        count += 1
    found.note = (
        f"{len(left):,} x {len(right):,} unequal elements: paired in {count} blocks of canonical order"
    )
    edges = [(len(left) * block // count, len(right) * block // count) for block in range(count + 1)]
    return [
        (left[start:end], right[first:last])
        for (start, first), (end, last) in zip(edges, edges[1:], strict=False)
    ]
