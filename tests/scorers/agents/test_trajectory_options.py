"""trajectory_match: what it says is wrong, partial credit, every form of a run, and its options."""

from __future__ import annotations

import json
import math
from typing import Any, Final

import numpy as np
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

import fieldwise
from fieldwise.evaluators.trajectories import create_trajectory_match_evaluator
from fieldwise.scorers.agents import matching as _matching
from fieldwise.scorers.agents.trajectory import trajectory_match
from tests.scorers.agents.match_forms import MODES, matched, plain, talk

# ---------------------------------------------------------------------------------------------- reasons

A: Final = ("a", {"x": 1, "o": {"u": [1, 2]}})
B: Final[tuple[str, Any]] = ("b", {})


@pytest.mark.parametrize(
    ("outputs", "reference", "options", "comment"),
    [
        (
            [("a", {"o": {"u": [1, 3]}})],
            [A],
            {},
            (
                "step 0, tool a, argument x: expected 1, missing; "
                "step 0, tool a, argument o.u[1]: expected 2, got 3"
            ),
        ),
        ([("a", {**A[1], "z": 0})], [A], {}, "step 0, tool a, argument z: got 0, not expected"),
        (
            [("a", {"z": 0})],
            [("a", {"x": 1})],
            {"tool_args_match_mode": "superset"},
            "step 0, tool a, argument x: expected 1, missing",
        ),
        (
            [("a", {"z": 0})],
            [("a", {"x": 1})],
            {"tool_args_match_mode": "subset"},
            "step 0, tool a, argument z: got 0, not expected",
        ),
        (
            [("a", {"x": 1})],
            [A],
            {"tool_args_match_overrides": {"a": ["o.u", "x"]}},
            "step 0, tool a, argument o.u: expected [1,2], missing",
        ),
        (
            [("a", {"x": 1})],
            [("a", {"x": 1})],
            {"tool_args_match_overrides": {"a": ["nowhere"]}},
            "step 0, tool a, argument nowhere: neither has it",
        ),
        (
            [("a", {"x": 1})],
            [("a", {"x": 2})],
            {"tool_args_match_overrides": {"a": lambda one, other: one == other}},
            'step 0, tool a: arguments, by its own matcher: expected {"x":2}, got {"x":1}',
        ),
        ([B], [A], {}, "step 0: expected tool a, got tool b"),
        ([], [A], {}, "step 0, tool a: missing"),
        ([A], [], {}, "step 0, tool a: not expected"),
        ([B, A], [A], {}, "step 0, tool b: not expected"),
        ([B, A], [A, B], {}, "step 0, tool a: missing; step 1, tool a: not expected"),
        ([B, A], [A], {"trajectory_match_mode": "subset"}, "step 0, tool b: not expected"),
        ([A], [A, B], {"trajectory_match_mode": "superset"}, "step 1, tool b: missing"),
        (
            [("c", {}), B],
            [A, B],
            {"trajectory_match_mode": "unordered"},
            "step 0: expected tool a, got tool c",
        ),
        (
            [("t", {})],
            [(f"t{at}", {}) for at in range(8)],
            {},
            (
                "step 0: expected tool t0, got tool t; step 1, tool t1: missing; step 2, tool t2: missing; "
                "step 3, tool t3: missing; step 4, tool t4: missing; and 3 more"
            ),
        ),
    ],
)
def test_reasons(outputs: Any, reference: Any, options: dict[str, Any], comment: str) -> None:
    found = matched({"tool_calls": plain(*outputs)}, {"tool_calls": plain(*reference)}, **options)
    assert (found["score"], found["comment"]) == (False, comment)


def test_reasons_of_messages() -> None:
    shorter = talk([A])[:-1]
    assert matched(shorter, talk([A]))["comment"] == 'message 3: expected role "assistant", missing'
    assert matched(talk([A]), shorter)["comment"] == 'message 3: got role "assistant", not expected'
    spoken = [{"role": "system", "content": "Be brief."}, *talk([A])[1:]]
    found = matched(spoken, talk([A]))
    assert found["comment"] == 'message 0: expected role "user", got "system"'
    assert found["extra"]["differences"] == [
        {"message": 0, "expected": "user", "got": "system", "reason": found["comment"]}
    ]


