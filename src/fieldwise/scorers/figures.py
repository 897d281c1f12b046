"""The numbers in a text, however they are written: `1,234.50`, `1.234,50`, `1 234.5`, `(75)`, `45%`.

Without a locale a numeral is every number that some convention makes of it: `1.250` is 1.25 and 1250. With
one, it is what the locale makes of it. `45%` is 45 and 0.45; `(75)` is 75 and -75; the parts of what no
convention reads, a date say, are numbers of their own.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.comparators._numerals import reader
from fieldwise.comparators._readers import exact, plain
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

_OWNER: Final = "grounded_fields"
LONGEST: Final = 60
"""How many characters a numeral may have."""
_MARKS: Final = ((".", ","), (",", "."), (".", " "), (",", " "), (".", "'"), ("\u066b", "\u066c"))
_NUMERAL: Final = re.compile(
    r"(?<!\w)(?<!\d[.,'\u2019\u066b\u066c])"
    r"(?:\d++(?:[.,'\u2019\u066b\u066c]\d+)*+|(?<![.,])\.\d++)"
    r"(?:[eE][+-]?\d{1,3}(?!\w))?+(?![^\W\d_]++\d)(?!_)"
)
"""Digits and marks, no part of a word or of a longer numeral; a unit may follow at once."""

_SPACED: Final = re.compile(
    r"(?<!\w)(?<!\d[.,'\u2019])\d{1,3}(?:[ \xa0\u202f]\d{3}(?!\d))++(?:[.,]\d++)?+(?![^\W\d_]++\d)"
)
_MINUS: Final = "-\u2212\u2010\u2011"


@dataclass(frozen=True, slots=True)
class Figures:
    """Reads numbers.

    Attributes:
        locale: by whose convention; None: by any.

    >>> [(str(value), start, end) for value, start, end in Figures(None).within("v1.8, -5 or 12kg")]
    [('-5', 6, 8), ('12', 12, 14)]
    """

    locale: str | None
    _readers: tuple[Callable[[str], Fraction], ...] = field(init=False)

    def __post_init__(self) -> None:
        """Make the readers.

        Raises:
            ConfigError: for a locale that is not known.
        """
        if self.locale is None:
            made = tuple(reader(_OWNER, None, decimal, group) for decimal, group in _MARKS)
        else:
            made = (reader(_OWNER, self.locale, None, None),)
        object.__setattr__(self, "_readers", made)

    def of(self, value: Any) -> frozenset[Fraction]:
        """Return the numbers that a value is: a number itself, text by what is written; of others none.

        >>> sorted(map(str, Figures(None).of("1.250")))
        ['1250', '5/4']
        """
        try:
            if isinstance(value, int | float | Decimal):
                return frozenset() if isinstance(value, bool) else frozenset({exact(value)})
        except Unreadable:
            return frozenset()
        text = _bare(value) if isinstance(value, str) and len(value) <= LONGEST else ""
        if not text or (text[0] == "0" and text[1:2].isdigit()):
            return frozenset()
        return self._read(text)

    def within(self, text: str) -> Iterator[tuple[Fraction, int, int]]:
        """Yield each number in a text, and where it stands; numerals of several readings several times."""
        read: dict[str, frozenset[Fraction]] = {}
        for pattern in (_NUMERAL, _SPACED):
            for match in pattern.finditer(text):
                numeral = match[0]
                if len(numeral) > LONGEST:
                    continue
                if numeral not in read:
                    read[numeral] = self._read(numeral)
                yield from self._signed(text, *match.span(), read[numeral])
                if not read[numeral]:
                    for part in re.finditer(r"\d+", numeral):
                        place = match.start()
                        for figure in self._read(part[0]):
                            yield figure, place + part.start(), place + part.end()

    def _read(self, numeral: str) -> frozenset[Fraction]:
        found = set()
        for read in self._readers:
            try:
                found.add(read(numeral))
            except Unreadable:
                continue
            if numeral.isdecimal():
                break
        return frozenset(found)

    @staticmethod
    def _signed(
        text: str, start: int, end: int, figures: frozenset[Fraction]
    ) -> Iterator[tuple[Fraction, int, int]]:
        """Yield a numeral's numbers with its sign and as a percentage, where it has them."""
        sign = start - 1 if start and unicodedata.category(text[start - 1]) != "Sc" else start - 2
        free = sign < 1 or not (text[sign - 1].isalnum() or text[sign - 1] == ")")
        negative = sign >= 0 and text[sign] in _MINUS and free
        bracketed = start > 0 and text[start - 1] == "(" and text[end : end + 1] == ")"
        percent = text[end : end + 2].lstrip(" \xa0").startswith("%")
        for one in figures:
            figure, first = (-one, sign) if negative else (one, start)
            yield figure, first, end
            if bracketed:
                yield -one, start - 1, end + 1
            if percent:
                yield figure / 100, first, text.index("%", end) + 1


def _bare(text: str) -> str:
    """A numeral without the currency sign before or after it."""
    bare = plain(text)
    for at in (0, -1):
        if bare and unicodedata.category(bare[at]) == "Sc":
            bare = (bare[1:] if at == 0 else bare[:-1]).strip()
    return bare
