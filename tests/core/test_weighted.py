"""The mean by weight: right for weights of any size."""

from __future__ import annotations

from fractions import Fraction
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.weighted import weighted_mean

SIZES = st.floats(1e-3, 1e3)


@pytest.mark.parametrize(
    ("weights", "mean"),
    [
        ([1e308, 1e308], 0.5),
        ([1.7e308, 1.7e308], 0.5),
        ([5e-324, 5e-324], 0.5),
        ([1.5e308, 5e-324], 1.0),
        ([0, 2], 0.0),
        ([0, 0], None),
        ([3, 1], 0.75),
    ],
)
def test_weights_of_any_size(weights: list[float], mean: float | None) -> None:
    assert weighted_mean(zip(weights, (1.0, 0.0), strict=True)) == mean


@given(st.lists(st.tuples(SIZES, st.floats(0, 1)), min_size=1, max_size=8))
def test_it_is_the_plain_mean_where_that_can_be_had(pairs: list[tuple[float, float]]) -> None:
    plain = fsum(weight * value for weight, value in pairs) / fsum(weight for weight, _ in pairs)
    assert weighted_mean(pairs) == pytest.approx(plain, rel=1e-12)
    exact = sum(Fraction(weight) * Fraction(value) for weight, value in pairs)
    whole = sum(Fraction(weight) for weight, _ in pairs)
    assert weighted_mean(pairs) == pytest.approx(float(exact / whole), rel=1e-12)
