"""Two runs over the same items: is one better than the other, and by how much?

Every test is two-sided and looks at the differences item by item. Where all items are the same the p-value is 1.

| test | source |
|---|---|
| `mcnemar`, `sign_test` | exact, by the binomial distribution of the items that differ: Q. McNemar, Psychometrika 12 (1947) 153-157 |
| `wilcoxon` | F. Wilcoxon, Biometrics 1 (1945) 80-83, as scipy computes it (zeros left out) |
| `paired_t` | Student's t of the differences |
| `permutation` | the sign of every difference flipped: all 2**n ways where n is at most `EXACT`, else seeded draws, or past `MANY` their normal limit; (hits + 1) / (draws + 1): B. Phipson, G. K. Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010) 39 |
"""  # noqa: E501 - a table

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.statistics.intervals import LEVEL
from fieldwise.core.statistics.spread import Bounds, Spread

if TYPE_CHECKING:
    from collections.abc import Sequence

Test: TypeAlias = Literal["mcnemar", "permutation"]
EXACT: Final = 16
MANY: Final = 5_000
DRAWS: Final = 10_000
_SEED: Final = 20_240_607
_BLOCK: Final = 4_000_000
_NOISE: Final = 1e-12
"""By how much two sums may differ and count as the same."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How run B differs from run A on the items that both graded.

    Attributes:
        items: how many there are.
        difference: the mean of B - A; None without items.
        bounds: its interval.
        p: how likely so large a difference is if there is none.
        test: which test: "mcnemar" where every score is 0 or 1, else "permutation".
        better: on how many items B is better.
        worse: on how many items B is worse.
    """

    items: int
    difference: float | None
    bounds: Bounds | None
    p: float | None
    test: Test
    better: int
    worse: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON."""
        bounds = self.bounds
        return {
            "items": self.items,
            "difference": self.difference,
            "interval": None if bounds is None else [bounds.low, bounds.high],
            "p": self.p,
            "test": self.test,
            "better": self.better,
            "worse": self.worse,
        }


def compare(a: Sequence[float], b: Sequence[float], level: float = LEVEL) -> Comparison:
    """Compare two runs; `a[i]` and `b[i]` are the scores of the same item.

    >>> found = compare([0, 0, 0, 1, 1], [1, 1, 1, 1, 1])
    >>> found.difference, found.better, found.worse, found.p
    (0.6, 3, 0, 0.25)
    """
    differences = [float(right) - float(left) for left, right in zip(a, b, strict=True)]
    binary = all(value in (0, 1) for value in (*a, *b))
    test: Test = "mcnemar" if binary else "permutation"
    spread = Spread()
    for one in differences:
        spread.add([one])
    better, worse = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
    p = None
    if differences:
        p = binomial(better, worse) if binary else permutation(differences)
    return Comparison(len(differences), spread.mean, _reach(spread, level), p, test, better, worse)


def _reach(spread: Spread, level: float) -> Bounds | None:
    """The interval of a mean difference: never Wilson's, which is of shares."""
    found = spread.bounds(level)
    return found if found is None or found.method != "wilson" else spread.resampled(level)


def mcnemar(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the exact p-value of McNemar's test on two runs of passes and fails.

    >>> mcnemar([0, 0, 0, 1], [1, 1, 1, 1])
    0.25
    """
    pairs = [(bool(left), bool(right)) for left, right in zip(a, b, strict=True)]
    return binomial(pairs.count((False, True)), pairs.count((True, False)))


def sign_test(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the exact p-value of the sign test; items with equal scores say nothing.

    >>> sign_test([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    0.25
    """
    pairs = list(zip(a, b, strict=True))
    return binomial(sum(left < right for left, right in pairs), sum(left > right for left, right in pairs))


def binomial(first: int, second: int) -> float:
    """Return how likely so uneven a split of items is where both sides are equally likely.

    >>> binomial(3, 0)
    0.25
    """
    n = first + second
    tail = ways = 1
    for k in range(min(first, second)):
        ways = ways * (n - k) // (k + 1)
        tail += ways
    return min(1.0, float(2 * tail / (1 << n)))


def wilcoxon(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the p-value of Wilcoxon's signed-rank test; 1.0 where no item differs.

    >>> round(wilcoxon([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12]), 5)
    0.03125
    """
    if all(left == right for left, right in zip(a, b, strict=True)):
        return 1.0
    from scipy.stats import wilcoxon as test

    return float(test(a, b).pvalue)


def paired_t(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return the p-value of Student's paired test; None of fewer than two items or without spread.

    >>> round(paired_t([1, 2, 3], [2, 3, 5]), 4)
    0.0572
    """
    differences = [right - left for left, right in zip(a, b, strict=True)]
    if not any(differences):
        return 1.0 if differences else None
    if len(set(differences)) == 1:
        return None
    from scipy.stats import ttest_rel

    return float(ttest_rel(a, b).pvalue)


def permutation(differences: Sequence[float]) -> float:
    """Return the p-value of the test that flips signs.

    >>> permutation([1.0, 2.0, 3.0])
    0.25
    """
    import numpy as np

    values = np.array(sorted((abs(one) for one in differences if one), reverse=True))
    if not len(values):
        return 1.0
    limit = abs(sum(differences)) - _NOISE * float(values.sum())
    if len(values) > MANY:
        return erfc(abs(sum(differences)) / sqrt(2 * float(values @ values)))
    if len(values) <= EXACT:
        flips = (np.arange(2 ** len(values))[:, None] >> np.arange(len(values))) & 1
        return float((np.abs((1 - 2 * flips) @ values) >= limit).mean())
    random, hits, block = np.random.default_rng(_SEED), 0, max(1, _BLOCK // len(values))
    for start in range(0, DRAWS, block):
        signs = 1 - 2 * random.integers(0, 2, size=(min(block, DRAWS - start), len(values)), dtype=np.int8)
        hits += int((np.abs(signs @ values) >= limit).sum())
    return (hits + 1) / (DRAWS + 1)
