"""What experiments send to a LangSmith that records: every result a feedback, linked, with its details."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from langchain_core.runnables import RunnableLambda
from langchain_core.tracers.evaluation import EvaluatorCallbackHandler
from langsmith import Client, evaluate, tracing_context
from langsmith.evaluation import aevaluate_existing, evaluate_existing
from langsmith.schemas import Example

import fieldwise
from fieldwise import JudgeRequest
from fieldwise.integrations.langsmith import run_evaluator
from tests.integrations.every_evaluator import RECORDS, target
from tests.integrations.every_evaluator import examples as every_example
from tests.integrations.ls_runs import RUNNERS, rows_of
from tests.integrations.ls_server import LangSmithServer
from tests.integrations.test_langsmith_every import FORMS, SUMMARIES, Row, expected, made
from tests.integrations.test_langsmith_every import row as seen


@pytest.fixture
def server() -> Iterator[LangSmithServer]:
    with LangSmithServer() as running:
        yield running


@pytest.fixture
def client(server: LangSmithServer) -> Client:
    return Client(api_url=server.url, api_key="test")


def stored(server: LangSmithServer, client: Client, data: list[Example]) -> list[Example]:
    """The examples, in a data set of the server."""
    dataset = client.create_dataset(f"records-{uuid.uuid4()}")
    server.put_examples(
        [
            {
                "id": str(one.id),
                "inputs": one.inputs,
                "outputs": one.outputs,
                "dataset_id": str(dataset.id),
            }
            for one in data
        ]
    )
    return list(client.list_examples(dataset_id=dataset.id))


def sent(server: LangSmithServer, client: Client, number: int) -> list[dict[str, Any]]:
    """The feedback that arrived, once there is so much of it."""
    client.flush()
    assert server.wait(lambda: len(server.feedback) >= number), len(server.feedback)
    return server.feedback


def row(item: dict[str, Any]) -> Row:
    return item["key"], item.get("score"), item["extra"]["status"], item.get("comment")


def check_rows(found: Iterable[Row], wanted: Iterable[Row]) -> None:
    """The same rows, as often, in any order; LangSmith's client rounds scores to four places."""
    one, other = Counter(found), Counter(_rounded(row) for row in wanted)
    assert (one - other, other - one) == (Counter(), Counter())


def _rounded(row: Row) -> Row:
    key, score, *rest = row
    return (key, score if score is None or isinstance(score, bool) else round(score, 4), *rest)  # type: ignore[return-value]


def source(item: dict[str, Any]) -> str:
    return str(item["feedback_source"]["metadata"]["__run"]["run_id"])


def results_of(server: LangSmithServer, item: dict[str, Any]) -> Any:
    return server.runs.get(source(item), {}).get("outputs") or {}


def check_links(server: LangSmithServer, feedback: list[dict[str, Any]], targets: set[str]) -> None:
    """Each feedback is of a target's run, and comes from a run that holds its result, details and all."""
    assert server.wait(lambda: all("output" in results_of(server, item) for item in feedback))
    for item in feedback:
        run = server.runs[source(item)]
        assert item["run_id"] in targets
        assert run["session_name"] == "evaluators"
        told = [(one["key"], one["comment"], one["extra"]) for one in results_of(server, item)["output"]]
        assert (item["key"], item["comment"], item["extra"]) in told


@pytest.mark.parametrize(
    ("form", "runner"), [*itertools.product(FORMS, ("evaluate", "aevaluate")), ("plain", "client")]
)
def test_every_result_of_every_evaluator_arrives(
    form: str, runner: str, server: LangSmithServer, client: Client
) -> None:
    wanted = [row for rows in expected() for row in rows]
    results = RUNNERS[runner](
        list(made(form)),
        target,
        stored(server, client, every_example()),
        client=client,
        upload_results=True,
        max_concurrency=4,
    )
    feedback = sent(server, client, len(wanted))
    check_rows(map(row, feedback), wanted)
    check_links(server, feedback, {str(one["run"].id) for one in results})


def test_an_experiment_announces_its_keys(server: LangSmithServer, client: Client) -> None:
    evaluators: Any = [
        fieldwise.create_json_match_evaluator(aggregator="average"),
        fieldwise.create_async_exact_match_evaluator(),
        run_evaluator("multi_field", fields=["name"]),
    ]
    RUNNERS["evaluate"](
        evaluators, target, stored(server, client, every_example()), client=client, upload_results=True
    )
    (announced,) = [one["evaluator_keys"] for one in server.sessions]
    assert announced == [
        "json_match:average",
        "exact_match",
        "multi_field:name",
        "multi_field:aggregate_score",
    ]


def existing_sync(name: str, evaluators: list[Any], client: Client) -> Any:
    return list(evaluate_existing(name, evaluators=evaluators, client=client))


def existing_async(name: str, evaluators: list[Any], client: Client) -> Any:
    async def run() -> Any:
        return [one async for one in await aevaluate_existing(name, evaluators=evaluators, client=client)]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("form", "existing"), list(zip(FORMS, [existing_sync, existing_async] * 2, strict=True))
)
def test_an_experiment_that_ran_is_evaluated(
    form: str, existing: Callable[..., Any], server: LangSmithServer, client: Client
) -> None:
    experiment = evaluate(target, data=stored(server, client, every_example()), client=client)
    client.flush()
    assert server.wait(lambda: sum("outputs" in run for run in server.runs.values()) >= len(RECORDS) - 1)
    results = existing(experiment.experiment_name, list(made(form)), client)
    wanted = expected()
    found = [[seen(one) for one in rows] for rows in rows_of(results)]
    assert [len(rows) for rows in found] == [len(rows) for rows in wanted]
    assert [n for n, rows in enumerate(found) if rows != wanted[n]] == []
    feedback = sent(server, client, sum(map(len, wanted)))
    check_rows(map(row, feedback), [row for rows in wanted for row in rows])


