"""OpenEvals: its evaluators under its names, called as upstream's. Change the import, keep the rest.

>>> from fieldwise.integrations.openevals import exact_match
>>> exact_match(outputs={"a": 1}, reference_outputs={"a": 1})
{'key': 'exact_match', 'score': True, 'comment': None, 'metadata': None}

1. Options and results are upstream's, and so are the scores, but for the departures in `docs/departures.md`.
   Options of fieldwise's own are taken beside them.
2. What upstream answers with a bare verdict, exact match, Levenshtein and trajectory match, is one here: no
   comment and no metadata. The evaluators of `fieldwise` say why as well.
3. What cannot be graded raises upstream. Here it is a result with the reason and its status.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, ParamSpec, cast

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.evaluators import texts, trajectories
from fieldwise.evaluators.judged import create_async_llm_as_judge, create_llm_as_judge
from fieldwise.evaluators.match import create_async_json_match_evaluator, create_json_match_evaluator

if TYPE_CHECKING:
    from collections.abc import Callable

    from openevals.types import EvaluatorResult

    from fieldwise._types import AsyncEvaluator, Evaluator

__all__ = [
    "create_async_json_match_evaluator",
    "create_async_llm_as_judge",
    "create_async_trajectory_match_evaluator",
    "create_json_match_evaluator",
    "create_llm_as_judge",
    "create_trajectory_match_evaluator",
    "exact_match",
    "exact_match_async",
    "levenshtein_distance",
    "levenshtein_distance_async",
]

P = ParamSpec("P")
_LEVENSHTEIN = "levenshtein_distance"


def _bare(result: Any) -> Any:
    """A verdict with upstream's members alone; what was not graded as it is."""
    if result["extra"]["status"] != "graded":
        return result
    return {"key": result["key"], "score": result["score"], "comment": None, "metadata": None}


def _verdicts(create: Callable[P, Evaluator]) -> Callable[P, Evaluator]:
    @functools.wraps(create)
    def create_bare(*args: P.args, **kwargs: P.kwargs) -> Evaluator:
        evaluate: Any = create(*args, **kwargs)
        return cast("Evaluator", functools.wraps(evaluate)(lambda **given: _bare(evaluate(**given))))

    return create_bare


def _async_verdicts(create: Callable[P, AsyncEvaluator]) -> Callable[P, AsyncEvaluator]:
    @functools.wraps(create)
    def create_bare(*args: P.args, **kwargs: P.kwargs) -> AsyncEvaluator:
        evaluate: Any = create(*args, **kwargs)

        @functools.wraps(evaluate)
        async def bare(**given: Any) -> Any:
            return _bare(await evaluate(**given))

        return cast("AsyncEvaluator", bare)

    return create_bare


create_trajectory_match_evaluator = _verdicts(trajectories.create_trajectory_match_evaluator)
create_async_trajectory_match_evaluator = _async_verdicts(
    trajectories.create_async_trajectory_match_evaluator
)


# ------------------------------------------------------------------------------ two that are functions


@functools.cache
def _made(create: Callable[..., Any], **options: Any) -> Any:
    return create(**options)


def exact_match(*, outputs: Any, reference_outputs: Any = MISSING, **kwargs: Any) -> EvaluatorResult:  # noqa: ARG001
    """Check whether the outputs equal the reference, as JSON is equal.

    Args:
        outputs: any JSON value.
        reference_outputs: the same.
        **kwargs: ignored.

    Returns:
        One result, `exact_match`, True or False; without a reference it has a status and the reason.

    Example:
        >>> exact_match(outputs={"a": 1, "b": 2}, reference_outputs={"b": 2, "a": 1})["score"]
        True
    """
    evaluate = _made(texts.create_exact_match_evaluator)
    found: EvaluatorResult = _bare(evaluate(outputs=outputs, reference_outputs=reference_outputs))
    return found


async def exact_match_async(
    *,
    outputs: Any,
    reference_outputs: Any = MISSING,
    **kwargs: Any,  # noqa: ARG001
) -> EvaluatorResult:
    """As `exact_match`, awaited."""
    evaluate = _made(texts.create_async_exact_match_evaluator)
    found: EvaluatorResult = _bare(await evaluate(outputs=outputs, reference_outputs=reference_outputs))
    return found


def levenshtein_distance(*, outputs: Any, reference_outputs: Any = MISSING, **kwargs: Any) -> EvaluatorResult:  # noqa: ARG001
    """Grade how alike the outputs and the reference read: 1 - edits / length of the longer text.

    What is no text is compared as JSON, its members in the order of their names.

    Args:
        outputs: text, or any JSON value.
        reference_outputs: the same.
        **kwargs: ignored.

    Returns:
        One result, `levenshtein_distance`, from 0 to 1, and 1 for equal texts; without a reference it has a
        status and the reason.

    Example:
        >>> levenshtein_distance(outputs="kitten", reference_outputs="sitting")["score"]
        0.5714285714285714
    """
    evaluate = _made(texts.create_string_similarity_evaluator, feedback_key=_LEVENSHTEIN)
    found: EvaluatorResult = _bare(
        evaluate(outputs=_text(outputs), reference_outputs=_text(reference_outputs))
    )
    return found


async def levenshtein_distance_async(
    *,
    outputs: Any,
    reference_outputs: Any = MISSING,
    **kwargs: Any,  # noqa: ARG001
) -> EvaluatorResult:
    """As `levenshtein_distance`, awaited."""
    evaluate = _made(texts.create_async_string_similarity_evaluator, feedback_key=_LEVENSHTEIN)
    found: EvaluatorResult = _bare(
        await evaluate(outputs=_text(outputs), reference_outputs=_text(reference_outputs))
    )
    return found


def _text(value: Any) -> Any:
    """A value as JSON text, as upstream spaces it; what cannot be written is left to the evaluator."""
    if value is None or value is MISSING or isinstance(value, str):
        return value
    try:
        return json.dumps(to_json(value), sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return value
