"""LangSmith tracing of evaluations: one run each, and the feedback of a LangSmith test.

Off, it costs two look-ups: nothing is imported for it. It is on when tracing is enabled in a langsmith
that somebody imported, or asked for by environment.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fieldwise._types import EvaluatorResult

    Score = Callable[[Any, Any, Any], list[EvaluatorResult]]
    AsyncScore = Callable[[Any, Any, Any], Awaitable[list[EvaluatorResult]]]

_VARIABLES: Final = ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING_V2")


def wanted() -> bool:
    """Whether this evaluation is to be traced."""
    if "langsmith" in sys.modules:
        return _enabled()
    return any(os.environ.get(name, "").lower() == "true" for name in _VARIABLES)


def _enabled() -> bool:
    from langsmith.utils import tracing_is_enabled

    return bool(tracing_is_enabled()) or _test_case() is not None


def _test_case() -> Any:
    internal = sys.modules.get("langsmith.testing._internal")
    return internal._TEST_CASE.get() if internal is not None else None  # noqa: SLF001


def traced(name: str, inputs: Any, outputs: Any, reference_outputs: Any, score: Score) -> list[EvaluatorResult]:
    raise NameError(name, inputs, outputs, reference_outputs, score)


async def atraced(
    name: str, inputs: Any, outputs: Any, reference_outputs: Any, score: AsyncScore
) -> list[EvaluatorResult]:
    raise NameError(name, inputs, outputs, reference_outputs, score)
