"""Paths: the text forms people write, the places they name, and how places are printed.

| form | example | a name steps into an array | wildcard |
|---|---|---|---|
| dotted | `user.address.city`, `items.0.name`, `items[*].sku`, `a['b.c']` | by its digits | `[*]` |
| JSON Pointer (RFC 6901) | `/items/0/name`, `#/items/0/name` | by its digits | none |
| JSONPath, the plain part (RFC 9535) | `$.items[0].name`, `$['a b'][*]` | no | `[*]`, `.*` |

`$`, `$.…`, `$[…` and `/…` are never dotted. A dotted path is read literally first: a member whose
name holds the dots, on either document, wins at its level (`resolve`). The names printed for results
(`field_name`) are dotted paths that parse back to the same place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from fieldwise._types import MISSING
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, Missing, Path, Step


class Wildcard(Enum):
    """The type of WILD."""

    WILD = "*"


WILD: Final = Wildcard.WILD
"""A step to every member or element."""

PathStep: TypeAlias = "Step | Wildcard"
Syntax: TypeAlias = Literal["dotted", "pointer", "jsonpath"]

_PLAIN_NAME: Final = re.compile(r"[^\s.\[\]'\"/$#*]+", re.ASCII)
_DOTTED_NAME: Final = re.compile(r"[^.\[]+")
_JSONPATH_NAME: Final = re.compile(r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*")
_BRACKET: Final = re.compile(
    r"""\[(?:(?P<wild>\*)|(?P<index>-?(?:0|[1-9][0-9]*))|'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)")\]"""
)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)


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
    """

    text: str
    steps: tuple[PathStep, ...]
    syntax: Syntax

    def find(self, document: Json) -> list[Match]:
        """Return every place of `document` this path names, in document order.

        >>> compile_path("items[*].sku").find({"items": [{"sku": "a"}, {"n": 1}]})
        [Match(path=('items', 0, 'sku'), value='a')]
        """
        if self.syntax == "dotted":
            return _follow(resolve(self, (document,)), document, names_index=True)
        return _follow(self.steps, document, names_index=self.syntax == "pointer")


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
        raise PathError(str(text), 0, f"a path is text, not {type(text).__qualname__}")
    if text == "" or text[0] == "/":
        return Selector(text, _pointer(text, text), "pointer")
    if text == "#" or text.startswith("#/"):
        return Selector(text, _pointer(text, unquote(text[1:], errors="strict")), "pointer")
    if text[0] == "$":
        return Selector(text, _jsonpath(text), "jsonpath")
    return Selector(text, _dotted(text), "dotted")


def resolve(selector: Selector, documents: Sequence[Json | Missing]) -> tuple[PathStep, ...]:
    """Return the steps of a dotted path, reading a literal name first at every level.

    The decision is made once for all documents given: a name that holds dots and exists in any of
    them is that member in all of them.

    >>> resolve(compile_path("a.b"), ({"a.b": 1}, {"a": {"b": 2}}))
    ('a.b',)
    """
    steps = selector.steps
    if selector.syntax != "dotted" or len(steps) < 2:  # noqa: PLR2004
        return steps
    taken: list[PathStep] = []
    level: list[Json] = [document for document in documents if document is not MISSING]
    start = 0
    while start < len(steps):
        step, used = _literal(steps, start, level)
        taken.append(step)
        start += used
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


@lru_cache(maxsize=4096)
def join(name: str, step: PathStep) -> str:
    """Return the name of a place one step further down."""
    if not isinstance(step, str):
        return f"{name}[*]"
    if _PLAIN_NAME.fullmatch(step):
        return f"{name}.{step}" if name else step
    quoted = step.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}['{quoted}']"


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that reads most like `name`, or None."""
    import difflib

    close = difflib.get_close_matches(name, list(candidates), n=1, cutoff=0.6)
    return close[0] if close else None


