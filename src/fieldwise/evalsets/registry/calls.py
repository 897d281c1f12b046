"""Texts that call what makes a comparator, a way to pair lists or a field: `number(absolute=0.01)`.

Only the names in `makers` can be called, and arguments are values: nothing is evaluated.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

_CALL: Final = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\)", re.DOTALL)
_NAMED: Final = re.compile(r"(?P<key>\w+)\s*=(?!=)(?P<value>.*)", re.DOTALL)
_PIECE: Final = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|[\[({]|[\])}]|,|[^"'\[({\])},]+|.""", re.DOTALL
)
PYTHON_WORDS: Final = {"True": True, "False": False, "None": None}


def makers() -> dict[str, Callable[..., Any]]:
    """Return what a text may call, by name."""
    from fieldwise.comparators import COMPARATORS
    from fieldwise.core.align import by_key
    from fieldwise.scorers.field import Field

    return {**COMPARATORS, "by_key": by_key, "Field": Field}


def value_of(raw: str, where: str) -> Any:
    """Return the value that a text stands for: JSON, a word of Python, what a call makes, else the text.

    Args:
        raw: the text.
        where: what the text follows in a message.

    Raises:
        ConfigError: what is called does not take the arguments.

    >>> value_of("[1, 2]", "x="), value_of("None", "x="), value_of("a b", "x=")
    ([1, 2], None, 'a b')
    """
    if raw in PYTHON_WORDS:
        return PYTHON_WORDS[raw]
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return called(raw, where)


def called(raw: str, where: str) -> Any:
    """Return what `name(argument, key=argument)` makes, of the names there are; other text as it is.

    Raises:
        ConfigError: what is called does not take the arguments.
    """
    call = _CALL.fullmatch(raw.strip())
    make = makers().get(call["name"]) if call else None
    if call is None or make is None:
        return raw
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for part in _arguments(call["arguments"]):
        keyword = _NAMED.fullmatch(part)
        if keyword:
            named[keyword["key"]] = value_of(keyword["value"].strip(), where)
        else:
            positional.append(value_of(part, where))
    try:
        return make(*positional, **named)
    except TypeError as error:
        raise ConfigError(f"{where}{raw!r}: {error}") from None


def _arguments(text: str) -> list[str]:
    """The arguments of a call: what stands between the commas that are in no brackets and no quotes."""
    parts, depth = [""], 0
    for piece in _PIECE.finditer(text):
        sign = piece[0]
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]
