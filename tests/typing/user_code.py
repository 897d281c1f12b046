"""Code as users write it, for the type checkers: mypy in the gate, pyright in `make check-release`.

Each factory is called, and what it makes is put where OpenEvals' own type is asked for. It runs as well.
"""

# pyright: strict, reportUnknownVariableType=false, reportUnknownMemberType=false
# (the dicts in the signatures of LangSmith do not say what they hold)

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from langsmith import aevaluate, evaluate

import fieldwise as fw
from fieldwise import comparators
from fieldwise.integrations.langsmith import run_evaluator
from fieldwise.testing import assert_matches

if TYPE_CHECKING:
    from langsmith import Client
    from langsmith.evaluation import RunEvaluator
    from langsmith.evaluation._arunner import AsyncExperimentResults
    from langsmith.evaluation._runner import ExperimentResults
    from langsmith.schemas import Example
    from openevals.types import SimpleAsyncEvaluator, SimpleEvaluator


def judge(request: fw.JudgeRequest) -> Mapping[str, Any]:
    """Answer every question with yes."""
    return {question.id: {"score": True, "reasoning": "the same"} for question in request.questions}


def nearly(expected: Any, actual: Any) -> float:
    """Compare two numbers."""
    return max(0.0, 1 - abs(float(expected) - float(actual)))


A_JUDGE: fw.Judge = judge
FIELDS: list[str | fw.Field] = [
    "name",
    fw.Field("price", comparator=comparators.number(relative=0.01), weight=2),
]

SYNC: list[SimpleEvaluator] = [
    fw.create_binary_classification_evaluator(positive_class="yes"),
    fw.create_contains_all_evaluator(),
    fw.create_contains_any_evaluator(),
    fw.create_contains_evaluator(),
    fw.create_contains_json_evaluator(),
    fw.create_ends_with_evaluator(),
    fw.create_error_budget_evaluator(),
    fw.create_exact_match_evaluator(),
    fw.create_field_match_evaluator(json_field="a"),
    fw.create_graph_trajectory_match_evaluator(),
    fw.create_grounded_fields_evaluator(),
    fw.create_json_diff_evaluator(),
    fw.create_json_edit_distance_evaluator(),
    fw.create_json_equality_evaluator(),
    fw.create_json_match_evaluator(),
    fw.create_json_schema_evaluator(),
    fw.create_json_similarity_evaluator(),
    fw.create_json_validity_evaluator(),
    fw.create_latency_budget_evaluator(),
    fw.create_llm_as_judge(prompt="{outputs}", judge=judge),
    fw.create_llm_judge_graph_trajectory_evaluator(judge=judge),
    fw.create_llm_judge_output_evaluator(judge=judge),
    fw.create_llm_judge_strict_json_evaluator(judge=judge),
    fw.create_llm_judge_trajectory_evaluator(judge=judge),
    fw.create_llm_judge_trajectory_simulation_evaluator(judge=judge),
    fw.create_multi_field_evaluator(fields=FIELDS),
    fw.create_multiclass_classification_evaluator(classes=["cat", "dog"]),
    fw.create_regex_match_evaluator(),
    fw.create_span_order_evaluator(),
    fw.create_starts_with_evaluator(),
    fw.create_string_similarity_evaluator(),
    fw.create_token_budget_evaluator(),
    fw.create_tool_call_args_evaluator(),
    fw.create_tool_call_count_evaluator(),
    fw.create_tool_call_order_evaluator(),
    fw.create_tool_call_output_evaluator(),
    fw.create_trajectory_match_evaluator(),
]

