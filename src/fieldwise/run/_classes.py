"""Labels over a run: what the metrics of a classifier are made of, as a state that merges.

A label outside the known classes counts as none of them, so models may invent what they like. Where the
classes are not known, more than `MAX_PAIRS` pairs of labels are no classification: there are no metrics then.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult, Results
    from fieldwise.core.statistics.classes import Confusion
    from fieldwise.scorers.labels import Labels

MAX_PAIRS: Final = 10_000


@dataclass(slots=True)
class Classes:
    """The labels of one classifier.

    Attributes:
        labels: how they make metrics.
        pairs: (expected, predicted) to how often; None: too many.
    """

    labels: Labels
    pairs: Counter[tuple[str, str | None]] | None = field(default_factory=Counter)

    def add(self, result: EvaluatorResult) -> None:
        """Count one result of the classifier; without a label to compare with it says nothing."""
        expected, predicted = (result["extra"].get(f"{side}_class") for side in ("expected", "predicted"))
        if self.pairs is None or expected is None or result["score"] is None:
            return
        classes = self.labels.classes
        self.pairs[expected, predicted if classes is None or predicted in classes else None] += 1
        self._bound()

    def merge(self, other: Classes) -> None:
        """Count what `other` counted."""
        if self.pairs is None or other.pairs is None:
            self.pairs = None
        else:
            self.pairs.update(other.pairs)
            self._bound()

    def _bound(self) -> None:
        if self.pairs is not None and len(self.pairs) > MAX_PAIRS:
            self.pairs = None

    @property
    def confusion(self) -> Confusion | None:
        """The confusion matrix; None of too many labels."""
        return None if self.pairs is None else self.labels.count(self.pairs.elements())

    def results(self, key: str, coverage: float | None) -> Results:
        """Return one result a metric, the one asked for first; none of too many labels."""
        found = self.confusion
        return [] if found is None else self.labels.results(key, found, coverage)
