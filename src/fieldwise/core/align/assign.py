"""The assignment problem: pair rows with columns so that the sum of their weights is greatest.

Three ways, the first that settles it: a certificate (every row's best column is a different one, so
the row maxima are the optimum and no solver is needed), a short Hungarian method for small problems,
scipy for the rest. Which one runs depends on the size alone, so a result never depends on what else
is imported. Among equal optima the earlier rows and columns win; callers sort them by content first.

Source of the small solver: the Hungarian method with potentials and shortest augmenting paths
(Kuhn 1955, Munkres 1957; in the O(n^2 m) form of Edmonds and Karp 1972).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALL: Final = 16

Matrix = "Sequence[Sequence[float]]"


def assign(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return (row, column) pairs, min(rows, columns) of them, with the greatest total weight.

    Args:
        weights: one row of equal length for each row; any finite numbers.

    >>> assign([[1, 2], [2, 9]])
    [(0, 0), (1, 1)]
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if not rows or not columns:
        return []
    if rows > columns:
        return sorted((row, column) for column, row in assign(list(zip(*weights, strict=True))))
    pairs = certificate(weights)
    if pairs is not None:
        return pairs
    return hungarian(weights) if rows <= SMALL else _scipy(weights)


def certificate(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]] | None:
    """Return the row maxima as pairs if they lie in different columns, else None."""
    pairs = []
    taken = set()
    for row, values in enumerate(weights):
        column = values.index(max(values))
        if column in taken:
            return None
        taken.add(column)
        pairs.append((row, column))
    return pairs


def unique(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]] | None:
    """Return the only optimum if every row has one strictly best column, all different, else None.

    >>> unique([[1, 2], [2, 0]]), unique([[1, 1], [2, 0]])
    ([(0, 1), (1, 0)], None)
    """
    if len(weights) > len(weights[0]):
        flipped = unique(list(zip(*weights, strict=True)))
        return flipped and [(row, column) for column, row in flipped]
    pairs = certificate(weights)
    if pairs is None or any(weights[row].count(weights[row][column]) > 1 for row, column in pairs):
        return None
    return pairs


def hungarian(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Solve a problem with at most as many rows as columns, in pure Python."""
    columns = len(weights[0])
    row_price = [0.0] * (len(weights) + 1)
    column_price = [0.0] * (columns + 1)
    owner = [0] * (columns + 1)
    for row in range(1, len(weights) + 1):
        came_from = _augment(weights, row, row_price, column_price, owner)
        column = came_from.pop()
        while column:
            previous = came_from[column]
            owner[column] = owner[previous]
            column = previous
    return sorted((owner[column] - 1, column - 1) for column in range(1, columns + 1) if owner[column])


def _augment(
    weights: Sequence[Sequence[float]],
    row: int,
    row_price: list[float],
    column_price: list[float],
    owner: list[int],
) -> list[int]:
    """Find the cheapest augmenting path from `row`; return each column's predecessor, then its end."""
    size = len(column_price)
    owner[0] = row
    distance = [float("inf")] * size
    came_from = [0] * size
    done = [False] * size
    column = 0
    while True:
        done[column] = True
        current = owner[column]
        best, following = float("inf"), 0
        for other in range(1, size):
            if done[other]:
                continue
            cost = -weights[current - 1][other - 1] - row_price[current] - column_price[other]
            if cost < distance[other]:
                distance[other], came_from[other] = cost, column
            if distance[other] < best:
                best, following = distance[other], other
        for other in range(size):
            if done[other]:
                row_price[owner[other]] += best
                column_price[other] -= best
            else:
                distance[other] -= best
        column = following
        if not owner[column]:
            return [*came_from, column]


def _scipy(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(np.asarray(weights, dtype=float), maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
