"""Runs of evaluation sets: order, isolation, bounds, sync and async, what evaluators are shown."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fieldwise._types import MISSING
from fieldwise.errors import ConfigError
from fieldwise.evalsets.model import Chosen, EvaluationSet, Item, ItemResult, Spec
from fieldwise.evalsets.runner import arun_set, run_set
from fieldwise.evalsets.summary import Summary
from fieldwise.integrations.opentelemetry import traced
from tests.evalsets.sets import chosen, exact, item, sums

Runs = Callable[..., tuple[Summary, list[ItemResult]]]


def sync(*args: Any, **options: Any) -> tuple[Summary, list[ItemResult]]:
    found: list[ItemResult] = []
    return run_set(*args, on_result=found.append, **options), found


def awaited(*args: Any, **options: Any) -> tuple[Summary, list[ItemResult]]:
    found: list[ItemResult] = []

    async def note(result: ItemResult) -> None:
        found.append(result)

    return asyncio.run(arun_set(*args, on_result=note, **options)), found


BOTH = pytest.mark.parametrize("run", [sync, awaited], ids=["sync", "async"])


def add(a: int, b: int) -> dict[str, int]:
    return {"r": a + b}


async def add_later(a: int, b: int) -> dict[str, int]:
    await asyncio.sleep(0.001 * (5 - a))
    return {"r": a + b}


def scores(found: list[ItemResult]) -> list[dict[str, Any]]:
    return [{name: rows[0]["score"] for name, rows in one.results.items()} for one in found]


def untimed(found: list[ItemResult]) -> list[ItemResult]:
    return [replace(one, seconds=None, spans=()) for one in found]


@BOTH
@pytest.mark.parametrize("agent", [add, add_later], ids=["plain", "coroutine"])
def test_results_come_in_the_order_of_items_and_their_repeats(run: Runs, agent: Any) -> None:
    summary, found = run(sums(6), agent, workers=3, repeat=2)
    assert [(one.item, one.repeat) for one in found] == [(f"i{n}", r) for n in range(6) for r in (0, 1)]
    assert (summary.score, summary.coverage, summary.count) == (1.0, 1.0, 12)


@BOTH
def test_an_item_result_says_all(run: Runs) -> None:
    _, (one,) = run(sums(1), add)
    assert replace(one, seconds=0.0, results={}) == ItemResult(
        item="i0",
        name="i0",
        inputs={"a": 0, "b": 1},
        output={"r": 1},
        seconds=0.0,
        criteria={"E": {"expectedOutput": {"r": 1}}},
    )
    assert one.seconds is not None
    assert one.seconds > 0


def fails_at_two(a: int, b: int) -> dict[str, int]:
    if a == 2:
        raise RuntimeError("no two")
    return add(a, b)


@BOTH
def test_an_agent_that_raises_is_that_items_outcome(run: Runs) -> None:
    summary, found = run(sums(4, exact(), exact("F")), fails_at_two)
    assert [one.outcome for one in found] == ["ok", "ok", "agent_error", "ok"]
    error = str(found[2].error)
    assert error.startswith("RuntimeError: no two (test_runner.py:")
    assert scores(found) == [{"E": True, "F": True}] * 2 + [{"E": None, "F": None}, {"E": True, "F": True}]
    extra = found[2].results["E"][0]["extra"]
    assert (extra["status"], extra["reason"]) == ("not_evaluated", f"the agent raised {error}")
    assert (summary.score, summary.coverage) == (1.0, 0.75)
    assert summary.outcomes == {"ok": 3, "agent_error": 1}
    assert summary.failures == [("i2", error)]


@BOTH
def test_evaluators_that_an_item_skips_stay_skipped(run: Runs) -> None:
    first, second = exact("First"), exact("Second", default=None)
    items = (item("a", {"a": 1, "b": 1}, First={"expectedOutput": {"r": 2}}), item("b", {"a": 2, "b": 1}))
    both = EvaluationSet("s", "S", (first, second), (*items, item("c", {"a": 2, "b": 2}, Second=None)))
    summary, found = run(both, fails_at_two)
    assert scores(found) == [{"First": True}, {}, {"Second": None}]
    assert [one.outcome for one in found] == ["ok", "agent_error", "agent_error"]
    assert {name: one.skipped for name, one in summary.standings.items()} == {"First": 2, "Second": 2}


@BOTH
def test_criteria_that_nobody_states_are_not_evaluated(run: Runs) -> None:
    _, (one,) = run(EvaluationSet("s", "S", (exact(),), (item("a", {}, E=None),)), lambda inputs: 1)
    assert one.results["E"][0]["extra"]["status"] == "not_evaluated"
    assert one.results["E"][0]["comment"] == (
        "No evaluation criteria provided: item 'a' states none for 'E', which has no "
        "defaultEvaluationCriteria"
    )
    assert one.criteria == {}


@BOTH
def test_no_item_waits_longer_than_its_time(run: Runs) -> None:
    def agent(a: int, b: int) -> Any:
        if a == 1:
            time.sleep(2)
        return add(a, b)

    started = time.perf_counter()
    summary, found = run(sums(3), agent, timeout=0.2)
    assert time.perf_counter() - started < 1.5
    assert [one.outcome for one in found] == ["ok", "timeout", "ok"]
    assert found[1].error == "no answer within 0.2 s"
    assert summary.outcomes == {"ok": 2, "timeout": 1}


class Busy:
    """Counts how many of its calls are under way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0

    def __enter__(self) -> None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._now -= 1


