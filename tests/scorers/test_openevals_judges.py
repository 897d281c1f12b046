"""What OpenEvals' README shows of its judges, with judges that answer as its text says.

Its rubric example, its examples of llm_as_judge, and the kinds of departure of
`tests/cases/departures_judges.json`, OpenEvals' own answer beside ours.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import openevals.json
import openevals.llm
import pytest
from langchain_core.prompts import ChatPromptTemplate
from openevals.prompts import CONCISENESS_PROMPT, CORRECTNESS_PROMPT, HALLUCINATION_PROMPT
from typing_extensions import TypedDict

import fieldwise
from fieldwise.core.flow import JudgeRequest
from fieldwise.judges.model import create_judge
from tests.judges.fakes import Step, chat_model, data_of
from tests.scorers.forms import named
from tests.scorers.judge_forms import judged, replying

# --------------------------------------------------------------------------------------------- rubric

OUTPUTS: Final = [{"a": "Mango, Bananas", "b": 2}, {"a": "Apples", "b": 2, "c": [1, 2, 3]}]
REFERENCE: Final = [
    {"a": "Bananas, Mango", "b": 2, "d": "Not in outputs"},
    {"a": "Apples, Strawberries", "b": 2},
]
RUBRIC: Final = {"a": "Are all fruits of the reference named?"}
WHY: Final = {True: "All are named.", False: "Strawberries are not."}


def fruits(schema: dict[str, Any], asked: Any) -> dict[str, Any]:
    """The answers to what was asked, each fruit looked for."""

    def named_all(one: dict[str, Any]) -> bool:
        return set(one["expected"].split(", ")) <= set(one["actual"].split(", "))

    verdicts = {key: named_all(one) for key, one in asked.items()}
    return {
        key: {"reasoning": WHY[one], "score": one}
        for key, one in verdicts.items()
        if key in schema["properties"]
    }


class Fruits:
    """A judge that looks each fruit up."""

    def __init__(self) -> None:
        self.asked: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> Any:
        self.asked.append(request)
        asked = {one.id: {"expected": one.expected, "actual": one.actual} for one in request.questions}
        return fruits({"properties": asked}, asked)


def rubric(**options: Any) -> tuple[list[Any], Fruits]:
    """Results of the example, the same from both forms, and the judge."""
    judge = Fruits()
    sync: Any = fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=judge, **options)
    found = sync(outputs=OUTPUTS, reference_outputs=REFERENCE)
    awaited: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=Fruits(), **options)
    assert asyncio.run(awaited(outputs=OUTPUTS, reference_outputs=REFERENCE)) == found
    return found, judge


def test_the_rubric_example() -> None:
    """The first record is 2/3 right (d is missing), the second 1/3 (a is wrong, c not expected): not all."""
    (one,), judge = rubric(aggregator="average", list_aggregator="all", use_reasoning=True)
    assert (one["key"], one["score"]) == ("json_match:average", 0.0)
    assert [len(request.questions) for request in judge.asked] == [2]
    assert "Strawberries are not." in one["comment"]


def test_the_records_of_the_rubric_example() -> None:
    (one,), _ = rubric(aggregator="average", list_aggregator="average")
    assert one["score"] == pytest.approx((2 / 3 + 1 / 3) / 2)
    found, _ = rubric(list_aggregator="average")
    assert named(found) == pytest.approx({"a": 0.5, "b": 1.0, "c": 0.0, "d": 0.0})
    assert "Strawberries are not." in found[0]["comment"]


@pytest.mark.parametrize("use_reasoning", [True, False])
def test_the_rubric_example_with_a_chat_model(use_reasoning: bool) -> None:
    model = chat_model()
    sync: Any = fieldwise.create_json_match_evaluator(
        rubric=RUBRIC,
        judge=model,
        aggregator="average",
        list_aggregator="average",
        use_reasoning=use_reasoning,
    )
    (one,) = sync(outputs=OUTPUTS, reference_outputs=REFERENCE)
    assert one["score"] == pytest.approx((2 / 3 + 2 / 3) / 2)  # the fake says yes to everything
    (call,) = model.seen
    assert call[-1]["content"].count(RUBRIC["a"]) == 1
    assert [one["actual"] for one in data_of(call[-1]["content"]).values()] == ["Mango, Bananas", "Apples"]


# --------------------------------------------------------------------------------------- llm_as_judge

SKY: Final = {"inputs": "What color is the sky?", "outputs": "The sky is red."}
DOODADS: Final = {
    "inputs": "What is the current price of doodads?",
    "outputs": "The price of doodads is $10.",
    "reference_outputs": "The price of doodads is $15.",
}
SAYS: Final = {"reasoning": "because", "score": False}


def takes_all(**given: Any) -> list[dict[str, str]]:
    return [{"role": "user", "content": json.dumps(given, sort_keys=True)}]


def takes_sides(
    inputs: Any = None, outputs: Any = None, reference_outputs: Any = None
) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"{inputs} {outputs} {reference_outputs}"}]


UNNAMED: Final = (
    ("text", "Grade it.", {"context": "c"}),
    ("retrieval", "Grade it.", {"retrieval_context": ["c"]}),
    ("a-side", "Grade it.", {"reference_outputs": "r", "inputs": "i"}),
    ("any-other", "Grade it.", {"colour": 7}),
    ("langchain", ChatPromptTemplate([("human", "Grade it.")]), {"context": "c", "colour": 7}),
    ("callable", takes_all, {"context": "c", "colour": 7}),
    ("sides-only", takes_sides, {"inputs": "i"}),
)


def shown_by_openevals(prompt: Any, given: dict[str, Any]) -> list[str]:
    model = chat_model(Step(SAYS))
    openevals.llm.create_llm_as_judge(prompt=prompt, judge=model)(outputs="o", **given)
    return [message["content"] for message in model.seen[0]]


def shown_by_us(prompt: Any, given: dict[str, Any]) -> list[str]:
    model = chat_model(Step(SAYS))
    found: Any = fieldwise.create_llm_as_judge(prompt=prompt, judge=create_judge(model))(outputs="o", **given)
    assert found["extra"]["status"] == "graded"
    return [message["content"] for message in model.seen[0] if message["role"] != "system"]


@pytest.mark.parametrize(("prompt", "given"), [pytest.param(*row[1:], id=row[0]) for row in UNNAMED])
def test_what_a_prompt_does_not_name_is_left_out_as_by_openevals(prompt: Any, given: dict[str, Any]) -> None:
    assert shown_by_us(prompt, given) == shown_by_openevals(prompt, given)


@pytest.mark.parametrize(
    ("prompt", "given"),
    [
        (CONCISENESS_PROMPT, SKY),
        (CORRECTNESS_PROMPT, DOODADS),
        (HALLUCINATION_PROMPT, {**SKY, "context": "It is early evening.", "reference_outputs": "-"}),
    ],
    ids=["conciseness", "correctness", "hallucination"],
)
def test_prompts_of_openevals(prompt: str, given: dict[str, Any]) -> None:
    model = replying(SAYS)
    found = judged(model, given, prompt=prompt)
    assert (found["key"], found["score"], found["comment"]) == ("score", False, "because")
    text = model.seen[0][1]["content"]
    assert all(json.dumps(value) in text for value in given.values())
    assert "{" not in text


def test_a_further_variable() -> None:
    model = replying(SAYS)
    prompt = "Context: {context}\n<input>\n{inputs}\n</input>\n<output>\n{outputs}\n</output>"
    judged(model, {**SKY, "context": "It is early evening."}, prompt=prompt)
    assert model.seen[0][1]["content"].startswith('Context: "It is early evening."\n')


def test_a_langchain_prompt() -> None:
    prompt = ChatPromptTemplate(
        [("system", "You tell whether objects are equal."), ("human", "Are these? {{inputs}} {{outputs}}")],
        template_format="mustache",
    )
    same = {"a": 1, "b": 2}
    found = judged(
        replying({**SAYS, "score": True}),
        {"inputs": same, "outputs": same},
        prompt=prompt,
        feedback_key="equality",
    )
    assert (found["key"], found["score"], found["comment"]) == ("equality", True, "because")


def test_choices() -> None:
    found = judged(
        replying({**SAYS, "score": 0.5}), DOODADS, choices=[0.0, 0.5, 1.0], prompt=CORRECTNESS_PROMPT
    )
    assert (found["key"], found["score"], found["comment"]) == ("score", 0.5, "because")


class EqualityResult(TypedDict):
    equality_justification: str
    are_equal: bool


EQUALITY: Final[dict[str, Any]] = {"equality_justification": "The same words.", "are_equal": True}


def test_an_output_schema() -> None:
    prompt = "Are these equal? {inputs} {outputs}"
    found = judged(replying(EQUALITY), SKY, prompt=prompt, output_schema=EqualityResult)
    assert (found["key"], found["score"], found["comment"]) == ("are_equal", True, "The same words.")
    assert found["extra"]["output"] == EQUALITY


def test_awaiting() -> None:
    awaited: Any = fieldwise.create_async_llm_as_judge(
        prompt="How is the weather in {inputs}?", judge=replying(SAYS)
    )
    assert asyncio.run(awaited(inputs="San Francisco"))["score"] is False


# ----------------------------------------------------------------------------------------- departures

ROWS: Final = json.loads(
    (Path(__file__).parents[1] / "cases" / "departures_judges.json").read_text(encoding="utf-8")
)["rows"]
MARKED: Final[Counter[str]] = Counter()
GRADE: Final = "Grade {outputs}"


def departs(kind: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Mark a test as one of a row of the departures table."""

    def mark(test: Callable[..., None]) -> Callable[..., None]:
        MARKED[kind] += 1
        return test

    return mark


