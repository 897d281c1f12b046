"""Reading JSON values as text or as numbers, for comparators; what cannot be read is said so.

Text is folded for reading only where nothing is lost: `plain` turns full-width forms, the digits of any
script, the minus sign and the many spaces of Unicode into their ASCII kin. It is no NFKC, which would
read `10²` as 102.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from typing import Any, Final

from fieldwise.comparators.numbers import _read as exact
from fieldwise.core.equality import preview
from fieldwise.errors import Unreadable

__all__ = ["exact", "is_number", "plain", "shown", "text_of"]

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
