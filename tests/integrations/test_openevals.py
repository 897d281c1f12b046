"""OpenEvals' names on our side: the same parameters and types, and the page that says what to import."""

from __future__ import annotations

import asyncio
import inspect
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import openevals
import openevals.json
import openevals.string
import pytest
from langsmith.schemas import Example
from openevals.types import EvaluatorResult, SimpleAsyncEvaluator, SimpleEvaluator

from fieldwise.integrations import openevals as ours
from tests.integrations.ls_runs import RUNNERS, rows_of, unconnected  # noqa: F401 - a fixture
from tests.integrations.test_openevals_upstream import DEPARTURES, FILES

PAGE = (Path(__file__).parents[2] / "docs" / "openevals.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `from (\S+) import (\w+)` \| `from (\S+) import (\w+)` \|$", PAGE, re.MULTILINE)
GIVEN: dict[str, Any] = {"outputs": {"a": 1}, "reference_outputs": {"a": 2}}
VERDICT = {"comment": None, "metadata": None}


def theirs(name: str) -> Any:
    places = (openevals, openevals.json, openevals.string)
    return next(getattr(place, name) for place in places if hasattr(place, name))


@pytest.mark.parametrize("name", ours.__all__)
def test_a_call_of_theirs_is_a_call_of_ours(name: str) -> None:
    upstream = inspect.signature(theirs(name)).parameters
    here = inspect.signature(getattr(ours, name)).parameters
    assert upstream.keys() - here.keys() == set()
    changed = [
        one
        for one, option in upstream.items()
        if option.default is not option.empty and (option.default or None) != (here[one].default or None)
    ]  # an empty mapping is none
    assert changed == []


def test_factories_make_what_openevals_declares() -> None:
    """The annotations are the test: mypy checks them."""

    def judge(request: Any) -> dict[str, bool]:
        return {one.id: True for one in request.questions}

    simple: list[SimpleEvaluator] = [
        ours.create_json_match_evaluator(),
        ours.create_trajectory_match_evaluator(),
        ours.create_llm_as_judge(prompt="{outputs}", judge=judge),
        ours.exact_match,
        ours.levenshtein_distance,
    ]
    awaited: list[SimpleAsyncEvaluator] = [
        ours.create_async_json_match_evaluator(),
        ours.create_async_trajectory_match_evaluator(),
        ours.create_async_llm_as_judge(prompt="{outputs}", judge=judge),
        ours.exact_match_async,
        ours.levenshtein_distance_async,
    ]
    result: EvaluatorResult = ours.exact_match(**GIVEN)
    assert result["score"] is False
    for one, other in zip(simple, awaited, strict=True):
        assert not inspect.iscoroutinefunction(one)
        assert inspect.iscoroutinefunction(other)
        assert one(**GIVEN) == asyncio.run(other(**GIVEN))


TEXTS: tuple[tuple[Any, Any], ...] = (
    ("kitten", "sitting"),
    ("", ""),
    ("", "abc"),
    ({"a": 1, "b": 2}, {"a": 1, "b": 3}),
    ([1, 2], [2]),
    ('{"a": 1}', {"a": 1}),
    ({"output": "abc"}, {"output": "abd"}),
    (5, "5"),
    (True, 1),
    ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}),
)


@pytest.mark.parametrize(("came", "wanted"), TEXTS)
@pytest.mark.parametrize("name", ["exact_match", "levenshtein_distance"])
def test_the_functions_answer_as_upstream(name: str, came: Any, wanted: Any) -> None:
    given = {"outputs": came, "reference_outputs": wanted, "inputs": "ignored"}
    expected = theirs(name)(**given)
    assert getattr(ours, name)(**given) == {**expected, "score": pytest.approx(expected["score"])}
    assert asyncio.run(getattr(ours, f"{name}_async")(**given)) == getattr(ours, name)(**given)


@pytest.mark.parametrize("tracing", [False, "local"])
def test_a_verdict_is_bare_whether_or_not_it_is_traced(tracing: Any) -> None:
    from langsmith import tracing_context

    calls = [{"role": "assistant", "tool_calls": [{"name": "web", "args": {"q": "llamas"}}]}]
    with tracing_context(enabled=tracing):
        found = ours.create_trajectory_match_evaluator()(outputs=calls, reference_outputs=calls)
    assert found == {"key": "trajectory_strict_match", "score": True, **VERDICT}


def test_without_a_reference_it_says_so() -> None:
    results: list[Any] = [ours.exact_match(outputs=1), ours.levenshtein_distance(outputs="a")]
    for found in results:
        assert found["score"] is None
        assert found["comment"] == "no reference_outputs were given"


def test_what_is_not_graded_says_why() -> None:
    found: Any = ours.create_trajectory_match_evaluator()(outputs=[], reference_outputs=5)
    assert found["score"] is None
    assert found["extra"]["status"] == "invalid_reference"
    assert found["comment"] == found["metadata"]["reason"]


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize("form", ["", "_async"])
def test_they_run_in_experiments(runner: str, form: str) -> None:
    trajectory = getattr(ours, f"create_{'async_' if form else ''}trajectory_match_evaluator")
    evaluators = [
        getattr(ours, f"exact_match{form}"),
        getattr(ours, f"levenshtein_distance{form}"),
        trajectory(),
    ]
    data = [Example(id=f"{n:032x}", inputs={"n": n}, outputs={"a": 1}) for n in range(2)]
    rows = rows_of(RUNNERS[runner](evaluators, lambda inputs: {"a": inputs["n"]}, data))
    assert [[(one.key, one.score) for one in row] for row in rows] == [
        [("exact_match", False), ("levenshtein_distance", 0.875), ("trajectory_strict_match", None)],
        [("exact_match", True), ("levenshtein_distance", 1.0), ("trajectory_strict_match", None)],
    ]


# ------------------------------------------------------------------------------------------- the page


def test_the_page_has_every_name_once() -> None:
    assert sorted(new for _, _, _, new in ROWS) == ours.__all__
    assert [old for _, old, _, new in ROWS if old != new] == []


@pytest.mark.parametrize(("before", "old", "after", "new"), ROWS)
def test_the_imports_of_the_page_work(before: str, old: str, after: str, new: str) -> None:
    assert callable(getattr(import_module(before), old))
    assert getattr(import_module(after), new) is getattr(ours, new)


def test_the_code_of_the_page_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert re.search(r"\bassert\b", block)
    exec(block, {})  # noqa: S102


def test_the_numbers_of_the_page_are_those_of_the_tests() -> None:
    kinds = Counter({"json": 0, "trajectory": 0, "others": 0})
    for file, number in FILES.items():
        kinds[next((kind for kind in ("json", "trajectory") if kind in file), "others")] += number
    total, departing = kinds.total(), len(DEPARTURES)
    text = " ".join(PAGE.split())
    assert f"{total - departing} of {total} pass" in text
    assert f"{kinds['json'] - departing} of {kinds['json']} of JSON match" in text
    assert f"all {kinds['others']} of exact match and Levenshtein" in text
    assert f"all {kinds['trajectory']} of trajectory match" in text


def test_importing_it_loads_no_framework() -> None:
    code = "import sys, fieldwise.integrations.openevals; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in run.stdout.split()}
    assert loaded & {"openevals", "langchain", "langchain_core", "langsmith", "openai"} == set()
