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


def levenshtein(left: str, right: str) -> tuple[float, int]:
    """Return the similarity of two texts in 0..1, and into how many pieces they were cut.

    1 - distance / length of the longer text; a lower bound where there is more than one piece.

    >>> levenshtein("kitten", "sitting")
    (0.5714285714285714, 1)
    """
    from rapidfuzz.distance import Levenshtein

    longest = max(len(left), len(right))
    if not longest:
        return 1.0, 1
    steps, pieces = bounded(Levenshtein.distance, left, right, LEVENSHTEIN_CELLS)
    return max(0.0, 1.0 - steps / longest), pieces


def damerau_levenshtein(left: str, right: str) -> tuple[float, int]:
    """Return the distance of two texts over the length of the longer one, in 0..1, and the pieces.

    >>> damerau_levenshtein("ab", "ba")
    (0.5, 1)
    """
    from rapidfuzz.distance import DamerauLevenshtein

    longest = max(len(left), len(right))
    if not longest:
        return 0.0, 1
    steps, pieces = bounded(DamerauLevenshtein.distance, left, right, DAMERAU_CELLS)
    return min(1.0, steps / longest), pieces


def bounded(distance: Distance, left: str, right: str, cells: int) -> tuple[int, int]:
    """Return a distance, or the sum of the distances of pieces, and how many pieces there were.

    >>> bounded(lambda a, b: int(a != b), "aaaa", "aaba", 1)
    (1, 1)
    """
    if len(left) * len(right) <= cells:
        return distance(left, right), 1
    start = _shared(left, right)
    left, right = left[start:], right[start:]
    end = _shared(left[::-1], right[::-1])
    left, right = left[: len(left) - end], right[: len(right) - end]
    pieces = max(1, -(-len(left) * len(right) // cells))
    total = sum(distance(_piece(left, at, pieces), _piece(right, at, pieces)) for at in range(pieces))
    return total, pieces


def note(left: str, right: str, pieces: int) -> str:
    """Say that texts were too long to compare whole."""
    return f"{len(left):,} x {len(right):,} characters, compared in {pieces:,} pieces"


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
