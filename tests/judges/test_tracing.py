"""One traced run for each call of a model, with prompt, reply and usage; nothing where nothing is traced."""

from __future__ import annotations

import asyncio
import json
import uuid
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import langsmith
import openai
import pytest
from langchain_openai import ChatOpenAI
from langsmith import Client, aevaluate, evaluate, get_tracing_context, tracing_context
from langsmith._internal import _context
from langsmith.schemas import Example

import fieldwise
from tests.integrations.ls_server import LangSmithServer
from tests.judges.fakes import USAGE, FakeOpenAI, Step, chat_model
from tests.judges.oai_server import OpenAIServer

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of another module in langsmith's package
    from langsmith.wrappers import wrap_openai

GIVEN: dict[str, Any] = {"outputs": {"a": "x"}, "reference_outputs": {"a": "y"}}
RUBRIC = {"a": "same meaning"}
SAID = {"q1": {"reasoning": "because", "score": True}}


def sync_evaluator(**options: Any) -> Callable[..., Any]:
    return fieldwise.create_json_match_evaluator(rubric=RUBRIC, **options)


def async_evaluator(**options: Any) -> Callable[..., Any]:
    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, **options)
    return lambda **given: asyncio.run(evaluator(**given))


def string_evaluator(**options: Any) -> Callable[..., Any]:
    evaluator = fieldwise.create_json_match_string_evaluator(rubric=RUBRIC, **options)
    return lambda outputs, reference_outputs: evaluator.evaluate_strings(
        prediction=json.dumps(outputs), reference=json.dumps(reference_outputs)
    )["results"]


