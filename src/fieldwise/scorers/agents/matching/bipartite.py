"""The most pairs that rows and columns can form when only some of them fit.

A row is an integer: bit `c` is set when column `c` fits. Sets of columns are integers too, so a step over a
thousand columns is one operation. Among equal optima earlier rows and lower columns win; callers put both
in an order of content first.

Source: the matching algorithm of Hopcroft and Karp (1973): shortest augmenting paths in phases, each phase
visits a column at most once, and there are at most about two times the square root of the rows of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def maximum(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return (row, column) pairs, as many as there can be, each row and column in one at most.

    >>> maximum([0b11, 0b01])
    [(0, 1), (1, 0)]
    """
    matching = _Matching(rows)
    while True:
        layers = matching.layers()
        if not layers:
            return sorted((row, column) for column, row in matching.owner.items())
        matching.augment(layers)


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Matching:
    """A matching on its way to the optimum."""

    __slots__ = ("all", "free", "open", "owner", "rows")

    def __init__(self, rows: Sequence[int]) -> None:
        """Begin with what the first row that comes can take."""
        self.rows = rows
        self.all = 0
        for mask in rows:
            self.all |= mask
        self.free = self.all
        self.owner: dict[int, int] = {}
        self.open: list[int] = []
        for row, mask in enumerate(rows):
            column = mask & self.free
            if column:
                column &= -column
                self.owner[column.bit_length() - 1] = row
                self.free ^= column
            elif mask:
                self.open.append(row)

    def layers(self) -> list[int]:
        """Return the columns at each distance from the open rows, up to the first that are free."""
        frontier, unseen = self.open, self.all
        found: list[int] = []
        while frontier:
            reached = 0
            for row in frontier:
                reached |= self.rows[row]
            reached &= unseen
            unseen ^= reached
            if reached & self.free:
                return [*found, reached & self.free]
            found.append(reached)
            frontier = [self.owner[column] for column in bits(reached)]
        return []

    def augment(self, layers: list[int]) -> None:
        """Follow disjoint shortest paths from open rows to free columns; each one adds a pair."""
        still = []
        for row in self.open:
            path = self._path(row, layers)
            if path is None:
                still.append(row)
                continue
            for taken, column in path:
                self.owner[column] = taken
            self.free &= ~(1 << path[-1][1])
        self.open = still

    def _path(self, row: int, layers: list[int]) -> list[tuple[int, int]] | None:
        """A path of (row, column) through the layers; a column looked at is never looked at again."""
        path: list[tuple[int, int]] = []
        while True:
            fitting = self.rows[row] & layers[len(path)]
            if fitting:
                low = fitting & -fitting
                layers[len(path)] ^= low
                path.append((row, low.bit_length() - 1))
                if len(path) == len(layers):
                    return path
                row = self.owner[path[-1][1]]
            elif path:
                row, _ = path.pop()
            else:
                return None
