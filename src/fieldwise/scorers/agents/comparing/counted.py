"""The share of arguments that are right in each pair of calls, where nothing is said of any argument.

An argument is right when it is equal, or, with "lies within", when what came holds what was expected
("superset") or is held by it ("subset"), at every depth. An index finds the calls; nothing is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.core.equality import freeze
from fieldwise.scorers.agents.comparing.weighing import share
from fieldwise.scorers.agents.matching.bipartite import bits
from fieldwise.scorers.agents.matching.containment import features, holders

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from fieldwise._types import Json
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.comparing.weighing import Measure
    from fieldwise.scorers.agents.matching import ArgsMode

_NOTHING: Final[frozenset[Hashable]] = frozenset()
_TURNED: Final[dict[Measure, Measure]] = {"recall": "precision", "precision": "recall", "f1": "f1"}


def counted(
    mode: ArgsMode, expected: Sequence[ToolCall], actual: Sequence[ToolCall], measure: Measure
) -> list[list[float]]:
    """Return a row for each expected call: of each actual one, the share of arguments that are right.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> wanted, came = ToolCall("f", {"a": 1, "b": {"c": 2}}), ToolCall("f", {"b": {"c": 2, "d": 3}, "e": 4})
    >>> counted("exact", [wanted], [came], "recall"), counted("superset", [wanted], [came], "recall")
    ([[0.0]], [[0.5]])
    """
    if mode == "subset":  # the same, seen from the other side, where what came is what was wanted
        turned = _TURNED[measure]
        return [[*row] for row in zip(*counted("superset", actual, expected, turned), strict=True)]
    right = _Right(mode, expected, actual)
    rows = []
    for call in expected:
        counts, shared = right.of(call)
        wanted = len(call.args)
        pairs = [*zip(counts, shared, strict=True)]
        shares = {pair: share(measure, pair[0], wanted, pair[1]) for pair in set(pairs)}
        rows.append([shares[pair] for pair in pairs])
    return rows


class _Right:
    """An index from arguments to the actual calls in which they are right."""

    def __init__(self, mode: ArgsMode, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> None:
        """Look up each different value that is expected of each argument once."""
        self.exact, self.actual = mode == "exact", actual
        self.shared: dict[frozenset[str], list[int]] = {}
        values: dict[str, dict[Hashable, Json]] = {}
        for call in expected:
            for name, value in call.args.items():
                values.setdefault(name, {})[freeze(value)] = value
        self.places = {name: self._holding(name, wanted) for name, wanted in values.items()}

    def of(self, call: ToolCall) -> tuple[list[int], list[int]]:
        """Return, of each actual call, how many arguments are right and how many of it count."""
        counts = [0] * len(self.actual)
        for name, value in call.args.items():
            for at in self.places[name][freeze(value)]:
                counts[at] += 1
        names = frozenset() if self.exact else frozenset(call.args)
        if names not in self.shared:
            self.shared[names] = [
                len(one.args) if self.exact else len(names & one.args.keys()) for one in self.actual
            ]
        return counts, self.shared[names]

    def _holding(self, name: str, wanted: dict[Hashable, Json]) -> dict[Hashable, list[int]]:
        """Of each value of an argument, the actual calls in which it is right."""
        deep = not self.exact
        outer = [
            features({name: call.args[name]}, deep=deep) if name in call.args else _NOTHING
            for call in self.actual
        ]
        masks = holders([features({name: value}, deep=deep) for value in wanted.values()], outer)
        return {mark: [*bits(mask)] for mark, mask in zip(wanted, masks, strict=True)}
