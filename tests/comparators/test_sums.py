"""Amounts of money: the currency must agree, and is never taken for a likely one."""

from __future__ import annotations

from typing import Any, Final

import pytest

from fieldwise.comparators import money
from fieldwise.comparators._currencies import CODES, SIGNS
from tests.comparators.grades import grade

USD: Final = {"currency": "USD"}
CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "$40", "EUR 40", 0.0),
    ({}, "$40", "$40.00", 1.0),
    ({}, "EUR 40", "40 €", 1.0),
    ({}, "40 euros", "€40", 1.0),
    ({}, "eur 40", "EUR40", 1.0),
    ({}, "EUR 40", "EUR 41", 0.0),
    ({}, "$40 USD", "USD 40", 1.0),
    ({}, "US$40", "USD 40", 1.0),
    ({}, "SEK 40", "40 SEK.", 1.0),
    ({}, "\uffe5\uff11\uff12\uff10", "¥120", 1.0),
    ({}, "$40", "USD 40", "'$' may be any of 29 currencies; state currency, such as money(currency='USD')"),
    ({}, "$40", 40, "'$' may be any of 29 currencies; state currency, such as money(currency='USD')"),
    ({}, "£40", 40, "'£' may be any of 9 currencies; state currency, such as money(currency='GBP')"),
    ({}, "CAD 40", "$40", "'$' may be any of 29 currencies; state currency, such as money(currency='CAD')"),
    ({}, "kr 40", "NOK 40", "'kr' may be any of 4 currencies; state currency, such as money(currency='NOK')"),
    ({}, 40, "EUR 40", "an amount names no currency; state currency, such as money(currency='EUR')"),
    ({}, 40, "40.00", 1.0),
    (USD, "$1,250.40", 1250.4, 1.0),
    (USD, "$2,150.00", "2150.00", 1.0),
    (USD, "$40", "USD 40", 1.0),
    (USD, "C$40", "$40", 0.0),
    (USD, "EUR 40", 40, 0.0),
    ({"currency": "CAD"}, "$40", "CAD 40", 1.0),
    ({}, "€1.250", "€1250", '"1.250" is ambiguous; state locale, or decimal and group'),
    ({"locale": "de"}, "€1.250", "1250 €", 1.0),
    ({"decimal": ",", "group": "."}, "1.250,40 €", "€1250,4", 1.0),
    ({}, "CHF 1'250.40", "Fr. 1250.40", 1.0),
    ({}, "Rs.500", "Rs 500", 1.0),
    ({}, "$.50", "$0.50", 1.0),
    ({}, "-$40", "($40)", 1.0),
    ({}, "$-40", "-$40", 1.0),
    ({}, "-40 $", "$ 40-", 1.0),
    ({}, "(-$40)", "$40", '"(-$40)" has more than one sign'),
    ({}, "($40", "$40", '"($40" is no amount of money'),
    ({}, "EUR 40 $", "EUR 40", "EUR and $ are different currencies"),
    ({}, "10 XQZ", 10, '"XQZ" is no known currency'),
    ({}, "ten euros", "EUR 10", '"ten euros" is no amount of money'),
    ({"absolute": 0.01}, "EUR 40", "EUR 40.01", 1.0),
    ({"absolute": 0.01}, "EUR 40", "EUR 40.02", 0.0),
    ({"absolute": 0.01}, "EUR 40", "GBP 40", 0.0),
    ({}, None, "EUR 40", "null is not text"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_money(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(money(**options), expected, actual) == wanted


def test_every_sign_stands_for_codes_that_exist() -> None:
    assert {sign: codes - CODES for sign, codes in SIGNS.items() if not codes or codes - CODES} == {}


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_in_front_is_the_code_behind(code: str) -> None:
    assert money()(f"{code} 40", f"40.00 {code.lower()}") == 1.0
