r"""Judges: what answers a `JudgeRequest`. One client kind a file; this is where an option becomes a judge.

| `judge=` | becomes |
|---|---|
| a function or other callable, plain or async | itself: `judge(request) -> Verdict \| {id: answer}` |
| what `create_judge` made | itself |
| a LangChain model or Runnable, an OpenAI client beside `model=` | `create_judge` of it |
| None, and `model="provider:name"` | `create_judge` of the name |

Evaluators given one client or name share one judge, and with it its limits. An async function serves async
evaluators only; everything else serves both.
"""

from __future__ import annotations

import inspect
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.judges.signatures import name_of, refuse_misfit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise.judges.model import ModelJudge

_made: Final[WeakValueDictionary[tuple[Any, ...], ModelJudge]] = WeakValueDictionary()
_lock: Final = Lock()
_OF_MODELS: Final = ("temperature", "max_tokens")
_NO_SETTINGS: Final[Mapping[str, Any]] = MappingProxyType({})


def as_judge(judge: Any, model: str | None, settings: Mapping[str, Any] = _NO_SETTINGS) -> Any:
    """Return the judge of a sync evaluator, or None when no judge was given.

    `settings` are options of `create_judge`, for a judge that is made here; only what differs from its
    defaults is asked for.

    Raises:
        ConfigError: for what cannot serve as a judge, and for an async judge, naming the right factory.
    """
    found = as_run_judge(judge, model, settings, awaits=False)
    if found is not None and _is_async(found):
        raise ConfigError(
            f"judge={name_of(judge)} is async: use the create_async_… factory, or pass a plain function"
        )
    return found


def as_async_judge(judge: Any, model: str | None, settings: Mapping[str, Any] = _NO_SETTINGS) -> Any:
    """Return the judge of an async evaluator, or None; a plain function runs in a thread.

    Raises:
        ConfigError: for what cannot serve as a judge.
    """
    return as_run_judge(judge, model, settings, awaits=True)


def as_run_judge(
    judge: Any, model: str | None, settings: Mapping[str, Any] = _NO_SETTINGS, *, awaits: bool
) -> Any:
    """Return a judge for either mode, as an async callable where only that or `awaits` asks for one.

    Raises:
        ConfigError: for what cannot serve as a judge.
    """
    if model is None and judge is None:
        _refuse(settings, "a function that judges has none")
        return None
    if model is None and inspect.isfunction(judge):
        return _function(judge, settings)
    _check_names(judge, model)
    from fieldwise.judges.clients.functions import is_function
    from fieldwise.judges.model import Awaited, ModelJudge

    if isinstance(judge, Awaited):
        judge = judge.judge
    if not isinstance(judge, ModelJudge):
        if model is None and is_function(judge):
            return _function(judge, settings)
        judge = _shared(judge, model, settings)
    elif model is not None:
        raise ConfigError(f"model={shown(model)}: the judge was made with its model; leave it out")
    else:
        _refuse(settings, "the judge was made with its own; give it to create_judge")
    return judge.awaited if awaits or judge.awaits_only else judge


def _function(judge: Any, settings: Mapping[str, Any]) -> Any:
    """A function that judges, as it is."""
    refuse_misfit(judge)
    _refuse(settings, "a function that judges has none")
    return judge


def _check_names(judge: Any, model: Any) -> None:
    """Refuse what is no name of a model, by the option that it was given as."""
    blank = isinstance(judge, str) and not judge.strip()
    for option, value, wrong in (
        ("judge", judge, blank),
        ("model", model, not isinstance(model, str | None)),
    ):
        if wrong:
            raise ConfigError(
                f"{option}={shown(value)}: must be the name of a model, 'provider:name', or for judge= "
                "something that judges"
            )


def _refuse(settings: Mapping[str, Any], why: str) -> None:
    for name, value in settings.items():
        raise ConfigError(f"{name}={shown(value)}: {why}")


def _shared(judge: Any, model: str | None, settings: Mapping[str, Any]) -> ModelJudge:
    """The judge of a client or a name; the same one as long as somebody holds it."""
    from fieldwise.judges.clients.openai import is_openai_shaped
    from fieldwise.judges.model import create_judge

    if judge is not None and not is_openai_shaped(judge):
        own = {name: value for name, value in settings.items() if name in _OF_MODELS}
        _refuse(own, "a model that you made keeps its own; set it there")
    client, model = (model, None) if judge is None else (judge, model)
    key = (client if isinstance(client, str) else id(client), model, repr(sorted(settings.items())))
    with _lock:
        found = _made.get(key)
        if found is None:
            found = _made[key] = create_judge(client, model=model, **settings)
        return found


def _is_async(judge: Any) -> bool:
    return inspect.iscoroutinefunction(judge) or inspect.iscoroutinefunction(type(judge).__call__)
