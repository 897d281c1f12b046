"""The laws of the order and the number of calls, and what people reported of such evaluators."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.strategies import json_values, python_values
from tests.scorers.agents.tool_forms import evaluate, said

names = st.sampled_from(["a", "b", "c", "Get Weather", "日本"])
runs = st.lists(st.lists(names, min_size=1, max_size=3), max_size=5)
signs = st.sampled_from(["=", "!=", ">", "<", ">=", "<="])
counts = st.dictionaries(names, st.tuples(signs, st.integers(0, 3)), max_size=3)
rules = st.fixed_dictionaries(
    {},
    optional={
        "before": st.lists(st.tuples(names, names), max_size=2),
        "never": st.lists(names, max_size=2),
        "at_most": st.dictionaries(names, st.integers(0, 3), max_size=2),
        "first": names,
        "last": names,
        "plan": st.lists(names, max_size=3),
    },
).filter(bool)
options = st.fixed_dictionaries(
    {},
    optional={
        "partial": st.booleans(),
        "absent": st.sampled_from(["violated", "satisfied"]),
        "retries": st.sampled_from(["count", "last"]),
        "failed_calls": st.sampled_from(["count", "ignore"]),
    },
)


def messages(run: list[list[str]], fails: int = 0) -> list[dict[str, Any]]:
    """One message for each decision; a call fails where its tool's name and `fails` say so."""
    made: list[dict[str, Any]] = []
    for at, decision in enumerate(run):
        ids = [f"m{at}-{n}" for n, _ in enumerate(decision)]
        calls = [{"name": name, "args": {}, "id": one} for name, one in zip(decision, ids, strict=True)]
        made.append({"role": "assistant", "content": "", "tool_calls": calls})
        for name, one in zip(decision, ids, strict=True):
            status = "error" if (len(name) + at) % 3 < fails else "success"
            made.append({"role": "tool", "content": "r", "tool_call_id": one, "status": status})
    return made


@given(st.tuples(runs, st.integers(0, 2)), runs, st.tuples(rules, counts), options, st.randoms())
@settings(deadline=None)
def test_permuting_parallel_calls_changes_no_score(
    failing: Any, expected: list[list[str]], criteria: Any, given_options: Any, chance: random.Random
) -> None:
    (run, fails), (some_rules, some_counts) = failing, criteria
    shuffled = [chance.sample(decision, len(decision)) for decision in run]
    attempts = {key: given_options[key] for key in ("retries", "failed_calls") if key in given_options}
    for name, reference, chosen in (
        ("tool_call_order", messages(expected), given_options),
        ("tool_call_order", messages(expected), {"strict": True, **attempts}),
        ("tool_call_order", some_rules, given_options),
        ("tool_call_count", some_counts, attempts),
    ):
        scores = {
            evaluate(name, messages(one, fails), reference, **chosen)["score"] for one in (run, shuffled)
        }
        assert len(scores) == 1


@given(runs, st.booleans(), st.sampled_from(["unordered", "ordered"]), st.integers(0, 2))
@settings(deadline=None)
def test_a_run_is_fully_right_beside_itself(
    run: list[list[str]], strict: bool, parallel: str, fails: int
) -> None:
    same = messages(run, fails)
    for attempts in ({}, {"retries": "last"}, {"failed_calls": "ignore"}):
        found = evaluate("tool_call_order", same, same, strict=strict, parallel=parallel, **attempts)
        assert found["score"] == 1.0
    tally = dict(Counter(name for decision in run for name in decision))
    assert evaluate("tool_call_count", same, tally, strict=strict, others="forbid")["score"] == 1.0


@given(st.one_of(python_values, json_values), st.one_of(python_values, json_values))
@settings(deadline=None)
def test_whatever_comes_is_graded_or_refused(outputs: Any, reference: Any) -> None:
    for name in ("tool_call_order", "tool_call_count"):
        evaluate(name, outputs, reference)
        evaluate(name, said("a"), reference)
        evaluate(name, said("a"), {"before": reference, "toolCallsCount": reference, "plan": reference})


def calls(*some: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": name, "args": {}} for name in some]}


PLAN = {"plan": ["auth", {"parallel": ["a", "b"]}, "commit"]}
BEFORE = {"before": [["confirm", "delete"]]}
NOT = {"never": ["hang_up"], "max_calls": {"lookup": 1}}


@pytest.mark.parametrize(
    ("outputs", "reference", "given_options", "score"),
    [
        pytest.param(said("weather match"), said("match weather"), {}, 1.0, id="T05"),
        pytest.param(
            said("weather match"),
            said("match weather"),
            {"strict": True, "parallel": "ordered"},
            0.0,
            id="T05-ordered",
        ),
        pytest.param(calls("auth", "b", "a", "commit"), PLAN, {}, 1.0, id="T06"),
        pytest.param(calls("auth", "b", "commit", "a"), PLAN, {}, 0.0, id="T06-commit-first"),
        pytest.param(calls("search", "search"), calls("search", "search"), {}, 1.0, id="T07"),
        pytest.param(calls("search"), calls("search", "search"), {}, 0.5, id="T07-once"),
        pytest.param(calls("delete", "log", "confirm"), BEFORE, {}, 0.0, id="T21"),
        pytest.param(calls("confirm", "log", "delete"), BEFORE, {}, 1.0, id="T21-confirmed"),
        pytest.param(calls("confirm", "log"), BEFORE, {}, 0.0, id="T21-missing"),
        pytest.param(calls("lookup", "hang_up"), NOT, {}, 0.0, id="T22"),
        pytest.param(calls("lookup"), NOT, {}, 1.0, id="T22-kept"),
        pytest.param(calls("lookup", "lookup"), NOT, {}, 0.0, id="T22-twice"),
    ],
)
def test_reports(outputs: Any, reference: Any, given_options: dict[str, Any], score: float) -> None:
    assert evaluate("tool_call_order", outputs, reference, **given_options)["score"] == score
