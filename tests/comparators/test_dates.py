"""Dates and moments: any known form, ambiguity flagged, ISO 8601 never reinterpreted."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import date, datetime
from tests.comparators.grades import grade

DAY_FIRST: Final[dict[str, Any]] = {"day_first": True}
MONTH_FIRST: Final[dict[str, Any]] = {"day_first": False}
UNKNOWN: Final = "is no date in a known form; state formats"
DATES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "2025-01-02", "2 Jan 2025", 1.0),
    ({}, "2025-01-02", "2025-01-02T00:00:00Z", 1.0),
    ({}, "2025-01-02", "2025-01-02T23:30:00-05:00", 1.0),
    ({}, "2025-01-02", "January 2nd, 2025", 1.0),
    ({}, "2025-01-02", "2 January 2025, 14:05", 1.0),
    ({}, "2025-01-02", "2025 Jan 2", 1.0),
    ({}, "2025-01-02", "2. jan. 2025", 1.0),
    ({}, "2025-01-02", "02-JAN-2025", 1.0),
    ({}, "2025-01-02", "20250102", 1.0),
    ({}, "2025-01-02", "2025-W01-4", 1.0),
    ({}, "2025-01-02", "2025/1/2", 1.0),
    ({}, "2025-01-02", "2025年1月2日", 1.0),
    ({}, "2025-01-02", "\uff12\uff10\uff12\uff15/1/2", 1.0),
    ({}, "2025-01-02", "Thu, 02 Jan 2025 10:00:00 +0000", 1.0),
    ({}, "2025-01-02", "Thursday 2 January 2025", 1.0),
    ({}, "2025-09-05", "Sept 5 2025", 1.0),
    ({}, "2025-01-02", "Fri 2 Jan 2025", '"Fri 2 Jan 2025" contradicts itself: that day is no Fri'),
    ({}, "2025-01-02", "3 Jan 2025", 0.0),
    ({}, "2025-04-03", "03/04/2025", '"03/04/2025" is ambiguous: 2025-03-04 or 2025-04-03; state day_first'),
    ({}, "2025-03-04", "03/04/2025", '"03/04/2025" is ambiguous: 2025-03-04 or 2025-04-03; state day_first'),
    ({}, "2025-04-03", "3.4.2025", '"3.4.2025" is ambiguous: 2025-03-04 or 2025-04-03; state day_first'),
    ({}, "2025-12-25", "25/12/2025", 1.0),
    ({}, "2025-12-25", "12/25/2025", 1.0),
    ({}, "2025-05-05", "05/05/2025", 1.0),
    ({}, "2025-12-25", "32/12/2025", '"32/12/2025" is no date'),
    (DAY_FIRST, "2025-04-03", "03/04/2025", 1.0),
    (MONTH_FIRST, "2025-04-03", "03/04/2025", 0.0),
    (MONTH_FIRST, "2025-03-04", "03/04/2025", 1.0),
    (MONTH_FIRST, "2023-05-09", "05/09/2023", 1.0),
    (DAY_FIRST, "2025-04-03", "2025-03-04", 0.0),
    (DAY_FIRST, "2025-12-25", "12/25/2025", '"12/25/2025" is no date'),
    ({}, "2025-01-02", "02/01/25", f'"02/01/25" {UNKNOWN}'),
    ({"formats": ["%d/%m/%y"]}, "2025-01-02", "02/01/25", 1.0),
    ({"formats": ["%d/%m/%y", "%m/%d/%y"]}, "2025-01-02", "02/01/25",
     '"02/01/25" is ambiguous: formats read it as 2025-01-02 or 2025-02-01'),
    ({"formats": ["%d/%m/%y", "%m/%d/%y"]}, "2025-01-25", "25/01/25", 1.0),
    ({"within_days": 1}, "2025-01-02", "2025-01-03", 1.0),
    ({"within_days": 1}, "2025-01-02", "2025-01-04", 0.0),
    ({}, "2025-01-02", "2025-02-30", '"2025-02-30" is no date'),
    ({}, "2025-01-02", "tomorrow", f'"tomorrow" {UNKNOWN}'),
    ({}, "2025-01-02", "2 Foo 2025", f'"2 Foo 2025" {UNKNOWN}'),
    ({}, "2025-01-02", "2 janvier 2025", f'"2 janvier 2025" {UNKNOWN}'),
    ({}, "2025-01-02", "2025-01-02T25:00", '"2025-01-02T25:00" holds no time of day'),
    ({}, "2025-01-02", "2025-01-02 13:00 pm", '"2025-01-02 13:00 pm" holds no time of day'),
    ({}, "2025-01-02", 1735776000, "1735776000 is not text"),
]  # fmt: skip
MOMENTS: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "2025-01-02T12:00:00Z", "2025-01-02 13:00 +01:00", 1.0),
    ({}, "2025-01-02T12:00:00Z", "Thu, 02 Jan 2025 12:00:00 GMT", 1.0),
    ({}, "2025-01-02T12:00:00Z", "20250102T120000Z", 1.0),
    ({}, "2025-01-02T12:00:00Z", "20250102T126000Z",
     '"20250102T126000Z" is no date and time: minute must be in 0..59'),
    ({}, "2025-01-02T12:00:00.5", "2025-01-02T12:00:00,500", 1.0),
    ({}, "2025-01-02T10:00:00.1234567Z", "2025-01-02T10:00:00.1234568Z", 0.0),
    ({}, "2025-01-02T10:00:00.1234567Z", "2025-01-02T11:00:00.123456700+01:00", 1.0),
    ({}, "2025-01-02T10:00:00.000001", "2025-01-02T10:00:00.000001001", 0.0),
    ({}, "2025-01-02T10:00:00.9999999", "2025-01-02T10:00:01", 0.0),
    ({}, "2025-01-02T10:00:00.1234567890", "2025-01-02T10:00:00",
     f'"2025-01-02T10:00:00.1234567890" {UNKNOWN}'),
    ({"within_seconds": 1e-7}, "2025-01-02T10:00:00.9999999", "2025-01-02T10:00:01", 1.0),
    ({"within_seconds": 0.1}, "2025-01-02T10:00:00.1", "2025-01-02T10:00:00.2", 1.0),
    ({"within_seconds": 0.1}, "2025-01-02T10:00:00.1", "2025-01-02T10:00:00.200000001", 0.0),
    ({}, "2025-01-02T14:05", "2 Jan 2025 2:05 PM", 1.0),
    ({}, "2025-01-02T00:05", "2 Jan 2025 at 12:05 a.m.", 1.0),
    ({}, "2025-01-02T12:00", "2025-01-02T12:01", 0.0),
    ({"within_seconds": 60}, "2025-01-02T12:00", "2025-01-02T12:01", 1.0),
    ({}, "2025-01-02T12:00", "2025-01-02T12:00:00Z",
     "one states an offset and the other does not; state zone"),
    ({"zone": "UTC"}, "2025-01-02T12:00", "2025-01-02T12:00:00Z", 1.0),
    ({"zone": "Europe/Oslo"}, "2025-07-02T14:00", "2025-07-02T12:00:00Z", 1.0),
    ({"zone": "Europe/Oslo"}, "2025-01-02T14:00", "2025-01-02T12:00:00Z", 0.0),
    ({}, "2025-01-02T00:00", "2025-01-02",
     '"2025-01-02" states no time of day; the comparator date leaves it out'),
    ({}, "2025-04-03T10:00", "03/04/2025 10:00",
     '"03/04/2025" is ambiguous: 2025-03-04 or 2025-04-03; state day_first'),
    (DAY_FIRST, "2025-04-03T10:00", "03/04/2025 10:00", 1.0),
    ({"formats": ["%d.%m.%y %Hh%M"]}, "2025-04-03T10:00", "03.04.25 10h00", 1.0),
    ({"formats": ["%d.%m.%y %H:%M %z"]}, "2025-04-03T10:00Z", "03.04.25 12:00 +0200", 1.0),
    ({}, "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), DATES)
def test_date(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(date(**options), expected, actual) == wanted


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), MOMENTS)
def test_datetime(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(datetime(**options), expected, actual) == wanted


FORMS: Final = ("%d %B %Y", "%B %d, %Y", "%a %d %b %Y", "%Y/%m/%d", "%Y%m%d", "%Y年%m月%d日", "%d-%b-%Y")


@pytest.mark.parametrize("form", FORMS)
@given(day=st.dates(dt.date(1000, 1, 1)))
def test_every_day_is_read_in_every_form(form: str, day: dt.date) -> None:
    assert date()(day.isoformat(), day.strftime(form)) == 1.0


@given(day=st.dates(dt.date(1000, 1, 1)), other=st.dates(dt.date(1000, 1, 1)))
def test_a_numeric_date_never_equals_two_days(day: dt.date, other: dt.date) -> None:
    for option in (None, True, False):
        found = [
            grade(date(day_first=option), one.isoformat(), day.strftime("%d/%m/%Y"))
            for one in (day, other, _swapped(day))
        ]
        right = {one for one, score in zip((day, other, _swapped(day)), found, strict=True) if score == 1.0}
        assert len(right) <= 1


def _swapped(day: dt.date) -> dt.date:
    return day.replace(month=day.day, day=day.month) if day.day <= 12 else day
