"""Each kind of client: what it is sent, what is read of its reply, and where its calls run."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx2
import openai
import pytest
from langchain_core.language_models import FakeListChatModel, FakeListLLM
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI

from fieldwise.core.flow import JudgeRequest, Question
from fieldwise.core.prompts import Message
from fieldwise.errors import ConfigError, JudgeError
from fieldwise.judges.clients import openai as openai_client
from fieldwise.judges.clients.functions import FunctionClient
from fieldwise.judges.clients.langchain import LangChainClient, bound
from fieldwise.judges.clients.langchain import read as read_output
from fieldwise.judges.clients.named import NamedModel
from fieldwise.judges.clients.openai import OpenAIClient
from fieldwise.judges.contract import Words, calls
from fieldwise.judges.interfaces import Call, Reply
from fieldwise.judges.loops import Home
from tests.judges.fakes import (
    USAGE,
    FakeChatModel,
    FakeOpenAI,
    Script,
    Step,
    SyncOnlyChatModel,
    chat_model,
    completion,
)
from tests.judges.oai_server import OpenAIServer

REQUEST = JudgeRequest((Question("a", "a", "same", "x", "y"),))
CALL: Call = calls(REQUEST, Words())[0].call
SAID = {"q1": {"reasoning": "because", "score": True}}
ANSWER = Step(SAID)


def value(reply: Reply) -> Any:
    return json.loads(reply.content) if isinstance(reply.content, str) else reply.content


def aask(client: Any) -> Reply:
    reply: Reply = asyncio.run(client.aask(CALL))
    return reply


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(ANSWER) as running:
        yield running


def settings(server: OpenAIServer) -> dict[str, Any]:
    return {"base_url": server.url, "api_key": "k"}


# ------------------------------------------------------------------------------------------ LangChain

WRAPPED: dict[str, Any] = {
    "model": lambda model: model,
    "retry": lambda model: model.with_retry(stop_after_attempt=2, wait_exponential_jitter=False),
    "bind": lambda model: model.bind(stop=["x"]),
    "config": lambda model: model.with_config(tags=["t"]),
    "fallbacks": lambda model: model.with_fallbacks([chat_model(ANSWER)]),
    "bound-retry": lambda model: model.bind(stop=["x"]).with_retry(),
}


@pytest.mark.parametrize("wrap", [pytest.param(wrap, id=name) for name, wrap in WRAPPED.items()])
def test_a_model_is_held_to_the_schema_whatever_is_around_it(wrap: Any) -> None:
    model = chat_model(ANSWER)
    client = LangChainClient(wrap(model), home=Home())
    assert client.ask(CALL) == aask(client) == Reply(SAID, finish="stop", usage=USAGE)
    assert model.script.calls == 2
    assert [message["content"] for message in model.seen[0]] == [one.content for one in CALL.messages]


def test_what_was_bound_stays_bound() -> None:
    held = bound(chat_model().bind(stop=["x"]), json.loads(CALL.schema))
    assert (held.kwargs, held.bound.kwargs["tool_choice"]) == ({"stop": ["x"]}, "any")


def test_retries_and_fallbacks_of_the_model_are_kept() -> None:
    broken = chat_model(Step(reset=True), ANSWER)
    assert value(LangChainClient(WRAPPED["retry"](broken)).ask(CALL)) == SAID
    spare = chat_model(Step(reset=True)).with_fallbacks([chat_model(ANSWER)])
    assert value(LangChainClient(spare).ask(CALL)) == SAID


IN_WORDS: dict[str, Any] = {
    "no-tools": lambda: chat_model(ANSWER, takes_tools=False),
    "list-model": lambda: FakeListChatModel(responses=[json.dumps(SAID)]),
    "text-model": lambda: FakeListLLM(responses=[json.dumps(SAID)]),
    "lambda-text": lambda: RunnableLambda(lambda _: json.dumps(SAID)),
    "lambda-object": lambda: RunnableLambda(lambda _: SAID),
    "lambda-message": lambda: RunnableLambda(lambda _: AIMessage(json.dumps(SAID))),
    "sequence": lambda: RunnableLambda(lambda messages: messages) | chat_model(ANSWER, takes_tools=False),
    "mixed-fallbacks": lambda: chat_model(ANSWER).with_fallbacks([chat_model(takes_tools=False)]),
}


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in IN_WORDS.items()])
def test_what_takes_no_schema_is_asked_in_words(make: Any) -> None:
    client = LangChainClient(make(), home=Home())
    assert value(client.ask(CALL)) == value(aask(client)) == SAID


def test_a_model_that_refuses_its_schema_is_asked_in_words_from_then_on() -> None:
    schema_free = chat_model(ANSWER)

    class Refusing(FakeChatModel):
        def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
            if kwargs.get("tools"):
                response = httpx2.Response(400, request=httpx2.Request("POST", "http://127.0.0.1"))
                raise openai.BadRequestError("tool_choice is unknown", response=response, body=None)
            return schema_free._generate(messages)

    client = LangChainClient(Refusing())
    assert [value(client.ask(CALL)) for _ in range(2)] == [SAID, SAID]
    assert schema_free.script.calls == 2


@pytest.mark.parametrize("is_async", [False, True])
def test_a_schema_is_given_up_only_when_the_call_without_it_succeeds(is_async: bool) -> None:
    refusal = {"message": "tool_choice is unknown"}
    with OpenAIServer(Step(status=400, error=refusal), Step(status=500), ANSWER) as server:
        model = ChatOpenAI(model="m", max_retries=0, **settings(server))
        client = LangChainClient(model, home=Home())
        ask = aask if is_async else lambda client: client.ask(CALL)
        with pytest.raises(openai.InternalServerError):
            ask(client)
        assert value(ask(client)) == SAID
        assert ["response_format" in body for body in server.bodies] == [True, False, True]


def test_an_async_function_alone_serves_both_modes() -> None:
    async def judge(messages: Any) -> Any:
        await asyncio.sleep(0)
        return SAID

    client = LangChainClient(RunnableLambda(judge), home=Home())
    assert value(client.ask(CALL)) == value(aask(client)) == SAID


OUTPUTS: tuple[tuple[str, Any, Reply], ...] = (
    ("blocks", AIMessage([{"type": "text", "text": "a"}, {"type": "reasoning"}, "b"]), Reply("ab")),
    ("refusal", AIMessage([{"type": "refusal", "refusal": "no"}]), Reply("", "no")),
    (
        "anthropic",
        AIMessage("a", response_metadata={"stop_reason": "max_tokens"}),
        Reply("a", finish="max_tokens"),
    ),
    (
        "responses-api",
        AIMessage("a", response_metadata={"incomplete_details": {"reason": "max_output_tokens"}}),
        Reply("a", finish="max_output_tokens"),
    ),
    ("text-in-parts", [{"type": "text", "text": "a"}], Reply("a")),
    ("object-in-a-list", [SAID], Reply([SAID])),
    (
        "calls-alike",
        AIMessage("", tool_calls=[{"name": "v", "args": SAID, "id": one} for one in "12"]),
        Reply(SAID),
    ),
    (
        "calls-that-differ",
        AIMessage("", tool_calls=[{"name": "v", "args": {"q1": one}, "id": "1"} for one in (1, True)]),
        Reply([{"q1": 1}, {"q1": True}]),
    ),
    ("raw", {"raw": AIMessage("a"), "parsed": None, "parsing_error": None}, Reply("a")),
    ("pydantic", SimpleNamespace(model_dump=lambda: SAID), Reply(SAID)),
    (
        "broken-arguments",
        AIMessage("", invalid_tool_calls=[{"name": "v", "args": '{"q1', "id": "1", "error": None}]),
        Reply('{"q1'),
    ),
)


@pytest.mark.parametrize(("output", "reply"), [pytest.param(*row[1:], id=row[0]) for row in OUTPUTS])
def test_what_is_read_of_an_output(output: Any, reply: Reply) -> None:
    assert read_output(output) == reply


def test_a_label_tells_models_apart() -> None:
    one, other = (LangChainClient(FakeListChatModel(responses=[text])).label for text in "ab")
    assert one != other


# ----------------------------------------------------------------------------------------- over HTTP


def test_what_openai_is_sent(server: OpenAIServer) -> None:
    client = OpenAIClient(openai.OpenAI(**settings(server)), "openai:m", temperature=0.0, max_tokens=9)
    assert client.ask(CALL) == Reply(json.dumps(SAID), finish="stop", usage=USAGE)
    assert server.bodies == [
        {
            "model": "m",
            "messages": [message.plain() for message in CALL.messages],
            "temperature": 0.0,
            "max_tokens": 9,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "verdict", "strict": True, "schema": json.loads(CALL.schema)},
            },
        }
    ]


def test_what_a_chat_model_of_openai_is_sent(server: OpenAIServer) -> None:
    client = LangChainClient(ChatOpenAI(model="m", **settings(server)))
    assert client.ask(CALL) == Reply(json.dumps(SAID), finish="stop", usage=USAGE)
    shape = server.bodies[0]["response_format"]["json_schema"]
    assert (shape["strict"], shape["schema"]["required"]) == (True, ["q1"])


def test_their_own_retries_are_off() -> None:
    with OpenAIServer(Step(status=500), ANSWER) as server:
        client = OpenAIClient(openai.OpenAI(**settings(server), max_retries=5), "m")
        with pytest.raises(openai.InternalServerError):
            client.ask(CALL)
        assert server.script.calls == 1


CLIENTS: dict[str, Any] = {
    "OpenAI": lambda server: OpenAIClient(openai.OpenAI(**settings(server)), "m"),
    "AsyncOpenAI": lambda server: OpenAIClient(openai.AsyncOpenAI(**settings(server)), "m"),
    "own-transport": lambda server: OpenAIClient(
        openai.AsyncOpenAI(**settings(server), http_client=httpx2.AsyncClient()), "m"
    ),
    "ChatOpenAI": lambda server: LangChainClient(ChatOpenAI(model="m", **settings(server))),
    "name": lambda server: NamedModel("openai:m"),
    "shape": lambda _: OpenAIClient(FakeOpenAI(ANSWER), "m"),
    "async-shape": lambda _: OpenAIClient(FakeOpenAI(ANSWER, is_async=True), "m"),
    "chat-model": lambda _: LangChainClient(chat_model(ANSWER)),
}


@pytest.fixture(params=[pytest.param(make, id=name) for name, make in CLIENTS.items()])
def client(request: pytest.FixtureRequest, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    return request.param(server)


def test_a_client_serves_any_number_of_loops_and_threads(client: Any) -> None:
    async def several() -> list[Reply]:
        return list(await asyncio.gather(*(client.aask(CALL) for _ in range(3))))

    replies = [*asyncio.run(several()), *asyncio.run(several()), client.ask(CALL), *asyncio.run(several())]
    threads = [threading.Thread(target=lambda: replies.append(asyncio.run(client.aask(CALL)))) for _ in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [value(reply) for reply in replies] == [SAID] * 12


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["AsyncOpenAI", "own-transport", "ChatOpenAI"])
def test_connections_that_are_kept_stay_with_their_loop(name: str) -> None:
    with OpenAIServer(ANSWER, keep_alive=True) as server:
        client = CLIENTS[name](server)
        replies = [reply for _ in range(4) for reply in (aask(client), client.ask(CALL))]
        assert [value(reply) for reply in replies] == [SAID] * 8
        gc.collect()


def test_a_client_of_its_own_transport_is_used_on_the_loop_of_the_judges_alone() -> None:
    threads: list[str] = []

    async def noted(request: httpx2.Request) -> httpx2.Response:
        threads.append(threading.current_thread().name)
        schema = json.loads(request.content)["response_format"]["json_schema"]["schema"]
        return httpx2.Response(200, json=completion(ANSWER, schema))

    transport = httpx2.AsyncClient(transport=httpx2.MockTransport(noted))
    owned = openai.AsyncOpenAI(api_key="k", base_url="http://127.0.0.1:1", http_client=transport)
    client = OpenAIClient(owned, "m")
    assert [value(aask(client)), value(client.ask(CALL)), value(aask(client))] == [SAID] * 3
    assert threads == ["fieldwise-loop"] * 3


def test_a_client_serves_a_sync_call_inside_a_loop(client: Any) -> None:
    async def inside() -> Any:
        first = await client.aask(CALL)
        return value(first), value(client.ask(CALL))

    assert asyncio.run(inside()) == (SAID, SAID)


def test_two_loops_at_once(client: Any) -> None:
    async def outer() -> tuple[Any, Any]:
        mine = client.aask(CALL)
        return value(await asyncio.to_thread(lambda: aask(client))), value(await mine)

    assert asyncio.run(outer()) == (SAID, SAID)


# ------------------------------------------------------------------------------------ OpenAI's clients


def test_the_sync_twin_has_the_settings_of_its_client() -> None:
    client = openai.AsyncOpenAI(
        api_key="k", base_url="http://127.0.0.1:1/v9", organization="o", default_headers={"x": "y"}, timeout=7
    )
    twin = openai_client._sync_twin(client)
    assert isinstance(twin, openai.OpenAI)
    assert (twin.api_key, str(twin.base_url), twin.organization, twin.timeout) == (
        "k",
        "http://127.0.0.1:1/v9/",
        "o",
        7,
    )
    assert twin.default_headers["x"] == "y"


def test_the_twin_of_azures_client() -> None:
    client = openai.AsyncAzureOpenAI(api_key="k", azure_endpoint="http://127.0.0.1:1", api_version="v")
    twin = openai_client._sync_twin(client)
    assert isinstance(twin, openai.AzureOpenAI)
    assert (str(twin.base_url), twin._api_version) == ("http://127.0.0.1:1/openai/", "v")


def test_a_client_with_credentials_of_its_own_kind_has_no_twin() -> None:
    async def token() -> str:
        return "k"

    assert openai_client._sync_twin(openai.AsyncOpenAI(api_key=token, base_url="http://127.0.0.1:1")) is None


def test_a_method_that_was_replaced_is_called() -> None:
    fake = FakeOpenAI(ANSWER)
    client = openai.OpenAI(api_key="k", base_url="http://127.0.0.1:1")
    client.chat.completions.create = fake.chat.completions.create  # type: ignore[method-assign]
    assert value(OpenAIClient(client, "m").ask(CALL)) == SAID


REFUSALS: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("temperature", {"param": "temperature"}, {"max_tokens": 9}),
    (
        "max_tokens",
        {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."},
        {"temperature": 0.0, "max_completion_tokens": 9},
    ),
)


@pytest.mark.parametrize(("error", "left"), [pytest.param(*row[1:], id=row[0]) for row in REFUSALS])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_setting_that_a_model_refuses_is_given_up(is_async: bool, error: Any, left: Any) -> None:
    with OpenAIServer(Step(status=400, error=error), ANSWER) as server:
        kind = openai.AsyncOpenAI if is_async else openai.OpenAI
        client = OpenAIClient(kind(**settings(server)), "m", temperature=0.0, max_tokens=9)
        for _ in range(2):
            assert value(aask(client) if is_async else client.ask(CALL)) == SAID
        assert server.script.calls == 3
        for body in server.bodies[1:]:
            assert {name: body[name] for name in body if name in {"temperature", *left}} == left


def test_a_model_that_knows_no_schema_is_asked_in_words() -> None:
    error = {"message": "response_format json_schema is not supported"}
    with OpenAIServer(Step(status=400, error=error), ANSWER) as server:
        assert value(OpenAIClient(openai.OpenAI(**settings(server)), "m").ask(CALL)) == SAID
        assert "response_format" not in server.bodies[1]


def test_any_other_bad_request_is_raised() -> None:
    with OpenAIServer(Step(status=400)) as server:
        with pytest.raises(openai.BadRequestError):
            OpenAIClient(openai.OpenAI(**settings(server)), "m", temperature=0.0).ask(CALL)
        assert server.script.calls == 1


RESPONSES: tuple[tuple[str, Any, Reply], ...] = (
    ("no-choices", {"choices": []}, Reply(None)),
    ("nothing", {}, Reply(None)),
    (
        "null",
        {"choices": [{"message": {"content": None}, "finish_reason": "stop"}]},
        Reply(None, finish="stop"),
    ),
    (
        "tools",
        {"choices": [{"message": {"tool_calls": [{"function": {"name": "v", "arguments": "{}"}}]}}]},
        Reply("{}"),
    ),
    (
        "parts",
        {
            "choices": [
                {
                    "message": {
                        "content": [{"type": "text", "text": '{"q1"'}, {"type": "text", "text": ": 1}"}]
                    }
                }
            ]
        },
        Reply('{"q1": 1}'),
    ),
    (
        "parts-of-all-kinds",
        {
            "choices": [
                {
                    "message": {
                        "content": [
                            {"type": "reasoning", "text": "hm"},
                            {"type": "thinking", "thinking": "hm"},
                            SimpleNamespace(type="output_text", text="a"),
                            {"type": "text", "text": {"value": "b"}},
                            {"type": "refusal", "refusal": "no"},
                            "c",
                        ]
                    }
                }
            ]
        },
        Reply("abc", "no"),
    ),
    ("object", {"choices": [{"message": {"content": SAID}}]}, Reply(SAID)),
    (
        "parts-without-text",
        {"choices": [{"message": {"content": [], "tool_calls": [{"function": {"arguments": "{}"}}]}}]},
        Reply("{}"),
    ),
    (
        "objects",
        SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="a"))]),
        Reply("a"),
    ),
)


@pytest.mark.parametrize(("response", "reply"), [pytest.param(*row[1:], id=row[0]) for row in RESPONSES])
def test_what_is_read_of_a_completion(response: Any, reply: Reply) -> None:
    assert openai_client.read(response) == reply


@pytest.mark.parametrize("model", [None, "", " ", 3])
def test_an_openai_client_needs_a_model(model: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        OpenAIClient(FakeOpenAI(), model)
    assert str(raised.value) == "judge=FakeOpenAI is a client of many models: name one, model='gpt-…'"


# ---------------------------------------------------------------------------------------------- names


def test_a_named_model_is_made_once_and_late(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    import langchain.chat_models

    made: list[Any] = []
    make = langchain.chat_models.init_chat_model

    def counted(name: str, **options: Any) -> Any:
        made.append((name, options))
        return make(name, **options, base_url=server.url, api_key="k")

    monkeypatch.setattr(langchain.chat_models, "init_chat_model", counted)
    client = NamedModel("openai:m", temperature=0.0, max_tokens=9, timeout=5.0)
    assert made == []
    assert [value(reply) for reply in (client.ask(CALL), aask(client), aask(client))] == [SAID] * 3
    assert made == [("openai:m", {"temperature": 0.0, "max_tokens": 9, "timeout": 5.0, "max_retries": 0})]
    assert server.bodies[0]["max_completion_tokens"] == 9


def test_a_named_model_gives_up_a_setting_only_when_the_call_without_it_succeeds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = {"message": "temperature does not support 0", "param": "temperature"}
    with OpenAIServer(Step(status=400, error=error), Step(status=500), ANSWER) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        client = NamedModel("openai:m", temperature=0.5)
        with pytest.raises(openai.InternalServerError):
            client.ask(CALL)
        assert value(client.ask(CALL)) == SAID
        assert ["temperature" in body for body in server.bodies] == [True, False, True]


def test_a_named_model_that_refuses_a_setting_is_made_without(monkeypatch: pytest.MonkeyPatch) -> None:
    error = {"message": "temperature does not support 0", "param": "temperature"}
    with OpenAIServer(Step(status=400, error=error), ANSWER) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        client = NamedModel("openai:m", temperature=0.5)
        assert value(client.ask(CALL)) == value(aask(client)) == SAID
        assert ["temperature" in body for body in server.bodies] == [True, False, False]


def test_a_model_that_cannot_be_made_says_so() -> None:
    with pytest.raises(JudgeError) as raised:
        NamedModel("no-such-provider:m").ask(CALL)
    assert str(raised.value).startswith("model='no-such-provider:m' cannot be made: ")


@pytest.mark.parametrize("name", ["", " ", 3])
def test_a_name_must_be_one(name: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        NamedModel(name)
    assert str(raised.value) == f"model={name!r}: name one as provider:model, such as 'openai:gpt-4o-mini'"


# ------------------------------------------------------------------------------------- where calls run


class Where(FakeChatModel):
    """Notes the thread of each call."""

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        self._seen.append(threading.current_thread())
        return super()._generate(*args, **kwargs)


class SyncOnlyWhere(Where, SyncOnlyChatModel):
    """The same without an async side."""


@pytest.mark.parametrize("kind", [SyncOnlyWhere, Where])
def test_a_call_that_blocks_never_runs_on_the_loop_nor_in_a_thread_that_stays(kind: Any) -> None:
    model = kind(script=Script(ANSWER))
    home = Home()
    client = LangChainClient(model, home=home)
    if kind is Where:
        asyncio.run(client.aask(CALL))  # now another loop owns it
        model._seen.clear()
    aask(client)
    thread = model._seen[0]
    assert thread is not threading.current_thread()
    assert thread.daemon


def test_the_first_loop_owns_a_client() -> None:
    home = Home()

    async def here() -> bool:
        return home.is_here()

    assert [asyncio.run(here()), asyncio.run(here())] == [True, False]


# ------------------------------------------------------------------------------------------ functions


def test_a_function_answers_in_both_modes() -> None:
    client = FunctionClient(lambda request: {"a": True})
    assert client.answer(REQUEST).answers == asyncio.run(client.aanswer(REQUEST)).answers == {"a": True}


def test_a_function_that_returns_nonsense_says_so() -> None:
    with pytest.raises(JudgeError) as raised:
        FunctionClient(lambda request: 3).answer(REQUEST)
    assert str(raised.value).startswith("the judge returned a value of type int; ")


def test_messages_of_a_prompt_reach_a_model_with_their_blocks() -> None:
    image = json.dumps({"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}})
    fake = FakeOpenAI(ANSWER)
    OpenAIClient(fake, "m").ask(Call((Message("user", "", (image,)),), CALL.schema))
    assert fake.seen[0]["messages"] == [{"role": "user", "content": [json.loads(image)]}]


# ------------------------------------------------------------------------------------- never answering

LEAVING = """
import asyncio, threading, time
from fieldwise.core.flow import JudgeRequest, Question
from fieldwise.judges.model import create_judge
from tests.judges.fakes import FakeOpenAI, Script, Step, SyncOnlyChatModel, chat_model
steps = Step(delay=60.0),
clients = {{
    "chat-model": (chat_model(*steps), None),
    "sync-only": (SyncOnlyChatModel(script=Script(*steps)), None),
    "shape": (FakeOpenAI(*steps), "m"),
    "async-shape": (FakeOpenAI(*steps, is_async=True), "m"),
    "function": (lambda request: time.sleep(60), None),
}}
client, model = clients[{name!r}]
judge = create_judge(client, model=model, timeout=None)
request = JudgeRequest((Question("a", "a", "c", 1, 2),))
threading.Thread(target=judge, args=(request,), daemon=True).start()
try:
    asyncio.run(asyncio.wait_for(judge.acall(request), 0.2))
except TimeoutError:
    print("left")
"""


@pytest.mark.parametrize("name", ["chat-model", "sync-only", "shape", "async-shape", "function"])
def test_a_client_that_never_answers_does_not_keep_the_process(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LEAVING.format(name=name)],
        capture_output=True,
        text=True,
        check=False,
        timeout=45,
    )
    assert (run.returncode, run.stdout.strip()) == (0, "left"), run.stderr
