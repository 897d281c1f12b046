"""Evaluation sets run by other processes: the same results and numbers, whatever happens to the workers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldwise.errors import ConfigError, ExecutorError, InputError
from fieldwise.evalsets.load import load_set
from fieldwise.evalsets.model import EvaluationSet, ItemResult
from fieldwise.evalsets.results.as_json import json_line
from fieldwise.evalsets.runner import arun_set, run_set
from fieldwise.evalsets.summary import Summary
from fieldwise.run.executors import chunks
from fieldwise.run.executors.sending import Made
from tests.evalsets.folders import eval_set, item, project
from tests.evalsets.sets import chosen
from tests.evalsets.sets import item as item_of
from tests.evalsets.travelling import Deadly, agent, answers, judge, later, numbered, numbers, untimed
from tests.run.travelling import Inline

MANY = 300


@pytest.fixture(scope="module")
def alone() -> tuple[Summary, list[ItemResult]]:
    return noted(numbered(MANY), outputs=answers(MANY))


@pytest.fixture(scope="module")
def two() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        yield pool


def noted(*args: Any, **options: Any) -> tuple[Summary, list[ItemResult]]:
    found: list[ItemResult] = []
    return run_set(*args, on_result=found.append, **options), found


# ------------------------------------------------------------------------------------ same numbers


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_any_number_of_workers_gives_the_same(alone: tuple[Summary, list[ItemResult]], workers: int) -> None:
    summary, found = noted(numbered(MANY), outputs=answers(MANY), executor=f"processes:{workers}")
    assert numbers(summary) == numbers(alone[0])
    assert found == alone[1]


@settings(max_examples=25)
@given(st.integers(0, 40), st.integers(1, 12), st.integers(1, 12), st.integers(1, 3), st.booleans())
def test_chunks_of_any_size_give_the_same(
    number: int, least: int, most: int, repeat: int, inline: bool
) -> None:
    options: dict[str, Any] = {"outputs": answers(number, repeat), "repeat": repeat}
    expected, results = noted(numbered(number), **options)
    executor: Executor = Inline() if inline else ThreadPoolExecutor(3)
    with pytest.MonkeyPatch.context() as patch, executor:
        patch.setattr(chunks, "SMALLEST", least)
        patch.setattr(chunks, "LARGEST", most)
        found, same = noted(numbered(number), executor=executor, **options)
    assert numbers(found) == numbers(expected)
    assert same == results


def test_without_anybody_who_wants_results_the_numbers_are_the_same(
    two: ProcessPoolExecutor, alone: tuple[Summary, list[ItemResult]]
) -> None:
    summary = run_set(numbered(MANY), outputs=answers(MANY), executor=two)
    assert numbers(summary) == numbers(alone[0])


@pytest.mark.parametrize("executor", [None, "two"])
def test_lines_are_those_of_a_file(
    two: ProcessPoolExecutor, alone: tuple[Summary, list[ItemResult]], executor: str | None
) -> None:
    lines: list[bytes] = []
    given_executor = two if executor else None
    run_set(numbered(MANY), outputs=answers(MANY), executor=given_executor, on_line=lines.append)
    assert lines == [json_line(one.to_dict()) for one in alone[1]]


def test_an_option_that_names_nothing_is_told_once(two: ProcessPoolExecutor) -> None:
    summary = run_set(numbered(MANY), outputs=answers(MANY), executor=two)
    (path,) = summary.to_dict()["unmatched_paths"]
    assert (path["option"], path["path"], path["nearest"]) == ("exclude_keys", "smu", "sum")


def test_a_run_that_awaits_shares_all_of_it(two: ProcessPoolExecutor) -> None:
    expected = asyncio.run(arun_set(numbered(60), later))
    for executor in (two, ThreadPoolExecutor(2)):
        found: list[ItemResult] = []

        async def note(one: ItemResult, into: list[ItemResult] = found) -> None:
            await asyncio.sleep(0)
            into.append(one)

        summary = asyncio.run(arun_set(numbered(60), later, executor=executor, on_result=note))
        assert numbers(summary) == numbers(expected)
        assert [one.item for one in found] == [f"i{n}" for n in range(60)]


# --------------------------------------------------------------------------------- agents and judges


def test_an_agent_in_other_processes_leaves_its_spans(two: ProcessPoolExecutor) -> None:
    expected, results = noted(numbered(40), agent, repeat=2)
    summary, found = noted(numbered(40), agent, repeat=2, executor=two)
    assert numbers(summary) == numbers(expected)
    assert untimed(found) == untimed(results)
    assert all(one.seconds is not None for one in found)


def test_a_judge_goes_along(two: ProcessPoolExecutor) -> None:
    asks = chosen("uipath-llm-judge-output-semantic-similarity", "J")
    items = tuple(item_of(f"i{n}", {"n": n}, J={"expectedOutput": "x"}) for n in range(20))
    summary, found = noted(
        EvaluationSet("s", "S", (asks,), items), outputs={one.id: "y" for one in items},
        judge=Made.of(getattr, judge, "__call__"), executor=two,
    )  # fmt: skip
    assert (summary.score, len(found)) == (0.75, 20)


class Locked:
    """What no process can be sent."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __call__(self, inputs: Any) -> Any:
        return inputs


FIX = (
    "TypeError: cannot pickle '_thread.lock' object; define the functions it uses at the top of a module, "
    "and give model='provider:name' instead of a judge object"
)


