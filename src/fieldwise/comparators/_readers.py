"""Reading JSON values as text or as numbers, for comparators; what cannot be read is said so.

Text is folded for reading only where nothing is lost: `plain` turns full-width forms, the digits of any
script, the minus sign and the many spaces of Unicode into their ASCII kin. It is no NFKC, which would
read `10²` as 102.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.equality import preview
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from fractions import Fraction

_MAX_EXPONENT: Final = 1_000
_PLAIN: Final[dict[int, int | str]] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    0x2212: "-",
    0x2010: "-",
    0x2011: "-",
    0x2019: "'",
    0x02BC: "'",
}


def text_of(value: Any, limit: int | None = None) -> str:
    """Return a value that is text of at most `limit` characters.

    Raises:
        Unreadable: for any other value, and for longer text.
    """
    if not isinstance(value, str):
        raise Unreadable(f"{preview(value, 40)} is not text")
    if limit is not None and len(value) > limit:
        raise Unreadable(f"text of {len(value)} characters is longer than the {limit} that are read")
    return value


def is_number(value: object) -> bool:
    """Whether a JSON value is a number; a boolean is none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def exact(value: object) -> Fraction:
    """Return the number as written, exactly: a float by its shortest decimal form.

    Raises:
        Unreadable: for a value that is no finite number, or too large to subtract.
    """
    from fractions import Fraction

    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise Unreadable(f"{preview(value)} is not a number")
    if isinstance(value, int):
        return Fraction(int(value))
    written = Decimal(repr(float(value))) if isinstance(value, float) else value
    if not written.is_finite():
        raise Unreadable(f"{preview(value)} is not a finite number")
    if abs(written.adjusted()) > _MAX_EXPONENT:
        raise Unreadable(f"a number with exponent {written.adjusted()} is too large to subtract")
    return Fraction(written)


def plain(text: str) -> str:
    r"""Fold full-width forms, digits of any script, minus signs and spaces into ASCII; strip the ends.

    >>> plain("\uff11\u00a0\uff12\uff15\uff10")
    '1 250'
    """
    if not text.isascii():
        text = "".join(map(_plain_character, text.translate(_PLAIN)))
    return text.strip()


def _plain_character(character: str) -> str:
    if character < "\x80":
        return character
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return " " if character.isspace() else character


def shown(text: str) -> str:
    """A value quoted for a message, cut where it is long."""
    return preview(text, 40)
