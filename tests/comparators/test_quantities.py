"""Amounts with units: exact conversion, dimensions that must agree, and no arithmetic from data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import pytest

from fieldwise.comparators import _units, quantity
from tests.comparators.grades import grade

CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "12 t", "12000 kg", 1.0),
    ({}, "12 t", "12\u00a0000 kg", 1.0),
    ({}, "12 t", "12001 kg", 0.0),
    ({}, "36 km/h", "10 m/s", 1.0),
    ({}, "1 kWh", "3.6 MJ", 1.0),
    ({}, "20 °C", "68 °F", 1.0),
    ({}, "20 °C", "293.15 K", 1.0),
    ({}, "-5°C", "\u22125 °C", 1.0),
    ({}, "1,5 l", "1500 ml", 1.0),
    ({}, "9.81 m/s^2", "9.81 m/s²", 1.0),
    ({}, "1 N·m", "1 J", 1.0),
    ({}, "1 mile per hour", "1 mph", 1.0),
    ({}, "50 %", "50 percent", 1.0),
    ({}, "12 kg", "3 m", "one is mass, the other length"),
    ({}, "12 kg", "3 m/s", "one is mass, the other length / time"),
    ({}, "12 m^2", "3 Hz", "one is length^2, the other 1 / time"),
    ({}, "12 kg", "3 %", "one is mass, the other no dimension"),
    ({}, "12 kg", "12", '"12" is no number with a unit'),
    ({}, "12 kg", 12, "a bare number has no unit; state unit, such as quantity(unit='kg')"),
    ({"unit": "kg"}, "12000 g", 12, 1.0),
    ({"unit": "kg", "absolute": 0.5}, 12, "12500 g", 1.0),
    ({"unit": "kg", "absolute": 0.5}, 12, "12501 g", 0.0),
    ({"unit": "°C", "absolute": 1}, "20 °C", "21 °C", 1.0),
    ({"unit": "°C", "absolute": 1}, "20 °C", "22 °C", 0.0),
    ({"relative": 0.1}, "10 kg", "11 kg", 1.0),
    ({}, "1250 kg", "1.250 kg", '"1.250" is ambiguous; state locale, or decimal and group'),
    ({"locale": "de"}, "1250 kg", "1.250 kg", 1.0),
    ({}, "12 dBm", "13 dBm", '"dBm" is no known unit'),
    ({}, "12 kg", "12 blorp", '"blorp" is no known unit'),
    ({}, "12 kg", "9**9**9 kg", '"9**9**9 kg" is no number with a unit'),
    ({}, "12 kg", "12 kg**999999999", '"12 kg**999999999" is no number with a unit'),
    ({}, "12 kg", "12 (kg)", '"12 (kg)" is no number with a unit'),
    ({}, "12 kg", ["12 kg"], '["12 kg"] is not text'),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_quantity(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(quantity(**options), expected, actual) == wanted


def test_a_unit_without_even_steps_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    class Squared:
        dimensionality: Final[dict[str, int]] = {}

        def __init__(self, number: int, _unit: str) -> None:
            self.magnitude = number * number

        def to_root_units(self) -> Squared:
            return self

    registry = SimpleNamespace(parse_units=str, Quantity=Squared)
    monkeypatch.setattr(_units, "_registry", lambda: registry)
    assert grade(quantity(), "1 squaredunit", "2 squaredunit") == '"squaredunit" has no even steps'
