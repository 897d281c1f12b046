"""The names of the places there are, for messages that say what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.core.select import WILD, compile_path, field_name, join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import Json, Missing

_MAX_NODES: Final = 2_000


def place_names(documents: Iterable[Json | Missing]) -> set[str]:
    """Return the names of all places in some documents, `items[*].sku`; of large ones those met first.

    >>> sorted(place_names([{"a": [{"b": 1}]}]))
    ['a', 'a[*]', 'a[*].b']
    """
    names: set[str] = set()
    stack = [("", document) for document in documents]
    for _ in range(_MAX_NODES):
        if not stack:
            break
        where, here = stack.pop()
        if isinstance(here, dict):
            below = [(join(where, name), value) for name, value in here.items()]
        elif isinstance(here, list):
            below = [(join(where, WILD), value) for value in here]
        else:
            continue
        names.update(name for name, _ in below)
        stack += below
    return names


def plain_name(path: str) -> str:
    """Return a path of any form as places are named.

    Raises:
        PathError: for one that does not parse.

    >>> plain_name("/items/0/sku"), plain_name("$.items[0].sku")
    ('items.0.sku', 'items[*].sku')
    """
    return field_name(compile_path(path).steps)