def _literal(steps: tuple[PathStep, ...], start: int, level: list[Json]) -> tuple[PathStep, int]:
    """The longest run of names that is one member of any document here, else the single step."""
    run: list[str] = []
    for step in steps[start:]:
        if not isinstance(step, str):
            break
        run.append(step)
    for size in range(len(run), 1, -1):
        name = ".".join(run[:size])
        if any(isinstance(here, dict) and name in here for here in level):
            return name, size
    return steps[start], 1


def _follow(steps: tuple[PathStep, ...], document: Json, *, names_index: bool) -> list[Match]:
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
        if step is WILD:
            return list(here.items())
        return [(step, here[step])] if isinstance(step, str) and step in here else []
    if not isinstance(here, list):
        return []
    if step is WILD:
        return list(enumerate(here))
    index = step
    if isinstance(index, str):
        if not names_index or not _INDEX.fullmatch(index):
            return []
        index = int(index)
    if not isinstance(index, int) or not -len(here) <= index < len(here):
        return []
    return [(index % len(here), here[index])]


def _pointer(text: str, pointer: str) -> tuple[PathStep, ...]:
    if pointer and pointer[0] != "/":
        raise PathError(text, text.find("#") + 1, "a JSON Pointer begins with '/'", f"#/{pointer}")
    bad = re.search(r"~(?![01])", pointer)
    if bad:
        hint = f"{pointer[: bad.start()]}~0{pointer[bad.end() :]}"
        raise PathError(text, bad.start(), "'~' must be followed by 0 or 1", hint)
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])


def _dotted(text: str) -> tuple[PathStep, ...]:
    steps: list[PathStep] = []
    at = 0
    while at < len(text):
        if text[at] == "[":
            step, at = _bracket(text, at)
            steps.append(step)
            continue
        if steps:
            if text[at] != ".":
                raise PathError(text, at, "expected '.' or '['", f"{text[:at]}.{text[at:]}")
            at += 1
        found = _DOTTED_NAME.match(text, at)
        if not found:
            hint = re.sub(r"\.{2,}", ".", text).strip(".") or None
            raise PathError(text, at, "a name is missing", hint)
        steps.append(found[0])
        at = found.end()
    return tuple(steps)


def _jsonpath(text: str) -> tuple[PathStep, ...]:
    steps: list[PathStep] = []
    at = 1
    while at < len(text):
        if text[at] == "[":
            step, at = _bracket(text, at)
            steps.append(step)
            continue
        if text[at] != ".":
            raise PathError(text, at, "expected '.' or '['", f"/{text}" if at == 1 else None)
        if text.startswith(".*", at):
            steps.append(WILD)
            at += 2
            continue
        found = _JSONPATH_NAME.match(text, at + 1)
        if not found:
            raise PathError(text, at + 1, "expected a name, '*' or a bracket", _quoted_hint(text, at + 1))
        steps.append(found[0])
        at = found.end()
    return tuple(steps)


def _bracket(text: str, at: int) -> tuple[PathStep, int]:
    found = _BRACKET.match(text, at)
    if not found:
        problem = "expected [*], [index] or ['name'] (no filters, slices or unions)"
        raise PathError(text, at, problem, _quoted_hint(text, at + 1))
    if found["wild"]:
        return WILD, found.end()
    if found["index"]:
        if found["index"] == "-0":
            raise PathError(text, at + 1, "-0 is no index", f"{text[: at + 1]}0{text[at + 3 :]}")
        return int(found["index"]), found.end()
    quoted = found["single"] if found["single"] is not None else found["double"]
    return _ESCAPE.sub(_unescape, quoted), found.end()


def _unescape(found: re.Match[str]) -> str:
    code = found[1]
    if len(code) == 5:  # noqa: PLR2004
        return chr(int(code[1:], 16))
    return _ESCAPES.get(code, code)


def _quoted_hint(text: str, at: int) -> str | None:
    """The path with the name at `at` put into quotes, where there is a name to quote."""
    rest = re.match(r"[^.\[\]'\"]+", text[at:])
    if not rest:
        return None
    head = text[: at - 1]
    tail = text[at + rest.end() :].removeprefix("]")
    return f"{head}['{rest[0]}']{tail}"
