"""Comparing lengths of time: `PT1H30M`, `90 min`, `1 h 30 min`, `01:30:00`, `1.5 hours`.

A day is 24 hours and a week 7 days. A month has no fixed length: months (and years, 12 of them) are
compared with months only, and months against days are unreadable, not 30.4 days. In a duration `m` is
the minute. Unit names are pint's (extra `units`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fieldwise.comparators._numerals import reader
from fieldwise.comparators._options import amount, installed, refuse, settings
from fieldwise.comparators._readers import exact, is_number, plain, shown, text_of
from fieldwise.comparators._units import base, named
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from fractions import Fraction

    from fieldwise.comparators._numerals import Reader

_MAX_LENGTH: Final = 100
_TIME: Final = {"[time]": 1}
_N: Final = r"([0-9]{1,20}(?:[.,][0-9]{1,20})?)"
_ISO: Final = re.compile(
    rf"([+-])?P(?=[0-9T])(?:{_N}Y)?(?:{_N}M)?(?:{_N}W)?(?:{_N}D)?(?:T(?=[0-9])(?:{_N}H)?(?:{_N}M)?(?:{_N}S)?)?"
)
_ISO_SECONDS: Final = (604_800, 86_400, 3_600, 60, 1)
_CLOCK: Final = re.compile(r"([+-])?([0-9]{1,9}):([0-5][0-9]):([0-5][0-9](?:[.,][0-9]{1,9})?)")
_PART: Final = re.compile(r"(?:,? ?and |, ?)?([.,]?[0-9](?:[0-9.,']*[0-9])?) ?([^\W\d_]{1,20})\.? ?")
_MONTHS: Final = {
    **dict.fromkeys(("mo", "mos", "month", "months"), 1),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), 12),
}
_ALIASES: Final = {
    "m": "min", "mins": "min", "hrs": "hour", "sec": "second", "secs": "second", "w": "week",
    "wk": "week", "wks": "week", "msec": "ms", "msecs": "ms",
}  # fmt: skip


class _Span(NamedTuple):
    """Months and seconds: the two do not convert into each other."""

    months: Fraction
    seconds: Fraction


def duration(
    *,
    unit: str | None = None,
    locale: str | None = None,
    decimal: str | None = None,
    group: str | None = None,
    within_seconds: float = 0,
    relative: float = 0,
) -> Comparator:
    """Accept the same length of time within `max(within_seconds, relative * |expected|)`; score 0 or 1.

    Reads ISO 8601, numbers with units, and clocks of three parts; `1:30` alone is ambiguous and flagged.
    Needs `pip install 'fieldwise[units]'`.

    Args:
        unit: the unit of time of JSON numbers, such as "s"; without it they are unreadable.
        locale: a tag of `fieldwise.comparators.LOCALES`, for numbers with units.
        decimal: the decimal mark, instead of a locale; with none stated, ambiguous text is flagged.
        group: the mark between groups of digits, with `decimal`.
        within_seconds: the greatest difference in seconds, at least 0.
        relative: the greatest difference as a share of the expected seconds. Not symmetric.

    Raises:
        ConfigError: for a unit that is none of time, an unknown locale, a bad tolerance, or pint missing.

    >>> duration()("PT1H30M", "90 min")
    1.0
    >>> duration()("P1M", "30 days")
    Traceback (most recent call last):
    fieldwise.errors.Unreadable: a month has no fixed number of days
    """
    installed("duration", "pint", "units")
    read = reader("duration", locale, decimal, group)
    widest, share = (
        amount("duration", "within_seconds", within_seconds),
        amount("duration", "relative", relative),
    )
    if unit is not None:
        _check_unit(unit)

    def span(value: Any) -> _Span:
        if not is_number(value):
            return _read(" ".join(plain(text_of(value, _MAX_LENGTH)).split()), read)
        if unit is None:
            raise Unreadable("a bare number has no unit; state unit, such as duration(unit='s')")
        return _of(exact(value), unit)

    def grade(expected: Any, actual: Any) -> bool:
        wanted, came = span(expected), span(actual)
        if wanted.months != came.months:
            if wanted.seconds != came.seconds:
                raise Unreadable("a month has no fixed number of days")
            return False
        return abs(wanted.seconds - came.seconds) <= max(widest, share * abs(wanted.seconds))

    made = settings(
        unit=unit,
        locale=locale,
        decimal=decimal,
        group=group,
        within_seconds=within_seconds,
        relative=relative,
    )
    return Comparator("duration", grade, made, symmetric=not relative)


def _check_unit(unit: object) -> None:
    from fractions import Fraction

    try:
        _of(Fraction(1), named(unit))
    except Unreadable:
        raise refuse("duration", "unit", unit, "give a unit of time, such as 's' or 'min'") from None


def _read(text: str, read: Reader) -> _Span:
    return _iso(text) or _clock(text) or _parts(text, read)


def _iso(text: str) -> _Span | None:
    found = _ISO.fullmatch(text.upper())
    if not found:
        return None
    sign, years, months, *rest = found.groups()
    seconds = sum(_exact(part) * size for part, size in zip(rest, _ISO_SECONDS, strict=True))
    return _signed(sign, _Span(_exact(years) * 12 + _exact(months), seconds + _exact(None)))


def _exact(text: str | None) -> Fraction:
    from fractions import Fraction

    return Fraction((text or "0").replace(",", "."))


def _signed(sign: str | None, span: _Span) -> _Span:
    return _Span(-span.months, -span.seconds) if sign == "-" else span


def _clock(text: str) -> _Span | None:
    found = _CLOCK.fullmatch(text)
    if not found:
        return None
    sign, hours, minutes, seconds = found.groups()
    total = _exact(hours) * 3_600 + _exact(minutes) * 60 + _exact(seconds)
    return _signed(sign, _Span(_exact(None), total))


def _parts(text: str, read: Reader) -> _Span:
    """Numbers with units, one after the other."""
    if re.fullmatch(r"[0-9]+:[0-9]{2}", text):
        raise Unreadable(f"{shown(text)} is ambiguous: hours and minutes, or minutes and seconds")
    sign, body = (text[0], text[1:].strip()) if text[:1] in {"+", "-"} else (None, text)
    at, months, seconds = 0, _exact(None), _exact(None)
    while at < len(body) or not at:
        found = _PART.match(body, at)
        if not found:
            raise Unreadable(f"{shown(text)} is no length of time")
        span = _of(read(found[1]), found[2])
        months, seconds, at = months + span.months, seconds + span.seconds, found.end()
    return _signed(sign, _Span(months, seconds))


def _of(number: Fraction, unit: str) -> _Span:
    """A number of one unit."""
    if unit.lower() in _MONTHS:
        return _Span(number * _MONTHS[unit.lower()], _exact(None))
    seconds, dimensions = base(number, _ALIASES.get(unit.lower(), unit))
    if dict(dimensions) != _TIME:
        raise Unreadable(f"{shown(unit)} is no unit of time")
    return _Span(_exact(None), seconds)
