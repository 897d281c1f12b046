"""JSON match: a structured output against a structured reference, field by field.

The eight options of OpenEvals' evaluator of the same name mean what they mean there. The others say more
about single places: how to compare them, what they weigh, how a list inside pairs, how deep a field is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

from fieldwise._types import Aggregator
from fieldwise.core.aggregate import tallies
from fieldwise.core.align import ByKey
from fieldwise.core.display import shown
from fieldwise.core.fields import ROOT, Fields
from fieldwise.core.policy import Entry, Policy, entry
from fieldwise.core.read import Reader, misfit
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.cards import MatchCard, Style
from fieldwise.scorers.plan import Card, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise._types import CompareCallable, ListMode
    from fieldwise.core.compare import Comparator
    from fieldwise.core.flow import Flow, Judge

Depth: TypeAlias = Literal["keys", "leaves"]


@options.READING.named
def json_match(
    *,
    aggregator: Aggregator | None = None,
    list_aggregator: Aggregator = "all",
    rubric: Mapping[str, str] | None = None,
    exclude_keys: list[str] | None = None,
    judge: Judge | Any | None = None,
    model: str | None = None,
    use_reasoning: bool = True,
    list_match_mode: ListMode | ByKey = "same_elements",
    comparators: Mapping[str, Comparator | CompareCallable | str] | None = None,
    weights: Mapping[str, float] | None = None,
    lists: Mapping[str, ListMode | ByKey] | None = None,
    depth: Depth = "keys",
    feedback_key: str = "json_match",
    threshold: float = 1.0,
    **reading: Unpack[options.Reading],
) -> Plan:
    """Compare a structured output with a structured reference, field by field.

    Args:
        aggregator: None gives a result for each field, keyed `json_match:<field>`; "average" and "all" give
            one, keyed `json_match:average` or `json_match:all`.
        list_aggregator: folds the records of a list, and the places of a field named with a wildcard.
        rubric: path to what makes that field right; a judge decides, unless the values are equal.
        exclude_keys: paths that are not compared.
        judge: answers the rubric: a callable, see `fieldwise.Judge`.
        model: the name of a model that answers the rubric, instead of `judge`.
        use_reasoning: whether the judge's reasons are kept.
        list_match_mode: how a top-level list pairs: "same_elements", "superset" (outputs may hold more),
            "subset" (outputs may hold less), "ordered", or `by_key`.
        comparators: path to a comparator, its name or a callable; `$` for every field.
        weights: path to the weight of a field in "average", 1 unless stated.
        lists: path to how a list inside a value pairs, in the same words; "ordered" unless stated.
        depth: "keys": the fields are the members of a record, all or nothing. "leaves": its leaves.
        reading: how both sides are read; see `options.Reading`.
        feedback_key: replaces `json_match` in the keys.
        threshold: what a score has to reach to have passed; in (0, 1].

    Returns:
        A list of results with scores in 0..1; None where a field could not be graded.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_json_match_evaluator()
        >>> results = evaluate(outputs={"a": 1, "b": 2}, reference_outputs={"a": 1, "b": 3})
        >>> [(one["key"], one["score"]) for one in results]
        [('json_match:a', 1.0), ('json_match:b', 0.0)]
    """
    rubric = options.texts("rubric", rubric)
    options.judged_as_asked(judge, model, asked=bool(rubric), given="rubric", fix="rubric={'path': '…'}")
    heavy = options.weights("weights", weights)
    policy = Policy(_entries(rubric, exclude_keys, comparators, heavy, lists))
    reader = options.reader(**reading)
    fields = Fields(
        policy,
        options.list_mode("list_match_mode", list_match_mode),
        deep=options.one_of("depth", depth, Depth) == "leaves",
        null_is_missing=reader.null_policy == "null_equals_missing",
    )
    style = Style(
        prefix=options.text("feedback_key", feedback_key),
        mode=fields.mode,
        aggregator=options.one_of("aggregator", aggregator, (None, "average", "all")),
        list_aggregator=options.one_of("list_aggregator", list_aggregator, Aggregator),
        weights=heavy or None,
        threshold=options.threshold("threshold", threshold),
        folds=fields.deep or any("*" in key for key in rubric),
    )
    match = _Match(
        reader=reader,
        fields=fields,
        style=style,
        judged=bool(rubric),
        use_reasoning=options.flag("use_reasoning", use_reasoning),
    )
    paired = [entry(ROOT, "lists", fields.mode)] if isinstance(fields.mode, ByKey) else []
    return Plan(
        "json_match",
        match.flow,
        judge,
        model,
        (*policy.entries, *paired),
        reader=match.reader,
        thresholds=(style.threshold,),
    )


def _entries(
    rubric: Mapping[str, str], exclude_keys: Any, comparators: Any, weights: Mapping[str, float], lists: Any
) -> list[Entry]:
    found = [entry(key, "rubric", text) for key, text in rubric.items()]
    found += [entry(key, "exclude", value=True) for key in options.names("exclude_keys", exclude_keys)]
    for key, value in options.mapping("comparators", comparators).items():
        from fieldwise.comparators import resolve  # the table costs 20 ms, and most evaluators need none

        found.append(entry(key, "comparator", resolve(f"comparators[{shown(key)}]", value)))
    found += [entry(key, "weight", weight) for key, weight in weights.items()]
    for key, mode in options.mapping("lists", lists).items():
        if key == ROOT:
            raise ConfigError("lists['$']: a top-level list is governed by list_match_mode")
        found.append(entry(key, "lists", options.list_mode(f"lists[{shown(key)}]", mode)))
    return found


@dataclass(frozen=True, slots=True)
class _Match:
    """The checked options, and the flow over one record."""

    reader: Reader
    fields: Fields
    style: Style
    judged: bool
    use_reasoning: bool

    def flow(self, inputs: Any, outputs: Any, reference_outputs: Any) -> Flow[Card]:
        documents = self.reader.read(inputs, outputs, reference_outputs)
        expected, actual = documents.expected, documents.actual
        problem = documents.problem or misfit(expected, actual)
        if problem is not None:
            names = self._names(expected) if problem.status == "invalid_output" else []
            return MatchCard(self.style, documents.ledger, problem=problem, names=names)
        compared = self.fields.compare(expected, actual)  # type: ignore[arg-type]
        card = MatchCard(self.style, documents.ledger, compared)
        if self.judged:
            asked = [
                outcome
                for record in compared.records
                for outcome in record.outcomes
                if outcome.criterion is not None
            ]
            if asked:
                from fieldwise.scorers.judging import judge_outcomes

                card.usage = yield from judge_outcomes(asked, use_reasoning=self.use_reasoning)
        return card

    def _names(self, expected: Any) -> list[str]:
        """The fields of a reference by itself."""
        found = tallies(self.fields.compare(expected, expected).records)
        return sorted(found) or [ROOT]
