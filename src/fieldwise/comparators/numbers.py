"""Comparing numbers within a tolerance."""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.comparators._many import close, numbers
from fieldwise.core._say import shown
from fieldwise.core.compare import Comparator
from fieldwise.core.equality import preview
from fieldwise.core.values import to_json
from fieldwise.errors import ConfigError, Unreadable

if TYPE_CHECKING:
    from fractions import Fraction

_MAX_EXPONENT: Final = 1_000


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
        wanted, came = _read(expected), _read(actual)
        return abs(wanted - came) <= max(widest[0], widest[1] * abs(wanted))

    def within(wanted: Any, came: Any) -> tuple[Any, Any]:
        import numpy as np

        away, bound = abs(wanted - came), np.maximum(float(widest[0]), float(widest[1]) * abs(wanted))
        return (away <= bound).astype(float), close(away, bound)

    settings = {"absolute": to_json(absolute), "relative": to_json(relative)}
    return Comparator(
        "number",
        grade,
        settings,
        symmetric=not relative,
        many=lambda expected, actual: numbers(expected, actual, grade, within),
    )


def _tolerance(option: str, value: float | Decimal) -> Fraction:
    wrong = ConfigError(f"number({option}={shown(value)}): a tolerance is a finite number of at least 0")
    try:
        found = _read(value)
    except Unreadable:
        raise wrong from None
    if not 0 <= found <= sys.float_info.max:
        raise wrong
    return found


def _read(value: object) -> Fraction:
    """The number as written, exactly: a float by its shortest decimal form."""
    from fractions import Fraction

    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise Unreadable(f"{preview(value)} is not a number")
    if isinstance(value, int):
        return Fraction(int(value))
    written = Decimal(repr(float(value))) if isinstance(value, float) else value
    if not written.is_finite():
        raise Unreadable(f"{preview(value)} is not a finite number")
    if abs(written.adjusted()) > _MAX_EXPONENT:
        raise Unreadable(f"a number with exponent {written.adjusted()} is too large to subtract")
    return Fraction(written)
