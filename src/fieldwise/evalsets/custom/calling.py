"""Custom evaluators as ordinary ones: called with `inputs`, `outputs` and `reference_outputs`.

1. `outputs` is an `AgentExecution`, or spans, or what the agent answered; `reference_outputs` are the
   criteria of this call, unless some were given once and for all. None, or an empty object, stands for the
   default criteria of the configuration.
2. Whatever goes wrong in `evaluate` is a result without score, also where it ends the program. Only the
   user's interruption passes.
3. Sync and async evaluators are one flow with two drivers. An `async def evaluate` runs on the caller's
   loop, or on one of ours where the caller does not await; a plain one runs in the caller's thread, or
   in a thread of its own where the caller does await.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from fieldwise._types import MISSING
from fieldwise.core.display import said, shown
from fieldwise.core.flow import JudgeFailure, JudgeRequest, Verdict, adrive, drive
from fieldwise.core.flow.desk import is_async, is_cancellation
from fieldwise.errors import ConfigError
from fieldwise.evalsets.custom.base import BaseEvaluator
from fieldwise.evalsets.custom.models import check_criteria_class, read_model
from fieldwise.evalsets.custom.results import read_result
from fieldwise.evalsets.isolation import is_interruption, raised
from fieldwise.integrations.tracing import EvaluationRun, wanted
from fieldwise.scorers import options
from fieldwise.scorers.agents.execution import AgentExecution
from fieldwise.scorers.agents.reading.loose import field, is_mapping
from fieldwise.scorers.agents.reading.spans import is_spans
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade, SingleCard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fieldwise._types import AsyncEvaluator, Evaluator, EvaluatorResult
    from fieldwise.core.flow import Flow
    from fieldwise.evalsets.custom.models import BaseEvaluationCriteria

_RETURNED = "returned"
_ENDED = "ended"


def as_evaluator(
    evaluator: BaseEvaluator[Any, Any, Any] | type[BaseEvaluator[Any, Any, Any]],
    criteria: Any = None,
    *,
    config: Any = None,
    feedback_key: str | None = None,
) -> Evaluator:
    """Make an ordinary evaluator of a custom one.

    Args:
        evaluator: an instance, or a class to make one of.
        criteria: what every call is asked, as an instance or a mapping; None: what `reference_outputs` says,
            else the configuration's default.
        config: of a class: an instance, or a mapping as in a file.
        feedback_key: the key of its results; None: the evaluator's name.

    Returns:
        An evaluator that returns one result: a score from 0 to 1, or None with a status.

    Raises:
        ConfigError: it is no custom evaluator, its criteria class has no fields, or criteria or configuration
            are wrong.

    Example:
        >>> from fieldwise.evalsets.custom import BaseEvaluationCriteria, BaseEvaluator, as_evaluator
        >>> class Words(BaseEvaluationCriteria):
        ...     at_least: int = 1
        >>> class Wordy(BaseEvaluator[Words]):
        ...     async def evaluate(self, agent_execution, criteria):
        ...         return len(agent_execution.agent_output.split()) >= criteria.at_least
        >>> evaluate = as_evaluator(Wordy)
        >>> evaluate(outputs="one two", reference_outputs={"atLeast": 2})["score"]
        1.0
    """
    ready = _ready(evaluator, criteria, config, feedback_key)

    def evaluate(
        *, inputs: Any = None, outputs: Any = MISSING, reference_outputs: Any = MISSING, **_: Any
    ) -> EvaluatorResult:
        flow = ready.flow(inputs, outputs, reference_outputs)
        if not wanted():
            return drive(flow, ready.ask).summary()
        with EvaluationRun(ready.key, inputs, outputs, reference_outputs) as run:
            return run.record(drive(flow, ready.ask).results())[0]

    return cast("Evaluator", _named(evaluate, ready.key))


def as_async_evaluator(
    evaluator: BaseEvaluator[Any, Any, Any] | type[BaseEvaluator[Any, Any, Any]],
    criteria: Any = None,
    *,
    config: Any = None,
    feedback_key: str | None = None,
) -> AsyncEvaluator:
    """As `as_evaluator`, awaited."""
    ready = _ready(evaluator, criteria, config, feedback_key)
    ask = ready.aask if is_async(ready.evaluator.evaluate) else ready.ask

    async def evaluate(
        *, inputs: Any = None, outputs: Any = MISSING, reference_outputs: Any = MISSING, **_: Any
    ) -> EvaluatorResult:
        flow = ready.flow(inputs, outputs, reference_outputs)
        if not wanted():
            return (await adrive(flow, ask)).summary()
        with EvaluationRun(ready.key, inputs, outputs, reference_outputs) as run:
            return run.record((await adrive(flow, ask)).results())[0]

    return cast("AsyncEvaluator", _named(evaluate, ready.key))


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


# ------------------------------------------------------------------------------------------- one call


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call(JudgeRequest):
    """A call of `evaluate`: a request that knows what it is called with."""

    execution: AgentExecution
    criteria: BaseEvaluationCriteria


@dataclass(frozen=True, slots=True)
class _Ready:
    """A custom evaluator with all that its calls share."""

    evaluator: BaseEvaluator[Any, Any, Any]
    key: str
    criteria: BaseEvaluationCriteria | None

    def flow(self, inputs: Any, outputs: Any, reference: Any) -> Flow[SingleCard]:
        """Evaluate one record."""
        if outputs is MISSING:
            return self._card(Grade(0.0, "no outputs were given", "invalid_output"))
        try:
            criteria = self._criteria(reference)
        except Unfit as unfit:
            return self._card(unfit.grade)
        (reply,) = yield [_Call((), execution=_execution(inputs, outputs), criteria=criteria)]
        if isinstance(reply, JudgeFailure):
            return self._card(Grade(None, f"evaluator raised {reply.reason}", "not_evaluated"))
        if _ENDED in reply.answers:
            return self._card(Grade(None, f"evaluator {reply.answers[_ENDED]}", "not_evaluated"))
        return self._card(_read(reply))

    def _card(self, grade: Grade) -> SingleCard:
        return SingleCard(self.key, grade, {}, passed=grade.score is not None and grade.score >= 1)

    def ask(self, request: JudgeRequest) -> Verdict:
        """Call `evaluate`, and block until it is done."""
        try:
            returned = self._start(request)
            if inspect.isawaitable(returned):
                from fieldwise.evalsets.loop import run_blocking

                returned = run_blocking(returned)
        except BaseException as error:  # noqa: BLE001 - most are raised again
            return _ended(error)
        return Verdict({_RETURNED: returned})

    async def aask(self, request: JudgeRequest) -> Verdict:
        """Call `evaluate`, and await it."""
        try:
            return Verdict({_RETURNED: await self._start(request)})
        except BaseException as error:  # noqa: BLE001 - as above
            return _ended(error)

    def _start(self, request: JudgeRequest) -> Any:
        call = cast("_Call", request)
        return self.evaluator.evaluate(call.execution, call.criteria)

    def _criteria(self, reference: Any) -> BaseEvaluationCriteria:
        """The criteria of one call, never an object that another call may have changed."""
        given = self.criteria
        empty = (
            reference is MISSING or reference is None or (is_mapping(reference) and not _has_any(reference))
        )
        if given is None and empty:
            given = self.evaluator.evaluator_config.default_evaluation_criteria
            if given is None:
                raise Unfit("No evaluation criteria provided, and there is no default", "not_evaluated")
        elif given is None:
            try:
                given = read_model(self.evaluator.criteria_type, reference, "evaluation criteria")
            except ConfigError as error:
                raise Unfit(str(error), "invalid_reference") from None
            except Exception as error:  # noqa: BLE001 - whatever an object of someone else's raises
                raise Unfit(
                    f"evaluation criteria: cannot be read: {said(error)}", "invalid_reference"
                ) from None
        try:
            return given.model_copy(deep=True)
        except Exception as error:  # noqa: BLE001 - a lock, a value that is nested too deep
            raise Unfit(
                f"evaluation criteria: cannot be copied: {said(error)}", "invalid_reference"
            ) from None


def _ended(error: BaseException) -> Verdict:
    """What is no Exception, as a reply; the user's interruption and a cancellation pass, as Exceptions do."""
    if isinstance(error, Exception) or is_cancellation(error) or is_interruption(error):
        raise error
    return Verdict({_ENDED: raised(error)})


