"""Models by name, "openai:gpt-…": LangChain's `init_chat_model` makes the client when it is first needed.

Made once for each judge, and with the judge's settings: temperature, token limit, time limit, no retries of
its own. What a model refuses of them is left out.
"""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core._say import said, shown
from fieldwise.errors import ConfigError, JudgeError
from fieldwise.judges._dials import Dials
from fieldwise.judges._labels import digest_of
from fieldwise.judges._loops import in_thread
from fieldwise.judges.langchain import LangChainClient

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise.judges._seams import Call, Reply

_SERVERS: Final = ("_BASE_URL", "_API_BASE", "_ENDPOINT", "_API_VERSION", "_HOST")
"""How variables of the environment end that say where a provider is."""


class NamedModel:
    """A model by name.

    Args:
        name: "provider:model", or a model that `init_chat_model` knows the provider of.
        temperature: as `max_tokens` and `timeout`, of the model that is made.
        max_tokens: the most tokens of a reply.
        timeout: seconds after which a call is given up.
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
        self._dials = Dials(temperature=temperature, max_tokens=max_tokens, timeout=timeout, max_retries=0)
        self._structured = dict(structured or {})
        told = digest_of(self._structured, _servers(name))
        self._label = f"model {name} {temperature!r} {max_tokens!r} {told}"
        self._lock = Lock()
        self._client: LangChainClient | None = None

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
        while True:
            client = self._made()
            try:
                return client.ask(call)
            except Exception as error:
                if not self._adapted(error, client):
                    raise

    async def aask(self, call: Call) -> Reply:
        """Make one call without blocking the loop; so is the model made, which loads packages.

        Raises:
            JudgeError: no model of that name can be made.
            Exception: whatever the model raises.
        """
        while True:
            made = self._client
            client = await in_thread(self._made) if made is None else made
            try:
                return await client.aask(call)
            except Exception as error:
                if not self._adapted(error, client):
                    raise

    def _made(self) -> LangChainClient:
        with self._lock:
            if self._client is None:
                self._client = LangChainClient(
                    _model(self._name, self._dials.settings()), structured=self._structured
                )
            return self._client

    def _adapted(self, error: Exception, client: LangChainClient) -> bool:
        """Whether the error refuses a setting, without which the model is then made anew."""
        with self._lock:
            if not self._dials.adapt(error, self._dials.settings()):
                return False
            if self._client is client:
                self._client = None
            return True


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
