"""fieldwise: how right a structured answer is, field by field.

Factories make evaluators that OpenEvals, LangSmith and LangChain call as their own:

>>> import fieldwise
>>> evaluate = fieldwise.create_json_match_evaluator(aggregator="average")
>>> evaluate(outputs={"a": 1, "b": 2}, reference_outputs={"a": 1, "b": 3})[0]["score"]
0.5

Names are loaded when first used, so importing this package loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fieldwise._exports import HOMES

if TYPE_CHECKING:
    from fieldwise._types import MISSING, EvaluatorResult, StringEvaluator, SummaryEvaluator
    from fieldwise.core.align import by_key
    from fieldwise.core.flow import Answer, Judge, JudgeFailure, JudgeRequest, Question, Verdict
    from fieldwise.errors import (
        ConfigError,
        ExecutorError,
        FieldwiseError,
        InputError,
        JudgeError,
        PathError,
        Unreadable,
    )
    from fieldwise.evalsets.custom.base import BaseEvaluator
    from fieldwise.evalsets.custom.calling import as_async_evaluator, as_evaluator
    from fieldwise.evalsets.custom.models import BaseEvaluationCriteria, BaseEvaluatorConfig
    from fieldwise.evalsets.custom.results import (
        BooleanEvaluationResult,
        ErrorEvaluationResult,
        NumericEvaluationResult,
    )
    from fieldwise.evaluators.arguments import (
        create_async_tool_call_args_evaluator,
        create_async_tool_call_output_evaluator,
        create_tool_call_args_evaluator,
        create_tool_call_output_evaluator,
    )
    from fieldwise.evaluators.budgets import (
        create_async_error_budget_evaluator,
        create_async_latency_budget_evaluator,
        create_async_span_order_evaluator,
        create_async_token_budget_evaluator,
        create_error_budget_evaluator,
        create_latency_budget_evaluator,
        create_span_order_evaluator,
        create_token_budget_evaluator,
    )
    from fieldwise.evaluators.classification import (
        create_async_binary_classification_evaluator,
        create_async_multiclass_classification_evaluator,
        create_binary_classification_evaluator,
        create_binary_classification_string_evaluator,
        create_binary_classification_summary_evaluator,
        create_multiclass_classification_evaluator,
        create_multiclass_classification_string_evaluator,
        create_multiclass_classification_summary_evaluator,
    )
    from fieldwise.evaluators.documents import (
        create_async_json_diff_evaluator,
        create_async_json_edit_distance_evaluator,
        create_async_json_equality_evaluator,
        create_async_json_schema_evaluator,
        create_async_json_similarity_evaluator,
        create_async_json_validity_evaluator,
        create_json_diff_evaluator,
        create_json_diff_string_evaluator,
        create_json_edit_distance_evaluator,
        create_json_edit_distance_string_evaluator,
        create_json_equality_evaluator,
        create_json_equality_string_evaluator,
        create_json_schema_evaluator,
        create_json_schema_string_evaluator,
        create_json_similarity_evaluator,
        create_json_similarity_string_evaluator,
        create_json_validity_evaluator,
        create_json_validity_string_evaluator,
    )
    from fieldwise.evaluators.fields import (
        create_async_multi_field_evaluator,
        create_multi_field_evaluator,
        create_multi_field_string_evaluator,
        create_multi_field_summary_evaluator,
    )
    from fieldwise.evaluators.grounding import (
        create_async_grounded_fields_evaluator,
        create_grounded_fields_evaluator,
    )
    from fieldwise.evaluators.judged import (
        create_async_llm_as_judge,
        create_async_llm_judge_output_evaluator,
        create_async_llm_judge_strict_json_evaluator,
        create_llm_as_judge,
        create_llm_judge_output_evaluator,
        create_llm_judge_output_string_evaluator,
        create_llm_judge_strict_json_evaluator,
        create_llm_judge_strict_json_string_evaluator,
    )
    from fieldwise.evaluators.match import (
        create_async_json_match_evaluator,
        create_json_match_evaluator,
        create_json_match_string_evaluator,
    )
    from fieldwise.evaluators.texts import (
        create_async_contains_all_evaluator,
        create_async_contains_any_evaluator,
        create_async_contains_evaluator,
        create_async_contains_json_evaluator,
        create_async_ends_with_evaluator,
        create_async_exact_match_evaluator,
        create_async_field_match_evaluator,
        create_async_regex_match_evaluator,
        create_async_starts_with_evaluator,
        create_async_string_similarity_evaluator,
        create_contains_all_evaluator,
        create_contains_all_string_evaluator,
        create_contains_any_evaluator,
        create_contains_any_string_evaluator,
        create_contains_evaluator,
        create_contains_json_evaluator,
        create_contains_json_string_evaluator,
        create_contains_string_evaluator,
        create_ends_with_evaluator,
        create_ends_with_string_evaluator,
        create_exact_match_evaluator,
        create_exact_match_string_evaluator,
        create_field_match_evaluator,
        create_field_match_string_evaluator,
        create_regex_match_evaluator,
        create_regex_match_string_evaluator,
        create_starts_with_evaluator,
        create_starts_with_string_evaluator,
        create_string_similarity_evaluator,
        create_string_similarity_string_evaluator,
    )
    from fieldwise.evaluators.tools import (
        create_async_tool_call_count_evaluator,
        create_async_tool_call_order_evaluator,
        create_tool_call_count_evaluator,
        create_tool_call_order_evaluator,
    )
    from fieldwise.evaluators.trajectories import (
        create_async_graph_trajectory_match_evaluator,
        create_async_llm_judge_graph_trajectory_evaluator,
        create_async_trajectory_match_evaluator,
        create_graph_trajectory_match_evaluator,
        create_llm_judge_graph_trajectory_evaluator,
        create_trajectory_match_evaluator,
    )
    from fieldwise.evaluators.trajectory_judges import (
        create_async_llm_judge_trajectory_evaluator,
        create_async_llm_judge_trajectory_simulation_evaluator,
        create_llm_judge_trajectory_evaluator,
        create_llm_judge_trajectory_simulation_evaluator,
    )
    from fieldwise.example import Example
    from fieldwise.integrations.examples import examples_from_jsonl, examples_to_jsonl
    from fieldwise.integrations.opentelemetry import capture_spans, traced
    from fieldwise.judges.model import ModelJudge, create_judge
    from fieldwise.run import Report, aevaluate_records, evaluate_records
    from fieldwise.run._examples import (
        aevaluate_example,
        aevaluate_examples,
        evaluate_example,
        evaluate_examples,
    )
    from fieldwise.run._judge_check import JudgeCheck, check_judge
    from fieldwise.scorers.agents.execution import AgentExecution
    from fieldwise.scorers.field import Field
    from fieldwise.scorers.schema_fields import fields_from_schema

__all__ = [
    "AgentExecution",
    "Answer",
    "BaseEvaluationCriteria",
    "BaseEvaluator",
    "BaseEvaluatorConfig",
    "BooleanEvaluationResult",
    "ConfigError",
    "ErrorEvaluationResult",
    "EvaluatorResult",
    "Example",
    "ExecutorError",
    "Field",
    "FieldwiseError",
    "InputError",
    "Judge",
    "JudgeCheck",
    "JudgeError",
    "JudgeFailure",
    "JudgeRequest",
    "MISSING",
    "ModelJudge",
    "NumericEvaluationResult",
    "PathError",
    "Question",
    "Report",
    "StringEvaluator",
    "SummaryEvaluator",
    "Unreadable",
    "Verdict",
    "aevaluate_example",
    "aevaluate_examples",
    "aevaluate_records",
    "as_async_evaluator",
    "as_evaluator",
    "by_key",
    "capture_spans",
    "check_judge",
    "create_async_binary_classification_evaluator",
    "create_async_contains_all_evaluator",
    "create_async_contains_any_evaluator",
    "create_async_contains_evaluator",
    "create_async_contains_json_evaluator",
    "create_async_ends_with_evaluator",
    "create_async_error_budget_evaluator",
    "create_async_exact_match_evaluator",
    "create_async_field_match_evaluator",
    "create_async_graph_trajectory_match_evaluator",
    "create_async_grounded_fields_evaluator",
    "create_async_json_diff_evaluator",
    "create_async_json_edit_distance_evaluator",
    "create_async_json_equality_evaluator",
    "create_async_json_match_evaluator",
    "create_async_json_schema_evaluator",
    "create_async_json_similarity_evaluator",
    "create_async_json_validity_evaluator",
    "create_async_latency_budget_evaluator",
    "create_async_llm_as_judge",
    "create_async_llm_judge_graph_trajectory_evaluator",
    "create_async_llm_judge_output_evaluator",
    "create_async_llm_judge_strict_json_evaluator",
    "create_async_llm_judge_trajectory_evaluator",
    "create_async_llm_judge_trajectory_simulation_evaluator",
    "create_async_multi_field_evaluator",
    "create_async_multiclass_classification_evaluator",
    "create_async_regex_match_evaluator",
    "create_async_span_order_evaluator",
    "create_async_starts_with_evaluator",
    "create_async_string_similarity_evaluator",
    "create_async_token_budget_evaluator",
    "create_async_tool_call_args_evaluator",
    "create_async_tool_call_count_evaluator",
    "create_async_tool_call_order_evaluator",
    "create_async_tool_call_output_evaluator",
    "create_async_trajectory_match_evaluator",
    "create_binary_classification_evaluator",
    "create_binary_classification_string_evaluator",
    "create_binary_classification_summary_evaluator",
    "create_contains_all_evaluator",
    "create_contains_all_string_evaluator",
    "create_contains_any_evaluator",
    "create_contains_any_string_evaluator",
    "create_contains_evaluator",
    "create_contains_json_evaluator",
    "create_contains_json_string_evaluator",
    "create_contains_string_evaluator",
    "create_ends_with_evaluator",
    "create_ends_with_string_evaluator",
    "create_error_budget_evaluator",
    "create_exact_match_evaluator",
    "create_exact_match_string_evaluator",
    "create_field_match_evaluator",
    "create_field_match_string_evaluator",
    "create_graph_trajectory_match_evaluator",
    "create_grounded_fields_evaluator",
    "create_json_diff_evaluator",
    "create_json_diff_string_evaluator",
    "create_json_edit_distance_evaluator",
    "create_json_edit_distance_string_evaluator",
    "create_json_equality_evaluator",
    "create_json_equality_string_evaluator",
    "create_json_match_evaluator",
    "create_json_match_string_evaluator",
    "create_json_schema_evaluator",
    "create_json_schema_string_evaluator",
    "create_json_similarity_evaluator",
    "create_json_similarity_string_evaluator",
    "create_json_validity_evaluator",
    "create_json_validity_string_evaluator",
    "create_judge",
    "create_latency_budget_evaluator",
    "create_llm_as_judge",
    "create_llm_judge_graph_trajectory_evaluator",
    "create_llm_judge_output_evaluator",
    "create_llm_judge_output_string_evaluator",
    "create_llm_judge_strict_json_evaluator",
    "create_llm_judge_strict_json_string_evaluator",
    "create_llm_judge_trajectory_evaluator",
    "create_llm_judge_trajectory_simulation_evaluator",
    "create_multi_field_evaluator",
    "create_multi_field_string_evaluator",
    "create_multi_field_summary_evaluator",
    "create_multiclass_classification_evaluator",
    "create_multiclass_classification_string_evaluator",
    "create_multiclass_classification_summary_evaluator",
    "create_regex_match_evaluator",
    "create_regex_match_string_evaluator",
    "create_span_order_evaluator",
    "create_starts_with_evaluator",
    "create_starts_with_string_evaluator",
    "create_string_similarity_evaluator",
    "create_string_similarity_string_evaluator",
    "create_token_budget_evaluator",
    "create_tool_call_args_evaluator",
    "create_tool_call_count_evaluator",
    "create_tool_call_order_evaluator",
    "create_tool_call_output_evaluator",
    "create_trajectory_match_evaluator",
    "evaluate_example",
    "evaluate_examples",
    "evaluate_records",
    "examples_from_jsonl",
    "examples_to_jsonl",
    "fields_from_schema",
    "traced",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("fieldwise")
    if name in HOMES:
        value = globals()[name] = getattr(import_module(HOMES[name]), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
