"""Why calls do not match, for people and as data: which call, which argument, expected, got.

A reason is a dict, and everything in it JSON: `step`, the number of the decision the call belongs to, as the
reference counts them where it has the call, and `at`, where the call stands; `tool`; `argument`, where one is
to blame; `expected` and `got`, either left out where there is nothing; and `reason`, all of it in one line.
That of a message has its number as `message`, and roles.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.display import one_line
from fieldwise.core.equality import equal, preview
from fieldwise.core.explain import first_difference
from fieldwise.core.select import place_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fieldwise._types import Json
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.matching import ArgumentPolicy

Reason: TypeAlias = "dict[str, Any]"

LISTED: Final = 50
"""How many reasons are kept."""
_SHOWN: Final = 5
"""How many of them a comment tells."""
_LONGEST: Final = 2_000
"""How long a value may be before a reason has the beginning of its text in its place."""


def comment(reasons: list[Reason], more: int = 0) -> str:
    """Return reasons in one line; `more` is how many there are besides.

    >>> comment([{"reason": "step 0, tool web: missing"}], more=2)
    'step 0, tool web: missing; and 2 more'
    """
    told = [reason["reason"] for reason in reasons[:_SHOWN]]
    left = len(reasons) + more - len(told)
    return "; ".join([*told, *([f"and {left} more"] if left else [])])


def missing(expected: ToolCall) -> Reason:
    """The reason of a call that was expected and not made."""
    return _reason(expected, "", _outline(expected), MISSING)


def unexpected(actual: ToolCall) -> Reason:
    """The reason of a call that was made and not expected."""
    if actual.name is None:
        return _about(actual, f"tool call without name at {actual.at}")
    if actual.problem is not None:
        return _about(actual, actual.problem)
    return _reason(actual, "", MISSING, _outline(actual))


def message(at: int, expected: str | None, got: str | None) -> Reason:
    """The reason of a message of another role than expected; None for a side without it.

    >>> message(2, "tool", None)["reason"]
    'message 2: expected role "tool", missing'
    """
    wanted, came = preview(expected), preview(got)
    if expected is None:
        return {"message": at, "got": got, "reason": f"message {at}: got role {came}, not expected"}
    told = "missing" if got is None else f"got {came}"
    found: Reason = {"message": at, "expected": expected} | ({} if got is None else {"got": got})
    return {**found, "reason": f"message {at}: expected role {wanted}, {told}"}


def instead(expected: ToolCall, actual: ToolCall) -> Reason:
    """The reason of a call of another tool than the one expected."""
    if actual.name is None:
        return unexpected(actual)
    text = f"step {expected.group}: expected tool {_name(expected)}, got tool {_name(actual)}"
    places = {"step": expected.group, "at": actual.at, "tool": expected.name}
    return {**places, "expected": expected.name, "got": actual.name, "reason": text}


def arguments(expected: ToolCall, actual: ToolCall, policy: ArgumentPolicy) -> Iterator[Reason]:
    """Yield the reasons why the arguments of two calls of one tool do not fit."""
    if actual.problem is not None:
        yield _about(actual, actual.problem, expected)
        return
    found = False
    for name, wanted, came in _members(expected.args, actual.args, policy):
        found = True
        below, here, there = (
            first_difference(wanted, came) if wanted is not MISSING is not came else ((), wanted, came)
        )
        yield _reason(actual, place_name((name, *below)) if below else name, here, there, expected)
    if not found:
        by = ", by its own matcher" if policy.matcher is not None else ""
        wanted, came = preview(expected.args), preview(actual.args)
        yield _about(actual, f"arguments{by}: expected {wanted}, got {came}", expected)


def faults(expected: ToolCall, actual: ToolCall, policy: ArgumentPolicy) -> int:
    """Return how many reasons there are; of a callable, which names none, how many arguments differ."""
    if actual.problem is not None:
        return len(expected.args) + 1
    plain = policy if policy.matcher is None else replace(policy, mode="exact", keys=None, matcher=None)
    return sum(1 for _ in _members(expected.args, actual.args, plain))


def _members(
    expected: Mapping[str, Json], actual: Mapping[str, Json], policy: ArgumentPolicy
) -> Iterator[tuple[str, Any, Any]]:
    """Arguments that do not fit: the name, what was expected and what came."""
    if policy.matcher is not None:
        return
    if policy.keys is not None:
        for key in policy.keys.keys:
            sides = [[match.value for match in key.find(dict(args))] for args in (expected, actual)]
            if not all(sides) or not equal(*sides):
                wanted, came = (
                    MISSING if not side else side[0] if len(side) == 1 else side for side in sides
                )
                yield key.text, wanted, came
        return
    for name in dict.fromkeys([*expected, *actual]):
        wanted, came = expected.get(name, MISSING), actual.get(name, MISSING)
        if _PASSES[policy.mode](wanted, came):
            continue
        if wanted is MISSING or came is MISSING or not equal(wanted, came):
            yield name, wanted, came


_PASSES: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "exact": lambda wanted, came: False,  # noqa: ARG005 - the signature of the table
    "ignore": lambda wanted, came: True,  # noqa: ARG005
    "superset": lambda wanted, came: wanted is MISSING,  # noqa: ARG005
    "subset": lambda wanted, came: came is MISSING,  # noqa: ARG005
}
"""Mode to whether an argument that one side lacks is fine."""


def _reason(call: ToolCall, argument: str, expected: Any, got: Any, by: ToolCall | None = None) -> Reason:
    """A reason with values; `by` is the call that the step is counted by."""
    told = f"{_place(by or call)}, argument {one_line(argument, 120)}" if argument else _place(by or call)
    if got is MISSING and expected is MISSING:
        text = f"{told}: neither has it"
    elif got is MISSING:
        text = f"{told}: expected {preview(expected)}, missing" if argument else f"{told}: missing"
    elif expected is MISSING:
        text = f"{told}: got {preview(got)}, not expected" if argument else f"{told}: not expected"
    else:
        text = f"{told}: expected {preview(expected)}, got {preview(got)}"
    found: Reason = _where(by or call, call)
    if argument:
        found["argument"] = argument
    found |= {
        name: _kept(value) for name, value in (("expected", expected), ("got", got)) if value is not MISSING
    }
    return {**found, "reason": text}


def _about(call: ToolCall, what: str, by: ToolCall | None = None) -> Reason:
    return {**_where(by or call, call), "reason": f"{_place(by or call)}: {what}"}


def _where(by: ToolCall, call: ToolCall) -> Reason:
    return {"step": by.group, "at": call.at, "tool": by.name}


def _place(call: ToolCall) -> str:
    return f"step {call.group}" if call.name is None else f"step {call.group}, tool {_name(call)}"


def _name(call: ToolCall) -> str:
    return "without a name" if call.name is None else one_line(call.name, 120)


def _outline(call: ToolCall) -> Json:
    return {"name": call.name, "args": call.args}


def _kept(value: Any) -> Any:
    """A value that JSON can write, and that is not too long; of any other the beginning of its text."""
    try:
        written = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return preview(value, _LONGEST)
    return value if len(written) <= _LONGEST else preview(value, _LONGEST)


def bounded(reasons: Iterable[Reason]) -> tuple[list[Reason], int]:
    """Return the first reasons, and how many more there are."""
    found: list[Reason] = []
    more = 0
    for one in reasons:
        if len(found) < LISTED:
            found.append(one)
        else:
            more += 1
    return found, more
