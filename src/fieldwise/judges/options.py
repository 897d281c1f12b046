"""Checking the options of `create_judge` that no other module reads first.

What belongs here: one small check for each option, and which options go together. Rules. A wrong value is a
ConfigError when the judge is made, naming the option, the value and the fix. An option that would do nothing
is refused, not ignored. An option counts as given when it differs from its default.
"""

from __future__ import annotations

from collections.abc import Mapping
from sys import float_info
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.judges.limits import LIMITS, LimitOptions, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST: Final = 10**18
_OF_PROMPTS: Final[Mapping[str, Any]] = {"model": None, "prompt": None, "system": None, "cache": None}
_OF_CALLS: Final[Mapping[str, Any]] = {
    "temperature": 0.0,
    "max_tokens": 4096,
    "per_key": False,
    "structured_output_kwargs": None,
}


def check(**given: Any) -> None:
    """Refuse wrong values of the options that are checked here.

    Raises:
        ConfigError: naming the option, its value and the fix.
    """
    for name, value in given.items():
        fault = _FAULTS[name](value)
        if fault is not None:
            raise ConfigError(f"{name}={shown(value)}: {fault}")


def limiter(limits: Any, given: LimitOptions) -> Limits:
    """Return the limits: those given, or new ones of the options.

    Raises:
        ConfigError: for what are no limits, and for options beside limits.
    """
    if limits is None:
        return Limits(**given)
    if not isinstance(limits, Limits):
        raise ConfigError(f"limits={shown(limits)}: must be a Limits, limits=Limits(max_calls=100)")
    for name, value in given.items():
        if _differs(value, LIMITS.defaults[name]):
            raise ConfigError(
                f"{name}={shown(value)} is given beside limits, which stand in its place: "
                f"write limits=Limits({name}={shown(value)}), or leave limits out"
            )
    return limits


def refuse_for_functions(**given: Any) -> None:
    """Refuse the options that mean nothing where a function judges.

    Raises:
        ConfigError: naming the option and its value.
    """
    for name, value in given.items():
        if name in _OF_PROMPTS and _differs(value, _OF_PROMPTS[name]):
            raise ConfigError(
                f"{name}={shown(value)}: a function that judges is sent no prompt; leave it out"
            )
        if name in _OF_CALLS and _differs(value, _OF_CALLS[name]):
            raise ConfigError(
                f"{name}={shown(value)}: a function that judges is called as it is; leave it out"
            )


def _differs(value: Any, default: Any) -> bool:
    """Whether an option was given; a bool is no number, and only None is None."""
    if value is default:
        return False
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return not (number and isinstance(default, int | float) and value == default)


# -------------------------------------------------------------------------------------------- the checks


def _no_prompt(value: Any) -> str | None:
    fits = value is None or isinstance(value, str) or callable(value)
    if fits or hasattr(value, "format_messages") or hasattr(value, "invoke"):
        return None
    return "must be text, a LangChain prompt or a callable that returns messages"


def _no_system(value: Any) -> str | None:
    fits = value is None or (isinstance(value, str) and bool(value.strip()))
    return None if fits else "must be text, and not empty; None for the words of the judge"


def _no_temperature(value: Any) -> str | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or (number and abs(value) <= float_info.max and value >= 0):
        return None
    return "must be a finite number of at least 0, or None for the model's own"


def _no_token_count(value: Any) -> str | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return (
        None
        if value is None or (whole and 1 <= value <= _MOST)
        else "must be a whole number from 1 up, or None"
    )


def _no_flag(value: Any) -> str | None:
    return None if isinstance(value, bool) else "must be True or False"


def _no_cache(value: Any) -> str | None:
    if isinstance(value, str) and not value.strip():
        return "names no file: pass a path, True for a cache in memory, or leave it out"
    return None


def _no_settings(value: Any) -> str | None:
    fits = value is None or (isinstance(value, Mapping) and all(isinstance(name, str) for name in value))
    return None if fits else "must be a mapping of text to value, {'method': 'json_schema'}"


_FAULTS: Final[dict[str, Callable[[Any], str | None]]] = {
    "prompt": _no_prompt,
    "system": _no_system,
    "temperature": _no_temperature,
    "max_tokens": _no_token_count,
    "per_key": _no_flag,
    "cache": _no_cache,
    "structured_output_kwargs": _no_settings,
}
