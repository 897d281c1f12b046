"""Comparing dates, and dates with a time of day.

What is read, and what is flagged instead of guessed, stands in `_calendar`. An ambiguous date is never
equal to both of its readings: it is unreadable, and so 0, until `day_first` or a format settles it.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Final

from fieldwise.comparators._calendar import check, read
from fieldwise.comparators._options import amount, refuse, settings
from fieldwise.comparators._readers import shown
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

_MICROSECOND: Final = dt.timedelta(microseconds=1)


def date(*, formats: Sequence[str] = (), day_first: bool | None = None, within_days: float = 0) -> Comparator:
    """Accept the same calendar day in any form that can be read; score 0 or 1.

    A time of day is left out of account: `2025-01-02T00:00:00Z` is the day that is written, in its own
    offset. Symmetric.

    Args:
        formats: `strptime` formats to try first; two that disagree on a text make it ambiguous.
        day_first: how `03/04/2025` reads; None flags it as ambiguous. Never touches `2025-04-03`.
        within_days: the greatest difference in days, at least 0.

    Raises:
        ConfigError: for a format that does not hold a whole date, or a bad tolerance.

    >>> date()("2025-01-02", "2 Jan 2025")
    1.0
    >>> date(day_first=True)("2025-04-03", "03/04/2025")
    1.0
    """
    forms = check("date", formats, day_first, timed=False)
    widest = amount("date", "within_days", within_days)

    def grade(expected: Any, actual: Any) -> bool:
        wanted, came = (read(value, forms, day_first).date for value in (expected, actual))
        return abs((wanted - came).days) <= widest

    made = settings(
        formats=forms,
        day_first=day_first,
        within_days=within_days,
    )
    return Comparator("date", grade, made)


def datetime(
    *,
    formats: Sequence[str] = (),
    day_first: bool | None = None,
    zone: str | None = None,
    within_seconds: float = 0,
) -> Comparator:
    """Accept the same moment; score 0 or 1.

    Two moments with offsets compare as instants, two without as written, to the last digit: a fraction of a
    second has nine at most. One of each, or a date without a time of day, is unreadable. Symmetric.

    Args:
        formats: `strptime` formats to try first.
        day_first: how `03/04/2025 14:05` reads; None flags it as ambiguous.
        zone: the IANA time zone, or "UTC", of moments written without an offset.
        within_seconds: the greatest difference in seconds, at least 0.

    Raises:
        ConfigError: for a format without a date or an hour, an unknown zone, or a bad tolerance.

    >>> datetime()("2025-01-02T12:00:00Z", "2025-01-02 13:00 +01:00")
    1.0
    >>> datetime(within_seconds=60)("2025-01-02 12:00:30", "2025-01-02 12:01")
    1.0
    """
    forms = check("datetime", formats, day_first, timed=True)
    widest = amount("datetime", "within_seconds", within_seconds)
    assumed = None if zone is None else _zone(zone)

    def moment(value: Any) -> tuple[dt.datetime, int]:
        found = read(value, forms, day_first)
        if found.time is None:
            raise Unreadable(f"{shown(value)} states no time of day; the comparator date leaves it out")
        whole = dt.datetime.combine(found.date, found.time)
        whole = whole.replace(tzinfo=assumed) if whole.tzinfo is None else whole
        return whole, found.nanoseconds

    def grade(expected: Any, actual: Any) -> bool:
        (wanted, wanted_rest), (came, came_rest) = moment(expected), moment(actual)
        if (wanted.tzinfo is None) != (came.tzinfo is None):
            raise Unreadable("one states an offset and the other does not; state zone")
        nanoseconds = (wanted - came) // _MICROSECOND * 1_000 + wanted_rest - came_rest
        return abs(nanoseconds) <= widest * 10**9

    made = settings(
        formats=forms,
        day_first=day_first,
        zone=zone,
        within_seconds=within_seconds,
    )
    return Comparator("datetime", grade, made)


def _zone(name: Any) -> dt.tzinfo:
    import zoneinfo

    fault = refuse("datetime", "zone", name, "give an IANA name such as 'Europe/Oslo', or 'UTC'")
    if not isinstance(name, str):
        raise fault
    if name == "UTC":
        return dt.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise fault from None