@BOTH
def test_workers_are_bounded_and_used(run: Runs) -> None:
    busy = Busy()

    def agent(a: int, b: int) -> dict[str, int]:
        with busy:
            time.sleep(0.01)
        return add(a, b)

    run(sums(20), agent, workers=3)
    assert busy.most == 3


@BOTH
def test_coroutines_are_bounded_and_at_once(run: Runs) -> None:
    busy = Busy()

    async def agent(a: int, b: int) -> dict[str, int]:
        with busy:
            await asyncio.sleep(0.02)
        return add(a, b)

    run(sums(20), agent, workers=4)
    assert busy.most == 4


def test_items_are_not_read_far_ahead() -> None:
    called: list[int] = []

    def agent(a: int, b: int) -> dict[str, int]:
        called.append(a)
        return add(a, b)

    class StopNow(Exception):
        pass

    def stop(_: ItemResult) -> None:
        raise StopNow

    with pytest.raises(StopNow):
        run_set(sums(1_000), agent, workers=2, on_result=stop)
    time.sleep(0.05)
    assert len(called) <= 8


@traced(name="look_up", span_type="tool")
def look_up(query: str) -> str:
    return query.upper()


def looking(q: str) -> dict[str, str]:
    return {"text": look_up(q)}


@BOTH
def test_spans_belong_to_their_item(run: Runs) -> None:
    tools = chosen("uipath-tool-call-args", "Args")
    items = tuple(
        item(
            f"i{n}",
            {"q": f"q{n}"},
            Args={"toolCalls": [{"name": "look_up", "arguments": {"query": f"q{n}"}}]},
        )
        for n in range(12)
    )
    summary, found = run(EvaluationSet("s", "S", (tools,), items), looking, workers=6)
    assert summary.score == 1.0
    assert [[span["attributes"]["input.value"] for span in one.spans] for one in found] == [
        [f'{{"query": "q{n}"}}'] for n in range(12)
    ]


@BOTH
def test_a_run_that_was_watched_and_called_nothing_called_nothing(run: Runs) -> None:
    counts = chosen("uipath-tool-call-count", "Count")
    one = item("a", {"q": "x"}, Count={"toolCallsCount": {"look_up": ["=", 0]}})
    _, found = run(EvaluationSet("s", "S", (counts,), (one,)), lambda q: {"text": q})
    assert scores(found) == [{"Count": 1.0}]
    assert found[0].spans == ()


@BOTH
def test_metrics_over_the_data_set_are_the_score(run: Runs) -> None:
    labels = chosen("uipath-multiclass-classification", "L", classes=["a", "b"], metric_type="recall")
    pairs = [("a", "a"), ("a", "a"), ("a", "b"), ("b", "b")]
    items = tuple(
        item(f"i{n}", {"x": came}, L={"expectedClass": true}) for n, (true, came) in enumerate(pairs)
    )
    summary, _ = run(EvaluationSet("s", "S", (labels,), items), lambda x: x)
    standing = summary.standings["L"]
    assert standing.tally.mean == 0.75
    assert standing.score == pytest.approx((2 / 3 + 1) / 2)
    assert [one["key"] for one in standing.metrics] == ["L:recall", "L:precision", "L:f-score", "L:accuracy"]


