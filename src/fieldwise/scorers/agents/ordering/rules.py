"""Rules of what an agent may do in which order: read from criteria, and checked against its calls.

| rule | written | holds when |
|---|---|---|
| before | `[["confirm", "delete"], …]`, or one such list; more than two are a chain | the first call of one is before the first of the next |
| never | `["hang_up", …]`, or one name | there is no such call |
| at_most, max_calls | `{"lookup": 1, …}`; `"*"` is every call | there are no more |
| at_least, min_calls | the same | there are no fewer |
| exactly | the same | there are as many |
| first, last | a name | the first (last) decision makes such a call |
| plan | as `tool_calls_order` | all its calls were made, in order; others may stand between |

Each pair, each name and each limit is one rule. camelCase is read too. A name that no call has may be the id of one.
"""  # noqa: E501 - a table

from __future__ import annotations

import operator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.display import nearest, shown
from fieldwise.core.equality import preview
from fieldwise.scorers.agents.criteria import Wrong, opened, snake, tool_name, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fieldwise.scorers.agents.ordering.made import Made

Absent: TypeAlias = Literal["violated", "satisfied"]
EVERY: Final = "*"
"""Stands for every tool, where calls are counted."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        kind: a row of the table above, but `plan`.
        tools: the tools it speaks of.
        limit: of a rule that counts.
    """

    kind: str
    tools: tuple[str, ...]
    limit: int = 0

    def __str__(self) -> str:
        named = ", ".join(map(shown, self.tools))
        return f"{self.kind} {named} {self.limit}" if self.kind in _LIMITS else f"{self.kind} {named}"


def is_rules(value: Any) -> bool:
    """Whether a value is an object of rules, not one of something else."""
    return isinstance(value, dict) and any(_kind(key) in _READERS or key == "plan" for key in value)


def read_rules(value: Any, where: str) -> tuple[list[Rule], dict[str, Any]]:
    """Return the rules of an object, and its plan as it is written: `{"plan": …}`, or nothing.

    Raises:
        Wrong: for a key that is no rule, or a rule that is written otherwise.
    """
    if not isinstance(value, dict):
        raise Wrong(f"{where}: {preview(value)} must be an object of rules, {{'never': [name], …}}")
    rules: list[Rule] = []
    plan: dict[str, Any] = {}
    for key, written in value.items():
        kind, place = _kind(key), f"{where}.{shown(key)[1:-1]}"
        if kind == "plan":
            if plan:
                raise Wrong(f"{place}: there is a plan already; give one")
            plan["plan"] = written
        elif kind in _READERS:
            rules += _READERS[kind](kind, written, place)
        else:
            raise Wrong(_unknown(key, where))
    return rules, plan


def _kind(key: Any) -> str:
    kind = snake(key) if isinstance(key, str) else ""
    return _ALIASES.get(kind, kind)


def nearest_rule(key: Any) -> str | None:
    """Return the rule that a key may have been meant to be.

    >>> nearest_rule("befor"), nearest_rule("answer")
    ('before', None)
    """
    return nearest(_kind(key), ["plan", *_READERS, *_ALIASES])


def _unknown(key: Any, where: str) -> str:
    close = nearest_rule(key)
    known = sorted(["plan", *_READERS, *_ALIASES])
    hint = f"did you mean {close!r}?" if close else f"the rules: {', '.join(known)}"
    return f"{where}: {shown(key)} is no rule; {hint}"


# ------------------------------------------------------------------------------------------------ reading


def _names(value: Any, where: str) -> list[str]:
    """A list of names; one name is a list of it."""
    value = opened(value, where) if not isinstance(value, str) else [value]
    if not isinstance(value, list):
        raise Wrong(f"{where}: {preview(value)} must be a list of names of tools")
    return [tool_name(one, f"{where}[{at}]") for at, one in enumerate(value)]


