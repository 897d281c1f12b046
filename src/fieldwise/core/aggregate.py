"""Outcomes to scores.

- Inside a record: the mean over its graded fields (weighted), or all or nothing.
- Across the records of a list: the mean, or all or nothing. A record without fields is left out.
- A field that several places of one record share (`items[*].sku`) is folded as a list is.

One field of non-zero weight that a judge owes a score withholds whatever is folded from it. Fields that
do not apply, or whose path is nowhere, are left out. Sums are exact, so no order shows in a last digit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Final

from fieldwise._types import MISSING
from fieldwise.core.compare import Outcome
from fieldwise.core.weighted import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fieldwise._types import Aggregator, Status
    from fieldwise.core.fields import Comparison

WITHHOLDS: Final = frozenset({"judge_error", "not_evaluated"})
WEIGHTLESS: Final = "no field that was compared has a weight above 0"
LEFT_OUT: Final = frozenset({"path_not_found", "not_applicable"})


@dataclass(slots=True)
class Tally:
    """All places of one field: how many were equal, and the outcomes of the others."""

    right: int = 0
    others: list[Outcome] = field(default_factory=list)

    def scores(self) -> list[float]:
        """Return the scores of the graded places."""
        return [1.0] * self.right + [one.score for one in self.others if one.score is not None]

    def withheld(self) -> Outcome | None:
        """Return a place that kept this field from being graded, or None."""
        return next((one for one in self.others if one.status in WITHHOLDS), None)


@dataclass(slots=True)
class Score:
    """A folded score: its value (None: withheld), how many graded parts it rests on, what withheld it."""

    value: float | None
    support: int
    owed: int = 0
    cause: Outcome | None = None

    @property
    def status(self) -> Status:
        """The status of a result with this score."""
        return self.cause.status if self.cause is not None else "graded"

    @property
    def coverage(self) -> float:
        """The share of parts that were graded, of those that should have been."""
        return self.support / (self.support + self.owed) if self.owed else 1.0


def fold(scores: Sequence[float], how: Aggregator) -> float:
    """Return the mean, or 1.0 if every score is 1 and else 0.0.

    >>> fold([1.0, 0.5], "average"), fold([1.0, 0.5], "all")
    (0.75, 0.0)
    """
    if how == "all":
        return 1.0 if all(score == 1.0 for score in scores) else 0.0
    return fsum(scores) / len(scores)


def tallies(records: Iterable[Comparison]) -> dict[str, Tally]:
    """Return every field by name."""
    counts: Counter[str] = Counter()
    found: dict[str, Tally] = {}
    for record in records:
        for name in record.equal:
            counts[name] += record.times
        for outcome in record.outcomes:
            found.setdefault(outcome.name, Tally()).others.append(outcome)
    for name, count in counts.items():
        found.setdefault(name, Tally()).right = count
    return found


def score_field(tally: Tally, how: Aggregator | None) -> Score:
    """Fold the places of one field; `how` None: the field has one place."""
    scores, cause, owed = tally.scores(), None, 0
    if len(scores) < tally.right + len(tally.others):
        cause = tally.withheld()
        owed = sum(one.status in WITHHOLDS for one in tally.others)
    if cause is not None or not scores:
        return Score(None, len(scores), owed, cause or tally.others[0])
    value = scores[0] if how is None else fold(scores, how)
    return Score(value, len(scores), owed)


def score_record(
    record: Comparison, how: Aggregator, folding: Aggregator | None, weights: Mapping[str, float] | None
) -> Score | None:
    """Fold the fields of one record; None when it has none.

    Args:
        record: its comparison.
        how: "average" or "all" over its fields.
        folding: how a field with several places is folded first; None when every field has one.
        weights: by field name, for "average"; a missing name weighs as the longest path above it, or 1.
    """
    if folding is None and weights is None:
        scores = [one.score for one in record.outcomes]
        if None not in scores:
            total = len(record.equal) + fsum(scores)  # type: ignore[arg-type]
            count = len(record.equal) + len(scores)
            value = total / count if how == "average" and count else float(total == count)
            return Score(value, count) if count else None
    parts = {name: score_field(tally, folding) for name, tally in tallies([record]).items()}
    parts = {name: part for name, part in parts.items() if part.status not in LEFT_OUT}
    if not parts:
        return None
    return score_parts([(_weight(weights or {}, name), part) for name, part in parts.items()], how)


def score_parts(parts: Sequence[tuple[float, Score]], how: Aggregator) -> Score:
    """Fold the fields of one record, each with its weight in "average"; no field at all is right."""
    heavy = [(weight, part) for weight, part in parts if weight > 0 or how == "all"]
    graded = [(weight, part.value) for weight, part in heavy if part.value is not None]
    if len(graded) < len(heavy):
        cause = next(part.cause for _, part in heavy if part.value is None)
        return Score(None, len(graded), len(heavy) - len(graded), cause)
    if how == "all":
        return Score(fold([value for _, value in graded], "all"), len(graded))
    mean = weighted_mean(graded)
    return _weightless(parts) if mean is None else Score(mean, len(graded))


def score_records(scores: Sequence[tuple[Score, int]], how: Aggregator) -> Score:
    """Fold the scores of a list's records, each with how often it occurs; no record at all is right."""
    if not scores:
        return Score(1.0, 0)
    count, support, owed = 0, 0, 0
    values: list[float] = []
    cause = left_out = None
    right = True
    for one, times in scores:
        if one.status in LEFT_OUT:
            left_out = left_out or one.cause
            continue
        support += one.support * times
        owed += one.owed * times
        count += times
        right = right and one.value == 1.0
        values.append((one.value or 0.0) * times)
        cause = cause or one.cause
    if cause is not None or not count:
        return Score(None, support, owed, cause or left_out)
    if how == "all":
        return Score(float(right), support)
    return Score(fsum(values) / count, support)


def _weightless(parts: Sequence[tuple[float, Score]]) -> Score:
    """Fields that all weigh nothing: right when all are right, else nothing can be said of them together."""
    if all(part.value == 1.0 for _, part in parts):
        return Score(1.0, 0)
    return Score(None, 0, 0, Outcome("$", None, MISSING, MISSING, "not_applicable", WEIGHTLESS))


def _weight(weights: Mapping[str, float], name: str) -> float:
    """The weight of the longest stated path at or above a field."""
    while name not in weights:
        cut = max(name.rfind("."), name.rfind("["))
        if cut <= 0:
            return weights.get(name[:1] if cut == 0 else "$", 1.0)
        name = name[:cut]
    return weights[name]
