"""Outcomes in words: whole lines, and bounds whatever the values are."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise._types import MISSING
from fieldwise.core.compare import Outcome
from fieldwise.core.explain import comment, line
from fieldwise.core.select import place_name

LINES: list[tuple[Outcome, str]] = [
    (Outcome("qty", 0.0, 2, 3), "qty: expected 2, got 3"),
    (Outcome("items[*].qty", 0.0, 2, 3, where=("items", 4, "qty")), "items[4].qty: expected 2, got 3"),
    (Outcome("a", 0.0, 1, MISSING, reason="missing"), "a: expected 1, missing"),
    (Outcome("a", 0.0, MISSING, 1, reason="unexpected"), "a: got 1, not expected"),
    (Outcome("a", 0.5, "x", "y", comparator="number"), 'a: expected "x", got "y" [number 0.5]'),
    (
        Outcome("a", 0.0, 1, "y", reason="number could not read it: text"),
        'a: expected 1, got "y" (number could not read it: text)',
    ),
    (
        Outcome("a", None, 1, 2, status="judge_error", reason="not answered"),
        "a: expected 1, got 2 (not answered) [judge_error]",
    ),
    (
        Outcome("a", 1.0, 1, 2, reason="close enough", comparator="judge"),
        "a: expected 1, got 2 (close enough)",
    ),
    (Outcome("$", 0.0, None, MISSING), "$: expected null, missing"),
]


@pytest.mark.parametrize(("outcome", "expected"), LINES)
def test_line(outcome: Outcome, expected: str) -> None:
    assert line(outcome) == expected


def test_a_line_is_one_line_and_bounded() -> None:
    text = line(
        Outcome("n" * 5000, 0.5, "e" * 10**6, ["a"] * 10**6, reason="r\n" * 10**6, comparator="exact")
    )
    assert "\n" not in text
    assert len(text) < 700
    assert text.startswith("n" * 119 + "…: expected")


def test_a_line_shows_odd_names_in_one_line() -> None:
    outcome = Outcome("a", 0.0, 1, 2, where=("a\nb", "c"))
    assert line(outcome) == "['a b'].c: expected 1, got 2"


def wrong(number: int) -> Outcome:
    return Outcome(f"f{number}", 0.0, 1, 2)


@pytest.mark.parametrize(
    ("outcomes", "total", "expected"),
    [
        ([], 3, None),
        ([wrong(1)], 1, "f1: expected 1, got 2"),
        ([wrong(1)], 3, "1 of 3 fields not right: f1: expected 1, got 2"),
        (
            [wrong(1), Outcome("g", 1.0, 1, 2, comparator="judge", reason="fine")],
            2,
            "1 of 2 fields not right: f1: expected 1, got 2; g: expected 1, got 2 (fine)",
        ),
        (
            [wrong(number) for number in range(7)],
            9,
            "7 of 9 fields not right: "
            + "; ".join(f"f{number}: expected 1, got 2" for number in range(5))
            + "; and 2 more",
        ),
    ],
)
def test_comment(outcomes: list[Outcome], total: int, expected: str | None) -> None:
    assert comment(outcomes, total, "fields") == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [((), "$"), (("a", 0, "b"), "a[0].b"), ((0, "a b"), "[0]['a b']")],
)
def test_place_name(where: Any, expected: str) -> None:
    assert place_name(where) == expected
