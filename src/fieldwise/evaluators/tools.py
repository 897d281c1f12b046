"""Evaluators of which tools an agent called, in which order and how often."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator
from fieldwise.scorers.agents.count import tool_call_count
from fieldwise.scorers.agents.order import tool_call_order

create_tool_call_order_evaluator = evaluator(tool_call_order)
create_async_tool_call_order_evaluator = async_evaluator(tool_call_order)

create_tool_call_count_evaluator = evaluator(tool_call_count)
create_async_tool_call_count_evaluator = async_evaluator(tool_call_count)
