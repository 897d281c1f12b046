"""Labels: how they are read, and how those of many records make the metrics of a classifier.

Labels are compared casefolded and stripped. One is text, a number (1 and 1.0 are the same) or a boolean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, shown
from fieldwise.core.equality import canonical, preview
from fieldwise.core.statistics.classes import METRICS, Averaging, Confusion, Metric, ZeroDivision
from fieldwise.errors import ConfigError
from fieldwise.scorers.options import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import EvaluatorResult, Results

_OWED: Final = ("judge_error", "not_evaluated", "invalid_reference")
_LISTED: Final = 300
_MOST: Final = 1_000


def label_of(value: Any) -> str | None:
    """Return a label as it is compared; None for what is none.

    >>> label_of(" Spam "), label_of(1.0), label_of(True), label_of([])
    ('spam', '1', 'true', None)
    """
    if isinstance(value, int | float | Decimal):
        return canonical(to_json(value))
    return value.strip().casefold() if isinstance(value, str) else None


def classes_of(value: Any) -> tuple[str, ...]:
    """Check the option `classes`; return them as they are compared.

    Raises:
        ConfigError: for what is no list of labels, and for one that is there twice.
    """
    if isinstance(value, BYTES | str) or not isinstance(value, Sequence) or not value:
        raise ConfigError(f"classes={shown(value)}: must be a list of labels, at least one")
    found: dict[str, Any] = {}
    for at, one in enumerate(value):
        label = label_of(one)
        if label is None:
            raise ConfigError(f"classes[{at}]={shown(one)}: must be a label, text, a number or a boolean")
        if label in found:
            again = f"classes[{at}]={shown(one)}: is {shown(found[label])} again"
            raise ConfigError(f"{again}; case and white space around a label do not count")
        found[label] = one
    return tuple(found)


def listed(classes: Iterable[str]) -> str:
    """Return the classes as a message lists them."""
    return one_line(", ".join(map(shown, classes)), _LISTED)


@dataclass(frozen=True, slots=True)
class Labels:
    """How the labels of records make the metrics of a classifier.

    Attributes:
        classes: all labels there are, as they are compared; None: those of the references.
        positive: of a binary classification, the label that the metrics are of.
        metric: which comes first.
        averaging: how one metric is made of those of all classes, where none is positive.
        f_value: how many times recall counts as much as precision in the f-score.
        zero_division: what a metric counts as that divides by nothing.
    """

    classes: tuple[str, ...] | None
    positive: str | None
    metric: Metric
    averaging: Averaging
    f_value: float
    zero_division: ZeroDivision

    def __post_init__(self) -> None:
        value: Any = self.f_value
        zero: Any = self.zero_division
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST:
            raise ConfigError(f"f_value={shown(value)}: must be a number from 0 to {_MOST:,}")
        if isinstance(zero, bool) or not isinstance(zero, str | int | float) or zero not in (0, 1, "exclude"):
            raise ConfigError(f"zero_division={shown(zero)}: must be 0, 1 or 'exclude'")

    def summarise(self, blank: Results, records: Iterable[Results]) -> Results:
        """Sum up labels over records: the metrics of a classifier.

        The options are those of the evaluator of single records. The evaluator is called with two lists,
        `outputs` and `reference_outputs`, and returns `{"results": [...]}`, all in 0..1: `<name>:<metric>`
        for `metric_type` first, then the other two of precision, recall and f-score, and `<name>:accuracy`.
        The first carries the confusion matrix in `extra`, and counts and metrics of every class. Records
        without a label to compare with are left out; `coverage` tells the share of the others.

        Raises:
            ConfigError: for a wrong option, naming it, its value and the fix.

        Example:
            >>> import fieldwise
            >>> summarise = fieldwise.create_binary_classification_summary_evaluator(positive_class="spam")
            >>> found = summarise(outputs=["spam", "ham", "spam"], reference_outputs=["spam", "spam", "ham"])
            >>> [(one["key"], one["score"]) for one in found["results"]][:2]
            [('binary_classification:precision', 0.5), ('binary_classification:recall', 0.5)]

            Of several classes:

            >>> create = fieldwise.create_multiclass_classification_summary_evaluator
            >>> summarise = create(classes=["cat", "dog", "bird"], averaging="micro")
            >>> found = summarise(outputs=["cat", "cat", "dog"], reference_outputs=["cat", "dog", "dog"])
            >>> found["results"][0]["key"], round(found["results"][0]["score"], 3)
            ('multiclass_classification:f-score', 0.667)
        """
        key = blank[0]["key"]
        pairs, due, owed = [], 0, 0
        for (one,) in records:
            extra = one["extra"]
            due += one["score"] is not None or extra["status"] in _OWED
            owed += one["score"] is None and extra["status"] in _OWED
            if one["score"] is not None and extra.get("expected_class") is not None:
                pairs.append((extra["expected_class"], extra["predicted_class"]))
        coverage = (due - owed) / due if due else None
        return self.results(key, self.count(pairs), coverage)

    def count(self, pairs: Iterable[tuple[str, str | None]]) -> Confusion:
        """Return the confusion matrix of labels as they were compared."""
        pairs = list(pairs)
        classes = self.classes
        if classes is None:
            classes = tuple(sorted({true for true, _ in pairs} | {self.positive or ""}))
        found = Confusion(classes)
        for true, came in pairs:
            found.add(true, came)
        return found

    def results(self, key: str, found: Confusion, coverage: float | None = 1.0) -> Results:
        """Return one result a metric, the one asked for first, and the accuracy."""
        metrics = sorted(METRICS, key=lambda one: one != self.metric)
        rows = [self._row(key, metric, self.value(found, metric), found, coverage) for metric in metrics]
        rows.append(self._row(key, "accuracy", found.accuracy, found, coverage))
        rows[0]["extra"].update(found.to_dict(), per_class=self._each(found))
        return rows

    def value(self, found: Confusion, metric: Metric) -> float | None:
        """Return a metric; None of no items, and where it divides by nothing that counts."""
        if not found.count:
            return None
        if self.positive is not None:
            return found.one(self.positive, metric, self.f_value, self.zero_division)
        return found.average(metric, self.averaging, self.f_value, self.zero_division)

    def _each(self, found: Confusion) -> dict[str, Any]:
        return {
            label: {
                "support": (counts := found.of(label)).support,
                "tp": counts.tp,
                "fp": counts.fp,
                "fn": counts.fn,
                **{metric: counts.value(metric, self.f_value) for metric in METRICS},
            }
            for label in found.classes
        }

    def _row(
        self, key: str, metric: str, value: float | None, found: Confusion, coverage: float | None
    ) -> EvaluatorResult:
        how = f"of {preview(self.positive)}" if self.positive is not None else self.averaging
        note = f"{how}, over {found.count} records" if metric != "accuracy" else f"over {found.count} records"
        extra: dict[str, Any] = {
            "status": "graded" if value is not None else "not_applicable",
            "path": "$",
            "support": found.count,
            "coverage": coverage,
        }
        if value is None:
            note = "no record has a label" if not found.count else f"{metric} divides by nothing"
            extra["reason"] = note
        elif metric != "accuracy":
            extra["zero_division"] = self.zero_division
        return {"key": f"{key}:{metric}", "score": value, "comment": note, "metadata": extra, "extra": extra}
