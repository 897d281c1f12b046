"""One record of multi_field rendered as results: a score for each field, then the aggregate.

`extra["outcomes"]` counts how the places of a field came out, in the words of `extraction`; the counts of
results add up, and those of the aggregate are those of all fields. `metadata` and `extra` are the same JSON.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.aggregate import WEIGHTLESS, Score, Tally, score_field, score_parts
from fieldwise.core.compare import Outcome
from fieldwise.core.display import nearest, utf8, utf8_name
from fieldwise.core.equality import equal
from fieldwise.core.explain import comment
from fieldwise.core.select import place_name, place_names, plain_name
from fieldwise.scorers.extraction import NOTHING, OUTCOMES, outcome_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import EvaluatorResult
    from fieldwise.core.pick.model import Element, Found, Pairing, Picked
    from fieldwise.core.read import Documents, Problem
    from fieldwise.scorers.field import Field

AGGREGATE: Final = "aggregate_score"
_SHOWN_LISTS: Final = 10
_SHOWN_ELEMENTS: Final = 100
_NOTHING: Final = "nothing to compare: every field is on neither side"
_WEIGHTLESS: Final = Score(None, 0, 0, Outcome("$", None, MISSING, MISSING, "not_applicable", WEIGHTLESS))
_NOWHERE: Final = Score(None, 0, 0, Outcome("$", None, MISSING, MISSING, "path_not_found", _NOTHING))


@dataclass(slots=True)
class FieldsCard:
    """One scored record.

    Attributes:
        name: what the keys begin with.
        fields: the fields, as configured.
        threshold: what the aggregate has to reach to have passed.
        documents: both sides as read.
        picked: what was found, for each field; empty when there was nothing to look at.
        problem: why nothing was scored.
        usage: what judging used.
        null_is_missing: whether null and no value were the same.
    """

    name: str
    fields: Sequence[Field]
    threshold: float
    documents: Documents
    picked: Sequence[Picked] = ()
    problem: Problem | None = None
    usage: Mapping[str, float] | None = None
    null_is_missing: bool = False

    def results(self) -> list[EvaluatorResult]:
        """Return a result for each field, then the aggregate."""
        if self.problem is not None:
            return self._failed(self.problem)
        scores, counts = self._scores()
        rows = [self._row(*row) for row in zip(self.fields, self.picked, scores, counts, strict=True)]
        return [*rows, self._aggregate(scores, counts)]

    def summary(self) -> EvaluatorResult:
        """Return the aggregate."""
        if self.problem is not None:
            return self._failed(self.problem)[-1]
        return self._aggregate(*self._scores())

    def _scores(self) -> tuple[list[Score | None], list[dict[str, int]]]:
        """The score of each field, None where it has no place, and how its places came out."""
        pairs = zip(self.fields, self.picked, strict=True)
        counts = [_counts(one.found, each.threshold) if one.found else {NOTHING: 1} for each, one in pairs]
        return [_fold(one) for one in self.picked], counts

    def _row(self, named: Field, one: Picked, score: Score | None, counts: dict[str, int]) -> EvaluatorResult:
        if score is None:
            return self._absent(named, one, counts)
        value = score.value
        passed = value is not None and value >= named.threshold
        extra: dict[str, Any] = {
            "comparator": one.found[0].outcome.comparator,
            "passed": passed,
            "support": score.support,
            **_settings(named),
            "outcome": _worst(counts),
            "outcomes": counts,
        }
        if len(one.found) > 1:
            extra["coverage"] = score.coverage
        if score.cause is not None:
            extra["reason"] = score.cause.reason
        if one.pairings:
            extra["pairing"] = _pairings(one.pairings)
        wrong = [each.outcome for each in one.found if each.outcome.score != 1.0]
        note = comment(wrong, len(one.found), "places")
        return self._result(named.path, value, score.status, note, extra)

    def _absent(self, named: Field, one: Picked, counts: dict[str, int]) -> EvaluatorResult:
        """A field that is on neither side; the nearest place there is may be the one that was meant."""
        names = place_names((self.documents.expected, self.documents.actual))
        close = nearest(plain_name(named.path), sorted(names))
        hint = f"; did you mean {close!r}?" if close else ""
        note = f"{named.path}: on neither side{hint}"
        extra: dict[str, Any] = {
            "passed": False,
            "support": 0,
            **_settings(named),
            "outcome": NOTHING,
            "outcomes": counts,
            "reason": note,
        }
        if one.pairings:
            extra["pairing"] = _pairings(one.pairings)
        return self._result(named.path, None, "path_not_found", note, extra)

    def _aggregate(
        self, scores: Sequence[Score | None], counts: Sequence[Mapping[str, int]]
    ) -> EvaluatorResult:
        pairs = list(zip(self.fields, scores, strict=True))
        parts = [(each.weight, score) for each, score in pairs if score is not None]
        total = self._whole(parts)
        value = total.value
        needed = all(
            score is not None and score.value is not None and score.value >= each.threshold
            for each, score in pairs
            if each.required
        )
        extra: dict[str, Any] = {
            "passed": value is not None and value >= self.threshold and needed,
            "support": total.support,
            "coverage": total.coverage,
            "threshold": self.threshold,
            "outcomes": _total(counts),
        }
        if total.cause is not None:
            extra["reason"] = total.cause.reason
        return self._result(AGGREGATE, value, total.status, self._comment(), extra, path="$")

    def _whole(self, parts: Sequence[tuple[float, Score]]) -> Score:
        """The score of the record; where nothing that weighs was compared, right only if equal."""
        if any(weight > 0 for weight, _ in parts):
            return score_parts(parts, "average")
        if equal(self.documents.expected, self.documents.actual):  # type: ignore[arg-type]
            return Score(1.0, 0)
        return _WEIGHTLESS if parts else _NOWHERE

    def _comment(self) -> str | None:
        outcomes = [each.outcome for one in self.picked for each in one.found]
        if not outcomes:
            return _NOTHING
        single = all(len(one.found) <= 1 for one in self.picked)
        wrong = [one for one in outcomes if one.score != 1.0]
        return comment(wrong, len(outcomes), "fields" if single else "places")

    def _failed(self, problem: Problem) -> list[EvaluatorResult]:
        """An output that cannot be read is 0 for every field; what the reference wanted was left out."""
        score = problem.score(0.0)
        extra: dict[str, Any] = {"passed": False, "support": 0, "reason": problem.reason}
        counts = self._scores()[1] if self.picked else []
        rows = []
        for at, named in enumerate(self.fields):
            more = {**extra, **_settings(named)}
            if counts:
                more |= {"outcome": _worst(counts[at]), "outcomes": counts[at]}
            rows.append(self._result(named.path, score, problem.status, problem.reason, more))
        more = {**extra, "threshold": self.threshold}
        if counts:
            more["outcomes"] = _total(counts)
        return [*rows, self._result(AGGREGATE, score, problem.status, problem.reason, more, path="$")]

    def _result(
        self,
        name: str,
        score: float | None,
        status: str,
        note: str | None,
        more: Mapping[str, Any],
        *,
        path: str | None = None,
    ) -> EvaluatorResult:
        name, note = utf8_name(name), None if note is None else utf8(note)
        extra: dict[str, Any] = {"status": status, "path": name if path is None else path, **more}
        if extra.get("reason") is not None:
            extra["reason"] = utf8(extra["reason"])
        if self.documents.ledger:
            extra["parse"] = {side: list(words) for side, words in self.documents.ledger.items()}
        if self.usage is not None:
            extra["usage"] = dict(self.usage)
        key = f"{self.name}:{name}"
        return {"key": key, "score": score, "comment": note, "metadata": extra, "extra": extra}


def _settings(named: Field) -> dict[str, Any]:
    found: dict[str, Any] = {"threshold": float(named.threshold), "weight": float(named.weight)}
    return {**found, "required": True} if named.required else found


def _fold(one: Picked) -> Score | None:
    """The mean over a field's places; None when it has none."""
    outcomes = [each.outcome for each in one.found]
    return score_field(Tally(others=outcomes), "average") if outcomes else None


