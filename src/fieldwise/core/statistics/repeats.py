"""One item answered several times: how often it is right, and how steady it is.

pass@k: the chance that at least one of k answers is right, without bias from n answers of which c are right:
1 - C(n - c, k) / C(n, k) (M. Chen et al., Evaluating Large Language Models Trained on Code, 2021). It is
None where fewer than k answers were graded: a missing answer is not a wrong one.
"""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


def pass_at(k: int, right: int, graded: int) -> float | None:
    """Return the chance that at least one of `k` answers is right; None of fewer than `k`.

    >>> pass_at(1, 3, 4), round(pass_at(2, 1, 4), 3), pass_at(5, 1, 4)
    (0.75, 0.5, None)
    """
    if graded < k:
        return None
    return 1 - comb(graded - right, k) / comb(graded, k)


def all_pass(k: int, right: int, graded: int) -> float | None:
    """Return the chance that all of `k` answers are right, C(c, k) / C(n, k); None of fewer than `k`.

    >>> all_pass(2, 3, 4)
    0.5
    """
    return None if graded < k else comb(right, k) / comb(graded, k)


def consistency(answers: Sequence[Hashable]) -> float | None:
    """Return how likely two answers to the same item are the same; None of fewer than two.

    >>> consistency(["a", "a", "b"])
    0.3333333333333333
    """
    n = len(answers)
    if n < 2:  # noqa: PLR2004 - one answer agrees with nothing
        return None
    return sum(count * (count - 1) for count in Counter(answers).values()) / (n * (n - 1))
