"""Comparing numbers that may be written as text, by a stated locale.

JSON numbers are read as they are; text is read by `_numerals`, which never guesses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from fieldwise.comparators._numerals import reader
from fieldwise.comparators._options import amount, one_of, settings
from fieldwise.comparators._readers import exact, is_number, plain, text_of
from fieldwise.core.compare import Comparator

if TYPE_CHECKING:
    from fractions import Fraction


def number_text(
    *,
    locale: str | None = None,
    decimal: str | None = None,
    group: str | None = None,
    percent: Literal["share", "points"] = "share",
    absolute: float = 0,
    relative: float = 0,
) -> Comparator:
    """Accept numbers, in digits or in text, that differ by at most `max(absolute, relative * |expected|)`.

    Score 0 or 1; arithmetic is exact. Text may carry a sign, accounting brackets, `%`, full-width digits
    or those of any script. It follows the stated marks to the letter; with none stated, only text that
    reads the same by every convention is read, so `1.250` is flagged as ambiguous.

    Args:
        locale: a tag of `fieldwise.comparators.LOCALES`, such as "de" or "en-IN".
        decimal: the decimal mark, instead of a locale.
        group: the mark between groups of digits, with `decimal`; None for none.
        percent: `45%` is 0.45 ("share") or 45 ("points").
        absolute: the greatest difference, at least 0.
        relative: the greatest difference as a share of the expected value. Not symmetric.

    Raises:
        ConfigError: for an unknown locale or mark, options that contradict, or a bad tolerance.

    >>> number_text(locale="de")(1250.4, "1.250,40")
    1.0
    >>> number_text()("(75)", -75)
    1.0
    """
    read = reader("number_text", locale, decimal, group)
    one_of("number_text", "percent", percent, ("share", "points"))
    widest = amount("number_text", "absolute", absolute), amount("number_text", "relative", relative)

    def value_of(value: Any) -> Fraction:
        if is_number(value):
            return exact(value)
        text = plain(text_of(value, 400))
        if not text.endswith("%"):
            return read(text)
        points = read(text[:-1])
        return points / 100 if percent == "share" else points

    def grade(expected: Any, actual: Any) -> bool:
        wanted, came = value_of(expected), value_of(actual)
        return abs(wanted - came) <= max(widest[0], widest[1] * abs(wanted))

    made = settings(
        locale=locale,
        decimal=decimal,
        group=group,
        percent=percent,
        absolute=absolute,
        relative=relative,
    )
    return Comparator("number_text", grade, made, symmetric=not relative)
