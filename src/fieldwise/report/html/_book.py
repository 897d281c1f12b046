"""A run counted: what came of every item, and the scores of each evaluator and field.

A measure is a series of scores: of the items as wholes, of an evaluator, or of one of its feedback keys.
Scores of one item that was run several times hang together, so intervals are of items.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fieldwise.core.statistics.spread import Spread
from fieldwise.core.weighted import weighted_mean
from fieldwise.evalsets.verdicts import aggregate_of
from fieldwise.report.html._verdicts import Mark, evaluator_mark, extra_of, item_mark, mark_of, score_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import EvaluatorResult
    from fieldwise.core.statistics.spread import Bounds
    from fieldwise.evalsets.model import ItemResult
    from fieldwise.report.html._run import Run
    from fieldwise.report.html._verdicts import Verdict

MAX_FIELDS: Final = 200
"""How many feedback keys of an evaluator are told apart; the scores of further ones show with their item."""


@dataclass(slots=True)
class Measure:
    """A series of scores, and how many there should have been.

    Attributes:
        name: for people.
        scores: item to its scores, in the order of the run.
        verdicts: how many have each label.
        owed: how many scores are missing.
        lower: whether the scores are distances.
    """

    name: str
    scores: dict[str, list[float]] = field(default_factory=dict)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    owed: int = 0
    lower: bool = False

    def add(self, item: str, mark: Mark) -> None:
        """Count what came of one item, once."""
        self.verdicts[mark.verdict] += 1
        self.owed += mark.owed
        self.lower = self.lower or mark.lower
        if mark.score is not None:
            self.scores.setdefault(item, []).append(mark.score)

    @property
    def graded(self) -> int:
        """How many scores there are."""
        return sum(map(len, self.scores.values()))

    @property
    def coverage(self) -> float | None:
        """The share of scores that are there, of those that should be; None when none should."""
        due = self.graded + self.owed
        return self.graded / due if due else None

    @property
    def pass_rate(self) -> float | None:
        """The share of scores that passed; None without any."""
        return self.verdicts["pass"] / self.graded if self.graded else None

    @property
    def mean(self) -> float | None:
        """The mean of all scores; None without any."""
        return self._spread().mean

    def summed(self) -> tuple[float | None, Bounds | None]:
        """Return the mean and its interval; of neither where there is nothing to say."""
        spread = self._spread()
        return spread.mean, spread.bounds()

    def _spread(self) -> Spread:
        spread = Spread()
        for scores in self.scores.values():
            spread.add(scores)
        return spread


@dataclass(slots=True)
class Evaluator:
    """One evaluator: what it made of the items, and of each of its feedback keys."""

    id: str
    whole: Measure
    fields: dict[str, Measure] = field(default_factory=dict)
    pairs: list[tuple[str, str | None]] = field(default_factory=list)

    def add(self, item: str, results: list[EvaluatorResult], threshold: float | None) -> Mark:
        """Count the results of one item, once."""
        mark = evaluator_mark(self.id, results, threshold)
        self.whole.add(item, mark)
        aggregate = aggregate_of(self.id, results)
        for one in results:
            if one is not aggregate:
                self._field(one["key"]).add(item, mark_of(one))
            extra = extra_of(one)
            if isinstance(extra.get("expected_class"), str) and one.get("score") is not None:
                came = extra.get("predicted_class")
                self.pairs.append((extra["expected_class"], came if isinstance(came, str) else None))
        return mark

    def _field(self, key: str) -> Measure:
        if key not in self.fields and len(self.fields) >= MAX_FIELDS:
            return Measure("")
        return self.fields.setdefault(key, Measure(field_name(key, self.id)))


def field_name(key: str, evaluator: str) -> str:
    """Return a feedback key without its evaluator.

    >>> field_name("invoice:items[*].sku", "invoice")
    'items[*].sku'
    """
    return key.removeprefix(f"{evaluator}:") or key


@dataclass(frozen=True, slots=True)
class Row:
    """One item, once: its result, what came of it, by evaluator and as a whole, and what went wrong."""

    result: ItemResult
    mark: Mark
    marks: dict[str, Mark]
    statuses: tuple[str, ...]


@dataclass(slots=True)
class Book:
    """A run counted."""

    run: Run
    evaluators: dict[str, Evaluator] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    whole: Measure = field(default_factory=lambda: Measure("all"))

    @property
    def items(self) -> int:
        """How many different items there are."""
        return len({row.result.item for row in self.rows})

    @property
    def failed(self) -> int:
        """How often there is no answer."""
        return sum(row.result.outcome != "ok" for row in self.rows)

    @property
    def score(self) -> float | None:
        """The mean of the evaluators' scores by weight, as the run says it; distances are no part of it."""
        return weighted_mean(
            (self.run.weights.get(name, 1.0), score)
            for name, one in self.evaluators.items()
            if not one.whole.lower and (score := self.score_of(name)) is not None
        )

    def score_of(self, name: str) -> float | None:
        """The score of an evaluator: its first metric over the set, if it has one, else its mean."""
        summary = self.run.summaries.get(name)
        return score_of(summary[0]) if summary else self.evaluators[name].whole.mean

    @property
    def pass_rate(self) -> float | None:
        """The share of items that passed, of those that should have a score; None without any."""
        unread = sum(row.result.outcome != "ok" and not row.result.results for row in self.rows)
        due = self.whole.graded + self.whole.owed + unread
        return self.whole.verdicts["pass"] / due if due else None

    @property
    def coverage(self) -> float | None:
        """The share of scores of evaluators that are there; None where none is due. No answer has none."""
        graded = sum(one.whole.graded for one in self.evaluators.values())
        owed = sum(one.whole.owed for one in self.evaluators.values())
        lost = sum(row.result.outcome != "ok" and not row.result.results for row in self.rows)
        if not graded + owed:
            return 0.0 if lost else None
        return graded / (graded + owed) * (1 - lost / len(self.rows))

    def add(self, result: ItemResult) -> None:
        """Count one item, once."""
        marks: dict[str, Mark] = {}
        for name, results in result.results.items():
            if results:
                marks[name] = self._evaluator(name).add(result.item, results, self.run.thresholds.get(name))
        mark = item_mark((one, self.run.weights.get(name, 1.0)) for name, one in marks.items())
        self.whole.add(result.item, mark)
        self.rows.append(Row(result, mark, marks, tuple(_statuses(result))))

    def _evaluator(self, name: str) -> Evaluator:
        return self.evaluators.setdefault(name, Evaluator(name, Measure(name)))


def counted(run: Run) -> Book:
    """Count a run; evaluators that it names come first, in its order."""
    book = Book(run)
    for result in run.results:
        book.add(result)
    order = {name: at for at, name in enumerate(run.names)}
    ranked = sorted(book.evaluators.items(), key=lambda pair: order.get(pair[0], len(order)))
    book.evaluators = dict(ranked)
    return book


def _statuses(result: ItemResult) -> Iterable[str]:
    """What went wrong with an item, each once, in order; without an answer nothing else counts."""
    if result.outcome != "ok":
        return [result.outcome]
    found: list[str] = []
    for results in result.results.values():
        found += [str(extra_of(one).get("status", "graded")) for one in results]
    return [one for one in dict.fromkeys(found) if one != "graded"]
