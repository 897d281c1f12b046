"""One record through both forms of an evaluator of tool calls; they have to agree."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from fieldwise._types import EvaluatorResult
from fieldwise.evaluators import tools
from tests.scorers.single_forms import check_shape

NONE: Any = object()
"""No reference at all."""


def evaluate(name: str, outputs: Any, reference: Any = NONE, **options: Any) -> EvaluatorResult:
    """The result of the sync evaluator, once the async one gave the same."""
    given = {"outputs": outputs} | ({} if reference is NONE else {"reference_outputs": reference})
    sync: Any = getattr(tools, f"create_{name}_evaluator")(**options)
    result: EvaluatorResult = sync(**given)
    awaited: Any = getattr(tools, f"create_async_{name}_evaluator")(**options)
    assert asyncio.run(awaited(**given)) == result
    check_shape(result)
    return result


def said(*decisions: str, fails: Sequence[str] = (), **args: Any) -> list[dict[str, Any]]:
    """A conversation: a message for each decision, `"a b"` two calls at once, and an answer to each call.

    The calls whose ids are in `fails`, counted from c0, are answered with an error.
    """
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    made = 0
    for names in decisions:
        calls = [{"name": name, "args": args, "id": f"c{made + at}"} for at, name in enumerate(names.split())]
        made += len(calls)
        messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        for call in calls:
            status = "error" if call["id"] in fails else "success"
            messages.append({"role": "tool", "content": "done", "tool_call_id": call["id"], "status": status})
    return messages
