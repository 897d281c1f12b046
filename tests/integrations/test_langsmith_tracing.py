"""When an evaluation is traced, what its run says, and that tracing can break without breaking a score."""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
import timeit
from collections.abc import Callable, Iterator
from typing import Any

import langsmith
import pytest
from langchain_core.runnables import RunnableLambda
from langsmith import Client, get_tracing_context, traceable, tracing_context, utils
from langsmith._internal import _context

import fieldwise
from fieldwise.integrations.tracing import _VARIABLES, _asked_for, _quiet, wanted
from tests.integrations.ls_server import LangSmithServer

GIVEN: dict[str, Any] = {"outputs": {"a": 1, "b": 2}, "reference_outputs": {"a": 1, "b": 3}}
SCORES = {"json_match:a": 1.0, "json_match:b": 0.0}


def sync_evaluator(**options: Any) -> Callable[..., Any]:
    return fieldwise.create_json_match_evaluator(**options)


def async_evaluator(**options: Any) -> Callable[..., Any]:
    evaluator: Any = fieldwise.create_async_json_match_evaluator(**options)
    return lambda **given: asyncio.run(evaluator(**given))


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


def forget_environment() -> None:
    """langsmith remembers what it read of the environment."""
    cached: Any = utils.get_env_var
    cached.cache_clear()


@pytest.fixture
def fresh_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    forget_environment()
    yield monkeypatch
    monkeypatch.undo()
    forget_environment()


