"""What is asked of a judge and what of its answers counts: the flow driven by hand, no judge at all."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.compare import Outcome
from fieldwise.core.flow import Answer, JudgeFailure, JudgeRequest, Question, Verdict
from fieldwise.scorers.judging import Judged, NoAnswer, ask, judge_outcomes, read_answer

Q = Question("q", "q", "alike", "a", "b")
PERCENT = Question("p", "p", "alike", "a", "b", "percent")
UNIT = Question("u", "u", "alike", "a", "b", "unit")


def play(flow: Any, *replies: Verdict | JudgeFailure) -> tuple[list[JudgeRequest], Any]:
    """Drive a flow with replies; return its requests and its result."""
    asked = [next(flow)[0]]
    for reply in replies:
        try:
            asked.append(flow.send([reply])[0])
        except StopIteration as done:
            return asked, done.value
    raise AssertionError("it asks once more")


def verdict(**answers: Any) -> Verdict:
    return Verdict(answers)


class NoText:
    def __repr__(self) -> str:
        raise RuntimeError


BOOLEAN = "which is {}; a boolean was asked for"
NUMBER = "which is {}; a number from 0 to 1 was asked for"
ANSWERS: list[tuple[Question, Any, Answer | str]] = [
    (Q, True, Answer(True)),
    (Q, False, Answer(False)),
    (Q, np.True_, Answer(True)),
    (Q, {"score": True, "reasoning": "r"}, Answer(True, "r")),
    (Q, {"score": False, "reasoning": 5}, Answer(False)),
    (Q, {"score": False, "more": 1}, Answer(False)),
    (Q, Answer(True, "r"), Answer(True, "r")),
    (Q, Answer(0.5), f"answered '0.5', {BOOLEAN.format('float')}"),
    (Q, {"reasoning": "r"}, "answered without a score"),
    (Q, {}, "answered without a score"),
    (Q, {"score": True, "error": "over\nload"}, "answered with an error: over load"),
    (Q, {"score": True, "error": {"code": 5}}, "answered with an error: {'code': 5}"),
    (Q, {"score": True, "error": ValueError("x")}, "answered with an error: ValueError('x')"),
    (Q, {"error": "bad"}, "answered with an error: bad"),
    (Q, {"score": True, "error": None}, Answer(True)),
    (Q, {"score": True, "error": ""}, Answer(True)),
    (Q, {"score": True, "error": {}}, Answer(True)),
    (Q, {"score": None}, f"answered 'None', {BOOLEAN.format('NoneType')}"),
    (Q, 1, f"answered '1', {BOOLEAN.format('int')}"),
    (Q, 1.0, f"answered '1.0', {BOOLEAN.format('float')}"),
    (Q, "true", f"answered 'true', {BOOLEAN.format('str')}"),
    (Q, None, f"answered 'None', {BOOLEAN.format('NoneType')}"),
    (Q, [True], f"answered '[True]', {BOOLEAN.format('list')}"),
    (Q, "x\n" * 100, f"answered '{'x ' * 29}x…', {BOOLEAN.format('str')}"),
    (Q, 10**5000, f"answered 'an integer of 16,610 bits', {BOOLEAN.format('int')}"),
    (Q, NoText(), f"answered 'a NoText', {BOOLEAN.format('NoText')}"),
    (UNIT, 0, Answer(0)),
    (UNIT, 1.0, Answer(1.0)),
    (UNIT, np.float32(0.5), Answer(0.5)),
    (UNIT, {"score": 0.25}, Answer(0.25)),
    (UNIT, True, f"answered 'True', {NUMBER.format('bool')}"),
    (UNIT, "0.5", f"answered '0.5', {NUMBER.format('str')}"),
    (UNIT, Decimal("0.5"), f"answered \"Decimal('0.5')\", {NUMBER.format('Decimal')}"),
    (UNIT, 1.5, "answered '1.5', which is not from 0 to 1"),
    (UNIT, -0.1, "answered '-0.1', which is not from 0 to 1"),
    (UNIT, math.nan, "answered 'nan', which is not from 0 to 1"),
    (UNIT, np.float64("nan"), "answered 'nan', which is not from 0 to 1"),
    (UNIT, NoAnswer("cut off"), "cut off"),
    (PERCENT, 0, Answer(0)),
    (PERCENT, 100.0, Answer(100.0)),
    (PERCENT, 101, "answered '101', which is not from 0 to 100"),
    (
        PERCENT,
        0.5,
        "answered '0.5', which may be of a scale from 0 to 1; a number from 0 to 100 was asked for",
    ),
]


@pytest.mark.parametrize(("question", "raw", "found"), ANSWERS, ids=range(len(ANSWERS)))
def test_read_answer(question: Question, raw: Any, found: Answer | str) -> None:
    assert read_answer(question, raw) == found


@pytest.mark.parametrize("zero", [-0.0, np.float64(-0.0), {"score": -0.0}, Answer(-0.0)])
@pytest.mark.parametrize("question", [UNIT, PERCENT, Question("c", "c", "", "", "", "choice", (0, 0.5))])
def test_a_zero_has_no_sign(question: Question, zero: Any) -> None:
    found = read_answer(question, zero)
    assert isinstance(found, Answer)
    assert (found.score, math.copysign(1, found.score)) == (0, 1)


def test_every_question_answered_is_one_request() -> None:
    other = Question("o", "o", "alike", 1, 2)
    requests, judged = play(ask([Q, other]), Verdict({"q": True, "o": False, "nobody asked": True}))
    assert requests == [JudgeRequest((Q, other))]
    assert judged.answers == {"q": Answer(True), "o": Answer(False)}
    assert (judged.reasons, judged.usage) == ({}, {"judge_calls": 1})


def test_what_has_no_valid_answer_is_asked_once_more_by_itself() -> None:
    other, third = Question("o", "o", "alike", 1, 2), Question("t", "t", "alike", 1, 2)
    first = verdict(q=True, o="yes")
    requests, judged = play(ask([Q, other, third]), first, verdict(q=False, o=True))
    problems = {"o": f"answered 'yes', {BOOLEAN.format('str')}", "t": "not answered"}
    assert requests[1] == JudgeRequest((other, third), attempt=2, problems=problems)
    assert judged.answers == {"q": Answer(True), "o": Answer(True)}
    assert judged.reasons == {"t": "not answered"}
    assert judged.usage == {"judge_calls": 2}


def test_a_judge_that_fails_is_not_asked_again() -> None:
    requests, judged = play(ask([Q]), JudgeFailure("down"))
    assert len(requests) == 1
    assert (judged.answers, judged.reasons, judged.status) == ({}, {"q": "down"}, "judge_error")


def test_a_judge_that_fails_the_second_time_keeps_the_first_answers() -> None:
    other = Question("o", "o", "alike", 1, 2)
    _, judged = play(ask([Q, other]), verdict(q=True), JudgeFailure("down"))
    assert (judged.answers, judged.reasons) == ({"q": Answer(True)}, {"o": "down"})


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["q", "u", "x"]),
            st.sampled_from([True, False, 0, 1, 0.5, 2, None, "yes", math.nan, {}, {"score": True}]),
        ).map(Verdict)
        | st.just(JudgeFailure("down")),
        min_size=2,
        max_size=2,
    )
)
def test_every_question_ends_as_a_valid_answer_or_a_reason(replies: list[Any]) -> None:
    requests, judged = play(ask([Q, UNIT]), *replies)
    assert len(requests) <= 2
    assert {*judged.answers, *judged.reasons} == {"q", "u"}
    assert not set(judged.answers) & set(judged.reasons)
    if "q" in judged.answers:
        assert isinstance(judged.answers["q"].score, bool)
    if "u" in judged.answers:
        assert not isinstance(judged.answers["u"].score, bool)
        assert 0 <= judged.answers["u"].score <= 1


@pytest.mark.parametrize(
    ("usages", "total"),
    [
        ([{"tokens": 7, "cost": 0.5}, {"tokens": 3}], {"tokens": 10, "cost": 0.5}),
        ([{"tokens": True, "x": "7", "y": None}, {}], {}),
        ([{"a": math.nan, "b": math.inf, "c": 10**400, "d": -5}, {}], {"d": -5}),
        ([{1: 2}, {"1": 3}], {"1": 5}),
        ([None, "usage"], {}),
    ],
)
def test_usage_is_summed_and_stays_json(usages: list[Any], total: dict[str, Any]) -> None:
    judged = Judged()
    for usage in usages:
        judged.take([], Verdict({}, usage))
    assert judged.usage == {"judge_calls": 2, **total}
    assert json.loads(json.dumps(judged.usage, allow_nan=False)) == judged.usage


# --------------------------------------------------------------------------------------- outcomes


def outcome(name: str, expected: Any, actual: Any, criterion: str = "alike") -> Outcome:
    return Outcome(name, None, expected, actual, comparator="judge", criterion=criterion)


def test_equal_questions_are_asked_once_and_names_stay_unique() -> None:
    asked = [
        outcome("a", 1, 2),
        outcome("a", 1, 2),
        outcome("a", 1, True),
        outcome("a#2", 1, 5),
        outcome("b", 1, 2),
        outcome("b", 1, 2, "other"),
    ]
    answers = {
        "a": True,
        "a#2": {"score": False, "reasoning": "no"},
        "a#2#2": True,
        "a#2#1": True,
        "b": False,
    }
    requests, _ = play(judge_outcomes(asked), Verdict(answers), Verdict({}))
    ids = [(question.id, question.field, question.actual) for question in requests[0].questions]
    assert len({identity for identity, _, _ in ids}) == len(ids) == 4
    assert ids[:2] == [("a", "a", 2), ("a#2", "a", True)]
    assert [(one.score, one.reason) for one in asked[:3]] == [(1.0, None), (1.0, None), (0.0, "no")]
    assert asked[4].score == 1.0
    assert (asked[5].score, asked[5].status) == (0.0, "graded")


@pytest.mark.parametrize(("kept", "reason"), [(True, "because"), (False, None)])
def test_reasons_are_kept_if_wanted(kept: bool, reason: str | None) -> None:
    (one,) = asked = [outcome("a", 1, 2)]
    reply = verdict(a={"score": True, "reasoning": "because"})
    requests, usage = play(judge_outcomes(asked, use_reasoning=kept), reply)
    assert requests[0].reasoning is kept
    assert (one.score, one.status, one.reason) == (1.0, "graded", reason)
    assert usage == {"judge_calls": 1}


def test_what_is_not_answered_becomes_a_judge_error() -> None:
    (one,) = asked = [outcome("a", 1, 2)]
    play(judge_outcomes(asked), verdict(a="?"), verdict())
    assert (one.score, one.status, one.reason) == (None, "judge_error", "not answered")


def test_a_failure_gives_its_status_and_reason() -> None:
    (one,) = asked = [outcome("a", 1, 2)]
    play(judge_outcomes(asked), JudgeFailure("budget spent", status="not_evaluated"))
    assert (one.score, one.status, one.reason) == (None, "not_evaluated", "budget spent")


STRANGE = "not answered under its id, 'q'; answers came under"


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({}, "not answered"),
        ({"score": True, "reasoning": "so"}, f"{STRANGE} 'score', 'reasoning'"),
        (dict.fromkeys("abcdefg", True), f"{STRANGE} 'a', 'b', 'c', 'd', 'e'"),
    ],
    ids=["nothing", "the answer itself", "many"],
)
def test_answers_under_other_ids_are_told(answers: dict[str, Any], reason: str) -> None:
    requests, judged = play(ask([Q]), Verdict(answers), Verdict(answers))
    assert judged.reasons == {"q": reason}
    assert requests[1].problems == {"q": reason}
