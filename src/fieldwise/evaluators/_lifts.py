"""The lifts: declarations made factories of evaluators.

They make every public factory out of one declaration in `fieldwise.scorers`; signature, types and
docs survive. An evaluator is a plain closure: LangSmith drops objects whose `__call__` is async.
"""

from __future__ import annotations

import functools
import sys
from contextlib import closing
from enum import Enum
from inspect import signature
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar, cast

from fieldwise._types import MISSING
from fieldwise.core.display import nearest, said, shown
from fieldwise.core.flow import adrive, drive, drive_many
from fieldwise.errors import ConfigError, FieldwiseError
from fieldwise.integrations.langsmith_given import own, settled, told
from fieldwise.integrations.langsmith_keys import announce
from fieldwise.integrations.tracing import EvaluationRun, wanted
from fieldwise.judges import as_async_judge, as_judge
from fieldwise.scorers.lacking import misnamed, retold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fieldwise._types import (
        AsyncEvaluator,
        Evaluator,
        EvaluatorResult,
        StringEvaluator,
        StringResult,
        SummaryEvaluator,
        SummaryResult,
    )
    from fieldwise.scorers.plan import Card, Plan

    Results = list[EvaluatorResult]
    Returned = Results | EvaluatorResult

P = ParamSpec("P")
F = TypeVar("F")
PLAN = "__fieldwise_plan__"
"""The attribute of an evaluator that holds its plan."""
RECIPE = "__fieldwise_recipe__"
"""The attribute that holds how it was made: the lift, the declaration, and the options."""
_LANGCHAIN: Final = "langchain_classic.evaluation.schema"
SUMMARY = "__fieldwise_summary_of__"
"""The attribute of a summary evaluator that names the evaluator of single records."""


def evaluator(declare: Callable[P, Plan], *, after: str = "_evaluator") -> Callable[P, Evaluator]:
    """Lift a declaration to a factory of evaluators; `after` ends its name."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> Evaluator:
        plan = _declared(declare, create, *args, **kwargs)
        judge = as_judge(plan.judge, plan.model, plan.settings)

        def evaluate(
            *,
            inputs: Any = None,
            outputs: Any = MISSING,
            reference_outputs: Any = MISSING,
            run: Any = None,
            example: Any = None,
            **more: Any,
        ) -> Returned:
            if run is not None or example is not None:
                outputs, reference_outputs = settled(outputs, reference_outputs, run, example)
                more |= own(run=run, example=example)
            flow = plan.flow(inputs, outputs, reference_outputs, **(more if plan.takes_more else {}))
            if not wanted():
                found = _results(drive(flow, judge), reference_outputs, run, more)
            else:
                with EvaluationRun(plan.name, inputs, outputs, reference_outputs) as traced:
                    found = traced.record(_results(drive(flow, judge), reference_outputs, run, more))
            return found[0] if plan.single else found

        return cast("Evaluator", _named(evaluate, plan, (evaluator, declare, args, kwargs)))

    return _documented(create, declare, "", after)


def async_evaluator(declare: Callable[P, Plan], *, after: str = "_evaluator") -> Callable[P, AsyncEvaluator]:
    """Lift a declaration to a factory of async evaluators; `after` ends its name."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> AsyncEvaluator:
        plan = _declared(declare, create, *args, **kwargs)
        judge = as_async_judge(plan.judge, plan.model, plan.settings)

        async def evaluate(
            *,
            inputs: Any = None,
            outputs: Any = MISSING,
            reference_outputs: Any = MISSING,
            run: Any = None,
            example: Any = None,
            **more: Any,
        ) -> Returned:
            if run is not None or example is not None:
                outputs, reference_outputs = settled(outputs, reference_outputs, run, example)
                more |= own(run=run, example=example)
            flow = plan.flow(inputs, outputs, reference_outputs, **(more if plan.takes_more else {}))
            if not wanted():
                found = _results(await adrive(flow, judge), reference_outputs, run, more)
            else:
                with EvaluationRun(plan.name, inputs, outputs, reference_outputs) as traced:
                    found = traced.record(_results(await adrive(flow, judge), reference_outputs, run, more))
            return found[0] if plan.single else found

        return cast("AsyncEvaluator", _named(evaluate, plan, (async_evaluator, declare, args, kwargs)))

    return _documented(create, declare, "async_", after)


