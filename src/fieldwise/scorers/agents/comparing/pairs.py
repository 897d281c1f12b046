"""The rules of tools at work on one record: what `matching` and `_weighing` ask.

A tool of which nothing is said, and calls without wildcards, go by `ArgumentPolicy` and its index. Any
other calls are compared one by one, but only where the arguments that nothing is said of allow it: those
have to be equal, and an index finds them.

What was compared is remembered by content for as long as the record lasts, so that neither a comparator nor
a judge is asked the same thing twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.equality import freeze
from fieldwise.scorers.agents.comparing.verdicts import Verdict, compare_calls
from fieldwise.scorers.agents.comparing.weighing import share
from fieldwise.scorers.agents.comparing.wildcards import alternatives, has_marker
from fieldwise.scorers.agents.matching import MAX_CELLS, ArgumentPolicy
from fieldwise.scorers.agents.matching.bipartite import bits
from fieldwise.scorers.agents.matching.containment import features, holders

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from fieldwise.core.compare import Outcome
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.comparing.tool_rules import ToolRule, ToolRules
    from fieldwise.scorers.agents.comparing.weighing import Measure
    from fieldwise.scorers.agents.matching import Rule

MAX_COMPARED: Final = 100_000
"""The most pairs of one tool's calls that are compared one by one together."""


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
                self.broken.setdefault(key[:2], cause)
        return found

    def broken_of(self, tool: str | None, expected: ToolCall) -> Outcome | None:
        """Return a comparison that failed and that alone kept a call from being answered."""
        return self.broken.get((tool, freeze(expected.args)))

    def near(self, tool: str, masks: list[int], columns: int) -> list[int]:
        """Return which pairs to compare: all, or of too many those near in the order of content."""
        total = sum([mask.bit_count() for mask in masks])
        if total <= MAX_COMPARED:
            return masks
        each = max(1, MAX_COMPARED // len(masks))
        self.notes[tool] = f"{tool}: of {total:,} pairs that may fit, {each} for each call were compared"
        window = (1 << each) - 1
        return [
            mask & (window << min(max(0, row * columns // len(masks) - each // 2), max(0, columns - each)))
            for row, mask in enumerate(masks)
        ]

    def possible(
        self, tool: str, expected: Sequence[ToolCall], actual: Sequence[ToolCall]
    ) -> list[list[float]]:
        """Weigh pairs that may be right: one more of them goes before any that are more certain."""
        weights = [[0.0] * len(actual) for _ in expected]
        masks = self.near(tool, candidates(self.rules.of(tool), expected, actual), len(actual))
        for row, mask in enumerate(masks):
            for column in bits(mask):
                found = self.verdict(tool, expected[row], actual[column])
                if found.possible:
                    quality = share("f1", found.right(), found.wanted, found.came)
                    weights[row][column] = 1 + quality / (len(expected) + 1)
        return weights

    def credits(
        self, tool: str, expected: Sequence[ToolCall], actual: Sequence[ToolCall], measure: Measure
    ) -> list[list[float]]:
        """Weigh pairs by the share of arguments that are right."""
        if self.is_plain(tool) and self.rules.of(tool).mode == "exact":
            return _counted(expected, actual, measure)
        weights = [[0.0] * len(actual) for _ in expected]
        masks = self.near(tool, [(1 << len(actual)) - 1] * len(expected), len(actual))
        for row, mask in enumerate(masks):
            for column in bits(mask):
                found = self.verdict(tool, expected[row], actual[column])
                weights[row][column] = self._credit(found, measure)
        return weights

    def _credit(self, found: Verdict, measure: Measure) -> float:
        return 0.0 if found.problem else share(measure, found.right(), found.wanted, found.came)


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
        """Compare those that may fit."""
        rule = self.comparing.rules.of(self.tool)
        masks = self.comparing.near(self.tool, candidates(rule, expected, actual), len(actual))
        found = []
        for call, mask in zip(expected, masks, strict=True):
            fit = 0
            for at in bits(mask):
                if self.accepts(call, actual[at]):
                    fit |= 1 << at
            found.append(fit)
        return found


def candidates(rule: ToolRule, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> list[int]:
    """Return for each expected call the actual ones that have what nothing is said of, as bits."""
    if rule.mode == "subset":
        return [(1 << len(actual)) - 1] * len(expected)
    deep = rule.mode == "superset"
    outer = [features(call.args, deep=deep) for call in actual]
    written = [_firm(rule, call.args) for call in expected]
    masks = iter(holders([features(one, deep=deep) for some in written for one in some], outer))
    found = []
    for some in written:
        mask = 0
        for _ in some:
            mask |= next(masks)
        found.append(mask)
    return found


def _firm(rule: ToolRule, args: dict[str, Any]) -> list[dict[str, Any]]:
    """What has to be equal in each alternative of arguments, or as they are written."""
    if not has_marker(args):
        return [{name: args[name] for name in rule.firm(args) if name not in rule.optional}]
    found = [args]
    for one in alternatives(args):
        if isinstance(one, dict):
            read = rule.read(one, expected=True)
            kept = [name for name in rule.firm(read) if name not in rule.optional and _is_firm(args, name)]
            found.append({name: read[name] for name in kept})
    return found


def _is_firm(args: dict[str, Any], name: str) -> bool:
    """Whether an argument of an alternative stands in the arguments as they are written."""
    return name in args and not has_marker(args[name])


def _counted(expected: Sequence[ToolCall], actual: Sequence[ToolCall], measure: Measure) -> list[list[float]]:
    """The share of equal arguments of each pair, counted by an index."""
    index: dict[Hashable, list[int]] = {}
    for at, call in enumerate(actual):
        for feature in features(call.args, deep=False):
            index.setdefault(feature, []).append(at)
    sizes = [len(call.args) for call in actual]
    rows = []
    for call in expected:
        counts = [0] * len(actual)
        for feature in features(call.args, deep=False):
            for at in index.get(feature, ()):
                counts[at] += 1
        wanted = len(call.args)
        rows.append([share(measure, right, wanted, came) for right, came in zip(counts, sizes, strict=True)])
    return rows
