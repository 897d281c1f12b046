"""Evaluators of what a run took: time, tokens, errors, and the order of its spans."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator
from fieldwise.scorers.agents.budgets import error_budget, latency_budget, span_order, token_budget

create_latency_budget_evaluator = evaluator(latency_budget)
create_async_latency_budget_evaluator = async_evaluator(latency_budget)

create_span_order_evaluator = evaluator(span_order)
create_async_span_order_evaluator = async_evaluator(span_order)

create_error_budget_evaluator = evaluator(error_budget)
create_async_error_budget_evaluator = async_evaluator(error_budget)

create_token_budget_evaluator = evaluator(token_budget)
create_async_token_budget_evaluator = async_evaluator(token_budget)
