"""Grading numbers by how far apart they are.

Formula: 1 where |expected - actual| is within `tolerance` of the base, else
max(0, 1 - |expected - actual| / base), where the base is |expected| or the larger magnitude. Arithmetic
is exact until the last division, so integers of any size never pass through a float.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from fieldwise.comparators._many import close, numbers
from fieldwise.comparators._options import amount, one_of, settings
from fieldwise.comparators._readers import exact
from fieldwise.core.compare import Comparator

_NOTHING: Final = 1e-150
"""A base that no number but 0 is near."""
_WIDEST: Final = 10**300


def numeric_diff(
    *, tolerance: float = 0.01, relative_to: Literal["expected", "larger"] = "expected"
) -> Comparator:
    """Grade numbers in 0..1 by their relative difference; within `tolerance` of the base is 1.

    An expected 0 is only met by 0.

    Args:
        tolerance: the share of the base within which the score is 1, at least 0.
        relative_to: the base: |expected| (not symmetric), or the larger of both (symmetric).

    Raises:
        ConfigError: for a bad tolerance or base.

    >>> numeric_diff()(100, 90)
    0.9
    >>> numeric_diff()(6, -12)
    0.0
    """
    share = amount("numeric_diff", "tolerance", tolerance)
    one_of("numeric_diff", "relative_to", relative_to, ("expected", "larger"))

    def grade(expected: Any, actual: Any) -> float:
        wanted, came = exact(expected), exact(actual)
        base = abs(wanted) if relative_to == "expected" else max(abs(wanted), abs(came))
        difference = abs(wanted - came)
        if difference <= share * base:
            return 1.0
        if difference >= base:
            return 0.0
        near = base - difference
        return (near.numerator * base.denominator) / (near.denominator * base.numerator)

    within = float(share) if share < _WIDEST else float(_WIDEST)

    def graded(wanted: Any, came: Any) -> tuple[Any, Any]:
        import numpy as np

        base = abs(wanted) if relative_to == "expected" else np.maximum(abs(wanted), abs(came))
        away, bound = abs(wanted - came), within * base
        table = np.maximum(1.0 - away / np.where(base == 0, _NOTHING, base), 0.0)
        table[away <= bound] = 1.0
        return table, close(away, bound)

    made = settings(
        tolerance=tolerance,
        relative_to=relative_to,
    )
    return Comparator(
        "numeric_diff",
        grade,
        made,
        symmetric=relative_to == "larger",
        many=lambda expected, actual: numbers(expected, actual, grade, graded),
    )
