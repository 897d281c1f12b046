"""Which calls of a tool may answer which, looked up instead of compared one by one.

What has to hold where two calls fit:

1. An argument of which nothing is said is equal, or, with "lies within", the actual one holds the expected.
2. A list that pairs in any order is equal once both are in an order of content (`arranged`).
3. An argument with alternatives is one of them. One with a wildcard in it may be anything.
4. An argument for which a comparator speaks that grades many values at once is graded 1 by it.

An index finds the calls for the first three; the last is a table of the distinct values, made only where
there is much to compare. Nothing here says that calls do fit.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.equality import arrange, freeze
from fieldwise.core.values import UnorderedList
from fieldwise.scorers.agents.comparing.wildcards import ANY, alternatives, has_marker
from fieldwise.scorers.agents.matching.containment import features, holders

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from fieldwise.core.compare import Comparator
    from fieldwise.core.policy import Node
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.comparing.tool_rules import ToolRule

FEW: Final = 10_000
"""Up to so many pairs are left as they are: no table is made."""
MAX_TABLE: Final = 4_000_000
"""The most cells of a table of distinct values, long texts counted as several."""
_PIECE: Final = 64
_DEEPEST: Final = 40
_NEARLY_1: Final = 1 - 1e-9
_PLAIN: Final = frozenset({str, bool, float, NoneType})
_EXACT: Final = 2**53
_UNORDERED: Final = ("same_elements", "subset", "superset")
_SORTED: Final = (None, "ordered", "same_elements")


class Candidates:
    """Calls of one tool, read for being looked up.

    Attributes:
        rule: of the tool.
        tree: what is said of places in its arguments; None: nothing, or it depends on the pair.
    """

    def __init__(self, rule: ToolRule, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> None:
        """Find out what is said of places in the arguments of these calls, where it is the same for all."""
        self.rule, self.expected, self.actual = rule, expected, actual
        tree = rule.node(tuple(call.args for call in (*expected, *actual))) if rule.entries else None
        self.tree = tree if tree is not None and tree is rule.node(()) else None
        members = self.tree.members if self.tree is not None and self.tree.every is None else {}
        loose = rule.null_policy == "null_equals_missing"
        self._alike = {name: one for name, one in members.items() if _is_alike(one)}
        self._sorted = {} if loose else {name: one for name, one in members.items() if _is_sorted(one)}
        self._graded = {name: one.comparator for name, one in members.items() if _is_graded(one)}

    def key(self, call: ToolCall) -> Hashable:
        """Return what calls have in common between which no option tells the difference."""
        said = {} if self._alike and has_marker(call.args) else self._alike
        return freeze(_arranged(call.args, said))

    def masks(self) -> list[int]:
        """Return for each expected call the actual ones that may fit, as bits."""
        if self.rule.mode == "subset":
            return [(1 << len(self.actual)) - 1] * len(self.expected)
        masks = self._indexed()
        for name, comparator in self._graded.items():
            if sum([mask.bit_count() for mask in masks]) > FEW:
                allowed = self._allowed(name, comparator)  # type: ignore[arg-type]
                masks = (
                    [mask & other for mask, other in zip(masks, allowed, strict=True)] if allowed else masks
                )
        return masks

    def _indexed(self) -> list[int]:
        """The actual calls that have what has to be equal, for each alternative or as it is written."""
        deep = self.rule.mode == "superset"
        outer = [features(_arranged(call.args, self._sorted), deep=deep) for call in self.actual]
        written = [self._firm(call.args) for call in self.expected]
        found = iter(holders([features(one, deep=deep) for some in written for one in some], outer))
        masks = []
        for some in written:
            mask = 0
            for _ in some:
                mask |= next(found)
            masks.append(mask)
        return masks

    def _firm(self, args: dict[str, Any]) -> list[dict[str, Any]]:
        """What has to be equal in each alternative of arguments, or as they are written."""
        if not has_marker(args):
            return [self._kept(args, args)]
        found = [_arranged(args, self._sorted)]
        for one in alternatives(args):
            if isinstance(one, dict):
                read = self.rule.read(one, expected=True)
                found.append(self._kept(read, {name: one[name] for name in one if not _is_open(one[name])}))
        return found

    def _kept(self, args: dict[str, Any], firm: Mapping[str, Any]) -> dict[str, Any]:
        names = {*self.rule.firm(args), *self._sorted} - self.rule.optional
        kept = {name: one for name, one in args.items() if name in names and name in firm}
        return _arranged(kept, self._sorted)

    def _allowed(self, name: Any, comparator: Comparator) -> list[int] | None:
        """For each expected call the actual ones of which one argument is graded 1, or cannot be told."""
        sides: list[list[Any]] = [
            [call.args.get(name, MISSING) for call in calls] for calls in (self.expected, self.actual)
        ]
        marks = [[freeze(one) if _is_told(one) else MISSING for one in side] for side in sides]
        distinct: list[dict[Any, Any]] = [
            {mark: one for mark, one in zip(*both, strict=True) if mark is not MISSING}
            for both in zip(marks, sides, strict=True)
        ]
        if not all(distinct) or _length(distinct[0]) * _length(distinct[1]) > MAX_TABLE:
            return None
        rows = _table(comparator, distinct[0], distinct[1], marks[1])
        every = (1 << len(self.actual)) - 1
        return [rows.get(mark, every) for mark in marks[0]]


def _table(
    comparator: Comparator, expected: dict[Any, Any], actual: dict[Any, Any], marks: Sequence[Any]
) -> dict[Any, int]:
    """Each expected value with the calls, of which `marks` are the values, that are graded 1, as bits."""
    import numpy as np

    graded = comparator.many([*expected.values()], [*actual.values()])  # type: ignore[misc]
    right = np.asarray(graded) >= _NEARLY_1
    columns = {mark: at for at, mark in enumerate(expected)}
    for row, mark in enumerate(actual):
        if mark in columns:
            right[row, columns[mark]] = True
    rows = {mark: at for at, mark in enumerate(actual)}
    places = np.array([rows.get(mark, -1) for mark in marks])
    fits = right[places]
    fits[places < 0] = True
    packed = np.packbits(fits, axis=0, bitorder="little").T
    return {mark: int.from_bytes(packed[at].tobytes(), "little") for mark, at in columns.items()}


def _arranged(args: dict[str, Any], said: Mapping[Any, Node]) -> dict[str, Any]:
    if not said:
        return args
    return {name: arranged(one, said[name]) if name in said else one for name, one in args.items()}


def arranged(value: Any, node: Node) -> Any:
    """Return a value with the lists that pair in any order in an order of content.

    >>> from fieldwise.core.policy import Node
    >>> arranged([3, 1, 2], Node(lists="same_elements"))
    [1, 2, 3]
    """
    if isinstance(value, dict):
        children = {name: node.child(name) for name in value}
        return {
            name: one if (child := children[name]) is None else arranged(one, child)
            for name, one in value.items()
        }
    if not isinstance(value, list):
        return value
    found = []
    for at, one in enumerate(value):
        child = node.child(at, len(value))
        found.append(one if child is None else arranged(one, child))
    if node.lists not in _UNORDERED:
        return found
    unordered = UnorderedList(found)
    arrange(unordered)
    return unordered


def _is_sorted(root: Node) -> bool:
    """Whether all that is said of a place and of those below is which lists have the same elements."""
    return _is_alike(root) and all(
        node.comparator is None and node.rubric is None and node.lists in _SORTED for node, _ in _below(root)
    )


def _is_alike(root: Node) -> bool:
    """Whether an order of content can be made where order means nothing: no such list has named elements."""
    return not any(
        depth > _DEEPEST or (node.lists in _UNORDERED and node.members) for node, depth in _below(root)
    )


def _below(root: Node) -> Iterator[tuple[Node, int]]:
    """A place and those below it of which something is said, and how deep."""
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        yield node, depth
        stack += [(one, depth + 1) for one in (*node.members.values(), node.every) if one is not None]


def _is_graded(node: Node) -> bool:
    """Whether all that is said of a place is a comparator, and that one grades many at once."""
    alone = node.rubric is None and node.lists is None and not node.members and node.every is None
    return alone and node.comparator is not None and node.comparator.many is not None


def _is_open(root: Any) -> bool:
    """Whether there is anything in a value that may be any value."""
    stack, depth = [root], 0
    while stack and depth <= _DEEPEST:
        if any(one is ANY for one in stack):
            return True
        below: list[Any] = []
        for one in stack:
            below += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        stack, depth = below, depth + 1
    return False


def _is_told(value: Any) -> bool:
    """Whether a value is one of which a table costs little; a huge number is not."""
    return type(value) in _PLAIN or (type(value) is int and -_EXACT < value < _EXACT)


def _length(values: dict[Any, Any]) -> int:
    return len(values) + sum([len(one) for one in values.values() if type(one) is str]) // _PIECE
