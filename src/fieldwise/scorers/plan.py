"""A plan: one evaluator with its options checked, ready to make a flow for each record.

The lifts in `fieldwise.evaluators` turn plans into evaluators; `fieldwise.run` drives plans itself, many
flows at once. Nothing here knows a judge's client or a framework.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from fieldwise._types import EvaluatorResult, Results
    from fieldwise.core.flow import Flow
    from fieldwise.core.policy import Entry
    from fieldwise.core.read import Reader
    from fieldwise.scorers.labels import Labels


class Card(Protocol):
    """A scored record."""

    def results(self) -> list[EvaluatorResult]:
        """Return what the evaluator returns for it."""
        ...

    def summary(self) -> EvaluatorResult:
        """Return one result for the whole record, whatever `results` holds."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """One evaluator, its options checked.

    Attributes:
        name: its name; feedback keys begin with it and its run is named `<name>_evaluator`.
        flow: `(inputs, outputs, reference_outputs) -> Flow[Card]`, and where `takes_more`, whatever else an
            evaluator was called with, by name.
        judge: the `judge` option as given, or None.
        model: the `model` option as given, or None.
        entries: the options by path, for the report of paths that matched nothing.
        requires_reference: whether it compares with a reference.
        single: whether the evaluator returns one result by itself, not a list.
        takes_more: whether further keyword arguments of an evaluator mean something to it.
        reader: how both sides are read, for those who look at the documents before they are compared.
        settings: options of the model that differ from a judge's defaults.
        looks_at: which fields of an `Example` it compares: "output", the actual with the expected one; or
            "tools", the called with the expected ones.
        summarise: makes results over many records, of the results of no record at all, which name the keys
            there are, and of those of each; None where their mean says all.
        labels: of a classifier, how the labels of many records make its metrics.
        thresholds: what scores have to reach to have passed, of a distance not exceed; none where that is not
            for a threshold to say.
    """

    name: str
    flow: Callable[..., Flow[Card]]
    judge: Any = None
    model: str | None = None
    entries: Sequence[Entry] = ()
    requires_reference: bool = True
    single: bool = False
    takes_more: bool = False
    reader: Reader | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    looks_at: Literal["output", "tools"] = "output"
    summarise: Callable[[Results, Iterable[Results]], Results] | None = None
    labels: Labels | None = None
    thresholds: Sequence[float] = ()
