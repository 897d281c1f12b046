"""What a run of an evaluation set found: a state that grows with each result, and merges.

Rules of this module:
1. No result is kept: the summary of any number of items is as large as that of a few. Only an evaluator with
   metrics of its own over the data set keeps what these are made of, each kind of result once.
2. However items were split over summaries, the merged numbers are those of one summary over all of them.
3. An evaluator's score is the mean of its graded verdicts, or where it has metrics of its own, the first of
   those. A result that was not graded lowers the coverage, never the score.
4. The score of the run is the mean of the scores of the evaluators that have one, each counting by its
   weight; distances are no part of it.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.statistics.items import Items
from fieldwise.core.weighted import weighted_mean
from fieldwise.evalsets.registry.plans import metrics, summarises
from fieldwise.evalsets.verdicts import label, verdict
from fieldwise.run._repeats import Repeats
from fieldwise.run._report import RecordResult, Report
from fieldwise.run._tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from fieldwise._types import EvaluatorResult, Results
    from fieldwise.evalsets.model import Chosen, EvaluationSet, ItemResult

_SHOWN: Final = 5
_KEPT: Final = (
    "fields",
    "extraction",
    "folded_results",
    "worst_records",
    "problems",
    "unmatched_paths",
    "usage",
)
"""What a report of the feedback keys says that is true of an evaluation set, too."""


@dataclass(slots=True)
class Standing:
    """What a run says of one evaluator.

    Attributes:
        chosen: the evaluator, its weight and its threshold.
        tally: of its verdicts, one an item.
        labels: how many of them are "pass", "partial" and "fail".
        skipped: how many items do not ask it.
        lower_is_better: whether its score is a distance.
        rows: what metrics over the data set are made of: its results as JSON, and how often each came;
            None where the mean says all.
    """

    chosen: Chosen
    tally: Tally = field(default_factory=Tally)
    labels: Counter[str] = field(default_factory=Counter)
    skipped: int = 0
    lower_is_better: bool = False
    rows: Counter[str] | None = None

    def add(self, results: Results, position: int, item: str) -> EvaluatorResult:
        """Count what it gave for one item; return the verdict that it comes to."""
        one = verdict(self.chosen.spec.id, results, self.chosen.threshold)
        self.tally.add(one, one["extra"].get("status", "graded"), position, item)
        lower, passed = (bool(one["extra"].get(name)) for name in ("lower_is_better", "passed"))
        self.lower_is_better |= lower
        named = label(one["score"], passed=passed)
        if named is not None:
            self.labels["fail" if lower and not passed else named] += 1
        if self.rows is not None:
            slim = [{"score": result["score"], "extra": result["extra"]} for result in results]
            self.rows[json.dumps(slim)] += 1
        return one

    def merge(self, other: Standing, offset: int = 0) -> None:
        """Count what `other` counted for other items, which come `offset` later."""
        self.tally.merge(other.tally, offset)
        self.labels.update(other.labels)
        self.skipped += other.skipped
        self.lower_is_better |= other.lower_is_better
        if self.rows is not None and other.rows is not None:
            self.rows.update(other.rows)

    @property
    def metrics(self) -> list[EvaluatorResult]:
        """The evaluator's own metrics over the data set, the one that is its score first."""
        return [] if self.rows is None else metrics(self.chosen, self._results())

    def _results(self) -> Iterator[Results]:
        for text, number in (self.rows or {}).items():
            results = json.loads(text)
            for _ in range(number):
                yield results

    @property
    def score(self) -> float | None:
        """Its score over all items; None when nothing was graded."""
        if self.rows is None:
            return self.tally.mean
        found = self.metrics
        return found[0]["score"] if found else None

    @property
    def passed(self) -> bool | None:
        """Whether its score reaches its threshold; None without a threshold."""
        bar, score = self.chosen.threshold, self.score
        if bar is None or score is None:
            return None if bar is None else False
        return score <= bar if self.lower_is_better else score >= bar

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON."""
        spec = self.chosen.spec
        return {
            "name": spec.name,
            "type": spec.type_id,
            "score": self.score,
            "weight": self.chosen.weight,
            "threshold": self.chosen.threshold,
            "passed": self.passed,
            **self.tally.to_dict(),
            "labels": dict(sorted(self.labels.items())),
            "skipped": self.skipped,
            "metrics": {one["key"]: one["score"] for one in self.metrics},
            "worst": self.tally.worst.to_dict() if self.tally.worst else None,
        }


@dataclass(slots=True)
class Summary:
    """What a run found.

    Attributes:
        set_id: the id of the evaluation set.
        name: its name.
        standings: evaluator id to what is said of it, in the order of the set.
        report: the counts of every feedback key, the worst items, what was not graded and why.
        outcomes: how many items were answered, failed, took too long, or were not run.
        failures: the first items without an answer, and why.
        repeats: of items that are run several times, how often each evaluator passes them and how steadily;
            grows with the number of items. None where each is run once.
        elapsed: seconds of the run, of merged ones the sum.
        seconds: what the agent took, all items together.
    """

    set_id: str
    name: str
    standings: dict[str, Standing]
    report: Report = field(default_factory=lambda: Report(keep_results=False))
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[str, str]] = field(default_factory=list)
    repeats: Repeats | None = None
    elapsed: float = 0.0
    seconds: float = 0.0

    @classmethod
    def of(cls, evaluation_set: EvaluationSet, repeat: int = 1) -> Self:
        """Return the summary of a run that has not begun, and which runs each item `repeat` times."""
        several = repeat > 1  # and an item's answers may stand apart: one that failed is run again later
        standings = {
            one.spec.id: Standing(
                one, Tally(items=Items(several)), rows=Counter() if summarises(one) else None
            )
            for one in evaluation_set.evaluators
        }
        report = Report(keep_results=False, scattered=several)
        repeats = Repeats() if several else None
        return cls(evaluation_set.id, evaluation_set.name, standings, report, repeats=repeats)

    @property
    def count(self) -> int:
        """How many results there are: items, each as often as it was run."""
        return self.report.count

    @property
    def score(self) -> float | None:
        """The mean of the evaluators' scores by their weights; None when none that has weight was graded."""
        return weighted_mean(
            (one.chosen.weight, score)
            for one in self.standings.values()
            if not one.lower_is_better and (score := one.score) is not None
        )

    @property
    def verdicts(self) -> Tally:
        """The verdicts of all evaluators together, each counting the same."""
        whole = Tally()
        for one in self.standings.values():
            whole.add_up(one.tally)
        return whole

    @property
    def coverage(self) -> float | None:
        """The share of verdicts that were graded, of those that should have been; None when none should."""
        return self.verdicts.coverage

    @property
    def missed(self) -> list[str]:
        """The evaluators whose score does not reach their threshold."""
        return [name for name, one in self.standings.items() if one.passed is False]

    def passed(self, fail_under: float | None = None, min_coverage: float | None = None) -> bool:
        """Whether something was graded, every threshold is reached, and so are these bars."""
        score = self.score
        if not self.verdicts.graded or self.missed:
            return False
        if fail_under is not None and (score is None or score < fail_under):
            return False
        coverage = self.coverage
        return min_coverage is None or (coverage is not None and coverage >= min_coverage)

    def add(self, result: ItemResult) -> None:
        """Count what became of one item."""
        position = self.report.count + 1
        whole: Results = []
        for name, standing in self.standings.items():
            results = result.results.get(name)
            if not results:
                standing.skipped += 1
                continue
            one = standing.add(results, position, result.item)
            whole += results
            if self.repeats is not None:
                self.repeats.add(result.item, [one, *(row for row in results if row["key"] != name)])
        self.report.add(RecordResult(position, result.item, whole, used(result.results)))
        self.outcomes[result.outcome] += 1
        self.seconds += result.seconds or 0.0
        if result.outcome != "ok":
            self._fail(result.item, result.error or "")

    def merge(self, other: Summary) -> Self:
        """Count all that `other` counted, its items coming after those of this summary; return this one."""
        offset = self.report.count
        for name, standing in self.standings.items():
            standing.merge(other.standings[name], offset)
        self.report.merge(other.report)
        self.outcomes.update(other.outcomes)
        for item, error in other.failures:
            self._fail(item, error)
        if self.repeats is not None and other.repeats is not None:
            self.repeats.merge(other.repeats)
        self.elapsed += other.elapsed
        self.seconds += other.seconds
        return self

    def _fail(self, item: str, error: str) -> None:
        """Note why an item has no answer, the first ones, each once."""
        if len(self.failures) < _SHOWN and all(item != known for known, _ in self.failures):
            self.failures.append((item, error))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON."""
        verdicts, report = self.verdicts, self.report.to_dict()
        return {
            "set": self.set_id,
            "name": self.name,
            "score": self.score,
            "coverage": verdicts.coverage,
            "pass_rate": verdicts.pass_rate,
            "items": self.count,
            "outcomes": dict(sorted(self.outcomes.items())),
            "graded": verdicts.graded,
            "evaluators": {name: one.to_dict() for name, one in self.standings.items()},
            "missed": self.missed,
            **{name: report[name] for name in _KEPT},
            "repeats": None if self.repeats is None else self.repeats.to_dict(),
            "failures": [{"id": item, "error": error} for item, error in self.failures],
            "elapsed": self.elapsed,
            "agent_seconds": self.seconds,
        }


def used(results: Mapping[str, Results]) -> dict[str, float]:
    """Return what judging an item used: the results of one evaluator all say the same."""
    amounts: dict[str, float] = {}
    for found in results.values():
        usage = found[0]["extra"].get("usage") if found else None
        for name, amount in usage.items() if isinstance(usage, dict) else ():
            if type(amount) in (int, float):
                amounts[name] = amounts.get(name, 0) + amount
    return amounts
