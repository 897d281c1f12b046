"""Records scored elsewhere: the same numbers, whoever does the work and whatever happens to them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fieldwise
from fieldwise import Report, aevaluate_records, evaluate_records
from fieldwise.errors import ConfigError, ExecutorError
from fieldwise.run import RecordResult
from fieldwise.run._members import members, named
from fieldwise.run.executors import chunks, distribution
from fieldwise.run.executors.sending import packed, unpacked
from tests.processes import started
from tests.run.travelling import Deadly, Inline, agrade, evaluators, grade, numbers, records

MANY = records(300)


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    return numbers(evaluate_records(MANY, evaluators(), keep_results=False))


@pytest.fixture(scope="module")
def two() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        yield pool


# ------------------------------------------------------------------------------------ same numbers


@settings(max_examples=30)
@given(st.integers(0, 60), st.integers(1, 12), st.integers(1, 12), st.booleans())
def test_chunks_of_any_size_give_the_same_numbers(number: int, least: int, most: int, inline: bool) -> None:
    given_records = records(number)
    expected = evaluate_records(given_records, evaluators())
    executor: Executor = Inline() if inline else ThreadPoolExecutor(3)
    with pytest.MonkeyPatch.context() as patch, executor:
        patch.setattr(chunks, "SMALLEST", least)
        patch.setattr(chunks, "LARGEST", most)
        found = evaluate_records(given_records, evaluators(), executor=executor)
    assert numbers(found) == numbers(expected)
    assert found.records == expected.records


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_any_number_of_workers_gives_the_same_numbers(alone: dict[str, Any], workers: int) -> None:
    found = evaluate_records(MANY, evaluators(), executor=f"processes:{workers}", keep_results=False)
    assert numbers(found) == alone


def test_results_come_in_order_and_only_when_they_are_wanted(two: ProcessPoolExecutor) -> None:
    seen: list[RecordResult] = []
    report = evaluate_records(MANY, evaluators(), executor=two, on_result=seen.append, keep_results=False)
    expected = evaluate_records(MANY, evaluators())
    assert report.records == []
    assert seen == expected.records
    assert evaluate_records(MANY, evaluators(), executor=two).records == expected.records


def test_a_report_is_added_to(two: ProcessPoolExecutor) -> None:
    expected, found = (evaluate_records(MANY[:50], evaluators()) for _ in range(2))
    evaluate_records(MANY[50:], evaluators(), report=expected)
    evaluate_records(MANY[50:], evaluators(), report=found, executor=two)
    assert numbers(found) == numbers(expected)
    assert found.records == expected.records


def test_awaiting_runs_share_all_of_it(two: ProcessPoolExecutor) -> None:
    seen: list[str] = []

    async def note(result: RecordResult) -> None:
        await asyncio.sleep(0)
        seen.append(result.id)

    given_evaluators = {"agrade": agrade, "match": fieldwise.create_async_json_match_evaluator()}
    expected = asyncio.run(aevaluate_records(MANY, given_evaluators))
    for executor in (two, ThreadPoolExecutor(2)):
        seen.clear()
        found = asyncio.run(aevaluate_records(MANY, given_evaluators, executor=executor, on_result=note))
        assert numbers(found) == numbers(expected)
        assert seen == [one.id for one in expected.records]


def test_the_loop_goes_on_meanwhile(two: ProcessPoolExecutor) -> None:
    async def both() -> tuple[Report, int]:
        run = asyncio.create_task(aevaluate_records(MANY, evaluators(), executor=two))
        turns = 0
        while not run.done():
            await asyncio.sleep(0.001)
            turns += 1
        return run.result(), turns

    report, turns = asyncio.run(both())
    assert report.count == 300
    assert turns > 3


def test_identical_questions_are_asked_once_in_a_process() -> None:
    asked: list[Any] = []

    def judge(request: Any) -> dict[str, bool]:
        asked.append(request)
        return {question.id: True for question in request.questions}

    match = fieldwise.create_json_match_evaluator(rubric={"a": "the same"}, judge=judge)
    row = {"outputs": {"a": "x"}, "reference_outputs": {"a": "y"}}
    with ThreadPoolExecutor(2) as pool:
        report = evaluate_records([row] * 100, match, executor=pool)
    assert (report.score, len(asked)) == (1.0, 1)


# -------------------------------------------------------------------------------------- what travels

REQUIRED: dict[str, dict[str, Any]] = {
    "classes": {"classes": ["a", "b"]},
    "positive_class": {"positive_class": "a"},
    "schema": {"schema": {"type": "object"}},
    "fields": {"fields": ["a"]},
    "json_field": {"json_field": "a"},
    "pattern": {"pattern": "a"},
    "prompt": {"prompt": "How right is {outputs}?"},
}
FACTORIES = [
    name
    for name in fieldwise.__all__
    if name.startswith("create_") and not name.endswith("_summary_evaluator") and name != "create_judge"
]


def ours(name: str) -> Any:
    import inspect

    create = getattr(fieldwise, name)
    options: dict[str, Any] = {}
    for option, one in inspect.signature(create).parameters.items():
        if one.default is one.empty:
            options |= REQUIRED.get(option, {})
        if option == "model":
            options["model"] = "openai:gpt-4o-mini" if "judge" in name else None
    return create(**options)


@pytest.mark.parametrize("name", FACTORIES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_evaluator_travels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    try:
        evaluator = ours(name)
    except ConfigError as error:
        pytest.fail(f"REQUIRED lacks an option of {name}: {error}")
    (sent,) = unpacked(packed([evaluator], None, awaits=True))
    (kept,) = members([evaluator], None, awaits=True)
    assert (sent.name, sent.key) == (kept.name, kept.key)


def test_options_travel_as_they_were_when_the_evaluator_was_made() -> None:
    excluded = ["a"]
    evaluator = fieldwise.create_json_match_evaluator(exclude_keys=excluded)
    excluded.append("b")
    report = evaluate_records(
        [{"outputs": {"a": 1, "b": 2}, "reference_outputs": {"a": 3, "b": 4}}], evaluator, executor=Inline()
    )
    assert list(report.fields) == ["json_match:b"]


def test_names_travel() -> None:
    same = fieldwise.create_exact_match_evaluator
    given_evaluators = [same(), same(feedback_key="again"), lambda outputs: 1.0]
    sent = unpacked(packed(given_evaluators, None, awaits=False))
    assert [one.name for one in sent] == [name for name, _ in named(given_evaluators)]


def test_what_cannot_travel_is_named() -> None:
    lock = threading.Lock()

    def locked(outputs: Any) -> float:
        with lock:
            return 1.0

    with pytest.raises(ConfigError) as raised:
        evaluate_records(MANY, {"slow": locked}, executor=Inline())
    said = str(raised.value)
    assert said.startswith("executor: evaluator 'slow' cannot be sent to other processes: ")
    assert said.endswith(
        "; define the functions it uses at the top of a module, and give model='provider:name' instead of a "
        "judge object"
    )
    with ThreadPoolExecutor(2) as pool:  # where nothing has to travel
        assert evaluate_records(MANY[:3], {"slow": locked}, executor=pool).fields["slow"].graded == 3


def test_a_record_that_cannot_travel_is_scored_here() -> None:
    rows = [{"outputs": {"a": 1, "lock": threading.Lock()}, "reference_outputs": {"a": 1}}, *MANY]
    match = fieldwise.create_json_match_evaluator()
    for executor in (Inline(), None):
        report = evaluate_records(rows, match, executor=executor)
        assert report.count == 301
    assert numbers(evaluate_records(rows, match, executor=Inline())) == numbers(evaluate_records(rows, match))


def test_two_evaluators_of_one_key_are_found_out_in_different_chunks() -> None:
    def second(outputs: Any) -> dict[str, Any]:
        return {"key": "first" if outputs["at"] == 90 else "second", "score": 1.0}

    def first(outputs: Any) -> Any:
        return {"key": "first" if outputs["at"] < 50 else "third", "score": 1.0}

    rows = [{"outputs": {"at": at}} for at in range(100)]
    for executor in (None, Inline()):
        with pytest.raises(ConfigError, match="'first' and 'second' both give results under the key 'first'"):
            evaluate_records(rows, {"first": first, "second": second}, executor=executor)


# ------------------------------------------------------------------------------------------- options

FORMS = 'must be an Executor, "processes", "processes:4", or "dask://host:port"'


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        (3, f"executor=3: {FORMS}"),
        ("threads", f"executor='threads': {FORMS}"),
        ("dask://", f"executor='dask://': {FORMS}"),
        ("processes:0", "executor='processes:0': write how many processes, as in processes:4"),
        ("processes:x", "executor='processes:x': write how many processes, as in processes:4"),
    ],
)
def test_what_is_no_executor(executor: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        evaluate_records(MANY, grade, executor=executor)
    assert str(raised.value) == message


def test_without_dask_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ConfigError) as raised:
        evaluate_records(MANY, grade, executor="dask://127.0.0.1:1")
    expected = "executor='dask://127.0.0.1:1': Dask is not installed; pip install \"fieldwise[dask]\""
    assert str(raised.value) == expected


# ------------------------------------------------------------------------------------ what goes wrong


def test_records_that_raise_raise_once_those_before_are_counted(two: ProcessPoolExecutor) -> None:
    def broken() -> Iterator[Any]:
        yield from MANY
        raise OSError("the file is gone")

    report = Report()
    with pytest.raises(OSError, match="the file is gone"):
        evaluate_records(broken(), evaluators(), executor=two, report=report)
    assert numbers(report) == numbers(evaluate_records(MANY, evaluators()))


def test_an_interruption_keeps_what_was_finished_and_leaves_no_process() -> None:
    report, seen = Report(), []

    def stop(result: RecordResult) -> None:
        seen.append(result.id)
        if len(seen) == 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate_records(MANY, evaluators(), executor="processes:2", report=report, on_result=stop)
    assert 40 <= report.count < 300
    assert numbers(report) == numbers(evaluate_records(MANY[: report.count], evaluators()))


def test_a_dead_worker_costs_nothing(tmp_path: Path) -> None:
    deadly = Deadly(tmp_path, MANY[150]["outputs"], times=2)
    given_evaluators = [*evaluators(), deadly]
    found = evaluate_records(MANY, given_evaluators, executor="processes:2", keep_results=False)
    assert len(list(tmp_path.iterdir())) == 2
    assert numbers(found) == numbers(evaluate_records(MANY, given_evaluators, keep_results=False))


def test_a_record_that_kills_every_worker_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "LARGEST", 1)
    rows = [{"outputs": at} for at in range(20)]
    with pytest.raises(ExecutorError) as raised:
        evaluate_records(rows, Deadly(tmp_path, 13, times=99), executor="processes:2")
    assert str(raised.value).startswith("executor: record 14 cost 3 workers their lives (BrokenProcessPool: ")
    assert str(raised.value).endswith("; 13 before them are in the report")
    report = raised.value.report
    assert isinstance(report, Report)
    assert report.count == 13


def test_a_broken_executor_of_ones_own_is_said_to_be_one(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool, pytest.raises(ExecutorError) as raised:
        evaluate_records(MANY, Deadly(tmp_path, MANY[150]["outputs"], times=1), executor=pool)
    said = str(raised.value)
    assert said.startswith("executor: records ")
    assert "were lost: the executor is broken (BrokenProcessPool: " in said
    assert 'give executor="processes" to have lost records scored again; ' in said
    report = raised.value.report
    assert isinstance(report, Report)
    assert numbers(report) == numbers(evaluate_records(MANY[: report.count], Deadly(tmp_path, None, times=0)))


class Flaky(Inline):
    """Loses every third piece of work, and takes it again."""

    def __init__(self, error: type[BaseException]) -> None:
        self.sent, self.error = 0, error

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.sent += 1
        if self.sent % 3:
            return super().submit(fn, *args, **kwargs)
        future: Future[Any] = Future()
        if self.error is BrokenExecutor:
            future.set_exception(BrokenExecutor("gone"))
        else:
            future.cancel()
        return future


@pytest.mark.parametrize("error", [BrokenExecutor, CancelledError])
def test_an_executor_that_works_again_gets_lost_chunks_again(
    alone: dict[str, Any], error: type[BaseException]
) -> None:
    executor = Flaky(error)
    assert numbers(evaluate_records(MANY, evaluators(), executor=executor, keep_results=False)) == alone
    assert executor.sent > len(list(chunks.cut(iter(MANY), travels=False)))


def test_an_executor_that_is_shut_down() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(ExecutorError) as raised:
        evaluate_records(MANY, grade, executor=pool)
    assert str(raised.value) == (
        "executor: records 1 to 8 cannot be sent: RuntimeError: cannot schedule new futures after shutdown; "
        "0 before them are in the report"
    )


def test_chunks_grow_and_heavy_records_make_small_ones() -> None:
    sizes = [one.size for one in chunks.cut(iter(range(20_000)), travels=True)]
    assert (sizes[:3], max(sizes), sum(sizes)) == ([8, 8, 8], chunks.LARGEST, 20_000)
    assert sizes[:-1] == sorted(sizes[:-1])
    heavy = [one.size for one in chunks.cut((str(at) * 500_000 for at in range(10, 50)), travels=True)]
    assert heavy == [8, *[3] * 10, 2]


def test_few_chunks_are_open_at_a_time() -> None:
    pulled = 0

    def rows() -> Iterator[Any]:
        nonlocal pulled
        for one in records(5_000):
            pulled += 1
            yield one

    ahead = []
    with ThreadPoolExecutor(1) as pool:
        evaluate_records(
            rows(),
            grade,
            executor=pool,
            keep_results=False,
            on_result=lambda one: ahead.append(pulled - one.position),
        )
    assert max(ahead) <= (distribution._KEPT * 4 + 1) * chunks.LARGEST


PARENT = """
import os, sys, time
from tests.run.travelling import evaluators, records
from fieldwise import evaluate_records

