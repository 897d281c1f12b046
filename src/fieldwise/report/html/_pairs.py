"""Two runs over the same items: how this one differs from the other, and which items got better or worse.

Items are matched by id; of one that was run several times, the mean counts. Items without a score in either
run are left out. A difference is this run's score less the other's; of a distance, less is better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING

from fieldwise.core.statistics.paired import compare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.core.statistics.paired import Comparison
    from fieldwise.report.html._book import Book, Measure


@dataclass(frozen=True, slots=True)
class Pair:
    """One measure in both runs."""

    comparison: Comparison
    other: float | None


def pairs(book: Book, other: Book) -> Iterator[tuple[tuple[str, ...], Pair]]:
    """Compare all that both runs measure: () is the whole, (id,) an evaluator, (id, key) a field."""
    yield (), paired(book.whole, other.whole)
    for name, one in book.evaluators.items():
        same = other.evaluators.get(name)
        if same is None:
            continue
        yield (name,), paired(one.whole, same.whole)
        for key, measure in one.fields.items():
            if key in same.fields:
                yield (name, key), paired(measure, same.fields[key])


def paired(measure: Measure, other: Measure) -> Pair:
    """Compare one measure in two runs."""
    here, there = item_means(measure), item_means(other)
    both = [item for item in here if item in there]
    found = compare([there[item] for item in both], [here[item] for item in both])
    if measure.lower:
        found = replace(found, better=found.worse, worse=found.better)
    return Pair(found, other.summed()[0])


def item_means(measure: Measure) -> dict[str, float]:
    """Return item to the mean of its scores."""
    return {item: fsum(scores) / len(scores) for item, scores in measure.scores.items()}