def test_reasons_are_bounded() -> None:
    many = plain(*((f"t{at}", {"x": "y" * 5_000}) for at in range(80)))
    found = matched({"tool_calls": many}, {"tool_calls": []}, trajectory_match_mode="unordered")
    assert len(found["extra"]["differences"]) == 50
    assert found["extra"]["more_differences"] == 30
    assert found["comment"].endswith("; and 75 more")
    assert max(len(json.dumps(one)) for one in found["extra"]["differences"]) < 3_000


def test_too_many_steps_are_compared_place_by_place() -> None:
    one, other = ([("s", {"at": at + more}) for at in range(300)] for more in (0, 1))
    found = matched({"tool_calls": plain(*one)}, {"tool_calls": plain(*other)})
    assert found["extra"]["pairing"] == "300 x 300 steps that differ: compared place by place"
    assert found["comment"].startswith("step 0, tool s, argument at: expected 1, got 0; step 1, tool s")
    one.insert(150, ("t", {}))
    found = matched({"tool_calls": plain(*one)}, {"tool_calls": plain(*one[:150], *one[151:])})
    assert (found["comment"], "pairing" in found["extra"]) == ("step 150, tool t: not expected", False)


def test_beyond_the_nearest_calls_are_taken_in_order() -> None:
    one, other = ([("s", {"at": at * sign}) for at in range(1, 80)] for sign in (1, -1))
    found = matched(
        {"tool_calls": plain(*one)}, {"tool_calls": plain(*other)}, trajectory_match_mode="unordered"
    )
    assert len(found["extra"]["differences"]) + found["extra"]["more_differences"] == 79
    assert all(one["argument"] == "at" for one in found["extra"]["differences"])


def test_a_right_answer_says_how_much() -> None:
    found = matched(talk([A], [B]), talk([A]), trajectory_match_mode="superset")
    assert (found["score"], found["comment"]) == (True, None)
    counts = {key: found["extra"][key] for key in ("matched", "calls", "expected_calls", "passed")}
    assert counts == {"matched": 1, "calls": 2, "expected_calls": 1, "passed": True}


# -------------------------------------------------------------------------------------- partial credit

C: Final = ("c", {"x": 1})


@pytest.mark.parametrize(
    ("mode", "outputs", "reference", "score"),
    [
        ("unordered", [[A], [B]], [[B], [A]], 1.0),
        ("unordered", [[A]], [[A], [B]], 0.5),
        ("unordered", [[A], [B], [B], [B]], [[A]], 0.25),
        ("superset", [[A], [B], [C]], [[A], [C]], 1.0),
        ("superset", [[A]], [[A], [B], [C], [C]], 0.25),
        ("subset", [[A]], [[A], [B]], 1.0),
        ("subset", [[A], [C]], [[A], [B]], 0.5),
        ("subset", [], [[A]], 1.0),
        ("strict", [[A], [B]], [[A], [B]], 1.0),
        ("strict", [[A, B]], [[B, A]], 1.0),
        ("strict", [[C]], [[A]], 0.0),
        ("strict", [[A, C]], [[A, B]], 0.5),
        ("strict", [[C], [A], [B]], [[A], [B]], 2 / 3),
        ("strict", [], [], 1.0),
    ],
)
def test_partial(mode: str, outputs: Any, reference: Any, score: float) -> None:
    found = matched(talk(*outputs), talk(*reference), trajectory_match_mode=mode, partial=True)
    assert found["score"] == pytest.approx(score)
    assert isinstance(found["score"], float)
    assert (found["comment"] is None) == (score == 1)
    assert matched(talk(*outputs), talk(*reference), trajectory_match_mode=mode)["score"] is (score == 1)


