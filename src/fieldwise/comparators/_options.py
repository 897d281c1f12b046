"""Checking the options of comparator factories: one small function for each kind of option.

Every message reads `factory(option=value): what it must be`, so that the line that made the comparator
can be found and put right from the message alone.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fieldwise.core.conversion import to_json
from fieldwise.core.display import nearest, shown
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from fractions import Fraction


def refuse(factory: str, option: str, value: object, fix: str) -> ConfigError:
    """The error that names a factory, its option, the value given and the fix."""
    return ConfigError(f"{factory}({option}={shown(value)}): {fix}")


def settings(**options: object) -> dict[str, Any]:
    """The options a comparator was made with, as JSON."""
    return {option: to_json(value) for option, value in options.items()}


def flags(factory: str, **options: object) -> None:
    """Refuse a switch that is neither True nor False."""
    for option, value in options.items():
        if not isinstance(value, bool):
            raise refuse(factory, option, value, "a switch is True or False")


def one_of(factory: str, option: str, value: object, allowed: Iterable[object]) -> None:
    """Refuse a value that is not in the list, naming the nearest or all of them."""
    known = list(allowed)
    if isinstance(value, str | bool | None) and value in known:
        return
    close = meant(value, known)
    choices = ", ".join(map(repr, known))
    raise refuse(factory, option, value, f"did you mean {close!r}?" if close else f"give one of {choices}")


def is_known(value: object, names: Container[str]) -> bool:
    """Whether an option is one of some names; what is no text is none, whatever its methods do."""
    return isinstance(value, str) and value in names


def meant(value: object, names: Iterable[object]) -> str | None:
    """The name that reads most like an option; None where it is no text, or like none."""
    return nearest(value, [one for one in names if isinstance(one, str)]) if isinstance(value, str) else None


def amount(factory: str, option: str, value: Any) -> Fraction:
    """Read a tolerance: a finite number of at least 0, exact as written."""
    from fractions import Fraction

    plain = isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)
    if not plain or not 0 <= value <= sys.float_info.max:
        raise refuse(factory, option, value, "give a finite number of at least 0")
    return Fraction(float.__repr__(value)) if isinstance(value, float) else Fraction(value)


def installed(factory: str, package: str, extra: str) -> None:
    """Refuse to make a comparator whose library is not installed, naming the extra that brings it."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise ConfigError(f"{factory}() needs the package {package}: pip install 'fieldwise[{extra}]'")
