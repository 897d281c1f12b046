"""What a run counts for one feedback key.

Sums are exact: a score is counted in units of the smallest float, as a whole number. So the numbers do
not depend on the order in which records come, nor on how a run was split and merged.

The interval of the mean takes records for what was drawn at random. Records of one id that follow each other
are one record, answered several times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.statistics.exact import ONE, from_units, units
from fieldwise.core.statistics.items import Items
from fieldwise.scorers.extraction import OUTCOMES
from fieldwise.scorers.field_cards import AGGREGATE

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult
    from fieldwise.core.statistics.spread import Bounds

OWED: Final = ("judge_error", "not_evaluated", "invalid_reference")
"""The statuses of results that should have been graded and were not."""

COMMENT_LIMIT: Final = 500
_SUFFIX: Final = f":{AGGREGATE}"
MAX_VALUES: Final = 1_000
"""How many values that are no numbers are told apart, for one key."""


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

    @property
    def right(self) -> bool:
        """Whether nothing is wrong with it: its score is full, or its distance none."""
        return self.rank >= 1

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
        told: how many results have a value that is no number, as "good" or "bad".
        values: how often each such value came; None past `MAX_VALUES` of them.
        items: the scores by record.
    """

    graded: int = 0
    passed: int = 0
    support: int = 0
    units: int = field(default=0, repr=False)
    statuses: dict[str, int] = field(default_factory=dict)
    worst: WorstRecord | None = None
    outcomes: dict[str, int] = field(default_factory=dict)
    told: int = 0
    values: dict[str, int] | None = field(default_factory=dict)
    items: Items = field(default_factory=Items, repr=False)

    @property
    def total(self) -> int:
        """How many results there are."""
        return sum(self.statuses.values())

    @property
    def mean(self) -> float | None:
        """The mean score of the graded results; None when nothing was graded."""
        return from_units(self.units, self.graded) if self.graded else None

    @property
    def coverage(self) -> float | None:
        """The share of results that were graded, of those that should have been; None when none should.

        graded / (graded + judge_error + not_evaluated + invalid_reference). A value that is no number counts
        as graded.
        """
        due = self.answered + self.owed
        return self.answered / due if due else None

    @property
    def answered(self) -> int:
        """How many results have a score, or a value that is no number."""
        return self.graded + self.told

    @property
    def bounds(self) -> Bounds | None:
        """The 95 % interval of the mean; None where the data has nothing to say about it."""
        return self.items.spread.bounds()

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
        return from_units(self.graded * ONE - self.units)

    def add(self, result: EvaluatorResult, status: str, position: int, id_: str) -> None:
        """Count one result of the record `id_`."""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        extra = result["extra"]
        if "outcomes" in extra and not result["key"].endswith(_SUFFIX):
            self._count(extra["outcomes"])
        score = result["score"]
        if score is None:
            if status == "graded" and isinstance(extra.get("value"), str):
                self.told += 1
                self._tell({extra["value"][:COMMENT_LIMIT]: 1})
            return
        self.graded += 1
        self.items.add(id_, (float(score),))
        self.passed += bool(extra.get("passed", score >= 1))
        support = extra.get("support", 1)
        self.support += support if type(support) is int else 1
        if score:
            self.units += units(score)
        rank = rank_of(result)
        worst, unread = self.worst, status != "graded"
        if worst is None or (rank, unread, position) < (worst.rank, worst.unread, worst.position):
            comment = result["comment"]
            note = comment if comment is None else str(comment)[:COMMENT_LIMIT]
            self.worst = WorstRecord(rank, unread, position, id_, float(score), note)

    def _tell(self, values: dict[str, int] | None) -> None:
        """Count values that are no numbers; None: of so many that they are not told apart."""
        if values is None or self.values is None:
            self.values = None
            return
        for value, count in values.items():
            self.values[value] = self.values.get(value, 0) + count
        if len(self.values) > MAX_VALUES:
            self.values = None

    def _count(self, outcomes: Any) -> None:
        """Add counts up, of the known ways only: what others put there is theirs."""
        if isinstance(outcomes, Mapping):
            for way in OUTCOMES:
                count = outcomes.get(way)
                if type(count) is int and count > 0:
                    self.outcomes[way] = self.outcomes.get(way, 0) + count

    def merge(self, other: Tally, offset: int = 0) -> None:
        """Count what `other` counted in records that come `offset` later."""
        self.add_up(other, offset)
        self.items.merge(other.items)

    def add_up(self, other: Tally, offset: int = 0) -> None:
        """Count what `other` counted, but for the scores by record: of other results of the same records."""
        self.graded += other.graded
        self.passed += other.passed
        self.support += other.support
        self.units += other.units
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count
        self._count(other.outcomes)
        self.told += other.told
        self._tell(other.values)
        if other.worst is not None:
            moved = other.worst.moved(offset)
            self.worst = moved if self.worst is None else min(self.worst, moved)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as JSON."""
        found = {
            "mean": self.mean,
            **interval(self.bounds),
            "graded": self.graded,
            "total": self.total,
            "statuses": dict(sorted(self.statuses.items())),
            "coverage": self.coverage,
            "support": self.support,
            "pass_rate": self.pass_rate,
        }
        if self.told:
            values = self.values
            found["values"] = None if values is None else dict(sorted(values.items()))
        return found


def rank_of(result: EvaluatorResult) -> float:
    """Return how good a graded result is, 1 for full: its score, or what a distance lacks of 1.

    >>> extra = {"lower_is_better": True}
    >>> rank_of({"key": "d", "score": 0.25, "comment": None, "metadata": extra, "extra": extra})
    0.75
    """
    score = float(result["score"] or 0.0)
    return 1 - score if result["extra"].get("lower_is_better") else score


def interval(bounds: Bounds | None) -> dict[str, Any]:
    """Return an interval as JSON.

    >>> interval(None)
    {'interval': None, 'interval_method': None}
    """
    if bounds is None:
        return {"interval": None, "interval_method": None}
    return {"interval": [bounds.low, bounds.high], "interval_method": bounds.method}
