"""Kept replies: what a key holds, where replies are kept, and that a cache never costs a score."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import openai
import pytest
from langchain_core.caches import BaseCache, InMemoryCache
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from pydantic import Field, SecretStr

from fieldwise import create_json_match_evaluator
from fieldwise.core.flow import JudgeRequest, Question
from fieldwise.core.prompts import Message
from fieldwise.errors import ConfigError
from fieldwise.judges.cache import Recall, as_cache, key_of
from fieldwise.judges.clients.langchain import LangChainClient
from fieldwise.judges.clients.named import NamedModel
from fieldwise.judges.clients.openai import OpenAIClient
from fieldwise.judges.interfaces import Call, Reply
from fieldwise.judges.model import create_judge
from tests.judges.fakes import FakeOpenAI, Script, Step, SyncOnlyChatModel, chat_model

CALL = Call((Message("system", "s"), Message("user", "u")), "{}")
REPLY = Reply({"q1": {"score": True, "reasoning": "é"}}, None, "stop", {"total_tokens": 3})
QUESTION = Question("a", "a", "same", "x", "y")


# ------------------------------------------------------------------------------------------------ keys

OTHERS: tuple[tuple[str, str, Call], ...] = (
    ("model", "other", CALL),
    ("schema", "m", Call(CALL.messages, '{"type": "object"}')),
    ("words", "m", Call((Message("system", "s"), Message("user", "v")), "{}")),
    ("role", "m", Call((Message("system", "s"), Message("system", "u")), "{}")),
    ("where-a-word-stands", "m", Call((Message("system", "su"), Message("user", "")), "{}")),
    ("blocks", "m", Call((Message("system", "s"), Message("user", "", ('{"type": "text"}',))), "{}")),
    ("lone-surrogate", "m", Call((Message("system", "s"), Message("user", "\ud800")), "{}")),
)


@pytest.mark.parametrize(("label", "call"), [pytest.param(*row[1:], id=row[0]) for row in OTHERS])
def test_other_words_have_another_key(label: str, call: Call) -> None:
    assert key_of(label, call) != key_of("m", CALL)
    assert key_of(label, call) == key_of(label, call)


KEYS = """
from fieldwise.judges.cache import key_of
from fieldwise.judges.contract import Words, calls
from fieldwise.core.flow import JudgeRequest, Question
one = Question("a", "a", "same", {"x": 1, "y": [2]}, {"y": [2], "x": 3})
two = Question("b", "b", "alike", "x", "y")
for call in calls(JudgeRequest((one, two), problems={"b": "no", "a": "never"}), Words()):
    print(key_of("m", call.call), key_of("m at 0x7f", call.call))
"""


def test_keys_are_the_same_in_every_process_unless_the_model_has_no_name() -> None:
    told = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", KEYS], capture_output=True, text=True, check=True, env=environment
        )
        told.append(run.stdout.split())
    assert told[0][0] == told[1][0]
    assert told[0][1] != told[1][1]


def named(**options: Any) -> Any:
    return ChatOpenAI(model="m", api_key=SecretStr("k"), base_url="http://127.0.0.1:9", **options)


def test_models_with_other_settings_have_other_names() -> None:
    model = named()
    every = [
        model,
        named(temperature=0.5),
        model.bind(temperature=0.5),
        model.bind(stop=["x"]),
        model.bind(stop=["x"]).bind(temperature=0.5),
        model.with_retry(),
        model.with_fallbacks([named(temperature=0.5)]),
        model.with_fallbacks([named()]),
        RunnableLambda(str) | model,
        RunnableLambda(str) | model.bind(stop=["x"]),
        RunnableLambda(repr),
        RunnableLambda(repr),
    ]
    labels = [LangChainClient(one).label for one in every]
    assert len(set(labels)) == len(every)
    assert [LangChainClient(one).label for one in every] == labels


class Plain(SyncOnlyChatModel):
    """A model with fields alone, which names none of them."""

    script: Any = Field(default=None, exclude=True)
    verdict: bool = True
    key: SecretStr = SecretStr("hidden-1")
    plain_key: str = "hidden-2"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.__pydantic_private__ = None

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        return self._reply(Step({"q1": {"reasoning": "r", "score": self.verdict}}), kwargs.get("tools"))


class Stateful(Plain):
    """The same with something that no field shows."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.__pydantic_private__ = {"_seen": []}


class Inheriting(FakeListChatModel):
    """A model that is named as another, which lacks its field."""

    more: str = ""


