"""The judges of outputs and trajectories and UiPath's, reply by reply: the recorded score, or a departure.

The replies of `tests/cases/uipath_judges.json` are said by a fake chat model, and read the whole way: schema,
parser, scale. Where UiPath's judge says a number for the whole object, ours says a word for each member. A
run is handed over as an execution with its spans, or as its calls where none were recorded.
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
from fieldwise.scorers.agents.execution import AgentExecution
from tests.judges.fakes import Step, chat_model
from tests.scorers.agents.runs import factories, judge_run
from tests.scorers.agents.told import read
from tests.scorers.single_forms import evaluate

FOLDER: Final = Path(__file__).parents[1] / "cases"
ALL: Final[list[dict[str, Any]]] = json.loads((FOLDER / "uipath_judges.json").read_text("utf-8"))["cases"]
ROWS: Final = json.loads((FOLDER / "departures_judges.json").read_text("utf-8"))["rows"]
EVALUATORS: Final = {
    "uipath-llm-judge-output-semantic-similarity": "llm_judge_output",
    "uipath-llm-judge-output-strict-json-similarity": "llm_judge_strict_json",
    "uipath-llm-judge-trajectory-similarity": "llm_judge_trajectory",
    "uipath-llm-judge-trajectory-simulation": "llm_judge_trajectory_simulation",
}
CASES: Final = [case for case in ALL if case["evaluatorTypeId"] in EVALUATORS]
OPTIONS: Final = {"prompt": "prompt", "targetOutputKey": "target_output_key"}

NO_SCORE: Final = "judge_error"
NO_REFERENCE: Final = "invalid_reference"
REFUSED: Final = "ConfigError"
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
    "trajectory-similarity-001": ("rounding", 0.72456),
    "trajectory-similarity-004": ("judge_unknown_name", REFUSED),
    "trajectory-similarity-005": ("judge_no_expectation", NO_REFERENCE),
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
    if "trajectory" in name:
        inputs = case["agent"]["input"]
        return judge_run(run_of(case), reference, name=name, inputs=inputs, judge=judge_of(case), **options)
    return evaluate(name, case["agent"]["output"], reference, judge=judge_of(case), **options)


def run_of(case: dict[str, Any]) -> Any:
    """What the agent of a case left behind."""
    agent = case["agent"]
    if "spans" not in agent:
        return {"tool_calls": agent["tool_calls"]}
    return AgentExecution(
        agent["input"],
        agent["output"],
        agent["spans"],
        simulation_instructions=agent["simulation_instructions"],
    )


def sent(case: dict[str, Any], **options: Any) -> str:
    """What the judge of a case's run is shown."""
    model = judge_of(case)
    sync, _ = factories(EVALUATORS[case["evaluatorTypeId"]])
    sync(judge=model, **options)(
        inputs=case["agent"]["input"], outputs=run_of(case), reference_outputs=case["criteria"]
    )
    return str(model.seen[0][-1]["content"])


def test_the_suite_is_whole() -> None:
    assert (len(ALL), len(CASES), len(DEPARTURES)) == (31, 31, 19)
    assert set(DEPARTURES) < {named(case) for case in CASES} == {named(case) for case in ALL}


@pytest.mark.parametrize("case", [case for case in CASES if named(case) not in DEPARTURES], ids=named)
def test_the_score_is_the_recorded_one(case: dict[str, Any]) -> None:
    found = judged(case)
    assert (found["score"], found["extra"]["status"]) == (case["expected"]["score"], "graded")
    assert found["comment"] == str(case["judge_reply"]["justification"])


@pytest.mark.parametrize("case", [case for case in CASES if named(case) in DEPARTURES], ids=named)
def test_where_ours_departs(case: dict[str, Any]) -> None:
    kind, right = DEPARTURES[named(case)]
    if right == REFUSED:
        with pytest.raises(fieldwise.ConfigError, match=r"^prompt asks for \{Other\}, which is not known"):
            judged(case)
        return
    found = judged(case)
    if right in {NO_SCORE, NO_REFERENCE}:
        assert (found["score"], found["extra"]["status"]) == (None, right)
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


NOTHING: Final = '{"nothing":"no messages and no tool calls were recorded"}'


def case_of(name: str) -> dict[str, Any]:
    return next(case for case in CASES if named(case) == name)


def test_all_placeholders_of_the_seed_are_filled() -> None:
    case = case_of("trajectory-similarity-004")
    prompt = case["evaluatorConfig"]["prompt"].replace("|{{Other}}", "")
    assert sent(case, prompt=prompt) == f'{NOTHING}|"b"|{{"i":1}}|null'
    assert judge_run(run_of(case), case["criteria"], judge=judge_of(case), prompt=prompt)["score"] == 0.85


def test_a_history_has_the_answer_and_no_call_that_the_agent_did_not_make() -> None:
    text = sent(case_of("trajectory-similarity-001"))
    history = text.partition("<AgentRunHistory>\n")[2].partition("\n</AgentRunHistory>")[0]
    call = {"name": "calculator", "arguments": {"a": 5, "b": 3}, "output": "8"}
    assert read(history) == [{"call": 1, **call}, {"final_answer": {"r": 8}}]


def test_a_simulation_is_told_how_it_was_simulated() -> None:
    text = sent(case_of("trajectory-simulation-001"))
    assert '<SimulationInstructions>\n"mock calculator as 8"\n</SimulationInstructions>' in text


BEYOND: Final = {"judge_equal_values", "judge_prompt_expansion", "judge_history"}


def test_every_departure_has_its_row_and_every_row_its_test() -> None:
    shown = Counter(kind for kind, _ in DEPARTURES.values())
    rows = {row["kind"]: row["cases"] for row in ROWS if row["product"] == "uipath"}
    assert {kind: cases for kind, cases in rows.items() if cases} == dict(shown)
    assert {kind for kind, cases in rows.items() if not cases} == BEYOND
