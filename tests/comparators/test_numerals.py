"""Numbers written as text: stated conventions to the letter, unstated ones only where all agree."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import LOCALES, number_text
from tests.comparators.grades import grade

AMBIGUOUS: Final = "is ambiguous; state locale, or decimal and group"
DE: Final = {"locale": "de"}
CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    (DE, 1250.4, "1.250,40", 1.0),
    (DE, 1250, "1.250", 1.0),
    (DE, 1250.4, "1250,4", 1.0),
    (DE, 1.25, "1.25", "\"1.25\" is no number with decimal mark ','"),
    (DE, 1250.4, "1,250.40", "\"1,250.40\" is no number with decimal mark ','"),
    ({"locale": "de_DE"}, 1250, "1.250", 1.0),
    ({"locale": "en-IN"}, 1234567.5, "12,34,567.5", 1.0),
    ({"locale": "fr"}, 1250.4, "1\u202f250,40", 1.0),
    ({"locale": "de-CH"}, 1250.4, "1\u2019250.40", 1.0),
    ({"locale": "de-AT"}, 1250000, "1.250 000", "\"1.250 000\" is no number with decimal mark ','"),
    ({"locale": "fa"}, 1250.4, "\u06f1\u066c\u06f2\u06f5\u06f0\u066b\u06f4", 1.0),
    ({"decimal": ","}, 1250.4, "1250,40", 1.0),
    ({"decimal": ","}, 1250, "1.250", "\"1.250\" is no number with decimal mark ','"),
    ({"decimal": ".", "group": " "}, 1250.4, "1 250.40", 1.0),
    ({}, 1250.4, "1.250,40", 1.0),
    ({}, 1250.4, "1,250.40", 1.0),
    ({}, 1250, "1.250", f'"1.250" {AMBIGUOUS}'),
    ({}, 1.25, "1,250", f'"1,250" {AMBIGUOUS}'),
    ({}, 0.25, "0.250", 1.0),
    ({}, 1250.125, "1250,125", 1.0),
    ({}, 1250000, "1.250.000", 1.0),
    ({}, 1250, "1 250", 1.0),
    ({}, 0.5, ".5", 1.0),
    ({}, 1250, "1,25,0", '"1,25,0" is no number'),
    ({}, 1250, "1.25.000", '"1.25.000" is no number'),
    ({}, -75, "(75)", 1.0),
    ({}, -75, "-75", 1.0),
    ({}, -75, "\u221275", 1.0),
    ({}, -75, "75-", 1.0),
    ({}, 75, "+75", 1.0),
    ({}, 75, "(75", '"(75" is no number'),
    ({}, 75, "--75", '"--75" is no number'),
    ({}, 1250, "\uff11\uff12\uff15\uff10", 1.0),
    ({}, 1250.4, "\uff11\uff0c\uff12\uff15\uff10\uff0e\uff14", 1.0),
    ({}, 125, "\u0661\u0662\u0665", 1.0),
    ({}, 102, "10\u00b2", '"10²" is no number'),
    ({}, 0.45, "45%", 1.0),
    ({}, 45, "45 %", 0.0),
    ({"percent": "points"}, 45, "45\uff05", 1.0),
    ({}, 1500, "1.5e3", 1.0),
    ({}, 0, "1e-999", 0.0),
    ({}, 0, "1e-1000", '"1e-1000" is no number'),
    ({}, "1250.40", "1,250.4", 1.0),
    ({}, 9007199254740992, "9007199254740993", 0.0),
    ({}, Decimal("0.1"), "0.10", 1.0),
    ({"absolute": 0.01}, 1, "1.01", 1.0),
    ({"absolute": 0.01}, 1, "1.011", f'"1.011" {AMBIGUOUS}'),
    ({"absolute": 0.01, "locale": "en"}, 1, "1.011", 0.0),
    ({"relative": 0.1}, "100", 110, 1.0),
    ({"relative": 0.1}, "100", 111, 0.0),
    ({}, 0, "", '"" is no number'),
    ({}, 40, "$40", '"$40" is no number'),
    ({}, 1, True, "true is not text"),
    ({}, 1, float("nan"), "NaN is not a finite number"),
    ({}, 1, "9" * 401, "text of 401 characters is longer than the 400 that are read"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_number_text(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(number_text(**options), expected, actual) == wanted


@pytest.mark.parametrize("locale", sorted(LOCALES))
@given(value=st.integers(-(10**15), 10**15), places=st.integers(0, 6))
def test_what_a_locale_writes_is_read_back(locale: str, value: int, places: int) -> None:
    exact = Decimal(value).scaleb(-places)
    decimal, groups = LOCALES[locale]
    written = f"{exact:,f}".replace(",", "G").replace(".", decimal).replace("G", groups[0])
    assert number_text(locale=locale)(exact, written) == 1.0


@given(st.text("0123456789.,' -()", max_size=10))
def test_unstated_text_is_read_only_as_every_convention_reads_it(text: str) -> None:
    unstated = number_text()
    for tag in ("en", "de", "fr", "de-CH", "en-IN"):
        stated = number_text(locale=tag)
        for value in (0, 1, -1, 12, 1.2, 0.12):
            if isinstance(grade(unstated, value, text), float) and isinstance(
                grade(stated, value, text), float
            ):
                assert grade(unstated, value, text) == grade(stated, value, text)