def reported(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What we logged; langsmith's threads may log at any time."""
    return [record.getMessage() for record in caplog.records if record.name == "fieldwise"]


def scores_of(results: Any) -> dict[str, Any]:
    return {result["key"]: result["score"] for result in results}


# -------------------------------------------------------------------------------------- when: imported

ENVIRONMENTS: tuple[dict[str, str], ...] = (
    {},
    *({name: value} for name in _VARIABLES for value in ("true", "false", "1", "")),
    {"LANGSMITH_TRACING_V2": "false", "LANGSMITH_TRACING": "true"},
    {"LANGSMITH_TRACING_V2": "", "LANGCHAIN_TRACING_V2": "true"},
)
STATES = (None, True, False, "local")


@pytest.mark.parametrize(
    "environment",
    [pytest.param(row, id=",".join(f"{k}={v}" for k, v in row.items())) for row in ENVIRONMENTS],
)
def test_wanted_is_what_langsmith_says(
    environment: dict[str, str], fresh_environment: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        fresh_environment.setenv(name, value)
    run = langsmith.RunTree(name="parent", ls_client=Client(api_key="test", info={}))
    for enabled, configured, parent in itertools.product(STATES, STATES, (None, run)):
        fresh_environment.setattr(_context, "_GLOBAL_TRACING_ENABLED", configured)
        with tracing_context(enabled=enabled, parent=parent):  # type: ignore[arg-type]
            said = utils.tracing_is_enabled()
            assert wanted() is bool(said), (enabled, configured, parent)


def test_a_change_of_environment_is_seen_when_langsmith_sees_it(
    fresh_environment: pytest.MonkeyPatch,
) -> None:
    def both() -> tuple[bool, bool]:
        return wanted(), utils.tracing_is_enabled() is True

    assert both() == (False, False)
    fresh_environment.setenv("LANGSMITH_TRACING", "true")
    assert both() == (False, False)
    forget_environment()
    assert both() == (True, True)


def test_a_langsmith_with_other_insides_is_asked_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(_context, "_TRACING_ENABLED")
    assert _quiet.__wrapped__()() is False


def test_a_langsmith_that_cannot_say_does_not_trace(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, create: Any
) -> None:
    def broken() -> bool:
        raise OSError("no idea")

    monkeypatch.setattr(utils, "tracing_is_enabled", broken)
    with tracing_context(enabled=True):
        assert create()(**GIVEN) == create()(**GIVEN)
        assert not wanted()
    assert set(reported(caplog)) == {"tracing of any evaluator failed: OSError('no idea')"}


# ---------------------------------------------------------------------------------- when: not imported


@pytest.mark.parametrize(
    ("value", "asked"), [("true", True), ("false", False), ("True", False), ("1", False), ("", False)]
)
@pytest.mark.parametrize("name", _VARIABLES)
def test_the_environment_asks(name: str, value: str, asked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    assert _asked_for() is asked


@pytest.mark.parametrize(("values", "asked"), [({}, False), ({"LANGSMITH_TRACING": "true"}, True)])
def test_an_environment_of_another_kind_is_read_too(
    values: dict[str, str], asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", values)
    assert _asked_for() is asked


FRESH = """
import os, sys
from fieldwise.integrations.tracing import wanted
first = wanted(), "langsmith" in sys.modules
os.environ["LANGSMITH_TRACING"] = "true"
print(*first, wanted(), "langsmith" in sys.modules)
"""


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        pytest.param({}, "False False True True", id="none"),
        pytest.param({"LANGSMITH_TRACING": "false"}, "False False True True", id="off"),
        pytest.param({"LANGCHAIN_TRACING_V2": "true"}, "True True True True", id="on"),
    ],
)
def test_langsmith_is_imported_only_when_asked_for(variables: dict[str, str], expected: str) -> None:
    environment = {**os.environ, **variables}
    command = [sys.executable, "-c", FRESH]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.strip() == expected


# ------------------------------------------------------------------------------------------- the run


def test_one_run_for_an_evaluation(server: LangSmithServer, client: Client, create: Any) -> None:
    with tracing_context(enabled=True, client=client, project_name="p"):
        results = create()(inputs="q", **GIVEN)
    (run,) = server.runs.values()
    assert run["name"] == "json_match_evaluator"
    assert run["session_name"] == "p"
    assert run["inputs"] == {"inputs": "q", **GIVEN}
    assert run["outputs"] == {"output": results}
    assert "error" not in run
    assert {name: value for name, value in run["extra"]["metadata"].items() if name.startswith("__ls")} == {
        "__ls_framework": "fieldwise",
        "__ls_evaluator": "json_match_evaluator",
        "__ls_language": "python",
    }
    assert [result["source_run_id"] for result in results] == [run["id"]] * 2


@pytest.mark.parametrize("enabled", [True, "local"])
@pytest.mark.parametrize(
    "given",
    [
        pytest.param(GIVEN, id="graded"),
        pytest.param({"outputs": None, "reference_outputs": {"a": 1}}, id="null"),
        pytest.param({"outputs": "{", "reference_outputs": {"a": 1}}, id="damaged"),
        pytest.param({"outputs": {"a": {1, 2}}, "reference_outputs": {"a": 1}}, id="set"),
        pytest.param({"outputs": {"a": 1}}, id="no-reference"),
        pytest.param({}, id="nothing"),
    ],
)
def test_tracing_adds_only_the_run_id(given: Any, enabled: Any, client: Client, create: Any) -> None:
    plain = create()(**given)
    with tracing_context(enabled=enabled, client=client):
        traced = create()(**given)
    ids = {result.pop("source_run_id") for result in traced}
    assert traced == plain
    assert [type(id_) for id_ in ids] == [str]


def test_what_was_not_given_is_no_input(server: LangSmithServer, client: Client, create: Any) -> None:
    with tracing_context(enabled=True, client=client):
        create()(outputs={"a": 1})
    assert [run["inputs"] for run in server.runs.values()] == [{"inputs": None, "outputs": {"a": 1}}]


def test_concurrent_evaluations_have_runs_of_their_own(server: LangSmithServer, client: Client) -> None:
    async def judge(request: fieldwise.JudgeRequest) -> dict[str, bool]:
        await asyncio.sleep(0.01)
        return {question.id: True for question in request.questions}

    async def several() -> list[Any]:
        evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric={"b": "near"}, judge=judge)
        return await asyncio.gather(*(evaluator(**GIVEN) for _ in range(5)))

    with tracing_context(enabled=True, client=client):
        found = asyncio.run(several())
    assert {result["source_run_id"] for results in found for result in results} == set(server.runs)
    assert [run.get("parent_run_id") for run in server.runs.values()] == [None] * 5


def test_the_judge_runs_inside(server: LangSmithServer, client: Client, create: Any) -> None:
    @traceable(name="judge")
    def judge(request: fieldwise.JudgeRequest) -> dict[str, bool]:
        return {question.id: True for question in request.questions}

    with tracing_context(enabled=True, client=client):
        create(rubric={"a": "any", "b": "near"}, judge=judge)(**GIVEN)
    ((run,), (child,)) = server.named("json_match_evaluator"), server.named("judge")
    assert child["parent_run_id"] == run["id"]


@pytest.mark.parametrize(("enabled", "sent"), [(True, ["json_match_evaluator", "model"]), ("local", [])])
def test_local_tracing_sends_nothing_of_a_langchain_judge(
    enabled: Any, sent: list[str], server: LangSmithServer, client: Client, create: Any
) -> None:
    model: RunnableLambda[str, bool] = RunnableLambda(lambda _: True, name="model")

    def judge(request: fieldwise.JudgeRequest) -> dict[str, bool]:
        return {question.id: model.invoke("prompt") for question in request.questions}

    with tracing_context(enabled=enabled, client=client):
        results = create(rubric={"b": "near"}, judge=judge)(**GIVEN)
    assert scores_of(results) == {"json_match:a": 1.0, "json_match:b": 1.0}
    assert server.wait(lambda: sorted(run["name"] for run in server.runs.values()) == sent)


class Stop(BaseException):
    """What no evaluator may hold up."""


def test_an_interruption_passes_and_ends_the_run(
    server: LangSmithServer, client: Client, create: Any
) -> None:
    def judge(request: fieldwise.JudgeRequest) -> dict[str, bool]:
        raise Stop("now")

    with tracing_context(enabled=True, client=client):
        before = get_tracing_context()
        with pytest.raises(Stop, match=r"^now$"):
            create(rubric={"b": "near"}, judge=judge)(**GIVEN)
        assert get_tracing_context() == before
    (run,) = server.runs.values()
    assert run["error"].startswith("Stop('now')")


# ------------------------------------------------------------------------------------ broken tracing


class Broken(Client):
    """A client that fails where told."""

    def __init__(self, method: str) -> None:
        super().__init__(api_key="test", auto_batch_tracing=False, info={})

        def fail(*_: Any, **__: Any) -> None:
            raise OSError(method)

        for name in ("create_run", "update_run"):
            setattr(self, name, fail if name == method else lambda *_, **__: None)


@pytest.mark.parametrize(("method", "linked"), [("create_run", False), ("update_run", True)])
def test_a_broken_client_costs_no_score(
    method: str, linked: bool, caplog: pytest.LogCaptureFixture, create: Any
) -> None:
    with tracing_context(enabled=True, client=Broken(method), tags=["t"], metadata={"m": 1}):
        before = get_tracing_context()
        for _ in range(2):
            results = create()(**GIVEN)
            assert scores_of(results) == SCORES
            assert [("source_run_id" in result) for result in results] == [linked] * 2
        assert get_tracing_context() == before
    assert reported(caplog) == [f"tracing of json_match_evaluator failed: OSError('{method}')"] * 2


def test_a_run_that_takes_no_outputs_costs_no_score(
    monkeypatch: pytest.MonkeyPatch, client: Client, caplog: pytest.LogCaptureFixture, create: Any
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError("full")

    monkeypatch.setattr(langsmith.RunTree, "end", fail)
    with tracing_context(enabled=True, client=client):
        assert scores_of(create()(**GIVEN)) == SCORES
    assert set(reported(caplog)) == {"tracing of json_match_evaluator failed: OSError('full')"}


def test_a_run_that_fails_half_opened_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch, client: Client, caplog: pytest.LogCaptureFixture, create: Any
) -> None:
    class Half(langsmith.trace):
        def __enter__(self) -> Any:
            _context._TAGS.set(["left behind"])
            raise OSError("half")

    monkeypatch.setattr(langsmith, "trace", Half)
    with tracing_context(enabled=True, client=client, tags=["t"]):
        before = get_tracing_context()
        assert create()(**GIVEN) == sync_evaluator()(**GIVEN)
        assert get_tracing_context() == before
    assert reported(caplog) == ["tracing of json_match_evaluator failed: OSError('half')"] * 2


def test_an_output_too_deep_for_langsmith_is_scored(client: Client, create: Any) -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    with tracing_context(enabled=True, client=client):
        results = create()(outputs={"a": deep, "b": 3}, reference_outputs=GIVEN["reference_outputs"])
    assert scores_of(results) == {"json_match:a": 0.0, "json_match:b": 1.0}


# ---------------------------------------------------------------------------------------------- cost


@pytest.mark.parametrize("ask", [wanted, _asked_for], ids=["langsmith-imported", "not-imported"])
def test_off_it_costs_under_three_microseconds(ask: Callable[[], bool]) -> None:
    """The least of many short runs: what it costs when nothing else has the processor."""
    assert ask() is False
    assert min(timeit.repeat(ask, number=1_000, repeat=50)) / 1_000 < 3e-6