ASYNC: list[SimpleAsyncEvaluator] = [
    fw.create_async_binary_classification_evaluator(positive_class="yes"),
    fw.create_async_contains_all_evaluator(),
    fw.create_async_contains_any_evaluator(),
    fw.create_async_contains_evaluator(),
    fw.create_async_contains_json_evaluator(),
    fw.create_async_ends_with_evaluator(),
    fw.create_async_error_budget_evaluator(),
    fw.create_async_exact_match_evaluator(),
    fw.create_async_field_match_evaluator(json_field="a"),
    fw.create_async_graph_trajectory_match_evaluator(),
    fw.create_async_grounded_fields_evaluator(),
    fw.create_async_json_diff_evaluator(),
    fw.create_async_json_edit_distance_evaluator(),
    fw.create_async_json_equality_evaluator(),
    fw.create_async_json_match_evaluator(),
    fw.create_async_json_schema_evaluator(),
    fw.create_async_json_similarity_evaluator(),
    fw.create_async_json_validity_evaluator(),
    fw.create_async_latency_budget_evaluator(),
    fw.create_async_llm_as_judge(prompt="{outputs}", judge=judge),
    fw.create_async_llm_judge_graph_trajectory_evaluator(judge=judge),
    fw.create_async_llm_judge_output_evaluator(judge=judge),
    fw.create_async_llm_judge_strict_json_evaluator(judge=judge),
    fw.create_async_llm_judge_trajectory_evaluator(judge=judge),
    fw.create_async_llm_judge_trajectory_simulation_evaluator(judge=judge),
    fw.create_async_multi_field_evaluator(fields=FIELDS),
    fw.create_async_multiclass_classification_evaluator(classes=["cat", "dog"]),
    fw.create_async_regex_match_evaluator(),
    fw.create_async_span_order_evaluator(),
    fw.create_async_starts_with_evaluator(),
    fw.create_async_string_similarity_evaluator(),
    fw.create_async_token_budget_evaluator(),
    fw.create_async_tool_call_args_evaluator(),
    fw.create_async_tool_call_count_evaluator(),
    fw.create_async_tool_call_order_evaluator(),
    fw.create_async_tool_call_output_evaluator(),
    fw.create_async_trajectory_match_evaluator(),
]

STRING: list[fw.StringEvaluator] = [
    fw.create_binary_classification_string_evaluator(positive_class="yes"),
    fw.create_contains_all_string_evaluator(),
    fw.create_contains_any_string_evaluator(),
    fw.create_contains_json_string_evaluator(),
    fw.create_contains_string_evaluator(),
    fw.create_ends_with_string_evaluator(),
    fw.create_exact_match_string_evaluator(),
    fw.create_field_match_string_evaluator(json_field="a"),
    fw.create_json_diff_string_evaluator(),
    fw.create_json_edit_distance_string_evaluator(),
    fw.create_json_equality_string_evaluator(),
    fw.create_json_match_string_evaluator(),
    fw.create_json_schema_string_evaluator(),
    fw.create_json_similarity_string_evaluator(),
    fw.create_json_validity_string_evaluator(),
    fw.create_llm_judge_output_string_evaluator(judge=judge),
    fw.create_llm_judge_strict_json_string_evaluator(judge=judge),
    fw.create_multi_field_string_evaluator(fields=FIELDS),
    fw.create_multiclass_classification_string_evaluator(classes=["cat", "dog"]),
    fw.create_regex_match_string_evaluator(),
    fw.create_starts_with_string_evaluator(),
    fw.create_string_similarity_string_evaluator(),
]

SUMMARY: list[fw.SummaryEvaluator] = [
    fw.create_binary_classification_summary_evaluator(positive_class="yes"),
    fw.create_multi_field_summary_evaluator(fields=FIELDS),
    fw.create_multiclass_classification_summary_evaluator(classes=["cat", "dog"]),
]

CONFIGURED: SimpleEvaluator = fw.create_json_match_evaluator(
    aggregator="average",
    list_aggregator="average",
    rubric={"title": "the same book"},
    judge=judge,
    exclude_keys=["id"],
    comparators={"price": nearly, "date": "date", "total": comparators.money(currency="EUR")},
    lists={"items": fw.by_key("sku"), "tags": "same_elements"},
    weights={"price": 2},
    depth="leaves",
)
WRAPPED: RunEvaluator = run_evaluator("json_match", aggregator="average")


class Limit(fw.BaseEvaluationCriteria):
    """What a test case brings."""

    longest: int = 10


class Short(fw.BaseEvaluator[Limit]):
    """An evaluator of one's own."""

    async def evaluate(
        self, agent_execution: fw.AgentExecution, criteria: Limit
    ) -> fw.BooleanEvaluationResult:
        """Say whether the output is short."""
        return fw.BooleanEvaluationResult(score=len(str(agent_execution.agent_output)) <= criteria.longest)


