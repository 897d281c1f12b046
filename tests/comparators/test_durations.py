"""Lengths of time: ISO 8601, units and clocks; months never become days."""

from __future__ import annotations

from typing import Any, Final

import pytest

from fieldwise.comparators import duration
from tests.comparators.grades import grade

MONTHS: Final = "a month has no fixed number of days"
CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "PT1H30M", "90 min", 1.0),
    ({}, "PT1H30M", "1h30m", 1.0),
    ({}, "PT1H30M", "1 h 30 min", 1.0),
    ({}, "PT1H30M", "1 hour and 30 minutes", 1.0),
    ({}, "PT1H30M", "1.5 hours", 1.0),
    ({}, "PT1H30M", "1,5 h", 1.0),
    ({}, "PT1H30M", "01:30:00", 1.0),
    ({}, "PT1H30M", "5400 secs", 1.0),
    ({}, "PT1.5S", "1500 ms", 1.0),
    ({}, "PT0,5H", "PT30M", 1.0),
    ({}, "P1W", "7 days", 1.0),
    ({}, "P1D", "24 hours", 1.0),
    ({}, "P2W1D", "2 weeks and 1 day", 1.0),
    ({}, "-PT5M", "-5 min", 1.0),
    ({}, "PT5M", "-5 min", 0.0),
    ({}, "PT5M", "6 min", 0.0),
    ({"within_seconds": 60}, "PT5M", "6 min", 1.0),
    ({"relative": 0.1}, "PT10M", "11 min", 1.0),
    ({"relative": 0.1}, "PT10M", "12 min", 0.0),
    ({}, "P1Y", "12 months", 1.0),
    ({}, "P1Y2M3D", "14 mo 3 d", 1.0),
    ({}, "P1M", "2 months", 0.0),
    ({}, "P1M", "P30D", MONTHS),
    ({}, "P1Y", "365 days", MONTHS),
    ({}, "PT90M", "1:30", '"1:30" is ambiguous: hours and minutes, or minutes and seconds'),
    ({}, "PT90M", 90, "a bare number has no unit; state unit, such as duration(unit='s')"),
    ({"unit": "min"}, "PT90M", 90, 1.0),
    ({"unit": "years"}, "P12M", 1, 1.0),
    ({}, "PT1000S", "1.000 s", '"1.000" is ambiguous; state locale, or decimal and group'),
    ({"locale": "de"}, "PT1000S", "1.000 s", 1.0),
    ({}, "PT5S", "5 kg", '"kg" is no unit of time'),
    ({}, "PT5S", "5 blorps", '"blorps" is no known unit'),
    ({}, "PT5S", "P", '"P" is no length of time'),
    ({}, "PT5S", "PT", '"PT" is no length of time'),
    ({}, "PT5S", "", '"" is no length of time'),
    ({}, "PT5S", "a while", '"a while" is no length of time'),
    ({}, "PT5S", None, "null is not text"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_duration(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(duration(**options), expected, actual) == wanted
