"""What pairs of list elements are worth, added up member by member; and how alike texts read.

Equal values of one side are graded once: `Values` holds each distinct value with the elements that have it,
`Sums` spreads a table of distinct values over the elements. Large sums are numpy's, small ones lists:
importing numpy costs more than it saves there. `likeness` is what texts are paired by that a judge will
decide on later.
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
MAX_READ: Final = 500
"""How many characters of a text are looked at for its likeness to another."""


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


def likeness(expected: Json | Missing, actual: Json | Missing) -> float:
    """Return how alike the beginnings of two texts read; other values are alike only when equal.

    >>> likeness("kitten", "sitten"), likeness("1", 1)
    (0.8333333333333334, 0.0)
    """
    if not isinstance(expected, str) or not isinstance(actual, str):
        return 0.0
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(expected[:MAX_READ], actual[:MAX_READ])


def likenesses(expected: Sequence[Json], actual: Sequence[Json]) -> Any:
    """Return the likeness of each with each as an array, a row for each actual value."""
    import numpy as np
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    came, wanted = (
        [one[:MAX_READ] if isinstance(one, str) else "" for one in side] for side in (actual, expected)
    )
    table = cdist(came, wanted, scorer=Indel.normalized_similarity, dtype=np.float64)
    table[[at for at, one in enumerate(actual) if not isinstance(one, str)], :] = 0.0
    table[:, [at for at, one in enumerate(expected) if not isinstance(one, str)]] = 0.0
    return table
