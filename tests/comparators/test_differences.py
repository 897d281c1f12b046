"""Relative differences: 1 within the tolerance, in range whatever the signs, exact for any size."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import numeric_diff
from tests.comparators.grades import grade

LARGER: Final = {"relative_to": "larger"}
CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, 100, 100.5, 1.0),
    ({}, 100, 101, 1.0),
    ({}, 100, 99, 1.0),
    ({}, 100, 90, 0.9),
    ({}, 90, 100, 8 / 9),
    (LARGER, 90, 100, 0.9),
    ({"tolerance": 0}, 100, 101, 0.99),
    ({"tolerance": 0.2}, 100, 120, 1.0),
    ({}, 6, -12, 0.0),
    (LARGER, 6, -12, 0.0),
    ({}, -12, -6, 0.5),
    ({}, 0, 0.001, 0.0),
    ({}, 0.001, 0, 0.0),
    ({}, 100, 300, 0.0),
    ({}, 0.3, 0.1 + 0.2, 1.0),
    ({"tolerance": 0}, 10**400, 9 * 10**399, 0.9),
    ({"tolerance": 0}, 2**53, 2**53 + 1, 1 - 2**-53),
    ({}, 5e-324, 1e308, 0.0),
    ({}, Decimal("1.0"), Decimal("0.5"), 0.5),
    ({}, 1, "1", '"1" is not a number'),
    ({}, 1, None, "null is not a number"),
    ({}, 1, float("inf"), "Infinity is not a finite number"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_numeric_diff(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(numeric_diff(**options), expected, actual) == wanted


numbers = st.floats(-1e9, 1e9, allow_nan=False).filter(lambda value: abs(value) > 1e-6)


@given(numbers, numbers)
def test_it_is_the_formula(expected: float, actual: float) -> None:
    wanted = max(0.0, 1 - abs(expected - actual) / abs(expected))
    assert numeric_diff(tolerance=0)(expected, actual) == pytest.approx(wanted, abs=1e-9)
