"""The calls that an evaluator of arguments or outputs expects: from a record's reference, or an option.

A list of `{"name", "arguments" | "args", "output", "id"}`, `{"toolCalls": […]}`, `{"tool_calls": […]}`, or
anything else that a trajectory can be read from. Every call has to name its tool.

A tool may be named in any spelling, or by the id of a call that was made, see `names`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.equality import equal, preview
from fieldwise.core.read import NO_REFERENCE, Problem
from fieldwise.core.values import copied
from fieldwise.errors import ConfigError
from fieldwise.scorers.agents.comparing.wildcards import TooMany, alternatives, has_marker, misspelt
from fieldwise.scorers.agents.criteria import REFERENCE
from fieldwise.scorers.agents.reading import read_trajectory
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fieldwise.scorers.agents.calls import ToolCall

Part: TypeAlias = Literal["args", "output"]


def expected_by(
    option: str, value: Any, *, part: Part = "args", decode_twice: bool = False
) -> Callable[[Any, Any], tuple[ToolCall, ...]]:
    """Return what makes the expected calls of `(outputs, reference)`: the option, else the reference.

    Args:
        option: the name of the option.
        value: its value; None: the reference says.
        part: what of a call is compared, and so may hold wildcards.
        decode_twice: whether arguments that are JSON text within JSON text are decoded once more.

    Raises:
        ConfigError: for an option that cannot be used. What is returned raises Unfit for a reference that
            cannot.
    """
    if value is None:
        return lambda _, reference: _of_record(reference, part, decode_twice=decode_twice)
    found = _read(value, part, decode_twice=decode_twice)
    for call in () if isinstance(found, str) else found:
        slip = misspelt(getattr(call, part))
        if slip is not None:
            raise ConfigError(f"{option}: {call.at}: {slip}")
    if isinstance(found, str):
        reason = found.removeprefix(f"{REFERENCE}: ")
        raise ConfigError(f"{option}={preview(value)}: {reason}; write [{{'name': 'tool', …}}]")
    own = tuple(_copied(call) for call in found)
    return lambda *_: own


def _copied(call: ToolCall) -> ToolCall:
    """A call that shares nothing with what the caller may still change."""
    args: Any = copied(call.args)
    return replace(call, args=args, output=call.output if call.output is MISSING else copied(call.output))


def _of_record(value: Any, part: Part, *, decode_twice: bool) -> tuple[ToolCall, ...]:
    found = _read(value, part, decode_twice=decode_twice)
    if isinstance(found, str):
        raise Unfit(found, "invalid_reference")
    return found


def _read(value: Any, part: Part, *, decode_twice: bool) -> tuple[ToolCall, ...] | str:
    """The calls, or what is wrong with them."""
    if value is MISSING:
        return NO_REFERENCE
    if isinstance(value, dict) and value.keys() in ({"toolOutputs"}, {"tool_outputs"}):
        value = next(iter(value.values()))
    read = read_trajectory(value, REFERENCE, decode_twice=decode_twice)
    if isinstance(read, Problem):
        return read.reason
    for call in read.calls:
        if not call.name:
            return f"{REFERENCE}: {call.at} names no tool"
        problem = call.problem or _too_many(getattr(call, part))
        if problem is not None:
            return f"{REFERENCE}: {call.at}: {problem}"
    return read.calls


def _too_many(value: Any) -> str | None:
    try:
        if value is not MISSING and has_marker(value):
            alternatives(value)
    except TooMany as error:
        return str(error)
    return None


def refuse_slips(expected: Iterable[ToolCall], actual: Sequence[ToolCall]) -> None:
    """Refuse expected arguments with a misspelt wildcard, unless they came as they are written.

    Raises:
        Unfit: naming the call and the fix.
    """
    for call in expected:
        slip = misspelt(call.args)
        if slip is not None and not any(equal(call.args, one.args) for one in actual):
            raise Unfit(f"{REFERENCE}: {call.at}: {slip}", "invalid_reference")
