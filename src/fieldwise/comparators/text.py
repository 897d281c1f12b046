"""Comparing text by similarity."""

from __future__ import annotations

from typing import Any, Final

from fieldwise.core.compare import Comparator
from fieldwise.core.select import nearest
from fieldwise.errors import ConfigError, Unreadable

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


def string_similarity(metric: str = "levenshtein") -> Comparator:
    """Grade text by normalised similarity: 1 - distance / longest possible distance.

    Args:
        metric: a row of `METRICS`. Computed by RapidFuzz.

    Raises:
        ConfigError: for a metric that is not in the table.

    >>> string_similarity()("kitten", "sitting")
    0.5714285714285714
    """
    if metric not in METRICS:
        close = nearest(str(metric), METRICS)
        hint = f"did you mean {close!r}?" if close else f"known: {', '.join(METRICS)}"
        raise ConfigError(f"string_similarity(metric={metric!r}): there is no such metric; {hint}")

    def grade(expected: Any, actual: Any) -> float:
        if not isinstance(expected, str) or not isinstance(actual, str):
            other = expected if not isinstance(expected, str) else actual
            raise Unreadable(f"{type(other).__name__} is not text")
        import rapidfuzz.distance

        module = getattr(rapidfuzz.distance, METRICS[metric])
        return float(module.normalized_similarity(expected, actual))

    return Comparator("string_similarity", grade, {"metric": metric})
