"""Two calls of one tool compared argument by argument: what is right, what is not, what a judge has to say.

Rules of this module:
1. Equality of the arguments as they are written is right, whatever else the options say.
2. Wildcards and alternatives are settled first; of several alternatives the one with the most right counts.
3. "Lies within" is equality of what both sides may hold: members that the outer side has and the inner has
   not are taken off before anything is compared.
4. An argument is right when everything in it is. Its credit is the mean of what its places score.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any

from fieldwise.core.align.grades import likeness
from fieldwise.core.equality import equal
from fieldwise.scorers.agents.comparing.wildcards import alternatives, has_marker, settled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise.core.compare import Outcome
    from fieldwise.core.policy import Node
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.comparing.tool_rules import ToolRule
    from fieldwise.scorers.agents.matching import ArgsMode


@dataclass(slots=True)
class Verdict:
    """How the arguments of two calls compare.

    Attributes:
        wanted: how many arguments were expected.
        came: how many arguments came, without those that may come as they like.
        places: argument to the outcomes of what in it is not equal; arguments that are equal are not in it.
        missing: the arguments that did not come.
        unexpected: the arguments that came and were not expected.
        problem: why the calls cannot be compared at all.
    """

    wanted: int = 0
    came: int = 0
    places: dict[str, list[Outcome]] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    unexpected: frozenset[str] = frozenset()
    problem: str | None = None

    @property
    def fits(self) -> bool:
        """Whether every argument is right."""
        return self.problem is None and all(one.score == 1.0 for one in self.outcomes())

    @property
    def possible(self) -> bool:
        """Whether every argument is right, or a judge's to say, or could not be compared."""
        return self.problem is None and all(one.score in {1.0, None} for one in self.outcomes())

    def outcomes(self) -> Iterable[Outcome]:
        """Yield what is not equal."""
        for places in self.places.values():
            yield from places

    def open(self) -> list[Outcome]:
        """Return what a judge has to say."""
        return [one for one in self.outcomes() if _unasked(one)]

    def broken(self) -> Outcome | None:
        """Return what could not be compared."""
        return next((one for one in self.outcomes() if one.criterion is None and one.score is None), None)

    def right(self) -> float:
        """Return the sum of the credits of the arguments; of what is open, how alike it reads."""
        if self.problem is not None:
            return 0.0
        one_sided = self.missing | self.unexpected
        lost = [1 - _credit(one) for name, one in self.places.items() if name not in one_sided]
        return self.wanted - len(self.missing) - fsum(lost)

    def faults(self) -> list[Outcome]:
        """Return what is wrong; of what a judge was not asked nobody knows."""
        return [one for one in self.outcomes() if one.score != 1.0 and not _unasked(one)]


def compare_calls(rule: ToolRule, expected: ToolCall, actual: ToolCall) -> Verdict:
    """Compare the arguments of two calls of one tool, both read by its rule.

    Raises:
        TooMany: for more alternatives than can be looked at.
    """
    if actual.problem or expected.problem:
        return Verdict(len(expected.args), len(actual.args), problem=actual.problem)
    if rule.mode == "ignore":
        return Verdict()
    if equal(expected.args, actual.args):
        return Verdict(len(expected.args), len(actual.args))
    if not has_marker(expected.args):
        return _compared(rule, expected.args, actual.args)
    best: Verdict | None = None
    for one in alternatives(expected.args):
        args = settled(one, actual.args)
        found = (
            _compared(rule, rule.read(args, expected=True), actual.args) if isinstance(args, dict) else None
        )
        if found is not None and (best is None or _rank(found) > _rank(best)):
            best = found
    return best or Verdict(1, len(actual.args), problem="the expected arguments are no object")


def trimmed(inner: Any, outer: Any, node: Node | None = None) -> Any:
    """Return `outer` without the members that `inner` has not, at every depth.

    Elements of lists of the same length are trimmed one by one, unless the list pairs otherwise.

    >>> trimmed({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3})
    {'a': {'b': 1}}
    """
    holder: list[Any] = [outer]
    stack: list[tuple[Any, Any, Any, Node | None]] = [(holder, 0, inner, node)]
    while stack:
        into, at, wanted, here = stack.pop()
        value = into[at]
        if isinstance(wanted, dict) and isinstance(value, dict):
            into[at] = kept = {name: one for name, one in value.items() if name in wanted}
            stack += [(kept, name, wanted[name], here and here.child(name)) for name in kept]
        elif _one_by_one(wanted, value, here):
            into[at] = listed = list(value)
            stack += [(listed, i, one, here and here.child(i, len(wanted))) for i, one in enumerate(wanted)]
    return holder[0]


def _one_by_one(wanted: Any, value: Any, node: Node | None) -> bool:
    """Whether two values are lists whose elements answer each other by index."""
    if not (isinstance(wanted, list) and isinstance(value, list) and len(wanted) == len(value)):
        return False
    return node is None or node.lists in {None, "ordered"}


def _compared(rule: ToolRule, wanted: dict[str, Any], came: dict[str, Any]) -> Verdict:
    lacking = [name for name in rule.optional if name in wanted and name not in came]
    if lacking:
        wanted = {name: one for name, one in wanted.items() if name not in lacking}
    wanted, came = _facing(rule.mode, wanted, came, rule.node((wanted, came)))
    found = Verdict(len(wanted), len(came))
    found.missing, found.unexpected = frozenset(wanted.keys() - came), frozenset(came.keys() - wanted)
    for outcome in rule.fields.compare(wanted, came).records[0].outcomes:
        name = str(outcome.where[0]) if outcome.where else outcome.name
        found.places.setdefault(name, []).append(outcome)
    return found


def _facing(
    mode: ArgsMode, wanted: dict[str, Any], came: dict[str, Any], node: Node | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both sides without what the mode lets one of them have more."""
    if mode == "superset":
        return wanted, trimmed(wanted, came, node)
    if mode == "subset":
        return trimmed(came, wanted, node), came
    return wanted, came


def _credit(places: list[Outcome]) -> float:
    """The mean of what the places in an argument score; a judge's to be by how alike the texts read."""
    scores = [
        likeness(one.expected, one.actual) if one.score is None and one.criterion else one.score or 0.0
        for one in places
    ]
    return fsum(scores) / len(scores)


def _unasked(one: Outcome) -> bool:
    return one.score is None and one.criterion is not None and one.status == "graded"


def _rank(found: Verdict) -> tuple[bool, bool, float]:
    return found.fits, found.possible, found.right() - found.came - found.wanted
