"""What a reply amounts to: one row each way a model can answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.flow import Answer, JudgeRequest, Question
from fieldwise.core.prompts import Message, Prompt
from fieldwise.errors import JudgeError
from fieldwise.judges.contract import Words, calls
from fieldwise.judges.interfaces import Reply
from fieldwise.judges.replies import WRAPPERS, verdict
from fieldwise.scorers.judging import read_answer
from tests.laws.strategies import json_values, model_text

TWO = (Question("a", "a", "c", 1, 2), Question("b", "b", "c", 1, 2))
GRADE = Prompt((Message("user", "Grade"),))
A, B = {"score": True, "reasoning": "r"}, {"score": False, "reasoning": "s"}
BOTH = json.dumps({"q1": A, "q2": B})
YES, NO = Answer(True, "r"), Answer(False, "s")


def read(content: Any, questions: Any = TWO, prompt: Any = None, **reply: Any) -> dict[str, Any]:
    """Each question's answer, or what the scorer says is wrong with it."""
    (asked,) = calls(JudgeRequest(questions, prompt=prompt), Words())
    answers = verdict(Reply(content, **reply), asked).answers
    return {one.id: read_answer(one, answers[one.id]) for one in questions if one.id in answers}


# ------------------------------------------------------------------------------------------- shapes

SHAPES: dict[str, Any] = {
    "text": BOTH,
    "object": {"q1": A, "q2": B},
    "fenced": f"```json\n{BOTH}\n```",
    "prose-around": f"Here you are:\n{BOTH}\nAnything else?",
    "thinking": f"<think>Maybe {{}}</think>{BOTH}",
    "trailing-comma": BOTH[:-1] + ",}",
    "nested-once": {"result": {"q1": A, "q2": B}},
    "list-of-one": [{"q1": A, "q2": B}],
    "list-in-nest": {"result": [{"q1": A, "q2": B}]},
    "answers-in-lists": {"q1": [A], "q2": [B]},
    "extra-keys": {"q1": A, "q2": B, "q3": A, "a": B},
    "as-text": {"q1": A | {"score": " TRUE "}, "q2": B | {"score": "false"}},
    "no-error": {"q1": A | {"error": None}, "q2": B | {"error": ""}},
    "several-alike": [BOTH, f"```json\n{BOTH}\n```", {"q1": A, "q2": B}],
    "justification": {"q1": {"justification": "r", "score": True}, "q2": {"comment": "s", "score": False}},
}


@pytest.mark.parametrize("content", [pytest.param(content, id=name) for name, content in SHAPES.items()])
def test_a_shape_that_means_one_thing_is_read(content: Any) -> None:
    assert read(content) == {"a": YES, "b": NO}


@pytest.mark.parametrize("content", [{"q1": True, "q2": False}, '{"q1": "True", "q2": "False"}'])
def test_a_verdict_alone_is_an_answer(content: Any) -> None:
    assert read(content) == {"a": Answer(True), "b": Answer(False)}


SINGLE: dict[str, Any] = {
    "keyed": {"q1": A},
    "flat": A,
    "flat-nested": {"result": A},
    "flat-list": [A],
    "flat-text": json.dumps(A),
}


@pytest.mark.parametrize("prompt", [None, GRADE])
@pytest.mark.parametrize("content", [pytest.param(content, id=name) for name, content in SINGLE.items()])
def test_a_single_question_takes_a_flat_answer(content: Any, prompt: Any) -> None:
    assert read(content, TWO[:1], prompt) == {"a": YES}


REASONS: tuple[tuple[str, Any, str | None], ...] = (
    ("a-number", 7, "7"),
    ("an-object", {"steps": ["x"]}, None),
    ("a-list", ["x"], None),
    ("nothing", None, None),
)


