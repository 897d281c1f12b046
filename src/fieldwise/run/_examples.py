"""Examples evaluated: one, or many as a run.

Thin over `evaluate_records`: an `Example` is a record (`_records` says what its fields become).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from fieldwise.errors import ConfigError
from fieldwise.example import Example
from fieldwise.run import RUN, RunOptions, aevaluate_records, evaluate_records

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import EvaluatorResult
    from fieldwise.run import Report


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


@RUN.named
def evaluate_examples(
    examples: Iterable[Example | Mapping[str, Any]], evaluators: Any, **options: Unpack[RunOptions]
) -> Report:
    """Evaluate examples and report: `evaluate_records` over examples.

    Args:
        examples: an iterable of `Example`s or mappings with their fields, read as it is needed.
        evaluators: as in `evaluate_example`.
        options: how it is run; see `RunOptions`.

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
    return evaluate_records(_many(examples), evaluators, **options)


@RUN.named
async def aevaluate_examples(
    examples: Iterable[Example | Mapping[str, Any]], evaluators: Any, **options: Unpack[RunOptions]
) -> Report:
    """As `evaluate_examples`, awaiting async evaluators and judges; sync ones run in threads."""
    return await aevaluate_records(_many(examples), evaluators, **options)


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
