"""Numbers and text for one line of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from fieldwise.report import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain [red] text", "plain [red] text"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31m\x9b1m\x00", "\\x1b[31m\\x9b1m\\x00"),
        ("\ud800\udfff", "\\ud800\\udfff"),
        ("\u202e\u2066", "\\u202e\\u2066"),
        ("no\u00a0break\u3000wide", "no break wide"),
        ("\u2028", "\\u2028"),
        ("東京 é 😀", "東京 é 😀"),
    ],
    ids=repr,
)
def test_safe(text: str, expected: str) -> None:
    assert words.safe(text) == expected


@given(st.text(), st.integers(1, 40))
def test_clip_fits_and_prints(text: str, width: int) -> None:
    cut = words.clip(text, width)
    assert cut.isprintable()
    assert cell_len(cut) <= width
    if cell_len(words.safe(text)) <= width:
        assert cut == words.safe(text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0.000"),
        (0.9999, "0.999"),
        (1.0, "1.000"),
        (2 / 3, "0.667"),
        (3.5, "3.500"),
        (-0.5, "-0.500"),
        (None, "-"),
    ],
)
def test_mean(value: float | None, expected: str) -> None:
    assert words.mean(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0%"),
        (1e-9, "0.1%"),
        (0.5, "50%"),
        (0.99999, "99.9%"),
        (1.0, "100%"),
        (1 / 3, "33.3%"),
        (None, "-"),
    ],
)
def test_percent(value: float | None, expected: str) -> None:
    assert words.percent(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0.00 s"),
        (9.994, "9.99 s"),
        (12.4, "12 s"),
        (59.9, "60 s"),
        (60, "1 min 0 s"),
        (3600, "1 h 0 min"),
    ],
)
def test_seconds(value: float, expected: str) -> None:
    assert words.seconds(value) == expected


def test_count() -> None:
    assert [words.count(number, "entry", "entries") for number in (0, 1, 2_000)] == [
        "0 entries",
        "1 entry",
        "2,000 entries",
    ]
