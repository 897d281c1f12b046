"""Grading text by any scorer of `rapidfuzz.fuzz`, as a share of 1.

Very long texts are refused: a scorer that looks for the best part takes time that grows with the
square of the shorter text times the longer one.
"""

from __future__ import annotations

from typing import Any, Final

from fieldwise.comparators._options import flags, one_of
from fieldwise.comparators._readers import text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

SCORERS: Final = (
    "ratio",
    "partial_ratio",
    "token_sort_ratio",
    "token_set_ratio",
    "token_ratio",
    "partial_token_sort_ratio",
    "partial_token_set_ratio",
    "partial_token_ratio",
    "WRatio",
    "QRatio",
)
"""The names of `rapidfuzz.fuzz`."""

_MAX_WHOLE: Final = 10**10
_MAX_PARTIAL: Final = 3 * 10**10
_LONG_TAIL: Final = 1.5


def fuzzy(*, scorer: str = "ratio", clean: bool = True) -> Comparator:
    """Grade text in 0..1 by a RapidFuzz scorer divided by 100. Symmetric.

    Args:
        scorer: a name of `SCORERS`.
        clean: lower the case and take every character that is no letter or digit for a space, as
            `rapidfuzz.utils.default_process`. Where that empties either text, both stay as they are.

    Raises:
        ConfigError: for a scorer that does not exist, or a switch that is no boolean.

    >>> round(fuzzy()("Kivi Oyj", "KIVI OY"), 3)
    0.933
    >>> fuzzy(scorer="token_sort_ratio")("Doe, Jane", "Jane Doe")
    1.0
    """
    one_of("fuzzy", "scorer", scorer, SCORERS)
    flags("fuzzy", clean=clean)

    def grade(expected: Any, actual: Any) -> float:
        import rapidfuzz.fuzz
        import rapidfuzz.utils

        wanted, came = text_of(expected), text_of(actual)
        _refuse_long(scorer, len(wanted), len(came))
        if clean:
            process = rapidfuzz.utils.default_process
            pair = process(wanted), process(came)
            wanted, came = pair if all(pair) else (wanted, came)
        return float(getattr(rapidfuzz.fuzz, scorer)(wanted, came)) / 100

    return Comparator("fuzzy", grade, {"scorer": scorer, "clean": clean})


def _refuse_long(scorer: str, one: int, other: int) -> None:
    short, long = sorted((one, other))
    partial = "partial" in scorer or (scorer == "WRatio" and long >= _LONG_TAIL * short)
    if short * long > _MAX_WHOLE or (partial and short * short * long > _MAX_PARTIAL):
        raise Unreadable(f"texts of {one} and {other} characters are too long for {scorer}")