def _chains(kind: str, value: Any, where: str) -> Iterator[Rule]:
    chains = opened(value, where)
    if isinstance(chains, list) and chains and all(isinstance(one, str) for one in chains):
        chains = [chains]
    if not isinstance(chains, list):
        raise Wrong(f"{where}: {preview(value)} must be a list of pairs, [['confirm', 'delete']]")
    for at, chain in enumerate(chains):
        names = _names(chain, f"{where}[{at}]")
        if len(names) < 2:  # noqa: PLR2004 - a pair
            raise Wrong(f"{where}[{at}]: {preview(chain)} must name two tools, the earlier one first")
        yield from (Rule(kind, pair) for pair in pairwise(names))


def _each(kind: str, value: Any, where: str) -> Iterator[Rule]:
    return (Rule(kind, (name,)) for name in _names(value, where))


def _one(kind: str, value: Any, where: str) -> Iterator[Rule]:
    return iter([Rule(kind, (tool_name(value, where),))])


def _limits(kind: str, value: Any, where: str) -> Iterator[Rule]:
    limits = opened(value, where)
    if not isinstance(limits, dict):
        raise Wrong(f"{where}: {preview(value)} must be an object of names and numbers, {{'lookup': 1}}")
    for name, limit in limits.items():
        yield Rule(kind, (tool_name(name, where),), whole(limit, f"{where}[{shown(name)}]"))


_READERS: Final[dict[str, Callable[[str, Any, str], Iterator[Rule]]]] = {
    "before": _chains,
    "never": _each,
    "at_most": _limits,
    "at_least": _limits,
    "exactly": _limits,
    "first": _one,
    "last": _one,
}
_ALIASES: Final = {"max_calls": "at_most", "min_calls": "at_least", "tool_calls_order": "plan"}
_LIMITS: Final[dict[str, Callable[[int, int], bool]]] = {
    "at_most": operator.le,
    "at_least": operator.ge,
    "exactly": operator.eq,
}


# ----------------------------------------------------------------------------------------------- checking


def violation(rule: Rule, made: Made, absent: Absent) -> str | None:
    """Return why a rule does not hold, for people; None: it does.

    Args:
        rule: the rule.
        made: the calls that were made.
        absent: what `before` says where the later tool was not called at all.
    """
    if rule.kind in _LIMITS:
        return _counted(rule, made)
    if rule.kind == "before":
        return _before(rule, made, absent)
    if rule.kind == "never":
        found = made.of(rule.tools[0])
        return f"it was called, {made.place(found[0])}" if found else None
    return _edge(rule, made)


def _counted(rule: Rule, made: Made) -> str | None:
    (tool,) = rule.tools
    found = len(made.calls) if tool == EVERY else len(made.of(tool))
    return None if _LIMITS[rule.kind](found, rule.limit) else f"there {_were(found)}"


def _were(found: int) -> str:
    return "is 1 call" if found == 1 else f"are {found} calls"


def _before(rule: Rule, made: Made, absent: Absent) -> str | None:
    earlier, later = (made.of(tool) for tool in rule.tools)
    names = [shown(tool) for tool in rule.tools]
    if not later:
        return None if absent == "satisfied" else f"{names[1]} was not called"
    if not earlier:
        return f"{names[0]} was not called"
    times = made.times[earlier[0]], made.times[later[0]]
    if times[0] < times[1]:
        return None
    places = f"{made.place(earlier[0])} and {made.place(later[0])}"
    how = "were called at once" if times[0] == times[1] else "were called the other way round"
    return f"{names[0]} and {names[1]} {how}, {places}"


def _edge(rule: Rule, made: Made) -> str | None:
    if not made.calls:
        return "no tool was called"
    decision = made.decisions[0 if rule.kind == "first" else -1]
    if set(decision) & set(made.of(rule.tools[0])):
        return None
    at = decision[0 if rule.kind == "first" else -1]
    return f"it was {shown(made.calls[at].name or 'a call without a name')}, {made.place(at)}"
