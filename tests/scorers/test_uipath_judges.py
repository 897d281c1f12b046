"""The judges of outputs and UiPath's, reply by reply: the recorded score, or a row of the departures.

The replies of `tests/cases/uipath_judges.json` are said by a fake chat model, and read the whole way: schema,
parser, scale. Where UiPath's judge says a number for the whole object, ours says a word for each member.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

import fieldwise
from fieldwise.judges.model import create_judge
from tests.judges.fakes import Step, chat_model
from tests.scorers.single_forms import evaluate

FOLDER: Final = Path(__file__).parents[1] / "cases"
ALL: Final[list[dict[str, Any]]] = json.loads((FOLDER / "uipath_judges.json").read_text("utf-8"))["cases"]
ROWS: Final = json.loads((FOLDER / "departures_judges.json").read_text("utf-8"))["rows"]
EVALUATORS: Final = {
    "uipath-llm-judge-output-semantic-similarity": "llm_judge_output",
    "uipath-llm-judge-output-strict-json-similarity": "llm_judge_strict_json",
}
CASES: Final = [case for case in ALL if case["evaluatorTypeId"] in EVALUATORS]
OPTIONS: Final = {"prompt": "prompt", "targetOutputKey": "target_output_key"}

NO_SCORE: Final = "judge_error"
DEPARTURES: Final[dict[str, tuple[str, Any]]] = {
    "output-semantic-similarity-018": ("rounding", 0.855),
    "output-semantic-similarity-012": ("judge_off_scale", NO_SCORE),
    "output-semantic-similarity-013": ("judge_off_scale", NO_SCORE),
    "output-semantic-similarity-025": ("judge_off_scale", NO_SCORE),
    "output-semantic-similarity-026": ("judge_off_scale", NO_SCORE),
    "output-semantic-similarity-015": ("judge_other_scale", NO_SCORE),
    "output-semantic-similarity-023": ("judge_other_scale", NO_SCORE),
    "output-semantic-similarity-021": ("judge_percent_sign", 0.9),
    "output-semantic-similarity-028": ("judge_without_reason", 0.5),
    "output-semantic-similarity-022": ("judge_failure", NO_SCORE),
    "output-semantic-similarity-024": ("judge_failure", NO_SCORE),
    "output-semantic-similarity-030": ("judge_failure", NO_SCORE),
    "output-semantic-similarity-031": ("judge_failure", NO_SCORE),
    "output-semantic-similarity-032": ("judge_failure", NO_SCORE),
    "output-strict-json-similarity-002": ("judge_arithmetic", 0.5),
    "output-strict-json-similarity-003": ("judge_arithmetic", 0.0),
}
"""Id to kind and our score; a kind whose score is UiPath's departs in how it comes about."""


def named(case: dict[str, Any]) -> str:
    return str(case["id"]).removeprefix("llm-judge-")


def raises(_: Any) -> str:
    raise RuntimeError("429")


def judge_of(case: dict[str, Any]) -> Any:
    """A client that replies as recorded."""
    reply = case["judge_reply"]
    if EVALUATORS[case["evaluatorTypeId"]] == "llm_judge_strict_json":
        return chat_model(Step(say={"q1": {"reasoning": "j", "score": "wrong"}}))
    if reply == "no_choices":
        create = SimpleNamespace(create=lambda **_: {"choices": []})
        return create_judge(SimpleNamespace(chat=SimpleNamespace(completions=create)), model="gpt-x")
    said = {"raises RuntimeError: 429": raises, "no_tool_call": "I give 90"}
    return chat_model(Step(say=reply if isinstance(reply, dict) else said[reply]))


def judged(case: dict[str, Any]) -> Any:
    """Our result, the same from every form."""
    config = case["evaluatorConfig"]
    options = {ours: config[theirs] for theirs, ours in OPTIONS.items() if theirs in config}
    reference = case["criteria"] or config["defaultEvaluationCriteria"]
    name = EVALUATORS[case["evaluatorTypeId"]]
    return evaluate(name, case["agent"]["output"], reference, judge=judge_of(case), **options)


def test_the_suite_is_whole() -> None:
    assert (len(ALL), len(CASES), len(DEPARTURES)) == (31, 26, 16)
    assert set(DEPARTURES) < {named(case) for case in CASES}


@pytest.mark.parametrize("case", [case for case in CASES if named(case) not in DEPARTURES], ids=named)
def test_the_score_is_the_recorded_one(case: dict[str, Any]) -> None:
    found = judged(case)
    assert (found["score"], found["extra"]["status"]) == (case["expected"]["score"], "graded")
    assert found["comment"] == str(case["judge_reply"]["justification"])


@pytest.mark.parametrize("case", [case for case in CASES if named(case) in DEPARTURES], ids=named)
def test_where_ours_departs(case: dict[str, Any]) -> None:
    kind, right = DEPARTURES[named(case)]
    found = judged(case)
    if right == NO_SCORE:
        assert (found["score"], found["extra"]["status"]) == (None, NO_SCORE)
        assert found["comment"]
    else:
        assert (found["score"], found["extra"]["status"]) == (right, "graded")
        assert (found["score"] == case["expected"]["score"]) == (kind == "judge_arithmetic")


@pytest.mark.parametrize(("reply", "asked"), [(0.85, 2), (1.0, 2), (0, 1), (1.5, 1)])
def test_a_reply_that_may_be_of_the_scale_of_one_is_asked_again(reply: float, asked: int) -> None:
    model = chat_model(
        Step(say={"reasoning": "j", "score": reply}), Step(say={"reasoning": "j", "score": 85})
    )
    sync: Any = fieldwise.create_llm_judge_output_evaluator(judge=model)
    assert sync(outputs="a", reference_outputs="e")["score"] == (0.85 if asked == 2 else reply / 100)
    assert len(model.seen) == asked


def test_equal_values_are_not_sent() -> None:
    model = chat_model()
    found = evaluate("llm_judge_output", {"a": 1, "b": [1]}, {"b": [1.0], "a": 1}, judge=model)
    assert (found["score"], model.seen) == (1.0, [])


def test_an_output_cannot_show_itself_the_reference() -> None:
    model = chat_model(Step(say={"reasoning": "j", "score": 50}))
    prompt = "A={{ActualOutput}};E={{ExpectedOutput}}"
    sync: Any = fieldwise.create_llm_judge_output_evaluator(judge=model, prompt=prompt)
    sync(outputs="see {{ExpectedOutput}}", reference_outputs="SECRET")
    assert model.seen[0][-1]["content"] == 'A="see {{ExpectedOutput}}";E="SECRET"'


BEYOND: Final = {"judge_equal_values", "judge_prompt_expansion"}


def test_every_departure_has_its_row_and_every_row_its_test() -> None:
    shown = Counter(kind for kind, _ in DEPARTURES.values())
    rows = {row["kind"]: row["cases"] for row in ROWS if row["product"] == "uipath"}
    assert {kind: cases for kind, cases in rows.items() if cases} == dict(shown)
    assert {kind for kind, cases in rows.items() if not cases} == BEYOND
