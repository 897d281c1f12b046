"""Evaluators made fit to travel: bytes that another process makes the same evaluators of.

Ours are closures, which no process can send; what travels is how they were made. Others go as `pickle` sends
them, or as cloudpickle does, where it is installed and `pickle` cannot. What neither can send, `Made` can
where a name says how to get it.
"""

from __future__ import annotations

import io
import pickle
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from fieldwise.errors import ConfigError
from fieldwise.evaluators._lifts import RECIPE, remade
from fieldwise.run._members import members, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise.run._members import Member

_PROTOCOL: Final = 5
_MAIN: Final = b"__main__"


def packed(evaluators: Any, judge: Any, *, awaits: bool) -> bytes:
    """Return a run's evaluators as bytes.

    Raises:
        ConfigError: one of them, or the judge, cannot be sent; naming it and the fix.

    >>> from fieldwise import create_exact_match_evaluator
    >>> [one.name for one in unpacked(packed(create_exact_match_evaluator(), None, awaits=False))]
    ['exact_match']
    """
    parts = {name: dumped(f"evaluator {name!r}", one) for name, one in named(evaluators)}
    return pickle.dumps((parts, dumped("judge", judge), awaits), _PROTOCOL)


@lru_cache(maxsize=4)
def unpacked(kit: bytes) -> list[Member]:
    """Return the evaluators that were packed; the same ones again for the same bytes.

    So a process asks identical questions once, whatever chunks they come in.
    """
    parts, judge, awaits = pickle.loads(kit)  # noqa: S301 - the run's own bytes
    evaluators = {name: pickle.loads(part) for name, part in parts.items()}  # noqa: S301
    return members(evaluators, pickle.loads(judge), awaits=awaits)  # noqa: S301


@dataclass(frozen=True, slots=True)
class Made:
    """A value that travels as how it was made.

    Attributes:
        make: a function of a module.
        arguments: what it is called with.
        value: what it returned.

    >>> made = Made.of(int, "12")
    >>> pickle.loads(pickle.dumps(made)).value
    12
    """

    make: Callable[..., Any]
    arguments: tuple[Any, ...]
    value: Any

    @classmethod
    def of(cls, make: Callable[..., Any], *arguments: Any) -> Made:
        """Make a value."""
        return cls(make, arguments, make(*arguments))

    def __reduce__(self) -> tuple[Any, ...]:
        return Made.of, (self.make, *self.arguments)


def bare(value: Any) -> Any:
    """Return a value that may have been given as `Made`."""
    return value.value if isinstance(value, Made) else value


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        recipe = _recipe(obj)
        return NotImplemented if recipe is None else recipe


def _recipe(value: Any) -> tuple[Any, ...] | None:
    found = None if isinstance(value, type) else getattr(value, RECIPE, None)
    return (remade, found) if isinstance(found, tuple) else None


def dumped(what: str, value: Any) -> bytes:
    """Return a value as bytes that `pickle` reads.

    Raises:
        ConfigError: it cannot be sent; the message begins with `what`.
    """
    problem: Exception | None = None
    for make in (_Pickler, _cloud_pickler()):
        if make is None:
            continue
        file = io.BytesIO()
        try:
            make(file, _PROTOCOL).dump(value)
        except Exception as error:  # noqa: BLE001 - whatever an object raises when it is asked to travel
            problem = problem or error
            continue
        if make is not _Pickler or _MAIN not in file.getvalue() or _cloud_pickler() is None:
            return file.getvalue()
    raise ConfigError(
        f"executor: {what} cannot be sent to other processes: {type(problem).__name__}: {problem}; "
        "define the functions it uses at the top of a module, and give model='provider:name' instead of a "
        "judge object"
    ) from problem


@lru_cache(maxsize=1)
def _cloud_pickler() -> Callable[..., pickle.Pickler] | None:
    """Cloudpickle's pickler, which also sends functions of `__main__` and lambdas; None without it."""
    with suppress(ImportError):
        import cloudpickle  # type: ignore[import-untyped]

        class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
            def reducer_override(self, obj: Any) -> Any:
                recipe = _recipe(obj)
                return super().reducer_override(obj) if recipe is None else recipe

        return Pickler
    return None