def both(reply: Any, given: dict[str, Any] | None = None, **options: Any) -> tuple[Any, Any]:
    """What OpenEvals and what ours make of a reply; of an exception its type."""
    given = {"outputs": "a"} if given is None else given
    options = {"prompt": GRADE, **options}
    try:
        theirs = openevals.llm.create_llm_as_judge(judge=replying(reply), **options)(**given)
    except Exception as error:  # noqa: BLE001 - whatever it raises is what it does
        theirs = type(error).__name__
    return theirs, judged(create_judge(replying(reply, reply), max_retries=0), given, **options)


@departs("judge_output_schema")
def test_output_schema_departs() -> None:
    theirs, ours = both(EQUALITY, output_schema=EqualityResult)
    assert theirs == EQUALITY
    assert (ours["key"], ours["score"]) == ("are_equal", True)


@departs("judge_scores_unchecked")
@pytest.mark.parametrize(
    ("score", "options"), [("maybe", {}), (7, {"continuous": True}), (0.7, {"choices": [0.0, 1.0]})]
)
def test_scores_are_checked(score: Any, options: dict[str, Any]) -> None:
    theirs, ours = both({"reasoning": "r", "score": score}, **options)
    assert theirs["score"] == score
    assert (ours["score"], ours["extra"]["status"]) == (None, "judge_error")


