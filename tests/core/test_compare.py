"""Grading two leaves: what counts as an answer of a comparator, and what its faults become."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from fieldwise._types import MISSING
from fieldwise.core.compare import Comparator, compare
from fieldwise.errors import Unreadable
from tests.core.documents import VALUES, mixed_copy


def returning(value: Any) -> Comparator:
    return Comparator("mine", lambda _expected, _actual: value)


def raising(error: BaseException) -> Comparator:
    def grade(_expected: Any, _actual: Any) -> float:
        raise error

    return Comparator("mine", grade)


class NoText(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError


class OwnFloat:
    def __float__(self) -> float:
        return 0.5


@given(VALUES)
def test_equal_values_are_right_and_reach_no_comparator(value: Any) -> None:
    for comparator in (None, returning(0), raising(RuntimeError("called"))):
        assert compare(comparator, value, mixed_copy(value)) == (1.0, "graded", None)
    assert returning(0.0)(value, mixed_copy(value)) == 1.0


@pytest.mark.parametrize("comparator", [None, returning(1)], ids=["exact", "comparator"])
def test_a_place_on_one_side_is_wrong(comparator: Comparator | None) -> None:
    assert compare(comparator, 1, MISSING) == (0.0, "graded", "missing")
    assert compare(comparator, MISSING, None) == (0.0, "graded", "unexpected")


def test_unequal_values_without_comparator_are_wrong() -> None:
    assert compare(None, 1, 2) == (0.0, "graded", None)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (True, 1.0),
        (False, 0.0),
        (0, 0.0),
        (1, 1.0),
        (0.25, 0.25),
        (-0.0, 0.0),
        (Decimal("0.5"), 0.5),
        (Fraction(1, 4), 0.25),
        (np.True_, 1.0),
        (np.float32(0.5), 0.5),
        (np.float64(0.5), 0.5),
        (np.int8(1), 1.0),
        (np.array(0.5), 0.5),
        (Decimal("1E-9999"), 0.0),
    ],
    ids=lambda value: f"{type(value).__name__}-{value}",
)
def test_answers_that_count(answer: Any, score: float) -> None:
    found = compare(returning(answer), 1, 2)
    assert found == (score, "graded", None)
    assert type(found[0]) is float
    assert str(found[0]) == str(score)  # no -0.0


SHOWN = "; it must be a bool or a number in 0..1"


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "None"),
        ("0.5", "'0.5'"),
        (b"1", "b'1'"),
        (1j, "1j"),
        (1.0000001, "1.0000001"),
        (-1e-9, "-1e-09"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (np.float64("nan"), "np.float64(nan)"),
        (Decimal("1E+9999"), "Decimal('1E+9999')"),
        (Decimal("NaN"), "Decimal('NaN')"),
        (10**400, "1" + "0" * 78 + "…"),
        (10**5000, "an integer of 16,610 bits"),
        (Fraction(10**400), "Fraction(1" + "0" * 69 + "…"),
        ([1.0], "[1.0]"),
        (np.array([0.5]), "array([0.5])"),
        ({"score": 1}, "{'score': 1}"),
        (NoRepr(), "a NoRepr"),
        ("x" * 1000, "'" + "x" * 78 + "…"),
    ],
    ids=lambda value: f"{type(value).__name__}",
)
def test_answers_that_do_not_count(answer: Any, shown: str) -> None:
    assert compare(returning(answer), 1, 2) == (None, "not_evaluated", f"mine returned {shown}{SHOWN}")


def test_an_object_of_its_own_is_no_number() -> None:
    score, status, _ = compare(returning(OwnFloat()), 1, 2)
    assert (score, status) == (None, "not_evaluated")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("bad\n  input"), "mine raised ValueError: bad input"),
        (KeyError("k"), "mine raised KeyError: 'k'"),
        (RuntimeError(), "mine raised RuntimeError"),
        (RecursionError("deep"), "mine raised RecursionError: deep"),
        (NoText(), "mine raised NoText"),
        (ValueError("x" * 1000), "mine raised ValueError: " + "x" * 287 + "…"),
    ],
)
def test_what_it_raises_is_a_reason(error: Exception, reason: str) -> None:
    assert compare(raising(error), 1, 2) == (None, "not_evaluated", reason)


def test_what_it_cannot_read_is_wrong_with_a_reason() -> None:
    found = compare(raising(Unreadable("text is no number")), 1, "one")
    assert found == (0.0, "graded", "mine could not read it: text is no number")


def test_an_interrupt_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        compare(raising(KeyboardInterrupt()), 1, 2)
