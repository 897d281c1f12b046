"""Reads one value that is meant as JSON: token by token, without recursion, noting every liberty.

Theory of operation: `tokens.TOKEN` cuts the text, `_HANDLERS` maps each kind of token to what it
does, a stack holds the objects and arrays that are open, `want` says what may come next. Rules:

1. An empty ledger means that the text was strict JSON. Each liberty taken has its identifier.
2. Only what has one meaning is read: Python and JavaScript spellings, trailing commas, comments,
   raw control characters. Whatever needs a guess is `Broken` with kind "syntax".
3. Nothing is ever closed that the text left open. A text that ends too early is `Broken` with kind
   "truncated"; it carries the outermost members that were closed before the cut, and no others. A
   member is closed when a comma follows it, or when its value ends with its own closing bracket.
4. Time is linear in the text and bounded by `SIZE_LIMIT`; nesting is bounded by `MAX_DEPTH`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeAlias, TypeVar

from fieldwise._types import MISSING, Json, Missing
from fieldwise.core.parse.strict import MAX_DEPTH, Refused, too_deep
from fieldwise.core.parse.tokens import TOKEN, name, scalar, settled, string

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE_LIMIT: Final = 2_000_000
"""Characters that are read token by token; beyond, only strict JSON is read."""

_T = TypeVar("_T")
Kind: TypeAlias = Literal["syntax", "mismatch", "truncated", "limit"]

CLOSER: Final = {"{": "}", "[": "]", "(": ")"}
_KINDS: Final = {"{": "an object", "[": "an array", "(": "a tuple"}
_WANTED: Final = {
    "key": "a name in quotes",
    "colon": "':' after the name",
    "value": "a value",
    "next": "',' or a closing bracket",
}
_NAMED_OPENERS: Final = 3
_FIX: Final = 'allow the model more output tokens, or keep what was closed with truncated="closed_fields"'


Reason: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A value, the offset after it, and the liberties taken."""

    value: Json
    end: int
    ledger: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Broken:
    """Why no value was read, the offset where that was noticed, and what was closed before a cut.

    A reason is made of text and of offsets, which become lines and columns only for people: to
    count the lines before every bracket that fails would take quadratic time.
    """

    kind: Kind
    reason: Reason
    end: int
    closed: Json | Missing = MISSING
    ledger: frozenset[str] = frozenset()

    def explain(self, text: str) -> str:
        """The reason in one line."""
        return "".join(part if isinstance(part, str) else where(text, part) for part in self.reason)


def where(text: str, at: int) -> str:
    r"""The place of an offset, for people.

    >>> where("ab\ncd", 4)
    'line 2, column 2'
    """
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def shown(token: str) -> str:
    """A token for people, cut to a readable length."""
    return repr(token if len(token) <= 20 else token[:19] + "…")  # noqa: PLR2004


def truncated(end: int, openers: list[str], inside: str = "") -> Reason:
    """The reason given for a cut: where the text ends, and what is open there, innermost first."""
    names = [_KINDS[opener] for opener in reversed(openers)]
    if inside:
        names.insert(0, inside)
    rest = len(names) - _NAMED_OPENERS
    parts = [*names[:_NAMED_OPENERS], *([f"{rest:,} more"] if rest > 0 else [])]
    listed = " in ".join(parts)
    return ("truncated: the text ends at ", end, f" inside {listed}; {_FIX}")


def mismatch(closer: str, at: int, opener: str, opened: int) -> Reason:
    """The reason given for a bracket that closes what another kind of bracket opened."""
    return (f"{closer!r} at ", at, f" cannot close {opener!r} from ", opened)