def test_partial_of_messages_alone() -> None:
    """All calls are right; one message of four is missing."""
    assert matched(talk([A])[:-1], talk([A]), partial=True)["score"] == 0.75


def test_partial_passes_at_its_threshold() -> None:
    options: dict[str, Any] = {"trajectory_match_mode": "superset", "partial": True, "threshold": 0.5}
    found = matched(talk([A]), talk([A], [B]), **options)
    assert (found["score"], found["extra"]["passed"]) == (0.5, True)


def test_an_output_that_is_none_has_no_partial_credit() -> None:
    found = matched(None, talk([A]), partial=True)
    assert (found["score"], found["extra"]["status"]) == (0.0, "invalid_output")
    assert isinstance(found["score"], float)


# ---------------------------------------------------------------------------------------------- sources

LANGCHAIN: Final = [
    HumanMessage("Well?"),
    AIMessage("", tool_calls=[{"name": "a", "args": A[1], "id": "1"}, {"name": "b", "args": {}, "id": "2"}]),
    ToolMessage("ok", tool_call_id="1"),
    ToolMessage("ok", tool_call_id="2"),
    AIMessage("So."),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "outputs",
    [
        talk([A, B]),
        talk([B, A]),
        {"messages": talk([A, B])},
        LANGCHAIN,
        {"messages": LANGCHAIN},
        json.dumps(talk([A, B])),
        {"output": talk([A, B])},
        {"tool_calls": plain(A, B)},
        {"tool_calls": plain(B, A)},
        [{**call, "group": 7} for call in plain(B, A)],
    ],
    ids=[
        "openai",
        "permuted",
        "state",
        "langchain",
        "langgraph",
        "text",
        "wrapped",
        "calls",
        "other",
        "group",
    ],
)
def test_one_run_in_every_form(mode: str, outputs: Any) -> None:
    """A plain list does not say what was called at once; one that does says so with `group`."""
    assert matched(outputs, talk([A, B]), trajectory_match_mode=mode)["score"] is True
    assert matched(talk([A, B]), outputs, trajectory_match_mode=mode)["score"] is True
    found = matched(outputs, talk([A, C]), trajectory_match_mode=mode)
    assert found["score"] is False
    told = {"subset": ", tool b: not expected", "superset": ", tool c: missing"}
    assert found["comment"].endswith(told.get(mode, ": expected tool c, got tool b"))


def test_strict_compares_decisions_where_there_are_no_messages() -> None:
    grouped = [{**call, "group": at} for at, call in enumerate(plain(A, B))]
    assert matched(grouped, talk([A], [B]))["score"] is True
    together = [{**call, "group": 7} for call in plain(A, B)]
    assert (
        matched(together, talk([A], [B]))["comment"]
        == "step 0, tool b: not expected; step 1, tool b: missing"
    )


def test_columns() -> None:
    outputs, reference = {"run": talk([A]), "cost": 1}, {"best": talk([A])}
    options = {"outputs_key": "run", "correct_answer_key": "best"}
    assert matched(outputs, reference, **options)["score"] is True
    evaluate = create_trajectory_match_evaluator(correct_answer_key="best")
    found: Any = evaluate(inputs=reference, outputs=talk([A]))
    assert found["score"] is True


def test_no_reference() -> None:
    evaluate = create_trajectory_match_evaluator()
    found: Any = evaluate(outputs=talk([A]))
    assert (found["score"], found["comment"]) == (None, "no reference_outputs were given")


# --------------------------------------------------------------------------------- failed calls, retries


def retried() -> list[dict[str, Any]]:
    """A call that fails, and again with success."""
    failed = {"role": "tool", "tool_call_id": "c0", "content": "busy", "status": "error"}
    found = talk([A], [A])
    return [*found[:2], failed, *found[3:]]


