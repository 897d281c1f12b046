"""How alike texts read that a judge will decide on: what their pairing goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Json, Missing

LENGTH: Final = 500
"""How many characters of a text are looked at."""


def likeness(expected: Json | Missing, actual: Json | Missing) -> float:
    """Return how alike the beginnings of two texts read; other values are alike only when equal.

    >>> likeness("kitten", "sitten"), likeness("1", 1)
    (0.8333333333333334, 0.0)
    """
    if not isinstance(expected, str) or not isinstance(actual, str):
        return 0.0
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(expected[:LENGTH], actual[:LENGTH])


def likenesses(expected: Sequence[Json], actual: Sequence[Json]) -> Any:
    """Return the likeness of each with each as an array, a row for each actual value."""
    import numpy as np
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    came, wanted = (
        [one[:LENGTH] if isinstance(one, str) else "" for one in side] for side in (actual, expected)
    )
    table = cdist(came, wanted, scorer=Indel.normalized_similarity, dtype=np.float64)
    table[[at for at, one in enumerate(actual) if not isinstance(one, str)], :] = 0.0
    table[:, [at for at, one in enumerate(expected) if not isinstance(one, str)]] = 0.0
    return table
