"""Evaluators of what an agent's tools were given, and of what they gave back."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator
from fieldwise.scorers.agents.arguments import tool_call_args
from fieldwise.scorers.agents.output import tool_call_output

create_tool_call_args_evaluator = evaluator(tool_call_args)
create_async_tool_call_args_evaluator = async_evaluator(tool_call_args)

create_tool_call_output_evaluator = evaluator(tool_call_output)
create_async_tool_call_output_evaluator = async_evaluator(tool_call_output)
