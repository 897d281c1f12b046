"""The grammar of paths: text in, steps out, or a PathError with position, problem and hint.

One function for each form; `core.select` decides which form a text has. All read from left to right,
in time linear in the length of the text. Of JSONPath only the plain part is read here.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from fieldwise.errors import PathError

if TYPE_CHECKING:
    from fieldwise._types import Step


class Wildcard(Enum):
    """The type of WILD."""

    WILD = "*"


WILD: Final = Wildcard.WILD
"""A step to every member or element."""

PathStep: TypeAlias = "Step | Wildcard"

MAX_LENGTH: Final = 10_000
MAX_STEPS: Final = 256
MAX_INDEX: Final = 2**53 - 1

_DOTTED_NAME: Final = re.compile(r"[^.\[]+")
LETTER: Final = "A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff"
_JSONPATH_NAME: Final = re.compile(rf"\.([{LETTER}][0-9{LETTER}]*)")
_BRACKET: Final = re.compile(
    r"""\[(?:(?P<wild>\*)|(?P<index>-?(?:0|[1-9][0-9]{0,15}))"""
    r"""|(?P<quote>['"])(?P<name>(?:[^'"\\]|\\.|(?!(?P=quote)).)*+)(?P=quote))\]""",
    re.ASCII | re.DOTALL,
)
_ESCAPE: Final = re.compile(
    r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u(?P<code>[0-9a-fA-F]{4})|\\(?P<one>.)",
    re.DOTALL,
)
_ESCAPES: Final = {
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "b": "\b",
    "f": "\f",
    "/": "/",
    "\\": "\\",
    "'": "'",
    '"': '"',
}
_CONTROL: Final = re.compile(r"[\x00-\x1f]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BAD_TILDE: Final = re.compile(r"(?:~|%7[eE])(?!0|1|%30|%31)")
_BAD_PERCENT: Final = re.compile(r"%(?![0-9a-fA-F]{2})")


def pointer(text: str) -> tuple[PathStep, ...]:
    """Read a JSON Pointer (RFC 6901)."""
    bad = _BAD_TILDE.search(text) if "~" in text else None
    if bad:
        hint = f"{text[: bad.start()]}~0{text[bad.end() :]}"
        raise PathError(text, bad.start(), "'~' must be followed by 0 or 1", hint)
    names = text.split("/")[1:]
    if len(names) > MAX_STEPS:
        raise _too_long(text, sum(map(len, names[:MAX_STEPS])) + MAX_STEPS)
    return tuple(name.replace("~1", "/").replace("~0", "~") for name in names)


def fragment(text: str) -> tuple[PathStep, ...]:
    """Read a JSON Pointer written as the fragment of a URI: its bytes are percent-encoded UTF-8."""
    for pattern, problem, mended in (
        (_BAD_PERCENT, "'%' must be followed by two hexadecimal digits", "%25"),
        (_BAD_TILDE, "'~' must be followed by 0 or 1", "~0"),
    ):
        bad = pattern.search(text)
        if bad:
            raise PathError(text, bad.start(), problem, f"{text[: bad.start()]}{mended}{text[bad.end() :]}")
    from urllib.parse import unquote  # a slow import, for a form that is rarely written

    try:
        decoded = unquote(text[1:], errors="strict")
    except UnicodeDecodeError:
        raise PathError(text, text.index("%"), "the percent-encoded bytes are not UTF-8") from None
    return pointer(decoded)


def _too_long(text: str, at: int) -> PathError:
    return PathError(text, at, f"a path has at most {MAX_STEPS} steps")


def dotted(text: str) -> tuple[tuple[PathStep, ...], tuple[tuple[int, int], ...]]:
    """Read a dotted path; return its steps, and where each begins and ends.

    A step in brackets has no extent: it is never part of a longer name.
    """
    steps: list[PathStep] = []
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        if len(steps) == MAX_STEPS:
            raise _too_long(text, at)
        if steps and text[at] not in ".[":
            raise PathError(text, at, "expected '.' or '['", f"{text[:at]}.{text[at:]}")
        if text[at] == "[":
            step, at = _bracket(text, at)
            spans.append((at, at))
        else:
            start = at + 1 if steps and text[at] == "." else at
            step, at = _dotted_name(text, start)
            spans.append((start, at))
        steps.append(step)
    return tuple(steps), tuple(spans)


def _dotted_name(text: str, at: int) -> tuple[str, int]:
    found = _DOTTED_NAME.match(text, at)
    if not found:
        raise PathError(text, at, "a name is missing", re.sub(r"\.{2,}", ".", text).strip(".") or None)
    return found[0], found.end()


def jsonpath(text: str) -> tuple[PathStep, ...]:
    """Read the plain part of JSONPath (RFC 9535): names, indices, wildcards.

    Raises:
        PathError: for anything else, right or wrong; `core.jsonpath` says what is wrong with it.
    """
    steps: list[PathStep] = []
    at = 1
    while at < len(text):
        if len(steps) == MAX_STEPS:
            raise _too_long(text, at)
        step, at = _bracket(text, at) if text[at] == "[" else _member(text, at)
        steps.append(step)
    return tuple(steps)


def _member(text: str, at: int) -> tuple[PathStep, int]:
    """`.name` or `.*` of a JSONPath."""
    if text.startswith(".*", at):
        return WILD, at + 2
    found = _JSONPATH_NAME.match(text, at)
    if not found:
        raise PathError(text, at, "expected a name, '*' or a bracket")
    return found[1], found.end()


def _bracket(text: str, at: int) -> tuple[PathStep, int]:
    found = _BRACKET.match(text, at)
    if not found:
        problem = "expected [*], [index] or ['name']; for filters and slices write a JSONPath, $…"
        raise PathError(text, at, problem, _quoted_hint(text, at + 1))
    if found["wild"]:
        return WILD, found.end()
    if found["index"]:
        return _index(text, at + 1, int(found["index"])), found.end()
    return _unescaped(text, found), found.end()


def _index(text: str, at: int, index: int) -> int:
    if index == 0 and text[at] == "-":
        raise PathError(text, at, "-0 is no index", f"{text[:at]}0{text[at + 2 :]}")
    if abs(index) > MAX_INDEX:
        raise PathError(text, at, f"an index is at most {MAX_INDEX}")
    return index


def _unescaped(text: str, found: re.Match[str]) -> str:
    """The name between quotes; JSONPath allows fewer characters there than dotted paths do."""
    strict, quote, start = text[0] == "$", found["quote"], found.start("name")
    if strict and (bad := _CONTROL.search(found["name"])):
        raise PathError(text, start + bad.start(), "a control character must be escaped")

    def character(escape: re.Match[str]) -> str:
        if escape["high"]:
            return chr(0x10000 + ((int(escape["high"], 16) - 0xD800) << 10) + int(escape["low"], 16) - 0xDC00)
        if escape["code"]:
            return chr(int(escape["code"], 16))
        one = escape["one"]
        if one not in _ESCAPES or (strict and one in "'\"" and one != quote):
            raise PathError(text, start + escape.start(), f"{escape[0]!r} is no escape")
        return _ESCAPES[one]

    name = _ESCAPE.sub(character, found["name"])
    if strict and (bad := _SURROGATE.search(name)):
        raise PathError(text, start, f"\\u{ord(bad[0]):04x} is half a character")
    return name


def _quoted_hint(text: str, at: int) -> str | None:
    """The path with the name at `at` put into quotes, where there is a name to quote."""
    rest = re.compile(r"[^.\[\]'\"]+").match(text, at)
    if not rest:
        return None
    return f"{text[: at - 1]}['{rest[0]}']{text[rest.end() :].removeprefix(']')}"
