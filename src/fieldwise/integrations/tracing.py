"""Tracing in LangSmith: one run for each evaluation, and the feedback of a LangSmith test.

Rules of this module:
1. An evaluation is traced exactly when langsmith would trace, by its own rules: its context, its global
   setting, its environment variables. A langsmith that nobody imported is imported only when one of
   those variables asks for tracing.
2. Off, it costs a few look-ups (`wanted`). They may only be wrong towards asking langsmith itself.
3. Tracing never costs a score. Whatever langsmith raises is logged, and the evaluation goes on.
4. langsmith's "local" mode traces and sends nothing. LangChain models do not know it and would send their
   prompts, so what runs inside such an evaluation, its judge, runs untraced.

How it works. `EvaluationRun` opens `langsmith.trace` or, inside a test marked for LangSmith,
`langsmith.testing.trace_feedback`, whose run also links the feedback. It is one plain context manager
for sync and async evaluators alike, since langsmith's client sends from a thread of its own.
"""

from __future__ import annotations

import functools
import os
import sys
from contextlib import ExitStack
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from langsmith import RunTree

    from fieldwise._types import EvaluatorResult

_VARIABLES: Final = ("LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "LANGCHAIN_TRACING")
_ENCODED: Final = tuple(map(os.environ.encodekey, _VARIABLES))


# ------------------------------------------------------------------------------------------- whether


def wanted() -> bool:
    """Whether langsmith would trace what runs now.

    Example:
        >>> wanted()
        False
    """
    if "langsmith" in sys.modules:
        return not _quiet()() and _enabled()
    return _asked_for() and _enabled()


def _enabled() -> bool:
    try:
        from langsmith.utils import tracing_is_enabled

        return bool(tracing_is_enabled())
    except Exception as error:  # noqa: BLE001 - a langsmith that cannot say is one that does not trace
        _report("any evaluator", error)
        return False


def _asked_for() -> bool:
    # A miss in os.environ raises and catches an exception, 0.5 µs each; one in the dict below it does not.
    below = getattr(os.environ, "_data", None)
    if below is not None and below.keys().isdisjoint(_ENCODED):
        return False
    return any(os.environ.get(name) == "true" for name in _VARIABLES)


@functools.cache
def _quiet() -> Callable[[], bool]:
    """Return a test that is true only where `tracing_is_enabled` is false, at a quarter of its cost.

    It reads the four things langsmith reads. The environment it asks through langsmith's own cache, in
    langsmith's own words, so that both see a change at the same time. In a langsmith that keeps them
    elsewhere it is never true.
    """
    try:
        from langsmith._internal import _context as context
        from langsmith.utils import get_env_var

        enabled = context._TRACING_ENABLED.get  # noqa: SLF001 - there is no public look without a copy
        parent = context._PARENT_RUN_TREE_REF.get  # noqa: SLF001
        context._GLOBAL_TRACING_ENABLED  # noqa: B018, SLF001
    except (ImportError, AttributeError):
        return lambda: False

    def quiet() -> bool:
        here = enabled()
        if here is not None:
            return here is False
        return (
            parent() is None
            and context._GLOBAL_TRACING_ENABLED is None  # noqa: SLF001
            and get_env_var("TRACING_V2", default=get_env_var("TRACING", default="")) != "true"
        )

    return quiet


# ----------------------------------------------------------------------------------------------- how


class EvaluationRun:
    """A LangSmith run around one evaluation, named `<name>_evaluator`. Nothing it does raises.

    Its inputs are `inputs`, `outputs` and `reference_outputs` where given, its outputs
    `{"output": results}`.

    Example:
        >>> from langsmith import tracing_context
        >>> result = {"key": "k", "score": 1.0, "comment": None, "metadata": {}, "extra": {}}
        >>> with tracing_context(enabled="local"), EvaluationRun("exact", None, "a", "a") as run:
        ...     traced = run.record([result])
        >>> traced[0]["source_run_id"] == str(run.id)
        True
    """

    __slots__ = ("_before", "_given", "_name", "_opened", "_run", "_stack", "_testing")

    def __init__(self, name: str, inputs: Any, outputs: Any, reference_outputs: Any) -> None:
        given = {"inputs": inputs, "outputs": outputs, "reference_outputs": reference_outputs}
        self._given = {name: value for name, value in given.items() if value is not MISSING}
        self._name = f"{name}_evaluator"
        self._run: RunTree | None = None
        self._testing: Any = None

    @property
    def id(self) -> str | None:
        """The run's id, or None where tracing failed."""
        return None if self._run is None else str(self._run.id)

    def __enter__(self) -> Self:
        self._before = copy_context()
        self._stack = ExitStack()
        try:
            self._run = self._open()
        except Exception as error:  # noqa: BLE001 - rule 3
            self._fail(error, copy_context())
        self._opened = copy_context()
        return self

    def _open(self) -> RunTree:
        import langsmith
        from langsmith.utils import tracing_is_enabled

        run = self._open_feedback()
        if run is None:
            run = self._stack.enter_context(langsmith.trace(self._name, inputs=self._given))
        run.add_metadata(
            {"__ls_framework": "fieldwise", "__ls_evaluator": self._name, "__ls_language": "python"}
        )
        if tracing_is_enabled() == "local":
            self._stack.enter_context(langsmith.tracing_context(enabled=False))
        return run

    def _open_feedback(self) -> RunTree | None:
        """Open the run of a test's feedback; None outside a test that LangSmith tracks."""
        from langsmith import get_current_run_tree

        testing = sys.modules.get("langsmith.testing")
        if testing is None or get_current_run_tree() is None:
            return None  # without a run around it, what langsmith takes for its test is one that ended
        try:
            run: RunTree | None = self._stack.enter_context(testing.trace_feedback(name=self._name))
        except ValueError:  # how langsmith says that this is no such test
            return None
        self._testing = None if run is None else testing
        return run

    def record(self, results: list[EvaluatorResult]) -> list[EvaluatorResult]:
        """Make results the run's outputs, and in a test its feedback; return them with `source_run_id`."""
        run = self._run
        if run is None:
            return results
        for result in results:
            result["source_run_id"] = str(run.id)
        try:
            run.end(outputs={"output": results})
            if self._testing is not None:
                self._give_feedback(run, results)
        except Exception as error:  # noqa: BLE001 - rule 3
            _report(self._name, error)
        return results

    def _give_feedback(self, run: RunTree, results: list[EvaluatorResult]) -> None:
        from langsmith.utils import tracing_is_enabled

        for result in results:
            score = result["score"]  # what is not graded has none, and feedback needs a score or a value
            value = result["extra"]["status"] if score is None else None
            self._testing.log_feedback(
                key=result["key"], score=score, value=value, comment=result["comment"], extra=result["extra"]
            )
        if tracing_is_enabled() is True:
            run.inputs = self._given  # it began with what the test logged, and its end is sent without
            run.patch(exclude_inputs=False)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._stack.__exit__(kind, error, traceback)
        except Exception as raised:  # noqa: BLE001 - rule 3
            if raised is not error:
                self._fail(raised, self._opened)

    def _fail(self, error: Exception, opened: Context) -> None:
        """Report, and undo what opening the run did to the context; langsmith's defaults are None."""
        _report(self._name, error)
        for variable, value in opened.items():
            if self._before.get(variable) is not value:
                variable.set(self._before.get(variable))


def _report(name: str, error: Exception) -> None:
    import logging

    logging.getLogger("fieldwise").warning("tracing of %s failed: %r", name, error)
