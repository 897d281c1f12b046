"""Telephone numbers: what they dial, with the region stated or in the number."""

from __future__ import annotations

from typing import Any, Final

import pytest

from fieldwise.comparators import phone
from tests.comparators.grades import grade

US: Final = {"region": "US"}
CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    (US, "(206) 555-0142", "+12065550142", 1.0),
    (US, "(206) 555-0142", "tel:+1-206-555-0142", 1.0),
    (US, "(206) 555-0142", 2065550142, 1.0),
    (US, "(206) 555-0142", "206.555.0143", 0.0),
    (US, "+12065550142", "ext 311", '"ext 311" is no possible phone number'),
    (US, "ext 311", "ext 311", 1.0),
    (US, "+12065550142", "+1 206 555 0142 ext. 5", 0.0),
    (US, "+1 206 555 0142 x5", "+1 206 555 0142 ext. 5", 1.0),
    (US, "+12065550142", "no number", '"no number" is no phone number'),
    ({}, "+12065550142", "+1 206 555 0142", 1.0),
    ({}, "+12065550142", "206 555 0142", '"206 555 0142" names no known country code; state region'),
    ({"region": "NO"}, "+4722345678", "22 34 56 78", 1.0),
    ({"region": "IT"}, "+39 06 1234567", "06 1234567", 1.0),
    (US, "+12065550142", -1, "-1 is not text"),
    (US, "+12065550142", True, "true is not text"),
    (US, "+12065550142", "1" * 101, "text of 101 characters is longer than the 100 that are read"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_phone(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(phone(**options), expected, actual) == wanted