@pytest.mark.parametrize(("given_reason", "told"), [pytest.param(*row[1:], id=row[0]) for row in REASONS])
def test_a_reason_that_is_no_text(given_reason: Any, told: str | None) -> None:
    assert read({"q1": {"justification": given_reason, "score": True}, "q2": B})["a"] == Answer(True, told)


@pytest.mark.parametrize("prompt", [None, GRADE])
@pytest.mark.parametrize("name", ["q2", "q10", "Q1", "note", "a", "name", "score2"])
def test_an_answer_to_something_else_is_no_answer(name: str, prompt: Any) -> None:
    said = f"the judge's reply has none of the keys it was asked for: {str({name: A})!r}"
    assert read({name: A}, TWO[:1], prompt) == {"a": said}


@pytest.mark.parametrize("name", [*sorted(WRAPPERS), "Result"])
def test_a_reply_may_stand_under_a_word_for_it(name: str) -> None:
    assert read({name: {"q1": A, "q2": B}}) == {"a": YES, "b": NO}
    assert read({name: A}, TWO[:1]) == {"a": YES}


@pytest.mark.parametrize("tag", ["think", "Thinking"])
def test_what_a_judge_thinks_before_it_replies_is_no_reply(tag: str) -> None:
    assert read(f'\n<{tag}>Perhaps {{"q1": false}}?\n</{tag}>\n{BOTH}') == {"a": YES, "b": NO}


def test_a_key_that_is_missing_is_not_answered() -> None:
    assert read({"q2": B}) == {"b": NO}


def test_ignored_answers_are_counted() -> None:
    (asked,) = calls(JudgeRequest(TWO), Words())
    reply = Reply({"q1": A, "q2": B, "zz": A}, usage={"input_tokens": 3})
    assert verdict(reply, asked).usage == {"input_tokens": 3, "ignored_answers": 1}


# ------------------------------------------------------------------------------------ without an answer

UNREADABLE: tuple[tuple[str, Any, str | None, str], ...] = (
    (
        "prose",
        "I'm sorry, I can't help.",
        None,
        "the judge's reply holds no JSON: \"I'm sorry, I can't help.\"",
    ),
    ("long-prose", "no " * 50, None, f"the judge's reply holds no JSON: '{('no ' * 27)[:79]}…'"),
    ("empty", "", None, "the judge's reply is empty"),
    ("blank", " \n", None, "the judge's reply is empty"),
    ("nothing", None, None, "the judge's reply is empty"),
    ("cut", '{"q1": {"score": tr', None, 'the judge\'s reply is truncated: \'{"q1": {"score": tr\''),
    (
        "cut-by-limit",
        '{"q1": {"sc',
        "length",
        "the judge's reply was cut at its token limit; raise max_tokens",
    ),
    (
        "limit-and-nothing",
        None,
        "MAX_TOKENS",
        "the judge's reply was cut at its token limit; raise max_tokens",
    ),
    (
        "limit-and-object",
        {"q1": A},
        "length",
        "the judge's reply was cut at its token limit; raise max_tokens",
    ),
    (
        "several",
        '{"q1": true} {"q1": false}',
        None,
        'the judge\'s reply holds several different JSON values: \'{"q1": true} {"q1": false}\'',
    ),
    (
        "twice",
        '{"q1": true, "q1": false}',
        None,
        'the judge\'s reply names a key twice: \'{"q1": true, "q1": false}\'',
    ),
    ("other-keys", {"zz": 1}, None, "the judge's reply has none of the keys it was asked for: \"{'zz': 1}\""),
    ("list", [A, B], None, f"the judge's reply has none of the keys it was asked for: {str([A, B])[:79]!r}"),
    (
        "nested-twice",
        {"result": {"answer": {"q1": A}}},
        None,
        "the judge's reply has none of the keys it was asked for: ",
    ),
    (
        "several-texts",
        ['{"q1": true, "q2": true}', '{"q1": true, "q2": 1}'],
        None,
        "the judge gave several replies that differ: ",
    ),
    (
        "several-and-prose",
        [BOTH, "I would say yes"],
        None,
        "the judge's reply holds no JSON: 'I would say yes'",
    ),
    ("several-and-cut", [BOTH, '{"q1": tr'], "length", "the judge's reply was cut at its token limit"),
    (
        "signs",
        '{"q1": !true, "q2": true}',
        None,
        "the judge's reply cannot be read: not JSON at line 1, column 8",
    ),
    (
        "inner",
        '{q 1: true, "q2": {"q1": true}}',
        None,
        "the judge's reply cannot be read: not JSON at line 1, ",
    ),
    ("flat-for-two", A, None, "the judge's reply has none of the keys it was asked for: "),
)


