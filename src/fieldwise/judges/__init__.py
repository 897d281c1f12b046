"""Judges: what answers a `JudgeRequest`. One client kind a file; this is where an option becomes a judge.

| `judge=` | becomes |
|---|---|
| a plain or async function, or any callable | itself: `judge(request) -> Verdict` or `{question id: answer}` |
| what `create_judge` made | itself |
| a LangChain model or Runnable, an OpenAI client beside `model=` | `create_judge` of it |
| None, and `model="provider:name"` | `create_judge` of the name |

Evaluators given one client or name share one judge, and with it its limits. An async function serves async
evaluators only; everything else serves both.
"""

from __future__ import annotations

import inspect
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from fieldwise.judges.model import ModelJudge

_made: Final[WeakValueDictionary[tuple[Any, str | None], ModelJudge]] = WeakValueDictionary()
_lock: Final = Lock()


def as_judge(judge: Any, model: str | None) -> Any:
    """Return the judge of a sync evaluator, or None when no judge was given.

    Raises:
        ConfigError: for what cannot serve as a judge, and for an async judge, naming the right factory.
    """
    found = as_run_judge(judge, model, awaits=False)
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
    return as_run_judge(judge, model, awaits=True)


def as_run_judge(judge: Any, model: str | None, *, awaits: bool) -> Any:
    """Return a judge for either mode, as an async callable where only that or `awaits` asks for one.

    Raises:
        ConfigError: for what cannot serve as a judge.
    """
    if model is None and (judge is None or inspect.isfunction(judge)):
        return judge
    from fieldwise.judges.functions import is_function
    from fieldwise.judges.model import Awaited, ModelJudge

    if isinstance(judge, Awaited):
        judge = judge.judge
    if not isinstance(judge, ModelJudge):
        if model is None and is_function(judge):
            return judge
        judge = _shared(judge, model)
    elif model is not None:
        raise ConfigError(f"model={model!r}: the judge was made with its model; leave it out")
    return judge.awaited if awaits or judge.awaits_only else judge


def _shared(judge: Any, model: str | None) -> ModelJudge:
    """The judge of a client or a name; the same one as long as somebody holds it."""
    from fieldwise.judges.model import create_judge

    client, model = (model, None) if judge is None else (judge, model)
    key = (client if isinstance(client, str) else id(client), model)
    with _lock:
        found = _made.get(key)
        if found is None:
            found = _made[key] = create_judge(client, model=model)
        return found


def _is_async(judge: Any) -> bool:
    return inspect.iscoroutinefunction(judge) or inspect.iscoroutinefunction(type(judge).__call__)


def _shown(judge: Any) -> str:
    return str(getattr(judge, "__name__", type(judge).__name__))
