"""Reading dates and times of day from text, by what is stated and never by what is likely.

| written as | read as |
|---|---|
| `2025-04-03`, `20250403`, `2025-W14-4`, `2025/4/3`, `2025年4月3日` | year first, whatever `day_first` says |
| `03/04/2025`, `3.4.2025`, `03-04-2025` | by `day_first`; with None if only one reading is a date |
| `3 April 2025`, `April 3rd, 2025`, `Thu, 3 Apr 2025`, `2025 Apr 3` | by the English name of the month |

A weekday that contradicts its date, a year of two digits and a month in another language are unreadable;
a stated `strptime` format reads them. Formats are tried first, and must agree.
"""

from __future__ import annotations

import datetime as dt
import re
import warnings
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fieldwise.comparators._options import one_of, refuse
from fieldwise.comparators._readers import plain, shown, text_of
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LENGTH: Final = 80
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december",
)  # fmt: skip
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORTEST: Final = 3

_ISO: Final = re.compile(r"([0-9]{4})-?(?:[0-9]{2}-?[0-9]{2}|W[0-9]{2}-?[1-7])")
_YEAR_FIRST: Final = re.compile(
    r"(?P<y>[0-9]{4})(?:([-/.]) ?(?P<m>[0-9]{1,2})\2 ?(?P<d>[0-9]{1,2})"
    r"|年 ?(?P<m2>[0-9]{1,2}) ?月 ?(?P<d2>[0-9]{1,2}) ?日)"
)
_YEAR_LAST: Final = re.compile(r"([0-9]{1,2})([-/.]) ?([0-9]{1,2})\2 ?([0-9]{4})")
_WEEKDAY: Final = re.compile(r"([A-Za-z]{3,9})\.?,? ")
_DAY: Final = r"(?P<d>[0-9]{1,2})(?:st|nd|rd|th|\.)?"
_MONTH: Final = r"(?P<m>[A-Za-z]{3,9})\.?"
_YEAR: Final = r"(?P<y>[0-9]{4})"
_NAMED: Final = (
    re.compile(rf"{_DAY}[ -]?(?:of )?{_MONTH},?[ -]?{_YEAR}"),
    re.compile(rf"{_MONTH} ?{_DAY},? {_YEAR}"),
    re.compile(rf"{_YEAR}[ -]{_MONTH}[ -]{_DAY}"),
)
_TIME: Final = re.compile(
    r"(?P<date>.*?[0-9日])(?:[Tt]|,? at |,? )"
    r"(?P<h>[0-9]{1,2}):(?P<m>[0-9]{2})(?::(?P<s>[0-9]{2})(?:[.,](?P<f>[0-9]{1,9}))?)?"
    r" ?(?P<half>[AaPp])?(?(half)\.?[Mm]\.?) ?(?P<zone>Z|z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})?"
)
_COMPACT: Final = re.compile(r"[0-9]{8}T[0-9]{6}(?:Z|[+-][0-9]{4})?")


class Moment(NamedTuple):
    """A date, the time of day and offset where they are written, and what a time cannot hold of the digits.

    `nanoseconds` are below 1,000: what stands after the microseconds.
    """

    date: dt.date
    time: dt.time | None
    nanoseconds: int = 0


def check(factory: str, formats: Sequence[str], day_first: object, *, timed: bool) -> tuple[str, ...]:
    """Check the options that dates share.

    Raises:
        ConfigError: for a format that does not hold a whole date (and time), or a bad `day_first`.
    """
    one_of(factory, "day_first", day_first, (True, False, None))
    if not isinstance(formats, list | tuple) or not all(isinstance(one, str) for one in formats):
        raise refuse(factory, "formats", formats, "give a list of strptime formats, such as ['%d.%m.%y']")
    for one in formats:
        if not _holds(one, timed=timed):
            needs = "year, month, day and hour" if timed else "year, month and day"
            example = "%d.%m.%y %H:%M" if timed else "%d.%m.%y"
            raise refuse(factory, "formats", one, f"a strptime format holds {needs}, such as {example!r}")
    return tuple(formats)


def _holds(form: str, *, timed: bool) -> bool:
    """Whether a format gives back the moment it was given."""
    moment = dt.datetime(1999, 11, 22, 13 if timed else 0, tzinfo=dt.UTC)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a day without a year, from Python 3.13
            back = dt.datetime.strptime(moment.strftime(form), form)  # noqa: DTZ007 - the format may hold none
            return back.replace(tzinfo=dt.UTC) == moment
    except (ValueError, TypeError, re.error):
        return False


def read(value: Any, formats: Sequence[str], day_first: bool | None) -> Moment:  # noqa: FBT001
    """Read a date with or without a time of day.

    Raises:
        Unreadable: for anything else, and for a date that has two readings.
    """
    text = " ".join(plain(text_of(value, MAX_LENGTH)).split())
    return _by_format(text, formats) or _by_shape(text, day_first)