def openai_at(url: str = "http://127.0.0.1:9", **options: Any) -> Any:
    return OpenAIClient(openai.OpenAI(api_key="hidden", base_url=url, **options), "m")


def azure_at(version: str) -> Any:
    client = openai.AzureOpenAI(api_key="k", azure_endpoint="http://127.0.0.1:9", api_version=version)
    return OpenAIClient(client, "m")


def prefixed(prefix: str) -> Any:
    return RunnableLambda(lambda _: prefix)


APART: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "server": (openai_at, lambda: openai_at("http://127.0.0.1:8")),
    "organization": (openai_at, lambda: openai_at(organization="o")),
    "project": (openai_at, lambda: openai_at(project="p")),
    "query": (openai_at, lambda: openai_at(default_query={"a": "b"})),
    "headers": (openai_at, lambda: openai_at(default_headers={"route": "b"})),
    "api-version": (lambda: azure_at("1"), lambda: azure_at("2")),
    "field": (lambda: LangChainClient(Plain()), lambda: LangChainClient(Plain(verdict=False))),
    "secret": (lambda: LangChainClient(Plain()), lambda: LangChainClient(Plain(key=SecretStr("other")))),
    "inherited-name": (
        lambda: LangChainClient(Inheriting(responses=["a"])),
        lambda: LangChainClient(Inheriting(responses=["a"], more="b")),
    ),
    "structured": (
        lambda: NamedModel("openai:m"),
        lambda: NamedModel("openai:m", structured={"method": "json_mode"}),
    ),
}


@pytest.mark.parametrize(("one", "other"), [pytest.param(*both, id=name) for name, both in APART.items()])
def test_a_setting_changes_the_name_and_an_equal_one_does_not(
    one: Callable[[], Any], other: Callable[[], Any]
) -> None:
    label = one().label
    assert label == one().label
    assert label != other().label
    assert "hidden" not in label


NAMELESS: dict[str, Callable[[], Any]] = {
    "shape": lambda: OpenAIClient(FakeOpenAI(), "m"),
    "function": lambda: LangChainClient(prefixed("a")),
    "sequence": lambda: LangChainClient(prefixed("a") | named()),
    "private-state": lambda: LangChainClient(Stateful()),
    "class-made-here": lambda: LangChainClient(type("Here", (Plain,), {"__module__": "__main__"})()),
    "object-in-a-field": lambda: LangChainClient(Plain(script=Script())),
}


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in NAMELESS.items()])
def test_what_has_no_name_is_only_itself(make: Callable[[], Any]) -> None:
    kept = [make(), make()]
    assert kept[0].label != kept[1].label
    assert len({make().label for _ in range(20)}) == 20  # whatever address it has


def test_one_object_has_one_name() -> None:
    client = FakeOpenAI()
    assert OpenAIClient(client, "m").label == OpenAIClient(client, "m").label


def test_a_replaced_method_is_the_clients_own() -> None:
    clients = [openai.OpenAI(api_key="k", base_url="http://127.0.0.1:9") for _ in range(2)]
    for client in clients:
        client.chat.completions.create = FakeOpenAI().chat.completions.create  # type: ignore[method-assign]
    assert len({OpenAIClient(client, "m").label for client in clients}) == 2


def test_the_environment_tells_named_models_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = []
    for server in ("http://127.0.0.1:8", "http://127.0.0.1:9"):
        monkeypatch.setenv("OPENAI_BASE_URL", server)
        labels.append(NamedModel("openai:m").label)
    assert labels[0] != labels[1]
    assert NamedModel("openai:m").label == labels[1]


def test_judges_of_two_models_share_a_file_and_no_reply(tmp_path: Path) -> None:
    scores = []
    for verdict in (True, False, True):
        judge = create_judge(Plain(verdict=verdict), cache=tmp_path / "replies.db")
        answer = judge(JudgeRequest((QUESTION,)))
        scores.append((answer.answers["a"]["score"], answer.usage and answer.usage.get("cached_calls")))
    assert scores == [(True, None), (False, None), (True, 1)]


# ---------------------------------------------------------------------------------------------- stores