def _results(card: Card, reference_outputs: Any, run: Any, more: Mapping[str, Any]) -> Results:
    """The results of a card, with what a run raised, and a reference that stands under another name."""
    found = card.results() if run is None else told(card.results(), run)
    lacks = misnamed(more) if more and reference_outputs is MISSING else None
    return found if lacks is None else retold(found, lacks)


def string_evaluator(declare: Callable[P, Plan]) -> Callable[P, StringEvaluator]:
    """Lift a declaration to a factory of string evaluators."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> StringEvaluator:
        made = _StringEvaluator(_declared(declare, create, *args, **kwargs))
        _tell_langchain()
        setattr(made, RECIPE, _recipe(string_evaluator, declare, args, kwargs))
        return made

    return _documented(create, declare, "", "_string_evaluator")


def summary_evaluator(
    declare: Callable[P, Plan], described: Callable[..., Results]
) -> Callable[P, SummaryEvaluator]:
    """Lift a declaration to a factory of evaluators over many records; `described` has its documentation."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> SummaryEvaluator:
        plan = _declared(declare, create, *args, **kwargs)
        judge = as_judge(plan.judge, plan.model, plan.settings)
        summarise = cast("Callable[[Results, Iterable[Results]], Results]", plan.summarise)
        blank = drive(plan.flow(None, MISSING, MISSING), None).results()
        summarise(blank, ())  # raises for keys that would collide

        def evaluate(*, outputs: Any, reference_outputs: Any) -> SummaryResult:
            records = zip_longest(_listed(outputs), _listed(reference_outputs), fillvalue=MISSING)
            flows = (plan.flow(None, came, wanted) for came, wanted in records)
            with closing(drive_many(flows, judge)) as cards:
                return {"results": summarise(blank, (card.results() for card in cards))}

        evaluate.__name__ = evaluate.__qualname__ = f"{plan.name}_summary"
        setattr(evaluate, SUMMARY, plan.name)
        return cast("SummaryEvaluator", evaluate)

    create.__doc__ = described.__doc__
    return _documented(create, declare, "", "_summary_evaluator")


def _listed(values: Any) -> list[Any]:
    """The records of one side; what is no list, or refuses to be read as one, is one record."""
    try:
        return list(values) if isinstance(values, list | tuple) else [values]
    except Exception:  # noqa: BLE001 - whatever an object of someone else's raises
        return [values]


