"""Paths: the text forms people write, the places they name, and how places are printed.

| form | example | a name steps into an array | wildcard |
|---|---|---|---|
| dotted | `user.address.city`, `items.0.name`, `items[*].sku`, `a['b.c']` | by its digits | `[*]` |
| JSON Pointer (RFC 6901) | `/items/0/name`, `#/items/0/name` | by its digits | none |
| JSONPath (RFC 9535) | `$.items[0].name`, `$['a b'][*]`, `$..a[?@.b > 1]` | no | `[*]`, `.*`, … |

`$`, `$.…`, `$[…` and `/…` are never dotted. A dotted path is read literally first: a member whose
name holds the dots, on either document, wins at its level (`resolve`). The names printed
for results (`field_name`) are dotted paths that parse back to the same place.

The grammar is in `path_text`; JSONPath beyond names, indices and wildcards is in `jsonpath`. A path has
at most `MAX_STEPS` steps and `MAX_LENGTH` characters; parsing is linear in its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core import path_text
from fieldwise.core.display import shown, utf8
from fieldwise.core.path_text import MAX_LENGTH, MAX_STEPS, WILD, PathStep, Wildcard
from fieldwise.core.values import MAX_CONTAINERS
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, Missing, Path, Step
    from fieldwise.core.jsonpath import Query

__all__ = [
    "MAX_LENGTH",
    "MAX_STEPS",
    "Match",
    "PathStep",
    "Selector",
    "Syntax",
    "WILD",
    "Wildcard",
    "compile_path",
    "field_name",
    "find_in_all",
    "follow",
    "join",
    "resolve",
    "side_by_side",
    "try_find",
]

Syntax: TypeAlias = Literal["dotted", "pointer", "jsonpath"]

_MAX_SHOWN: Final = 60
_PLAIN_NAME: Final = re.compile(r"[^\s.\[\]'\"/$#*\ud800-\udfff]+")
INDEX: Final = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)
"""A name that may be the index of an element."""
_MAX_NODES: Final = 2_000
_FEW: Final = 20_000
"""So many containers may stand side by side, whatever the document holds."""
_KEPT_LENGTH: Final = 200
"""Names up to this length are remembered: the same few come back for every record."""


class Match(NamedTuple):
    """One place a path found: where it is and what is there."""

    path: Path
    value: Json


@dataclass(frozen=True, slots=True)
class Selector:
    """A compiled path.

    Attributes:
        text: the path as written.
        steps: names, indices and wildcards from the root.
        syntax: which of the three forms it was written in.
        spans: where in a dotted text each name begins and ends; a step in brackets has no extent.
        query: what finds the places of a JSONPath that steps cannot say (`$..a`, `$.a[?@.b]`); the only
            step of such a path is its text, the literal reading.
    """

    text: str
    steps: tuple[PathStep, ...]
    syntax: Syntax
    spans: tuple[tuple[int, int], ...] = ()
    query: Query | None = None

    def find(self, document: Json) -> list[Match]:
        """Return every place of `document` this path names, in the order it names them.

        >>> compile_path("items[*].sku").find({"items": [{"sku": "a"}, {"n": 1}]})
        [Match(path=('items', 0, 'sku'), value='a')]
        """
        if self.query is not None:
            return [Match(*found) for found in self.query.find(document)]
        if self.syntax == "dotted":
            return follow(resolve(self, (document,)), document, names_index=True)
        return follow(self.steps, document, names_index=self.syntax == "pointer")


def compile_path(text: str) -> Selector:
    """Parse a path in any of the three forms.

    Raises:
        PathError: with the position of the first character that does not fit and the nearest valid
            spelling, where there is one.

    >>> compile_path("user.address.city").steps
    ('user', 'address', 'city')
    >>> compile_path("/a~1b/0").steps
    ('a/b', '0')
    """
    if not isinstance(text, str):
        raise PathError(shown(text), 0, f"a path is text, not {type(text).__qualname__}")
    if len(text) > MAX_LENGTH:
        raise PathError(f"{text[:_MAX_SHOWN]}…", MAX_LENGTH, f"longer than {MAX_LENGTH:,} characters")
    if text == "" or text[0] == "/":
        return Selector(text, path_text.pointer(text), "pointer")
    if text == "#" or text.startswith("#/"):
        return Selector(text, path_text.fragment(text), "pointer")
    if text[0] == "$":
        return _jsonpath(text)
    steps, spans = path_text.dotted(text)
    return Selector(text, steps, "dotted", spans)


def _jsonpath(text: str) -> Selector:
    """Read the plain part here; whatever goes beyond it has a grammar and engines of its own."""
    try:
        return Selector(text, path_text.jsonpath(text), "jsonpath")
    except PathError:
        from fieldwise.core.jsonpath import compile_jsonpath, plain_steps
    steps = plain_steps(text)
    if steps is not None:
        return Selector(text, steps, "jsonpath")
    return Selector(text, (text,), "jsonpath", query=compile_jsonpath(text))


def try_find(selector: Selector, document: Json) -> list[Match]:
    """Return what a selector finds; nothing where a query cannot be run on this document.

    A query may take a pattern from the document, and may be too much work for it.

    >>> try_find(compile_path("$.a"), {"a": 1})
    [Match(path=('a',), value=1)]
    """
    try:
        return selector.find(document)
    except PathError:
        return []


def find_in_all(selector: Selector, documents: Sequence[Json | Missing]) -> list[list[Match]]:
    """Return what a path names in each of several documents, read in the same way in all.

    Raises:
        PathError: a query cannot be run on one of them.

    >>> found = find_in_all(compile_path("a.b"), ({"a.b": 1}, {"a": {"b": 2}}))
    >>> [[one.value for one in matches] for matches in found]
    [[1], []]
    """
    if selector.query is None:
        steps, names_index = resolve(selector, documents), selector.syntax != "jsonpath"
        return [follow(steps, document, names_index=names_index) for document in documents]
    return [[] if document is MISSING else selector.find(document) for document in documents]


def side_by_side(selector: Selector, document: Json, matches: list[Match]) -> list[Match]:
    """Return places of a document whose values are to stand in one list, unless that grows out of hand.

    What a query names twice, or inside a value that it names too, stands in the list again.

    Raises:
        PathError: the list would hold many times what the document holds.

    >>> document = {"a": 1, "b": {"a": 2}}
    >>> selector = compile_path("$..a")
    >>> side_by_side(selector, document, selector.find(document))[1]
    Match(path=('b', 'a'), value=2)
    """
    if selector.query is None or len(matches) <= 1:
        return matches
    most = max(_FEW, 2 * _containers([document], MAX_CONTAINERS))
    if _containers([match.value for match in matches], most) > most:
        problem = f"names {len(matches):,} places, whose values hold one another or are the same; it stands"
        raise PathError(selector.text, 0, problem)
    return matches


def _containers(values: list[Json], most: int) -> int:
    """How many objects and arrays there are in some values, counted until there are more than `most`."""
    stack: list[Any] = [value for value in values if isinstance(value, dict | list)]
    count = len(stack)
    while stack and count <= most:
        one = stack.pop()
        items = one.values() if isinstance(one, dict) else one
        inner = [item for item in items if isinstance(item, dict | list)]
        count += len(inner)
        stack += inner
    return count


def resolve(selector: Selector, documents: Sequence[Json | Missing]) -> tuple[PathStep, ...]:
    """Return the steps of a dotted path, reading a literal name first at every level.

    The decision is made once for all documents given: a name that holds dots and exists in any of
    them is that member in all of them.

    >>> resolve(compile_path("a.b"), ({"a.b": 1}, {"a": {"b": 2}}))
    ('a.b',)
    """
    steps = selector.steps
    if selector.syntax != "dotted" or not any(map(_dotted, selector.spans, selector.spans[1:])):
        return steps
    taken: list[PathStep] = []
    level: list[Json] = [document for document in documents if document is not MISSING]
    start = 0
    while start < len(steps):
        step, used = _literal(selector, start, level)
        taken.append(step)
        start += used
        if not level:
            return (*taken, *steps[start:])
        level = [value for here in level for _, value in _children(here, step, names_index=True)]
    return tuple(taken)


def field_name(steps: Iterable[PathStep]) -> str:
    """Return the bounded name of a place: dotted, every array index as `[*]`; `$` for the root.

    >>> field_name(("items", 3, "unit price"))
    "items[*]['unit price']"
    """
    name = ""
    for step in steps:
        name = join(name, step)
    return name or "$"


def join(name: str, step: PathStep) -> str:
    """Return the name of a place one step further down.

    >>> join("items[*]", "unit price")
    "items[*]['unit price']"
    """
    if not isinstance(step, str):
        return f"{name}[*]"
    return _joined(name, step) if len(name) + len(step) < _KEPT_LENGTH else _joined.__wrapped__(name, step)


@lru_cache(maxsize=4096)
def _joined(name: str, step: str) -> str:
    if _PLAIN_NAME.fullmatch(step):
        return f"{name}.{step}" if name else step
    quoted = step.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}['{utf8(quoted)}']"


def place_name(where: Path, name: str = "") -> str:
    """Return a concrete place as a path, below `name`: `items[3].sku`."""
    for step in where:
        name = join(name, step) if isinstance(step, str) else f"{name}[{step}]"
    return name or "$"


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


def _dotted(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two neighbouring steps are both written as names, so that a dot may be part of one name."""
    return one[0] < one[1] and other[0] < other[1]


