"""Comparing numbers within a tolerance."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.compare import Comparator
from fieldwise.errors import ConfigError, Unreadable

if TYPE_CHECKING:
    from fractions import Fraction

_MAX_EXPONENT: Final = 1_000


def number(*, absolute: float = 0, relative: float = 0) -> Comparator:
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

    def grade(expected: Any, actual: Any) -> bool:
        wanted, came = _read(expected), _read(actual)
        return abs(wanted - came) <= max(widest[0], widest[1] * abs(wanted))

    settings = {"absolute": absolute, "relative": relative}
    return Comparator("number", grade, settings, symmetric=not relative)


def _tolerance(option: str, value: float) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not value >= 0:
        raise ConfigError(f"number({option}={value!r}): a tolerance is a number of at least 0")
    if math.isinf(value):
        raise ConfigError(f"number({option}={value!r}): a tolerance is finite")
    return _fraction(value)


def _read(value: Any) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise Unreadable(f"{type(value).__name__} is not a number")
    if not math.isfinite(value) if isinstance(value, float) else not Decimal(value).is_finite():
        raise Unreadable(f"{value} is not a finite number")
    if isinstance(value, Decimal) and abs(value.adjusted()) > _MAX_EXPONENT:
        raise Unreadable(f"a number with exponent {value.adjusted()} is too large to subtract")
    return _fraction(value)


def _fraction(value: float | Decimal) -> Fraction:
    """The number as written: a float by its shortest decimal form."""
    from fractions import Fraction

    return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value) if isinstance(value, float) else value))
