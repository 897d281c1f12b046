"""The evaluators the command knows: every public factory, by the name between `create_` and `_evaluator`."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, Final

import click

import fieldwise
from fieldwise.core.display import nearest
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fieldwise.evalsets.registry.kinds import Kind

_NAME: Final = re.compile(r"create_(?!async_)(?P<name>\w+?)(?P<form>_string|_summary)?_evaluator")


def _known() -> dict[str, str]:
    found = {match["name"]: match[0] for one in fieldwise.__all__ if (match := _NAME.fullmatch(one))}
    return {name: f"create_{name}_evaluator" for name in sorted(found)}


EVALUATORS: Final[dict[str, str]] = {
    name: made for name, made in _known().items() if made in fieldwise.__all__
}
"""Name to the factory's name in `fieldwise`: what `--evaluator` knows."""


def check_known(name: str) -> None:
    """Refuse the name of no evaluator, with the one that was meant."""
    if name not in EVALUATORS:
        raise click.UsageError(f"there is no evaluator {name!r}; {meant(name, EVALUATORS)}")


def factory(name: str) -> Callable[..., Any]:
    """Return the factory of an evaluator.

    >>> factory("json_match").__name__
    'create_json_match_evaluator'
    """
    made: Callable[..., Any] = getattr(fieldwise, EVALUATORS[name])
    return made


def check_required(name: str, given: dict[str, Any]) -> None:
    """Refuse to make an evaluator without what it cannot do without.

    Raises:
        ConfigError: naming the option and the fix.
    """
    for option, one in inspect.signature(factory(name)).parameters.items():
        if one.default is one.empty and option not in given and one.kind is one.KEYWORD_ONLY:
            raise ConfigError(
                f"{name} needs {option}: --option {option}=…; `fieldwise list {name}` says what it is"
            )


def kind_named(name: str) -> Kind:
    """Return the kind of an evaluator by its name, or by the `evaluatorTypeId` that files have.

    >>> kind_named("json_match").type_id, kind_named("uipath-contains").evaluator
    ('fieldwise-json-match', 'contains')
    """
    known = _kinds()
    if name not in known:
        raise click.UsageError(f"there is no evaluator {name!r}; {meant(name, known)}")
    return known[name]


def kind_if_known(name: str) -> Kind | None:
    """Return the kind of an evaluator in the same way; None where there is none."""
    return _kinds().get(name)


def _kinds() -> dict[str, Kind]:
    from fieldwise.evalsets.registry.kinds import kinds

    return {one.evaluator: one for one in kinds().values()} | dict(kinds())


def meant(name: str, known: Iterable[str]) -> str:
    """Which was meant; where that is not clear, the names are too many to be listed."""
    close = nearest(name, known)
    return f"did you mean {close!r}?" if close else "`fieldwise list` has them all"