def judging(request: Any) -> dict[str, Any]:
    return {question.id: 80 for question in request.questions}


@BOTH
def test_one_judge_answers_identical_questions_once(run: Runs) -> None:
    calls: list[Any] = []

    def judge(request: Any) -> dict[str, Any]:
        calls.append(request)
        return judging(request)

    similar = chosen("uipath-llm-judge-output-semantic-similarity", "J", threshold=0.75)
    items = tuple(item(f"i{n}", {"x": "yes"}, J={"expectedOutput": "aye"}) for n in range(5))
    summary, found = run(EvaluationSet("s", "S", (similar,), items), lambda x: x, judge=judge)
    assert scores(found) == [{"J": 0.8}] * 5
    assert len(calls) == 1
    assert (summary.standings["J"].passed, summary.report.usage["judge_calls"]) == (True, 1)


def test_an_async_judge_needs_an_async_run() -> None:
    async def judge(request: Any) -> dict[str, Any]:
        return judging(request)

    similar = chosen("uipath-llm-judge-output-semantic-similarity", "J")
    one = EvaluationSet("s", "S", (similar,), (item("a", {"x": "yes"}, J={"expectedOutput": "aye"}),))
    with pytest.raises(ConfigError) as raised:
        run_set(one, lambda x: x, judge=judge)
    assert str(raised.value) == (
        "evaluator 'J' has an async judge, which run_set cannot await: use arun_set, or pass judge= a plain "
        "function"
    )
    assert scores(awaited(one, lambda x: x, judge=judge)[1]) == [{"J": 0.8}]


# ------------------------------------------------------------------------------------- going on, adding up


@BOTH
def test_what_was_done_is_counted_and_not_run_again(run: Runs) -> None:
    whole, found = run(sums(5), fails_at_two, repeat=2)
    called: list[int] = []

    def agent(a: int, b: int) -> dict[str, int]:
        called.append(a)
        return fails_at_two(a, b)

    stray = [replace(found[0], item="gone"), replace(found[0], repeat=7), found[1]]  # not counted
    again, rest = run(sums(5), agent, repeat=2, done=[*found[:7], *stray], workers=1)
    assert called == [3, 4, 4]
    untimed_errors = [replace(one, error=None) for one in untimed(rest)]
    assert [(one.item, one.repeat) for one in untimed_errors] == [("i3", 1), ("i4", 0), ("i4", 1)]
    numbers = ("score", "coverage", "pass_rate", "items", "graded", "outcomes")
    assert {name: again.to_dict()[name] for name in numbers} == {
        name: whole.to_dict()[name] for name in numbers
    }


@BOTH
def test_a_summary_has_what_was_done_before_an_interruption(run: Runs) -> None:
    whole = sums(10)
    summary = Summary.of(whole)

    def agent(a: int, b: int) -> dict[str, int]:
        if a == 6:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        return add(a, b)

    with pytest.raises(KeyboardInterrupt):
        run(whole, agent, summary=summary, workers=1)
    assert 0 <= summary.count <= 6
    assert summary.elapsed > 0


@BOTH
def test_paths_that_name_nothing_are_reported(run: Runs) -> None:
    good, bad = (chosen("fieldwise-json-match", name, weights={name: 2.0}) for name in ("r", "rr"))
    summary, _ = run(sums(2, good, bad), add)
    unmatched = summary.report.unmatched_paths
    assert [(row["path"], row["nearest"]) for row in unmatched] == [("rr", "r")]


# --------------------------------------------------------------------------------------------- recorded


