"""Multi-field match: the fields you name, a score for each, and how each one came out.

What belongs here: `Field`, the options, and the flow over one record. Where the fields are found and how
lists on the way pair is `core.pick`; how a scored record is shown is `field_cards`; how outcomes are named
and counted is `extraction`; a list of fields can be read off a schema by `schema_fields`.

| | score | status |
|---|---|---|
| right, by equality, comparator or judge | 1, or a grade in 0..1 | graded |
| on one side only | 0 | graded |
| on neither side | None, left out of the aggregate | path_not_found |
| output cannot be read or is no object | 0, and so the aggregate | invalid_output |
| reference cannot be read or has no fields | None | invalid_reference |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from fieldwise._types import MISSING, ListMode
from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.core.pick import Pick, Picker
from fieldwise.core.pick.tree import Say
from fieldwise.core.policy import entry
from fieldwise.core.read import Problem, misfit
from fieldwise.core.select import compile_path
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.extraction import summarise
from fieldwise.scorers.field import Field
from fieldwise.scorers.field_cards import AGGREGATE, FieldsCard
from fieldwise.scorers.plan import Card, Plan

if TYPE_CHECKING:
    from fieldwise.core.align import ByKey
    from fieldwise.core.flow import Flow, Judge
    from fieldwise.core.pick import Picked
    from fieldwise.core.policy import Entry
    from fieldwise.core.read import Documents, Reader


@options.READING.named
def multi_field(
    *,
    fields: Sequence[str | Field],
    lists: Mapping[str, ListMode | ByKey] | None = None,
    judge: Judge | Any | None = None,
    model: str | None = None,
    use_reasoning: bool = True,
    feedback_key: str = "multi_field",
    threshold: float = 1.0,
    **reading: Unpack[options.Reading],
) -> Plan:
    """Compare the named fields of two documents; a score for each, and their weighted mean.

    Args:
        fields: paths, or `Field`s that say more about one: dotted `address.city`, JSONPath
            `$.items[0].name`, JSON Pointer `/items/0/name`. A wildcard (`items[*].sku`) names one field over
            many places, and its score is their mean.
        lists: path to how a list pairs, on the way of a wildcard or in a value that is compared:
            "ordered" (unless stated), "same_elements", "subset", "superset" or `by_key`. All fields below a
            list share its one pairing.
        judge: answers the rubrics of fields that have one.
        model: the name of a model that answers them, instead of `judge`.
        use_reasoning: whether the judge's reasons are kept.
        reading: how both sides are read; see `options.Reading`.
        feedback_key: replaces `multi_field` in the keys.
        threshold: what the aggregate has to reach to have passed; in (0, 1].

    Returns:
        A list with a result for each field, keyed `multi_field:<path as given>`, then
        `multi_field:aggregate_score`. Scores are in 0..1; None where a field could not be graded.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.
        PathError: for a path that does not parse, with position and hint.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_multi_field_evaluator(fields=["total", "items[*].sku"])
        >>> came, wanted = {"total": 3, "items": [{"sku": "A"}]}, {"total": 4, "items": [{"sku": "A"}]}
        >>> [(one["key"], one["score"]) for one in evaluate(outputs=came, reference_outputs=wanted)][:2]
        [('multi_field:total', 0.0), ('multi_field:items[*].sku', 1.0)]
    """
    chosen = _fields(fields)
    judged = any(one.rubric is not None for one in chosen)
    options.judged_as_asked(
        judge, model, asked=judged, given="Field(rubric=…)", fix="fields=[Field('path', rubric='…')]"
    )
    modes = list(_lists(lists))
    reader = options.reader(**reading)
    null_is_missing = reader.null_policy == "null_equals_missing"
    if null_is_missing:
        reader = replace(reader, null_policy="distinct")  # null stays in place, to be found there
    match = _Match(
        name=options.text("feedback_key", feedback_key),
        fields=chosen,
        picker=Picker([_pick(one) for one in chosen], modes, null_is_missing=null_is_missing),
        reader=reader,
        use_reasoning=options.flag("use_reasoning", use_reasoning),
        threshold=options.threshold("threshold", threshold),
        takes_root=any(_is_root(one) for one in chosen),
    )
    entries = [*(entry(one.path, "fields", one) for one in chosen), *modes]
    return Plan(
        "multi_field",
        match.flow,
        judge,
        model,
        entries,
        reader=reader,
        summarise=summarise,
        thresholds=(match.threshold, *(one.threshold for one in chosen)),
    )


def _listed(given: Any) -> list[Any] | None:
    """The members of what can be iterated over, or None; an array without dimensions only says it can."""
    try:
        return list(given)
    except TypeError:
        return None


def _fields(given: Any) -> tuple[Field, ...]:
    several = None if isinstance(given, str | bytes | Mapping | set | frozenset) else _listed(given)
    if several is None:
        raise ConfigError(f"fields={shown(given)}: must be a list of paths or Fields, ['name', 'a.b']")
    chosen: list[Field] = []
    seen: set[str] = set()
    for at, one in enumerate(several):
        named = Field(one) if isinstance(one, str) else one
        if not isinstance(named, Field):
            raise ConfigError(f"fields[{at}]={shown(one)}: must be a path or a Field")
        if named.path in seen:
            raise ConfigError(f"fields[{at}]={shown(named.path)}: is named twice; name each field once")
        seen.add(named.path)
        chosen.append(named)
    if not chosen:
        raise ConfigError("fields=[]: name at least one field")
    if AGGREGATE in seen:
        raise ConfigError(f"fields: {AGGREGATE!r} is the key of the aggregate; write it as '/{AGGREGATE}'")
    return tuple(chosen)


def _pick(one: Field) -> Pick:
    from fieldwise.comparators import resolve

    selector = compile_path(one.path)
    place = f"Field({shown(one.path)})"
    options.weight(f"{place}.weight", one.weight)
    options.threshold(f"{place}.threshold", one.threshold)
    options.flag(f"{place}.required", one.required)
    comparator, rubric, mode = one.comparator, one.rubric, one.list_match_mode
    if rubric is not None and comparator is not None:
        raise ConfigError(f"{place}: comparator and rubric are both given: pass one of them")
    return Pick(
        one.path,
        selector,
        Say(
            None if comparator is None else resolve(f"{place}.comparator", comparator),
            None if rubric is None else options.criterion(f"{place}.rubric", rubric),
            None if mode is None else options.list_mode(f"{place}.list_match_mode", mode),
        ),
    )


def _is_root(one: Field) -> bool:
    selector = compile_path(one.path)
    return not selector.steps and selector.query is None


def _lists(given: Any) -> Iterable[Entry]:
    for key, mode in options.mapping("lists", given).items():
        try:
            compile_path(key)
        except PathError as error:
            raise ConfigError(f"lists[{shown(key)}]: {error}") from None
        yield entry(key, "lists", options.list_mode(f"lists[{shown(key)}]", mode))


@dataclass(frozen=True, slots=True)
class _Match:
    """The checked options, and the flow over one record."""

    name: str
    fields: tuple[Field, ...]
    picker: Picker
    reader: Reader
    use_reasoning: bool
    threshold: float
    takes_root: bool

    def flow(self, inputs: Any, outputs: Any, reference_outputs: Any) -> Flow[Card]:
        """Read, compare and judge one record."""
        documents = self.reader.read(inputs, outputs, reference_outputs)
        problem = documents.problem or self._misfit(documents)
        if problem is not None:
            picked = self._unread(documents) if problem.status == "invalid_output" else ()
            return self._card(documents, picked, problem)
        picked = self.picker.compare(documents.expected, documents.actual)  # type: ignore[arg-type]
        card = self._card(documents, picked, None)
        asked = [one.outcome for each in picked for one in each.found if one.outcome.criterion is not None]
        if asked:
            from fieldwise.scorers.judging import judge_outcomes

            card.usage = yield from judge_outcomes(asked, use_reasoning=self.use_reasoning)
        return card

    def _card(self, documents: Documents, picked: Sequence[Picked], problem: Problem | None) -> FieldsCard:
        nulls = self.picker.null_is_missing
        return FieldsCard(
            self.name, self.fields, self.threshold, documents, picked, problem, null_is_missing=nulls
        )

    def _misfit(self, documents: Documents) -> Problem | None:
        expected = documents.expected
        if not isinstance(expected, dict | list) and not self.takes_root:
            reason = f"reference_outputs: {preview(expected)} is no object or array, so it has no fields"
            return Problem("invalid_reference", reason)
        return misfit(expected, documents.actual)

    def _unread(self, documents: Documents) -> Sequence[Picked]:
        """What the reference wants of an output that is none."""
        return () if documents.expected is MISSING else self.picker.compare(documents.expected, MISSING)