def tell(result):
    print(result.position, flush=True)

if __name__ == "__main__":
    rows = (row for _ in range(10_000) for row in records(100))
    evaluate_records(rows, evaluators(), executor="processes:2", on_result=tell)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    root = Path(__file__).resolve().parents[2]
    with started([sys.executable, script], env={**os.environ, "PYTHONPATH": str(root)}) as process:
        assert process.stdout is not None
        process.stdout.readline()
        children = _children(process.pid)
        assert children
        _until(lambda: all(map(_deaf, children)))  # one that is still starting says so when it is interrupted
        if how is signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does: to all of them
        else:
            process.send_signal(how)
        _, said = process.communicate(timeout=180)
        _until(lambda: not any(Path(f"/proc/{child}").is_dir() for child in children))
        assert [child for child in children if Path(f"/proc/{child}").is_dir()] == []
    if how is signal.SIGINT:
        assert said.count("Traceback") == 1  # the parent's own


def _until(met: Callable[[], bool]) -> None:
    """Wait for a condition, half a minute at most."""
    deadline = time.monotonic() + 30
    while not met() and time.monotonic() < deadline:
        time.sleep(0.05)


def _deaf(pid: int) -> bool:
    """Whether a process ignores interrupts."""
    status = Path(f"/proc/{pid}/status").read_text()
    ignored = int(status.partition("SigIgn:")[2].split()[0], 16)
    return bool(ignored >> (signal.SIGINT - 1) & 1)


def _children(pid: int) -> list[int]:
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdecimal():
            try:
                stat = (one / "stat").read_text()
            except OSError:
                continue
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found.append(int(one.name))
    return found