def _has_any(reference: Mapping[Any, Any]) -> bool:
    """Whether a mapping has members; of one that refuses to say, what is read of it will tell."""
    try:
        return bool(reference)
    except Exception:  # noqa: BLE001 - whatever an object of someone else's raises
        return True


def _read(reply: Verdict) -> Grade:
    try:
        return read_result(reply.answers[_RETURNED])
    except Exception as error:  # noqa: BLE001 - an object of somebody's own class may raise anything
        reason = JudgeFailure.from_exception(error).reason
        return Grade(None, f"the result cannot be read: {reason}", "not_evaluated")


def _execution(inputs: Any, outputs: Any) -> AgentExecution:
    """The run, its spans by start."""
    run = outputs
    if not isinstance(run, AgentExecution):
        run = AgentExecution(inputs, None, run) if is_spans(run) else AgentExecution(inputs, run)
    return replace(run, agent_trace=_by_start(run.agent_trace))


def _by_start(spans: Any) -> list[Any]:
    try:
        return sorted(spans, key=_start_of)
    except (TypeError, ValueError):  # times of several kinds
        return list(spans or ())


def _start_of(span: Any) -> Any:
    found = field(span, "start_time")
    return 0 if found is None else found


# -------------------------------------------------------------------------------------------- options


def _ready(evaluator: Any, criteria: Any, config: Any, feedback_key: str | None) -> _Ready:
    made = _made(evaluator, config)
    check_criteria_class(made.criteria_type)
    fixed = None if criteria is None else read_model(made.criteria_type, criteria, "criteria")
    key = made.name if feedback_key is None else feedback_key
    try:
        fixed = None if fixed is None else fixed.model_copy(deep=True)
    except Exception as error:
        raise ConfigError(f"criteria: cannot be copied: {said(error)}") from error
    return _Ready(made, options.text("feedback_key", key), fixed)


def _made(evaluator: Any, config: Any) -> BaseEvaluator[Any, Any, Any]:
    if isinstance(evaluator, BaseEvaluator):
        if config is not None:
            raise ConfigError("config is given with an instance, which has its own: pass the class instead")
        return evaluator
    if not isinstance(evaluator, type) or not issubclass(evaluator, BaseEvaluator):
        raise ConfigError(
            f"evaluator={shown(evaluator)}: must be a BaseEvaluator, or a class derived from it"
        )
    make: Callable[..., BaseEvaluator[Any, Any, Any]] = evaluator
    try:
        return make() if config is None else make(config)
    except TypeError as error:  # abstract, or an __init__ of its own
        raise ConfigError(f"{evaluator.__name__} cannot be made: {error}") from None
    except BaseException as error:
        if isinstance(error, Exception) or is_interruption(error):
            raise
        raise ConfigError(f"{evaluator.__name__} cannot be made: it {raised(error)}") from None
