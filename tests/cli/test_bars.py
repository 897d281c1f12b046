"""Whether a bar was reached, in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fieldwise.cli.common.bars import every, told
from fieldwise.report.words import mean, percent

LINES: list[tuple[float, float, Callable[[float], str], str]] = [
    (0.9, 0.9, mean, "passed: it 0.900 reaches 0.900"),
    (0.5, 0.9, mean, "failed: it 0.500 is below 0.900"),
    (0.9994, 0.9999, mean, "failed: it 0.9994 is below 0.9999"),
    (0.99991, 0.99992, percent, "failed: it 0.99991 is below 0.99992"),
    (-0.25, -0.5, mean, "passed: it -0.250 reaches -0.500"),
]


@pytest.mark.parametrize(("value", "bar", "shown", "line"), LINES)
def test_a_line_never_says_that_a_number_is_below_itself(
    value: float, bar: float, shown: Callable[[float], str], line: str
) -> None:
    assert told("it", value, bar, shown) == line


def test_a_distance_keeps_to_its_bar() -> None:
    words = ("exceeds", "keeps to")
    assert (
        told("it", 0.2, 0.5, mean, bar_shown="0.5", passed=True, words=words)
        == "passed: it 0.200 keeps to 0.5"
    )


def test_what_has_no_value_reaches_no_bar() -> None:
    rows = [("kappa", None, 0.6, mean), ("accuracy", 0.7, None, mean), ("coverage", 1.0, 1.0, percent)]
    assert list(every(rows)) == [
        "failed: there is no kappa to compare with 0.600",
        "passed: coverage 100% reaches 100%",
    ]
