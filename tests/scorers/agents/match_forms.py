"""trajectory_match in both forms, which have to agree, and conversations to hand it."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from fieldwise.evaluators.trajectories import (
    create_async_trajectory_match_evaluator,
    create_trajectory_match_evaluator,
)

MODES: Final = ("strict", "unordered", "subset", "superset")


def matched(outputs: Any, reference_outputs: Any, **options: Any) -> Any:
    """What the sync evaluator returns, once the async one returned the same."""
    sync: Any = create_trajectory_match_evaluator(**options)
    awaited: Any = create_async_trajectory_match_evaluator(**options)
    given = {"outputs": outputs, "reference_outputs": reference_outputs}
    found = sync(**given)
    assert asyncio.run(awaited(**given)) == found
    json.dumps(found, allow_nan=False)
    return found


def asks(*calls: tuple[str, Any]) -> dict[str, Any]:
    """A message of the assistant's that calls tools, as OpenAI writes it."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
            for at, (name, args) in enumerate(calls)
        ],
    }


def talk(*decisions: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    """A conversation: a question, the calls of each decision with their results, an answer."""
    found: list[dict[str, Any]] = [{"role": "user", "content": "Well?"}]
    for calls in decisions:
        found.append(asks(*calls))
        found += [{"role": "tool", "tool_call_id": f"c{at}", "content": "ok"} for at in range(len(calls))]
    return [*found, {"role": "assistant", "content": "So."}]


def plain(*calls: tuple[str, Any]) -> list[dict[str, Any]]:
    """The calls alone."""
    return [{"name": name, "args": args} for name, args in calls]
