"""Comparing numbers within a tolerance."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from fieldwise.comparators._many import close, numbers
from fieldwise.comparators._options import settings
from fieldwise.comparators._readers import exact
from fieldwise.core.compare import Comparator
from fieldwise.core.display import shown
from fieldwise.errors import ConfigError, Unreadable

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction


def number(*, absolute: float | Decimal = 0, relative: float | Decimal = 0) -> Comparator:
    """Accept numbers that differ by at most `max(absolute, relative * |expected|)`.

    The difference is exact decimal arithmetic on the numbers as they are written, so 1.1 is within 0.1
    of 1.0, and integers of any size never pass through a float. Numbers in text are not read: see
    `coerce`.

    Args:
        absolute: the greatest difference, at least 0.
        relative: the greatest difference as a share of the expected value, at least 0. Not symmetric.

    Raises:
        ConfigError: for a tolerance that is negative, not finite or no number.

    >>> number(absolute=0.1)(1.0, 1.1)
    1.0
    >>> number(relative=0.01)(100, 102)
    0.0
    """
    widest = _tolerance("absolute", absolute), _tolerance("relative", relative)

    def grade(expected: object, actual: object) -> bool:
        wanted, came = exact(expected), exact(actual)
        return abs(wanted - came) <= max(widest[0], widest[1] * abs(wanted))

    def within(wanted: Any, came: Any) -> tuple[Any, Any]:
        import numpy as np

        away, bound = abs(wanted - came), np.maximum(float(widest[0]), float(widest[1]) * abs(wanted))
        return (away <= bound).astype(float), close(away, bound)

    made = settings(absolute=absolute, relative=relative)
    return Comparator(
        "number",
        grade,
        made,
        symmetric=not relative,
        many=lambda expected, actual: numbers(expected, actual, grade, within),
    )


def _tolerance(option: str, value: float | Decimal) -> Fraction:
    wrong = ConfigError(f"number({option}={shown(value)}): a tolerance is a finite number of at least 0")
    try:
        found = exact(value)
    except Unreadable:
        raise wrong from None
    if not 0 <= found <= sys.float_info.max:
        raise wrong
    return found
