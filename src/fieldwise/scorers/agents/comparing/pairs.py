"""The rules of tools at work on one record: what `matching` and `weighing` ask.

A tool of which nothing is said, and calls without wildcards, go by `ArgumentPolicy` and its index. Any
other calls are compared one by one, those between which no option tells the difference once, and only where
`candidates` says that they may fit.

How many pairs are compared is bounded: by `MAX_COMPARED`, by fewer where one takes longer, never by a clock.
Past it calls that are alike go first, others are compared with those near them in the order of content, and a
note says so.

What was compared is remembered by content for as long as the record lasts, so that neither a comparator nor
a judge is asked the same thing twice.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.equality import freeze
from fieldwise.scorers.agents.comparing.candidates import Candidates
from fieldwise.scorers.agents.comparing.counted import counted
from fieldwise.scorers.agents.comparing.verdicts import Verdict, compare_calls
from fieldwise.scorers.agents.comparing.weighing import share
from fieldwise.scorers.agents.comparing.wildcards import alternatives, has_marker
from fieldwise.scorers.agents.matching import MAX_CELLS, ArgumentPolicy
from fieldwise.scorers.agents.matching.bipartite import bits

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from fieldwise.core.compare import Outcome
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.comparing.tool_rules import ToolRule, ToolRules
    from fieldwise.scorers.agents.comparing.weighing import Measure
    from fieldwise.scorers.agents.matching import Rule

MAX_COMPARED: Final = 40_000
"""The most pairs of one tool's calls that are compared one by one together, where that takes no longer."""
_LEAST: Final = 400
"""How many are compared however long it takes."""
_LEAVES: Final = 4
"""How many more leaves make a comparison take as long again."""
_LISTS: Final = 2
"""How many times as long a comparison takes that pairs lists."""


