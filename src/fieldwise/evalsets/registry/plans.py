"""The evaluators of a set, made of their specs: as plans, as functions, and as metrics over the data set.

1. The feedback key of an evaluator is the id of its spec. It is called with the criteria of an item as its
   reference: `{}` where it needs none.
2. A judge that the run gives stands in for the model of the spec, and what is set for that model; an OpenAI
   client takes the name of the model from the spec.
3. A threshold of the set replaces that of the spec, where the evaluator has one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.flow import drive
from fieldwise.errors import ConfigError
from fieldwise.evalsets.files.spelling import snake
from fieldwise.evalsets.model import Chosen, Spec
from fieldwise.evalsets.registry.calls import called
from fieldwise.evalsets.registry.kinds import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fieldwise._types import AsyncEvaluator, Evaluator, Results
    from fieldwise.core.flow import Flow
    from fieldwise.scorers.plan import Card, Plan

_CALLED: Final = frozenset({"comparators", "lists", "list_match_mode", "fields"})
_OF_MODELS: Final = frozenset({"model", "temperature", "max_tokens"})


def make_plan(chosen: Chosen | Spec, judge: Any = None) -> Plan:
    """Return the plan of an evaluator of a set.

    Args:
        chosen: the evaluator; one that is code has no plan.
        judge: what answers it instead of its model, where it asks anything.

    Raises:
        ConfigError: an option is wrong, there is no judge, or it is code.

    >>> spec = Spec("Exact", "uipath-exact-match", "Exact", options={"ignore_case": True})
    >>> make_plan(spec).name
    'exact_match'
    """
    spec = chosen.spec if isinstance(chosen, Chosen) else chosen
    if spec.code is not None:
        raise ConfigError(f"{spec.id} is code, {spec.code}, and has no plan: use evaluator_of")
    kind = kind_of(spec.type_id)
    given = values_of(spec.options)
    if isinstance(chosen, Chosen) and chosen.threshold is not None and "threshold" in kind.options:
        given["threshold"] = chosen.threshold
    if judge is not None and asks(kind, spec.options):
        given = given if hasattr(judge, "chat") else _without(given, _OF_MODELS)
        given["judge"] = judge
    plan: Plan = _declared(kind)(**given, feedback_key=spec.id)
    return replace(plan, flow=_Flow(kind, plan))


def evaluator_of(chosen: Chosen | Spec, *, judge: Any = None, allow_code: bool = False) -> Evaluator:
    """Return an evaluator of a set, which takes the criteria of an item as its `reference_outputs`.

    Args:
        chosen: the evaluator.
        judge: what answers it instead of its model, where it asks anything.
        allow_code: whether its code may be run, if it is code.

    Raises:
        ConfigError: an option is wrong, or there is no judge.
        InputError: its code cannot be run.
    """
    spec = chosen.spec if isinstance(chosen, Chosen) else chosen
    if spec.code is not None:
        from fieldwise.evalsets.code.loading import custom_evaluator

        return custom_evaluator(spec, folder_of(spec), allow_code=allow_code)
    from fieldwise.evaluators._lifts import evaluator

    return evaluator(make_plan)(chosen, judge)


def async_evaluator_of(
    chosen: Chosen | Spec, *, judge: Any = None, allow_code: bool = False
) -> AsyncEvaluator:
    """As `evaluator_of`, awaited."""
    spec = chosen.spec if isinstance(chosen, Chosen) else chosen
    if spec.code is not None:
        from fieldwise.evalsets.code.loading import async_custom_evaluator

        return async_custom_evaluator(spec, folder_of(spec), allow_code=allow_code)
    from fieldwise.evaluators._lifts import async_evaluator

    return async_evaluator(make_plan)(chosen, judge)


def folder_of(spec: Spec) -> Path:
    """Return the evaluations folder that a spec's file is in: what its code must not lead out of."""
    folder = Path(spec.file).parent
    return folder.parent if folder.name == "evaluators" else folder


def asks(kind: Kind, given: Mapping[str, Any]) -> bool:
    """Whether an evaluator with these options asks a judge: always, for a rubric, or by naming a model."""
    if kind.judged:
        return True
    fields = given.get("fields") or ()
    rubrics = [one.get("rubric") for one in fields if isinstance(one, dict)]
    texts = [one for one in fields if isinstance(one, str) and one.startswith("Field(") and "rubric" in one]
    return any((given.get("rubric"), given.get("model"), *rubrics, *texts))


def values_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of a file as the factory takes them: calls made, fields read, an empty model left out.

    Raises:
        ConfigError: what a text calls does not take the arguments.
    """
    found = {
        name: _called(value, name) if name in _CALLED else value
        for name, value in given.items()
        if name != "model" or value
    }
    if isinstance(found.get("fields"), list):
        found["fields"] = [_field(one) for one in found["fields"]]
    return found


def _called(value: Any, option: str) -> Any:
    if isinstance(value, str):
        return called(value, f"{option}=")
    if isinstance(value, dict):
        return {key: _called(one, option) for key, one in value.items()}
    return [_called(one, option) for one in value] if isinstance(value, list) else value


def _field(value: Any) -> Any:
    """A field that is an object; others are what they are."""
    from fieldwise.scorers.field import Field

    return Field(**{snake(key): one for key, one in value.items()}) if isinstance(value, dict) else value


def _declared(kind: Kind) -> Any:
    """The declaration that a factory was made of."""
    import inspect

    return inspect.unwrap(kind.factory)


def _without(given: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in names}


class _Flow:
    """The flow of a plan whose reference are criteria."""

    __slots__ = ("_kind", "_plan")

    def __init__(self, kind: Kind, plan: Plan) -> None:
        self._kind = kind
        self._plan = plan

    def __call__(
        self, inputs: Any, outputs: Any = MISSING, criteria: Any = MISSING, /, **more: Any
    ) -> Flow[Card]:
        return self._plan.flow(inputs, outputs, self._kind.reference(criteria), **more)


# ------------------------------------------------------------------------------- over the data set


def blank(plan: Plan) -> Results:
    """Return what a plan gives for no record at all, which names its keys."""
    return drive(plan.flow(None, MISSING, MISSING), None).results()


def summarises(chosen: Chosen) -> bool:
    """Whether an evaluator has metrics of its own over the data set."""
    if chosen.spec.code is not None:
        return False
    try:
        return make_plan(chosen, None).summarise is not None
    except ConfigError:  # it cannot do without a judge, and whoever judges has no such metrics
        return False


def metrics(chosen: Chosen, records: Iterable[Results]) -> Results:
    """Return the metrics of an evaluator over its results for many items, the one that is its score first."""
    plan = make_plan(chosen, None)
    return [] if plan.summarise is None else plan.summarise(blank(plan), records)
