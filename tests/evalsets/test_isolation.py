"""What code of somebody else's may not do to a run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from fieldwise.evalsets import isolation
from fieldwise.evalsets.model import Chosen, EvaluationSet, Spec
from fieldwise.evalsets.runner import arun_set, run_set
from fieldwise.evalsets.runner.agents import read_agent
from tests.evalsets.sets import chosen, item, sums


class Panic(BaseException):
    """What some libraries raise that is no Exception."""


def plain(error: BaseException) -> Callable[..., Any]:
    def agent(inputs: Any) -> Any:
        raise error

    return agent


def later(error: BaseException) -> Callable[..., Any]:
    async def agent(inputs: Any) -> Any:
        raise error

    return agent


RAISED = (Panic("rust"), GeneratorExit(), SystemExit(0), KeyboardInterrupt())


@pytest.mark.parametrize("error", RAISED, ids=repr)
@pytest.mark.parametrize("kind", [plain, later])
def test_what_an_agent_raises_costs_its_item_alone(kind: Any, error: BaseException) -> None:
    summary = run_set(sums(3), kind(error), workers=2)
    assert (summary.count, dict(summary.outcomes)) == (3, {"agent_error": 3})
    assert summary.failures[0][1].startswith(type(error).__name__)
    answered = read_agent(later(ValueError("x"))).call({})  # the loop is still there
    assert answered.outcome == "agent_error"


@pytest.mark.parametrize("error", RAISED[:3], ids=repr)
@pytest.mark.parametrize("kind", [plain, later])
def test_an_awaited_agent_too(kind: Any, error: BaseException) -> None:
    summary = asyncio.run(arun_set(sums(3), kind(error)))
    assert dict(summary.outcomes) == {"agent_error": 3}


@pytest.mark.parametrize("error", RAISED, ids=repr)
def test_what_a_judge_raises_costs_its_verdict_alone(error: BaseException) -> None:
    tally = run_set(asking(), lambda q: q, judge=plain(error)).standings["J"].tally
    assert (tally.graded, tally.statuses) == (0, {"judge_error": 1})


@pytest.mark.parametrize("error", RAISED[:3], ids=repr)
def test_what_an_awaited_judge_raises_too(error: BaseException) -> None:
    tally = asyncio.run(arun_set(asking(), lambda q: q, judge=later(error))).standings["J"].tally
    assert (tally.graded, tally.statuses) == (0, {"judge_error": 1})


def asking() -> EvaluationSet:
    judge = chosen("uipath-llm-judge-output-semantic-similarity", "J", model="none")
    return EvaluationSet("s", "S", (judge,), (item("a", {"q": "x"}, J={"expectedOutput": "y"}),))


CODE = """
from fieldwise import BaseEvaluationCriteria, BaseEvaluator
class Criteria(BaseEvaluationCriteria):
    rows: list = []
class Changes(BaseEvaluator[Criteria]):
    def evaluate(self, run, criteria):
        seen = len(run.agent_output["rows"]), len(run.agent_input["q"]), len(criteria.rows)
        run.agent_output["rows"].append(2)
        run.agent_input["q"].append(2)
        criteria.rows.append(2)
        return seen == (1, 1, 1)
"""


def test_evaluators_get_values_of_their_own(tmp_path: Any) -> None:
    folder = tmp_path / "evaluators"
    (folder / "custom").mkdir(parents=True)
    (folder / "custom" / "changes.py").write_text(CODE, encoding="utf-8")
    spec = {"file": str(folder / "s.json"), "code": "file://changes.py:Changes"}
    both = tuple(Chosen(Spec(name, "custom-changes", name, **spec)) for name in ("A", "B"))  # type: ignore[arg-type]
    asked = {"rows": [1]}
    one = item("a", {"q": [1]}, A=asked, B=asked)
    found: list[Any] = []
    run_set(
        EvaluationSet("s", "S", both, (one,)),
        lambda q: {"rows": q},
        allow_code=True,
        on_result=found.append,
    )
    (result,) = found
    assert {name: rows[0]["score"] for name, rows in result.results.items()} == {"A": 1.0, "B": 1.0}
    assert (result.inputs, result.output, one.inputs, asked) == (
        {"q": [1]},
        {"rows": [1]},
        {"q": [1]},
        {"rows": [1]},
    )


def test_copies_of_deep_and_cyclic_values() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert isolation.private_copy(deep) is not deep
    cyclic: Any = {"lock": threading.Lock()}
    cyclic["self"] = cyclic
    copy = isolation.private_copy(cyclic)
    assert copy is not cyclic
    assert copy["self"] is copy
    assert copy["lock"] is cyclic["lock"]


def len_of(d: Any) -> int:
    return len(d)


def test_inputs_of_any_depth_reach_an_agent() -> None:
    deep: Any = "8"
    for _ in range(100_000):
        deep = [deep]
    assert read_agent(len_of).call({"d": deep}).output == 1
