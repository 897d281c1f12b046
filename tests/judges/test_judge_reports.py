"""Small inputs behind public complaints about judges, with the right value."""

from __future__ import annotations

import time
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel

import fieldwise
from fieldwise.core.flow import JudgeRequest
from tests.judges.fakes import Step, chat_model


def graded(*replies: str, **options: Any) -> dict[str, Any]:
    judge = fieldwise.create_judge(FakeListChatModel(responses=list(replies)))
    made: dict[str, Any] = {"prompt": "Grade {outputs}.", "judge": judge, **options}
    evaluate: Any = fieldwise.create_llm_as_judge(**made)
    result: dict[str, Any] = evaluate(outputs="o")
    return result


@pytest.mark.parametrize(
    ("score", "options", "wanted"),
    [
        ('"0.75"', {"continuous": True}, 0.75),
        ("0.75", {"continuous": True}, 0.75),
        ('"false"', {}, False),
        ("true", {}, True),
    ],
)
def test_j01_a_score_in_text_is_the_score_it_says(score: str, options: dict[str, Any], wanted: Any) -> None:
    found = graded(f'{{"score": {score}, "reasoning": "ok"}}', **options)
    assert (found["score"], found["extra"]["status"]) == (wanted, "graded")
    assert type(found["score"]) is type(wanted)


@pytest.mark.parametrize("score", ['"85%"', "85", '"good"', "NaN"])
def test_j01_off_the_scale_is_no_score(score: str) -> None:
    reply = f'{{"score": {score}, "reasoning": "ok"}}'
    found = graded(reply, reply, continuous=True)
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")


def test_j05_a_refusal_is_no_zero() -> None:
    text = "I'm sorry, I can't help with that."
    found = graded(text, text)
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")
    assert "I'm sorry" in found["extra"]["reason"]


def test_j06_what_could_not_be_judged_is_left_out_of_means_and_shown_beside_them() -> None:
    def judge(request: JudgeRequest) -> dict[str, Any]:
        said = {"yes": True, "no": False}
        return {one.id: said[str(one.actual)] for one in request.questions if str(one.actual) in said}

    evaluator = fieldwise.create_json_match_evaluator(rubric={"a": "the same"}, judge=judge)
    records = [{"outputs": {"a": word}, "reference_outputs": {"a": "x"}} for word in ("yes", "?", "no")]
    report = fieldwise.evaluate_records(records, evaluator)
    assert report.score == 0.5
    assert report.coverage == pytest.approx(2 / 3)
    assert not report.passed(0.5, min_coverage=0.9)


def test_j12_braces_of_an_example_in_the_prompt_are_text() -> None:
    found = graded('{"score": true, "reasoning": "ok"}', prompt='Grade {outputs}. Reply like {"score": 1}')
    assert found["score"] is True


def test_j15_a_judge_that_never_answers_is_a_judge_error_in_time() -> None:
    def never(request: JudgeRequest) -> dict[str, Any]:
        time.sleep(30)
        return {}

    judge = fieldwise.create_judge(never, timeout=0.2, max_retries=0)
    evaluator: Any = fieldwise.create_json_match_evaluator(rubric={"a": "the same"}, judge=judge)
    began = time.monotonic()
    found = {
        one["key"]: one for one in evaluator(outputs={"a": 1, "b": 1}, reference_outputs={"a": 2, "b": 1})
    }
    assert time.monotonic() - began < 5
    assert found["json_match:a"]["extra"]["status"] == "judge_error"
    assert "0.2" in found["json_match:a"]["extra"]["reason"]
    assert found["json_match:b"]["score"] == 1.0


@pytest.mark.parametrize(
    "score", ["\u221285", "\u201385", "<85", ">85", "~85", "$85", "85-", "!true", "-true", "85 or so"]
)
@pytest.mark.parametrize(
    "form", ['{{"q1": {}}}', '{{"q1": {{"reasoning": "r" "score": {}}}}}', '[{{"q1": {}}}]']
)
def test_a_sign_beside_a_score_is_not_left_out(form: str, score: str) -> None:
    model = chat_model(Step(form.format(score)))
    judge = fieldwise.create_judge(model)
    evaluate: Any = fieldwise.create_llm_judge_output_evaluator(judge=judge)
    found = evaluate(outputs="a", reference_outputs="b")
    assert (found["score"], found["extra"]["status"], model.script.calls) == (None, "judge_error", 2)


def test_what_is_wrong_with_a_sign_is_told_and_mended() -> None:
    model = chat_model(Step('{"score": \u221285}'), Step('{"score": 85}'))
    evaluate: Any = fieldwise.create_llm_judge_output_evaluator(judge=fieldwise.create_judge(model))
    found = evaluate(outputs="a", reference_outputs="b")
    assert (found["score"], model.script.calls) == (0.85, 2)
    assert "answered '-85', which is not from 0 to 100" in model.seen[1][-1]["content"]


@pytest.mark.parametrize("answer", [{"score": True, "error": "bad"}, {"error": "bad"}])
def test_an_answer_of_a_function_beside_an_error_is_none(answer: dict[str, Any]) -> None:
    evaluate: Any = fieldwise.create_json_match_evaluator(
        rubric={"t": "the same"}, judge=lambda request: {one.id: answer for one in request.questions}
    )
    (found,) = evaluate(outputs={"t": 1}, reference_outputs={"t": 2})
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")
    assert found["extra"]["reason"] == "answered with an error: bad"
