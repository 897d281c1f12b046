"""Comparing text by similarity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise.comparators._many import texts
from fieldwise.comparators._options import is_known, meant
from fieldwise.core.compare import Comparator
from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.errors import ConfigError, Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

METRICS: Final[dict[str, str]] = {
    "levenshtein": "Levenshtein",
    "damerau_levenshtein": "DamerauLevenshtein",
    "osa": "OSA",
    "indel": "Indel",
    "jaro": "Jaro",
    "jaro_winkler": "JaroWinkler",
    "lcs": "LCSseq",
    "hamming": "Hamming",
    "prefix": "Prefix",
    "postfix": "Postfix",
}
"""Metric name to the module of `rapidfuzz.distance` that computes its normalised similarity."""

_SLOW: Final = frozenset({"damerau_levenshtein"})
"""What takes a step for each cell, not for each word of them."""

MAX_CELLS: Final = 400_000_000
"""The greatest product of two lengths that is compared: 20,000 x 20,000 characters."""


def string_similarity(metric: str = "levenshtein") -> Comparator:
    """Grade text by normalised similarity: 1 - distance / longest possible distance.

    Args:
        metric: a row of `METRICS`. Computed by RapidFuzz.

    Raises:
        ConfigError: for a metric that is not in the table.

    >>> string_similarity()("kitten", "sitting")
    0.5714285714285714
    """
    if not is_known(metric, METRICS):
        close = meant(metric, METRICS)
        hint = f"did you mean {close!r}?" if close else f"known: {', '.join(METRICS)}"
        raise ConfigError(f"string_similarity(metric={shown(metric)}): there is no such metric; {hint}")

    def grade(expected: Any, actual: Any) -> float:
        for value in (expected, actual):
            if not isinstance(value, str):
                raise Unreadable(f"{preview(value)} is not text")
        if len(expected) * len(actual) > MAX_CELLS:
            raise Unreadable(f"{len(expected):,} x {len(actual):,} characters are too many to compare")
        import rapidfuzz.distance

        module = getattr(rapidfuzz.distance, METRICS[metric])
        return float(module.normalized_similarity(expected, actual))

    def many(expected: Sequence[Any], actual: Sequence[Any]) -> Any:
        import rapidfuzz.distance

        return texts(expected, actual, getattr(rapidfuzz.distance, METRICS[metric]).normalized_similarity)

    at_once = None if metric in _SLOW else many
    return Comparator("string_similarity", grade, {"metric": metric}, many=at_once)
