"""A run of an agent before a judge, sync and async, which have to agree."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from fieldwise._types import MISSING, EvaluatorResult
from fieldwise.core.flow import JudgeRequest
from fieldwise.evaluators import trajectory_judges
from tests.scorers.single_forms import check_shape

NAME: Final = "llm_judge_trajectory"
SIMULATION: Final = "llm_judge_trajectory_simulation"
CALLS: Final = [{"name": "add", "args": {"a": 5}}]


class Judge:
    """Answers the one question with each of its replies in turn, the last one for ever."""

    def __init__(self, *replies: Any) -> None:
        self.replies = replies or (50,)
        self.asked: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> Any:
        reply = self.replies[min(request.attempt, len(self.replies)) - 1]
        self.asked.append(request)
        if isinstance(reply, Exception):
            raise reply
        return {"trajectory": reply}


def factories(name: str) -> tuple[Any, Any]:
    """What makes the sync evaluator, and the async one."""
    made = [
        getattr(trajectory_judges, form.format(name))
        for form in ("create_{}_evaluator", "create_async_{}_evaluator")
    ]
    return made[0], made[1]


def judge_run(
    outputs: Any = CALLS,
    reference: Any = "It adds.",
    *,
    name: str = NAME,
    inputs: Any = None,
    more: dict[str, Any] | None = None,
    **options: Any,
) -> EvaluatorResult:
    """The result of the sync evaluator, once the async one gave the same."""
    given = {"inputs": inputs, "outputs": outputs, "reference_outputs": reference, **(more or {})}
    given = {key: value for key, value in given.items() if value is not MISSING}
    sync, later = factories(name)
    found: EvaluatorResult = sync(**options)(**given)
    assert asyncio.run(later(**options)(**given)) == found
    check_shape(found)
    return found


def shown(outputs: Any = CALLS, reference: Any = "It adds.", **options: Any) -> list[str]:
    """The messages in which a run is judged."""
    judge = Judge()
    judge_run(outputs, reference, judge=judge, **options)
    first, second = judge.asked
    assert first == second
    return [message.content for message in first.prompt.messages]
