"""Evaluators inside tests marked for LangSmith: a pytest of its own, against a server that records."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.ls_server import LangSmithServer
from tests.integrations.test_langsmith_every import expected

TESTS = """
import asyncio
import pytest
import fieldwise
from langsmith import testing as t

def judge(request):
    raise TimeoutError("late")

GIVEN = {"outputs": {"a": 1, "b": 2}, "reference_outputs": {"a": 1, "b": 3}}

@pytest.mark.langsmith
def test_receipt():
    t.log_outputs({"said": "yes"})
    evaluator = fieldwise.create_json_match_evaluator(rubric={"b": "near"}, judge=judge)
    results = evaluator(inputs="q", **GIVEN)
    assert [r["score"] for r in results] == [1.0, None]
    assert len({r["source_run_id"] for r in results}) == 1

@pytest.mark.langsmith
def test_receipt_async():
    evaluator = fieldwise.create_async_json_match_evaluator(aggregator="average")
    (result,) = asyncio.run(evaluator(**GIVEN))
    assert result["score"] == 0.5

def test_unmarked():
    (result, _) = fieldwise.create_json_match_evaluator()(**GIVEN)
    assert result["score"] == 1.0
"""


EVERY = """
import asyncio
import pytest
from tests.integrations.every_evaluator import EVALUATORS, RECORDS, factory
from tests.integrations.test_langsmith_every import INPUTS

@pytest.mark.langsmith
@pytest.mark.parametrize("form", ["", "async_"])
@pytest.mark.parametrize("name", EVALUATORS)
def test_every(name, form):
    evaluate = factory(name, form)(**EVALUATORS[name])
    for record in RECORDS.values():
        found = evaluate(inputs=INPUTS, **record.given)
        if form:
            asyncio.run(found)
"""


@pytest.fixture
def server() -> Iterator[LangSmithServer]:
    with LangSmithServer() as running:
        yield running


def run_tests(
    server: LangSmithServer, folder: Path, *options: str, tests: str = TESTS, **variables: str
) -> str:
    (folder / "test_marked.py").write_text(tests, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-s", *options, str(folder)]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        "LANGSMITH_ENDPOINT": server.url,
        "LANGSMITH_API_KEY": "test",
        "LANGSMITH_TRACING": "true",
        **variables,
    }
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=folder, timeout=120
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "tracing of" not in run.stdout + run.stderr
    return run.stdout


def test_a_langsmith_test_gets_its_feedback(server: LangSmithServer, tmp_path: Path) -> None:
    run_tests(server, tmp_path, "--langsmith-output")  # its table fails on feedback without score and value
    ours = [item for item in server.feedback if item["key"] != "pass"]
    assert sorted((item["key"], item.get("score")) for item in ours) == [
        ("json_match:a", 1.0),
        ("json_match:average", 0.5),
        ("json_match:b", None),
    ]
    given = {item["key"]: item for item in ours}
    assert given["json_match:b"]["value"] == "judge_error"
    assert "TimeoutError: late" in given["json_match:b"]["comment"]
    assert given["json_match:average"]["extra"]["status"] == "graded"
    runs = {run["id"]: run for run in server.named("json_match_evaluator")}
    assert len(runs) == 3
    tested = {run["id"]: run["name"] for run in server.runs.values() if run["name"].startswith("test_")}
    for key, test in (("json_match:a", "test_receipt"), ("json_match:average", "test_receipt_async")):
        run = runs[given[key]["feedback_source"]["metadata"]["__run"]["run_id"]]
        assert run["inputs"]["outputs"] == {"a": 1, "b": 2}
        assert run["session_name"] == "evaluators"
        assert tested[given[key]["run_id"]] == test


def test_a_test_that_langsmith_does_not_track_is_only_traced(server: LangSmithServer, tmp_path: Path) -> None:
    run_tests(server, tmp_path, LANGSMITH_TEST_TRACKING="false")
    assert server.feedback == []
    assert {run["session_name"] for run in server.named("json_match_evaluator")} == {"default"}
    assert len(server.named("json_match_evaluator")) == 3


def test_every_evaluator_gives_its_feedback(server: LangSmithServer, tmp_path: Path) -> None:
    """Sync and async, on records of every shape; what has no score has its status as value."""
    run_tests(server, tmp_path, tests=EVERY, PYTHONPATH=str(Path(__file__).parents[2]))
    wanted = Counter((key, score, status) for rows in expected() for key, score, status, _ in rows)
    found = Counter(
        (item["key"], item.get("score"), item["extra"]["status"])
        for item in server.feedback
        if item["key"] != "pass"
    )
    rounded: Counter[Any] = Counter()
    for (key, score, status), number in wanted.items():
        rounded[key, _rounded(score), status] += 2 * number
    assert (found - rounded, rounded - found) == (Counter(), Counter())
    assert {item["value"] for item in server.feedback if item.get("score") is None} == {
        status for _, score, status in wanted if score is None
    }


def _rounded(score: float | None) -> float | None:
    """As LangSmith's client sends it."""
    return score if score is None or isinstance(score, bool) else round(score, 4)
