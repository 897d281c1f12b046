"""Numbers within a tolerance: exact decimals, integers of any size, and what is no number."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import number
from fieldwise.core.compare import compare
from fieldwise.core.values import NAN
from fieldwise.errors import ConfigError, Unreadable

NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
TOLERANCES = st.one_of(st.integers(0, 1000), st.floats(0, 1e6))

BIG = 10**400
WITHIN: list[tuple[dict[str, Any], Any, Any, float]] = [
    ({}, 1, 1.0, 1.0),
    ({}, 0.1 + 0.2, 0.3, 0.0),
    ({"absolute": 0.1}, 1.0, 1.1, 1.0),
    ({"absolute": 0.1}, 1.1, 1.0, 1.0),
    ({"absolute": 0.1}, 1.0, 1.1000001, 0.0),
    ({"absolute": Decimal("0.1")}, 1, 1.1, 1.0),
    ({"absolute": 1e-9}, 0.1 + 0.2, 0.3, 1.0),
    ({"relative": 0.01}, 100, 101, 1.0),
    ({"relative": 0.01}, 101, 100, 1.0),
    ({"relative": 0.01}, 100, 101.01, 0.0),
    ({"relative": 0.01}, -100, -101, 1.0),
    ({"relative": 0.5}, 0, 1e-9, 0.0),
    ({"relative": 0.5, "absolute": 1}, 0, 1, 1.0),
    ({"relative": 1}, 1, -1, 0.0),
    ({"relative": 2}, 1, -1, 1.0),
    ({"absolute": 1}, BIG, BIG + 1, 1.0),
    ({"absolute": 1}, BIG, BIG + 2, 0.0),
    ({"absolute": 1}, BIG, float(10**300), 0.0),
    ({"absolute": 1e300}, 1e308, -1e308, 0.0),
    ({"absolute": 0.5}, Decimal("0.12345678901234567890"), 0, 1.0),
    ({"absolute": Decimal("1E-1000")}, Decimal("1E-1000"), 0, 1.0),
    ({"absolute": 5}, 5e-324, -5e-324, 1.0),
    ({}, math.inf, math.inf, 1.0),
    ({}, NAN, NAN, 1.0),
    ({}, True, True, 1.0),
    ({}, "a", "a", 1.0),
]


@pytest.mark.parametrize(("options", "expected", "actual", "score"), WITHIN)
def test_within(options: dict[str, Any], expected: Any, actual: Any, score: float) -> None:
    assert number(**options)(expected, actual) == score


UNREAD: list[tuple[Any, Any, str]] = [
    (1, "1", '"1" is not a number'),
    ("1", 1, '"1" is not a number'),
    (1, True, "true is not a number"),
    (1, None, "null is not a number"),
    (1, [1], "[1] is not a number"),
    (1, math.inf, "Infinity is not a finite number"),
    (math.inf, -math.inf, "Infinity is not a finite number"),
    (NAN, 1, "NaN is not a finite number"),
    (1, Decimal("1E+1001"), "a number with exponent 1001 is too large to subtract"),
    (Decimal("1E-999999999"), 1, "a number with exponent -999999999 is too large to subtract"),
]


@pytest.mark.parametrize(("expected", "actual", "reason"), UNREAD)
def test_what_it_cannot_read_is_wrong_with_the_reason(expected: Any, actual: Any, reason: str) -> None:
    comparator = number(absolute=10**9)
    with pytest.raises(Unreadable) as caught:
        comparator(expected, actual)
    assert str(caught.value) == reason
    assert compare(comparator, expected, actual) == (0.0, "graded", f"number could not read it: {reason}")


@given(NUMBERS, NUMBERS, TOLERANCES)
def test_an_absolute_tolerance_is_symmetric_and_exact(expected: Any, actual: Any, tolerance: Any) -> None:
    comparator = number(absolute=tolerance)
    score = comparator(expected, actual)
    assert score == comparator(actual, expected)
    exact = [Fraction(repr(one)) for one in (expected, actual, tolerance)]
    assert score == float(abs(exact[0] - exact[1]) <= exact[2])


@given(NUMBERS, NUMBERS, st.floats(0, 10), st.floats(0, 10))
def test_a_wider_tolerance_never_lowers_a_score(expected: Any, actual: Any, one: float, other: float) -> None:
    narrow, wide = sorted((one, other))
    assert number(relative=narrow)(expected, actual) <= number(relative=wide)(expected, actual)


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"absolute": -1}, "absolute=-1"),
        ({"relative": -0.1}, "relative=-0.1"),
        ({"absolute": math.nan}, "absolute=nan"),
        ({"absolute": math.inf}, "absolute=inf"),
        ({"relative": True}, "relative=True"),
        ({"relative": "1%"}, "relative='1%'"),
        ({"absolute": None}, "absolute=None"),
        ({"absolute": Decimal("sNaN")}, "absolute=Decimal('sNaN')"),
        ({"absolute": Decimal("1E+999999")}, "absolute=Decimal('1E+999999')"),
    ],
)
def test_a_tolerance_is_checked_when_it_is_made(options: dict[str, Any], shown: str) -> None:
    with pytest.raises(ConfigError) as caught:
        number(**options)
    assert str(caught.value) == f"number({shown}): a tolerance is a finite number of at least 0"


def test_it_says_how_it_was_made() -> None:
    made = number(absolute=Decimal("0.5"), relative=0.1)
    assert (made.name, made.settings, made.symmetric) == ("number", {"absolute": 0.5, "relative": 0.1}, False)
    assert number(absolute=1).symmetric