@pytest.mark.parametrize(
    ("options", "strict"),
    [
        ({}, "step 1, tool a: not expected"),
        ({"failed_calls": "ignore"}, None),
        ({"retries": "last"}, None),
    ],
)
def test_retries(options: dict[str, Any], strict: str | None) -> None:
    found = matched(retried(), talk([A]), trajectory_match_mode="unordered", **options)
    assert found["comment"] == strict
    found = matched(retried(), talk([A]), **options)
    assert found["score"] is (strict is None)


# -------------------------------------------------------------------------------------------- overrides


def test_overrides_are_the_agents_arguments_first() -> None:
    seen = []

    def matcher(args: dict[str, Any], reference: dict[str, Any]) -> bool:
        seen.append((args, reference))
        return True

    overrides = {"a": matcher}
    for mode in MODES:
        seen.clear()
        options = {"trajectory_match_mode": mode, "tool_args_match_overrides": overrides}
        assert matched(talk([("a", {"mine": 1})]), talk([("a", {"yours": 1})]), **options)["score"] is True
        assert seen
        assert all(one == ({"mine": 1}, {"yours": 1}) for one in seen)


def test_overrides_are_for_their_tool() -> None:
    overrides: Any = {"a": "ignore", "b": ["x"], "c": []}
    options = {"trajectory_match_mode": "unordered", "tool_args_match_overrides": overrides}
    other = [("a", {}), ("b", {"x": 1, "y": 2}), ("c", {"z": 1})]
    assert matched(talk([A, ("b", {"x": 1}), ("c", {"z": 1})]), talk(other), **options)["score"] is True
    assert matched(talk([A, ("b", {"x": 2}), ("c", {"z": 1})]), talk(other), **options)["score"] is False
    assert matched(talk([A, ("b", {"x": 1}), ("c", {"z": 2})]), talk(other), **options)["score"] is False


def test_options_are_copied() -> None:
    overrides: Any = {"a": "ignore"}
    evaluate: Any = create_trajectory_match_evaluator(tool_args_match_overrides=overrides)
    overrides.clear()
    assert evaluate(outputs=talk([("a", {})]), reference_outputs=talk([A]))["score"] is True


def test_decode_twice() -> None:
    calls = [{"name": "a", "arguments": json.dumps(json.dumps(A[1]))}]
    assert matched({"tool_calls": calls}, {"tool_calls": plain(A)}, decode_twice=True)["score"] is True
    assert matched({"tool_calls": calls}, {"tool_calls": plain(A)})["score"] is False


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("answer", "score"), [(True, True), (False, False), (1, True), (0.0, False), (np.bool_(True), True)]
)
def test_what_a_callable_answers(mode: str, answer: Any, score: bool) -> None:
    options = {"trajectory_match_mode": mode, "tool_args_match_overrides": {"a": lambda *_: answer}}
    found = matched(talk([A]), talk([("a", {})]), **options)
    assert (found["score"], found["extra"]["status"]) == (score, "graded")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("answer", ["no", "", None, math.nan, 0.5, 2, {}, [True], np.arange(2)], ids=repr)
def test_a_callable_that_answers_neither_yes_nor_no(mode: str, answer: Any) -> None:
    options = {"trajectory_match_mode": mode, "tool_args_match_overrides": {"a": lambda *_: answer}}
    found = matched(talk([A]), talk([("a", {})]), **options)
    said = f"tool_args_match_overrides['a'] returned {answer!r}; it must be True or False"
    assert (found["score"], found["extra"]["status"], found["comment"]) == (None, "not_evaluated", said)


# ------------------------------------------------------------------------------------- options, refused


async def an_async_one(_: Any, __: Any) -> bool:
    return False