class Comparing:
    """The rules of the tools of one record, and what they found.

    Attributes:
        rules: as the options have them.
        special: the tools of which an expected call says more than values.
        broken: of expected calls, comparisons that failed where all else was right.
        notes: of tools, what was not compared because it was too much.
    """

    def __init__(self, rules: ToolRules, expected: Sequence[ToolCall], names: Sequence[str | None]) -> None:
        """Look through the expected calls for what makes a tool special."""
        self.rules = rules
        self.special: set[str] = {
            name
            for name, call in zip(names, expected, strict=True)
            if name is not None and (has_marker(call.args) or call.args.keys() & rules.of(name).optional)
        }
        self.broken: dict[Hashable, Outcome] = {}
        self.notes: dict[str, str] = {}
        self._verdicts: dict[Hashable, Verdict] = {}
        self._keys: dict[str | None, Callable[[ToolCall], Hashable]] = {}
        self._plain = ArgumentPolicy(rules.other.mode, deep=True)
        self._rules: dict[str, Rule] = {}

    @property
    def all_plain(self) -> bool:
        """Whether the calls of every tool go by the index alone."""
        return not self.special and not self.rules.spoken_of

    def is_plain(self, tool: str) -> bool:
        """Whether the calls of a tool go by the index alone."""
        if self.all_plain or self.rules.other.mode == "ignore":
            return True
        return tool not in self.special and not self.rules.of(tool).entries

    def rule_of(self, tool: str) -> Rule:
        """Return what pairs the calls of a tool by right and wrong."""
        if self.is_plain(tool):
            return self._plain
        return self._rules.setdefault(tool, _OneByOne(self, tool))

    def verdict(self, tool: str | None, expected: ToolCall, actual: ToolCall) -> Verdict:
        """Compare two calls of a tool."""
        if actual.problem or expected.problem:
            return compare_calls(self.rules.of(tool), expected, actual)
        key = (tool, freeze(expected.args), freeze(actual.args))
        found = self._verdicts.get(key)
        if found is None:
            found = self._verdicts[key] = compare_calls(self.rules.of(tool), expected, actual)
            cause = found.broken() if found.places and found.possible else None
            if cause is not None:
                self.broken.setdefault(self._class(tool, expected), cause)
        return found

    def broken_of(self, tool: str | None, expected: ToolCall) -> Outcome | None:
        """Return a comparison that failed and that alone kept a call from being answered."""
        return self.broken.get(self._class(tool, expected)) if self.broken else None

    def distinct(self, tool: str, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> Distinct:
        """Return the different calls of a tool."""
        found = Distinct(self.rules.of(tool), expected, actual)
        self._keys[tool] = found.calls.key
        return found

    def _class(self, tool: str | None, call: ToolCall) -> Hashable:
        """What calls have in common between which no option of a tool tells the difference."""
        key = self._keys.get(tool)
        return tool, freeze(call.args) if key is None else key(call)

    def near(self, tool: str, calls: Candidates, masks: list[int]) -> list[int]:
        """Return which pairs to compare: all, or of too many those that are alike, and those near."""
        total, most = _size(masks), self._most(tool, calls.expected)
        if total <= most:
            return masks
        columns = {calls.key(call): 1 << at for at, call in enumerate(calls.actual)}
        alike = [columns.get(calls.key(call), 0) for call in calls.expected]
        others = [at for at, mask in enumerate(masks) if mask and not alike[at]]
        free = ~sum(alike)
        left = [masks[at] & free for at in others]
        masks = alike
        if not others:
            return masks
        done = "equal ones went first"
        if _size(left) > most:
            each = max(1, most // len(others))
            left, done = _windows(left, each), f"{each} for each call were compared"
        for at, mask in zip(others, left, strict=True):
            masks[at] = mask
        self.notes[tool] = f"{tool}: of {total:,} pairs that may fit, {done}"
        return masks

    def _most(self, tool: str, expected: Sequence[ToolCall]) -> int:
        """How many pairs are compared, by how long one takes."""
        rule = self.rules.of(tool)
        pairs_lists = any(one.aspect == "lists" for one in rule.entries)
        effort = sum([_effort(call.args) for call in expected]) * (_LISTS if pairs_lists else 1)
        return max(min(MAX_COMPARED, _LEAST), MAX_COMPARED * len(expected) // max(1, effort))

    def possible(
        self, tool: str, expected: Sequence[ToolCall], actual: Sequence[ToolCall]
    ) -> list[list[float]]:
        """Weigh pairs that may be right: one more of them goes before any that are more certain."""

        def weight(found: Verdict) -> float:
            quality = share("f1", found.right(), found.wanted, found.came)
            return 1 + quality / (len(expected) + 1) if found.possible else 0.0

        return self._weighed(tool, expected, actual, weight)

    def credits(
        self, tool: str, expected: Sequence[ToolCall], actual: Sequence[ToolCall], measure: Measure
    ) -> list[list[float]]:
        """Weigh pairs by the share of arguments that are right."""
        if self.is_plain(tool) and self.rules.of(tool).mode != "ignore":
            return counted(self.rules.of(tool).mode, expected, actual, measure)

        def weight(found: Verdict) -> float:
            return 0.0 if found.problem else share(measure, found.right(), found.wanted, found.came)

        return self._weighed(tool, expected, actual, weight, wholly=False)

    def _weighed(
        self,
        tool: str,
        expected: Sequence[ToolCall],
        actual: Sequence[ToolCall],
        weight: Callable[[Verdict], float],
        *,
        wholly: bool = True,
    ) -> list[list[float]]:
        """Weigh pairs of different calls, those that may be wholly right or all."""
        distinct = self.distinct(tool, expected, actual)
        calls = distinct.calls
        every = (1 << len(calls.actual)) - 1
        masks = self.near(tool, calls, calls.masks() if wholly else [every] * len(calls.expected))
        rows = []
        for call, mask in zip(calls.expected, masks, strict=True):
            row = [0.0] * len(calls.actual)
            for at in bits(mask):
                row[at] = weight(self.verdict(tool, call, calls.actual[at]))
            rows.append([row[at] for at in distinct.columns])
        return [rows[at] for at in distinct.rows]


class _OneByOne:
    """Pairs the calls of a tool that have to be compared one by one."""

    equals_first = False
    most = MAX_CELLS

    def __init__(self, comparing: Comparing, tool: str) -> None:
        self.comparing = comparing
        self.tool = tool

    def accepts(self, expected: ToolCall, actual: ToolCall) -> bool:
        """Compare two calls."""
        return self.comparing.verdict(self.tool, expected, actual).fits

    def mark(self, _: ToolCall) -> Hashable:
        """A comparator forms no classes."""
        return ...

    def fitting(self, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> list[int]:
        """Compare those that may fit, different ones once."""
        distinct = self.comparing.distinct(self.tool, expected, actual)
        calls = distinct.calls
        found = []
        for call, mask in zip(
            calls.expected, self.comparing.near(self.tool, calls, calls.masks()), strict=True
        ):
            fit = 0
            for at in bits(mask):
                if self.accepts(call, calls.actual[at]):
                    fit |= distinct.masks[at]
            found.append(fit)
        return [found[at] for at in distinct.rows]


class Distinct:
    """Calls of one tool, those once between which no option tells the difference.

    Attributes:
        calls: the different ones.
        rows: of each expected call, which of them it is.
        columns: the same of each actual call.
        masks: of each different actual call, all that are it, as bits.
    """

    def __init__(self, rule: ToolRule, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> None:
        """Find the different ones on each side, in the order in which they come."""
        everything = Candidates(rule, expected, actual)
        sides = []
        for calls in (expected, actual):
            keys = [everything.key(call) for call in calls]
            first = dict(zip(reversed(keys), reversed(calls), strict=True))
            places = {key: at for at, key in enumerate(dict.fromkeys(keys))}
            sides.append(([first[key] for key in places], [places[key] for key in keys]))
        (wanted, self.rows), (came, self.columns) = sides
        self.calls = (
            everything
            if (len(wanted), len(came)) == (len(expected), len(actual))
            else Candidates(rule, wanted, came)
        )
        self.masks = [0] * len(came)
        for at, column in enumerate(self.columns):
            self.masks[column] |= 1 << at


def _size(masks: list[int]) -> int:
    return sum([mask.bit_count() for mask in masks])


def _windows(masks: list[int], each: int) -> list[int]:
    """At most so many bits of each mask: those in the columns that stand as far on as the row does."""
    columns = [1 << at for at in bits(reduce(or_, masks))]
    found = []
    for row, mask in enumerate(masks):
        start = min(max(0, row * len(columns) // len(masks) - each // 2), max(0, len(columns) - each))
        found.append(mask & sum(columns[start : start + each]))
    return found


def _effort(args: Any) -> int:
    """How long comparing takes, in comparisons of a few atoms."""
    leaves, stack = 0, [args]
    while stack:
        value = stack.pop()
        if isinstance(value, dict | list):
            stack += value.values() if isinstance(value, dict) else value
        else:
            leaves += 1
    return (1 + leaves // _LEAVES) * (len(alternatives(args)) if has_marker(args) else 1)
