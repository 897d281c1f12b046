"""What a page is made of, as the caller has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fieldwise._types import EvaluatorResult
    from fieldwise.evalsets.model import ItemResult


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an evaluation set.

    Attributes:
        results: what became of each item, in the order of the set.
        title: what the run is called.
        set_name: what the evaluation set is called.
        date: when it was run, in the words the page shows.
        names: evaluator id to its name for people, which stands beside the id, once; evaluators are shown in
            this order, others after them.
        weights: evaluator id to how much it counts in an item's score; 1 where none is given.
        thresholds: evaluator id to what its score has to reach to have passed; else the result says.
        summaries: evaluator id to its results over the whole set, as a classifier has them.
        gate: what was asked of the run, a line each: "passed: ..." or "failed: ...".

    Example:
        >>> from fieldwise.evalsets.model import ItemResult
        >>> Run([ItemResult("a", "First")], title="Nightly").title
        'Nightly'
    """

    results: Iterable[ItemResult]
    title: str
    set_name: str = ""
    date: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    summaries: Mapping[str, Sequence[EvaluatorResult]] = field(default_factory=dict)
    gate: Sequence[str] = ()