def _counts(found: Sequence[Found], threshold: float) -> dict[str, int]:
    """How many places came out each way; a place that was not graded did not come out."""
    counts: dict[str, int] = {}
    for one in found:
        score = one.outcome.score
        if score is not None:
            word = outcome_of(one.expected, one.actual, right=score >= threshold)
            counts[word] = counts.get(word, 0) + 1
    return counts if len(counts) == 1 else {word: counts[word] for word in OUTCOMES if word in counts}


def _total(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return {word: total[word] for word in OUTCOMES if word in total}


def _worst(counts: Mapping[str, int]) -> str | None:
    return next((word for word in OUTCOMES if counts.get(word)), None)


def _pairings(pairings: Sequence[Pairing]) -> dict[str, Any]:
    """How the lists on a field's way were paired, by their places; bounded."""
    return {place_name(one.where): _pairing(one) for one in pairings[:_SHOWN_LISTS]}


def _pairing(pairing: Pairing) -> dict[str, Any]:
    """One list: counts, and a verdict for each element with its index in outputs and in the reference."""
    verdicts = [row for one in pairing.elements for row in _verdicts(one)]
    counts = Counter(verdict for verdict, _, _ in verdicts)
    shown: dict[str, Any] = {
        "mode": pairing.mode,
        "matched": counts["matched"],
        "missing": counts["missing"],
        "invented": counts["invented"],
        "elements": [list(row) for row in verdicts[:_SHOWN_ELEMENTS]],
    }
    if pairing.note is not None:
        shown["note"] = utf8(pairing.note)
    return shown


def _verdicts(one: Element) -> list[tuple[str, int | None, int | None]]:
    """(verdict, output index, reference index); of a pair with nothing right, each is without a match."""
    if one.verdict == "unmatched":
        return [("missing", None, one.expected), ("invented", one.actual, None)]
    return [(one.verdict, one.actual, one.expected)]