@pytest.mark.parametrize("what", ["agent", "judge"])
def test_what_cannot_be_sent_is_named(two: ProcessPoolExecutor, what: str) -> None:
    given_options: dict[str, Any] = {"outputs": []} if what == "judge" else {}
    with pytest.raises(ConfigError) as raised:
        run_set(numbered(3), executor=two, **{what: Locked(), **given_options})
    assert str(raised.value) == f"executor: {what} cannot be sent to other processes: {FIX}"


def test_what_is_made_again_can_be(two: ProcessPoolExecutor) -> None:
    summary, found = noted(numbered(3), Made.of(Locked), executor=two)
    assert [one.output for one in found] == [{"n": n} for n in range(3)]
    assert summary.count == 3


def test_an_executor_that_is_none_is_refused_before_anything_runs() -> None:
    with pytest.raises(ConfigError) as raised:
        run_set(numbered(1), agent, executor="threads")
    assert str(raised.value) == (
        'executor=\'threads\': must be an Executor, "processes", "processes:4", or "dask://host:port"'
    )


# ------------------------------------------------------------------------------ what happens to runs


@pytest.mark.parametrize("executor", [None, "two"])
@pytest.mark.parametrize("last", [1, 100, 150, MANY])
@pytest.mark.parametrize("lines", [False, True])
def test_whoever_stops_a_run_has_in_the_summary_what_was_handed_on(
    two: ProcessPoolExecutor, executor: str | None, last: int, lines: bool
) -> None:
    seen: list[object] = []

    def note(one: object) -> None:
        seen.append(one)
        if len(seen) == last:
            raise KeyboardInterrupt

    whole = numbered(MANY)
    summary = Summary.of(whole)
    options: dict[str, Any] = {"on_line" if lines else "on_result": note}
    with pytest.raises(KeyboardInterrupt):
        run_set(whole, outputs=answers(MANY), executor=two if executor else None, summary=summary, **options)
    assert (summary.count, len(seen)) == (last, last)


def test_what_was_done_before_is_not_run_again(
    two: ProcessPoolExecutor, alone: tuple[Summary, list[ItemResult]]
) -> None:
    before, results = alone
    summary, found = noted(numbered(MANY), outputs=answers(MANY), executor=two, done=iter(results[:123]))
    assert found == results[123:]
    assert numbers(summary) == numbers(before)


def test_a_chunk_whose_worker_died_is_run_again(tmp_path: Path) -> None:
    expected = numbers(run_set(numbered(60), agent))
    summary, found = noted(numbered(60), Deadly(tmp_path, 33, times=2), executor="processes:2")
    assert numbers(summary) == expected
    assert [one.item for one in found] == [f"i{n}" for n in range(60)]
    assert len(list(tmp_path.iterdir())) == 2


def test_items_that_kill_every_worker_end_the_run_and_lose_nothing(tmp_path: Path) -> None:
    found: list[ItemResult] = []
    with pytest.raises(ExecutorError) as raised:
        run_set(numbered(60), Deadly(tmp_path, 33, times=99), executor="processes:2", on_result=found.append)
    assert str(raised.value).startswith("executor: items 33 to 40 cost 3 workers their lives (Broken")
    assert str(raised.value).endswith("; 32 before them are in the report")
    assert isinstance(raised.value.report, Summary)
    assert (raised.value.report.count, len(found)) == (32, 32)


# ---------------------------------------------------------------------------------------------- code

CODE = """
from fieldwise import BaseEvaluationCriteria, BaseEvaluator

class Criteria(BaseEvaluationCriteria):
    most: int = 3

class Small(BaseEvaluator[Criteria]):
    async def evaluate(self, agent_execution, criteria):
        return agent_execution.agent_output <= criteria.most
"""
CUSTOM = {
    "version": "1.0",
    "id": "Small",
    "evaluatorTypeId": "custom-small",
    "evaluatorSchema": "file://small.py:Small",
    "evaluatorConfig": {"name": "Small", "defaultEvaluationCriteria": {"most": 4}},
}


def custom(folder: Path) -> tuple[Path, EvaluationSet]:
    """A set of ten items, its evaluator code that was loaded; and the file of it."""
    items = [item(f"i{n}", {"Small": None}) for n in range(10)]
    file = project(folder, eval_set(["Small"], items), CUSTOM, custom={"small.py": CODE})
    return folder / "evaluations/evaluators/custom/small.py", load_set(file, allow_code=True)


@pytest.mark.parametrize("executor", [None, "threads", "two"])
@pytest.mark.parametrize("change", ["changed", "gone"])
def test_what_was_consented_to_is_what_runs(
    tmp_path: Path, two: ProcessPoolExecutor, executor: str | None, change: str
) -> None:
    code, whole = custom(tmp_path)
    if change == "gone":
        code.unlink()
    else:
        code.write_text("raise RuntimeError('never read')\n", encoding="utf-8")
    outputs = {f"i{n}": n for n in range(10)}
    pools: dict[str | None, Any] = {None: None, "threads": ThreadPoolExecutor(2), "two": two}
    summary = run_set(whole, outputs=outputs, allow_code=True, executor=pools[executor])
    assert (summary.score, summary.coverage, summary.count) == (0.5, 1.0, 10)


def test_consent_is_asked_for_again_by_each_run(tmp_path: Path) -> None:
    _, whole = custom(tmp_path)
    with pytest.raises(
        InputError, match=r"names code, .*small\.py; read it, then pass --allow-code to run it"
    ):
        run_set(whole, outputs={}, executor="processes:1")
