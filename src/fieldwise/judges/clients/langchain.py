"""LangChain chat models, and any Runnable that takes messages.

Rules. A model that can be held to a schema is, through its own `with_structured_output`; of what that makes
only the bound model is called, so that a call is one traced run and its reply is read by our parser.
Bindings, retries and fallbacks are kept around it. A model that cannot is asked in words, which the prompt
holds in any case; so is one that refuses its schema, once it has answered without. Models keep their own
temperature, token limit and retries.

LangChain's models share connections behind the scenes, so one loop owns them all (`loops`); other loops and
sync evaluators use their sync side. What only has one side is used by that one: its async side on a loop of
ours, for all but its owner. That there is no sync side, some models tell only when they are asked.
"""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from fieldwise.judges.clients.errors import FAILED, error_reply, hidden
from fieldwise.judges.clients.labels import digest_of, label_of
from fieldwise.judges.clients.parts import agreed, text_of
from fieldwise.judges.clients.settings import BAD_REQUEST
from fieldwise.judges.clients.tracing import kept_local
from fieldwise.judges.interfaces import Reply
from fieldwise.judges.loops import Home, in_thread, on_own_loop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise.judges.interfaces import Call

_HOME: Final = Home()
_ASYNC_ONLY: Final = "Cannot invoke a coroutine function synchronously"
_THEIRS: Final = ("builtins", "langchain", "langchain_classic", "langchain_core")
_SCHEMA_WORDS: Final = ("response_format", "json_schema", "tools", "tool_choice", "function", "schema")


def is_runnable(client: object) -> bool:
    """Whether an object is a LangChain Runnable; loads nothing."""
    return any(
        kind.__name__ == "Runnable" and kind.__module__.startswith("langchain_core")
        for kind in type(client).__mro__
    )


class LangChainClient:
    """A LangChain model or Runnable.

    Args:
        runnable: takes a list of messages; gives a message, text or an object.
        home: which loop its async side is used on; all share one unless given.
        structured: what its `with_structured_output` is given beside the schema; a strict one unless stated.
    """

    awaits_only = False

    def __init__(
        self, runnable: Any, *, home: Home = _HOME, structured: Mapping[str, Any] | None = None
    ) -> None:
        self._plain = runnable
        self._how = dict(structured or {})
        self._home = home
        self._structured = lru_cache(64)(self._bound)
        self._takes_schema = True
        self._has_async = _has_async(runnable)
        self._has_sync = _has_sync(runnable)

    @property
    def label(self) -> str:
        """The model and its settings; the object itself where these cannot be told."""
        return self._label

    @cached_property
    def _label(self) -> str:
        return f"langchain {label_of(self._plain)} {digest_of(self._how)}"

    def ask(self, call: Call) -> Reply:
        """Make one call, blocking.

        Raises:
            Exception: whatever the model raises.
        """
        if self._has_sync:
            try:
                return self._asked(call)
            except Exception as error:
                if not self._lacks_sync(error):
                    raise
        held = self._takes_schema
        reply = on_own_loop(self._awaited(call))
        if held == self._takes_schema:  # else it was the schema that both sides refused
            self._has_sync = False
        return reply

    def _asked(self, call: Call) -> Reply:
        with kept_local():
            if not self._takes_schema:
                return self._invoke(call, held=False)
            try:
                return self._invoke(call, held=True)
            except Exception as error:
                if self._lacks_sync(error) or not _refuses_schema(error):
                    raise
            reply = self._invoke(call, held=False)
            self._takes_schema = False
            return reply

    def _lacks_sync(self, error: Exception) -> bool:
        """Whether an error of the sync side may say that there is none, where the other side may serve."""
        told = isinstance(error, NotImplementedError) or (
            isinstance(error, TypeError) and _ASYNC_ONLY in str(error)
        )
        return told and self._has_async

    async def aask(self, call: Call) -> Reply:
        """Make one call without blocking the loop.

        Raises:
            Exception: whatever the model raises.
        """
        if self._has_async and self._home.is_here():
            return await self._awaited(call)
        return await in_thread(lambda: self.ask(call))

    async def _awaited(self, call: Call) -> Reply:
        with kept_local():
            if not self._takes_schema:
                return await self._ainvoke(call, held=False)
            try:
                return await self._ainvoke(call, held=True)
            except Exception as error:
                if not _refuses_schema(error):
                    raise
            reply = await self._ainvoke(call, held=False)
            self._takes_schema = False
            return reply

    def _invoke(self, call: Call, *, held: bool) -> Reply:
        runnable, messages = self._prepared(call, held=held)
        try:
            return read(runnable.invoke(messages))
        except Exception as error:  # noqa: BLE001 - raised again there, unless it holds a reply
            return _in_an_error(error)

    async def _ainvoke(self, call: Call, *, held: bool) -> Reply:
        runnable, messages = self._prepared(call, held=held)
        try:
            return read(await runnable.ainvoke(messages))
        except Exception as error:  # noqa: BLE001 - raised again there, unless it holds a reply
            return _in_an_error(error)

    def _prepared(self, call: Call, *, held: bool) -> tuple[Any, list[dict[str, Any]]]:
        """The runnable, held to the schema if that is wanted and can be, and what it is sent."""
        bound = self._structured(call.schema) if held else None
        return (self._plain if bound is None else bound), [message.plain() for message in call.messages]

    def _bound(self, schema: str) -> Any:
        return bound(self._plain, json.loads(schema), self._how)


def _refuses_schema(error: Exception) -> bool:
    """Whether the error says that the model takes no schema."""
    return type(error).__name__.startswith("NotImplemented") or (
        getattr(error, "status_code", None) == BAD_REQUEST
        and any(word in str(error) for word in _SCHEMA_WORDS)
    )


