"""What of a list's elements can be equal, as hashable marks.

An object is marked by its fields, anything else is one nameless field. Lists of flat objects with the
same members are read as a table: a row of values identifies an element, and its marks are the row's
positions and values, at a fraction of the cost of freezing every element.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.core.equality import SELF_FROZEN, freeze

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from fieldwise._types import Json

Row: TypeAlias = "tuple[Hashable, ...]"
Table: TypeAlias = "tuple[list[Row], list[Row]]"

MAX_DEPTH: Final = 256
"""Objects nested deeper are marked whole, as the walk compares them."""
_OBJECTS: Final = {dict}
_CELLS: Final = SELF_FROZEN | {bool}
_NUMBERS: Final = frozenset({int, float, Decimal})


def as_table(actual: Sequence[Any], expected: Sequence[Any]) -> Table | None:
    """Return both lists as rows of values, or None unless all are flat objects with the same members.

    Two rows are equal exactly when their elements are. A column that holds booleans beside numbers is
    refused, because Python takes `True` for 1; NaN is one object, and so equal to itself.

    >>> as_table([{"a": 1, "b": "x"}], [{"b": "x", "a": 1}])
    ([('x', 1)], [('x', 1)])
    """
    if set(map(type, actual)) != _OBJECTS or set(map(type, expected)) != _OBJECTS:
        return None
    names = expected[0]
    if not names or set(map(len, chain(actual, expected))) != {len(names)}:
        return None
    read = _reader(names)
    try:
        rows = list(map(read, actual)), list(map(read, expected))
    except KeyError:
        return None
    kinds = set(map(type, chain.from_iterable(chain(*rows))))
    if not kinds <= _CELLS or (bool in kinds and _mixes_booleans(rows, kinds)):
        return None
    return rows


def features(element: Json, *, deep: bool = False) -> frozenset[Hashable]:
    """Return the marks of one element: its (name, frozen value) fields; of the leaves when `deep`.

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


def _reader(names: dict[str, Any]) -> Callable[[Any], Row]:
    if len(names) > 1:
        return itemgetter(*names)
    (name,) = names
    return lambda element: (element[name],)


def _mixes_booleans(rows: Table, kinds: set[type]) -> bool:
    if kinds.isdisjoint(_NUMBERS):
        return False
    columns = (set(map(type, one)) for one in zip(*chain(*rows), strict=True))
    return any(bool in here and not here.isdisjoint(_NUMBERS) for here in columns)


def _leaves(root: dict[str, Json]) -> list[Hashable]:
    """The leaves of nested objects; a leaf at the top is named by its name, others by their path."""
    found: list[Hashable] = []
    stack: list[tuple[Any, Json]] = list(root.items())
    while stack:
        path, value = stack.pop()
        above = path if isinstance(path, tuple) else (path,)
        if type(value) is dict and value and len(above) < MAX_DEPTH:
            stack.extend(((*above, name), item) for name, item in value.items())
        else:
            found.append((path, freeze(value)))
    return found
