"""Identifiers: the same or not, by stated switches."""

from __future__ import annotations

from typing import Any, Final

import pytest

from fieldwise.comparators import id  # noqa: A004
from tests.comparators.grades import grade

CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "DOC-50019", "DOC-50018", 0.0),
    ({}, "QX-118-04", "qx 118 04", 0.0),
    ({}, "QX-118", " QX-118\n", 1.0),
    ({"strip": False}, "QX-118", " QX-118", 0.0),
    ({"ignore_case": True}, "QX-118", "qx-118", 1.0),
    ({"separators": "- "}, "QX-118-04", "QX 118 04", 1.0),
    ({"separators": "- ", "ignore_case": True}, "QX-118-04", "qx11804", 1.0),
    ({"separators": "+-"}, "+", "-", 0.0),
    ({}, "7", 7, "a number is not text; id(integers=True) reads its digits"),
    ({"integers": True}, "7", 7, 1.0),
    ({"integers": True}, "007", 7, 0.0),
    ({"integers": True}, 9007199254740993, "9007199254740992", 0.0),
    ({"integers": True}, "1", True, "true is not text"),
    ({"integers": True}, "7.0", 7.5, "7.5 is not text"),
    ({}, "null", None, "null is not text"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_id(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(id(**options), expected, actual) == wanted