OWN: SimpleEvaluator = fw.as_evaluator(Short, {"longest": 3})
OWN_ASYNC: SimpleAsyncEvaluator = fw.as_async_evaluator(Short, {"longest": 3})


def in_experiments(client: Client, data: list[Example]) -> list[ExperimentResults]:
    """Hand evaluators of each form to LangSmith, as they are."""

    def target(inputs: dict[str, Any]) -> dict[str, Any]:
        return {"a": inputs["n"]}

    results = [
        evaluate(
            target,
            data=data,
            evaluators=[
                fw.create_json_match_evaluator(aggregator="average"),
                fw.create_async_json_match_evaluator(),
                fw.as_evaluator(Short, {"longest": 3}),
                WRAPPED,
            ],
            summary_evaluators=[
                fw.create_multi_field_summary_evaluator(fields=FIELDS),
                fw.create_binary_classification_summary_evaluator(positive_class="yes"),
            ],
            client=client,
            upload_results=False,
        )
    ]
    made = fw.create_exact_match_evaluator()
    results.append(client.evaluate(target, data=data, evaluators=[made], upload_results=False))
    return results


async def in_async_experiments(client: Client, data: list[Example]) -> list[AsyncExperimentResults]:
    """Do the same asynchronously."""

    async def target(inputs: dict[str, Any]) -> dict[str, Any]:
        return {"a": inputs["n"]}

    results = [
        await aevaluate(
            target,
            data=data,
            evaluators=[
                fw.create_json_match_evaluator(),
                fw.create_async_json_match_evaluator(aggregator="average"),
                fw.as_async_evaluator(Short, {"longest": 3}),
                WRAPPED,
            ],
            summary_evaluators=[fw.create_multi_field_summary_evaluator(fields=FIELDS)],
            client=client,
            upload_results=False,
        )
    ]
    made = fw.create_async_exact_match_evaluator()
    results.append(await client.aevaluate(target, data=data, evaluators=[made], upload_results=False))
    return results


def over_records() -> float | None:
    """Score records, and read the report."""
    records = [{"outputs": {"a": 1}, "reference_outputs": {"a": 2}}]
    seen: list[str] = []
    report: fw.Report = fw.evaluate_records(
        records,
        [CONFIGURED, fw.create_exact_match_evaluator()],
        on_result=lambda one: seen.append(str(one.id)),
    )
    for tally in report.fields.values():
        mean: float | None = tally.mean
        seen.append(f"{mean}")
    score: float | None = report.score
    return score


async def awaited() -> fw.Report:
    """Do the same asynchronously, with an async evaluator."""
    example = fw.Example(input="2 + 2?", actual_output="4", expected_output="4")
    examples: list[fw.Example] = [example]
    await fw.aevaluate_examples(examples, fw.create_async_exact_match_evaluator())
    rows: list[fw.EvaluatorResult] = await fw.aevaluate_example(example, fw.create_async_contains_evaluator())
    assert rows[0]["key"] == "contains"
    return await fw.aevaluate_records([{"outputs": 1, "reference_outputs": 1}], ASYNC[0])


def one_result() -> float | bool | None:
    """Call an evaluator, and read what it returns."""
    found = CONFIGURED(outputs={"a": 1}, reference_outputs={"a": 1})
    first = found[0] if isinstance(found, list) else found
    strings = STRING[0].evaluate_strings(prediction="a", reference="a")
    return first["score"] if strings["score"] is None else strings["score"]


def in_a_test() -> None:
    """Assert, with a field and a threshold."""
    assert_matches({"price": 1.0}, {"price": 1.001}, [FIELDS[1]], threshold=0.9)


def configured_judge() -> fw.ModelJudge:
    """Say how a judge is asked."""
    return fw.create_judge(judge, timeout=5, max_calls=10)


def caught() -> str:
    """Catch what a wrong option raises."""
    try:
        fw.create_json_match_evaluator(weights={"a": -1})
    except fw.ConfigError as error:
        return str(error)
    return ""