def _literal(selector: Selector, start: int, level: list[Json]) -> tuple[PathStep, int]:
    """The longest run of dotted names that is one member of any document here, else the single step."""
    steps, spans, text = selector.steps, selector.spans, selector.text
    members = [here for here in level if isinstance(here, dict)]
    stop = start
    while members and stop < len(spans) and spans[stop][0] < spans[stop][1]:
        stop += 1
    for end in range(stop - 1, start, -1):
        name = text[spans[start][0] : spans[end][1]]
        if any(name in here for here in members):
            return name, end - start + 1
    return steps[start], 1


def follow(steps: Iterable[PathStep], document: Json | Missing, *, names_index: bool) -> list[Match]:
    """Return every place that steps lead to; `names_index`: whether digits name elements of an array.

    >>> follow(("a", "0"), {"a": [5]}, names_index=True)
    [Match(path=('a', 0), value=5)]
    """
    if document is MISSING:
        return []
    matches = [Match((), document)]
    for step in steps:
        matches = [
            Match((*path, key), value)
            for path, here in matches
            for key, value in _children(here, step, names_index=names_index)
        ]
    return matches


def _children(here: Json, step: PathStep, *, names_index: bool) -> list[tuple[Step, Json]]:
    """The children of a value that one step leads to."""
    if isinstance(here, dict):
        if isinstance(step, Wildcard):
            return list(here.items())
        return [(step, here[step])] if isinstance(step, str) and step in here else []
    if not isinstance(here, list):
        return []
    if isinstance(step, Wildcard):
        return list(enumerate(here))
    index = element_index(step, len(here)) if names_index or isinstance(step, int) else None
    return [] if index is None else [(index, here[index])]


def element_index(step: Step, size: int) -> int | None:
    """Return the index of the element that a step names in a list, by its digits too; None: it has none.

    >>> element_index(-1, 3), element_index("1", 3), element_index("01", 3), element_index(3, 3)
    (2, 1, None, None)
    """
    if isinstance(step, str):
        if not INDEX.fullmatch(step):
            return None
        step = int(step)
    return step % size if -size <= step < size else None
