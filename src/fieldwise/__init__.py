"""fieldwise: how right a structured answer is, field by field.

Factories make evaluators that OpenEvals, LangSmith and LangChain call as their own:

>>> import fieldwise
>>> evaluate = fieldwise.create_json_match_evaluator(aggregator="average")
>>> evaluate(outputs={"a": 1, "b": 2}, reference_outputs={"a": 1, "b": 3})[0]["score"]
0.5

Names are loaded when first used, so importing this package loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fieldwise._types import MISSING, EvaluatorResult, Judge, StringEvaluator
    from fieldwise.core.align import by_key
    from fieldwise.core.flow import Answer, JudgeFailure, JudgeRequest, Question, Verdict
    from fieldwise.errors import ConfigError, FieldwiseError, InputError, JudgeError, PathError, Unreadable
    from fieldwise.evaluators import (
        create_async_json_match_evaluator,
        create_json_match_evaluator,
        create_json_match_string_evaluator,
    )
    from fieldwise.run import Report, aevaluate_records, evaluate_records

_EXPORTS: dict[str, str] = {
    "Answer": "fieldwise.core.flow",
    "ConfigError": "fieldwise.errors",
    "EvaluatorResult": "fieldwise._types",
    "FieldwiseError": "fieldwise.errors",
    "InputError": "fieldwise.errors",
    "Judge": "fieldwise._types",
    "JudgeError": "fieldwise.errors",
    "JudgeFailure": "fieldwise.core.flow",
    "JudgeRequest": "fieldwise.core.flow",
    "MISSING": "fieldwise._types",
    "PathError": "fieldwise.errors",
    "Question": "fieldwise.core.flow",
    "Report": "fieldwise.run",
    "StringEvaluator": "fieldwise._types",
    "Unreadable": "fieldwise.errors",
    "Verdict": "fieldwise.core.flow",
    "aevaluate_records": "fieldwise.run",
    "by_key": "fieldwise.core.align",
    "create_async_json_match_evaluator": "fieldwise.evaluators",
    "create_json_match_evaluator": "fieldwise.evaluators",
    "create_json_match_string_evaluator": "fieldwise.evaluators",
    "evaluate_records": "fieldwise.run",
}

__all__ = [
    "Answer",
    "ConfigError",
    "EvaluatorResult",
    "FieldwiseError",
    "InputError",
    "Judge",
    "JudgeError",
    "JudgeFailure",
    "JudgeRequest",
    "MISSING",
    "PathError",
    "Question",
    "Report",
    "StringEvaluator",
    "Unreadable",
    "Verdict",
    "__version__",
    "aevaluate_records",
    "by_key",
    "create_async_json_match_evaluator",
    "create_json_match_evaluator",
    "create_json_match_string_evaluator",
    "evaluate_records",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("fieldwise")
    if name in _EXPORTS:
        value = globals()[name] = getattr(import_module(_EXPORTS[name]), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
