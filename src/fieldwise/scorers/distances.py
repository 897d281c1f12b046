"""Edit distances between texts of any length, in bounded time.

A distance of two texts takes as many steps as there are cells in the table of their characters. Past a
stated number of cells both texts are cut into as many pieces as it takes to stay below it, each piece is
compared with its counterpart, and the distances are added up. That is never less than the distance
itself: editing piece by piece is one way of editing the whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

Distance: TypeAlias = Callable[[str, str], int]

LEVENSHTEIN_CELLS: Final = 10_000_000_000
"""100,000 x 100,000 characters: half a second."""

DAMERAU_CELLS: Final = 40_000_000
"""6,300 x 6,300 characters: a quarter of a second."""


def levenshtein(left: str, right: str) -> float:
    """Return the similarity of two texts in 0..1: 1 - distance / length of the longer one.

    A lower bound past `LEVENSHTEIN_CELLS`.

    >>> levenshtein("kitten", "sitting")
    0.5714285714285714
    """
    from rapidfuzz.distance import Levenshtein

    longest = max(len(left), len(right))
    if not longest:
        return 1.0
    return max(0.0, 1.0 - bounded(Levenshtein.distance, left, right, LEVENSHTEIN_CELLS) / longest)


def damerau_levenshtein(left: str, right: str) -> float:
    """Return the distance of two texts over the length of the longer one, in 0..1.

    An upper bound past `DAMERAU_CELLS`.

    >>> damerau_levenshtein("ab", "ba")
    0.5
    """
    from rapidfuzz.distance import DamerauLevenshtein

    longest = max(len(left), len(right))
    if not longest:
        return 0.0
    return min(1.0, bounded(DamerauLevenshtein.distance, left, right, DAMERAU_CELLS) / longest)


def bounded(distance: Distance, left: str, right: str, cells: int) -> int:
    """Return a distance, or past so many cells the sum of the distances of pieces.

    >>> bounded(lambda a, b: int(a != b), "axxb", "ayxb", 1)
    1
    """
    left, right, pieces = _cut(left, right, cells)
    return sum(distance(_piece(left, at, pieces), _piece(right, at, pieces)) for at in range(pieces))


def note(left: str, right: str, cells: int) -> str | None:
    """Say so of texts that are too long to compare whole; else None."""
    if _cut(left, right, cells)[2] == 1:
        return None
    return f"{len(left):,} x {len(right):,} characters were compared in pieces: a bound, not the exact value"


def _cut(left: str, right: str, cells: int) -> tuple[str, str, int]:
    """What has to be compared of two texts, and in how many pieces."""
    if len(left) * len(right) <= cells:
        return left, right, 1
    start = _shared(left, right)
    left, right = left[start:], right[start:]
    end = _shared(left[::-1], right[::-1])
    left, right = left[: len(left) - end], right[: len(right) - end]
    return left, right, max(1, -(-len(left) * len(right) // cells))


def _piece(text: str, at: int, pieces: int) -> str:
    return text[at * len(text) // pieces : (at + 1) * len(text) // pieces]


def _shared(left: str, right: str) -> int:
    """How many characters two texts begin with in common."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
