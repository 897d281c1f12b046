"""What is expected of the order of calls, read from what people write: names, groups, a run, rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.core.read import Problem
from fieldwise.scorers.agents.criteria import Wrong, opened, snake, tool_name
from fieldwise.scorers.agents.ordering.made import grouped
from fieldwise.scorers.agents.ordering.rules import is_rules, nearest_rule, read_rules
from fieldwise.scorers.agents.reading import read_trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.scorers.agents.attempts import Attempts
    from fieldwise.scorers.agents.ordering.made import Parallel
    from fieldwise.scorers.agents.ordering.rules import Rule


@dataclass(frozen=True, slots=True)
class Order:
    """An order that is expected.

    Attributes:
        groups: the names of tools, group by group; none is empty.
        by_id: whether a name may be the id of a call; in a run they are names alone.
    """

    groups: Sequence[Sequence[str]]
    by_id: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is expected: an order, rules, or both."""

    order: Order | None
    rules: Sequence[Rule] | None = None

    @property
    def names(self) -> set[str]:
        """All names that are spoken of and that may be ids."""
        planned = self.order.groups if self.order is not None and self.order.by_id else ()
        return {name for names in (*planned, *[rule.tools for rule in self.rules or ()]) for name in names}


@dataclass(frozen=True, slots=True)
class Plans:
    """Reads what is expected; of a run, the same calls count as of the one that is graded."""

    attempts: Attempts
    parallel: Parallel

    def read(self, value: Any, where: str) -> Wanted:
        """Read an order or rules."""
        if is_rules(value):
            return self.read_rules(value, where)
        if isinstance(value, dict):
            inner = [key for key in value if isinstance(key, str) and snake(key) == "tool_calls_order"]
            if inner:
                place = f"{where}.{inner[0]}"
                return Wanted(self._order(_as_list(value[inner[0]], place), place))
        return Wanted(self._order(value, where))

    def read_rules(self, value: Any, where: str) -> Wanted:
        """Read rules."""
        rules, plan = read_rules(value, where)
        place = f"{where}.plan"
        order = self._order(_as_list(plan["plan"], place), place) if plan else None
        return Wanted(order, rules)

    def _order(self, value: Any, where: str) -> Order:
        """The order of a list of names, or of what an agent left behind."""
        if isinstance(value, list) and (not value or any(_is_planned(one) for one in value)):
            groups = [_members(one, f"{where}[{at}]") for at, one in enumerate(value)]
            return Order([group for group in groups if group], by_id=True)
        found = read_trajectory(value, where)
        if isinstance(found, Problem):
            raise Wrong(f"{found.reason}; {_meant(value)}")
        calls = self.attempts.of(found.calls)
        names = [tool_name(call.name, f"{where}: {call.at}") for call in calls]
        return Order([[names[at] for at in group] for group in grouped(calls, self.parallel)])


def _meant(value: Any) -> str:
    """What to write instead: the rule that a key of an object is nearly, or what there is."""
    for key, one in value.items() if isinstance(value, dict) else ():
        if is_rules(one):
            return f"the rules in {shown(key)} are read with correct_answer_key={key!r}"
        close = nearest_rule(key)
        if close is not None:
            return f"{shown(key)} is no rule, did you mean {close!r}?"
    return "give a list of names, or rules"


def _as_list(value: Any, where: str) -> list[Any]:
    value = opened(value, where) if not isinstance(value, str) else value
    if isinstance(value, list):
        return value
    raise Wrong(f"{where}: {preview(value)} must be a list of names, for one write [{preview(value)}]")


def _is_planned(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and "parallel" in value)


def _members(value: Any, where: str) -> list[str]:
    """The names of one element of a plan."""
    if isinstance(value, dict) and value.keys() == {"parallel"}:
        inner = _as_list(value["parallel"], f"{where}.parallel")
        return [_member(one, f"{where}.parallel[{at}]") for at, one in enumerate(inner)]
    return [_member(value, where)]


def _member(value: Any, where: str) -> str:
    if isinstance(value, dict) and "name" in value:
        value = value["name"]
    if isinstance(value, str) and value:
        return value
    raise Wrong(f"{where}: {preview(value)} must be the name of a tool, or {{'parallel': [names]}}")
