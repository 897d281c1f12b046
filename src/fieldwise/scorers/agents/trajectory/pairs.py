"""The calls of two sides, paired, and what is wrong with those that found no partner.

A call that found none is set beside the one of its tool with which the least is wrong, to name the
arguments that differ; then beside any other that is left, to say which tool was called in its place; what is
left then is missing, or not expected.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from fieldwise.scorers.agents.matching import near_misses, pair_calls
from fieldwise.scorers.agents.names import tool_key
from fieldwise.scorers.agents.trajectory import reasons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.matching import ArgumentPolicy
    from fieldwise.scorers.agents.trajectory.reasons import Reason

_NEAR: Final = 50
"""Of how many calls on each side the closest one is looked for."""
_MOST_FAULTS: Final = 10_000


class Pairs:
    """Calls of two sides, paired one to one so that as many as can have a partner.

    Attributes:
        found: which pair, and which have no partner.
    """

    __slots__ = ("actual", "expected", "found", "names", "rule")

    def __init__(
        self, expected: Sequence[ToolCall], actual: Sequence[ToolCall], rule: Callable[[str], ArgumentPolicy]
    ) -> None:
        self.expected, self.actual, self.rule = expected, actual, rule
        named = {call.name for side in (expected, actual) for call in side if call.name}
        keys: dict[str | None, str] = {name: tool_key(name) for name in named}
        self.names = [keys.get(call.name) for call in expected], [keys.get(call.name) for call in actual]
        self.found = pair_calls(expected, actual, rule, names=self.names)

    @property
    def complete(self) -> bool:
        """Whether every call has its partner."""
        return not self.found.missing and not self.found.unexpected

    def nearness(self) -> int:
        """Return how near calls without a partner are: how many are of one tool, then how little differs."""
        near = self._near()
        wrong = sum(self._faults(came, wanted) for came, wanted in near)
        return len(near) * _MOST_FAULTS - min(wrong, _MOST_FAULTS - 1)

    def reasons(
        self, lost: Sequence[int] | None = None, surplus: Sequence[int] | None = None
    ) -> Iterator[Reason]:
        """Yield what is wrong, in the order of the calls expected, then of those made.

        Args:
            lost: the expected calls whose lack of a partner is wrong; None: all.
            surplus: the same of those that were made.
        """
        lost = self.found.missing if lost is None else lost
        surplus = self.found.unexpected if surplus is None else surplus
        if not lost and not surplus:
            return
        near = self._near()
        for came, wanted in near:
            yield from self._arguments(wanted, came)
        told = {came for came, _ in near}, {wanted for _, wanted in near}
        rest = [at for at in lost if at not in told[1]], [at for at in surplus if at not in told[0]]
        for place, other in zip_longest(*rest):
            if other is None:
                yield reasons.missing(self.expected[place])
            elif place is None:
                yield reasons.unexpected(self.actual[other])
            elif self.names[0][place] == self.names[1][other]:
                yield from self._arguments(place, other)
            else:
                yield reasons.instead(self.expected[place], self.actual[other])

    def _arguments(self, wanted: int, came: int) -> Iterator[Reason]:
        rule = self.rule(self.names[0][wanted] or "")
        return reasons.arguments(self.expected[wanted], self.actual[came], rule)

    def _near(self) -> list[tuple[int, int]]:
        """The calls of one tool that come closest, (made, expected), among the first of either side."""
        missing, unexpected = self.found.missing[:_NEAR], self.found.unexpected[:_NEAR]
        first = replace(self.found, missing=missing, unexpected=unexpected)
        return near_misses(self.expected, self.actual, first, self._faults, names=self.names)

    def _faults(self, came: int, wanted: int) -> int:
        rule = self.rule(self.names[0][wanted] or "")
        return reasons.faults(self.expected[wanted], self.actual[came], rule)