def summary_new(data: list[Example], summarise: Any, client: Client) -> Any:
    return evaluate(target, data=data, summary_evaluators=[summarise], client=client)


def summary_existing(data: list[Example], summarise: Any, client: Client) -> Any:
    experiment = evaluate(target, data=data, client=client)
    client.flush()
    return evaluate_existing(experiment.experiment_name, summary_evaluators=[summarise], client=client)


@pytest.mark.filterwarnings("ignore:The following arguments are no longer used:DeprecationWarning")
@pytest.mark.parametrize("run", [summary_new, summary_existing])
@pytest.mark.parametrize("name", SUMMARIES)
def test_summaries_arrive(name: str, run: Any, server: LangSmithServer, client: Client) -> None:
    summarise = getattr(fieldwise, f"create_{name}_summary_evaluator")(**SUMMARIES[name])
    results = run(stored(server, client, every_example()), summarise, client)
    wanted = results._summary_results["results"]
    assert any(one.score for one in wanted)
    feedback = sent(server, client, len(wanted))
    check_rows(map(row, feedback), map(seen, wanted))
    assert len({item["session_id"] for item in feedback}) == 1


# --------------------------------------------------------------------- sixteen at once, a judge that fails

MANY = 100


class Failing:
    """A judge that fails every fifth call, whoever makes it."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)  # next() of it is one step of the interpreter

    def __call__(self, request: JudgeRequest) -> dict[str, Any]:
        if next(self._numbers) % 5 == 0:
            raise ConnectionError("reset by peer")
        return {one.id: True for one in request.questions}

    async def acall(self, request: JudgeRequest) -> dict[str, Any]:
        await asyncio.sleep(0)
        return self(request)


def failing_evaluator(form: str) -> Any:
    judge = Failing()
    options: dict[str, Any] = {"rubric": {"name": "the same person"}, "judge": judge}
    match form:
        case "plain":
            return fieldwise.create_json_match_evaluator(**options)
        case "async":
            return fieldwise.create_async_json_match_evaluator(**options)
        case "run":
            return run_evaluator("json_match", **options)
    return run_evaluator("json_match", **options | {"judge": judge.acall})


@pytest.mark.parametrize("runner", ["evaluate", "aevaluate"])
@pytest.mark.parametrize("form", FORMS)
def test_no_row_is_lost(form: str, runner: str, server: LangSmithServer, client: Client) -> None:
    data = [Example(id=uuid.uuid4(), inputs={"n": n}, outputs={"name": "Ada", "age": n}) for n in range(MANY)]
    RUNNERS[runner](
        [failing_evaluator(form)],
        lambda inputs: {"name": "A. L.", "age": inputs["n"]},
        stored(server, client, data),
        client=client,
        upload_results=True,
        max_concurrency=16,
    )
    feedback = sent(server, client, 2 * MANY)
    assert Counter((item["key"], item.get("score"), item["extra"]["status"]) for item in feedback) == {
        ("json_match:age", 1.0, "graded"): MANY,
        ("json_match:name", 1.0, "graded"): MANY - MANY // 5,
        ("json_match:name", None, "judge_error"): MANY // 5,
    }
    failed = {item["comment"] for item in feedback if item["extra"]["status"] == "judge_error"}
    assert len(failed) == 1
    assert "ConnectionError: reset by peer" in failed.pop()
    assert len({item["run_id"] for item in feedback}) == MANY
    assert len({source(item) for item in feedback}) == MANY


# ------------------------------------------------------------------------------------------------ chains


@pytest.mark.filterwarnings("ignore:Creating feedback for a run without session_id")
@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_chain_is_evaluated_by_its_callback(
    asynchronous: bool, server: LangSmithServer, client: Client
) -> None:
    (example,) = stored(
        server, client, [Example(id=uuid.uuid4(), inputs={"q": "?"}, outputs={"a": 1, "b": 2})]
    )
    handler = EvaluatorCallbackHandler(
        [run_evaluator("json_match"), run_evaluator("exact_match")],
        client=client,
        example_id=example.id,
        max_concurrency=0,
    )
    chain: RunnableLambda[Any, Any] = RunnableLambda(lambda _: {"a": 1, "b": 3})
    config: Any = {"callbacks": [handler]}
    with tracing_context(enabled=True, client=client):
        if asynchronous:
            asyncio.run(chain.ainvoke({"q": "?"}, config))
        else:
            chain.invoke({"q": "?"}, config)
    feedback = sent(server, client, 3)
    assert sorted((item["key"], item["score"]) for item in feedback) == [
        ("exact_match", False),
        ("json_match:a", 1.0),
        ("json_match:b", 0.0),
    ]
    assert len({item["run_id"] for item in feedback}) == 1
    told = [{**item["feedback_source"]["metadata"]} for item in feedback]
    assert {one["path"]: (one["status"], one["passed"]) for one in told} == {
        "$": ("graded", False),
        "a": ("graded", True),
        "b": ("graded", False),
    }
    assert {server.runs[source(item)]["name"] for item in feedback} == {
        "exact_match_evaluator",
        "json_match_evaluator",
    }
