"""Plans lifted to evaluators: what users create and frameworks call.

Three lifts make every public factory out of one declaration in `fieldwise.scorers`; signature, types and
docs survive. An evaluator is a plain closure: LangSmith drops objects whose `__call__` is async.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from fieldwise._types import MISSING
from fieldwise.core.flow import adrive, drive
from fieldwise.integrations.langsmith import EvaluationRun, wanted
from fieldwise.judges import as_async_judge, as_judge
from fieldwise.scorers.structured import json_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from openevals.types import SimpleAsyncEvaluator, SimpleEvaluator

    from fieldwise._types import EvaluatorResult, StringEvaluator, StringResult
    from fieldwise.scorers.plan import Card, Plan

    Returned = list[EvaluatorResult] | EvaluatorResult

P = ParamSpec("P")
F = TypeVar("F")
PLAN = "__fieldwise_plan__"
"""The attribute of an evaluator that holds its plan."""


def evaluator(declare: Callable[P, Plan]) -> Callable[P, SimpleEvaluator]:
    """Lift a declaration to a factory of evaluators."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> SimpleEvaluator:
        plan = declare(*args, **kwargs)
        judge = as_judge(plan.judge, plan.model)

        def evaluate(
            *, inputs: Any = None, outputs: Any = MISSING, reference_outputs: Any = MISSING, **_: Any
        ) -> Returned:
            flow = plan.flow(inputs, outputs, reference_outputs)
            if not wanted():
                found = drive(flow, judge).results()
            else:
                with EvaluationRun(plan.name, inputs, outputs, reference_outputs) as run:
                    found = run.record(drive(flow, judge).results())
            return found[0] if plan.single else found

        return cast("SimpleEvaluator", _named(evaluate, plan))

    return _documented(create, declare, "")


def async_evaluator(declare: Callable[P, Plan]) -> Callable[P, SimpleAsyncEvaluator]:
    """Lift a declaration to a factory of async evaluators."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> SimpleAsyncEvaluator:
        plan = declare(*args, **kwargs)
        judge = as_async_judge(plan.judge, plan.model)

        async def evaluate(
            *, inputs: Any = None, outputs: Any = MISSING, reference_outputs: Any = MISSING, **_: Any
        ) -> Returned:
            flow = plan.flow(inputs, outputs, reference_outputs)
            if not wanted():
                found = (await adrive(flow, judge)).results()
            else:
                with EvaluationRun(plan.name, inputs, outputs, reference_outputs) as run:
                    found = run.record((await adrive(flow, judge)).results())
            return found[0] if plan.single else found

        return cast("SimpleAsyncEvaluator", _named(evaluate, plan))

    return _documented(create, declare, "async_")


def string_evaluator(declare: Callable[P, Plan]) -> Callable[P, StringEvaluator]:
    """Lift a declaration to a factory of string evaluators."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> StringEvaluator:
        return _StringEvaluator(declare(*args, **kwargs))

    return _documented(create, declare, "", "_string")


class _StringEvaluator:
    """LangChain's string evaluator interface over a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        setattr(self, PLAN, plan)

    @property
    def evaluation_name(self) -> str:
        return self._plan.name

    @property
    def requires_input(self) -> bool:
        return False

    @property
    def requires_reference(self) -> bool:
        return self._plan.requires_reference

    def evaluate_strings(
        self, *, prediction: Any, reference: Any = None, input: Any = None, **_: Any
    ) -> StringResult:
        judge = as_judge(self._plan.judge, self._plan.model)
        return _strings(drive(self._flow(prediction, reference, input), judge))

    async def aevaluate_strings(
        self, *, prediction: Any, reference: Any = None, input: Any = None, **_: Any
    ) -> StringResult:
        judge = as_async_judge(self._plan.judge, self._plan.model)
        return _strings(await adrive(self._flow(prediction, reference, input), judge))

    def _flow(self, prediction: Any, reference: Any, given: Any) -> Any:
        return self._plan.flow(given, prediction, MISSING if reference is None else reference)


def _strings(card: Card) -> StringResult:
    summary = card.summary()
    return {
        "score": summary["score"],
        "reasoning": summary["comment"],
        "metadata": {"key": summary["key"], **summary["metadata"]},
        "results": card.results(),
    }


def _named(function: Any, plan: Plan) -> Any:
    function.__name__ = function.__qualname__ = plan.name
    setattr(function, PLAN, plan)
    return function


def _documented(create: F, declare: Callable[..., Plan], before: str, after: str = "") -> F:
    named: Any = create
    named.__name__ = named.__qualname__ = f"create_{before}{declare.__name__}{after}_evaluator"
    named.__module__ = __name__
    return create


create_json_match_evaluator = evaluator(json_match)
create_async_json_match_evaluator = async_evaluator(json_match)
create_json_match_string_evaluator = string_evaluator(json_match)
