"""The parts that options of `create_judge` ask for: limits, cache, votes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fieldwise.errors import ConfigError
from fieldwise.judges._seams import NoLimits

if TYPE_CHECKING:
    from fieldwise.judges._seams import Cache, Limiter, Votes


def limits_of(**options: Any) -> Limiter:
    """Return the limiter of these options."""
    try:
        module = import_module("fieldwise.judges.limits")
    except ModuleNotFoundError:
        return NoLimits()
    limits: Limiter = module.Limits(**options)
    return limits


def cache_of(option: Any) -> Cache | None:
    """Return the cache of this option."""
    if option is None:
        return None
    cache: Cache | None = import_module("fieldwise.judges.cache").as_cache(option)
    return cache


def votes_of(votes: Any) -> Votes | None:
    """Return who asks more than once, or None for one vote."""
    if isinstance(votes, bool) or not isinstance(votes, int) or votes < 1:
        raise ConfigError(f"votes={votes!r}: must be a whole number from 1 up")
    return None if votes == 1 else import_module("fieldwise.judges.votes").Votes(votes)