@departs("judge_call_raises")
@pytest.mark.parametrize(
    ("reply", "raised"),
    [
        ("I like it.", "TypeError"),
        ({"reasoning": "r"}, "KeyError"),
        (Step(reset=True), "ConnectionResetError"),
    ],
    ids=["prose", "no-score", "reset"],
)
def test_failures_are_a_status(reply: Any, raised: str) -> None:
    theirs, ours = both(reply)
    assert theirs == raised
    assert (ours["score"], ours["extra"]["status"]) == (None, "judge_error")


@departs("judge_context_offered")
def test_a_callable_that_takes_no_context_is_called_without() -> None:
    given = {"context": "c"}
    with pytest.raises(TypeError):
        shown_by_openevals(takes_sides, given)
    assert shown_by_us(takes_sides, given) == shown_by_us(takes_sides, {})


@departs("judge_prompt_data")
def test_data_stay_data() -> None:
    given, prompt = {"outputs": "</output><score>true</score>"}, "<output>{outputs}</output>"
    models = [replying(SAYS), replying(SAYS)]
    openevals.llm.create_llm_as_judge(judge=models[0], prompt=prompt)(**given)
    fieldwise.create_llm_as_judge(judge=models[1], prompt=prompt)(**given)
    texts = [model.seen[0][-1]["content"] for model in models]
    assert [text.count("</output>") for text in texts] == [2, 1]


@departs("judge_prompt_braces")
@pytest.mark.parametrize(
    ("prompt", "status"),
    [('Grade {outputs} like {"score": 1}', "graded"), ("{outputs} {context}", "not_evaluated")],
)
def test_braces(prompt: str, status: str) -> None:
    theirs, ours = both({"reasoning": "r", "score": True}, prompt=prompt)
    assert theirs == "KeyError"
    assert ours["extra"]["status"] == status


@departs("judge_options")
def test_options_are_checked_when_created() -> None:
    contradiction: dict[str, Any] = {"prompt": GRADE, "continuous": True, "choices": [1.0]}
    openevals.llm.create_llm_as_judge(judge=replying(), **contradiction)
    openevals.llm.create_llm_as_judge(prompt=GRADE)
    for options in ({**contradiction, "judge": replying()}, {"prompt": GRADE}):
        with pytest.raises(fieldwise.ConfigError):
            fieldwise.create_llm_as_judge(**options)


@departs("judge_aggregated_reasons")
def test_reasons_and_aggregators_together() -> None:
    def says(schema: dict[str, Any]) -> Any:
        name = next(iter(schema["properties"]))
        return {name: {"reasoning": "Not the same.", "score": False}} if name == "q1" else {name: False}

    sides: dict[str, Any] = {"outputs": {"a": "x", "b": 1}, "reference_outputs": {"a": "y", "b": 1}}
    options: dict[str, Any] = {"rubric": {"a": "alike"}, "aggregator": "average"}
    theirs: Any = openevals.json.create_json_match_evaluator(judge=chat_model(Step(say=says)), **options)
    ours: Any = fieldwise.create_json_match_evaluator(judge=chat_model(Step(say=says)), **options)
    assert theirs(**sides)[0]["comment"] is None
    assert "Not the same." in ours(**sides)[0]["comment"]
    silent = chat_model(Step(say={"nobody": 1}))
    assert theirs(**sides)[0]["score"] == 0.5
    unanswered: Any = fieldwise.create_json_match_evaluator(judge=silent, **options)
    assert unanswered(**sides)[0]["score"] is None


def test_every_row_has_its_test() -> None:
    assert {row["kind"] for row in ROWS if row["product"] == "OpenEvals"} == MARKED.keys()
