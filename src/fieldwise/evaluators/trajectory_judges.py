"""Evaluators that ask a model about what an agent did."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator
from fieldwise.scorers.agents.trajectory_judges import llm_judge_trajectory, llm_judge_trajectory_simulation

create_llm_judge_trajectory_evaluator = evaluator(llm_judge_trajectory)
create_async_llm_judge_trajectory_evaluator = async_evaluator(llm_judge_trajectory)

create_llm_judge_trajectory_simulation_evaluator = evaluator(llm_judge_trajectory_simulation)
create_async_llm_judge_trajectory_simulation_evaluator = async_evaluator(llm_judge_trajectory_simulation)
