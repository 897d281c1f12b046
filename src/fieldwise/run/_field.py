"""One field over all records of a run: those in which it is not right, the worst of them kept.

However many records there are, only so many are held; the others are counted.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import cut
from fieldwise.run._tally import WorstRecord, rank_of

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult
    from fieldwise.run._report import RecordResult

ROOT_NAME: Final = "(whole record)"
"""What reports call the field `$`: a record that has no fields, or could not be compared."""
_COMMENT: Final = 2_000


def field_name(key: str, prefix: str = "") -> str:
    """Return a feedback key as a report's table names it, without what all keys of the report begin with.

    >>> field_name("json_match:a.b", "json_match:"), field_name("json_match:$", "json_match:")
    ('a.b', '(whole record)')
    """
    name = key.removeprefix(prefix)
    return ROOT_NAME if name == "$" else name


@dataclass(slots=True)
class FieldRecords:
    """The records in which a field is not right.

    Attributes:
        name: the field, as a report's table names it, or its whole feedback key.
        most: how many records are kept.
        key: its feedback key; "" until a record has it.
        graded: how many results of it have a score.
        wrong: how many of these are not right: less than full, or for a distance more than none.
        ungraded: how many have no score.
        reason: of the first of these, its record and why.

    >>> from fieldwise.run import RecordResult
    >>> found = FieldRecords("a", 5)
    >>> for id_, score in [("r1", 1.0), ("r2", 0.0)]:
    ...     found.add(RecordResult(1, id_, [{"key": "m:a", "score": score, "comment": None, "extra": {}}]))
    >>> found.key, found.graded, [one.id for one in found.records]
    ('m:a', 2, ['r2'])
    """

    name: str
    most: int
    key: str = ""
    graded: int = 0
    wrong: int = 0
    ungraded: int = 0
    reason: str = ""
    _heap: list[tuple[float, bool, int, int, WorstRecord]] = field(default_factory=list)

    @property
    def records(self) -> list[WorstRecord]:
        """Those that were kept, the worst first."""
        return sorted(entry[-1] for entry in self._heap)

    def add(self, record: RecordResult) -> None:
        """Look at one record."""
        for result in record.results:
            if self._is(result["key"]):
                self.key = self.key or result["key"]
                self._count(result, record)

    def _is(self, key: str) -> bool:
        head, colon, _ = key.partition(":")
        return self.name in (key, key[len(head) + 1 :], field_name(key, f"{head}{colon}"))

    def _count(self, result: EvaluatorResult, record: RecordResult) -> None:
        score, extra = result["score"], result["extra"]
        if score is None:
            self.ungraded += 1
            self.reason = self.reason or f"{record.id}: {extra.get('reason') or result['comment']}"
            return
        self.graded += 1
        unread = extra.get("status", "graded") != "graded"
        note = None if result["comment"] is None else cut(str(result["comment"]), _COMMENT)
        one = WorstRecord(rank_of(result), unread, record.position, record.id, float(score), note)
        if not one.right:
            self.wrong += 1
            self._keep(one)

    def _keep(self, one: WorstRecord) -> None:
        entry = (-one.rank, not one.unread, -one.position, -self.wrong, one)
        if len(self._heap) < self.most:
            heapq.heappush(self._heap, entry)
        elif self._heap:
            heapq.heappushpop(self._heap, entry)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {
            "field": self.key,
            "graded": self.graded,
            "not_right": self.wrong,
            "not_graded": self.ungraded,
            "records": [one.to_dict() for one in self.records],
        }
