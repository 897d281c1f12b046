"""What people reported of evaluators of tool arguments, and the one argument that a judge decides on."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.comparators import fuzzy, regex, within
from fieldwise.evaluators.arguments import create_tool_call_args_evaluator
from tests.scorers.agents.call_forms import args_of, calls

T13 = [{"name": "list", "args": {"status": "Q"}}]
T15 = (calls(("add", {"a": 1, "b": 2, "mode": "fast"})), calls(("add", {"a": 1, "b": 2})))
T17 = (
    calls(("plan", {"kind": "a", "summary": "Write a greeting", "n": 1.0})),
    calls(("plan", {"kind": "a", "summary": "Write greeting", "n": 1})),
)
T18 = calls(("call", {"token": {"$any": True}, "q": "x"}))
FUZZY = {"*": {"summary": within(fuzzy(), 0.8)}}
IGNORED = {"page": 1, "page_size": 5}


def function(name: str, arguments: Any) -> list[dict[str, Any]]:
    return [{"function": {"name": name, "arguments": arguments}}]


def listed(**args: Any) -> list[dict[str, Any]]:
    return calls(("list", {"status": "Q", **args}))


REPORTS: dict[str, tuple[Any, Any, dict[str, Any], float]] = {
    "T03 key order": (
        calls(("find", {"filter": {"lang": "de", "year": 2021}})),
        calls(("find", {"filter": {"year": 2021, "lang": "de"}})),
        {},
        1.0,
    ),
    "T03 text is no number": (calls(("f", {"n": "1"})), calls(("f", {"n": 1})), {}, 0.0),
    "T07 twice": (calls(*[("search", {"q": "x"})] * 2), calls(*[("search", {"q": "x"})] * 2), {}, 1.0),
    "T07 once of two": (calls(("search", {"q": "x"})), calls(*[("search", {"q": "x"})] * 2), {}, 0.5),
    "T12 no arguments": (function("ping", ""), calls(("ping", {})), {}, 1.0),
    "T12 broken": (function("ping", '{"x": 1'), calls(("ping", {})), {}, 0.0),
    "T12 a list": (function("ping", "[]"), calls(("ping", {})), {}, 0.0),
    "T13 invented": (listed(page=1, drop_all=True), T13, {"ignore_if": IGNORED}, 0.0),
    "T13 default": (listed(page=1), T13, {"ignore_if": IGNORED}, 1.0),
    "T13 another value": (listed(page=2), T13, {"ignore_if": IGNORED}, 0.0),
    "T13 left out": (T13, listed(page=1), {"ignore_if": IGNORED}, 1.0),
    "T15 exact": (*T15, {}, 0.0),
    "T15 recall": (*T15, {"scoring": "graded"}, 1.0),
    "T15 precision": (*T15, {"scoring": "graded", "measure": "precision"}, 2 / 3),
    "T17 fuzzy": (*T17, {"comparators": FUZZY}, 1.0),
    "T17 graded": (*T17, {"scoring": "graded"}, 2 / 3),
    "T17 both": (*T17, {"scoring": "graded", "comparators": FUZZY}, 1.0),
    "T18 any": (calls(("call", {"token": "9f2", "q": "x"})), T18, {}, 1.0),
    "T18 absent": (calls(("call", {"q": "x"})), T18, {}, 0.0),
    "T18 optional": (calls(("call", {"q": "x"})), T18, {"optional": {"call": ["token"]}}, 1.0),
    "T18 literal": (
        calls(("call", {"token": {"$any": True}})),
        calls(("call", {"token": {"$literal": {"$any": True}}})),
        {},
        1.0,
    ),
    "T18 literal is no wildcard": (
        calls(("call", {"token": "9f2"})),
        calls(("call", {"token": {"$literal": {"$any": True}}})),
        {},
        0.0,
    ),
    "T20 no regex": (
        calls(("open", {"port": 8080, "kinds": ["nodes"]})),
        calls(("open", {"port": 80, "kinds": ["namespaces"]})),
        {},
        0.0,
    ),
    "T20 regex, whole": (
        calls(("open", {"id": "ab12"})),
        calls(("open", {"id": "[a-z]+"})),
        {"comparators": {"open": {"id": "regex"}}},
        0.0,
    ),
    "T20 regex": (
        calls(("open", {"id": "ab12"})),
        calls(("open", {"id": "[a-z0-9]+"})),
        {"comparators": {"open": {"id": regex()}}},
        1.0,
    ),
    "T23 a valid assignment": (
        calls(("s", {"q": "x", "n": 5}), ("s", {"q": "x"})),
        calls(("s", {"q": "x"}), ("s", {"q": "x", "n": 5})),
        {"subset": True},
        1.0,
    ),
    "T29 text and object": (function("f", '{"a": 1, "b": [2]}'), calls(("f", {"b": [2], "a": 1})), {}, 1.0),
    "T29 twice encoded": (
        function("f", '"{\\"a\\":1}"'),
        calls(("f", {"a": 1})),
        {"decode_twice": True},
        1.0,
    ),
}


@pytest.mark.parametrize(("outputs", "reference", "options", "score"), REPORTS.values(), ids=REPORTS)
def test_what_people_reported(outputs: Any, reference: Any, options: dict[str, Any], score: float) -> None:
    found = args_of(outputs, reference, **options)
    assert found["score"] == pytest.approx(score)
    assert found["extra"]["status"] == "graded"


class Judge:
    """Answers every question alike, and counts the requests."""

    def __init__(self, answer: Any = True) -> None:
        self.answer, self.requests = answer, 0

    def __call__(self, request: Any) -> dict[str, Any]:
        self.requests += 1
        return {one.id: self.answer for one in request.questions}


RUBRIC = {"note": {"reason": "same meaning"}}
NOTES = calls(
    ("note", {"id": 7, "reason": "queued for one hour"}), ("note", {"id": 8, "reason": "sent back"})
)


def judged(made: Any, reference: Any, judge: Judge, **options: Any) -> Any:
    """The result of the sync evaluator: two forms would ask twice."""
    return create_tool_call_args_evaluator(rubric=RUBRIC, judge=judge, **options)(
        outputs=made, reference_outputs=reference
    )


@pytest.mark.parametrize(("answer", "score"), [(True, 1.0), (False, 0.0)])
def test_t19_one_free_text_is_judged(answer: bool, score: float) -> None:
    judge = Judge(answer)
    found = judged(calls(("note", {"id": 7, "reason": "queued for 1 hour"})), NOTES[:1], judge)
    assert (found["score"], judge.requests, found["extra"]["usage"]) == (score, 1, {"judge_calls": 1})


def test_t19_a_wrong_id_asks_nobody() -> None:
    judge = Judge()
    found = judged(calls(("note", {"id": 9, "reason": "queued for 1 hour"})), NOTES[:1], judge)
    assert (found["score"], judge.requests) == (0.0, 0)
    assert found["comment"] == "0 of 1 calls right: call 0 (note), argument id: expected 7, got 9"


def test_all_texts_of_a_record_are_asked_about_at_once_each_with_the_likest() -> None:
    judge = Judge()
    same = calls(
        ("note", {"id": 1, "reason": "queued for one hour"}), ("note", {"id": 1, "reason": "sent back"})
    )
    made = calls(
        ("note", {"id": 1, "reason": "sent it back"}), ("note", {"id": 1, "reason": "queued one hour"})
    )
    found = judged(made, same, judge)
    assert (found["score"], judge.requests) == (1.0, 1)
    assert [row["by"] for row in found["extra"]["report"]] == ["call 1", "call 0"]


def test_equal_texts_and_hopeless_records_are_not_judged() -> None:
    judge = Judge()
    assert judged(NOTES, NOTES, judge)["score"] == 1.0
    made = calls(("note", {"id": 7, "reason": "queued"}), ("note", {"id": 9, "reason": "sent back"}))
    assert judged(made, NOTES, judge, strict=True)["score"] == 0.0
    assert judge.requests == 0


def test_a_judge_that_does_not_answer_withholds_the_score() -> None:
    found = judged(calls(("note", {"id": 7, "reason": "queued"})), NOTES[:1], Judge("perhaps"))
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")
    assert found["comment"] == (
        'judge_error: reason: expected "queued for one hour", got "queued" '
        "(answered 'perhaps', which is str; a boolean was asked for) [judge_error]"
    )


def broken(_expected: Any, _actual: Any) -> float:
    raise RuntimeError("no network")


def test_a_comparison_that_fails_withholds_the_score_where_it_matters() -> None:
    options: dict[str, Any] = {"comparators": {"*": {"q": broken}}}
    made = calls(("s", {"q": "y", "n": 1}))
    found = args_of(made, calls(("s", {"q": "x", "n": 1})), **options)
    assert (found["score"], found["extra"]["status"]) == (None, "not_evaluated")
    assert args_of(made, calls(("s", {"q": "x", "n": 2})), **options)["score"] == 0.0
    assert args_of(made, calls(("s", {"q": "y", "n": 1})), **options)["score"] == 1.0