class _StringEvaluator:
    """LangChain's string evaluator interface over a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._held = as_async_judge(
            plan.judge, plan.model, plan.settings
        )  # refused now, or made now and once
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
        judge = as_judge(self._plan.judge, self._plan.model, self._plan.settings)
        return _strings(drive(self._flow(prediction, reference, input), judge))

    async def aevaluate_strings(
        self, *, prediction: Any, reference: Any = None, input: Any = None, **_: Any
    ) -> StringResult:
        judge = as_async_judge(self._plan.judge, self._plan.model, self._plan.settings)
        return _strings(await adrive(self._flow(prediction, reference, input), judge))

    def _flow(self, prediction: Any, reference: Any, given: Any) -> Any:
        return self._plan.flow(given, prediction, MISSING if reference is None else reference)


def _tell_langchain() -> None:
    """Have LangChain, where it is loaded, take ours for string evaluators of its own."""
    theirs = getattr(sys.modules.get(_LANGCHAIN), "StringEvaluator", None)
    if theirs is not None:
        theirs.register(_StringEvaluator)


def _strings(card: Card) -> StringResult:
    summary = card.summary()
    return {
        "score": summary["score"],
        "reasoning": summary["comment"],
        "metadata": {"key": summary["key"], **summary["metadata"]},
        "results": card.results(),
    }


def _declared(declare: Callable[..., Plan], create: Any, *args: Any, **kwargs: Any) -> Plan:
    """The plan of a declaration; options whose own methods raise are refused like any other wrong ones.

    What is text or a number by its class is handed on as that, whatever else its class makes of it.
    """
    _check_names(declare, create, *args, **kwargs)
    signature(declare).bind(*args, **kwargs)  # a TypeError, as for any function
    given: Any = {name: _plain(name, value) for name, value in kwargs.items()}
    try:
        return declare(*args, **given)
    except (FieldwiseError, ImportError, Warning):
        raise
    except Exception as error:
        raise ConfigError(f"{create.__name__}: the options cannot be read: {said(error)}") from error


def _plain(option: str, value: Any) -> Any:
    kind = type(value)
    try:
        _ = value.__class__
    except Exception as error:
        raise ConfigError(f"{option}={shown(value)}: cannot be read: {said(error)}") from error
    if kind in _PLAIN or issubclass(kind, Enum):
        return value
    return next((plain(value) for known, plain in _PLAIN.items() if issubclass(kind, known)), value)


_PLAIN: Final[dict[type, Callable[[Any], Any]]] = {
    bool: bool, str: str.__str__, int: int.__int__, float: float.__float__,
}  # fmt: skip


def _check_names(declare: Callable[..., Plan], create: Any, *args: Any, **kwargs: Any) -> None:
    """Refuse, with a ConfigError, an option that does not exist or one that has to be given and is not."""
    options = signature(declare).parameters
    for name in kwargs:
        if name not in options:
            close = nearest(name, options)
            hint = f"did you mean {close!r}?" if close else f"its options: {', '.join(options)}"
            raise ConfigError(f"{create.__name__}: there is no option {name!r}; {hint}")
    for name, option in options.items():
        if option.default is option.empty and name not in kwargs and not args:
            raise ConfigError(f"{create.__name__}: {name}= has to be given")


def _named(function: Any, plan: Plan, made: tuple[Any, ...]) -> Any:
    function.__name__ = function.__qualname__ = plan.name
    announce(function, plan)
    setattr(function, PLAN, plan)
    setattr(function, RECIPE, _recipe(*made))
    return function


def _recipe(lift: Any, declare: Any, args: Any, kwargs: Any) -> tuple[Any, ...]:
    """How an evaluator was made, its options as they are now, whatever becomes of them."""
    return lift, declare, _copied(args), _copied(kwargs)


def _copied(value: Any) -> Any:
    """Containers copied, however deep, and nothing else."""
    holder: list[Any] = [value]
    stack: list[tuple[Any, Any]] = [(holder, 0)]
    tuples: list[tuple[Any, Any]] = []
    while stack:
        into, key = stack.pop()
        one, kind = into[key], type(into[key])
        if kind not in (dict, list, tuple):
            continue
        kept = into[key] = dict(one) if kind is dict else list(one)
        if kind is tuple:
            tuples.append((into, key))
        stack += [(kept, name) for name in (kept if kind is dict else range(len(kept)))]
    for into, key in reversed(tuples):  # those inside others come first
        into[key] = tuple(into[key])
    return holder[0]


def remade(lift: Any, declare: Any, args: Any, kwargs: Any) -> Any:
    """Make an evaluator again, by its recipe.

    >>> from fieldwise import create_exact_match_evaluator
    >>> remade(*getattr(create_exact_match_evaluator(), RECIPE)).__name__
    'exact_match'
    """
    return lift(declare)(*args, **kwargs)


def _documented(create: F, declare: Callable[..., Plan], before: str, after: str) -> F:
    named: Any = create
    named.__name__ = named.__qualname__ = f"create_{before}{declare.__name__}{after}"
    named.__module__ = "fieldwise"
    return create
