"""Which element of one list answers which element of the other.

`ordered` pairs by index, `by_key` by what identifies an element. The other modes pair one to one so that
the most fields are equal, on the content of the elements alone:

1. Elements that are equal pair first, found by hash. For a count of equal fields that is part of some
   optimum: swapping any other optimum to it loses nothing, since |x & a| + |x & b| <= |x| + |a & b|.
   Where comparators grade fields it is the definition.
2. The rest is paired by the greatest total weight, see `core.align.pairing`.

A pair may have nothing equal; whether it counts as matched is the scorer's to say, and it never is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise.core.align.features import as_table
from fieldwise.core.align.pairing import Rest
from fieldwise.core.equality import freeze
from fieldwise.core.select import compile_path
from fieldwise.errors import ConfigError, PathError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from fieldwise._types import Json, ListMode
    from fieldwise.core.align.pairing import Grade
    from fieldwise.core.select import Selector


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


@dataclass(frozen=True, slots=True)
class ByKey:
    """Pairs the elements whose keys hold equal values; made by `by_key`."""

    keys: tuple[Selector, ...]

    def __str__(self) -> str:
        return f"by_key({', '.join(repr(key.text) for key in self.keys)})"

    def of(self, element: Json) -> Hashable | None:
        """Return what identifies an element, or None when it lacks one of the keys."""
        found = self.values(element)
        return None if found is None else tuple(map(freeze, found))

    def values(self, element: Json) -> list[Json] | None:
        """Return the values of an element's keys, or None when it lacks one of them."""
        try:
            found = [key.find(element) for key in self.keys]
        except PathError:  # a query whose pattern, taken from the data, cannot be run
            return None
        return [match.value for matches in found for match in matches] if all(found) else None


def by_key(*keys: str) -> ByKey:
    """Pair list elements by what identifies them: one key or several.

    In an option: `lists={"items": by_key("sku", "lot")}`. Elements that share a key pair
    so that the most fields are equal, and so do those that lack one, among themselves.

    Args:
        keys: keys or paths inside an element.

    Raises:
        ConfigError: without a key.
        PathError: for a key that parses as no path.

    >>> align([{"k": 1, "v": 2}], [{"k": 1, "v": 3}], by_key("k")).pairs
    [(0, 0)]
    """
    if not keys:
        raise ConfigError("by_key(): name at least one key, by_key('id')")
    return ByKey(tuple(compile_path(key) for key in keys))


def align(
    actual: Sequence[Json],
    expected: Sequence[Json],
    mode: ListMode | ByKey,
    *,
    deep: bool = False,
    grade: Grade | None = None,
    graded: frozenset[str] = frozenset(),
) -> Alignment:
    """Pair two lists.

    Args:
        actual: the elements that came.
        expected: the elements that were wanted.
        mode: "ordered" by index; `by_key` by what identifies an element; any other mode one to one by
            content.
        deep: count equal leaves of nested objects instead of equal members.
        grade: adds grades of the members named in `graded`, as a matrix over two lists of elements.
        graded: the members that `grade` looks at; they are not counted as equal or unequal.

    >>> align([1, 2], [2, 3], "same_elements")
    Alignment(same=[(1, 0)], pairs=[(0, 1)], missing=[], invented=[], note=None)
    """
    if mode == "ordered":
        return _by_index(actual, expected)
    if isinstance(mode, ByKey):
        return _by_key(actual, expected, mode, {"deep": deep, "grade": grade, "graded": graded})
    found = Alignment()
    table = as_table(actual, expected)
    came: Sequence[Hashable] = table[0] if table else [freeze(one) for one in actual]
    wanted: Sequence[Hashable] = table[1] if table else [freeze(one) for one in expected]
    left, right = _equal_first(came, wanted, found)
    if left and right:
        rest = Rest(actual, expected, table if grade is None else None, deep, grade, graded)
        found.pairs, found.note = rest.pair(left, right)
        left, right = _unpaired(left, right, found.pairs)
    found.invented, found.missing = left, right
    return found


def _by_index(actual: Sequence[Json], expected: Sequence[Json]) -> Alignment:
    both = min(len(actual), len(expected))
    return Alignment(
        pairs=[(index, index) for index in range(both)],
        missing=list(range(both, len(expected))),
        invented=list(range(both, len(actual))),
    )


def _by_key(
    actual: Sequence[Json], expected: Sequence[Json], mode: ByKey, manner: Mapping[str, Any]
) -> Alignment:
    """Pair within each key; what shares a key, or lacks one, is paired by content in the manner given."""
    groups: dict[Hashable | None, tuple[list[int], list[int]]] = {}
    for side, elements in enumerate((actual, expected)):
        for index, element in enumerate(elements):
            groups.setdefault(mode.of(element), ([], []))[side].append(index)
    found = Alignment()
    notes = []
    for came, wanted in groups.values():
        if len(came) == len(wanted) == 1:
            found.pairs.append((came[0], wanted[0]))
            continue
        part = align([actual[at] for at in came], [expected[at] for at in wanted], "same_elements", **manner)
        found.pairs += [(came[left], wanted[right]) for left, right in part.same + part.pairs]
        found.invented += [came[at] for at in part.invented]
        found.missing += [wanted[at] for at in part.missing]
        notes += [part.note] if part.note else []
    if groups.keys() == {None} and actual and expected:
        notes.append(f"no element has what {mode} names, so they were paired by content")
    found.note = "; ".join(dict.fromkeys(notes)) or None
    return found


def _equal_first(
    actual: Sequence[Hashable], expected: Sequence[Hashable], found: Alignment
) -> tuple[list[int], list[int]]:
    """Pair equal elements into `found.same`; return the indices that are left on each side."""
    waiting: dict[Hashable, list[int]] = {}
    for index, mark in enumerate(expected):
        waiting.setdefault(mark, []).append(index)
    left = []
    same = found.same
    for index, mark in enumerate(actual):
        partners = waiting.get(mark)
        if partners:
            same.append((index, partners.pop()))
        else:
            left.append(index)
    return left, [index for partners in waiting.values() for index in partners]


def _unpaired(left: list[int], right: list[int], pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    if len(pairs) < len(left):
        came = {index for index, _ in pairs}
        left = [index for index in left if index not in came]
    else:
        left = []
    if len(pairs) < len(right):
        wanted = {index for _, index in pairs}
        return left, [index for index in right if index not in wanted]
    return left, []
