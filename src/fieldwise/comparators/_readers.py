"""Reading JSON values as text or as numbers, for comparators; what cannot be read is said so.

Text is folded for reading only where nothing is lost: `plain` turns full-width forms, the digits of any
script, the minus sign and the many spaces of Unicode into their ASCII kin. It is no NFKC, which would
read `10²` as 102.
"""

from __future__ import annotations

import math
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.equality import preview
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from fractions import Fraction

_KINDS: Final[dict[type, str]] = {
    dict: "an object",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    Decimal: "a number",
    str: "text",
    type(None): "null",
}
_PLAIN: Final = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    0x2212: "-",
    0x2010: "-",
    0x2011: "-",
    0x2019: "'",
    0x02BC: "'",
}
_MAX_EXPONENT: Final = 1_000


def kind(value: object) -> str:
    """What a JSON value is, in words: `a list`, `null`."""
    return "a list" if isinstance(value, list) else _KINDS.get(type(value), type(value).__name__)


def text_of(value: Any, limit: int | None = None) -> str:
    """Return a value that is text of at most `limit` characters.

    Raises:
        Unreadable: for any other value, and for longer text.
    """
    if not isinstance(value, str):
        raise Unreadable(f"{kind(value)} is not text")
    if limit is not None and len(value) > limit:
        raise Unreadable(f"text of {len(value)} characters is longer than {limit}")
    return value


def exact(value: Any) -> Fraction:
    """Return a JSON number exactly as it is written, a float by its shortest decimal form.

    Raises:
        Unreadable: for anything else, for NaN and infinities, and for absurd exponents.
    """
    from fractions import Fraction

    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise Unreadable(f"{kind(value)} is not a number")
    if isinstance(value, int):
        return Fraction(value)
    if not (math.isfinite(value) if isinstance(value, float) else value.is_finite()):
        raise Unreadable(f"{value} is not a finite number")
    if isinstance(value, float):
        return Fraction(repr(value))
    if abs(value.adjusted()) > _MAX_EXPONENT or len(value.as_tuple().digits) > _MAX_EXPONENT:
        raise Unreadable("a number of more than a thousand places is not read")
    return Fraction(value)


def is_number(value: object) -> bool:
    """Whether a JSON value is a number; a boolean is none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def plain(text: str) -> str:
    """Fold full-width forms, digits of any script, minus signs and spaces into ASCII; strip the ends.

    >>> plain("\\uff11\\u00a0\\uff12\\uff15\\uff10")
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
