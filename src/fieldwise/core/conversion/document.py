"""Applying the table of `shapes` to a whole document, without recursion.

A stack holds what is still to be converted: the value, its place, and where its result goes. The shell
of a container is made at once, and what is plain in it stays as it is; the rest goes on the stack,
above a mark that closes the container when everything in it is done.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from fieldwise.core.conversion.shapes import ATOM, OBJECT, SET, shape
from fieldwise.core.display import said
from fieldwise.core.equality import arrange, canonical
from fieldwise.core.select import place_name
from fieldwise.core.values import MAX_CONTAINERS, PLAIN, TOO_MANY, Unconvertible, UnorderedList

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import Json

Link: TypeAlias = "tuple[Link, str | int] | None"
"""A place as a chain from its last step to the root: one step further costs the same at any depth."""

_CLOSE: Final = object()


class Conversion:
    """One document being converted: a stack of values, each with its place and where its result goes."""

    __slots__ = ("_open", "_seen", "_tasks")

    def __init__(self) -> None:
        self._tasks: list[tuple[Any, Link, Any, Any]] = []
        self._open: set[int] = set()
        self._seen = 0

    def run(self, root: object) -> Json:
        """Convert a whole document."""
        holder: list[Any] = [None]
        self._tasks.append((root, None, holder, 0))
        while self._tasks:
            value, link, into, at = self._tasks.pop()
            if value is _CLOSE:
                self._open.discard(id(at))
                if type(into) is UnorderedList:
                    arrange(into)
                continue
            try:
                into[at] = self._shape(value, link)
            except Unconvertible:
                raise
            except Exception as error:
                text = f"{_type_name(value)} at {_spell(link)} cannot be read: {said(error)}"
                raise Unconvertible(text) from error
        return cast("Json", holder[0])

    def _shape(self, value: Any, link: Link) -> Json:
        """Return the JSON of a value; of a container, the shell whose contents are to be done."""
        kind, plain = shape(value)
        if kind is ATOM:
            return cast("Json", plain)
        if kind is None:
            raise Unconvertible(f"{_type_name(value)} at {_spell(link)} has no JSON form; convert it first")
        self._seen += 1
        if id(value) in self._open or self._seen > MAX_CONTAINERS:
            raise Unconvertible(TOO_MANY)
        self._open.add(id(value))
        shell: Any = self._named(plain, link) if kind is OBJECT else list(plain)
        shell = UnorderedList(shell) if kind is SET else shell
        self._tasks.append((_CLOSE, None, shell, value))
        self._fill(shell, shell.items() if kind is OBJECT else enumerate(shell), link)
        return cast("Json", shell)

    def _named(self, members: Any, link: Link) -> dict[str, Any]:
        """The members with text names."""
        named: dict[str, Any] = {}
        for key, item in members.items():
            name = key if type(key) is str else _name(key, link)
            if name in named:
                raise Unconvertible(f"two members of {_spell(link)} are both named {name!r} in JSON")
            named[name] = item
        return named

    def _fill(self, shell: Any, items: Iterable[tuple[Any, Any]], link: Link) -> None:
        """Leave what is plain where it is, and put the rest on the stack, the first place on top."""
        rest = [
            (item, (link, at), shell, at)
            for at, item in items
            if not (type(item) in PLAIN or (type(item) is float and item == item))  # noqa: PLR0124
        ]
        self._tasks.extend(reversed(rest))


def _name(key: object, link: Link) -> str:
    """The name of a member whose key is no text: what JSON has for it, without quotes."""
    value = Conversion().run(key)
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        raise Unconvertible(f"a key of {_spell(link)} is a {_type_name(key)}; JSON names are text")
    return repr(value) if isinstance(value, float) and math.isfinite(value) else canonical(value)


def _type_name(value: object) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _spell(link: Link) -> str:
    steps = []
    while link is not None:
        link, step = link
        steps.append(step)
    return place_name(tuple(reversed(steps)))