# ------------------------------------------------------------------------------------------- schemas


def bound(runnable: Any, schema: dict[str, Any], how: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return a runnable whose model is held to a schema, or None where a model in it cannot be."""
    inner = _fields(runnable)
    if inner is None:
        return _model(runnable, schema, how)
    update: dict[str, Any] = {}
    for name, part in inner.items():
        parts = part if isinstance(part, list) else [part]
        held = [bound(one, schema, how) for one in parts]
        if any(one is None for one in held):
            return None
        update[name] = held if isinstance(part, list) else held[0]
    return runnable.model_copy(update=update)


def _fields(runnable: Any) -> dict[str, Any] | None:
    """The runnables that a wrapper wraps, by the names of its fields; None for what is no wrapper."""
    names = type(runnable).__dict__.get("model_fields") or getattr(type(runnable), "model_fields", {})
    if "fallbacks" in names and "runnable" in names:
        return {"runnable": runnable.runnable, "fallbacks": list(runnable.fallbacks)}
    if "bound" in names and "kwargs" in names:
        return {"bound": runnable.bound}
    return None


def _model(model: Any, schema: dict[str, Any], how: Mapping[str, Any]) -> Any:
    """A model held to a schema: of what `with_structured_output` makes, the part before its parser."""
    structured = getattr(model, "with_structured_output", None)
    if structured is None:
        return None
    try:
        try:
            whole = structured(schema, **(how or {"strict": True}))
        except (TypeError, ValueError):  # strict is an option of some providers only
            whole = structured(schema)
    except (AttributeError, RuntimeError, TypeError, ValueError):  # nothing there, or nothing in it
        return None
    first = next(iter(getattr(whole, "steps", ())), None)
    return first if _innermost(first) is model else whole


def _innermost(runnable: Any) -> Any:
    while hasattr(runnable, "bound"):
        runnable = runnable.bound
    return runnable


def _has_async(runnable: Any) -> bool:
    """Whether the async side is its own. LangChain's stand-in blocks a thread that outlives the process."""
    parts = _parts(runnable)
    if parts:
        return all(map(_has_async, parts))
    if _awaits_itself(type(runnable)):
        return True
    if hasattr(type(runnable), "_agenerate"):
        from langchain_core.language_models.chat_models import BaseChatModel

        kind = type(runnable)
        own = kind._agenerate is not getattr(BaseChatModel, "_agenerate", None)  # noqa: SLF001 - an override is all that tells
        return own or kind._astream is not getattr(BaseChatModel, "_astream", None)  # noqa: SLF001
    return hasattr(runnable, "afunc")


def _awaits_itself(kind: type) -> bool:
    """Whether a class has an `ainvoke` of its own, not LangChain's."""
    owner = next((one for one in kind.__mro__ if "ainvoke" in vars(one)), object)
    return owner.__module__.split(".")[0] not in _THEIRS


def _parts(runnable: Any) -> list[Any]:
    """The runnables that a wrapper or a sequence is made of; none for anything else."""
    if hasattr(runnable, "steps"):
        return list(runnable.steps)
    inner = _fields(runnable) or {}
    return [one for part in inner.values() for one in (part if isinstance(part, list) else [part])]


def _has_sync(runnable: Any) -> bool:
    """Whether it can be invoked: a RunnableLambda of an async function alone cannot."""
    parts = _parts(runnable)
    if parts:
        return all(map(_has_sync, parts))
    return not hasattr(runnable, "afunc") or hasattr(runnable, "func")


# ------------------------------------------------------------------------------------------- replies

_ERRORS_WITH_REPLIES: Final = {
    "LengthFinishReasonError": "length",
    "ContentFilterFinishReasonError": "content_filter",
}


def _in_an_error(error: Exception) -> Reply:
    """The reply that an error stands for; any other error is raised again."""
    finish = _ERRORS_WITH_REPLIES.get(type(error).__name__)
    if finish is not None:
        return Reply(None, finish=finish)
    said = getattr(error, "llm_output", None)
    if isinstance(said, str):
        return Reply(said)
    told = hidden(error)
    if told is not None:
        raise told from error
    raise error


def read(output: Any) -> Reply:
    """Read what a runnable gave: a message, text, an object, a pydantic model.

    Raises:
        ErrorReply: the message says that it failed.
    """
    said: Any = output
    if isinstance(output, dict) and {"raw", "parsed", "parsing_error"} <= output.keys():
        said = output["raw"]
    if hasattr(said, "response_metadata"):
        return _message(said)
    if hasattr(said, "model_dump"):
        said = said.model_dump()
    return Reply(*text_of(said))


def _message(message: Any) -> Reply:
    metadata = message.response_metadata or {}
    error, status = metadata.get("error"), metadata.get("status")
    if error or status in FAILED:
        raise error_reply(error or f"the status of the reply is {status!r}")
    content, refusal = text_of(message.content)
    tools = [*getattr(message, "invalid_tool_calls", ()), *getattr(message, "tool_calls", ())]
    if tools:
        content = agreed([tool["args"] for tool in tools])
    refusal = refusal or message.additional_kwargs.get("refusal")
    return Reply(content, refusal, _finish(metadata), _usage(message))


def _finish(metadata: dict[str, Any]) -> str | None:
    details = metadata.get("incomplete_details")
    named = [metadata.get(name) for name in ("finish_reason", "stop_reason", "done_reason")]
    named.append(details.get("reason") if isinstance(details, dict) else None)
    return next((str(name) for name in named if name), None)


def _usage(message: Any) -> dict[str, int]:
    used = getattr(message, "usage_metadata", None) or {}
    names = ("input_tokens", "output_tokens", "total_tokens")
    return {name: used[name] for name in names if isinstance(used.get(name), int)}
