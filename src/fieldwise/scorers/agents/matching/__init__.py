"""Which call of an agent answers which call that was expected: one to one, as many as can be.

Calls pair only within one tool. How their arguments compare is a rule's to say; `ArgumentPolicy` is the
plain one. What is done depends on the rule; how many pair, and which calls are left, never depends on the
order of the calls:

1. Where each tool is called once there is nothing to choose. Where a rule has an index, and every call can
   have a partner, nothing else has to be known.
2. Calls with equal arguments pair first, by hash, where the rule says that is safe. For equality it is all
   there is to do. For "lies within" it is part of an optimum: swapping any other one to it keeps every pair,
   because what lies within what lies within it lies within it.
   Where a rule does not say so, it is done past its bound, if the rule accepts the call for itself.
3. The rest is put in an order of content. What forms classes (`ignore`, named keys) pairs class by class;
   any other rule names the pairs that fit, and the most of them that can hold together are found.

A call whose arguments cannot be read, or that names no tool, pairs with none. Time and memory are bounded:
past `MAX_CELLS` possible pairs of one tool the rest is cut into blocks of that order, and the note says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from fieldwise.core.align import align
from fieldwise.core.align.assign import assign
from fieldwise.core.equality import equal, freeze
from fieldwise.scorers.agents.matching.bipartite import bits, maximum
from fieldwise.scorers.agents.matching.containment import features, holders, plain_holders
from fieldwise.scorers.agents.matching.grouping import (
    by_content,
    by_tool,
    frozen_args,
    in_blocks,
    pair_alike,
    same_args,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from fieldwise.core.align import ByKey
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.matching.grouping import Names

ArgsMode: TypeAlias = Literal["exact", "subset", "superset", "ignore"]

MAX_CELLS: Final = 100_000_000
"""The most possible pairs of one tool's calls that an index looks at together."""
MAX_ASKED: Final = 1_000_000
"""The most that a rule is asked about one by one."""
MAX_NEAR: Final = 1_000
"""The most possible pairs of one tool's calls of which the faults are counted."""


