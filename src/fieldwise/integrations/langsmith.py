"""LangSmith: any evaluator as a `RunEvaluator`, the form of LangSmith's own that loses no row.

Evaluators go into `evaluate` and `aevaluate` as they are. This form is for what a function cannot do there:

1. It serves sync and async callers alike, also a sync one inside a running loop, as in a notebook. A judge
   that is async answers sync callers from a loop in a thread of its own, which its client never leaves.
2. `feedback_keys` are the keys of its results, where they are known before a record is seen.
3. Whatever goes wrong, a record has its rows: one for each key that it would have had, with the reason.
4. Without a LangSmith function around it, in `EvaluatorCallbackHandler` or called by hand, it is the same.

How it works. The two forms of one evaluator are made with the same options. A run and its example become
`inputs`, `outputs` and `reference_outputs`; a run that failed has no outputs, and its rows say why.
"""

from __future__ import annotations

import functools
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from fieldwise._exports import HOMES
from fieldwise._types import MISSING
from fieldwise.core.display import nearest, said, shown
from fieldwise.core.flow.desk import is_async
from fieldwise.core.once import once
from fieldwise.errors import ConfigError
from fieldwise.evaluators._lifts import PLAN
from fieldwise.integrations.langsmith_given import told
from fieldwise.integrations.langsmith_keys import keys_without_outputs, known_keys
from fieldwise.judges import as_run_judge
from fieldwise.run._foreign import not_evaluated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from langsmith.evaluation import RunEvaluator

    from fieldwise._types import EvaluatorResult
    from fieldwise.scorers.plan import Plan

__all__ = ["run_evaluator"]

_TOLD: Final = ("status", "path", "passed", "reason")


def run_evaluator(name: str, /, **options: Any) -> RunEvaluator:
    """Make a LangSmith `RunEvaluator` of an evaluator.

    Args:
        name: what stands between `create_` and `_evaluator`, "json_match"; also "llm_as_judge".
        **options: those of its factory.

    Returns:
        An object for `evaluators=` of `evaluate`, `aevaluate`, `Client.evaluate`, `evaluate_existing` and
        LangChain's `EvaluatorCallbackHandler`, with `evaluate_run`, `aevaluate_run` and `feedback_keys`.

    Raises:
        ConfigError: for a name or an option that there is none of, and for a wrong option.

    Example:
        >>> evaluator = run_evaluator("json_match", aggregator="average")
        >>> evaluator.feedback_keys
        ['json_match:average']
    """
    create, create_async = _factories(name)
    awaited = create_async(**options)
    plan: Plan = getattr(awaited, PLAN)
    judge = as_run_judge(plan.judge, plan.model, plan.settings, awaits=False)
    blocking = _blocking(awaited) if is_async(judge) else create(**options)
    made: RunEvaluator = _class()(_Both(plan, blocking, awaited))
    return made


# -------------------------------------------------------------------------------------------- making


@functools.cache
def _names() -> dict[str, tuple[str, str]]:
    """Evaluator to its two factories, plain and async, read off the public names."""
    found = {}
    for awaited in HOMES:
        if awaited.startswith("create_async_"):
            plain = awaited.replace("async_", "", 1)
            found[plain.removeprefix("create_").removesuffix("_evaluator")] = (plain, awaited)
    return found


def _factories(name: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    known = _names()
    if not isinstance(name, str) or name not in known:
        close = nearest(name, known) if isinstance(name, str) else None
        hint = f"did you mean {close!r}?" if close else f"there are {', '.join(sorted(known))}"
        raise ConfigError(f"run_evaluator: there is no evaluator {shown(name)}; {hint}")
    plain, awaited = (getattr(import_module(HOMES[one]), one) for one in known[name])
    return plain, awaited


def _blocking(awaited: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
    """An async evaluator for callers that do not await."""
    from fieldwise.judges.loops import on_own_loop

    return lambda **given: on_own_loop(awaited(**given))


@once
def _class() -> type[Any]:
    """The class; made when first used, for its base is LangSmith's."""
    from langsmith.evaluation import RunEvaluator

    class FieldwiseEvaluator(RunEvaluator):
        """An evaluator of fieldwise."""

        def __init__(self, both: _Both) -> None:
            self._both = both

        def __repr__(self) -> str:
            return f"<fieldwise {self._both.plan.name} evaluator>"

        def __call__(self, run: Any, example: Any = None) -> Any:
            return self.evaluate_run(run, example)

        def evaluate_run(self, run: Any, example: Any = None, evaluator_run_id: Any = None) -> Any:  # noqa: ARG002
            return self._both.score(run, example)

        async def aevaluate_run(self, run: Any, example: Any = None, evaluator_run_id: Any = None) -> Any:  # noqa: ARG002
            return await self._both.ascore(run, example)

        @property
        def feedback_keys(self) -> list[str]:
            return self._both.keys()

    return FieldwiseEvaluator


# ------------------------------------------------------------------------------------------- scoring


@dataclass(frozen=True, slots=True)
class _Both:
    """One evaluator in its two forms."""

    plan: Plan
    blocking: Callable[..., Any]
    awaited: Callable[..., Awaitable[Any]]

    def score(self, run: Any, example: Any) -> dict[str, Any]:
        given = _given(run, example)
        try:
            found = self.blocking(**given)
        except Exception as error:  # noqa: BLE001 - rule 3
            found = self._failed(given, error)
        return _rows(found)

    async def ascore(self, run: Any, example: Any) -> dict[str, Any]:
        given = _given(run, example)
        try:
            found = await self.awaited(**given)
        except Exception as error:  # noqa: BLE001 - rule 3
            found = self._failed(given, error)
        return _rows(found)

    def keys(self) -> list[str]:
        return known_keys(self.plan)

    def _failed(self, given: dict[str, Any], error: Exception) -> list[EvaluatorResult]:
        reason = said(error)
        keys: list[str] = []
        with suppress(Exception):
            keys = keys_without_outputs(self.plan, given["inputs"], given["reference_outputs"])
        found = [not_evaluated(key, reason) for key in keys or [self.plan.name]]
        for result in found:
            result["extra"]["error"] = True  # what LangSmith marks as one
        return told(found, given["run"])


def _given(run: Any, example: Any) -> dict[str, Any]:
    """A run and its example as an evaluator takes them."""
    reference = None if example is None else example.outputs
    return {
        "inputs": run.inputs if example is None else example.inputs,
        "outputs": MISSING if run.outputs is None else run.outputs,
        "reference_outputs": MISSING if reference is None else reference,
        "run": run,
        "example": example,
    }


def _rows(found: Any) -> dict[str, Any]:
    """Results as LangSmith has them."""
    from langsmith.evaluation import EvaluationResult

    results = found if isinstance(found, list) else [found]
    return {"results": [EvaluationResult(**one, evaluator_info=_info(one)) for one in results]}


def _info(result: EvaluatorResult) -> dict[str, Any]:
    """What of `extra` goes along where LangChain's callback sends the result, for it leaves `extra` out."""
    return {name: result["extra"][name] for name in _TOLD if name in result["extra"]}
