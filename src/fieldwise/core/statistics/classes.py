"""Labels against labels: a confusion matrix that merges, and the metrics that follow from it.

A label outside the classes is what a model invents: it counts against the true class (a false negative), and
for no class. A metric that divides by nothing is undefined; `zero_division` says what it counts as: 0, 1, or
"exclude", which leaves the class out of a mean.

| metric | formula |
|---|---|
| precision, recall | tp / (tp + fp), tp / (tp + fn) |
| f-score | (1 + b²) tp / ((1 + b²) tp + b² fn + fp): C. J. van Rijsbergen, Information Retrieval, 1979, chapter 7 |
| micro | of the counts of all classes added up |
| macro, weighted | the mean over the classes, the same for each, or by how often it is true |
| mcc | J. Gorodkin, Computational Biology and Chemistry 28 (2004) 367-374 |
"""  # noqa: E501 - a table

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Metric: TypeAlias = Literal["precision", "recall", "f-score"]
Averaging: TypeAlias = Literal["micro", "macro", "weighted"]
ZeroDivision: TypeAlias = Literal[0, 1, "exclude"]
METRICS: Final[tuple[Metric, ...]] = ("precision", "recall", "f-score")
OTHER: Final = "(other)"
"""The column of a confusion matrix for labels outside the classes."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How one class, or several together, came out."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def support(self) -> int:
        """How often the class is true."""
        return self.tp + self.fn

    def value(self, metric: Metric, beta: float = 1.0) -> float | None:
        """Return a metric; None where it divides by nothing.

        >>> Counts(tp=2, fp=1, fn=2).value("precision")
        0.6666666666666666
        """
        square = beta * beta
        above, under = {
            "precision": (self.tp, self.tp + self.fp),
            "recall": (self.tp, self.tp + self.fn),
            "f-score": ((1 + square) * self.tp, (1 + square) * self.tp + square * self.fn + self.fp),
        }[metric]
        undefined = not under or (metric == "f-score" and not self.tp + self.fp + self.fn)
        return None if undefined else above / under


@dataclass(slots=True)
class Confusion:
    """How often each class came out as each label.

    Attributes:
        classes: the labels there are, in order.
        pairs: (true class, label that came) to how often; a label outside the classes is None.

    >>> found = Confusion(("a", "b"))
    >>> for true, came in [("a", "a"), ("a", "b"), ("b", "b"), ("b", "zebra")]:
    ...     found.add(true, came)
    >>> found.accuracy, found.of("b"), found.average("f-score", "macro")
    (0.5, Counts(tp=1, fp=1, fn=1), 0.5833333333333333)
    """

    classes: tuple[str, ...]
    pairs: Counter[tuple[str, str | None]] = field(default_factory=Counter)

    def add(self, true: str, came: str | None) -> None:
        """Count one item; `true` is one of the classes."""
        self.pairs[true, came if came in self.classes else None] += 1

    def merge(self, other: Confusion) -> None:
        """Count what `other` counted."""
        self.pairs.update(other.pairs)

    @property
    def count(self) -> int:
        """How many items there are."""
        return self.pairs.total()

    def of(self, label: str) -> Counts:
        """Return how one class came out."""
        tp = self.pairs[label, label]
        return Counts(tp, self._came(label) - tp, self._true(label) - tp)

    def average(
        self,
        metric: Metric,
        averaging: Averaging = "macro",
        beta: float = 1.0,
        zero_division: ZeroDivision = 0,
    ) -> float | None:
        """Return a metric over all classes; None where it is undefined and nothing counts for it."""
        parts = [self.of(label) for label in self.classes]
        if averaging == "micro":
            whole = Counts(*(sum(getattr(one, name) for one in parts) for name in ("tp", "fp", "fn")))
            return _settled(whole.value(metric, beta), zero_division)
        weights = [one.support if averaging == "weighted" else 1 for one in parts]
        values = [_settled(one.value(metric, beta), zero_division) for one in parts]
        kept = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
        total = sum(weight for _, weight in kept)
        return (
            fsum(value * weight for value, weight in kept) / total if total else _settled(None, zero_division)
        )

    def one(
        self, label: str, metric: Metric, beta: float = 1.0, zero_division: ZeroDivision = 0
    ) -> float | None:
        """Return a metric of one class; None where it is undefined and left out."""
        return _settled(self.of(label).value(metric, beta), zero_division)

    @property
    def accuracy(self) -> float | None:
        """The share of items that came out right; None without items."""
        right = sum(self.pairs[label, label] for label in self.classes)
        return right / self.count if self.count else None

    @property
    def balanced_accuracy(self) -> float | None:
        """The mean recall of the classes that are ever true; None without items."""
        recalls = [found for label in self.classes if (found := self.of(label).value("recall")) is not None]
        return fsum(recalls) / len(recalls) if recalls else None

    @property
    def mcc(self) -> float | None:
        """Matthews' correlation, from -1 to 1; 0 where all is one class, None without items."""
        n = self.count
        if not n:
            return None
        right = sum(self.pairs[label, label] for label in self.classes)
        other = self._came(None)
        both = sum(self._true(label) * self._came(label) for label in self.classes)
        came = n * n - sum(self._came(label) ** 2 for label in self.classes) - other * other
        true = n * n - sum(self._true(label) ** 2 for label in self.classes)
        return (right * n - both) / sqrt(came * true) if came and true else 0.0

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where chance alone would agree always."""
        n = self.count
        right = sum(self.pairs[label, label] for label in self.classes)
        chance = sum(self._true(label) * self._came(label) for label in self.classes)
        return None if chance == n * n else (n * right - chance) / (n * n - chance)

    def matrix(self) -> list[list[int]]:
        """Return rows of true classes, columns of labels that came; those outside come last, if any."""
        columns: Sequence[str | None] = [*self.classes, *([None] if self._came(None) else [])]
        return [[self.pairs[true, came] for came in columns] for true in self.classes]

    def to_dict(self) -> dict[str, Any]:
        """Return the matrix and its labels as JSON."""
        more = [OTHER] if self._came(None) else []
        return {"classes": list(self.classes), "came": [*self.classes, *more], "matrix": self.matrix()}

    def _true(self, label: str) -> int:
        return sum(number for (true, _), number in self.pairs.items() if true == label)

    def _came(self, label: str | None) -> int:
        return sum(number for (_, came), number in self.pairs.items() if came == label)


def _settled(value: float | None, zero_division: ZeroDivision) -> float | None:
    if value is not None:
        return value
    return None if zero_division == "exclude" else float(zero_division)
