"""Intervals: between which bounds the true value lies, at a level of 95 % unless told otherwise.

An interval of nothing is None, never (0, 1) or a point. Bounds of a share stay within 0 and 1.

| interval | source |
|---|---|
| `wilson` | E. B. Wilson, JASA 22 (1927) 209-212: the score interval |
| `clopper_pearson` | C. J. Clopper, E. S. Pearson, Biometrika 26 (1934) 404-413: exact |
| `t_interval` | Student's t: mean ± t(n - 1) · s / √n |
"""

from __future__ import annotations

from functools import lru_cache
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Interval: TypeAlias = tuple[float, float]
LEVEL: Final = 0.95
"""How often an interval covers the true value."""


def wilson(successes: int, trials: int, level: float = LEVEL) -> Interval | None:
    """Return Wilson's score interval of a share, within 0 and 1; None of no trials.

    >>> low, high = wilson(9, 10)
    >>> round(low, 4), round(high, 4)
    (0.5958, 0.9821)
    """
    if not trials:
        return None
    z = z_of(level)
    share = successes / trials
    middle = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    low = 0.0 if successes == 0 else max(0.0, (middle - reach) / whole)
    high = 1.0 if successes == trials else min(1.0, (middle + reach) / whole)
    return low, high


def clopper_pearson(successes: int, trials: int, level: float = LEVEL) -> Interval | None:
    """Return the exact interval of a share; never narrower than it should be. None of no trials.

    >>> low, high = clopper_pearson(9, 10)
    >>> round(low, 4), round(high, 4)
    (0.555, 0.9975)
    """
    if not trials:
        return None
    from scipy.special import betaincinv

    tail, failures = (1 - level) / 2, trials - successes
    low = float(betaincinv(successes, failures + 1, tail)) if successes else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if failures else 1.0
    return low, high


def t_interval(values: Sequence[float], level: float = LEVEL) -> Interval | None:
    """Return Student's interval of a mean; None of fewer than two values.

    It is not cut to the range of a score: near its ends use the bootstrap of `spread`.

    >>> low, high = t_interval([0.0, 1.0])
    >>> round(low, 3), round(high, 3)
    (-5.853, 6.853)
    """
    n = len(values)
    if n < 2:  # noqa: PLR2004 - one value has no spread
        return None
    mean = fsum(values) / n
    error = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1) / n)
    reach = t_of(level, n - 1) * error
    return mean - reach, mean + reach


@lru_cache(maxsize=8)
def z_of(level: float) -> float:
    """Return how many standard deviations around the mean hold this share of a normal distribution.

    >>> round(z_of(0.95), 4)
    1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


@lru_cache(maxsize=256)
def t_of(level: float, freedom: int) -> float:
    """Return the same for Student's t with so many degrees of freedom.

    >>> round(t_of(0.95, 9), 4)
    2.2622
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))
