"""Grading many values at once, for pairing lists: numpy and RapidFuzz over whole tables.

Each function takes the expected and the actual values and returns an array with a row for each actual
one, of what the comparator's `grade` gives to within 1e-9; 0 for values it cannot read. Where a float
cannot tell on which side of a bound a pair is, `grade` is asked.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fieldwise._types import CompareCallable

    Values = Sequence[Any]
    Bounds = Callable[[Any, Any], tuple[Any, Any]]

_NUMBERS: Final = frozenset({int, float, Decimal})
_EXACT: Final = 2**53
_HUGE: Final = 1e100
_TINY: Final = 1e-100
_MARGIN: Final = 1e-6


def texts(expected: Values, actual: Values, scorer: Any, divisor: float = 1.0) -> Any:
    """Grade text with a scorer of RapidFuzz."""
    import numpy as np
    from rapidfuzz.process import cdist

    def grades(came: Values, wanted: Values) -> Any:
        return cdist(came, wanted, scorer=scorer, dtype=np.float64) / divisor

    return _among(expected, actual, _is_text, grades)


def numbers(expected: Values, actual: Values, grade: CompareCallable, graded: Any) -> Any:
    """Grade numbers: `graded(wanted, came)` gives the grades of two arrays and where they are in doubt."""
    import numpy as np

    def grades(came: Values, wanted: Values) -> Any:
        row, column = np.array(came, dtype=float)[:, None], np.array(wanted, dtype=float)[None, :]
        with np.errstate(over="ignore"):
            table, doubt = graded(column, row)
        if doubt.any():
            for at, other in np.argwhere(doubt).tolist():
                table[at, other] = float(grade(wanted[other], came[at]))
        return table

    table = _among(expected, actual, _is_small, grades)
    if any(_is_large(one) for one in (*expected, *actual)):
        for at, came in enumerate(actual):
            for other, wanted in enumerate(expected):
                if _is_large(came) or _is_large(wanted):
                    table[at, other] = _asked(grade, wanted, came)
    return table


def close(values: Any, bound: Any) -> Any:
    """Where values lie so near a bound that floats cannot tell on which side."""
    return abs(values - bound) <= _MARGIN * bound


def _asked(grade: CompareCallable, expected: Any, actual: Any) -> float:
    try:
        return float(grade(expected, actual))
    except Unreadable:
        return 0.0


def _among(expected: Values, actual: Values, fits: Callable[[Any], bool], grades: Any) -> Any:
    """Grade the values that fit; 0 for all others."""
    import numpy as np

    rows = [at for at, one in enumerate(actual) if fits(one)]
    columns = [at for at, one in enumerate(expected) if fits(one)]
    if len(rows) == len(actual) and len(columns) == len(expected):
        return grades(actual, expected)
    table = np.zeros((len(actual), len(expected)))
    if rows and columns:
        found = grades([actual[at] for at in rows], [expected[at] for at in columns])
        table[np.ix_(rows, columns)] = found
    return table


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_small(value: Any) -> bool:
    """Whether a value is a number that a float holds exactly, or as it was written."""
    kind = type(value)
    if kind is float:
        return bool(value == 0 or _TINY < abs(value) < _HUGE)
    return kind is int and -_EXACT <= value <= _EXACT


def _is_large(value: Any) -> bool:
    return type(value) in _NUMBERS and not _is_small(value)
