"""The items of a set, kept small: each as bytes, made anew whenever it is looked at.

An item as objects takes some two kilobytes, most of it dictionaries that hold three values; packed it takes a
fifth. A set of 100,000 items is read, run and reported within the memory of one that is a fifth of it.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Final, overload

from fieldwise.evalsets.model import Item

_PROTOCOL: Final = 5
_parts: Final = attrgetter(*(one.name for one in fields(Item)))


class PackedItems(Sequence[Item]):
    """Items in their order; equal to any other sequence of the same items.

    >>> items = PackedItems([Item("a", "A", {"n": 1}, {})])
    >>> items[0].inputs, len(items), items == (Item("a", "A", {"n": 1}, {}),)
    ({'n': 1}, 1, True)
    """

    __slots__ = ("_packed",)

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._packed: list[bytes] = []
        for item in items:
            self.append(item)

    def append(self, item: Item) -> None:
        """Add an item behind the others."""
        self._packed.append(pickle.dumps(_parts(item), _PROTOCOL))

    @overload
    def __getitem__(self, at: int) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Item]: ...

    def __getitem__(self, at: int | slice) -> Item | Sequence[Item]:
        if isinstance(at, slice):
            return [_unpacked(one) for one in self._packed[at]]
        return _unpacked(self._packed[at])

    def __len__(self) -> int:
        return len(self._packed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self)!r})"


def _unpacked(packed: bytes) -> Item:
    return Item(*pickle.loads(packed))  # noqa: S301 - packed here