@pytest.mark.parametrize(
    ("content", "finish", "reason"), [pytest.param(*row[1:], id=row[0]) for row in UNREADABLE]
)
def test_a_reply_that_is_none_says_why_for_every_question(content: Any, finish: Any, reason: str) -> None:
    found = read(content, finish=finish)
    assert found.keys() == {"a", "b"}
    for said in found.values():
        assert isinstance(said, str)
        assert said.startswith(reason)


REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("refusal", {"content": None, "refusal": "I will not"}, "the judge refused: 'I will not'"),
    ("stop-reason", {"content": "No.", "finish": "refusal"}, "the judge refused: 'No.'"),
    (
        "filter",
        {"content": BOTH, "finish": "content_filter"},
        "the judge's reply was stopped by a content filter (content_filter)",
    ),
    (
        "safety",
        {"content": "", "finish": "SAFETY"},
        "the judge's reply was stopped by a content filter (safety)",
    ),
)


@pytest.mark.parametrize(("reply", "reason"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_a_refusal_is_an_error(reply: dict[str, Any], reason: str) -> None:
    with pytest.raises(JudgeError) as raised:
        read(**reply)
    assert str(raised.value) == reason


def test_a_reply_that_ends_at_its_limit_but_is_whole_counts() -> None:
    assert read(BOTH, finish="length") == {"a": YES, "b": NO}


# ------------------------------------------------------------------------------------------- verdicts

SCORES: tuple[tuple[Any, Any, Any], ...] = (
    ("boolean", True, True),
    ("boolean", "FALSE", False),
    ("boolean", "maybe", "answered 'maybe', which is str; a boolean was asked for"),
    ("boolean", 1, "answered '1', which is int; a boolean was asked for"),
    ("boolean", None, "answered 'None', which is NoneType; a boolean was asked for"),
    ("unit", "0.75", 0.75),
    ("unit", "00.75", 0.75),
    ("unit", "1e-1", 0.1),
    ("unit", "85%", "answered '85%', which is str; a number from 0 to 1 was asked for"),
    ("unit", "-0", 0.0),
    ("unit", 85, "answered '85', which is not from 0 to 1"),
    ("unit", "-0.1", "answered '-0.1', which is not from 0 to 1"),
    ("unit", float("nan"), "answered 'nan', which is not from 0 to 1"),
    ("unit", "nan", "answered 'nan', which is str; a number from 0 to 1 was asked for"),
    ("unit", True, "answered 'True', which is bool; a number from 0 to 1 was asked for"),
    ("percent", "85%", 85.0),
    ("percent", " 90 ", 90.0),
    ("percent", 85.5, 85.5),
    ("percent", 0, 0),
    ("percent", 1.01, 1.01),
    ("percent", 100, 100),
    (
        "percent",
        0.85,
        "answered '0.85', which may be of a scale from 0 to 1; a number from 0 to 100 was asked for",
    ),
    ("percent", 1, "answered '1', which may be of a scale from 0 to 1; a number from 0 to 100 was asked for"),
    ("percent", 150, "answered '150', which is not from 0 to 100"),
    ("percent", -20, "answered '-20', which is not from 0 to 100"),
    ("percent", "high", "answered 'high', which is str; a number from 0 to 100 was asked for"),
    ("percent", float("inf"), "answered 'inf', which is not from 0 to 100"),
    ("percent", True, "answered 'True', which is bool; a number from 0 to 100 was asked for"),
)


@pytest.mark.parametrize(
    ("scale", "given", "expected"), [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in SCORES]
)
def test_verdicts(scale: Any, given: Any, expected: Any) -> None:
    found = read({"q1": {"score": given}}, (Question("a", "a", "c", 1, 2, scale),))["a"]
    assert (found.score if isinstance(found, Answer) else found) == expected
    assert not isinstance(found, Answer) or type(found.score) is type(expected)


CHOICES: tuple[tuple[str, str, str], ...] = (
    ("exact", "no", "no"),
    ("exact-in-capitals", "NO", "NO"),
    ("exact-but-for-space", " NO ", "NO"),
    ("only-one-but-for-case", "YES", "Yes"),
    ("two-but-for-case", "nO", "answered 'nO', which is none of 'no', 'NO', 'Yes'"),
)


@pytest.mark.parametrize(("said", "expected"), [pytest.param(*row[1:], id=row[0]) for row in CHOICES])
def test_a_choice_is_the_one_that_is_spelt_exactly(said: str, expected: str) -> None:
    question = Question("a", "a", "c", 1, 2, "choice", ("no", "NO", "Yes"))
    found = read({"q1": {"score": said}}, (question,))["a"]
    assert (found.score if isinstance(found, Answer) else found) == expected


def test_an_answer_that_was_read_is_read_again_as_it_is() -> None:
    question = Question("a", "a", "c", 1, 2, "percent")
    assert read_answer(question, read_answer(question, 85)) == Answer(85)


@pytest.mark.parametrize(
    "content", [{"q1": A | {"error": "busy"}, "q2": B}, {"q1": {"error": "busy"}, "q2": B}]
)
def test_an_answer_beside_an_error_is_none(content: Any) -> None:
    for said in (content, json.dumps(content)):
        assert read(said) == {"a": "answered with an error: busy", "b": NO}


def test_an_answer_beside_an_error_is_none_in_a_schema_of_ones_own() -> None:
    prompt = Prompt((Message("user", "Grade"),), '{"type": "object"}')
    assert read({"a": A | {"error": "busy"}}, TWO[:1], prompt) == {"a": "answered with an error: busy"}


def test_an_answer_without_a_score_says_so() -> None:
    assert read({"q1": {"reasoning": "r"}, "q2": B})["a"] == "answered without a score"


# ------------------------------------------------------------------------------------ a schema of one's own


def test_with_a_schema_of_its_own_the_members_are_the_answers() -> None:
    prompt = Prompt((Message("user", "Grade"),), '{"type": "object"}')
    tone, facts = (Question(name, name, "", None, None, "unit") for name in ("tone", "facts"))
    (asked,) = calls(JudgeRequest((tone, facts), prompt=prompt), Words())
    reply = Reply({"tone": 4, "facts": {"score": 0.5, "reasoning": "f"}, "reasoning": "all", "more": 1})
    assert verdict(reply, asked).answers == {
        "tone": {"score": 4, "reasoning": "all"},
        "facts": {"score": 0.5, "reasoning": "f"},
    }


# --------------------------------------------------------------------------------------------- any reply


@given(st.one_of(json_values, model_text(), st.text()), st.sampled_from([None, "stop", "length"]))
def test_any_reply_gives_a_verdict_of_the_questions_asked(content: Any, finish: Any) -> None:
    (asked,) = calls(JudgeRequest(TWO), Words())
    answers = verdict(Reply(content, finish=finish), asked).answers
    assert answers.keys() <= {"a", "b"}
    for one in TWO:
        found = read_answer(one, answers.get(one.id))
        assert isinstance(found, str) or isinstance(found.score, bool)
