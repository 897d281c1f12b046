"""Comparing identifiers: right or wrong, never nearly right.

An identifier that differs in one character names something else, so there is no credit for likeness.
What may differ is stated, switch by switch.
"""

from __future__ import annotations

from typing import Any

from fieldwise.comparators._options import flags, refuse, settings
from fieldwise.comparators._readers import text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable


def id(  # noqa: A001 - the name people look for; import the module to keep the builtin
    *, strip: bool = True, ignore_case: bool = False, separators: str = "", integers: bool = False
) -> Comparator:
    """Accept the same identifier; score 0 or 1, no credit for likeness.

    Args:
        strip: white space around it does not count.
        ignore_case: upper and lower case are the same.
        separators: characters that do not count, such as `"- ."`. They do count in an identifier that
            holds nothing else.
        integers: an integer is its digits, so 7 is "7"; it is still not "007".

    Raises:
        ConfigError: for a switch that is no boolean, or separators that are no text.

    >>> id()("DOC-50018", "DOC-50019")
    0.0
    >>> id(ignore_case=True, separators="- ")("QX-118-04", "qx 118 04")
    1.0
    """
    flags("id", strip=strip, ignore_case=ignore_case, integers=integers)
    if not isinstance(separators, str):
        raise refuse("id", "separators", separators, "give the characters as one text, such as '- .'")
    dropped = dict.fromkeys(map(ord, separators))

    def read(value: Any) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            if not integers:
                raise Unreadable("a number is not text; id(integers=True) reads its digits")
            return hex(value) if value.bit_length() > 10_000 else str(value)  # noqa: PLR2004 - str is quadratic
        text = text_of(value)
        text = text.strip() if strip else text
        text = text.translate(dropped) or text
        return text.casefold() if ignore_case else text

    def grade(expected: Any, actual: Any) -> bool:
        return read(expected) == read(actual)

    made = settings(
        strip=strip,
        ignore_case=ignore_case,
        separators=separators,
        integers=integers,
    )
    return Comparator("id", grade, made)
