"""What a run found: counts for each feedback key, the worst records, what was not graded and why.

Rules of this module:

1. A report is a state that merges. However records were split over runs, the merged numbers are those of
   one run over all of them; merge in the order of the records, and ties are broken as there, too.
2. It is bounded whatever comes: `MAX_FIELDS` feedback keys, further ones folded into one; a fixed number
   of worst records; one example a status. Only `records` grows, when results are kept.
3. It prints nothing. `fieldwise.report` renders it.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.statistics.exact import from_units, units
from fieldwise.core.statistics.items import Items
from fieldwise.run._classes import Classes
from fieldwise.run._extraction import Extraction, extractions
from fieldwise.run._paths import Paths
from fieldwise.run._tally import COMMENT_LIMIT, Tally, WorstRecord, interval, rank_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from fieldwise._types import EvaluatorResult, Results
    from fieldwise.core.statistics.spread import Bounds
    from fieldwise.scorers.labels import Labels

MAX_FIELDS: Final = 500
"""How many feedback keys a report tells apart."""

OTHER_FIELDS: Final = "(other fields)"
"""The name under which further keys are counted together."""

MAX_ERRORS: Final = 100

_SCORED: Final = ("fields", "rubric")
"""Options whose paths are scored; what others name is compared in another way, or not at all."""


@dataclass(frozen=True, slots=True)
class RecordResult:
    """One record, scored.

    Attributes:
        position: which record of the run it is, from 1.
        id: its `id`, or its position as text.
        results: what the evaluators gave, in their order.
        usage: what judging it used.
    """

    position: int
    id: str
    results: list[EvaluatorResult]
    usage: Mapping[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float | None:
        """The mean of its graded results; None when nothing was graded."""
        scores = [result["score"] for result in self.results if result["score"] is not None]
        return fsum(scores) / len(scores) if scores else None

    def moved(self, by: int) -> RecordResult:
        """Return it `by` records later in the run."""
        return replace(self, position=self.position + by)

    def to_dict(self) -> dict[str, Any]:
        """Return id and results as JSON."""
        return {"id": self.id, "results": self.results}


@dataclass(slots=True)
class Problem:
    """What kept results from being graded, or made them 0: how many records, the first, and why."""

    count: int
    position: int
    id: str
    reason: str | None


@dataclass(slots=True)
class Report:
    """What a run found.

    Attributes:
        keep_results: whether `records` holds every record's results.
        worst: how many of the worst records are kept.
        count: how many records were scored.
        fields: feedback key to its counts, in the order of first sight.
        folded: how many results are counted under `(other fields)`.
        records: the results of every record, when kept.
        problems: status other than `graded` to the records that have such a result.
        errors: the first 100 parts of the input that could not be read, in words.
        error_count: how many parts of the input could not be read.
        elapsed: seconds spent; of merged reports the sum.
        paths: which paths of options named something, for `unmatched_paths`.
        classes: feedback key of a classifier to its labels, for `summaries`.
        thresholds: what scores had to reach to have passed.
        scattered: whether records of one id are one record, answered several times, wherever they stand; each
            id is kept then. Otherwise those are that follow each other.

    Example:
        >>> from fieldwise import create_json_match_evaluator, evaluate_records
        >>> records = [{"outputs": {"a": 1}, "reference_outputs": {"a": x}} for x in (1, 2)]
        >>> report = evaluate_records(records, create_json_match_evaluator())
        >>> report.score, report.fields["json_match:a"].worst.id
        (0.5, '2')
    """

    keep_results: bool = True
    worst: int = 10
    count: int = 0
    fields: dict[str, Tally] = field(default_factory=dict)
    folded: int = 0
    records: list[RecordResult] = field(default_factory=list)
    problems: dict[str, Problem] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    error_count: int = 0
    elapsed: float = 0.0
    paths: Paths = field(default_factory=Paths)
    classes: dict[str, Classes] = field(default_factory=dict)
    thresholds: set[float] = field(default_factory=set)
    scattered: bool = False
    _items: Items = field(init=False)
    _usage: dict[str, int] = field(default_factory=dict)
    _heap: list[tuple[float, int, WorstRecord]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._items = Items(self.scattered)

    def __repr__(self) -> str:
        coverage = None if self.coverage is None else round(self.coverage, 4)
        numbers = f"score={self.score}, coverage={coverage}, records={self.count:,}"
        return f"<Report {numbers}, fields={len(self.fields):,}>"

    # ------------------------------------------------------------------------------------- numbers

    @property
    def overall(self) -> Tally:
        """All results of all feedback keys together."""
        whole = Tally()
        for tally in self.fields.values():
            whole.add_up(tally)
        whole.items.merge(self._items)
        return whole

    @property
    def score(self) -> float | None:
        """The mean of all graded results of all keys, each counting the same; None without any."""
        return self.overall.mean

    @property
    def bounds(self) -> Bounds | None:
        """The 95 % interval of `score`, the results of a record taken together; None where there is none."""
        return self._items.spread.bounds()

    @property
    def repeated(self) -> int:
        """How many records were taken for one before them, answered once more: those of its id."""
        return self._items.again

    @property
    def coverage(self) -> float | None:
        """The share of results that were graded, of those that should have been; None when none should.

        A part of the input that could not be read counts as a record without any.
        """
        graded = self.overall.coverage
        if graded is None:
            return 0.0 if self.error_count else None
        return graded * self.count / (self.count + self.error_count)

    def field_coverage(self, key: str) -> float | None:
        """The share of one key's results that were graded; a record that gave none of its keys counts too."""
        tally, root = self.fields[key], self._root(key.partition(":")[0])
        if root is None or root is tally:
            return tally.coverage
        due = tally.answered + tally.owed + root.owed
        return tally.answered / due if due else None

    def _root(self, name: str) -> Tally | None:
        """Where records are counted as a whole: `name:$`, or `name` if none was ever graded there."""
        found, bare = self.fields.get(f"{name}:$"), self.fields.get(name)
        return bare if found is None and bare is not None and not bare.answered else found

    @property
    def worst_records(self) -> list[WorstRecord]:
        """The records whose graded results are worst on average, the worst first."""
        return sorted(example for _, _, example in self._heap)

    @property
    def usage(self) -> dict[str, float]:
        """What judging used: `judge_calls`, and what the judges reported."""
        amounts = {name: from_units(amount) for name, amount in sorted(self._usage.items())}
        return {name: int(value) if value.is_integer() else value for name, value in amounts.items()}

    @property
    def unmatched_paths(self) -> list[dict[str, str | None]]:
        """Paths in options that named nothing in any record, with the nearest path that exists."""
        return self.paths.unmatched()

    @property
    def extraction(self) -> dict[str, Extraction]:
        """How extraction went, by the name of each evaluator that counts it, as multi_field does."""
        return extractions({key: tally.outcomes for key, tally in self.fields.items()})

    @property
    def summaries(self) -> Results:
        """The metrics of classifiers over all records, a result each; see `scorers.labels`."""
        return [
            one
            for key, classes in sorted(self.classes.items())
            for one in classes.results(key, self.field_coverage(key) if key in self.fields else None)
        ]

    @property
    def never_scored(self) -> list[dict[str, str | None]]:
        """Those of `unmatched_paths` that name what is scored: fields, and fields that a judge decides."""
        return [one for one in self.unmatched_paths if one["option"] in _SCORED]

    def passed(self, fail_under: float | None = None, min_coverage: float | None = None) -> bool:
        """Whether something was graded, and score and coverage reach their bars.

        No bar is reached by a run in which a field was never scored.
        """
        if (fail_under is not None or min_coverage is not None) and self.never_scored:
            return False
        score = self.score
        if score is None or (fail_under is not None and score < fail_under):
            return False
        coverage = self.coverage
        return min_coverage is None or (coverage is not None and coverage >= min_coverage)

    # ------------------------------------------------------------------------------------- counting

    def classify(self, key: str, labels: Labels) -> None:
        """Keep the labels of the classifier that gives results of this key."""
        self.classes.setdefault(key, Classes(labels))

    def add(self, record: RecordResult) -> None:
        """Count one record."""
        self.count += 1
        found: dict[str, Problem] = {}
        for result in record.results:
            status = result["extra"].get("status", "graded")
            self._tally(result["key"]).add(result, status, record.position, record.id)
            if result["key"] in self.classes:
                self.classes[result["key"]].add(result)
            if status != "graded" and status not in found:
                reason = result["extra"].get("reason") or result["comment"]
                found[status] = Problem(1, record.position, record.id, _short(reason))
        for status, problem in found.items():
            self._problem(status, problem)
        for name, amount in record.usage.items():
            self._usage[name] = self._usage.get(name, 0) + units(amount)
        scores = tuple(float(one["score"]) for one in record.results if one["score"] is not None)
        if scores:
            self._items.add(record.id, scores)
        self._rank(record)
        if self.keep_results:
            self.records.append(record)

    def add_error(self, message: str) -> None:
        """Note a part of the input that could not be read."""
        self.error_count += 1
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(message)

    def merge(self, other: Report) -> Self:
        """Count all that `other` counted, its records coming after those of this report; return this one.

        The numbers do not depend on how records were split. Two exceptions: past 500 feedback keys the
        ones seen first are told apart, and ties between worst records go by the order of merging.
        """
        offset = self.count
        for key, tally in other.fields.items():
            self._tally(key, tally.total).merge(tally, offset)
        self.folded += other.folded
        for status, one in other.problems.items():
            self._problem(status, Problem(one.count, one.position + offset, one.id, one.reason))
        for name, amount in other._usage.items():
            self._usage[name] = self._usage.get(name, 0) + amount
        for _, _, example in other._heap:
            self._push(example.moved(offset))
        for message in other.errors:
            self.add_error(message)
        self.error_count += other.error_count - len(other.errors)
        self.count += other.count
        self.elapsed += other.elapsed
        self.paths.merge(other.paths)
        self.thresholds |= other.thresholds
        self._items.merge(other._items)
        for key, classes in other.classes.items():
            self.classify(key, classes.labels)
            self.classes[key].merge(classes)
        self.records += (one.moved(offset) for one in other.records) if self.keep_results else ()
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the kept results, as JSON."""
        overall = self.overall
        return {
            "score": overall.mean,
            **interval(overall.bounds),
            "coverage": self.coverage,
            "pass_rate": overall.pass_rate,
            "thresholds": sorted(self.thresholds),
            "records": self.count,
            "graded": overall.graded,
            "total": overall.total,
            "statuses": dict(sorted(overall.statuses.items())),
            "fields": {
                key: {
                    **tally.to_dict(),
                    "coverage": self.field_coverage(key),
                    "worst": tally.worst.to_dict() if tally.worst else None,
                }
                for key, tally in sorted(self.fields.items())
            },
            "summaries": self.summaries,
            "extraction": {name: one.to_dict() for name, one in self.extraction.items()},
            "folded_results": self.folded,
            "worst_records": [example.to_dict() for example in self.worst_records],
            "problems": {
                status: {"records": one.count, "first": {"id": one.id, "reason": one.reason}}
                for status, one in sorted(self.problems.items())
            },
            "unmatched_paths": self.unmatched_paths,
            "usage": self.usage,
            "errors": {"count": self.error_count, "first": list(self.errors)},
            "elapsed": self.elapsed,
        }

    def _tally(self, key: str, results: int = 1) -> Tally:
        """The counts of a key; past the limit those of all further keys together."""
        found = self.fields.get(key)
        if found is not None:
            return found
        if len(self.fields) >= MAX_FIELDS and key != OTHER_FIELDS:
            self.folded += results
            key = OTHER_FIELDS
        return self.fields.setdefault(key, Tally(items=Items(self.scattered)))

    def _problem(self, status: str, new: Problem) -> None:
        old = self.problems.get(status)
        if old is None:
            self.problems[status] = new
            return
        first = new if new.position < old.position else old
        self.problems[status] = Problem(old.count + new.count, first.position, first.id, first.reason)

    def _rank(self, record: RecordResult) -> None:
        graded = [one for one in record.results if one["score"] is not None]
        rank = fsum(map(rank_of, graded)) / len(graded) if graded else 1.0
        if not graded or (len(self._heap) >= self.worst and not self._beats(rank, record.position)):
            return
        lowest = min(graded, key=rank_of)
        unread, score = lowest["extra"].get("status") != "graded", record.score or 0.0
        self._push(WorstRecord(rank, unread, record.position, record.id, score, _short(lowest["comment"])))

    def _beats(self, rank: float, position: int) -> bool:
        return bool(self._heap) and (-rank, -position) > self._heap[0][:2]

    def _push(self, example: WorstRecord) -> None:
        """Keep an example if it is among the worst; the best of those kept is on top of the heap."""
        entry = (-example.rank, -example.position, example)
        if len(self._heap) < self.worst:
            heapq.heappush(self._heap, entry)
        elif self._heap:
            heapq.heappushpop(self._heap, entry)


def _short(text: object) -> str | None:
    return None if text is None else str(text)[:COMMENT_LIMIT]
