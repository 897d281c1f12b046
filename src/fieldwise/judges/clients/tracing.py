"""LangSmith runs of the calls of clients that do not trace themselves, and silence for those that do.

The rules of `fieldwise.integrations.tracing` hold here: a run exactly when langsmith would trace, nothing
sent in its "local" mode, and no score ever lost to tracing.
"""

from __future__ import annotations

import logging
import sys
from contextlib import AbstractContextManager, ExitStack, nullcontext
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from fieldwise.integrations.tracing import wanted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

    from fieldwise.judges.interfaces import Reply


class CallRun:
    """A run around one call of a model: its prompt, its reply, what it used. Nothing it does raises.

    Silent, it is none: for calls that are traced already.

    Example:
        >>> with CallRun({"model": "m", "messages": []}) as run:
        ...     run.id  # tracing is off
    """

    __slots__ = ("_params", "_run", "_silent", "_stack")

    def __init__(self, params: Mapping[str, Any], *, silent: bool = False) -> None:
        self._params = params
        self._silent = silent
        self._run: Any = None
        self._stack = ExitStack()

    @property
    def id(self) -> str | None:
        """The run's id, or None where nothing is traced."""
        return None if self._run is None else str(self._run.id)

    def __enter__(self) -> Self:
        if self._silent or not wanted():
            return self
        before = copy_context()
        try:
            self._run = self._open()
        except Exception as error:  # noqa: BLE001 - tracing never costs a score
            _report(error)
            for variable, value in copy_context().items():  # what opening it changed, as it was
                if before.get(variable) is not value:
                    variable.set(before.get(variable))
        return self

    def _open(self) -> Any:
        import langsmith

        inputs = dict(self._params)
        model = inputs.get("model")
        metadata = {"ls_provider": "openai", "ls_model_type": "chat", "ls_model_name": model}
        run = langsmith.trace("fieldwise_judge", run_type="llm", inputs=inputs, metadata=metadata)
        return self._stack.enter_context(run)

    def record(self, reply: Reply) -> Reply:
        """Make a reply the run's outputs, and return it."""
        if self._run is None:
            return reply
        message = {"role": "assistant", "content": reply.content}
        if reply.refusal is not None:
            message["refusal"] = reply.refusal
        choice = {"message": message, "finish_reason": reply.finish}
        try:
            self._run.end(outputs={"choices": [choice], "usage_metadata": dict(reply.usage)})
        except Exception as error:  # noqa: BLE001 - as above
            _report(error)
        return reply

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._stack.__exit__(kind, error, traceback)
        except Exception as raised:  # noqa: BLE001 - as above
            if raised is not error:
                _report(raised)


def kept_local() -> AbstractContextManager[Any]:
    """Return a context in which LangChain sends nothing where langsmith only traces locally.

    LangChain does not know that mode and would send its prompts.
    """
    if "langsmith" not in sys.modules or not wanted():
        return nullcontext()
    import langsmith
    from langsmith.utils import tracing_is_enabled

    if tracing_is_enabled() != "local":
        return nullcontext()
    return langsmith.tracing_context(enabled=False)


def traced_by_langsmith(function: Any) -> bool:
    """Whether a client's method is langsmith's wrapper of it, which traces."""
    code = getattr(function, "__code__", None)
    return code is not None and "langsmith" in code.co_filename


def _report(error: Exception) -> None:
    logging.getLogger("fieldwise").warning("tracing of a judge's call failed: %r", error)
