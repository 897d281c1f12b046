"""Confusion matrices and the metrics of classifiers, from summaries where there are any, else counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.statistics.classes import METRICS, Confusion
from fieldwise.report.html._verdicts import extra_of, score_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fieldwise._types import EvaluatorResult
    from fieldwise.report.html._book import Book, Evaluator

MAX_CLASSES: Final = 40
_SHADES: Final = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """How often a true class came out as a label; the shade, 0 to 10, is its share of the class."""

    count: int
    shade: int
    right: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """A classifier over the whole set; without `classes` there are too many to show."""

    name: str
    metrics: list[tuple[str, float | None]]
    classes: list[str]
    came: list[str]
    rows: list[list[Cell]]
    count: int


def matrices(book: Book) -> Iterator[Matrix]:
    """Return what is known of each classifier of a run."""
    for name, evaluator in book.evaluators.items():
        summary = book.run.summaries.get(name, ())
        if summary:
            yield _of_summary(evaluator.whole.name, summary)
        elif evaluator.pairs:
            yield _counted(evaluator)


def _of_summary(name: str, summary: Sequence[EvaluatorResult]) -> Matrix:
    metrics = [(one["key"].rpartition(":")[2], score_of(one)) for one in summary]
    found = next((extra for one in summary if "matrix" in (extra := extra_of(one))), {})
    return _matrix(name, metrics, found)


def _counted(evaluator: Evaluator) -> Matrix:
    """Count labels; the metrics are means over the classes."""
    found = Confusion(tuple(sorted({true for true, _ in evaluator.pairs})))
    for true, came in evaluator.pairs:
        found.add(true, came)
    metrics = [(f"{metric}, macro", found.average(metric)) for metric in METRICS]
    return _matrix(evaluator.whole.name, [("accuracy", found.accuracy), *metrics], found.to_dict())


def _matrix(name: str, metrics: list[tuple[str, float | None]], found: Any) -> Matrix:
    classes = [str(one) for one in found.get("classes", ())]
    counts: list[list[int]] = found.get("matrix", [])
    total = sum(map(sum, counts))
    if len(classes) > MAX_CLASSES:
        return Matrix(name, metrics, [], [], [], total)
    came = [str(one) for one in found.get("came", classes)]
    rows = [
        [Cell(number, _shade(number, sum(row)), at == column) for column, number in enumerate(row)]
        for at, row in enumerate(counts)
    ]
    return Matrix(name, metrics, classes, came, rows, total)


def _shade(number: int, total: int) -> int:
    """A share in tenths; what occurs at all is never white."""
    return max(1, round(_SHADES * number / total)) if number else 0
