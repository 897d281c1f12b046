"""How far raters agree beyond chance, over the same items; what a rater left out is None.

| measure | source |
|---|---|
| `kappa` | J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46; weighted: Psychological Bulletin 70 (1968) 213-220 |
| `alpha` | K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011: 1 - observed / expected disagreement |
"""  # noqa: E501 - a table

from __future__ import annotations

from collections import Counter
from math import fsum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Level: TypeAlias = Literal["nominal", "ordinal", "interval"]
Distance: TypeAlias = "Callable[[Any, Any], float]"


def kappa(
    first: Sequence[Any], second: Sequence[Any], weights: Literal["linear", "quadratic"] | None = None
) -> float | None:
    """Return Cohen's kappa of two raters, from -1 to 1; 0 is chance.

    Items that one of them left out do not count. None where chance alone would agree always.

    Args:
        first: the ratings of one.
        second: those of the other, of the same items.
        weights: how far apart two categories are, by their order; None: different is different.

    >>> kappa(["a", "a", "b", "b"], ["a", "a", "b", "a"])
    0.5
    """
    pairs = [pair for pair in zip(first, second, strict=True) if None not in pair]
    places = {value: at for at, value in enumerate(sorted({one for pair in pairs for one in pair}))}
    power = {"linear": 1, "quadratic": 2}.get(weights or "")

    def apart(left: Any, right: Any) -> float:
        if power is None:
            return float(left != right)
        return float(abs(places[left] - places[right]) ** power)

    observed = fsum(apart(left, right) for left, right in pairs)
    rows, columns = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    chance = fsum(apart(left, right) * n * m for left, n in rows.items() for right, m in columns.items())
    return None if chance == 0 else 1 - observed * len(pairs) / chance


def alpha(ratings: Sequence[Sequence[Any]], level: Level = "nominal") -> float | None:
    """Return Krippendorff's alpha of any number of raters; 1 is agreement, 0 is chance.

    Args:
        ratings: one sequence a rater, of the same items in the same order; None: left out.
        level: "nominal": different is different; "ordinal": by ranks; "interval": by squared difference.

    Returns:
        alpha; None where nothing can be compared, or all ratings are the same.

    >>> alpha([[1, 2, 3], [1, 2, 3]])
    1.0
    """
    units = [[one for one in unit if one is not None] for unit in zip(*ratings, strict=True)]
    pairable = [unit for unit in units if len(unit) > 1]
    totals = Counter(one for unit in pairable for one in unit)
    n = sum(totals.values())
    distance = _distance(level, totals)
    observed = fsum(_apart(Counter(unit), distance) / (len(unit) - 1) for unit in pairable)
    chance = _apart(totals, distance)
    return None if chance == 0 else 1 - (n - 1) * observed / chance


def _apart(counts: Counter[Any], distance: Distance) -> float:
    """The sum of the distances of all ordered pairs."""
    return fsum(n * m * distance(left, right) for left, n in counts.items() for right, m in counts.items())


def _distance(level: Level, totals: Counter[Any]) -> Distance:
    if level == "nominal":
        return lambda left, right: float(left != right)
    if level == "interval":
        return lambda left, right: float((left - right) ** 2)
    below, rank = 0, {}
    for value in sorted(totals):
        rank[value] = below + totals[value] / 2
        below += totals[value]
    return lambda left, right: float((rank[left] - rank[right]) ** 2)
