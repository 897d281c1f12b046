"""llm_judge_strict_json: the model says a word for each member, the code does the sum."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fieldwise
from fieldwise.core.flow import JudgeRequest
from fieldwise.errors import BudgetExceeded
from tests.judges.fakes import Step, chat_model, data_of
from tests.laws.strategies import keys
from tests.scorers.single_forms import check_shape, evaluate, status

NAME: Final = "llm_judge_strict_json"


class Judge:
    """Answers by member; a member it does not know is not answered."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> Any:
        self.asked.append(request)
        return {one.id: self.answers[one.id] for one in request.questions if one.id in self.answers}

    def ids(self) -> list[list[str]]:
        return [[one.id for one in request.questions] for request in self.asked]


SAME: Final = {"a": 1, "b": {"c": [1]}, "d": "x"}
SUMS: Final[list[tuple[str, Any, Any, dict[str, Any], float, list[str]]]] = [
    ("equal", SAME, {"d": "x", "b": {"c": [1.0]}, "a": 1}, {}, 1.0, []),
    ("same", {"a": "x", "b": 1}, {"a": "X", "b": 1}, {"a": "same"}, 1.0, ["a"]),
    ("partial", {"a": "x", "b": 1}, {"a": "X", "b": 1}, {"a": "partial"}, 0.75, ["a"]),
    ("wrong", {"a": "x", "b": 1}, {"a": "X", "b": 1}, {"a": "wrong"}, 0.5, ["a"]),
    ("all-wrong", {"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": "wrong", "b": "wrong"}, 0.0, ["a", "b"]),
    ("missing", {"b": 1}, {"a": "X", "b": 1}, {}, 0.5, []),
    ("all-missing", {}, {"a": 1, "b": 1}, {}, 0.0, []),
    ("extra", {"a": 1, "b": 1, "c": 0}, {"a": 1, "b": 1}, {}, 0.95, []),
    ("many-extras", {"a": 1, **dict.fromkeys("bcdefghijklm", 0)}, {"a": 1}, {}, 0.0, []),
    ("everything", {"a": "x", "c": "y", "z": 0}, {"a": "X", "b": 1, "c": "Y"}, {"a": "partial", "c": "same"},
     1 - (50 + 100 + 10) / 300, ["a", "c"]),
    ("nothing-expected", {}, {}, {}, 1.0, []),
    ("nothing-expected-something-came", {"a": 1}, {}, {}, 0.0, []),
    ("null-is-not-missing", {}, {"a": None}, {}, 0.0, []),
    ("scalar", "eight", 8, {"$": "same"}, 1.0, ["$"]),
    ("list", [1, 2], [2, 1], {"$": "partial"}, 0.5, ["$"]),
    ("equal-text", "a", "a", {}, 1.0, []),
    ("parsed", '```json\n{"a": 1}\n```', '{"a": 1.0}', {}, 1.0, []),
    ("camel-envelope", {"a": 1}, {"expectedOutput": {"a": 1}}, {}, 1.0, []),
    ("snake-envelope", {"a": 1}, {"expected_output": {"a": 1, "b": 1}}, {}, 0.5, []),
    ("with-reason", {"a": 1}, {"a": 2}, {"a": {"score": "partial", "reasoning": "near"}}, 0.5, ["a"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("outputs", "reference", "answers", "right", "asked"), [pytest.param(*row[1:], id=row[0]) for row in SUMS]
)
def test_sums(outputs: Any, reference: Any, answers: Any, right: float, asked: list[str]) -> None:
    judge = Judge(**answers)
    found = evaluate(NAME, outputs, reference, judge=judge)
    assert found["score"] == pytest.approx(right, abs=1e-15)
    assert found["extra"]["status"] == "graded"
    assert judge.ids() == [asked] * (4 if asked else 0)
    assert found["extra"]["passed"] == (right == 1)


UNREAD: Final[list[tuple[str, Any, Any, Any]]] = [
    ("another-shape", [1], {"a": 1}, (0.0, "invalid_output")),
    ("prose", "no idea", {"a": 1}, (0.0, "invalid_output")),
    ("cut-off", '{"a": 1, "b', {"a": 1}, (0.0, "invalid_output")),
    ("no-outputs", fieldwise.MISSING, {"a": 1}, (0.0, "invalid_output")),
    ("no-reference", {"a": 1}, fieldwise.MISSING, (None, "invalid_reference")),
    ("broken-reference", {"a": 1}, '{"a": ', (None, "invalid_reference")),
]


@pytest.mark.parametrize(
    ("outputs", "reference", "right"), [pytest.param(*row[1:], id=row[0]) for row in UNREAD]
)
def test_what_cannot_be_read(outputs: Any, reference: Any, right: Any) -> None:
    judge = Judge()
    assert status(NAME, outputs, reference, judge=judge) == right
    assert judge.asked == []


# -------------------------------------------------------------------------------------------- results


def test_each_member_says_what_it_cost_and_why() -> None:
    judge = Judge(a={"score": "partial", "reasoning": "the first name only"}, b="wrong")
    outputs = {"a": "Ada", "b": 2, "z": [1]}
    found = evaluate(NAME, outputs, {"a": "Ada L.", "b": 3, "c": None, "d": 1}, judge=judge)
    assert found["extra"] == {
        "status": "graded",
        "path": "$",
        "passed": False,
        "support": 1,
        "comparator": "judge",
        "usage": {"judge_calls": 1},
        "keys": [
            {"path": "a", "verdict": "partial", "cost": 12.5, "reasoning": "the first name only"},
            {"path": "b", "verdict": "wrong", "cost": 25.0, "reasoning": None},
            {"path": "c", "verdict": "missing", "cost": 25.0, "reasoning": None},
            {"path": "d", "verdict": "missing", "cost": 25.0, "reasoning": None},
            {"path": "z", "verdict": "extra", "cost": 2.5, "reasoning": None},
        ],
        "expected_keys": 4,
    }
    assert found["comment"] == (
        'a: expected "Ada L.", got "Ada" (the first name only) [partial -12.5]; '
        "b: expected 3, got 2 [wrong -25]; c: expected null, missing [missing -25]; "
        "d: expected 1, missing [missing -25]; z: got [1], not expected [extra -2.5]"
    )


def test_what_is_listed_is_bounded() -> None:
    outputs = {f"{'k' * 500}{n}": "v" * 5000 for n in range(500)}
    found = evaluate(NAME, outputs, {"a": 1}, judge=Judge())
    assert len(found["extra"]["keys"]) == 50
    assert len(str(found["extra"]["keys"][-1])) < 400
    assert (found["comment"] or "").endswith("; and 496 more")


def test_one_member_that_is_not_judged_withholds_the_score() -> None:
    judge = Judge(a="same", b="nearly", c=True)
    found = evaluate(NAME, {"a": 1, "b": 1, "c": 1, "d": 1}, dict.fromkeys("abcd", 2), judge=judge)
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")
    choices = "which is none of 'same', 'partial', 'wrong'"
    reason = f"b: answered 'nearly', {choices}; c: answered 'True', {choices}; d: not answered"
    assert found["comment"] == found["extra"]["reason"] == reason
    assert found["extra"]["usage"] == {"judge_calls": 2}
    assert judge.ids()[:2] == [["a", "b", "c", "d"], ["b", "c", "d"]]


def test_a_ceiling_is_not_evaluated() -> None:
    def spent(_: JudgeRequest) -> Any:
        raise BudgetExceeded("4 calls made")

    assert status(NAME, {"a": 1}, {"a": 2}, judge=spent) == (None, "not_evaluated")


TARGETS: Final[list[tuple[str, Any, Any, Any, Any, list[str]]]] = [
    ("paths", {"a": 1, "b": {"c": "y"}, "z": 0}, {"a": 1, "b": {"c": "x"}}, ["a", "b.c"], 0.5, ["b.c"]),
    ("path", {"r": {"a": 1, "b": 1}}, {"r": {"a": 1, "b": 2}}, "r", 0.5, ["b"]),
    ("path-of-text", {"r": '{"a": 1}'}, {"r": {"a": 1}}, "r", 1.0, []),
    ("missing", {"x": 1}, {"r": {"a": 1}}, "r", 0.0, []),
    ("another-shape", {"r": 1}, {"r": {"a": 1}}, "r", 0.0, []),
]


@pytest.mark.parametrize(
    ("outputs", "reference", "at", "right", "asked"), [pytest.param(*row[1:], id=row[0]) for row in TARGETS]
)
def test_targets(outputs: Any, reference: Any, at: Any, right: float, asked: list[str]) -> None:
    judge = Judge(**dict.fromkeys(["b", "b.c"], "wrong"))
    found = evaluate(NAME, outputs, reference, judge=judge, target_output_key=at)
    assert (found["score"], found["extra"]["status"]) == (right, "graded")
    assert judge.ids() == [asked] * (4 if asked else 0)


def test_a_target_on_neither_side() -> None:
    assert status(NAME, {"a": 1}, {"a": 1}, judge=Judge(), target_output_key="r") == (None, "path_not_found")


def test_null_and_missing_may_be_one() -> None:
    assert status(NAME, {"a": 1}, {"a": 1, "b": None}, judge=Judge()) == (0.5, "graded")
    options = {"judge": Judge(), "null_policy": "null_equals_missing"}
    assert status(NAME, {"a": 1}, {"a": 1, "b": None}, **options) == (1.0, "graded")


# ------------------------------------------------------------------------------------------ with a model


def test_one_call_asks_about_each_open_member() -> None:
    words = {f"q{n}": {"reasoning": "r", "score": word} for n, word in enumerate(("SAME", " partial "), 1)}
    model = chat_model(Step(say=words))
    sync: Any = fieldwise.create_llm_judge_strict_json_evaluator(judge=model)
    found = sync(outputs={"a": "x", "b": "y", "c": 1}, reference_outputs={"a": "X", "b": "Y", "c": 1})
    check_shape(found)
    assert found["score"] == pytest.approx(5 / 6)
    (call,) = model.seen
    assert data_of(call[-1]["content"]) == {
        "q1": {"field": "a", "expected": "X", "actual": "x"},
        "q2": {"field": "b", "expected": "Y", "actual": "y"},
    }
    assert call[-1]["content"].count('<ExpectedOutput>\n{"a":"X","b":"Y","c":1}\n</ExpectedOutput>') == 1


def test_a_prompt_of_ones_own_is_told_which_member_is_meant() -> None:
    model = chat_model(Step(say={"q1": {"reasoning": "r", "score": "wrong"}}))
    prompt = "By the book: {{ActualOutput}}"
    sync: Any = fieldwise.create_llm_judge_strict_json_evaluator(judge=model, prompt=prompt)
    found = sync(outputs={"a": 1, "b": 1}, reference_outputs={"a": 2, "b": 1})
    assert found["score"] == 0.5
    text = model.seen[0][-1]["content"]
    assert text.startswith('By the book: {"a":1,"b":1}\n\n## Expected Output\n')
    assert data_of(text) == {"q1": {"field": "a", "expected": 2, "actual": 1}}


def test_it_needs_a_judge() -> None:
    message = (
        r"^llm_judge_strict_json needs a judge: pass judge= \(a model, a client or a callable\) or model="
    )
    with pytest.raises(fieldwise.ConfigError, match=message):
        fieldwise.create_llm_judge_strict_json_evaluator()


# ------------------------------------------------------------------------------------------------ laws

COST: Final = {"same": 0, "partial": 50, "wrong": 100}


@given(
    st.dictionaries(
        keys, st.sampled_from(["equal", "same", "partial", "wrong", "missing", "extra"]), max_size=8
    )
)
def test_the_score_is_what_the_members_leave(members: dict[str, str]) -> None:
    outputs = {name: 1 for name, kind in members.items() if kind != "missing"}
    reference = {name: 1 if kind == "equal" else 2 for name, kind in members.items() if kind != "extra"}
    if {*outputs, *reference} & {"output", "expectedOutput", "expected_output"}:
        return  # a wrapper or an envelope, perhaps
    judge = Judge(**members)
    sync: Any = fieldwise.create_llm_judge_strict_json_evaluator(judge=judge)
    found = sync(outputs=outputs, reference_outputs=reference)
    check_shape(found)
    count = len(reference)
    costs = [
        Fraction(COST.get(kind, 100 if kind == "missing" else 0), count or 1) for kind in members.values()
    ]
    extras = [Fraction(10, count or 1) for kind in members.values() if kind == "extra"]
    right = max(Fraction(0), 100 - sum(costs) - sum(extras)) / 100 if count else Fraction(not extras)
    assert found["score"] == pytest.approx(float(right), abs=1e-15)
    assert {name for ids in judge.ids() for name in ids} == {
        name for name, kind in members.items() if kind in COST
    }
