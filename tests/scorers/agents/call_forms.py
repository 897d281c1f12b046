"""One record through both forms of an evaluator of calls; they have to agree."""

from __future__ import annotations

import asyncio
from typing import Any

from fieldwise._types import EvaluatorResult
from fieldwise.evaluators import arguments
from tests.scorers.single_forms import check_shape

NONE: Any = object()
"""No reference at all."""


def evaluate(name: str, outputs: Any, reference: Any = NONE, **options: Any) -> EvaluatorResult:
    """The result of the sync evaluator, once the async one gave the same."""
    given = {"outputs": outputs} | ({} if reference is NONE else {"reference_outputs": reference})
    sync: Any = getattr(arguments, f"create_{name}_evaluator")(**options)
    result: EvaluatorResult = sync(**given)
    awaited: Any = getattr(arguments, f"create_async_{name}_evaluator")(**options)
    assert asyncio.run(awaited(**given)) == result
    check_shape(result)
    return result


def args_of(outputs: Any, reference: Any = NONE, **options: Any) -> EvaluatorResult:
    """The result of `tool_call_args`."""
    return evaluate("tool_call_args", outputs, reference, **options)


def output_of(outputs: Any, reference: Any = NONE, **options: Any) -> EvaluatorResult:
    """The result of `tool_call_output`."""
    return evaluate("tool_call_output", outputs, reference, **options)


def calls(*made: tuple[str, Any]) -> list[dict[str, Any]]:
    """Calls as plain data."""
    return [{"name": name, "args": args} for name, args in made]
