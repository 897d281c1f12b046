"""The mean of values that count differently much, whatever the size of their weights."""

from __future__ import annotations

from math import frexp, fsum, ldexp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def weighted_mean(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Return the mean of (weight, value); None where nothing has weight.

    Weights are scaled by a power of two, which is exact, so that neither their sum nor a product is too large
    or too small for a float.

    >>> weighted_mean([(3, 1.0), (1, 0.0)]), weighted_mean([(1e308, 1.0), (1e308, 0.5)]), weighted_mean([])
    (0.75, 0.75, None)
    """
    rows = list(pairs)
    greatest = max((weight for weight, _ in rows), default=0.0)
    if not greatest > 0:
        return None
    down = -frexp(greatest)[1]
    shares = [ldexp(weight, down) for weight, _ in rows]
    return fsum(share * value for share, (_, value) in zip(shares, rows, strict=True)) / fsum(shares)
