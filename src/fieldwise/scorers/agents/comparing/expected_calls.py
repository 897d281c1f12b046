"""The calls that an evaluator of arguments or outputs expects: from a record's reference, or an option.

A list of `{"name", "arguments" | "args", "output", "id"}`, `{"toolCalls": […]}`, `{"tool_calls": […]}`, or
anything else that a trajectory can be read from. Every call has to name its tool.

A tool may be named in any spelling, or by the id of a call that was made (some platforms give a tool's calls
the id of the tool). An id beside a name never gets in the way of the name: every provider gives its calls
ids, and no two runs the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.core.equality import preview
from fieldwise.core.read import Problem
from fieldwise.core.values import copied
from fieldwise.errors import ConfigError
from fieldwise.scorers.agents.comparing.wildcards import TooMany, alternatives, has_marker
from fieldwise.scorers.agents.names import tool_key
from fieldwise.scorers.agents.reading import read_trajectory
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fieldwise.scorers.agents.calls import ToolCall

    Names = tuple[list[str | None], list[str | None]]

REFERENCE = "reference_outputs"


def expected_by(
    option: str, value: Any, *, decode_twice: bool = False
) -> Callable[[Any, Any], tuple[ToolCall, ...]]:
    """Return what makes the expected calls of `(outputs, reference)`: the option, else the reference.

    Raises:
        ConfigError: for an option that cannot be used. What is returned raises Unfit for a reference that
            cannot.
    """
    if value is None:
        return lambda _, reference: _of_record(reference, decode_twice=decode_twice)
    found = _read(value, decode_twice=decode_twice)
    if isinstance(found, str):
        reason = found.removeprefix(f"{REFERENCE}: ")
        raise ConfigError(f"{option}={preview(value)}: {reason}; write [{{'name': 'tool', …}}]")
    own = tuple(_copied(call) for call in found)
    return lambda *_: own


def _copied(call: ToolCall) -> ToolCall:
    """A call that shares nothing with what the caller may still change."""
    args: Any = copied(call.args)
    return replace(call, args=args, output=call.output if call.output is MISSING else copied(call.output))


def _of_record(value: Any, *, decode_twice: bool) -> tuple[ToolCall, ...]:
    found = _read(value, decode_twice=decode_twice)
    if isinstance(found, str):
        raise Unfit(found, "invalid_reference")
    return found


def tool_names(expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> Names:
    """Return the key of the tool of each expected and of each actual call; None: it names none.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> tool_names([ToolCall("get weather"), ToolCall("t-1")], [ToolCall("get_weather", id="t-1")])
    (['get_weather', 'get_weather'], ['get_weather'])
    """
    keys: dict[str, str] = {}
    came = [_key(call.name, keys) for call in actual]
    by_id: dict[str, str] = {}
    for call, key in zip(actual, came, strict=True):
        if call.id is not None and key is not None:
            by_id[call.id] = min(key, by_id.get(call.id, key))
    known = set(came)
    wanted = []
    for call in expected:
        named = _key(call.name, keys)
        if named not in known:
            named = by_id.get(call.name or "", by_id.get(call.id or "", named or ""))
        wanted.append(named or None)
    return wanted, came


def _key(name: str | None, keys: dict[str, str]) -> str | None:
    """The key of a name; each name is looked at once."""
    if name is None:
        return None
    if name not in keys:
        keys[name] = tool_key(name)
    return keys[name]


def _read(value: Any, *, decode_twice: bool) -> tuple[ToolCall, ...] | str:
    """The calls, or what is wrong with them."""
    if value is MISSING:
        return "no reference_outputs were given"
    if isinstance(value, dict) and value.keys() in ({"toolOutputs"}, {"tool_outputs"}):
        value = next(iter(value.values()))
    read = read_trajectory(value, REFERENCE, decode_twice=decode_twice)
    if isinstance(read, Problem):
        return read.reason
    for call in read.calls:
        if not call.name:
            return f"{REFERENCE}: {call.at} names no tool"
        if call.problem is not None:
            return f"{REFERENCE}: {call.at}: {call.problem}"
        try:
            if has_marker(call.args):
                alternatives(call.args)
        except TooMany as error:
            return f"{REFERENCE}: {call.at}: {error}"
    return read.calls
