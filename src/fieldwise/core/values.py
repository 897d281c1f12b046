"""What JSON values are in Python: which types they have, and the few that JSON itself does not know.

Nothing here converts (see `conversion`) or compares (`equality`). Nothing recurses: a document that refers to
itself, or unfolds into more than `MAX_CONTAINERS` containers, is refused by a scan that ends.
"""

from __future__ import annotations

import math
from decimal import Decimal
from itertools import chain
from operator import ne
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from fieldwise._types import Json

NAN: Final = math.nan
MAX_CONTAINERS: Final = 2_000_000
_SUSPICIOUS: Final = 100_000
"""Containers after which a document is looked at for whether it refers to itself: it would have no end."""
MAX_EXPONENT: Final = 4_000
TOO_MANY: Final = f"the document refers to itself, or holds more than {MAX_CONTAINERS:,} containers"
_NAMES: Final = frozenset({str})
_OBJECTS: Final = {dict}
PLAIN: Final = frozenset({str, int, bool, NoneType})
ATOMS: Final = PLAIN | {float}
"""The types of values that hold no other; a `Decimal`, which is rare, is looked at more closely."""


class UnorderedList(list[Any]):
    """A JSON array that came from a set: compared without regard to order.

    It is kept in canonical order, so whoever changes an element calls `equality.arrange`.
    """

    __slots__ = ()


class Unconvertible(ValueError):
    """A Python object with no JSON form; its text says which and where."""


def is_json(root: object) -> bool:
    """Whether a value consists of plain JSON types only, each NaN being `NAN` itself.

    Raises:
        Unconvertible: when it refers to itself or is too large.
    """
    stack: list[Any] = [root if type(root) is dict else [root]]
    seen = 0
    while stack:
        container = stack.pop()
        seen += 1
        if seen + len(stack) > MAX_CONTAINERS or (seen == _SUSPICIOUS and _refers_to_itself(root)):
            raise Unconvertible(TOO_MANY)
        if type(container) is dict:
            if not _NAMES.issuperset(map(type, container)):
                return False
            container = container.values()
        elif len(container) > 1 and _is_table(container):
            continue
        for item in container:
            kind = type(item)
            if kind in PLAIN:
                continue
            if kind is dict or kind is list:
                stack.append(item)
            elif kind is not float or (item != item and item is not NAN):  # noqa: PLR0124
                return False
    return True


def _refers_to_itself(root: Any) -> bool:
    """Whether a container of plain lists and objects holds itself; each is entered once."""
    above: set[int] = set()
    done: set[int] = set()
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        container, left = stack.pop()
        name = id(container)
        if left:
            above.discard(name)
            done.add(name)
        elif name in above:
            return True
        elif name not in done:
            above.add(name)
            stack.append((container, True))
            inner = container.values() if type(container) is dict else container
            stack.extend((one, False) for one in inner if type(one) is dict or type(one) is list)
    return False


def _is_table(container: list[Any]) -> bool:
    """Whether a list holds nothing but flat plain objects, seen without looking at them one by one."""
    if set(map(type, container)) != _OBJECTS or not _NAMES.issuperset(map(type, set().union(*container))):
        return False
    values = list(chain.from_iterable(map(dict.values, container)))
    kinds = set(map(type, values))
    return kinds <= PLAIN or (kinds <= ATOMS and not any(map(ne, values, values)))


def copied(document: Json) -> Json:
    """Return a value that shares no container with the one given, at any depth.

    >>> a = {"b": [1]}
    >>> copied(a) == a, copied(a)["b"] is a["b"]
    (True, False)
    """
    holder: list[Any] = [document]
    stack: list[tuple[Any, Any]] = [(holder, 0)]
    while stack:
        parent, key = stack.pop()
        value = parent[key]
        if isinstance(value, dict | list):
            value = parent[key] = value.copy() if isinstance(value, dict) else type(value)(value)
            stack.extend(
                (value, inner) for inner in (value if isinstance(value, dict) else range(len(value)))
            )
    return holder[0]  # type: ignore[no-any-return]


def number(value: Decimal) -> Json:
    """Return an exact decimal as int or float where one holds it exactly, else unchanged.

    A float holds its exact binary value, and the shortest decimal that is written for it.
    """
    if value.is_nan():
        return NAN
    if value.is_infinite():
        return math.inf if value > 0 else -math.inf
    if abs(value.adjusted()) > MAX_EXPONENT:
        return value or 0
    if value == value.to_integral_value():
        return int(value)
    nearest = float(value)
    return nearest if value in (Decimal(repr(nearest)), Decimal(nearest)) else value
