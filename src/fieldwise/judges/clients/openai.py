"""OpenAI clients, sync and async, and whatever has their shape: `client.chat.completions.create(**params)`.

Rules. A client of the openai package is used through a copy with its own retries off and our time limit on;
one whose `create` somebody replaced is used as it is, for the replacement is meant to be called. An async
client serves the loop that owns it (`loops`); sync evaluators and other loops are served by a sync client
of the same settings. Where none can be made of it (a client of its own transport or credentials, another
class of that shape), the async one serves everybody, on a loop of ours that owns it: a transport cannot be
copied, and one that served the caller's loop as well would be used from two.
"""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.judges.clients.errors import FAILED, error_reply, member
from fieldwise.judges.clients.labels import object_name, server_of
from fieldwise.judges.clients.parts import agreed, text_of
from fieldwise.judges.clients.settings import Settings
from fieldwise.judges.clients.tracing import CallRun, traced_by_langsmith
from fieldwise.judges.interfaces import Reply
from fieldwise.judges.loops import Home, from_own_loop, in_thread, on_own_loop

if TYPE_CHECKING:
    from fieldwise.judges.interfaces import Call

_TWINS: Final = {"AsyncOpenAI": "OpenAI", "AsyncAzureOpenAI": "AzureOpenAI"}
_COUNTED: Final = {
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
    "total_tokens": "total_tokens",
}

_USUAL: Final = frozenset({"stop", "tool_calls", "function_call"})
"""Why a reply ends that is whole."""


def is_openai_shaped(client: object) -> bool:
    """Whether an object has the shape of an OpenAI client."""
    completions = getattr(getattr(client, "chat", None), "completions", None)
    return callable(getattr(completions, "create", None))


class OpenAIClient:
    """A client with the shape of OpenAI's.

    Args:
        client: the client.
        model: the name of the model; a leading "openai:" is dropped, as OpenEvals does.
        temperature: sent with each call, as `max_tokens`, unless the model refuses it.
        max_tokens: the most tokens of a reply.
        timeout: seconds after which the client gives a call up.

    Raises:
        ConfigError: no model is named.
    """

    awaits_only = False

    def __init__(
        self,
        client: Any,
        model: str | None,
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float | None = None,
    ) -> None:
        if not isinstance(model, str) or not model.strip():
            raise ConfigError(
                f"judge={type(client).__name__} is a client of many models: name one, model='gpt-…'"
            )
        self._model = model.removeprefix("openai:")
        self._settings = Settings(temperature=temperature, max_tokens=max_tokens, response_format=True)
        self._patched = "create" in vars(client.chat.completions)
        self._traced = traced_by_langsmith(client.chat.completions.create)
        self._client = client if self._patched else _ours(client, timeout)
        self._async = is_async_client(client)
        self._twin = self._client
        if self._async and not self._patched:
            self._twin = _sync_twin(self._client) or self._client
        self._home = Home()
        replaced = self._patched and not self._traced
        server = object_name(client) if replaced else server_of(client)
        self._label = f"openai {self._model} {temperature!r} {max_tokens!r} {server}"

    @property
    def label(self) -> str:
        """The model, its settings and its server; the client itself where a server cannot be told."""
        return self._label

    def ask(self, call: Call) -> Reply:
        """Make one call, blocking.

        Raises:
            Exception: whatever the client raises.
        """

        def send(settings: dict[str, Any]) -> Reply:
            params = self._params(call, settings)
            with self._run(params) as run:
                given = self._twin.chat.completions.create(**params)
                return run.record(read(on_own_loop(given) if inspect.isawaitable(given) else given))

        return self._settings.call(send)

    async def aask(self, call: Call) -> Reply:
        """Make one call without blocking the loop.

        Raises:
            Exception: whatever the client raises.
        """
        ours = self._async and self._twin is self._client
        if not ours and not (self._async and self._home.is_here()):
            return await in_thread(lambda: self.ask(call))

        async def send(settings: dict[str, Any]) -> Reply:
            params = self._params(call, settings)
            with self._run(params) as run:
                given = self._client.chat.completions.create(**params)
                return run.record(read(await (from_own_loop(given) if ours else given)))

        return await self._settings.acall(send)

    def _params(self, call: Call, settings: dict[str, Any]) -> dict[str, Any]:
        """What `create` is given: the schema in place of its setting, if that is one."""
        messages = [message.plain() for message in call.messages]
        params = {"model": self._model, "messages": messages, **settings}
        if "response_format" in params:
            shape = {"name": "verdict", "strict": True, "schema": json.loads(call.schema)}
            params["response_format"] = {"type": "json_schema", "json_schema": shape}
        return params

    def _run(self, params: dict[str, Any]) -> CallRun:
        return CallRun(params, silent=self._traced)


