"""Custom evaluators: classes of one's own, with criteria that each test case brings.

Pydantic is loaded with this package, and the package when it is first used.

| module | what it holds |
|---|---|
| `models` | criteria and configuration as pydantic models: camelCase outside, every unknown key named |
| `results` | what a custom evaluator returns, and how it is read |
| `base` | the base class |
| `calling` | custom evaluators as ordinary ones, sync and async |
"""

from __future__ import annotations

from fieldwise.evalsets.custom.base import BaseEvaluator
from fieldwise.evalsets.custom.calling import as_async_evaluator, as_evaluator
from fieldwise.evalsets.custom.models import (
    BaseEvaluationCriteria,
    BaseEvaluatorConfig,
    check_criteria_class,
    read_model,
)
from fieldwise.evalsets.custom.results import (
    BooleanEvaluationResult,
    ErrorEvaluationResult,
    EvaluationResult,
    NumericEvaluationResult,
)

__all__ = [
    "BaseEvaluationCriteria",
    "BaseEvaluator",
    "BaseEvaluatorConfig",
    "BooleanEvaluationResult",
    "ErrorEvaluationResult",
    "EvaluationResult",
    "NumericEvaluationResult",
    "as_async_evaluator",
    "as_evaluator",
    "check_criteria_class",
    "read_model",
]
