"""The numbers in a text: which, and where."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.errors import ConfigError
from fieldwise.scorers.figures import Figures

ANY = Figures(None)


def within(text: str, locale: str | None = None) -> list[tuple[str, str]]:
    found = [(str(value), text[start:end]) for value, start, end in Figures(locale).within(text)]
    return sorted(found, key=lambda one: (text.index(one[1]), one))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 apples", [("12", "12")]),
        ("1,234.50", [("2469/2", "1,234.50")]),
        ("1.234,50", [("2469/2", "1.234,50")]),
        ("1'234.50", [("2469/2", "1'234.50")]),
        ("1 234", [("1", "1"), ("1234", "1 234"), ("234", "234")]),
        ("1.250", [("1250", "1.250"), ("5/4", "1.250")]),
        (".5", [("1/2", ".5")]),
        ("1e3", [("1000", "1e3")]),
        ("-5", [("-5", "-5")]),
        ("−5", [("-5", "−5")]),
        ("3-5", [("3", "3"), ("5", "5")]),
        ("3–5", [("3", "3"), ("5", "5")]),
        ("-$5", [("-5", "-$5")]),
        ("$5", [("5", "5")]),
        ("(75)", [("-75", "(75)"), ("75", "75")]),
        ("45%", [("45", "45"), ("9/20", "45%")]),
        ("45 %", [("45", "45"), ("9/20", "45 %")]),
        ("12kg", [("12", "12")]),
        ("2nd", [("2", "2")]),
        ("٤٥", [("45", "٤٥")]),
        ("1,2,3", [("1", "1"), ("2", "2"), ("3", "3")]),
        ("05.01.2024", [("5", "05"), ("1", "01"), ("2024", "2024")]),
        ("2024-01-05", [("2024", "2024"), ("1", "01"), ("5", "05")]),
        ("v1.8", []),
        ("A12", []),
        ("12ab3", []),
        ("1_000", []),
        ("x_12", []),
        ("", []),
    ],
)
def test_within(text: str, expected: list[tuple[str, str]]) -> None:
    assert within(text) == expected


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("de", "1.250", [("1250", "1.250")]),
        ("en", "1.250", [("5/4", "1.250")]),
        ("de", "1,5", [("3/2", "1,5")]),
        ("en", "1,5", [("1", "1"), ("5", "5")]),
    ],
)
def test_locale(locale: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert within(text, locale) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (12, {"12"}),
        (1.1, {"11/10"}),
        (Decimal("0.10"), {"1/10"}),
        (float("nan"), set()),
        (float("inf"), set()),
        (True, set()),
        (None, set()),
        ("1,234.5", {"2469/2"}),
        ("$1,234.5", {"2469/2"}),
        ("5 €", {"5"}),
        ("1.250", {"5/4", "1250"}),
        ("0.5", {"1/2"}),
        ("007", set()),
        ("INV-7", set()),
        ("", set()),
        ("1" * 70, set()),
    ],
    ids=lambda value: repr(sorted(value) if isinstance(value, set) else value),
)
def test_of(value: Any, expected: set[str]) -> None:
    assert {str(one) for one in ANY.of(value)} == expected


def test_unknown_locale() -> None:
    with pytest.raises(ConfigError, match=r"^grounded_fields\(locale='dee'\): there is no such locale here"):
        Figures("dee")


@given(
    st.decimals(-(10**9), 10**9, places=2),
    st.sampled_from([("{:,}", ",", "."), ("{:,}", ".", ","), ("{:,}", " ", ",")]),
)
def test_a_number_is_found_however_it_is_written(number: Decimal, way: tuple[str, str, str]) -> None:
    form, group, decimal = way
    written = form.format(abs(number)).replace(",", "\0").replace(".", decimal).replace("\0", group)
    text = f"it is {'-' if number < 0 else ''}{written} today"
    assert Fraction(number) in {value for value, _, _ in ANY.within(text)}
