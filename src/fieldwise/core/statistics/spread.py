"""The scores of a run as a state that merges, and the interval of their mean.

An item is what was drawn at random: it may have been answered several times, and its scores hang together.
The state counts items by their scores, so it knows nothing of their order; where there are more kinds of item
than `MAX_KINDS` it keeps exact moments alone.

Which interval, by the data alone:
1. Every score 0 or 1, one an item: Wilson's.
2. Otherwise the percentile bootstrap over items (B. Efron, R. Tibshirani, An Introduction to the Bootstrap,
   1993, chapter 13), `RESAMPLES` seeded draws. Items of several scores are drawn whole (a clustered
   bootstrap: A. C. Davison, D. V. Hinkley, Bootstrap Methods, 1997, section 3.8).
3. Past `MAX_KINDS`, where resampling would tell no more: mean ± z · the ratio estimator's standard error over
   items (W. G. Cochran, Sampling Techniques, 1977, section 6.3).

Items that all have the same scores show no spread, which is no certainty: Wilson's interval where they are
all 0 or 1, None otherwise.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fieldwise.core.statistics.exact import from_units, units
from fieldwise.core.statistics.intervals import LEVEL, wilson, z_of

if TYPE_CHECKING:
    from collections.abc import Iterable

Method: TypeAlias = Literal["wilson", "bootstrap", "normal"]
MAX_KINDS: Final = 2_000
RESAMPLES: Final = 2_000
_SEED: Final = 20_240_607
_BLOCK: Final = 100
_UNIT: Final = units(1.0)


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval of a mean, and how it was found."""

    low: float
    high: float
    method: Method


@dataclass(slots=True)
class Spread:
    """The graded scores of one feedback key.

    Attributes:
        items: how many items have a score.
        count: how many scores there are.
        kinds: how many items have exactly these scores; None past `MAX_KINDS`.

    >>> spread = Spread()
    >>> for score in (1.0, 1.0, 0.5, 0.0):
    ...     spread.add([score])
    >>> spread.mean, spread.bounds().method
    (0.625, 'bootstrap')
    """

    items: int = 0
    count: int = 0
    kinds: Counter[tuple[float, ...]] | None = field(default_factory=Counter)
    _sum: int = 0
    _squares: int = 0
    _counts: int = 0
    _cross: int = 0

    def add(self, scores: Iterable[float]) -> None:
        """Count one item; without a score it is none."""
        kind = tuple(sorted(map(float, scores)))
        if not kind:
            return
        total, n = sum(map(units, kind)), len(kind)
        self.items += 1
        self.count += n
        self._sum += total
        self._squares += total * total
        self._counts += n * n
        self._cross += n * total
        if self.kinds is not None:
            self.kinds[kind] += 1
            self._bound()

    def merge(self, other: Spread) -> None:
        """Count what `other` counted, which are other items."""
        self.items += other.items
        self.count += other.count
        self._sum += other._sum
        self._squares += other._squares
        self._counts += other._counts
        self._cross += other._cross
        if self.kinds is None or other.kinds is None:
            self.kinds = None
        else:
            self.kinds.update(other.kinds)
            self._bound()

    def _bound(self) -> None:
        if self.kinds is not None and len(self.kinds) > MAX_KINDS:
            self.kinds = None

    @property
    def mean(self) -> float | None:
        """The mean of all scores, correctly rounded; None without any."""
        return from_units(self._sum, self.count) if self.count else None

    def bounds(self, level: float = LEVEL) -> Bounds | None:
        """Return the interval of the mean; None where the data has nothing to say about it."""
        kinds = self.kinds
        if self.items == 0:
            return None
        if kinds is None:
            return self._normal(level)
        plain = all(kind[0] == kind[-1] and kind[0] in (0.0, 1.0) for kind in kinds)
        if plain and (self.count == self.items or len(kinds) == 1):
            whole = sum(number for kind, number in kinds.items() if kind[0] == 1.0)
            found = wilson(whole, self.items, level)
            return None if found is None else Bounds(*found, "wilson")
        return self.resampled(level)

    def resampled(self, level: float = LEVEL) -> Bounds | None:
        """Return the interval by resampling, or past `MAX_KINDS` by moments; None without spread."""
        kinds = self.kinds
        if kinds is None:
            return self._normal(level)
        if len(kinds) < 2:  # noqa: PLR2004 - items of one kind have no spread
            return None
        import numpy as np

        order = sorted(kinds)
        shares = np.array([kinds[kind] / self.items for kind in order])
        totals = np.array([sum(kind) for kind in order])
        sizes = np.array([len(kind) for kind in order])
        random = np.random.default_rng(_SEED)
        means: list[float] = []
        for _ in range(RESAMPLES // _BLOCK):
            drawn = random.multinomial(self.items, shares / shares.sum(), size=_BLOCK)
            means += (drawn @ totals / (drawn @ sizes)).tolist()
        low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
        return Bounds(float(low), float(high), "bootstrap")

    def _normal(self, level: float) -> Bounds | None:
        if self.items < 2:  # noqa: PLR2004 - one item has no spread
            return None
        mean = Fraction(self._sum, self.count)
        residuals = self._squares - 2 * mean * self._cross + mean * mean * self._counts
        variance = residuals * self.items / ((self.items - 1) * self.count**2)
        reach = z_of(level) * sqrt(float(variance / _UNIT**2))
        middle = from_units(self._sum, self.count)
        return Bounds(middle - reach, middle + reach, "normal")
