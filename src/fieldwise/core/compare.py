"""Comparing two leaves, and what a comparison leaves behind.

A comparator grades two *unequal* values; equal values are 1 by definition and never reach it. What it
cannot read falls back to equality, so it is 0 with the reason. What it raises, or returns out of range,
is a fault of the comparator, not of the output: not_evaluated, with no score.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.core.callables import misfit
from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, said, shown
from fieldwise.core.equality import equal
from fieldwise.core.values import Unconvertible
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fieldwise._types import CompareCallable, Json, Missing, Path, Status

    ManyCallable = Callable[[Sequence[Json], Sequence[Json]], Any]


@dataclass(frozen=True, slots=True)
class Comparator:
    """A named way to grade two unequal JSON values.

    Attributes:
        name: shown in results; a row of `fieldwise.comparators.COMPARATORS` or the callable's name.
        grade: `(expected, actual) -> float | bool` in 0..1; raises Unreadable for what it cannot read.
        settings: the options it was made with, for people.
        symmetric: whether swapping the sides keeps the score.
        whole: whether it takes lists and objects as they are, instead of their leaves one by one.
        many: `(expected, actual) -> array`, a row for each actual value: what `grade` gives for each two,
            0 for what it cannot read, to within 1e-9. Only to pair lists faster, and no comparator needs it.
    """

    name: str
    grade: CompareCallable
    settings: Mapping[str, Any] = field(default_factory=dict)
    symmetric: bool = True
    whole: bool = False
    many: ManyCallable | None = None

    def __call__(self, expected: Json, actual: Json) -> float:
        """Return the score of two values in 0..1, equal values included.

        Raises:
            Unreadable: when it cannot read one of them.

        >>> from fieldwise.comparators import number
        >>> number(relative=0.01)(100, 100.5)
        1.0
        """
        return 1.0 if equal(expected, actual) else float(self.grade(expected, actual))


@dataclass(slots=True)
class Outcome:
    """How one place of one record compared.

    Attributes:
        name: the bounded name of its field, `items[*].sku`.
        score: 0..1, or None when it was not graded.
        expected: the value wanted, or MISSING.
        actual: the value that came, or MISSING.
        status: see design of results; `graded` unless something kept it from being graded.
        reason: why it scored as it did, when that is more than "equal" or "unequal".
        comparator: the comparator's name; "judge" when a judge decided.
        where: the concrete place, in the expected document's indices.
        weight: its share in its field's mean.
        criterion: the rubric text while a judge still has to decide.
        judged: whether a rubric speaks of it, whoever decided: then it is a field of its own.
    """

    name: str
    score: float | None
    expected: Json | Missing
    actual: Json | Missing
    status: Status = "graded"
    reason: str | None = None
    comparator: str = "exact"
    where: Path = ()
    weight: float = 1.0
    criterion: str | None = None
    judged: bool = field(default=False, compare=False)


def compare(
    comparator: Comparator | None, expected: Json | Missing, actual: Json | Missing
) -> tuple[float | None, Status, str | None]:
    """Grade two values; return score, status and reason."""
    if expected is MISSING or actual is MISSING:
        return 0.0, "graded", "missing" if actual is MISSING else "unexpected"
    if equal(expected, actual):
        return 1.0, "graded", None
    if comparator is None:
        return 0.0, "graded", None
    try:
        score = comparator.grade(expected, actual)
    except Unreadable as error:
        return 0.0, "graded", f"{comparator.name} could not read it: {one_line(str(error))}"
    except Exception as error:  # noqa: BLE001 - whatever a user's callable raises is a status
        return None, "not_evaluated", f"{comparator.name} raised {said(error)}"
    return _checked(comparator.name, score)


def _checked(name: str, score: object) -> tuple[float | None, Status, str | None]:
    """A comparator's answer, if it is a bool or a number in 0..1; a numpy scalar is its plain value."""
    value = float(score) if isinstance(score, bool | float) else as_number(score)
    if 0.0 <= value <= 1.0:
        return value + 0.0, "graded", None  # without the sign of -0.0
    return None, "not_evaluated", f"{name} returned {shown(score)}; it must be a bool or a number in 0..1"


def as_number(score: object) -> float:
    """Return the number that an answer is, or -1; a numpy scalar is its plain value.

    >>> as_number(True), as_number("1")
    (1.0, -1.0)
    """
    try:
        plain = to_json(score)
        return float(plain) if isinstance(plain, int | float | Decimal) else -1.0
    except (Unconvertible, OverflowError):
        return -1.0


def unfit(function: Callable[..., Any]) -> str | None:
    """Return what keeps a callable from comparing two values, as far as its signature tells; None: nothing.

    >>> unfit(lambda one: True)
    'it does not take two values (too many positional arguments)'
    """
    import inspect

    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        return "it is async"
    reason = misfit(function, 2)
    return None if reason is None else f"it does not take two values ({reason})"