@BOTH
def test_recorded_answers_are_evaluated(run: Runs) -> None:
    answers = [{"id": "i1", "output": {"r": 2}}, {"id": "i0", "output": {"r": 5}}]
    summary, found = run(sums(3), outputs=answers)
    assert scores(found) == [{"E": False}, {"E": True}, {"E": None}]
    assert [(one.outcome, one.error, one.seconds) for one in found] == [
        ("ok", None, None),
        ("ok", None, None),
        ("not_run", "there is no recorded answer; add a record with the item's id", None),
    ]
    assert found[2].results["E"][0]["comment"] == found[2].error
    assert (summary.score, summary.coverage) == (0.5, 2 / 3)


@BOTH
def test_results_are_recorded_answers_of_another_run(run: Runs) -> None:
    tools = chosen("uipath-tool-call-order", "Order")
    items = (item("a", {"q": "x"}, Order={"toolCallsOrder": ["look_up"]}),)
    whole = EvaluationSet("s", "S", (tools,), items)
    _, found = run(whole, looking)
    _, again = run(whole, outputs=[one.to_dict() for one in found])
    assert [one.results for one in again] == [one.results for one in found]
    assert again[0].spans == found[0].spans


# ----------------------------------------------------------------------------------------------- custom


@BOTH
def test_an_agents_execution_is_what_custom_evaluators_get(run: Runs, tmp_path: Any) -> None:
    folder = tmp_path / "evaluators"
    (folder / "custom").mkdir(parents=True)
    (folder / "custom" / "spans.py").write_text(
        "from fieldwise import BaseEvaluationCriteria, BaseEvaluator\n"
        "class Criteria(BaseEvaluationCriteria):\n"
        "    name: str = ''\n"
        "class Spans(BaseEvaluator[Criteria]):\n"
        "    async def evaluate(self, agent_execution, criteria):\n"
        "        named = [one for one in agent_execution.agent_trace if one.name == criteria.name]\n"
        "        return len(named) == 1 and agent_execution.agent_input == {'q': 'x'}\n",
        encoding="utf-8",
    )
    spec = Spec("C", "custom-spans", "C", file=str(folder / "s.json"), code="file://spans.py:Spans")
    whole = EvaluationSet("s", "S", (Chosen(spec),), (item("a", {"q": "x"}, C={"name": "look_up"}),))
    _, found = run(whole, looking, allow_code=True)
    assert scores(found) == [{"C": 1.0}]
    assert found[0].results["C"][0]["key"] == "C"
    _, again = run(whole, outputs=[one.to_dict() for one in found], allow_code=True)
    assert scores(again) == [{"C": 1.0}]
    with pytest.raises(ValueError, match="--allow-code"):
        run(whole, looking)


# ---------------------------------------------------------------------------------------------- options

WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "agent or outputs: neither was given; pass what is to be run, or what it answered"),
    (
        {"agent": add, "outputs": []},
        "agent or outputs: both were given; pass what is to be run, or what it answered",
    ),
    ({"agent": add, "workers": 0}, "workers=0: must be a whole number from 1 up"),
    ({"agent": add, "workers": True}, "workers=True: must be a whole number from 1 up"),
    ({"agent": add, "repeat": 0}, "repeat=0: must be a whole number from 1 up"),
    ({"agent": add, "repeat": 1.5}, "repeat=1.5: must be a whole number from 1 up"),
    ({"agent": 3}, "agent=3: must be a function of the inputs, or a Runnable"),
    (
        {"outputs": 3},
        "outputs is int: pass a path, an iterable of records, or a mapping of item id to output",
    ),
)


@BOTH
@pytest.mark.parametrize(("options", "message"), [pytest.param(*row, id=row[1]) for row in WRONG])
def test_wrong_options(run: Runs, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        run(sums(1), **options)
    assert str(raised.value) == message


def test_outputs_that_json_lacks_are_written_as_text() -> None:
    def agent(inputs: dict[str, Any]) -> Any:
        return {"n": float("nan"), "big": [float("-inf")], "set": frozenset({1})}

    (one,) = sync(EvaluationSet("s", "S", (), (Item("a", "a", {}, {}, MISSING),)), agent)[1]
    assert one.output == {"n": "nan", "big": ["-inf"], "set": [1]}
    (other,) = sync(EvaluationSet("s", "S", (), (Item("a", "a", {}, {}),)), lambda inputs: object)[1]
    assert other.output == "<class 'object'>"