class Rule(Protocol):
    """How the arguments of two calls of one tool compare."""

    @property
    def equals_first(self) -> bool:
        """Whether calls with equal arguments may be paired before anything else is looked at."""
        ...

    @property
    def most(self) -> int:
        """The most possible pairs that `fitting` should look at together."""
        ...

    def accepts(self, expected: ToolCall, actual: ToolCall) -> bool:
        """Whether two calls fit."""
        ...

    def mark(self, call: ToolCall, /) -> Hashable:
        """Return the class of a call if the rule forms classes; None: it fits nothing; ...: it does not."""
        ...

    def fitting(self, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> list[int]:
        """Return for each expected call the actual ones that fit, as bits."""
        ...


@dataclass(frozen=True, slots=True)
class ArgumentPolicy:
    """How the arguments of two calls of one tool compare: right or wrong.

    Attributes:
        mode: "exact": equal; "superset": the actual arguments hold the expected ones; "subset": the expected
            ones hold the actual; "ignore": always right.
        deep: whether objects within arguments may hold more as well, not only the arguments.
        keys: only what these paths name counts; a call that lacks one of them fits nothing.
        matcher: `(actual arguments, expected arguments) -> bool`, instead of a mode.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> ArgumentPolicy("superset").accepts(ToolCall("f", {"a": 1}), ToolCall("f", {"a": 1, "b": 2}))
    True
    """

    mode: ArgsMode = "exact"
    deep: bool = False
    keys: ByKey | None = None
    matcher: Callable[[dict[str, Any], dict[str, Any]], Any] | None = None

    @property
    def equals_first(self) -> bool:
        """Only a callable may find that equal arguments do not fit."""
        return self.matcher is None

    @property
    def most(self) -> int:
        """A callable is asked about pairs one by one; anything else has an index."""
        return MAX_CELLS if self.matcher is None else MAX_ASKED

    def accepts(self, expected: ToolCall, actual: ToolCall) -> bool:
        """Whether two calls of the same tool fit."""
        if expected.problem or actual.problem or expected.name is None or actual.name is None:
            return False
        if self.matcher is not None:
            return bool(self.matcher(actual.args, expected.args))
        if self.keys is None and self.mode == "exact":
            return same_args(expected.args, actual.args)
        if self.keys is not None:
            wanted = self.keys.of(expected.args)
            return wanted is not None and wanted == self.keys.of(actual.args)
        if self.mode in {"exact", "ignore"}:
            return self.mode == "ignore" or equal(expected.args, actual.args)
        inner, outer = (expected, actual) if self.mode == "superset" else (actual, expected)
        return features(inner.args, deep=self.deep) <= features(outer.args, deep=self.deep)

    def mark(self, call: ToolCall) -> Hashable:
        """Return what calls that fit each other have in common, where that is how the rule works."""
        if self.matcher is None and self.keys is not None:
            return self.keys.of(call.args)
        if self.matcher is None and self.mode in {"exact", "ignore"}:
            return True if self.mode == "ignore" else freeze(call.args)
        return ...

    def fitting(self, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> list[int]:
        """Return for each expected call the actual ones that fit, as bits."""
        if len(expected) == len(actual) == 1:
            return [int(self.accepts(expected[0], actual[0]))]
        if self.matcher is not None or self.keys is not None or self.mode not in {"subset", "superset"}:
            return fitting_one_by_one(self.accepts, expected, actual)
        sides = [call.args for call in expected], [call.args for call in actual]
        inner, outer = sides if self.mode == "superset" else sides[::-1]
        found = plain_holders(inner, outer)
        if found is None:
            features_of = partial(features, deep=self.deep)
            found = holders([*map(features_of, inner)], [*map(features_of, outer)])
        return found if self.mode == "superset" else transposed(found, len(expected))


@dataclass(slots=True)
class Pairing:
    """Which actual call answers which expected one.

    Attributes:
        pairs: (actual index, expected index) of calls that fit, by the second.
        missing: indices of expected calls without one that fits, in order.
        unexpected: indices of actual calls without one that fits, in order.
        note: what was bounded, or None.
    """

    pairs: list[tuple[int, int]] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    unexpected: list[int] = field(default_factory=list)
    note: str | None = None


def pair_calls(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    rule_of: Callable[[str], Rule],
    *,
    names: Names | None = None,
) -> Pairing:
    """Pair calls one to one so that the most fit.

    Args:
        expected: the calls that were wanted.
        actual: the calls that came.
        rule_of: the rule for a tool, by its name.
        names: of the tool of each expected and of each actual call, where they are not the calls' own; None
            pairs with nothing.

    Raises:
        Exception: whatever a callable of a rule raises.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> wanted = [ToolCall("s", {"q": "x"}), ToolCall("s", {"q": "x", "n": 5})]
    >>> pair_calls(wanted, wanted[::-1], lambda _: ArgumentPolicy("superset")).pairs
    [(1, 0), (0, 1)]
    """
    found = Pairing()
    if names is None:
        names = [call.name for call in expected], [call.name for call in actual]
    if _single(expected, actual, names, rule_of, found):
        return rest(found, len(expected), len(actual))
    notes = []
    for name, (wanted, came) in by_tool(expected, actual, names).items():
        if wanted and came:
            group = _Group(expected, actual, rule_of(name), found.pairs)
            group.pair(wanted, came)
            notes += [f"{name}: {group.note}"] if group.note else []
    found.note = "; ".join(notes) or None
    return rest(found, len(expected), len(actual))


def _single(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    names: Names,
    rule_of: Callable[[str], Rule],
    found: Pairing,
) -> bool:
    """Pair the calls if every tool is called once on each side; return whether that is so."""
    places = {name: at for at, name in enumerate(names[1])}
    if len(places) < len(actual) or len(set(names[0])) < len(expected):
        return False
    for at, name in enumerate(names[0]):
        came = places.get(name)
        if came is None or name is None:
            continue
        wanted, call = expected[at], actual[came]
        if wanted.problem is None and call.problem is None and rule_of(name).accepts(wanted, call):
            found.pairs.append((came, at))
    return True


def rest(found: Pairing, expected: int, actual: int) -> Pairing:
    """Sort the pairs, and name the calls on either side that are in none."""
    found.pairs.sort(key=itemgetter(1))
    for side, size, left in ((1, expected, found.missing), (0, actual, found.unexpected)):
        taken = {pair[side] for pair in found.pairs}
        left += [at for at in range(size) if at not in taken]
    return found


def near_misses(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    pairing: Pairing,
    faults: Callable[[int, int], int],
    *,
    names: Names | None = None,
) -> list[tuple[int, int]]:
    """Pair what did not fit, within each tool, so that the least is wrong: to say what it is.

    Past `MAX_NEAR` possible pairs of one tool, so that the most arguments are equal.

    Args:
        expected: the calls that were wanted.
        actual: the calls that came.
        pairing: which of them fit.
        faults: how many things are wrong with a pair, by its actual and its expected index.
        names: of the tools, as in `pair_calls`.

    Returns:
        (actual index, expected index), sorted by the second.
    """
    found = []
    groups = by_tool(expected, actual, names, readable=False, within=(pairing.missing, pairing.unexpected))
    for wanted, came in groups.values():
        if len(wanted) == len(came) == 1:
            found.append((came[0], wanted[0]))
        elif wanted and came and len(wanted) * len(came) <= MAX_NEAR:
            rows, columns = by_content(expected, wanted), by_content(actual, came)
            weights = [[-faults(column, row) for column in columns] for row in rows]
            found += [(columns[right], rows[left]) for left, right in assign(weights)]
        elif wanted and came:
            near = align(
                [actual[at].args for at in came], [expected[at].args for at in wanted], "same_elements"
            )
            found += [(came[left], wanted[right]) for left, right in near.same + near.pairs]
    return sorted(found, key=itemgetter(1))


def is_readable(call: ToolCall) -> bool:
    """Whether a call can be equal to another one."""
    return call.name is not None and call.problem is None


def fitting_one_by_one(
    accepts: Callable[[ToolCall, ToolCall], bool], expected: Sequence[ToolCall], actual: Sequence[ToolCall]
) -> list[int]:
    """Ask about every pair of different arguments once; return which fit, as bits."""
    classes: dict[Hashable, list[int]] = {}
    for at, call in enumerate(actual):
        classes.setdefault(freeze(call.args), []).append(at)
    masks = [(actual[held[0]], sum([1 << at for at in held])) for held in classes.values()]
    known: dict[Hashable, int] = {}
    found = []
    for call in expected:
        mark = freeze(call.args)
        if mark not in known:
            known[mark] = sum([mask for other, mask in masks if accepts(call, other)])
        found.append(known[mark])
    return found


def transposed(rows: Sequence[int], size: int) -> list[int]:
    """Return a matrix of bits with its rows as columns; `size` is how many columns it has."""
    turned = [bytearray((len(rows) >> 3) + 1) for _ in range(size)]
    for at, mask in enumerate(rows):
        for column in bits(mask):
            turned[column][at >> 3] |= 1 << (at & 7)
    return [int.from_bytes(one, "little") for one in turned]


@dataclass(slots=True)
class _Group:
    """The calls of one tool, and the list that their pairs go to."""

    expected: Sequence[ToolCall]
    actual: Sequence[ToolCall]
    rule: Rule
    pairs: list[tuple[int, int]]
    note: str | None = None

    def pair(self, wanted: list[int], came: list[int]) -> None:
        classes = self.rule.mark(self.expected[wanted[0]]) is not ...
        if self.rule.equals_first:
            if not classes and self._all(wanted, came):
                return
            wanted, came = self._by_class(wanted, came, frozen_args, self.rule.mark)
        elif len(wanted) * len(came) > self.rule.most:
            self.note = f"{len(wanted):,} x {len(came):,} calls: equal ones went first"
            wanted, came = self._by_class(wanted, came, frozen_args, self._itself)
        if not wanted or not came:
            self.note = None if len(wanted) == len(came) else self.note
            return
        wanted, came = by_content(self.expected, wanted), by_content(self.actual, came)
        if classes:
            self._by_class(wanted, came, self.rule.mark, None)
            return
        blocks, note = in_blocks(wanted, came, self.rule.most)
        self.note = note or self.note
        for some, others in blocks:
            rows = self._fitting(some, others)
            self.pairs += [(others[column], some[row]) for row, column in maximum(rows)]

    def _itself(self, call: ToolCall) -> bool | None:
        """Whether equal arguments fit; None: they do not."""
        return self.rule.accepts(call, call) or None

    def _all(self, wanted: list[int], came: list[int]) -> bool:
        """Pair every call if that can be: no order has to say which are left, since none is."""
        if len(wanted) != len(came) or len(wanted) * len(came) > self.rule.most:
            return False
        pairs = maximum(self._fitting(wanted, came))
        if len(pairs) < len(wanted):
            return False
        self.pairs += [(came[column], wanted[row]) for row, column in pairs]
        return True

    def _fitting(self, wanted: Sequence[int], came: Sequence[int]) -> list[int]:
        return self.rule.fitting([self.expected[at] for at in wanted], [self.actual[at] for at in came])

    def _by_class(
        self,
        wanted: list[int],
        came: list[int],
        mark: Callable[[ToolCall], Hashable],
        fits: Callable[[ToolCall], Hashable] | None,
    ) -> tuple[list[int], list[int]]:
        return pair_alike(self.expected, self.actual, wanted, came, self.pairs, mark=mark, fits=fits)