class Foreign(BaseCache):
    """A cache like those of databases: it keeps text, and is slow."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.threads: set[str] = set()

    def lookup(self, prompt: str, llm_string: str) -> Any:
        self.threads.add(threading.current_thread().name)
        text = self.kept.get((prompt, llm_string))
        return None if text is None else [_generation(text)]

    def update(self, prompt: str, llm_string: str, return_val: Any) -> None:
        self.threads.add(threading.current_thread().name)
        self.kept[prompt, llm_string] = return_val[0].text

    def clear(self, **kwargs: Any) -> None:
        self.kept.clear()


def _generation(text: str) -> Any:
    from langchain_core.outputs import Generation

    return Generation(text=text)


STORES: dict[str, Callable[[Path], Any]] = {
    "memory": lambda _: True,
    "path": lambda directory: directory / "replies.db",
    "path-text": lambda directory: str(directory / "replies.db"),
    "langchain-memory": lambda _: InMemoryCache(),
    "langchain-foreign": lambda _: Foreign(),
}


@pytest.mark.parametrize("store", [pytest.param(make, id=name) for name, make in STORES.items()])
def test_a_reply_comes_back_as_it_was(store: Callable[[Path], Any], tmp_path: Path) -> None:
    cache: Any = as_cache(store(tmp_path))
    assert cache.get("m", CALL) is None
    cache.put("m", CALL, REPLY)
    assert cache.get("m", CALL) == REPLY
    assert cache.get("other", CALL) is None


@pytest.mark.parametrize("store", [pytest.param(make, id=name) for name, make in STORES.items()])
def test_a_second_run_makes_no_call(store: Callable[[Path], Any], tmp_path: Path) -> None:
    option = store(tmp_path)
    model = chat_model()
    judge = create_judge(model, cache=option)
    evaluator = create_json_match_evaluator(rubric={"a": "same"}, judge=judge)
    asked: Any = [evaluator(outputs={"a": "x"}, reference_outputs={"a": "y"}) for _ in range(2)]
    verdict = asyncio.run(judge.acall(JudgeRequest((QUESTION,))))
    assert [results[0]["score"] for results in asked] == [1.0, 1.0]
    assert asked[1][0]["extra"]["usage"] == {"judge_calls": 0, "cached_calls": 1}
    assert verdict.answers["a"]["score"] is True
    assert model.script.calls == 2


def test_a_cache_that_may_be_slow_is_asked_beside_the_loop() -> None:
    cache = Foreign()
    judge = create_judge(chat_model(), cache=cache)
    asyncio.run(judge.acall(JudgeRequest((QUESTION,))))
    assert cache.threads
    assert threading.current_thread().name not in cache.threads


def test_a_file_serves_other_processes_and_later_ones(tmp_path: Path) -> None:
    path = tmp_path / "replies.db"
    for cache in (as_cache(path), as_cache(path)):
        assert cache is not None
        cache.put("m", CALL, REPLY)
        assert cache.get("m", CALL) == REPLY
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT model FROM replies").fetchall() == [("m",)]
    connection.close()


def test_a_file_serves_many_threads(tmp_path: Path) -> None:
    cache: Any = as_cache(tmp_path / "replies.db")
    calls = [Call((Message("user", str(number)),), "{}") for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda call: cache.put("m", call, REPLY), calls))
        assert list(pool.map(lambda call: cache.get("m", call), calls)) == [REPLY] * 40


def test_a_connection_is_not_used_after_a_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache: Any = as_cache(tmp_path / "replies.db")
    before = cache._store._connect()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert cache._store._connect() is not before


def test_no_cache_and_one_of_our_own() -> None:
    assert (as_cache(None), as_cache(False)) == (None, None)
    shared = as_cache(True)
    assert as_cache(shared) is shared


@pytest.mark.parametrize("option", [3, ["x"], object])
def test_what_is_no_cache(option: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        create_judge(chat_model(), cache=option)
    assert str(caught.value) == f"cache={option!r}: pass True, the path of a file, or a LangChain cache"


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be told from an empty one" * 20)
    with pytest.raises(ConfigError) as caught:
        as_cache(path)
    assert (
        str(caught.value)
        == f"cache={str(path)!r} cannot be used as a file of replies: file is not a database"
    )


class Broken(Foreign):
    """A cache whose server is down, or that holds what nobody can read."""

    def lookup(self, prompt: str, llm_string: str) -> Any:
        raise ConnectionError("down")

    def update(self, prompt: str, llm_string: str, return_val: Any) -> None:
        raise ConnectionError("down")


class Garbled(Foreign):
    """A cache that holds what nobody can read."""

    def lookup(self, prompt: str, llm_string: str) -> Any:
        return [_generation("{")]


@pytest.mark.parametrize("kind", [Broken, Garbled])
def test_a_cache_that_fails_costs_a_call_and_no_score(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    model = chat_model()
    judge = create_judge(model, cache=kind())
    with caplog.at_level(logging.WARNING, "fieldwise"):
        verdicts = [judge(JudgeRequest((QUESTION,))) for _ in range(2)]
    assert [verdict.answers["a"]["score"] for verdict in verdicts] == [True, True]
    assert model.script.calls == 2
    assert "the judge's cache could not be read" in caplog.text


def test_only_valid_replies_are_kept() -> None:
    model = chat_model(Step({"q1": {"reasoning": "r", "score": "perhaps"}}), Step("prose"), Step())
    judge = create_judge(model, cache=True)
    answers = [judge(JudgeRequest((QUESTION,))).answers["a"] for _ in range(4)]
    assert [getattr(answer, "score", answer) for answer in answers][2:] == [answers[2], answers[2]]
    assert model.script.calls == 3


# ---------------------------------------------------------------------------------- calls under way


def counted(delay: float, reply: Any) -> tuple[Callable[[], Reply], list[float]]:
    made: list[float] = []

    def make() -> Reply:
        made.append(time.monotonic())
        time.sleep(delay)
        if isinstance(reply, Exception):
            raise reply
        assert isinstance(reply, Reply)
        return reply

    return make, made


def awaited(make: Callable[[], Reply]) -> Callable[[], Any]:
    async def run() -> Reply:
        return await asyncio.to_thread(make)

    return run


def test_equal_calls_at_once_are_one_for_threads_and_loops() -> None:
    recall = Recall(as_cache(True))  # type: ignore[arg-type]
    make, made = counted(0.2, REPLY)

    async def many() -> list[tuple[Reply, bool]]:
        ask = awaited(make)
        return await asyncio.gather(*(recall.areply("m", CALL, ask, lambda _: True) for _ in range(5)))

    with ThreadPoolExecutor(8) as pool:
        threads = [pool.submit(recall.reply, "m", CALL, make, lambda _: True) for _ in range(5)]
        loop = pool.submit(asyncio.run, many())
        found = [one.result(10) for one in threads] + loop.result(10)
    assert [reply for reply, _ in found] == [REPLY] * 10
    assert len(made) == sum(not known for _, known in found) == 1


@pytest.mark.parametrize(
    "reply", [pytest.param(ValueError("boom"), id="raises"), pytest.param(REPLY, id="unfit")]
)
def test_a_call_that_comes_to_nothing_is_not_shared(reply: Any) -> None:
    recall = Recall(as_cache(True))  # type: ignore[arg-type]
    make, made = counted(0.1, reply)

    def ask() -> str:
        try:
            return str(recall.reply("m", CALL, make, lambda _: False)[1])
        except ValueError as error:
            return str(error)

    with ThreadPoolExecutor(3) as pool:
        told = [one.result(10) for one in [pool.submit(ask) for _ in range(3)]]
    assert told == (["boom"] * 3 if isinstance(reply, Exception) else ["False"] * 3)
    assert len(made) == 3
    assert max(made) - min(made) < 0.19


def test_whoever_blocks_a_loop_does_not_wait_for_a_call_of_that_loop() -> None:
    recall = Recall(as_cache(True))  # type: ignore[arg-type]

    async def run() -> tuple[Reply, bool]:
        over = asyncio.Event()

        async def held() -> Reply:
            await over.wait()
            return REPLY

        task = asyncio.create_task(recall.areply("m", CALL, held, lambda _: True))
        await asyncio.sleep(0.01)
        found = recall.reply("m", CALL, lambda: REPLY, lambda _: True)
        over.set()
        await task
        return found

    assert asyncio.run(run()) == (REPLY, False)


def test_a_call_that_is_cancelled_is_not_waited_for() -> None:
    recall = Recall(as_cache(True))  # type: ignore[arg-type]

    async def forever() -> Reply:
        await asyncio.sleep(60)
        return REPLY

    async def now() -> Reply:
        return REPLY

    async def run() -> tuple[Reply, bool]:
        first = asyncio.create_task(recall.areply("m", CALL, forever, lambda _: True))
        await asyncio.sleep(0.01)
        second = asyncio.create_task(recall.areply("m", CALL, now, lambda _: True))
        await asyncio.sleep(0.01)
        first.cancel()
        return await asyncio.wait_for(second, 5)

    assert asyncio.run(run()) == (REPLY, False)
