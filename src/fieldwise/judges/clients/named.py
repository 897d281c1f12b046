"""Models by name, "openai:gpt-…": LangChain's `init_chat_model` makes the client when it is first needed.

Made once for each judge, and with the judge's settings: temperature, token limit, time limit, no retries of
its own. For a model that refuses one of them, another client is made without it.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import said, shown
from fieldwise.errors import ConfigError, JudgeError
from fieldwise.judges.clients.labels import digest_of
from fieldwise.judges.clients.langchain import LangChainClient
from fieldwise.judges.clients.settings import Settings
from fieldwise.judges.loops import in_thread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise.judges.interfaces import Call, Reply

_SERVERS: Final = ("_BASE_URL", "_API_BASE", "_ENDPOINT", "_API_VERSION", "_HOST")
"""How variables of the environment end that say where a provider is."""


class NamedModel:
    """A model by name.

    Args:
        name: "provider:model", or a model that `init_chat_model` knows the provider of.
        temperature: as `max_tokens` and `timeout`, of the model that is made.
        max_tokens: the most tokens of a reply.
        timeout: seconds after which the client gives a call up.
        structured: as `LangChainClient` takes it.

    Raises:
        ConfigError: the name is no text, or blank.
    """

    awaits_only = False

    def __init__(
        self,
        name: Any,
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout: float | None = None,
        structured: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise ConfigError(
                f"model={shown(name)}: name one as provider:model, such as 'openai:gpt-4o-mini'"
            )
        self._name: str = name
        self._settings = Settings(
            temperature=temperature, max_tokens=max_tokens, timeout=timeout, max_retries=0
        )
        self._structured = dict(structured or {})
        told = digest_of(self._structured, _servers(name))
        self._label = f"model {name} {temperature!r} {max_tokens!r} {told}"
        self._lock = Lock()
        self._clients: dict[frozenset[str], LangChainClient] = {}

    @property
    def label(self) -> str:
        """The name and the settings it was given."""
        return self._label

    def ask(self, call: Call) -> Reply:
        """Make one call, blocking.

        Raises:
            JudgeError: no model of that name can be made.
            Exception: whatever the model raises.
        """
        return self._settings.call(lambda settings: self._made(settings).ask(call))

    async def aask(self, call: Call) -> Reply:
        """Make one call without blocking the loop; so is the model made, which loads packages.

        Raises:
            JudgeError: no model of that name can be made.
            Exception: whatever the model raises.
        """

        async def send(settings: dict[str, Any]) -> Reply:
            made = self._clients.get(frozenset(settings))
            client = await in_thread(lambda: self._made(settings)) if made is None else made
            return await client.aask(call)

        return await self._settings.acall(send)

    def _made(self, settings: dict[str, Any]) -> LangChainClient:
        """The client with these settings, made when it is first needed."""
        names = frozenset(settings)
        with self._lock:
            if names not in self._clients:
                model = _model(self._name, settings)
                self._clients[names] = LangChainClient(model, structured=self._structured)
            return self._clients[names]


def _servers(name: str) -> dict[str, str]:
    """What the environment says of the provider's server; of every provider's where none is named."""
    provider = name.partition(":")[0].split("_")[0].upper() if ":" in name else ""
    return {
        key: told for key, told in os.environ.items() if key.startswith(provider) and key.endswith(_SERVERS)
    }


def _model(name: str, settings: dict[str, Any]) -> Any:
    try:
        from langchain.chat_models import init_chat_model

        return init_chat_model(name, **settings)
    except Exception as error:
        raise JudgeError(f"model={shown(name)} cannot be made: {said(error)}") from error