class _Stop(Exception):
    """Ends the reading of a value with its failure."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(broken.kind)
        self.broken = broken


@dataclass(slots=True)
class _Open:
    """An object, array or tuple that is being read; `name` is that of the member not yet closed."""

    opener: str
    at: int
    items: Any
    name: str | None = None
    commas: int = 0


@dataclass(slots=True)
class _Reader:
    text: str
    pos: int
    end: int
    at: int = 0
    limit: int = 0
    want: str = "value"
    stack: list[_Open] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    bracketed: bool = False
    result: Json | Missing = MISSING

    def run(self) -> Reading:
        self.limit = min(self.end, self.pos + SIZE_LIMIT)
        while self.result is MISSING:
            match = TOKEN.match(self.text, self.pos, self.limit)
            if match is None:
                self.cut()
            kind = match.lastgroup or ""
            self.at, self.pos = match.start(kind), match.end()
            _HANDLERS[kind](self, match[kind])
        return Reading(self.result, self.pos, settled(self.notes))

    def add(self, value: Json, *, bracketed: bool = False) -> None:
        """Put a complete value where it belongs."""
        self.bracketed = bracketed
        self.want = "next"
        if not self.stack:
            self.result = value
            return
        top = self.stack[-1]
        if top.opener != "{":
            top.items.append(value)
            return
        if top.name in top.items:
            self.notes.add("duplicate_keys")
        top.items[top.name] = value

    def fail(self, kind: Kind, *reason: str | int) -> NoReturn:
        raise _Stop(Broken(kind, reason, self.pos))

    def unexpected(self, token: str) -> NoReturn:
        found = f"expected {_WANTED[self.want]}, found {shown(token)}"
        self.fail("syntax", "not JSON at ", self.at, f": {found}")

    def cut(self, inside: str = "") -> NoReturn:
        """The text ends here with something open; what was closed is kept beside the failure."""
        if self.limit < self.end:
            self.fail("limit", f"not strict JSON, and over the {SIZE_LIMIT:,} characters that are repaired")
        reason = truncated(self.end, [item.opener for item in self.stack], inside)
        ledger = settled(self.notes) | {"truncated"}
        raise _Stop(Broken("truncated", reason, self.end, self.closed(), ledger))

    def closed(self) -> Json | Missing:
        """The outermost value without its open member; `MISSING` when nothing was closed."""
        if not self.stack:
            return MISSING
        root, alone = self.stack[0], len(self.stack) == 1 and self.want == "next"
        if not (alone and self.bracketed):
            if root.opener == "{":
                root.items.pop(root.name, None)
            elif alone:
                root.items.pop()
        return root.items or MISSING


def _on_open(reader: _Reader, sign: str) -> None:
    if reader.want != "value":
        reader.unexpected(sign)
    if len(reader.stack) == MAX_DEPTH:
        reader.fail("limit", too_deep())
    reader.stack.append(_Open(sign, reader.at, {} if sign == "{" else []))
    reader.want = "key" if sign == "{" else "value"


def _on_close(reader: _Reader, sign: str) -> None:
    if not reader.stack:
        reader.unexpected(sign)
    top = reader.stack[-1]
    if CLOSER[top.opener] != sign:
        reader.fail("mismatch", *mismatch(sign, reader.at, top.opener, top.at))
    if reader.want != "next":
        if reader.want != ("key" if sign == "}" else "value") or (top.commas and not top.items):
            reader.unexpected(sign)
        if top.commas:
            reader.notes.add("trailing_comma" if sign != ")" else "python_literal")
    reader.stack.pop()
    if sign != ")":
        reader.add(top.items, bracketed=True)
        return
    reader.notes.add("python_literal")
    grouped = top.items and not top.commas
    reader.add(top.items[0] if grouped else top.items, bracketed=True)


def _on_comma(reader: _Reader, token: str) -> None:
    if reader.want != "next":
        reader.unexpected(token)
    top = reader.stack[-1]
    top.commas += 1
    top.name = None
    reader.want = "key" if top.opener == "{" else "value"


def _on_colon(reader: _Reader, token: str) -> None:
    if reader.want != "colon":
        reader.unexpected(token)
    reader.want = "value"


def _on_string(reader: _Reader, token: str) -> None:
    if reader.want == "value":
        reader.add(string(token, reader.notes))
    elif reader.want == "key":
        reader.stack[-1].name = string(token, reader.notes)
        reader.want = "colon"
    else:
        reader.unexpected(token)


def _on_word(reader: _Reader, token: str) -> None:
    if reader.pos == reader.limit and reader.stack:
        reader.cut()
    if reader.want == "key":
        reader.stack[-1].name = _name(reader, token)
        reader.want = "colon"
        return
    value = _limited(reader, token, scalar) if reader.want == "value" else MISSING
    if value is MISSING:
        reader.unexpected(token)
    reader.add(value)


def _name(reader: _Reader, token: str) -> str:
    spelled = _limited(reader, token, name)
    return reader.unexpected(token) if spelled is None else spelled


def _limited(reader: _Reader, token: str, spells: Callable[[str, set[str]], _T]) -> _T:
    try:
        return spells(token, reader.notes)
    except Refused as refused:
        reader.fail("limit", f"{refused.reason}, at ", reader.at)


def _on_comment(reader: _Reader, _: str) -> None:
    reader.notes.add("comment")


def _on_space(reader: _Reader, _: str) -> None:
    reader.notes.add("whitespace")


def _on_other(reader: _Reader, sign: str) -> None:
    if sign in {'"', "'"} and reader.want in {"value", "key"}:
        reader.cut("a string")
    if sign == "/" and reader.text.startswith("/*", reader.at):
        reader.cut("a comment")
    reader.unexpected(sign)


_HANDLERS: Final[dict[str, Callable[[_Reader, str], None]]] = {
    "open": _on_open,
    "close": _on_close,
    "comma": _on_comma,
    "colon": _on_colon,
    "string": _on_string,
    "word": _on_word,
    "comment": _on_comment,
    "space": _on_space,
    "other": _on_other,
}


def read(text: str, at: int, end: int) -> Reading | Broken:
    """Read the one value that starts at offset `at`, looking no further than `end`.

    >>> read("{'a': (1, None)} tail", 0, 21)
    Reading(value={'a': [1, None]}, end=16, ledger=frozenset({'python_literal'}))
    """
    try:
        return _Reader(text, at, end).run()
    except _Stop as stop:
        return stop.broken
