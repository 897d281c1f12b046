"""One run of a real agent, read from everything it leaves behind: the same calls, so the same scores.

The evaluators are a table: whoever adds one over tool calls adds its row.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
from typing import Any, Final

import pytest

from fieldwise._types import MISSING
from fieldwise.evaluators._lifts import async_evaluator, evaluator
from fieldwise.scorers.agents.arguments import tool_call_args
from fieldwise.scorers.agents.calls import ToolCall, Trajectory
from fieldwise.scorers.agents.count import tool_call_count
from fieldwise.scorers.agents.order import tool_call_order
from fieldwise.scorers.agents.output import tool_call_output
from fieldwise.scorers.agents.reading import read_trajectory
from fieldwise.scorers.agents.trajectory import trajectory_match
from fieldwise.scorers.agents.trajectory_judges import llm_judge_trajectory, llm_judge_trajectory_simulation
from tests.integrations.agent_runs import Called, Left, run_agent

UNKNOWN: Final = (
    "Error: nonesuch is not a valid tool, try one of "
    "[weather, facts, add, now, query, flaky, soft, go, final, third_time, route]."
)
Row = tuple[str, dict[str, Any], str, Any, bool, int]
"""A call: name, arguments, id, output, whether it failed, group."""

REPLIES: Final[dict[str, list[list[Called] | str]]] = {
    "in sequence, at once, failing, made again": [
        [("weather", {"city": "Paris"}, "c1")],
        [
            ("add", {"a": 1, "b": 2}, "c2"),
            ("weather", {"city": "Rome"}, "c3"),
            ("facts", {"city": "Rome"}, "c4"),
        ],
        [("flaky", {"x": 1}, "c5")],
        [("flaky", {"x": 2}, "c6")],
        "done",
    ],
    "commands, no such tool, reported errors": [
        [("go", {"place": "Paris"}, "c1"), ("now", {}, "c2")],
        [("nonesuch", {"a": 1}, "c3"), ("soft", {"x": 3}, "c4")],
        [("query", {"sql": '{"a": 1}'}, "c5"), ("query", {"sql": "5"}, "c6")],
        "done",
    ],
    "alike at once, some failing": [
        [("flaky", {"x": 1}, "c1"), ("flaky", {"x": 1}, "c2"), ("flaky", {"x": 2}, "c3")],
        "done",
    ],
    "one id for all": [
        [("weather", {"city": "Paris"}, "c1")],
        [("flaky", {"x": 1}, "c1")],
        [("flaky", {"x": 2}, "c1")],
        "done",
    ],
    "retried by middleware, the last one returned": [
        [("third_time", {"x": 1}, "c1")],
        [("route", {"city": "Oslo"}, "c2")],
        [("final", {"x": 2}, "c3")],
    ],
    "failing, and nothing after": [[("final", {"x": 1}, "c1")], "done"],
    "no calls": ["done"],
}
EXPECTED: Final[dict[str, list[Row]]] = {
    "in sequence, at once, failing, made again": [
        ("weather", {"city": "Paris"}, "c1", "sunny in Paris", False, 0),
        ("add", {"a": 1, "b": 2}, "c2", "3", False, 1),
        ("weather", {"city": "Rome"}, "c3", "sunny in Rome", False, 1),
        ("facts", {"city": "Rome"}, "c4", {"city": "Rome", "numbers": [1, True, None]}, False, 1),
        ("flaky", {"x": 1}, "c5", "Error: boom", True, 2),
        ("flaky", {"x": 2}, "c6", "ok", False, 3),
    ],
    "commands, no such tool, reported errors": [
        ("go", {"place": "Paris"}, "c1", "went to Paris", False, 0),
        ("now", {}, "c2", "12:00", False, 0),
        ("nonesuch", {"a": 1}, "c3", UNKNOWN, True, 1),
        ("soft", {"x": 3}, "c4", "no 3", True, 1),
        ("query", {"sql": '{"a": 1}'}, "c5", [8], False, 2),
        ("query", {"sql": "5"}, "c6", [1], False, 2),
    ],
    "alike at once, some failing": [
        ("flaky", {"x": 1}, "c1", "Error: boom", True, 0),
        ("flaky", {"x": 1}, "c2", "Error: boom", True, 0),
        ("flaky", {"x": 2}, "c3", "ok", False, 0),
    ],
    "one id for all": [
        ("weather", {"city": "Paris"}, "c1", "sunny in Paris", False, 0),
        ("flaky", {"x": 1}, "c1", "Error: boom", True, 1),
        ("flaky", {"x": 2}, "c1", "ok", False, 2),
    ],
    "retried by middleware, the last one returned": [
        ("third_time", {"x": 1}, "c1", "at last", False, 0),
        ("route", {"city": "Oslo"}, "c2", "Oslo", False, 1),
        ("final", {"x": 2}, "c3", "final", False, 2),
    ],
    "failing, and nothing after": [("final", {"x": 1}, "c1", "Error: final boom", True, 0)],
    "no calls": [],
}
SOURCES: Final = (
    "messages",
    "state",
    "spans",
    "spans, last first",
    "spans as JSON",
    "spans that LangSmith exports",
    "runs",
    "runs as JSON",
    "runs in a list",
    "runs that LangSmith was sent",
    "a tree of runs",
)
STEPS: Final = [name for name in SOURCES if "spans" in name or "runs" in name]

run: Any = functools.cache(lambda name: run_agent(REPLIES[name]))


def row(call: ToolCall) -> Row:
    assert call.problem is None
    return str(call.name), call.args, str(call.id), call.output, call.failed, call.group


def read(source: Any) -> Trajectory:
    found = read_trajectory(source)
    assert isinstance(found, Trajectory), found
    return found


# ------------------------------------------------------------------------------------------ the calls


def test_every_source_is_tested() -> None:
    assert tuple(run("no calls").sources) == SOURCES


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", REPLIES)
def test_the_same_calls_from_every_source(name: str, source: str) -> None:
    found = read(run(name).sources[source])
    assert [row(call) for call in found.calls] == EXPECTED[name]
    assert (found.turns is None) is (source in STEPS)


@pytest.mark.parametrize("source", STEPS)
def test_attempts_and_answers_in_a_schema_are_noted(source: str) -> None:
    notes = read(run("retried by middleware, the last one returned").sources[source]).notes
    assert sorted(note.partition(": ")[2] for note in notes) == [
        "Route was asked for, never ran or was answered; left out",
        "third_time ran 3 times; the last one counts",
    ]


@pytest.mark.parametrize("source", SOURCES)
def test_a_call_that_waits_for_approval_was_made(source: str) -> None:
    left = run_agent([[("weather", {"city": "Paris"}, "c1")], "done"], interrupt_before=["tools"])
    found = read(left.sources[source]).calls
    assert [row(call) for call in found] == [("weather", {"city": "Paris"}, "c1", MISSING, False, 0)]


# ----------------------------------------------------------------------------------------- the scores


def noticing(request: Any) -> dict[str, Any]:
    """A judge whose score is the share of some facts that it is shown."""
    facts = ("weather", "Rome", "Error: boom", "flaky", "sunny in Paris", "no such fact")
    shown = str(request)
    return {question.id: {"score": _share(facts, shown), "reasoning": ""} for question in request.questions}


def _share(facts: tuple[str, ...], shown: str) -> float:
    return 100 * sum(fact in shown for fact in facts) / len(facts)


ASKED: Final = [
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"name": name, "args": args, "id": id_} for name, args, id_ in decision],
    }
    for decision in REPLIES["in sequence, at once, failing, made again"]
    if not isinstance(decision, str)
]
NAMES: Final = ["weather", {"parallel": ["add", "weather", "facts"]}, "flaky", "flaky"]
GIVEN: Final = [
    {"name": "weather", "args": {"city": "Rome"}},
    {"name": "flaky", "args": {"x": 2}},
    {"name": "flaky", "args": {"x": 3}},
]
RETURNED: Final = [
    {"name": "facts", "output": {"city": "Rome", "numbers": [1, True, None]}},
    {"name": "flaky", "output": "Error: boom"},
    {"name": "weather", "output": "sunny in Rome"},
    {"name": "add", "output": "4"},
]

EVALUATORS: Final[list[tuple[Any, dict[str, Any], Any, float | bool]]] = [
    (trajectory_match, {"trajectory_match_mode": "unordered"}, ASKED, True),
    (trajectory_match, {"trajectory_match_mode": "superset"}, ASKED[:2], True),
    (trajectory_match, {"trajectory_match_mode": "subset"}, ASKED[:2], False),
    (trajectory_match, {"trajectory_match_mode": "subset", "partial": True}, ASKED[:2], 4 / 6),
    (trajectory_match, {"trajectory_match_mode": "unordered", "failed_calls": "ignore"}, ASKED, False),
    (
        trajectory_match,
        {"trajectory_match_mode": "unordered", "tool_args_match_overrides": {"flaky": "ignore"}},
        [*ASKED[:2], ASKED[3], ASKED[3]],
        True,
    ),
    (trajectory_match, {"retries": "last"}, ASKED, True),
    (tool_call_order, {}, NAMES, 1.0),
    (tool_call_order, {"strict": True}, NAMES, 1.0),
    (tool_call_order, {}, ["add", "facts", "weather"], 1.0),
    (tool_call_order, {"parallel": "ordered"}, ["add", "facts", "weather"], 2 / 3),
    (tool_call_order, {"failed_calls": "ignore", "strict": True}, NAMES[:-1], 1.0),
    (tool_call_order, {"rules": {"before": [["weather", "flaky"]], "at_most": {"flaky": 1}}}, None, 0.0),
    (tool_call_count, {}, {"weather": 2, "flaky": ["<", 2], "*": 6}, 2 / 3),
    (tool_call_count, {"failed_calls": "ignore"}, {"flaky": 1}, 1.0),
    (tool_call_args, {}, GIVEN, 2 / 3),
    (tool_call_args, {"strict": True}, GIVEN[:2], 1.0),
    (tool_call_args, {"measure": "precision"}, GIVEN[:2], 2 / 6),
    (tool_call_args, {"failed_calls": "ignore"}, [{"name": "flaky", "args": {"x": 1}}], 0.0),
    (tool_call_args, {"subset": True}, [{"name": "add", "args": {"b": 2}}], 1.0),
    (tool_call_output, {}, RETURNED, 3 / 4),
    (tool_call_output, {"failed_calls": "ignore"}, RETURNED[1:2], 0.0),
    (llm_judge_trajectory, {"judge": noticing}, "asks for the weather", 5 / 6),
    (llm_judge_trajectory_simulation, {"judge": noticing}, "asks for the weather", 5 / 6),
]
LABELS: Final = [f"{one.__name__} {number}" for number, (one, *_) in enumerate(EVALUATORS)]


def scored(declare: Any, options: dict[str, Any], outputs: Any, reference: Any) -> Any:
    """The score, the same from the sync and the async evaluator."""
    given = {"outputs": outputs} | ({} if reference is None else {"reference_outputs": reference})
    sync: Any = evaluator(declare)(**options)
    awaited: Any = async_evaluator(declare)(**options)
    result = sync(**given)
    assert asyncio.run(awaited(**given)) == result
    assert result["extra"]["status"] == "graded", result
    return result["score"]


def known() -> Left:
    left: Left = run("in sequence, at once, failing, made again")
    return left


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("declare", "options", "reference", "score"), EVALUATORS, ids=LABELS)
def test_the_same_score_from_every_source(
    declare: Any, options: dict[str, Any], reference: Any, score: Any, source: str
) -> None:
    assert scored(declare, options, known().sources[source], reference) == pytest.approx(score)


@pytest.mark.parametrize("source", STEPS)
@pytest.mark.parametrize("other", STEPS)
def test_a_run_is_its_own_reference(source: str, other: str) -> None:
    sources = known().sources
    assert scored(trajectory_match, {}, sources[source], sources[other]) is True


ORDERS: Final = list(itertools.permutations(range(3)))[1:]


UNORDERED: Final = [one for one in EVALUATORS if one[1].get("parallel") != "ordered"]
"""All but those that are told that the order of calls made at once counts."""


@functools.cache
def permuted(order: tuple[int, ...]) -> Left:
    replies = list(REPLIES["in sequence, at once, failing, made again"])
    replies[1] = [call for at in order if isinstance(call := replies[1][at], tuple)]
    return run_agent(replies)


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize(("declare", "options", "reference", "score"), UNORDERED)
def test_the_order_of_calls_made_at_once_means_nothing(
    declare: Any, options: dict[str, Any], reference: Any, score: Any, order: tuple[int, ...]
) -> None:
    for source in ("messages", "spans", "runs"):
        given = permuted(order).sources[source]
        assert scored(declare, options, given, reference) == pytest.approx(score), source
