"""Examples as records: what their fields become for each kind of evaluator, alone and in a run."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pandas as pd
import pytest

from fieldwise import (
    ConfigError,
    create_async_json_match_evaluator,
    create_exact_match_evaluator,
    create_json_match_evaluator,
    create_json_match_string_evaluator,
    create_llm_as_judge,
    evaluate_records,
)
from fieldwise.evaluators.classification import create_multiclass_classification_summary_evaluator
from fieldwise.evaluators.grounding import create_grounded_fields_evaluator
from fieldwise.evaluators.tools import create_tool_call_order_evaluator
from fieldwise.evaluators.trajectories import create_trajectory_match_evaluator
from fieldwise.evaluators.trajectory_judges import create_llm_judge_trajectory_evaluator
from fieldwise.example import Example
from fieldwise.run import Report, examine
from fieldwise.run._examples import (
    aevaluate_example,
    aevaluate_examples,
    evaluate_example,
    evaluate_examples,
)

WEATHER = Example(
    input="What is the weather in Paris?",
    actual_output='{"sky": "sunny", "celsius": 25}',
    expected_output='{"sky": "sunny", "celsius": 24}',
    tools_called=["geocode", "weather_api"],
    expected_tools=["geocode", "weather_api"],
    retrieval_context=["Paris: sunny, 25 degrees."],
    context=["Temperatures are in Celsius."],
)
CAMEL = {
    "input": WEATHER.input,
    "actualOutput": WEATHER.actual_output,
    "expectedOutput": WEATHER.expected_output,
    "toolsCalled": WEATHER.tools_called,
    "expectedTools": WEATHER.expected_tools,
    "retrievalContext": WEATHER.retrieval_context,
    "context": WEATHER.context,
}


def both(example: Any, evaluators: Any, **options: Any) -> list[Any]:
    """The results, once sync and async gave the same."""
    found = evaluate_example(example, evaluators, **options)
    assert asyncio.run(aevaluate_example(example, evaluators, **options)) == found
    json.dumps(found, allow_nan=False)
    return found


def scores(results: list[Any]) -> dict[str, Any]:
    return {one["key"]: one["score"] for one in results}


FORMS = [
    pytest.param(WEATHER, id="example"),
    pytest.param(WEATHER.to_dict(), id="snake"),
    pytest.param(CAMEL, id="camel"),
    pytest.param({**WEATHER.to_dict(), "outputs": WEATHER.actual_output}, id="beside-outputs"),
]


@pytest.mark.parametrize("example", FORMS)
def test_every_evaluator_gets_what_it_looks_at(example: Any) -> None:
    evaluators = [
        create_json_match_evaluator(),
        create_json_match_string_evaluator(feedback_key="text"),
        create_tool_call_order_evaluator(),
        create_trajectory_match_evaluator(),
        create_grounded_fields_evaluator(),
    ]
    assert scores(both(example, evaluators)) == {
        "json_match:celsius": 0.0,
        "json_match:sky": 1.0,
        "text:celsius": 0.0,
        "text:sky": 1.0,
        "tool_call_order": 1.0,
        "trajectory_strict_match": True,
        "grounded_fields:celsius": 1.0,
        "grounded_fields:sky": 1.0,
        "grounded_fields:aggregate_score": 1.0,
    }


def test_input_is_inputs() -> None:
    evaluator = create_exact_match_evaluator(correct_answer_key="answer")
    example = Example(input={"q": "1+1", "answer": "2"}, actual_output="2")
    assert scores(both(example, evaluator)) == {"exact_match": True}


@pytest.mark.parametrize(
    ("called", "expected", "score"),
    [
        (["a", "b"], ["a", "b"], 1.0),
        (["b", "a"], ["a", "b"], 0.5),
        (["a", "x", "b"], ["a", "b"], 1.0),
        (["x"], ["a", "b"], 0.0),
        ([], [], 1.0),
        ([], ["a"], 0.0),
    ],
)
def test_tools_called_against_expected_tools(called: Any, expected: Any, score: float) -> None:
    example = Example(actual_output="irrelevant", tools_called=called, expected_tools=expected)
    assert scores(both(example, create_tool_call_order_evaluator())) == {"tool_call_order": score}


def test_records_without_example_fields_keep_their_trajectory() -> None:
    record = {"outputs": [{"name": "a", "args": {}}], "reference_outputs": ["a"]}
    report = evaluate_records([record], create_tool_call_order_evaluator())
    assert scores(report.records[0].results) == {"tool_call_order": 1.0}


@pytest.mark.parametrize(
    ("example", "evaluator", "reason"),
    [
        (
            Example(input="a", tools_called=["t"]),
            create_exact_match_evaluator(),
            "the record has no actual_output; its keys: 'input', 'tools_called'",
        ),
        (
            Example(actual_output="a", expected_output="a"),
            create_tool_call_order_evaluator(),
            "the record has no tools_called; its keys: 'actual_output', 'expected_output'",
        ),
        (
            {"expectedTools": ["a"], "toolsCalled": None},
            create_tool_call_order_evaluator(),
            "the record has no tools_called; its keys: 'expectedTools'",
        ),
        (Example(), create_exact_match_evaluator(), "the record has no outputs; its keys: none"),
        ({"input": "a"}, lambda outputs: 1, "the record has no outputs; its keys: 'input'"),
    ],
    ids=["no output", "no tools", "no tools called", "empty", "a callable"],
)
def test_what_an_example_lacks_is_not_evaluated(example: Any, evaluator: Any, reason: str) -> None:
    (result,) = both(example, evaluator)
    assert (result["score"], result["comment"]) == (None, reason)
    assert result["extra"]["status"] == "not_evaluated"
    assert examine(example, evaluator).results == [result]


def test_each_evaluator_of_one_example_looks_for_itself() -> None:
    example = Example(tools_called=["a"], expected_tools=["a"])
    evaluators = [create_exact_match_evaluator(), create_tool_call_order_evaluator()]
    assert scores(both(example, evaluators)) == {"exact_match": None, "tool_call_order": 1.0}


def test_missing_expectation_is_the_references_fault() -> None:
    (exact,) = both(Example(actual_output="a"), create_exact_match_evaluator())
    (order,) = both(Example(tools_called=["a"]), create_tool_call_order_evaluator())
    assert exact["extra"]["status"] == order["extra"]["status"] == "invalid_reference"


def test_contexts_reach_a_judge() -> None:
    asked: list[str] = []

    def judge(request: Any) -> Any:
        asked.append(json.dumps([one.content for one in request.prompt.messages]))
        return {"score": {"score": True, "reasoning": "so it is"}}

    prompt = "Is {outputs} in {retrieval_context}, given {context}?"
    evaluator = create_llm_as_judge(prompt=prompt, feedback_key="score", judge=judge)
    assert evaluate_example(WEATHER, evaluator)[0]["score"] is True
    assert "Paris: sunny, 25 degrees." in asked[0]
    assert "Temperatures are in Celsius." in asked[0]
    (result,) = evaluate_example(Example(actual_output="a"), evaluator)
    assert result["extra"]["status"] == "not_evaluated"


def test_judge_of_the_run_answers() -> None:
    evaluator = create_json_match_evaluator(rubric={"celsius": "close enough"}, judge=lambda _: {})
    (celsius, _) = both(WEATHER, evaluator, judge=lambda request: {request.questions[0].id: True})
    assert celsius["score"] == 1.0


def test_async_evaluators_are_awaited() -> None:
    found = asyncio.run(aevaluate_example(WEATHER, create_async_json_match_evaluator(aggregator="all")))
    assert scores(found) == {"json_match:all": 0.0}


@pytest.mark.parametrize("given", ["text", [WEATHER], None], ids=repr)
def test_one_example_is_one(given: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        evaluate_example(given, create_json_match_evaluator())
    assert str(raised.value) == (
        f"example is {type(given).__name__}: pass an Example, or a mapping with its fields; "
        "evaluate_examples takes many"
    )


# ----------------------------------------------------------------------------------------------- runs


def runs(examples: Any, evaluators: Any, **options: Any) -> Report:
    """The report of a run over examples, once all ways to run gave the same."""
    report = evaluate_examples(examples, evaluators, **options)
    awaited = asyncio.run(aevaluate_examples(examples, evaluators, **options))
    assert report.records == awaited.records == evaluate_records(examples, evaluators, **options).records
    return report


def test_many_examples() -> None:
    examples = [
        Example(actual_output=text, expected_output="a", tools_called=[text], expected_tools=["a"])
        for text in "abaa"
    ]
    report = runs(examples, [create_exact_match_evaluator(), create_tool_call_order_evaluator()])
    assert report.fields["exact_match"].mean == report.fields["tool_call_order"].mean == 0.75
    assert report.fields["exact_match"].worst is not None
    assert report.fields["exact_match"].worst.id == "2"


def test_data_frame_of_examples() -> None:
    rows = [
        {"id": "one", "actual_output": "a", "expected_output": "a", "tools_called": ["t"]},
        {"id": "two", "actual_output": None, "expected_output": "b", "tools_called": ["t"]},
    ]
    report = evaluate_examples(pd.DataFrame(rows), create_exact_match_evaluator())  # type: ignore[arg-type]
    assert [(one.id, one.results[0]["score"]) for one in report.records] == [("one", True), ("two", None)]


def test_a_run_of_examples_is_bounded() -> None:
    lock, running, most, read = threading.Lock(), 0, 0, 0

    def slow(outputs: Any) -> bool:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.002)
        with lock:
            running -= 1
        return bool(outputs)

    def examples() -> Any:
        nonlocal read
        for _ in range(40):
            read += 1
            yield Example(actual_output="a")

    done: list[int] = []
    evaluate_examples(
        examples(), slow, concurrency=3, keep_results=False, on_result=lambda one: done.append(read)
    )
    assert (len(done), most) == (40, 3)
    assert done[0] <= 4 * 3 + 1


def test_paths_of_options_are_looked_for_in_examples() -> None:
    examples = [WEATHER, Example(actual_output='{"rain": 1}')]
    evaluators = [
        create_json_match_evaluator(exclude_keys=["celcius", "sky"]),
        create_grounded_fields_evaluator(fields=["sky", "rian"]),
    ]
    report = evaluate_examples(examples, evaluators)
    assert [(one["path"], one["nearest"]) for one in report.unmatched_paths] == [
        ("rian", "rain"),
        ("celcius", "celsius"),
    ]


@pytest.mark.parametrize(
    ("prompt", "shown"),
    [
        (lambda *, inputs, outputs, reference_outputs: f"{inputs}|{outputs}", f"{WEATHER.input}|"),
        (lambda *, context, **_: f"{context}", "['Temperatures are in Celsius.']"),
        (lambda **given: f"{[*given]}", "'context', 'retrieval_context'"),
    ],
    ids=["neither", "one", "all"],
)
def test_a_callable_prompt_gets_the_contexts_it_takes(prompt: Any, shown: str) -> None:
    asked: list[str] = []

    def judge(request: Any) -> Any:
        asked.append(request.prompt.messages[0].content)
        return {request.questions[0].id: True}

    (result,) = evaluate_example(WEATHER, create_llm_as_judge(prompt=prompt, judge=judge))
    assert result["score"] is True
    assert shown in asked[0]


# --------------------------------------------------------------------------------- what is not there


@pytest.mark.parametrize(
    ("example", "evaluator", "comment"),
    [
        (
            Example(tools_called=["a"]),
            create_tool_call_order_evaluator(),
            "the example has no expected_tools",
        ),
        (
            {"toolsCalled": ["a"]},
            create_trajectory_match_evaluator(),
            "the example has no expected_tools",
        ),
        (
            Example(tools_called=["a"]),
            create_llm_judge_trajectory_evaluator(judge=lambda _: {}),
            "the example has no expected_tools, and nothing else says what was expected of the agent",
        ),
        (Example(actual_output="a"), create_exact_match_evaluator(), "the example has no expected_output"),
        ({"outputs": "a"}, create_exact_match_evaluator(), "no reference_outputs were given"),
        (
            {"outputs": "a", "expected": "a"},
            create_exact_match_evaluator(),
            "no reference_outputs were given; 'expected' is not read",
        ),
    ],
)
def test_what_an_example_has_not_to_compare_with_is_named_as_its_field(
    example: Any, evaluator: Any, comment: str
) -> None:
    (found,) = both(example, evaluator)
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")
    assert (found["comment"], found["extra"]["reason"], found["metadata"]) == (
        comment,
        comment,
        found["extra"],
    )
    assert examine(example, evaluator).results == [found]


@pytest.mark.parametrize(
    ("examples", "kind"),
    [(WEATHER, "one Example"), (CAMEL, "dict"), ("examples.jsonl", "str"), (3, "int")],
    ids=["example", "mapping", "text", "number"],
)
def test_one_example_is_not_many(examples: Any, kind: str) -> None:
    message = (
        f"examples is {kind}: pass a list of Examples, [example], or a DataFrame; "
        "evaluate_example takes one by itself"
    )
    evaluator = create_exact_match_evaluator()
    with pytest.raises(ConfigError) as caught:
        evaluate_examples(examples, evaluator)
    assert str(caught.value) == message
    with pytest.raises(ConfigError) as caught:
        asyncio.run(aevaluate_examples(examples, evaluator))
    assert str(caught.value) == message


def test_one_example_is_no_records() -> None:
    with pytest.raises(ConfigError) as caught:
        evaluate_records(WEATHER, create_exact_match_evaluator())
    assert (
        str(caught.value)
        == "records is one Example: pass a list, [example]; evaluate_example takes one by itself"
    )


def test_a_summary_evaluator_is_none_of_single_records() -> None:
    summary = create_multiclass_classification_summary_evaluator(classes=["a", "b"])
    records = [{"outputs": "a", "reference_outputs": "a"}]
    message = (
        "evaluators: multiclass_classification_summary sums up many records and cannot be called with one; "
        "pass create_multiclass_classification_evaluator(…), the report has its summary"
    )
    for given in (summary, [summary], {"multiclass_classification_summary": summary}):
        with pytest.raises(ConfigError) as caught:
            evaluate_records(records, given)
        assert str(caught.value) == message

    def own(*, outputs: Any, reference_outputs: Any) -> bool:
        return bool(outputs == reference_outputs)

    assert evaluate_records(records, own).score == 1.0
