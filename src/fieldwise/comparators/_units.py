"""Amounts with units, read by pint with exact fractions.

Pint never sees more than the name of a unit in a narrow grammar: its parser evaluates expressions, and
text from a model is no place for that. One registry serves the process; it is made on first use.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.comparators._readers import plain, shown, text_of
from fieldwise.core.once import once
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from fractions import Fraction

    from fieldwise.comparators._numerals import Reader

Dimensions: TypeAlias = "tuple[tuple[str, Fraction], ...]"

_MAX_LENGTH: Final = 100
_WORD: Final = r"[^\W\d_]{1,30}(?:\^-?[1-9]|[²³]|⁻[¹²³])?"
_UNIT: Final = rf"(?:%|°?{_WORD}(?:(?: ?[/*·] ?| ){_WORD}){{0,7}})"
_AMOUNT: Final = re.compile(
    rf"(?P<number>[+-]? ?[.,]?[0-9](?:[0-9.,' ]*[0-9])?(?:[eE][+-]?[0-9]{{1,3}})?) ?(?P<unit>{_UNIT})"
)
_NAME: Final = re.compile(_UNIT)


def split(value: Any) -> tuple[str, str]:
    """Split text such as `12 t` into the text of its number and the name of its unit.

    Raises:
        Unreadable: for anything else.
    """
    text = " ".join(plain(text_of(value, _MAX_LENGTH)).split())
    found = _AMOUNT.fullmatch(text)
    if not found:
        raise Unreadable(f"{shown(text)} is no number with a unit")
    return found["number"], found["unit"]


def measure(value: Any, read: Reader) -> tuple[Fraction, Dimensions]:
    """Read an amount in base units, and the dimensions it has.

    Raises:
        Unreadable: for text that is no amount, and for an unknown unit.
    """
    number, unit = split(value)
    return base(read(number), unit)


def named(unit: object) -> str:
    """Return the name of a unit that an option states, whether or not pint knows it.

    Raises:
        Unreadable: for what cannot be the name of a unit.
    """
    if not isinstance(unit, str) or not _NAME.fullmatch(unit):
        raise Unreadable("this is no name of a unit")
    return unit


def base(number: Fraction, unit: str) -> tuple[Fraction, Dimensions]:
    """Convert a number of a unit to base units exactly, and name its dimensions."""
    offset, factor, dimensions = _scale(unit)
    return offset + number * factor, dimensions


@lru_cache(maxsize=1_024)
def _scale(unit: str) -> tuple[Fraction, Fraction, Dimensions]:
    """Where the zero of a unit lies in base units, how large its step is, and its dimensions.

    Raises:
        Unreadable: for a unit pint does not know, and for one without even steps, such as a decibel.
    """
    from fractions import Fraction

    try:
        parsed = _registry().parse_units(unit.replace("·", "*"))
        points = [_registry().Quantity(Fraction(at), parsed).to_root_units() for at in range(3)]
        offset, one, two = [Fraction(point.magnitude) for point in points]
        dimensions = tuple(sorted(points[0].dimensionality.items()))
    except Exception:  # noqa: BLE001 - pint's parser raises its own errors, and Python's own, by the dozen
        raise Unreadable(f"{shown(unit)} is no known unit") from None
    if two - one != one - offset:
        raise Unreadable(f"{shown(unit)} has no even steps")
    return offset, one - offset, dimensions


@once
def _registry() -> Any:
    from fractions import Fraction

    import pint

    exact: Any = Fraction  # which pint takes, though its annotation says float
    return pint.UnitRegistry(non_int_type=exact)


def dimension(dimensions: Dimensions) -> str:
    """Dimensions for people: `mass`, `length / time`."""
    up = [_power(name, power) for name, power in dimensions if power > 0]
    down = [_power(name, -power) for name, power in dimensions if power < 0]
    above = " ".join(up) or ("1" if down else "no dimension")
    return f"{above} / {' '.join(down)}" if down else above


def _power(name: str, power: Fraction) -> str:
    return name.strip("[]") if power == 1 else f"{name.strip('[]')}^{power}"
