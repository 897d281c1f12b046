"""The scores of a run as a state that merges, and the interval of their mean.

An item is what was drawn at random: it may have been answered several times, and its scores hang together.
The state counts items by the sum and the number of their scores, so it knows nothing of their order; where
there are more kinds of item than `MAX_KINDS` it keeps exact moments alone.

Which interval, by the data alone:
1. Every score 0 or 1, one an item: Wilson's.
2. Otherwise the percentile bootstrap over items (B. Efron, R. Tibshirani, An Introduction to the Bootstrap,
   1993, chapter 13), `RESAMPLES` seeded draws. Items of several scores are drawn whole (a clustered
   bootstrap: A. C. Davison, D. V. Hinkley, Bootstrap Methods, 1997, section 3.8).
3. Past `MAX_KINDS`, where items are so many and so varied that resampling would tell no more: mean ± z · the
   ratio estimator's standard error over items (W. G. Cochran, Sampling Techniques, 1977, section 6.3).

Items that all have the same scores show no spread, which is no certainty: Wilson's interval where they are
all 0 or 1, None otherwise.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fieldwise.core.statistics.exact import from_units, units
from fieldwise.core.statistics.intervals import LEVEL, wilson, z_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

Method: TypeAlias = Literal["wilson", "bootstrap", "normal"]
MAX_KINDS: Final = 200
RESAMPLES: Final = 2_000
_SEED: Final = 20_240_607
_BLOCK: Final = 100
_CROWDED: Final = 20
"""How many items of a kind there have to be, on average, for counts to be drawn rather than items."""
_COARSE: Final = 874
"""How many bits of a sum its square does without: what is left is exact to 2**-200, and as quick as that."""


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
        kinds: (sum of scores, number of scores) to how many items have them; None past `MAX_KINDS`.
        beyond: whether there are scores outside of 0..1.

    >>> spread = Spread()
    >>> for score in (1.0, 1.0, 0.5, 0.0):
    ...     spread.add([score])
    >>> spread.mean, spread.bounds().method
    (0.625, 'bootstrap')
    """

    items: int = 0
    count: int = 0
    kinds: Counter[tuple[float, int]] | None = field(default_factory=Counter)
    beyond: bool = False
    _sum: int = 0
    _parts: int = 0
    _squares: int = 0
    _counts: int = 0
    _cross: int = 0

    def add(self, scores: Iterable[float], times: int = 1) -> None:
        """Count an item, or several of the same scores; without a score it is none."""
        kind = tuple(scores)
        if kind:
            self.beyond = self.beyond or min(kind) < 0 or max(kind) > 1
            self.add_sum(units(kind[0]) if len(kind) == 1 else sum(map(units, kind)), len(kind), times)

    def add_sum(self, total: int, n: int, times: int = 1) -> None:
        """Count an item of `n` scores, by their sum in `exact.units`."""
        part = total >> _COARSE
        self.items += times
        self.count += n * times
        self._sum += total * times
        self._parts += part * times
        self._squares += part * part * times
        self._counts += n * n * times
        self._cross += n * part * times
        kinds = self.kinds
        if kinds is not None:
            kind = from_units(total), n
            kinds[kind] = kinds.get(kind, 0) + times
            self._bound()

    def merge(self, other: Spread) -> None:
        """Count what `other` counted, which are other items."""
        self.items += other.items
        self.count += other.count
        self._sum += other._sum
        self._parts += other._parts
        self._squares += other._squares
        self._counts += other._counts
        self._cross += other._cross
        self.beyond |= other.beyond
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
        plain = not self.beyond and all(total in (0, n) for total, n in kinds)
        if plain and (self.count == self.items or len(kinds) == 1):
            whole = sum(number for (total, _), number in kinds.items() if total)
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

        means = _means(self.items, sorted(kinds.items()))
        low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
        return Bounds(float(low), float(high), "bootstrap")

    def _normal(self, level: float) -> Bounds | None:
        if self.items < 2:  # noqa: PLR2004 - one item has no spread
            return None
        mean = Fraction(self._parts, self.count)
        residuals = self._squares - 2 * mean * self._cross + mean * mean * self._counts
        variance = residuals * self.items / ((self.items - 1) * self.count**2)
        p, q = variance.as_integer_ratio()
        reach = z_of(level) * from_units(isqrt(p * q) << _COARSE, q)
        middle = from_units(self._sum, self.count)
        return Bounds(middle - reach, middle + reach, "normal")


def _means(items: int, kinds: list[tuple[tuple[float, int], int]]) -> NDArray[np.float64]:
    """The means of `RESAMPLES` samples of as many items; drawn as counts of kinds where those are few."""
    import numpy as np

    numbers = np.array([number for _, number in kinds])
    totals = np.array([total for (total, _), _ in kinds])
    sizes = np.array([n for (_, n), _ in kinds], dtype=np.float64)
    scale = max(float(np.abs(totals).max()), 1.0)
    totals = totals / scale  # so that no sum of them overflows
    random = np.random.default_rng(_SEED)
    found = []
    if items > _CROWDED * len(kinds):
        for _ in range(RESAMPLES // _BLOCK):
            drawn = random.multinomial(items, numbers / items, size=_BLOCK)
            found.append(drawn @ totals / (drawn @ sizes))
    else:
        place = np.repeat(np.arange(len(kinds)), numbers)
        for _ in range(RESAMPLES // _BLOCK):
            taken = place[random.integers(0, items, size=(_BLOCK, items), dtype=np.int32)]
            found.append(totals[taken].sum(axis=1) / sizes[taken].sum(axis=1))
    return np.concatenate(found) * scale