@pytest.fixture(params=[pytest.param(sync_evaluator, id="sync"), pytest.param(async_evaluator, id="async")])
def create(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def server() -> Iterator[LangSmithServer]:
    with LangSmithServer() as running:
        yield running


@pytest.fixture
def client(server: LangSmithServer) -> Client:
    """A client that has sent everything when it returns."""
    return Client(api_url=server.url, api_key="test", auto_batch_tracing=False)


@pytest.fixture
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


KINDS: dict[str, Any] = {
    "OpenAI": lambda **given: {"judge": openai.OpenAI(**given), "model": "m"},
    "AsyncOpenAI": lambda **given: {"judge": openai.AsyncOpenAI(**given), "model": "m"},
    "wrap_openai": lambda **given: {"judge": wrap_openai(openai.OpenAI(**given)), "model": "m"},
    "wrap_async": lambda **given: {"judge": wrap_openai(openai.AsyncOpenAI(**given)), "model": "m"},
    "ChatOpenAI": lambda **given: {"judge": ChatOpenAI(model="m", **given)},
    "chat-model": lambda **_: {"judge": chat_model()},
    "shape": lambda **_: {"judge": FakeOpenAI(), "model": "m"},
    "async-shape": lambda **_: {"judge": FakeOpenAI(is_async=True), "model": "m"},
}


@pytest.fixture(params=[pytest.param(kind, id=name) for name, kind in KINDS.items()])
def options(request: pytest.FixtureRequest, model: OpenAIServer) -> Any:
    return request.param(base_url=model.url, api_key="k")


def test_a_call_is_one_run(server: LangSmithServer, client: Client, create: Any, options: Any) -> None:
    evaluator = create(**options)
    with tracing_context(enabled=True, client=client):
        (result,) = evaluator(**GIVEN)
    assert result["score"] == 1.0
    assert server.wait(lambda: all("outputs" in run for run in server.runs.values()))
    (outer,) = server.named("json_match_evaluator")
    (call,) = [run for run in server.runs.values() if run is not outer]
    assert (call["run_type"], call["parent_run_id"]) == ("llm", outer["id"])
    assert "same meaning" in json.dumps(call["inputs"])
    assert "because" in json.dumps(call["outputs"])
    assert '"input_tokens": 11' in json.dumps(call["outputs"])


def test_what_a_run_of_ours_holds(server: LangSmithServer, client: Client, create: Any) -> None:
    evaluator = create(judge=FakeOpenAI(), model="m")
    with tracing_context(enabled=True, client=client):
        evaluator(**GIVEN)
    (run,) = server.named("fieldwise_judge")
    assert [message["role"] for message in run["inputs"]["messages"]] == ["system", "user"]
    assert run["inputs"]["model"] == "m"
    message = {"role": "assistant", "content": json.dumps(SAID)}
    assert run["outputs"] == {
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage_metadata": USAGE,
    }
    metadata = run["extra"]["metadata"]
    assert (metadata["ls_provider"], metadata["ls_model_name"]) == ("openai", "m")


def test_a_second_call_and_a_failed_one_are_runs_too(
    server: LangSmithServer, client: Client, create: Any
) -> None:
    judge = FakeOpenAI(Step("no"), Step(refusal="never"))
    with tracing_context(enabled=True, client=client):
        (result,) = create(judge=judge, model="m")(**GIVEN)
    assert result["extra"]["reason"] == "the judge refused: 'never'"
    first, second = sorted(server.named("fieldwise_judge"), key=lambda run: run["start_time"])
    assert first["outputs"]["choices"][0]["message"]["content"] == "no"
    assert second["outputs"]["choices"][0]["message"]["refusal"] == "never"


# ---------------------------------------------------------------------------------- nothing is sent


@pytest.mark.parametrize("enabled", [False, "local"])
@pytest.mark.parametrize("make", [sync_evaluator, async_evaluator, string_evaluator])
def test_nothing_is_sent(
    make: Any, enabled: Any, server: LangSmithServer, client: Client, options: Any
) -> None:
    evaluator = make(**options)
    with tracing_context(enabled=enabled, client=client):
        assert [result["score"] for result in evaluator(**GIVEN)] == [1.0]
    assert server.calls == []


def test_nothing_is_sent_by_default(server: LangSmithServer, create: Any, options: Any) -> None:
    assert [result["score"] for result in create(**options)(**GIVEN)] == [1.0]
    assert server.calls == []


@pytest.mark.parametrize("runner", ["evaluate", "aevaluate"])
def test_an_experiment_that_uploads_nothing_sends_nothing(
    runner: str, server: LangSmithServer, client: Client, options: Any
) -> None:
    data = [Example(id=uuid.uuid4(), inputs={"n": n}, outputs=GIVEN["reference_outputs"]) for n in range(2)]
    given: dict[str, Any] = {"data": data, "client": client, "upload_results": False}
    evaluators: Any = [
        fieldwise.create_json_match_evaluator(rubric=RUBRIC, **options),
        fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, **options),
    ]

    async def awaited() -> list[Any]:
        async def target(inputs: dict[str, Any]) -> Any:
            return GIVEN["outputs"]

        return [row async for row in await aevaluate(target, evaluators=evaluators, **given)]

    rows: list[Any] = (
        list(evaluate(lambda inputs: GIVEN["outputs"], evaluators=evaluators, **given))
        if runner == "evaluate"
        else asyncio.run(awaited())
    )
    scores = [[result.score for result in row["evaluation_results"]["results"]] for row in rows]
    assert scores == [[1.0, 1.0]] * 2
    assert server.calls == []


# ------------------------------------------------------------------------------------ broken tracing


class Half(langsmith.trace):
    """A run that fails half-way through its beginning."""

    def __enter__(self) -> Any:
        if self.run_type == "llm":
            _context._TAGS.set(["left behind"])
            raise OSError("half")
        return super().__enter__()


def no_end(*_: Any, **__: Any) -> None:
    raise OSError("full")


@pytest.mark.parametrize(
    ("name", "broken", "said"),
    [("trace", Half, "OSError('half')"), ("RunTree.end", no_end, "OSError('full')")],
)
def test_broken_tracing_costs_no_score(
    name: str,
    broken: Any,
    said: str,
    *,
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
    caplog: pytest.LogCaptureFixture,
    create: Any,
) -> None:
    monkeypatch.setattr(f"langsmith.{name}", broken)
    with tracing_context(enabled=True, client=client, tags=["t"]):
        before = get_tracing_context()
        (result,) = create(judge=FakeOpenAI(), model="m")(**GIVEN)
        assert get_tracing_context() == before
    assert result["score"] == 1.0
    reported = [record.getMessage() for record in caplog.records if record.name == "fieldwise"]
    assert f"tracing of a judge's call failed: {said}" in reported
