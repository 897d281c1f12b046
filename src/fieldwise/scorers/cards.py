"""Compared documents rendered as evaluator results: keys, scores, comments, `extra`.

One result for each field, or one for the record. `metadata` and `extra` are the same JSON: LangSmith
uploads only the second. Scores never depend on a threshold; `passed` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise.core.aggregate import Score, score_field, score_record, score_records, tallies
from fieldwise.core.display import utf8, utf8_name
from fieldwise.core.explain import comment
from fieldwise.core.fields import ROOT, Compared, Comparison

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import Aggregator, EvaluatorResult, ListMode
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Outcome
    from fieldwise.core.read import Problem


@dataclass(frozen=True, slots=True)
class Style:
    """How results are folded and named.

    Attributes:
        prefix: what feedback keys begin with.
        mode: how a top-level list was paired.
        aggregator: None for a result for each field.
        list_aggregator: folds records, and the places of one field.
        weights: by field name, for "average".
        threshold: what a score has to reach to have passed.
        folds: whether a field may have several places in one record.
    """

    prefix: str
    mode: ListMode | ByKey
    aggregator: Aggregator | None
    list_aggregator: Aggregator
    weights: Mapping[str, float] | None
    threshold: float
    folds: bool


@dataclass(slots=True)
class MatchCard:
    """One record as JSON match scored it.

    Attributes:
        style: how to render it.
        ledger: what was done to read each side.
        compared: the comparison, empty when there was a problem.
        problem: why nothing could be compared.
        names: the fields that a problem of the output costs.
        usage: what judging used.
    """

    style: Style
    ledger: Mapping[str, Sequence[str]]
    compared: Compared = field(default_factory=Compared)
    problem: Problem | None = None
    names: Sequence[str] = ()
    usage: Mapping[str, float] | None = None

    def results(self) -> list[EvaluatorResult]:
        """Return the results the options ask for; never an empty list."""
        style = self.style
        if style.aggregator is not None:
            return [self._aggregate(style.aggregator)]
        if self.problem is not None:
            return self._unread(self.problem)
        if self.compared.alignment is None and not style.folds:
            return self._single() or [self._nothing()]
        return self._folded() or [self._nothing()]

    def summary(self) -> EvaluatorResult:
        """Return one result for the record: by the aggregator, or the average."""
        return self._aggregate(self.style.aggregator or "average")

    def _single(self) -> list[EvaluatorResult]:
        """The results of one record whose fields have one place each."""
        (record,) = self.compared.records
        prefix, shared = self.style.prefix, self._shared()
        results: list[EvaluatorResult] = []
        for equal in record.equal:
            name = equal if equal.isascii() else utf8_name(equal)
            extra = {"status": "graded", "path": name, "comparator": "exact", "passed": True, "support": 1}
            if shared:
                extra.update(shared)
            key = f"{prefix}:{name}"
            results.append({"key": key, "score": 1.0, "comment": None, "metadata": extra, "extra": extra})
        for one in record.outcomes:
            graded = one.score is not None
            score = Score(one.score, int(graded), 0 if graded else 1, None if graded else one)
            results.append(self._result(one.name, score, comment([one], 1, "fields"), one.comparator))
        results.sort(key=_key)
        return results

    def _folded(self) -> list[EvaluatorResult]:
        """The results of fields that have several places: over records, or within one."""
        found = tallies(self.compared.records)
        results = []
        for name in sorted(found):
            tally = found[name]
            score = score_field(tally, self.style.list_aggregator)
            note = comment(tally.others, tally.right + len(tally.others), "places")
            comparator = tally.others[0].comparator if tally.others else "exact"
            results.append(self._result(name, score, note, comparator))
        return results

    def _aggregate(self, aggregator: Aggregator) -> EvaluatorResult:
        if self.problem is not None:
            return self._failed(aggregator, ROOT, self.problem)
        style, records = self.style, self.compared.records
        folding = style.list_aggregator if style.folds else None
        weights = style.weights if aggregator == "average" else None
        outcomes: list[Outcome] = []
        scores: list[tuple[Score, int]] = []
        count = 0
        for record in records:
            outcomes += record.outcomes
            count += len(record.equal) * record.times
            score = score_record(record, aggregator, folding, weights)
            if score is not None:
                scores.append((score, record.times))
        listed = self.compared.alignment is not None
        total = score_records(scores, style.list_aggregator) if listed or not scores else scores[0][0]
        return self._result(aggregator, total, comment(outcomes, count + len(outcomes), "fields"), None)

    def _result(self, name: str, score: Score, note: str | None, comparator: str | None) -> EvaluatorResult:
        """Render one score; `comparator` None: it is the record's, not a field's."""
        value, name = score.value, utf8_name(name)
        extra: dict[str, Any] = {
            "status": "graded" if score.cause is None else score.cause.status,
            "path": ROOT if comparator is None else name,
            "passed": value is not None and value >= self.style.threshold,
            "support": score.support,
        }
        if comparator is None:
            extra["coverage"] = score.coverage
        else:
            extra["comparator"] = comparator
        if score.cause is not None:
            extra["reason"] = _told(score.cause.reason)
        shared = self._shared()
        if shared:
            extra.update(shared)
        key = f"{self.style.prefix}:{name}"
        return {"key": key, "score": value, "comment": _told(note), "metadata": extra, "extra": extra}

    def _nothing(self) -> EvaluatorResult:
        return self._result(ROOT, Score(1.0, 0), "nothing to compare", "exact")

    def _unread(self, problem: Problem) -> list[EvaluatorResult]:
        """An output that cannot be read is 0 for every field of the reference; else one result."""
        return [self._failed(name, name, problem) for name in self.names or (ROOT,)]

    def _failed(self, name: str, path: str, problem: Problem) -> EvaluatorResult:
        score = problem.score(0.0)
        name, path, reason = utf8_name(name), utf8_name(path), utf8(problem.reason)
        extra: dict[str, Any] = {
            "status": problem.status,
            "path": path,
            "passed": False,
            "support": 0,
            "reason": reason,
            **self._shared(),
        }
        key = f"{self.style.prefix}:{name}"
        return {"key": key, "score": score, "comment": reason, "metadata": extra, "extra": extra}

    def _shared(self) -> dict[str, Any]:
        """What every result of this record carries: how it was read, paired and judged."""
        shared: dict[str, Any] = {}
        if self.ledger:
            shared["parse"] = {side: list(words) for side, words in self.ledger.items()}
        if self.compared.alignment is not None:
            shared["pairing"] = _pairing(str(self.style.mode), self.compared)
        if self.usage is not None:
            shared["usage"] = dict(self.usage)
        return shared


def _told(text: str | None) -> str | None:
    return None if text is None else utf8(text)


def _key(result: EvaluatorResult) -> str:
    return result["key"]


def _pairing(mode: str, compared: Compared) -> dict[str, Any]:
    """How a list was paired, bounded: the first hundred pairs of output and reference indices."""
    found = compared.alignment
    if found is None:
        return {}
    matched = sum([one.times for one in compared.records if _has_something_equal(one)])
    pairs = sorted(found.same + found.pairs, key=_reference_index)
    shown: dict[str, Any] = {
        "mode": mode,
        "matched": matched,
        "missing": len(found.missing),
        "invented": len(found.invented),
        "pairs": [list(pair) for pair in pairs[:100]],
    }
    if found.note is not None:
        shown["note"] = utf8(found.note)
    return shown


def _has_something_equal(record: Comparison) -> bool:
    """Whether a pair counts as matched; two objects without fields are equal."""
    return bool(record.equal) or not record.outcomes or any(one.score for one in record.outcomes)


def _reference_index(pair: tuple[int, int]) -> int:
    return pair[1]
