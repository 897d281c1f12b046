"""Evaluators that ask a model."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator, string_evaluator
from fieldwise.scorers.judged import llm_judge_output
from fieldwise.scorers.llm_as_judge import llm_as_judge
from fieldwise.scorers.strict_json import llm_judge_strict_json

create_llm_judge_output_evaluator = evaluator(llm_judge_output)
create_async_llm_judge_output_evaluator = async_evaluator(llm_judge_output)
create_llm_judge_output_string_evaluator = string_evaluator(llm_judge_output)

create_llm_judge_strict_json_evaluator = evaluator(llm_judge_strict_json)
create_async_llm_judge_strict_json_evaluator = async_evaluator(llm_judge_strict_json)
create_llm_judge_strict_json_string_evaluator = string_evaluator(llm_judge_strict_json)

create_llm_as_judge = evaluator(llm_as_judge, after="")
create_async_llm_as_judge = async_evaluator(llm_as_judge, after="")
