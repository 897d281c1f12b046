"""Several tests at once: the more there are, the more often one of them is significant by chance.

Holm's correction (S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70) keeps the chance of any false
alarm below the level, whatever the tests have in common.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values corrected for each other, in the same order.

    >>> holm([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.04]
    """
    found, reached = [0.0] * len(ps), 0.0
    for rank, at in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        reached = max(reached, min(1.0, (len(ps) - rank) * ps[at]))
        found[at] = reached
    return found
