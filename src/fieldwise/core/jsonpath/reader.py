"""The words of a JSONPath query: blanks, names, numbers and quoted text, read from a position on.

`Reader` holds the text and the position, and reads the smallest parts; the grammar is built on it.
Whatever does not fit is a `Flaw`: where, why, and the smallest edit that would make it fit. Reading is
linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Never

from fieldwise.core.parse.strict import Refused, real
from fieldwise.core.path_text import LETTER, MAX_INDEX

if TYPE_CHECKING:
    from fieldwise._types import Json

_MAX_DIGITS: Final = 4_000
NAME: Final = re.compile(rf"[{LETTER}][0-9{LETTER}]*")
_BLANK: Final = re.compile(r"[ \t\n\r]*")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
_NUMBER: Final = re.compile(r"(-?)(0*)([0-9]+)(\.[0-9]*)?([eE][+-]?[0-9]*)?", re.ASCII)
_PLAIN: Final = {quote: re.compile(rf"[^{quote}\\\x00-\x1f\ud800-\udfff]*") for quote in "'\""}
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "/": "/", "\\": "\\"}
_UNICODE: Final = re.compile(
    r"\\u(?:(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?P<one>(?![dD][89a-fA-F])[0-9a-fA-F]{4}))"
)


class Flaw(Exception):
    """Where a query leaves the grammar, and the edit that would mend it.

    Attributes:
        position: the offset of the first character that does not fit.
        problem: what is wrong there.
        edit: `(start, end, replacement)` of the text, or None where no edit suggests itself.
        literal: whether the text rather names a member that begins with `$`.
    """

    def __init__(
        self, position: int, problem: str, edit: tuple[int, int, str] | None = None, *, literal: bool = False
    ) -> None:
        super().__init__(problem)
        self.position = position
        self.problem = problem
        self.edit = edit
        self.literal = literal


def quoted(name: str) -> str:
    """Return a name as JSONPath text in single quotes.

    >>> quoted("unit price")
    "'unit price'"
    """
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Reader:
    """A text and the position it has been read up to."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def ahead(self, word: str) -> bool:
        """Whether `word` comes next."""
        return self.text.startswith(word, self.at)

    def take(self, word: str) -> bool:
        """Step over `word` if it comes next."""
        if not self.ahead(word):
            return False
        self.at += len(word)
        return True

    def match(self, pattern: re.Pattern[str]) -> str:
        """Return what the pattern finds next, or ""; the position stays."""
        found = pattern.match(self.text, self.at)
        return found[0] if found else ""

    def blank(self) -> None:
        """Step over blanks."""
        self.at += len(self.match(_BLANK))

    def flaw(self, problem: str, replacement: str | None = None, *, over: int = 0) -> Never:
        """Refuse the text here; the fix puts `replacement` over the next `over` characters."""
        edit = None if replacement is None else (self.at, self.at + over, replacement)
        raise Flaw(self.at, problem, edit)

    def integer(self) -> int | None:
        """Read an index or a slice bound, if one comes next."""
        digits = self.match(_INTEGER)
        if not digits:
            return None
        plain = digits.lstrip("+-0") or "0"
        signed = f"-{plain}" if digits[0] == "-" and plain != "0" else plain
        if digits != signed:
            self.flaw("an index has no plus sign, no leading zero and no -0", signed, over=len(digits))
        if len(plain) > len(str(MAX_INDEX)) or int(plain) > MAX_INDEX:
            self.flaw(f"an index is at most {MAX_INDEX}, positive or negative")
        self.at += len(digits)
        return int(signed)

    def number(self) -> Json:
        """Read a number literal, which is next."""
        found = _NUMBER.match(self.text, self.at)
        if not found:
            self.flaw("'-' is followed by no digit", "", over=1)
        sign, zeros, digits, fraction, exponent = found.groups()
        if zeros:
            self.flaw(
                "a number has no leading zero", f"{sign}{found[0].lstrip('-0') or '0'}", over=len(found[0])
            )
        if fraction == "." or (exponent and not exponent[-1].isdigit()):
            self.flaw("a digit is missing in the number", f"{sign}{digits}", over=len(found[0]))
        if len(found[0]) > _MAX_DIGITS:
            self.flaw(f"a number has at most {_MAX_DIGITS:,} digits")
        try:
            value = int(found[0]) if fraction is None and exponent is None else real(found[0])
        except Refused as refused:
            self.flaw(refused.reason)
        self.at += len(found[0])
        return value

    def string(self) -> str:
        """Read quoted text, whose quote is next."""
        start, quote = self.at, self.text[self.at]
        self.at += 1
        parts: list[str] = []
        while not self.take(quote):
            plain = self.match(_PLAIN[quote])
            self.at += len(plain)
            parts.append(plain or self._escape(start, quote))
        return "".join(parts)

    def _escape(self, start: int, quote: str) -> str:
        """Read one escape sequence, or refuse whatever else ended a run of plain characters."""
        if self.at == len(self.text):
            self.flaw(f"the text that begins at {start} is not closed", quote)
        if self.text[self.at] != "\\":
            code = ord(self.text[self.at])
            self.flaw(f"U+{code:04X} is written as an escape", f"\\u{code:04x}", over=1)
        if self.ahead("\\u"):
            return self._unicode()
        escaped = self.text[self.at + 1 : self.at + 2]
        if escaped != quote and escaped not in _ESCAPED:
            self.flaw(f"\\{escaped} is no escape", escaped or "\\\\", over=2)
        self.at += 2
        return _ESCAPED.get(escaped, escaped)

    def _unicode(self) -> str:
        found = _UNICODE.match(self.text, self.at)
        if not found:
            self.flaw("\\u is followed by four hex digits, and surrogates come in pairs")
        self.at = found.end()
        if found["one"]:
            return chr(int(found["one"], 16))
        return chr(0x10000 + ((int(found["high"], 16) & 0x3FF) << 10) + (int(found["low"], 16) & 0x3FF))
