"""Judges: what answers a `JudgeRequest`. One client kind a file; this is where an option becomes one.

A callable is a judge as it is: `judge(request) -> Verdict | {question id: answer}`; an `async def` one
serves the async evaluators only.
"""

from __future__ import annotations

import inspect
from typing import Any

from fieldwise.errors import ConfigError


def as_judge(judge: Any, model: str | None) -> Any:
    """Return the judge of a sync evaluator, or None when no judge was given.

    Raises:
        ConfigError: for what cannot serve as a judge, and for an async judge, naming the right factory.
    """
    found = _callable(judge, model)
    if found is not None and _is_async(found):
        raise ConfigError(
            f"judge={_shown(judge)} is async: use the create_async_… factory, or pass a plain function"
        )
    return found


def as_async_judge(judge: Any, model: str | None) -> Any:
    """Return the judge of an async evaluator, or None; a plain function runs in a thread.

    Raises:
        ConfigError: for what cannot serve as a judge.
    """
    return _callable(judge, model)


def _callable(judge: Any, model: str | None) -> Any:
    if model is not None:
        raise ConfigError(f"model={model!r}: this version takes no model names; pass judge=, a callable")
    if judge is None or callable(judge):
        return judge
    raise ConfigError(f"judge={_shown(judge)}: must be a callable that takes a JudgeRequest")


def _is_async(judge: Any) -> bool:
    return inspect.iscoroutinefunction(judge) or inspect.iscoroutinefunction(type(judge).__call__)


def _shown(judge: Any) -> str:
    return str(getattr(judge, "__name__", type(judge).__name__))
