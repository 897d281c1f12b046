"""What LangSmith's runs and examples say that their columns do not.

LangSmith calls an evaluator with `outputs={}` for a run that has none, and with `reference_outputs={}` for an
example that has none. Neither is an empty answer. An evaluator has `run` and `example` among its keywords, so
LangSmith hands both over, and here they settle it. Nothing here imports langsmith.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import one_line

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult

_HOMES: Final = ("langsmith", "langchain_core")
"""Whose objects runs and examples are."""


def _is_theirs(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] in _HOMES


def own(**keywords: Any) -> dict[str, Any]:
    """Return those of the keywords `run` and `example` that are the caller's own, not LangSmith's.

    >>> own(run=None, example="Berlin")
    {'example': 'Berlin'}
    """
    return {name: value for name, value in keywords.items() if value is not None and not _is_theirs(value)}


def settled(outputs: Any, reference_outputs: Any, run: Any, example: Any) -> tuple[Any, Any]:
    """Return both sides, MISSING where the run or the example has none.

    A target that raised has none either: LangSmith records `{"output": None}` for it.
    """
    if _is_theirs(run) and (_is_none(run, outputs) or (getattr(run, "error", None) and _is_blank(outputs))):
        outputs = MISSING
    if _is_theirs(example) and _is_none(example, reference_outputs):
        reference_outputs = MISSING
    return outputs, reference_outputs


def _is_none(theirs: Any, outputs: Any) -> bool:
    """Whether an empty object stands for no outputs at all."""
    return isinstance(outputs, dict) and not outputs and getattr(theirs, "outputs", outputs) is None


def _is_blank(outputs: Any) -> bool:
    return isinstance(outputs, dict) and all(value is None for value in outputs.values())


def told(results: list[EvaluatorResult], run: Any) -> list[EvaluatorResult]:
    """Return results with what the run raised, where it kept them from being graded."""
    error = getattr(run, "error", None) if _is_theirs(run) else None
    if not error:
        return results
    raised = "the run failed: " + one_line(next(iter(str(error).splitlines()), ""))
    return [one if one["extra"]["status"] == "graded" else _with(one, raised) for one in results]


def _with(result: EvaluatorResult, raised: str) -> EvaluatorResult:
    comment = result["comment"]
    return {**result, "comment": f"{comment}; {raised}" if comment else raised}
