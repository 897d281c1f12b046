"""Sums of floats without rounding, so that no order and no split of the terms changes them."""

from __future__ import annotations

from typing import Final

_BITS: Final = 1074
ONE: Final = 1 << _BITS
"""The number 1 in units."""


def units(number: float) -> int:
    """Return a finite number in units of 2**-1074, of which every float is a whole multiple.

    >>> units(0.5) * 2 == units(1)
    True
    """
    if number == 1:
        return ONE
    top, bottom = float(number).as_integer_ratio()
    return top << (_BITS + 1 - bottom.bit_length())


def from_units(amount: int, count: int = 1) -> float:
    """Return `amount` units divided by `count`, correctly rounded.

    >>> from_units(units(0.1) * 10, 10)
    0.1
    """
    return amount / (count << _BITS)