class AsyncMatcher:
    async def __call__(self, _: Any, __: Any) -> bool:
        return False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"trajectory_match_mode": "super"},
            (
                "trajectory_match_mode='super': must be one of 'strict', 'unordered', 'subset', 'superset'; "
                "did you mean 'superset'?"
            ),
        ),
        (
            {"tool_args_match_mode": "exakt"},
            (
                "tool_args_match_mode='exakt': must be one of 'exact', 'subset', 'superset', 'ignore'; "
                "did you mean 'exact'?"
            ),
        ),
        (
            {"tool_args_match_overrides": {"a": "ignored"}},
            (
                "tool_args_match_overrides['a']='ignored': must be one of 'exact', 'subset', 'superset', "
                "'ignore'; did you mean 'ignore'?"
            ),
        ),
        (
            {"tool_args_match_overrides": {"a": 5}},
            (
                "tool_args_match_overrides['a']=5: must be a mode ('exact', 'ignore', 'subset', 'superset'), "
                "a list of keys or paths, or a callable(arguments, reference_arguments) -> bool"
            ),
        ),
        ({"tool_args_match_overrides": {"a": ["$.x["]}}, "tool_args_match_overrides['a']: "),
        (
            {"tool_args_match_overrides": {"a": [1]}},
            "tool_args_match_overrides['a']: 1 must be text, a key or a path",
        ),
        (
            {"tool_args_match_overrides": ["a"]},
            "tool_args_match_overrides=['a']: must be a mapping from path to value, {'a.b': …}",
        ),
        (
            {"tool_args_match_overrides": {"a": an_async_one}},
            (
                "tool_args_match_overrides['a']=an_async_one: it is async; "
                "give a callable(arguments, reference_arguments) -> bool"
            ),
        ),
        (
            {"tool_args_match_overrides": {"a": AsyncMatcher()}},
            (
                "tool_args_match_overrides['a']=AsyncMatcher: it is async; "
                "give a callable(arguments, reference_arguments) -> bool"
            ),
        ),
        (
            {"tool_args_match_overrides": {"a": len}},
            (
                "tool_args_match_overrides['a']=len: it does not take two values "
                "(too many positional arguments); give a callable(arguments, reference_arguments) -> bool"
            ),
        ),
        ({"partial": 1}, "partial=1: must be True or False"),
        ({"failed_calls": "drop"}, "failed_calls='drop': must be one of 'count', 'ignore'"),
        ({"retries": "first"}, "retries='first': must be one of 'count', 'last'"),
        ({"threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
        ({"feedback_key": ""}, "feedback_key='': must be text, and not empty"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        trajectory_match(**options)
    if message.endswith(": "):
        assert str(caught.value).startswith(message)
    else:
        assert str(caught.value) == message


def test_a_key_of_its_own() -> None:
    assert matched([], [], feedback_key="tools")["key"] == "tools"


# --------------------------------------------------------------------------------------- the nearest


@pytest.mark.parametrize("mode", ["unordered", "superset"])
def test_what_is_wrong_is_told_of_the_call_with_the_fewest_faults(mode: str) -> None:
    made = plain(("s", {"q": 1, "n": 3, "z": 1, "y": 1}), ("s", {"q": 2, "n": 9}))
    found = matched(made, plain(("s", {"q": 1, "n": 9})), trajectory_match_mode=mode)
    assert found["extra"]["differences"][0]["reason"] == "step 0, tool s, argument q: expected 1, got 2"


@pytest.mark.parametrize(
    ("made", "expected", "comment"),
    [
        (
            [("s", {"q": 2, "n": 3})],
            [("s", {"q": 1, "n": 9}), ("s", {"q": 2, "n": 9})],
            "step 0, tool s: missing; step 1, tool s, argument n: expected 9, got 3",
        ),
        (
            [("t", {}), ("s", {"q": 5, "n": 5}), ("s", {"q": 1, "n": 3})],
            [("s", {"q": 1, "n": 9})],
            (
                "step 0, tool t: not expected; step 1, tool s: not expected; "
                "step 0, tool s, argument n: expected 9, got 3"
            ),
        ),
        (
            [("t", {"q": 1}), ("s", {"q": 2})],
            [("s", {"q": 1}), ("t", {"q": 2})],
            "step 0: expected tool s, got tool t; step 1: expected tool t, got tool s",
        ),
    ],
)
def test_strict_sets_steps_beside_the_nearest_where_one_side_has_more(
    made: list[Any], expected: list[Any], comment: str
) -> None:
    assert matched(plain(*made), plain(*expected))["comment"] == comment


def test_a_callable_is_told_of_the_call_with_the_fewest_differences() -> None:
    found = matched(
        plain(("s", {"q": 5, "n": 5}), ("s", {"q": 1, "n": 3})),
        plain(("s", {"q": 1, "n": 9})),
        trajectory_match_mode="superset",
        tool_args_match_overrides={"s": lambda *_: False},
    )
    assert found["comment"] == (
        'step 0, tool s: arguments, by its own matcher: expected {"n":9,"q":1}, got {"n":3,"q":1}'
    )


def test_wildcards_are_values_like_any_other() -> None:
    wild = plain(("s", {"q": {"$any": True}}))
    assert matched(wild, wild)["score"] is True
    found = matched(plain(("s", {"q": 1})), wild)
    assert found["comment"] == 'step 0, tool s, argument q: expected {"$any":true}, got 1'


# ------------------------------------------------------------------------------------------- columns


@pytest.mark.parametrize(
    ("outputs", "reference", "told"),
    [
        (
            {"state": {"messages": []}},
            [],
            (
                "outputs: no messages, calls, spans or run, but an object with the keys state; "
                "if that is what to read, pass outputs_key='state'"
            ),
        ),
        (
            {"output": {"answer": "x", "run": {"tool_calls": []}, "more": talk()}},
            [],
            (
                "outputs: no messages, calls, spans or run, but an object with the keys answer, run, more; "
                "if that is what to read, pass outputs_key='output.run' or outputs_key='output.more'"
            ),
        ),
        ({"foo": 1}, [], "outputs: no messages, calls, spans or run, but an object with the keys foo"),
        (
            [],
            {"answer": "x", "tools": ["a"]},
            (
                "reference_outputs: no messages, calls, spans or run, but an object with the keys answer, "
                "tools; if that is what to read, pass correct_answer_key='tools'"
            ),
        ),
    ],
)
def test_a_trajectory_that_is_in_a_column_is_found(outputs: Any, reference: Any, told: str) -> None:
    assert matched(outputs, reference)["comment"] == told


def test_the_column_that_is_told_can_be_read() -> None:
    options = {"outputs_key": "output.run", "correct_answer_key": "tools"}
    given = {"output": {"run": {"tool_calls": ["a"]}}}, {"answer": "x", "tools": ["a"]}
    assert matched(*given, **options)["score"] is True


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"outputs_key": "stat"}, "outputs_key='stat': outputs has no key 'stat'; its keys: 'state'"),
        (
            {"correct_answer_key": "tool"},
            "correct_answer_key='tool': reference_outputs has no key 'tool'; its keys: 'tools'",
        ),
    ],
)
def test_a_column_that_is_not_there_names_the_option(options: dict[str, Any], told: str) -> None:
    found = matched({"state": []}, {"tools": []}, **options)
    assert (found["extra"]["status"], found["comment"].partition("; did")[0]) == ("invalid_reference", told)


def test_equal_calls_go_first_where_a_callable_cannot_be_asked_about_every_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_matching, "MAX_ASKED", 100)
    options = {"trajectory_match_mode": "unordered", "partial": True}
    overrides = {"a": lambda args, reference: args["x"] == reference["x"] != 3}
    expected = plain(*[("a", {"x": at}) for at in range(40)])
    made = plain(*[("a", {"x": at}) for at in range(20, 60)])
    found = matched(made, expected, tool_args_match_overrides=overrides, **options)
    assert (found["score"], found["extra"]["matched"]) == (0.5, 20)
    assert found["extra"]["pairing"] == "a: 20 x 20 calls: paired in 4 blocks of the order of their arguments"
    found = matched(expected[::-1], expected, tool_args_match_overrides=overrides, **options)
    assert found["score"] == 39 / 40
