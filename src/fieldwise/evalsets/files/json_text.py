"""Strict JSON with the line of every member: for files that people write and have to mend.

1. A text is read fast first, the values below `SHALLOW` by the interpreter's own decoder; only the lines
   above are noted. When something is wrong, or a deeper line is asked for, it is read token by token.
2. What is no JSON ends the reading: one fault, with its column. What is JSON and must not be, a key that is
   given twice, NaN, a number beyond what a float holds, is a fault of its path, and reading goes on.
3. Nothing recurses; nesting is bounded.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING, Any, Final, NoReturn

from fieldwise.core.display import shown
from fieldwise.core.parse.strict import MAX_DEPTH, too_deep

if TYPE_CHECKING:
    from fieldwise._types import Path

SHALLOW: Final = 2
"""Containers down to the one whose members are noted on the first reading: those of an evaluation set."""

_TOKEN: Final = re.compile(
    r'[ \t\n\r]*(?:(?P<sign>[{}\[\],:])|(?P<text>"(?:[^"\\\x00-\x1f]|\\.)*")'
    r"|(?P<word>[^\s{}\[\],:\"'/]+)|(?P<other>.)|)",
    re.DOTALL,
)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<real>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_LITERALS: Final = {"true": True, "false": False, "null": None}
_NON_FINITE: Final = frozenset({"NaN", "Infinity", "-Infinity", "nan", "inf", "-inf"})
_HINTS: Final = {
    "True": "; write true",
    "False": "; write false",
    "None": "; write null",
    "undefined": "; write null",
    "'": "; text stands in double quotes",
    "/": "; JSON has no comments",
    "#": "; JSON has no comments",
    "]": "; a comma goes between two members only",
    "}": "; a comma goes between two members only",
}
_OPENED: Final = {"{": "an object", "[": "a list"}
_CLOSER: Final = {"{": "}", "[": "]"}
_WANTED: Final = {
    "value": "a value",
    "first": "a value or ']'",
    "key": "a key in double quotes",
    "first key": "a key in double quotes or '}'",
    "colon": "':' after the key",
    "next": "',' or a closing bracket",
    "end": "nothing more",
}


@dataclass(slots=True)
class Text:
    """A text that was read.

    Attributes:
        value: what it holds; None where it is no JSON.
        lines: path to line, from 1; of a member the line of its key.
        faults: path, or a text for the place, then line and what is wrong.
    """

    value: Any = None
    lines: dict[Path, int] = field(default_factory=dict)
    faults: list[tuple[Path | str, int, str]] = field(default_factory=list)


def read_json(text: str, *, shallow: bool = True) -> Text:
    r"""Read a text that is JSON; `shallow` notes the upper lines only, unless something is wrong.

    >>> read_json('{\n"a": 1,\n"a": 2}').faults
    [(('a',), 3, 'is given twice, first in line 2; keep one')]
    """
    if shallow:
        try:
            return _Scanner(text, SHALLOW).run()
        except _Deeper:
            pass
    scanner = _Scanner(text, MAX_DEPTH + 1)
    try:
        return scanner.run()
    except _Stop:
        return scanner.found


class _Deeper(Exception):
    """The fast reading met what only the slow one can tell of."""


class _Stop(Exception):
    """The text is no JSON; the fault has been noted."""


def _unusual(_: str) -> NoReturn:
    raise _Deeper


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = {intern(key): value for key, value in pairs}
    if len(members) != len(pairs):
        raise _Deeper
    return members


def _finite(token: str) -> float:
    value = float(token)
    if math.isinf(value):
        raise _Deeper
    return value


_FAST: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_unusual)


@dataclass(slots=True)
class _Open:
    """An object or list that is being read, and the key of the member under way."""

    sign: str
    items: Any
    path: Path
    line: int
    key: str = ""


@dataclass(slots=True)
class _Scanner:
    text: str
    limit: int
    pos: int = 0
    at: int = 0
    line: int = 1
    seen: int = 0
    want: str = "value"
    stack: list[_Open] = field(default_factory=list)
    found: Text = field(default_factory=Text)

    def run(self) -> Text:
        while True:
            match = _TOKEN.match(self.text, self.pos)
            kind = match.lastgroup if match else None
            self.at = match.start(kind) if match and kind else len(self.text)
            self.line += self.text.count("\n", self.seen, self.at)
            self.seen = self.at
            if match is None or kind is None:
                if self.want == "end":
                    return self.found
                self.cut()
            self.pos = match.end()
            self.step(kind, match[kind])

    def step(self, kind: str, token: str) -> None:
        """Take one token."""
        sign = token if kind == "sign" else ""
        if self.want in {"value", "first"} and sign in {"{", "["}:
            self.open(sign)
        elif self.want in {"value", "first"} and kind in {"text", "word"}:
            self.put(self.string(token) if kind == "text" else self.word(token))
        elif self.want in {"key", "first key"} and kind == "text":
            self.stack[-1].key = self.string(token)
            self.note_key()
            self.want = "colon"
        elif self.want == "colon" and sign == ":":
            self.want = "value"
        elif self.want == "next" and sign == ",":
            self.want = "key" if self.stack[-1].sign == "{" else "value"
        elif self.want in {"next", "first", "first key"} and sign and sign == _CLOSER[self.stack[-1].sign]:
            self.want = "next" if len(self.stack) > 1 else "end"
            self.stack.pop()
        else:
            self.unexpected(token)

    def here(self) -> Path:
        """The place of the value that comes next."""
        if not self.stack:
            return ()
        top = self.stack[-1]
        return (*top.path, top.key if top.sign == "{" else len(top.items))

    def note_key(self) -> None:
        path = self.here()
        first = self.found.lines.get(path)
        if first is not None and self.stack[-1].key in self.stack[-1].items:
            self.fault(path, f"is given twice, first in line {first}; keep one")
        else:
            self.found.lines[path] = self.line

    def put(self, value: Any) -> None:
        """Put a value where it belongs."""
        path = self.here()
        self.found.lines.setdefault(path, self.line)
        if not self.stack:
            self.found.value = value
            self.want = "end"
            return
        top = self.stack[-1]
        if top.sign == "{":
            top.items[top.key] = value
        else:
            top.items.append(value)
        self.want = "next"

    def open(self, sign: str) -> None:
        if len(self.stack) >= self.limit:
            self.put(self.whole())
            return
        if len(self.stack) == MAX_DEPTH:
            self.stop(f"is {too_deep()}", f"column {self.column()}")
        path = self.here()
        items: Any = {} if sign == "{" else []
        self.put(items)
        self.stack.append(_Open(sign, items, path, self.line))
        self.want = "first key" if sign == "{" else "first"

    def whole(self) -> Any:
        """A value that is read at once."""
        try:
            value, self.pos = _FAST.raw_decode(self.text, self.at)
        except (ValueError, RecursionError):
            raise _Deeper from None
        return value

    def string(self, token: str) -> str:
        try:
            text: str = json.loads(token)
        except ValueError as error:
            self.stop(
                f"not JSON: {str(error).partition(':')[0].lower()} in {shown(token)}; a backslash is \\\\"
            )
        return text

    def word(self, token: str) -> Any:
        """A literal or a number."""
        if token in _LITERALS:
            return _LITERALS[token]
        number = _NUMBER.fullmatch(token)
        if number is None and token not in _NON_FINITE:
            self.unexpected(token)
        value = None if number is None else _number(token, real=bool(number["real"]))
        if value is None:
            fix = "give a number that a float holds, or text" if number else "give a number, null or text"
            self.fault(self.here(), f"must be a finite number, got {shown(token, 40)}; {fix}")
        return value

    # ------------------------------------------------------------------------------------------- faults

    def fault(self, path: Path | str, what: str) -> None:
        if self.limit == SHALLOW:
            raise _Deeper
        self.found.faults.append((path, self.line, what))

    def column(self) -> int:
        return self.at - self.text.rfind("\n", 0, self.at)

    def stop(self, what: str, place: str = "") -> NoReturn:
        """Note what ends the reading, and only that."""
        self.found.value = None
        self.found.faults.clear()
        self.fault(place or f"column {self.column()}", what)
        raise _Stop

    def unexpected(self, found: str) -> NoReturn:
        if found == '"':
            self.open_text()
        self.stop(f"not JSON: expected {_WANTED[self.want]}, found {shown(found, 40)}{self.hint(found)}")

    def hint(self, found: str) -> str:
        """What was meant, where it is plain."""
        if self.want == "end":
            return "; a file holds one value"
        if found in {"]", "}"} and self.want not in {"key", "value"}:
            return ""
        if found in _HINTS or found[0] in _HINTS:
            return _HINTS.get(found) or _HINTS[found[0]]
        if self.want not in {"value", "first"}:
            return ""
        return (
            "; a number is written 1 or 0.5"
            if found[0] in "+-.0123456789"
            else "; text stands in double quotes"
        )

    def open_text(self) -> NoReturn:
        """A text that is not closed on its line."""
        if "\n" in self.text[self.at :]:
            self.stop("not JSON: a text is not closed on its line; close it, or write \\n for a line break")
        self.stop("not JSON: the file ends in a text that is not closed; close it with '\"'")

    def cut(self) -> NoReturn:
        if not self.stack:
            self.stop("is empty; write an object", " ")
        top = self.stack[-1]
        what = f"{_OPENED[top.sign]} from line {top.line} is open"
        self.stop(f"not JSON: the file ends here, and {what}; close it with {_CLOSER[top.sign]!r}")


def _number(token: str, *, real: bool) -> int | float | None:
    """A number; None for one beyond what is held."""
    try:
        value = float(token) if real else int(token)
    except ValueError:  # more digits than are read
        return None
    return None if math.isinf(value) else value
