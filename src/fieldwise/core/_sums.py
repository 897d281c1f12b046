"""Adding up what pairs of list elements are worth, column by column.

Equal values of one side are graded once: `Values` holds each distinct value with the elements that have it,
`Sums` spreads a table of distinct values over the elements. Large sums are numpy's, small ones lists:
importing numpy costs more than it saves there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.equality import SELF_FROZEN, freeze

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from fieldwise._types import Json, Missing

Distinct: TypeAlias = "dict[Hashable, Json]"
"""Frozen value to value, in the order of first sight."""

FEW: Final = 64
"""Fewer pairs than this are not worth numpy."""


@dataclass(slots=True)
class Values:
    """One member of some elements.

    Attributes:
        distinct: the values there are.
        holders: the elements that have a value.
        kinds: for each of those, which of the values it is.
    """

    distinct: Distinct = field(default_factory=dict)
    holders: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, values: Sequence[Json | Missing]) -> Values:
        """Sort out the values of a member, MISSING for an element without it.

        >>> Values.of(["a", MISSING, "b", "a"]).kinds
        [0, 1, 0]
        """
        if SELF_FROZEN.issuperset(map(type, values)):
            distinct: Any = dict.fromkeys(values)
            if len(distinct) == len(values):
                every = list(range(len(values)))
                return cls(dict(zip(values, values, strict=True)), every, every)  # type: ignore[arg-type]
        found = cls()
        known: dict[Hashable, int] = {}
        for holder, value in enumerate(values):
            if value is MISSING:
                continue
            mark = freeze(value)
            kind = known.setdefault(mark, len(known))
            if kind == len(found.distinct):
                found.distinct[mark] = value
            found.holders.append(holder)
            found.kinds.append(kind)
        return found


class Sums:
    """What each of `rows` elements and each of `columns` elements are worth together.

    >>> sums = Sums(1, 2)
    >>> sums.add([[0.5]], Values.of(["a"]), Values.of([MISSING, "b"]))
    >>> sums.rows()
    [[0.0, 0.5]]
    """

    __slots__ = ("_cells", "large")

    def __init__(self, rows: int, columns: int) -> None:
        """Start at nothing; `large` says whether numpy does the sums."""
        self.large = rows * columns >= FEW
        self._cells: Any = [[0.0] * columns for _ in range(rows)] if not self.large else None
        if self.large:
            import numpy as np

            self._cells = np.zeros((rows, columns))

    def add(self, table: Any, left: Values, right: Values) -> None:
        """Add to each pair what `table` says of its two values: a row for each of the left ones."""
        cells = self._cells
        if not self.large:
            for row, kind in zip(left.holders, left.kinds, strict=True):
                here, grades = cells[row], table[kind]
                for column, other in zip(right.holders, right.kinds, strict=True):
                    here[column] += grades[other]
            return
        import numpy as np

        grades = np.asarray(table)
        if left.kinds is not left.holders or right.kinds is not right.holders:
            grades = grades[np.ix_(left.kinds, right.kinds)]
        if grades.shape == cells.shape:
            cells += grades
        else:
            cells[np.ix_(left.holders, right.holders)] += grades

    def rows(self) -> list[list[float]]:
        """Return the sums, a row for each element of the left side."""
        return self._cells.tolist() if self.large else self._cells  # type: ignore[no-any-return]
