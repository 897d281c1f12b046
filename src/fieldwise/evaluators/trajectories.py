"""Evaluators of what an agent or a graph ran through, compared with a reference."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator
from fieldwise.scorers.agents.graph import graph_trajectory_match
from fieldwise.scorers.agents.graph_judge import llm_judge_graph_trajectory
from fieldwise.scorers.agents.trajectory import trajectory_match

create_graph_trajectory_match_evaluator = evaluator(graph_trajectory_match)
create_async_graph_trajectory_match_evaluator = async_evaluator(graph_trajectory_match)

create_llm_judge_graph_trajectory_evaluator = evaluator(llm_judge_graph_trajectory)
create_async_llm_judge_graph_trajectory_evaluator = async_evaluator(llm_judge_graph_trajectory)

create_trajectory_match_evaluator = evaluator(trajectory_match)
create_async_trajectory_match_evaluator = async_evaluator(trajectory_match)