def _by_format(text: str, formats: Sequence[str]) -> Moment | None:
    found: set[dt.datetime] = set()
    for one in formats:
        try:
            found.add(dt.datetime.strptime(text, one))  # noqa: DTZ007 - naive unless the format says
        except (ValueError, OverflowError):
            continue
    if len(found) > 1:
        raise Unreadable(f"{shown(text)} is ambiguous: formats read it as {_or(one.date() for one in found)}")
    moment = found.pop() if found else None
    return Moment(moment.date(), moment.timetz()) if moment else None


def _or(dates: Any) -> str:
    return " or ".join(sorted({one.isoformat() for one in dates}))


def _by_shape(text: str, day_first: bool | None) -> Moment:  # noqa: FBT001
    if _COMPACT.fullmatch(text):
        return _moment(text)
    found = _TIME.fullmatch(text)
    if not found:
        return Moment(_date(text, day_first), None)
    beyond = int((found["f"] or "0").ljust(9, "0")[6:])
    return Moment(_date(found["date"], day_first), _time(text, found), beyond)


def _moment(text: str) -> Moment:
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise Unreadable(f"{shown(text)} is no date and time: {error}") from None
    return Moment(moment.date(), moment.timetz())


def _time(text: str, found: re.Match[str]) -> dt.time:
    hour, zone = int(found["h"]), (found["zone"] or "").upper()
    if found["half"]:
        if not 1 <= hour <= 12:  # noqa: PLR2004 - a clock's hours
            raise Unreadable(f"{shown(text)} holds no time of day")
        hour = hour % 12 + (12 if found["half"] in "Pp" else 0)
    micro = (found["f"] or "0").ljust(6, "0")[:6]
    offset = "+00:00" if zone in {"Z", "UTC", "GMT"} else zone
    try:
        return dt.time.fromisoformat(f"{hour:02}:{found['m']}:{found['s'] or '00'}.{micro}{offset}")
    except ValueError:
        raise Unreadable(f"{shown(text)} holds no time of day") from None


def _date(text: str, day_first: bool | None) -> dt.date:  # noqa: FBT001
    """Read a date, and hold it against the weekday in front of it, if there is one."""
    found = _WEEKDAY.match(text)
    weekday = _number(found[1], _DAYS) if found else 0
    if not found or not weekday:
        return _bare_date(text, day_first)
    date = _bare_date(text[found.end() :], day_first)
    if date.isoweekday() != weekday:
        raise Unreadable(f"{shown(text)} contradicts itself: that day is no {found[1]}")
    return date


def _bare_date(text: str, day_first: bool | None) -> dt.date:  # noqa: FBT001
    if _ISO.fullmatch(text):
        try:
            return dt.date.fromisoformat(text)
        except ValueError:
            raise Unreadable(f"{shown(text)} is no date") from None
    if found := _YEAR_FIRST.fullmatch(text):
        return _made(text, found["y"], found["m"] or found["m2"], found["d"] or found["d2"])
    if found := _YEAR_LAST.fullmatch(text):
        return _by_order(text, found[1], found[3], found[4], day_first)
    return _by_name(text)


def _by_order(text: str, one: str, other: str, year: str, day_first: bool | None) -> dt.date:  # noqa: FBT001
    """Read two numbers before a year as day and month, by what is stated."""
    if day_first is not None:
        day, month = (one, other) if day_first else (other, one)
        return _made(text, year, month, day)
    both = (_valid(year, other, one), _valid(year, one, other))
    readings = {reading for reading in both if reading is not None}
    if len(readings) > 1:
        raise Unreadable(f"{shown(text)} is ambiguous: {_or(readings)}; state day_first")
    if not readings:
        raise Unreadable(f"{shown(text)} is no date")
    return readings.pop()


def _by_name(text: str) -> dt.date:
    for pattern in _NAMED:
        found = pattern.fullmatch(text)
        month = _number(found["m"], _MONTHS) if found else 0
        if found and month:
            return _made(text, found["y"], str(month), found["d"])
    raise Unreadable(f"{shown(text)} is no date in a known form; state formats")


def _number(name: str, names: Sequence[str]) -> int:
    """The number of a month or weekday from its English name or the first letters of it; 0 for none."""
    low = name.lower()
    found = [
        at for at, one in enumerate(names, 1) if one == low or (len(low) >= _SHORTEST and _starts(one, low))
    ]
    return found[0] if len(found) == 1 else 0


def _starts(name: str, short: str) -> bool:
    """Whether letters are a usual short form: three, or up to five as in `sept`, `tues`, `thurs`."""
    return len(short) <= 5 and name.startswith(short)  # noqa: PLR2004


def _made(text: str, year: str, month: str, day: str) -> dt.date:
    date = _valid(year, month, day)
    if date is None:
        raise Unreadable(f"{shown(text)} is no date")
    return date


def _valid(year: str, month: str, day: str) -> dt.date | None:
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None
