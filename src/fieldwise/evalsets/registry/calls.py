"""Texts that call what makes a comparator, a way to pair lists or a field: `number(absolute=0.01)`.

Only the names in `makers` can be called, and arguments are values: nothing is evaluated.
"""

from __future__ import annotations

import inspect
import json
import re
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import nearest
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

_CALL: Final = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\)", re.DOTALL)
_NAMED: Final = re.compile(r"(?P<key>\w+)\s*=(?!=)(?P<value>.*)", re.DOTALL)
_PIECE: Final = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|[\[({]|[\])}]|,|[^"'\[({\])},]+|.""", re.DOTALL
)
_BY_PLACE: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
)
PYTHON_WORDS: Final = {"True": True, "False": False, "None": None}


def makers() -> dict[str, Callable[..., Any]]:
    """Return what a text may call, by name."""
    from fieldwise.comparators import COMPARATORS, within
    from fieldwise.core.align import by_key
    from fieldwise.scorers.field import Field

    return {**COMPARATORS, "within": within, "by_key": by_key, "Field": Field}


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
        if keyword and keyword["key"] in named:
            raise ConfigError(f"{where}{raw!r}: {keyword['key']} is given twice")
        if keyword:
            named[keyword["key"]] = value_of(keyword["value"].strip(), where)
        else:
            positional.append(value_of(part, where))
    problem = _misfit(call["name"], make, positional, named)
    if problem is not None:
        raise ConfigError(f"{where}{raw!r}: {problem}")
    try:
        return make(*positional, **named)
    except TypeError as error:
        raise ConfigError(f"{where}{raw!r}: {error}") from None


def _misfit(name: str, make: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> str | None:
    """Say what keeps something from being called with these arguments; None: nothing.

    >>> from fieldwise.comparators import number
    >>> _misfit("number", number, [], {"absolut": 1})
    "number has no option 'absolut'; did you mean 'absolute'? it takes: absolute, relative"
    """
    parameters = inspect.signature(make).parameters
    takes = f"it takes: {', '.join(parameters) or 'nothing'}"
    unknown = next((key for key in named if key not in parameters), None)
    if unknown is not None:
        close = nearest(unknown, parameters)
        hint = f"did you mean {close!r}? " if close else ""
        return f"{name} has no option {unknown!r}; {hint}{takes}"
    by_place = [one for one in parameters.values() if one.kind in _BY_PLACE]
    if len(positional) > len(by_place) and not any(one.kind is one.VAR_POSITIONAL for one in by_place):
        how = f"no more than {len(by_place)} without a name" if by_place else "its options by name"
        return f"{name} takes {how}; {takes}"
    placed = {one.name for one in by_place[: len(positional)]}
    lacking = [
        one.name for one in parameters.values() if _is_needed(one) and one.name not in placed | named.keys()
    ]
    if lacking:
        return f"{name} needs {' and '.join(lacking)}; {takes}"
    return next((f"{key} is given twice" for key in named if key in placed), None)


def _is_needed(one: inspect.Parameter) -> bool:
    return one.default is one.empty and one.kind is not one.VAR_POSITIONAL


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
