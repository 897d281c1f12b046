"""Examples evaluated: one, or many as a run.

Thin over `evaluate_records`: an `Example` is a record (`_records` says what its fields become).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fieldwise.errors import ConfigError
from fieldwise.example import Example
from fieldwise.run import aevaluate_records, evaluate_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fieldwise._types import EvaluatorResult
    from fieldwise.run import RecordResult, Report


def evaluate_example(
    example: Example | Mapping[str, Any], evaluators: Any, *, judge: Any = None
) -> list[EvaluatorResult]:
    """Evaluate one example.

    Args:
        example: an `Example`, or a mapping with its fields.
        evaluators: an evaluator, a list of them, or a mapping from name to evaluator; as in
            `evaluate_records`. Those of tool calls and trajectories compare `tools_called` with
            `expected_tools`, all others `actual_output` with `expected_output`. `context` and
            `retrieval_context` reach those that take them.
        judge: answers for all of our evaluators instead of their own judges.

    Returns:
        The results of all evaluators, in their order.

    Raises:
        ConfigError: for what is no example or no evaluator, and for an async evaluator or judge.

    Example:
        >>> from fieldwise import create_exact_match_evaluator
        >>> example = Example(actual_output="Paris", expected_output="Paris")
        >>> evaluate_example(example, create_exact_match_evaluator())[0]["score"]
        True
    """
    return evaluate_records(_one(example), evaluators, judge=judge).records[0].results


async def aevaluate_example(
    example: Example | Mapping[str, Any], evaluators: Any, *, judge: Any = None
) -> list[EvaluatorResult]:
    """As `evaluate_example`, awaiting async evaluators and judges; sync ones run in threads."""
    return (await aevaluate_records(_one(example), evaluators, judge=judge)).records[0].results


def evaluate_examples(
    examples: Iterable[Example | Mapping[str, Any]],
    evaluators: Any,
    *,
    judge: Any = None,
    concurrency: int = 16,
    executor: Any = None,
    on_result: Callable[[RecordResult], object] | None = None,
    keep_results: bool = True,
    worst: int = 10,
    report: Report | None = None,
) -> Report:
    """Evaluate examples and report: `evaluate_records` over examples.

    Args:
        examples: an iterable of `Example`s or mappings with their fields, read as it is needed.
        evaluators: as in `evaluate_example`.
        judge: answers for all of our evaluators instead of their own judges.
        concurrency: how many calls of judges and foreign evaluators are under way at once.
        executor: scores the examples, as in `evaluate_records`.
        on_result: called with each `RecordResult`, in the order of the examples.
        keep_results: whether the report keeps every result in `records`.
        worst: how many of the worst examples the report names.
        report: a report to add to, instead of a new one.

    Returns:
        The report.

    Raises:
        ConfigError: as `evaluate_records`.

    Example:
        >>> from fieldwise import create_exact_match_evaluator
        >>> examples = [Example(actual_output=text, expected_output="Paris") for text in ("Paris", "Rome")]
        >>> evaluate_examples(examples, create_exact_match_evaluator()).score
        0.5
    """
    return evaluate_records(
        _many(examples),
        evaluators,
        judge=judge,
        concurrency=concurrency,
        executor=executor,
        on_result=on_result,
        keep_results=keep_results,
        worst=worst,
        report=report,
    )


async def aevaluate_examples(
    examples: Iterable[Example | Mapping[str, Any]],
    evaluators: Any,
    *,
    judge: Any = None,
    concurrency: int = 16,
    executor: Any = None,
    on_result: Callable[[RecordResult], object] | None = None,
    keep_results: bool = True,
    worst: int = 10,
    report: Report | None = None,
) -> Report:
    """As `evaluate_examples`, awaiting async evaluators and judges; sync ones run in threads."""
    return await aevaluate_records(
        _many(examples),
        evaluators,
        judge=judge,
        concurrency=concurrency,
        executor=executor,
        on_result=on_result,
        keep_results=keep_results,
        worst=worst,
        report=report,
    )


def _many(examples: Any) -> Any:
    if isinstance(examples, Example | Mapping | str) or not hasattr(examples, "__iter__"):
        kind = "one Example" if isinstance(examples, Example) else type(examples).__name__
        raise ConfigError(
            f"examples is {kind}: pass a list of Examples, [example], or a DataFrame; "
            "evaluate_example takes one by itself"
        )
    return examples


def _one(example: Any) -> list[Any]:
    if not isinstance(example, Example | Mapping):
        raise ConfigError(
            f"example is {type(example).__name__}: pass an Example, or a mapping with its fields; "
            "evaluate_examples takes many"
        )
    return [example]
