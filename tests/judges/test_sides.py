"""Models that have one side only, sync or async, and errors that the other side cannot carry."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.runnables import Runnable, RunnableLambda

from fieldwise.core.flow import JudgeRequest, Question
from fieldwise.errors import JudgeError
from fieldwise.judges.clients.langchain import LangChainClient
from fieldwise.judges.contract import Words, calls
from fieldwise.judges.interfaces import Call, Reply
from fieldwise.judges.loops import Home
from fieldwise.judges.model import create_judge
from tests.judges.fakes import FakeChatModel, Script, Step, SyncOnlyChatModel

REQUEST = JudgeRequest((Question("a", "a", "same", "x", "y"),))
CALL: Call = calls(REQUEST, Words())[0].call
SAID = {"q1": {"reasoning": "because", "score": True}}


# ------------------------------------------------------------------------------------- StopIteration


def stops(*args: Any, **kwargs: Any) -> Any:
    return next(iter([]))


STOPPING: dict[str, Callable[[], Any]] = {
    "function": lambda: create_judge(stops),
    "chat-model": lambda: create_judge(GenericFakeChatModel(messages=iter([]))),
    "lambda": lambda: create_judge(RunnableLambda(stops)),
    "openai-shape": lambda: create_judge(
        SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=stops))), model="m"
    ),
}


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in STOPPING.items()])
def test_a_client_that_has_nothing_left_fails_at_once_in_both_modes(make: Callable[[], Any]) -> None:
    judge = make()
    began = time.monotonic()
    with pytest.raises(JudgeError) as sync:
        judge(REQUEST)
    with pytest.raises(JudgeError) as awaited:
        asyncio.run(judge.acall(REQUEST))
    assert (str(sync.value), str(awaited.value)) == ("StopIteration", "StopIteration")
    assert time.monotonic() - began < 10


# ----------------------------------------------------------------------------------- async side alone


class AsyncOnly(FakeChatModel):
    """A chat model without a sync side."""

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


class OnlyAwaited(Runnable[Any, Any]):
    """A runnable without a sync side."""

    def invoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def ainvoke(self, input: Any, config: Any = None, **kwargs: Any) -> Any:
        await asyncio.sleep(0)
        return SAID


async def judged(_: Any) -> Any:
    await asyncio.sleep(0)
    return SAID


ONE_SIDED: dict[str, Callable[[], Any]] = {
    "chat-model": lambda: AsyncOnly(script=Script(Step(SAID))),
    "chat-model-bound": lambda: AsyncOnly(script=Script(Step(SAID))).bind(stop=["x"]),
    "runnable": OnlyAwaited,
    "lambda": lambda: RunnableLambda(judged),
    "lambda-retry": lambda: RunnableLambda(judged).with_retry(),
    "lambda-fallbacks": lambda: RunnableLambda(judged).with_fallbacks([RunnableLambda(judged)]),
    "lambda-in-lambda": lambda: RunnableLambda(lambda _: SAID) | RunnableLambda(judged),
}


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in ONE_SIDED.items()])
def test_an_async_side_alone_serves_every_loop_and_sync_callers(make: Callable[[], Any]) -> None:
    client = LangChainClient(make(), home=Home())
    began = time.monotonic()
    awaited: list[Reply] = [asyncio.run(client.aask(CALL)) for _ in range(3)]
    assert [reply.content for reply in [*awaited, client.ask(CALL)]] == [SAID] * 4
    assert time.monotonic() - began < 1  # nothing was tried again


def test_a_missing_sync_side_says_nothing_of_schemas() -> None:
    seen = []

    class Watched(AsyncOnly):
        async def _agenerate(self, *args: Any, **kwargs: Any) -> Any:
            seen.append(bool(kwargs.get("tools")))
            return await super()._agenerate(*args, **kwargs)

    client = LangChainClient(Watched(script=Script(Step(SAID))))
    assert [client.ask(CALL).content for _ in range(2)] == [SAID, SAID]
    assert seen == [True, True]


@pytest.mark.parametrize("kind", [FakeChatModel, SyncOnlyChatModel])
def test_a_schema_that_is_not_implemented_is_given_up_on_either_side(kind: type[FakeChatModel]) -> None:
    class NoSchema(kind):  # type: ignore[misc, valid-type]
        def _reply(self, step: Step, tools: Any) -> Any:
            if tools:
                raise NotImplementedError("tools")
            return super()._reply(step, tools)

    model = NoSchema(script=Script(Step(SAID)))
    client = LangChainClient(model)
    replies = [client.ask(CALL) for _ in range(3)]
    assert len({reply.content for reply in replies}) == 1
    assert client._has_sync
    assert not client._takes_schema
