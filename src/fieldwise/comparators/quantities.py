"""Comparing amounts with units: `12 t` is `12000 kg`, and no number of metres.

Units are pint's (extra `units`), conversion is exact. Different dimensions are 0, with both named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fieldwise.comparators._numerals import reader
from fieldwise.comparators._options import amount, installed, refuse, settings
from fieldwise.comparators._readers import exact, is_number
from fieldwise.comparators._units import base, dimension, measure, named
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from fractions import Fraction


def quantity(
    *,
    unit: str | None = None,
    locale: str | None = None,
    decimal: str | None = None,
    group: str | None = None,
    absolute: float = 0,
    relative: float = 0,
) -> Comparator:
    """Accept amounts of the same dimension within `max(absolute, relative * |expected|)`; score 0 or 1.

    Reads a number and a unit (`12 t`, `36 km/h`, `9.81 m/s^2`, `20 °C`), and with `unit` also bare numbers.
    Needs `pip install 'fieldwise[units]'`.

    Args:
        unit: the unit of JSON numbers and of `absolute`; without it both are refused.
        locale: a tag of `fieldwise.comparators.LOCALES`.
        decimal: the decimal mark, instead of a locale; with none stated, ambiguous text is flagged.
        group: the mark between groups of digits, with `decimal`.
        absolute: the greatest difference, in `unit`; at least 0.
        relative: the greatest difference as a share of the expected value in base units. Not symmetric.

    Raises:
        ConfigError: for an unknown unit or locale, a bad tolerance, or pint missing.

    >>> quantity()("12 t", "12000 kg")
    1.0
    >>> quantity(unit="km/h")(36, "10 m/s")
    1.0
    """
    installed("quantity", "pint", "units")
    read = reader("quantity", locale, decimal, group)
    widest, share = amount("quantity", "absolute", absolute), amount("quantity", "relative", relative)
    if unit is not None:
        widest = _width(unit, widest)
    elif widest:
        raise refuse("quantity", "absolute", absolute, "state the unit it is in, such as unit='kg'")

    def value_of(value: Any) -> tuple[Fraction, Any]:
        if not is_number(value):
            return measure(value, read)
        if unit is None:
            raise Unreadable("a bare number has no unit; state unit, such as quantity(unit='kg')")
        return base(exact(value), unit)

    def grade(expected: Any, actual: Any) -> bool:
        (wanted, kind), (came, other) = value_of(expected), value_of(actual)
        if kind != other:
            raise Unreadable(f"one is {dimension(kind)}, the other {dimension(other)}")
        return abs(wanted - came) <= max(widest, share * abs(wanted))

    made = settings(
        unit=unit,
        locale=locale,
        decimal=decimal,
        group=group,
        absolute=absolute,
        relative=relative,
    )
    return Comparator("quantity", grade, made, symmetric=not relative)


def _width(unit: str, absolute: Fraction) -> Fraction:
    """A difference in base units: where a scale has an offset, as °C has, the offset drops out."""
    try:
        return abs(base(absolute, named(unit))[0] - base(absolute * 0, unit)[0])
    except Unreadable:
        raise refuse("quantity", "unit", unit, "give a unit pint knows, such as 'kg' or 'm/s^2'") from None