def is_async_client(client: Any) -> bool:
    """Whether `create` of a client is async; the openai package hides it behind a plain function."""
    if any(kind.__name__ == "AsyncAPIClient" for kind in type(client).__mro__):
        return True
    return inspect.iscoroutinefunction(client.chat.completions.create)


def _ours(client: Any, timeout: float | None) -> Any:
    """A copy of a client without retries; other classes of its shape are used as they are."""
    if not any(kind.__name__ in {"SyncAPIClient", "AsyncAPIClient"} for kind in type(client).__mro__):
        return client
    limits: dict[str, Any] = {"max_retries": 0}
    if timeout is not None:
        limits["timeout"] = timeout
    return client.with_options(**limits)


def _sync_twin(client: Any) -> Any:
    """A sync client with the settings of an async one, or None where they cannot be carried over."""
    twin = _TWINS.get(type(client).__name__)
    own = type(client._client).__name__ == "AsyncHttpxClientWrapper"  # noqa: SLF001 - there is no other way to see it
    given = ("_provider", "_api_key_provider", "workload_identity", "_azure_ad_token_provider")
    if twin is None or not own or any(getattr(client, name, None) for name in given):
        return None
    import openai

    settings: dict[str, Any] = {
        "api_key": client.api_key,
        "organization": client.organization,
        "project": client.project,
        "base_url": client.base_url,
        "timeout": client.timeout,
        "max_retries": client.max_retries,
        "default_headers": client._custom_headers,  # noqa: SLF001 - as its own copy() does
        "default_query": client._custom_query,  # noqa: SLF001
    }
    if twin == "AzureOpenAI":
        settings["api_version"] = client._api_version  # noqa: SLF001
        settings["azure_ad_token"] = client._azure_ad_token  # noqa: SLF001
    return getattr(openai, twin)(**settings)


# --------------------------------------------------------------------------------------------- replies


def read(response: Any) -> Reply:
    """Read a chat completion, an object or a dict of that shape; of several choices, what all of them say.

    Raises:
        ErrorReply: a server's error stands in it in place of a reply, or broke the reply off.
    """
    choices = [_choice(one) for one in member(response, "choices") or []]
    content = agreed([one.content for one in choices])
    error, status = member(response, "error"), member(response, "status")
    if (error and not content) or status in FAILED:
        raise error_reply(error or f"the status of the reply is {status!r}")
    refusal = next((one.refusal for one in choices if one.refusal), None)
    told = [one for one in choices if one.content] or choices
    finishes = sorted((one.finish for one in told if one.finish), key=_USUAL.__contains__)
    return Reply(content, refusal, finishes[0] if finishes else None, _usage(response))


def _choice(choice: Any) -> Reply:
    message, finish = member(choice, "message"), member(choice, "finish_reason")
    for error in (member(choice, "error"), member(message, "error"), finish == "error"):
        if error:
            raise error_reply("the reply ended with an error" if error is True else error)
    content, refused = text_of(member(message, "content"))
    if not content:  # of calls that differ no one can say which is meant: their texts together are no JSON
        tools = member(message, "tool_calls") or []
        texts = [member(member(tool, "function"), "arguments") for tool in tools]
        content = "\n".join(dict.fromkeys(one for one in texts if isinstance(one, str))) or content
    refusal = member(message, "refusal") or refused
    refused = refusal if isinstance(refusal, str) else shown(refusal) if refusal else None
    return Reply(content, refused, finish if isinstance(finish, str) else None)


def _usage(response: Any) -> dict[str, int]:
    used = member(response, "usage")
    found = {ours: member(used, theirs) for theirs, ours in _COUNTED.items()}
    return {name: count for name, count in found.items() if isinstance(count, int)}
