"""What a run counts for one feedback key.

Sums are exact: a score is counted in units of the smallest float, as a whole number. So the numbers do
not depend on the order in which records come, nor on how a run was split and merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from fieldwise.scorers.extraction import OUTCOMES
from fieldwise.scorers.field_cards import AGGREGATE

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult

OWED: Final = ("judge_error", "not_evaluated", "invalid_reference")
"""The statuses of results that should have been graded and were not."""

COMMENT_LIMIT: Final = 500
_SUFFIX: Final = f":{AGGREGATE}"
_BITS: Final = 1074
_ONE: Final = 1 << _BITS


def units(number: float) -> int:
    """Return a finite number in units of 2**-1074, of which every float is a whole multiple.

    >>> units(0.5) * 2 == units(1)
    True
    """
    if number == 1:
        return _ONE
    top, bottom = float(number).as_integer_ratio()
    return top << (_BITS + 1 - bottom.bit_length())


def from_units(amount: int, count: int = 1) -> float:
    """Return `amount` units divided by `count`, correctly rounded.

    >>> from_units(units(0.1) * 10, 10)
    0.1
    """
    return amount / (count << _BITS)


@dataclass(frozen=True, slots=True, order=True)
class WorstRecord:
    """A record to look at: the worst score first, then what could be read, then the earliest.

    An output that cannot be read costs every field the same and says nothing of one.
    """

    rank: float
    unread: bool
    position: int
    id: str
    score: float = field(compare=False)
    comment: str | None = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return id, score and comment."""
        return {"id": self.id, "score": self.score, "comment": self.comment}

    def moved(self, by: int) -> WorstRecord:
        """Return the example `by` records later in the run."""
        return replace(self, position=self.position + by)


@dataclass(slots=True)
class Tally:
    """The results of one feedback key, or of several together.

    Attributes:
        graded: how many have a score.
        passed: how many of those reached their threshold.
        support: how many single comparisons the scores rest on.
        units: the sum of the scores, see `units`.
        statuses: how many results have each status.
        worst: the record with the lowest score.
        outcomes: how many places came out in each of the ways of `scorers.extraction`, where results say so;
            an aggregate counts what its fields count, and is left out.
    """

    graded: int = 0
    passed: int = 0
    support: int = 0
    units: int = field(default=0, repr=False)
    statuses: dict[str, int] = field(default_factory=dict)
    worst: WorstRecord | None = None
    outcomes: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many results there are."""
        return sum(self.statuses.values())

    @property
    def mean(self) -> float | None:
        """The mean score of the graded results; None when nothing was graded."""
        return from_units(self.units, self.graded) if self.graded else None

    @property
    def coverage(self) -> float:
        """The share of results that were graded, of those that should have been.

        graded / (graded + judge_error + not_evaluated + invalid_reference); 1.0 when nothing was due.
        """
        due = self.graded + self.owed
        return self.graded / due if due else 1.0

    @property
    def owed(self) -> int:
        """How many results should have been graded and were not."""
        return sum(self.statuses.get(status, 0) for status in OWED)

    @property
    def pass_rate(self) -> float | None:
        """The share of graded results that passed; None when nothing was graded."""
        return self.passed / self.graded if self.graded else None

    @property
    def lost(self) -> float:
        """How many points of 1 each the graded results miss."""
        return from_units(self.graded * _ONE - self.units)

    def add(self, result: EvaluatorResult, status: str, position: int, id_: str) -> None:
        """Count one result of the record `id_`."""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        extra = result["extra"]
        if "outcomes" in extra and not result["key"].endswith(_SUFFIX):
            self._count(extra["outcomes"])
        score = result["score"]
        if score is None:
            return
        self.graded += 1
        self.passed += bool(extra.get("passed", score >= 1))
        support = extra.get("support", 1)
        self.support += support if type(support) is int else 1
        if score:
            self.units += units(score)
        rank = -float(score) if extra.get("lower_is_better") else float(score)
        worst, unread = self.worst, status != "graded"
        if worst is None or (rank, unread, position) < (worst.rank, worst.unread, worst.position):
            comment = result["comment"]
            note = comment if comment is None else str(comment)[:COMMENT_LIMIT]
            self.worst = WorstRecord(rank, unread, position, id_, float(score), note)

    def _count(self, outcomes: Any) -> None:
        """Add counts up, of the known ways only: what others put there is theirs."""
        if isinstance(outcomes, Mapping):
            for way in OUTCOMES:
                count = outcomes.get(way)
                if type(count) is int and count > 0:
                    self.outcomes[way] = self.outcomes.get(way, 0) + count

    def merge(self, other: Tally, offset: int = 0) -> None:
        """Count what `other` counted in records that come `offset` later."""
        self.graded += other.graded
        self.passed += other.passed
        self.support += other.support
        self.units += other.units
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count
        self._count(other.outcomes)
        if other.worst is not None:
            moved = other.worst.moved(offset)
            self.worst = moved if self.worst is None else min(self.worst, moved)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as JSON."""
        return {
            "mean": self.mean,
            "graded": self.graded,
            "total": self.total,
            "statuses": dict(sorted(self.statuses.items())),
            "coverage": self.coverage,
            "support": self.support,
            "pass_rate": self.pass_rate,
        }
