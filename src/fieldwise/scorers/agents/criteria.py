"""What is common to criteria of tool calls: they come as JSON, from a record or as an option.

A fault in one raises `Wrong`, which says where it is and the fix. Of a record's reference that makes
`invalid_reference` (`of_record`); of an option, a `ConfigError` (`of_option`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeVar

from fieldwise.core.display import one_line, said
from fieldwise.core.equality import preview
from fieldwise.core.parse import Unparsed, parse
from fieldwise.errors import ConfigError
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

REFERENCE: Final = "reference_outputs"
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DIGITS: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_MOST: Final = 10**9


class Wrong(ValueError):
    """Criteria that cannot be used; its text names the place, the value and the fix."""


def of_record(read: Callable[[Any, str], T], value: Any) -> T:
    """Read criteria that a record brings.

    Raises:
        Unfit: for those that cannot be used.
    """
    try:
        return read(opened(value, REFERENCE), REFERENCE)
    except Wrong as wrong:
        raise Unfit(one_line(str(wrong), 500), "invalid_reference") from None
    except Exception as error:  # noqa: BLE001 - whatever an object of someone else's raises
        raise Unfit(f"{REFERENCE}: cannot be read: {said(error)}", "invalid_reference") from None


def of_option(read: Callable[[Any, str], T], value: Any, option: str) -> T:
    """Read criteria that are given once for every record.

    Raises:
        ConfigError: for those that cannot be used.
    """
    try:
        return read(opened(value, option), option)
    except Wrong as wrong:
        raise ConfigError(one_line(str(wrong), 500)) from None
    except Exception as error:
        raise ConfigError(f"{option}: cannot be read: {said(error)}") from error


def opened(value: Any, where: str) -> Any:
    """Return criteria as a dict or a list, read where they are text; others as they are."""
    if isinstance(value, str):
        found = parse(value)
        if isinstance(found, Unparsed):
            raise Wrong(f"{where}: {preview(value)} is text and holds no JSON: {found.reason}")
        value = found.value
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def snake(key: str) -> str:
    """Return a key as Python writes it.

    >>> snake("toolCallsOrder"), snake("at_most")
    ('tool_calls_order', 'at_most')
    """
    return _HUMP.sub("_", key).lower()


def tool_name(value: Any, where: str) -> str:
    """Return the name of a tool."""
    if isinstance(value, str) and str.__len__(value):
        return str.__str__(value)
    raise Wrong(f"{where}: {preview(value)} must be the name of a tool")


def whole(value: Any, where: str) -> int:
    """Return how often: a whole number, or text that is one. A boolean is none.

    >>> whole(2, "n"), whole(2.0, "n"), whole("2", "n")
    (2, 2, 2)
    """
    if isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
        return int(value)
    if (
        isinstance(value, int | float | Decimal)
        and not isinstance(value, bool)
        and value == value  # noqa: PLR0124 - not NaN
        and 0 <= value <= _MOST
        and value == int(value)
    ):
        return int(value)
    raise Wrong(f"{where}: {preview(value)} must be a whole number from 0 to {_MOST:,}")
