"""Models that do as they are told: what one says, call by call, and fake clients that say it.

A script is a list of steps, one for each call, the last one for all that follow. The same scripts drive the
fake chat model and the fake OpenAI client here, and the HTTP server in `oai_server`.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import httpx2
import openai
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

USAGE = {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}
NEVER = 30.0
"""Seconds that are never waited for: a judge's time limit, or the end of the test, comes first."""


def filled(schema: dict[str, Any]) -> Any:
    """An object that a schema describes, with every verdict the best there is."""
    if not schema:
        return {"q1": {"reasoning": "because", "score": True}}
    kind = schema.get("type")
    if kind == "object":
        return {name: filled(member) for name, member in schema["properties"].items()}
    if kind == "number":
        return 100 if "to 100" in schema.get("description", "") else 1.0
    return True if kind == "boolean" else "because"


@dataclass(frozen=True)
class Step:
    """One reply, or what happens in its place.

    Attributes:
        say: the text of the reply, or an object, or a function of the schema; None: every verdict the best.
        finish: why it stopped.
        refusal: the model's refusal.
        status: an HTTP status in place of a reply, with these headers.
        delay: seconds before anything is said.
        reset: the connection breaks.
        cut: the connection breaks inside the reply.
    """

    say: Any = None
    finish: str = "stop"
    refusal: str | None = None
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    reset: bool = False
    cut: bool = False
    error: dict[str, Any] = field(default_factory=dict)

    def text(self, schema: dict[str, Any]) -> str | None:
        if self.refusal is not None:
            return None
        said = self.say(schema) if callable(self.say) else self.say
        said = filled(schema) if said is None else said
        return said if isinstance(said, str) else json.dumps(said)


GOOD = Step()


class Script:
    """Steps, one for each call; safe to share between threads."""

    def __init__(self, *steps: Step) -> None:
        self._steps = steps or (GOOD,)
        self._lock = threading.Lock()
        self.calls = 0

    def next(self) -> Step:
        with self._lock:
            self.calls += 1
            return self._steps[min(self.calls, len(self._steps)) - 1]


def raise_for(step: Step) -> None:
    """Raise what a client would, where a step is no reply."""
    if step.reset or step.cut:
        raise ConnectionResetError("Connection reset by peer")
    if step.status is not None:
        request = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")
        response = httpx2.Response(step.status, headers=list(step.headers), request=request)
        kinds: dict[int, Any] = {400: openai.BadRequestError, 429: openai.RateLimitError}
        kind = kinds.get(step.status, openai.InternalServerError)
        raise kind(f"Error code: {step.status} - scripted", response=response, body=step.error or None)


class FakeChatModel(BaseChatModel):
    """A chat model that follows a script. Given tools, it calls the one it was given."""

    script: Any = None
    takes_tools: bool = True
    _seen: list[Any] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "fake"

    @property
    def seen(self) -> list[list[dict[str, Any]]]:
        """The messages of each call."""
        return [[{"role": one.type, "content": one.content} for one in messages] for messages in self._seen]

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: Any = None, **kwargs: Any) -> Any:
        if not self.takes_tools:
            return super().bind_tools(tools, **kwargs)
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice)

    def _reply(self, step: Step, tools: Any) -> ChatResult:
        raise_for(step)
        schema = tools[0]["function"]["parameters"] if tools else None
        name = tools[0]["function"]["name"] if tools else None
        text = step.text(schema or {})
        extra = {} if step.refusal is None else {"refusal": step.refusal}
        calls: list[dict[str, Any]] = []
        if schema is not None and text is not None:
            try:
                args = json.loads(text)
            except ValueError:
                args = None
            if isinstance(args, dict):
                calls, text = [{"name": name, "args": args, "id": "1", "type": "tool_call"}], ""
        message = AIMessage(
            content=text or "",
            tool_calls=calls,
            additional_kwargs=extra,
            response_metadata={"finish_reason": step.finish},
            usage_metadata=USAGE,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _generate(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        self._seen.append(messages)
        step = self.script.next()
        time.sleep(step.delay)
        return self._reply(step, kwargs.get("tools"))

    async def _agenerate(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        self._seen.append(messages)
        step = self.script.next()
        await asyncio.sleep(step.delay)
        return self._reply(step, kwargs.get("tools"))


class SyncOnlyChatModel(FakeChatModel):
    """A chat model without an async side of its own."""

    _agenerate = BaseChatModel._agenerate


def chat_model(*steps: Step, **options: Any) -> FakeChatModel:
    return FakeChatModel(script=Script(*steps), **options)


class FakeOpenAI:
    """The shape of an OpenAI client, sync or async."""

    def __init__(self, *steps: Step, is_async: bool = False) -> None:
        self.script = Script(*steps)
        self.seen: list[dict[str, Any]] = []
        create: Callable[..., Any] = self._acreate if is_async else self._create
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=create))

    def _create(self, **params: Any) -> Any:
        step = self._step(params)
        time.sleep(step.delay)
        return self._reply(step, params)

    async def _acreate(self, **params: Any) -> Any:
        step = self._step(params)
        await asyncio.sleep(step.delay)
        return self._reply(step, params)

    def _step(self, params: dict[str, Any]) -> Step:
        self.seen.append(params)
        return self.script.next()

    def _reply(self, step: Step, params: dict[str, Any]) -> Any:
        raise_for(step)
        shape = params.get("response_format", {}).get("json_schema", {})
        return completion(step, shape.get("schema", {}))


def completion(step: Step, schema: dict[str, Any]) -> dict[str, Any]:
    """A chat completion as the protocol has it."""
    message = {"role": "assistant", "content": step.text(schema), "refusal": step.refusal}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "fake",
        "choices": [{"index": 0, "message": message, "finish_reason": step.finish, "logprobs": None}],
        "usage": usage,
    }


def data_of(text: str) -> Any:
    """What a judge that obeys the delimiters reads: the JSON in the one pair of data tags."""
    (data,) = re.findall(r"<data>\n(.*)\n</data>", text, re.DOTALL)
    return json.loads(data)
