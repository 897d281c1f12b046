"""The longest common subsequence of two sequences of groups, whose members have no order.

A sequence of groups stands for every sequence that lists its groups in order, and each group in any order.
The result is the longest common subsequence of the best two of those.

How it works. A common subsequence is a walk over the grid of expected and actual groups that starts at
their first ones, goes on by one group of either side at a time, and takes in each cell what the two groups
have in common. Taking all of it is never worse: the next step leaves one of the two for good.

1. While one of the two groups is used up, the next step is given. So what both sides begin with, and what
   they end with, is taken without a choice, and two equal sequences entirely (`_forced`).
2. If no group is left that has several members it is the ordinary problem, and RapidFuzz solves it.
3. Else walks matter only where two groups have something in common. Row by row, into such a cell leads the
   best walk that ended above and left of it, those of the cell before it in its row, with what they left of
   the row's group, and those of the cell before it in its column. A walk that lags another by no less than
   what more it has left cannot catch up, and is dropped (`_leading`).
4. That is bounded. Past `MOST_WORK` the groups are taken in sorted order, and `bounded` says that the length
   is of a common subsequence, and maybe not of the longest.

Nothing depends on the order within a group: their members are sorted first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Bag: TypeAlias = "tuple[int, ...]"
Group: TypeAlias = "tuple[int, Bag]"
Groups: TypeAlias = "Sequence[Sequence[str | None]]"
Step: TypeAlias = "tuple[int, int, Bag]"

MOST_WORK: Final = 8_000_000
"""How many members of groups are looked at, over all pairs of walks: about two seconds."""
MOST_LISTED: Final = 400_000_000
"""Where the sequences make more cells only the length is found: memory would grow with them."""


@dataclass(frozen=True, slots=True)
class Common:
    """A longest common subsequence.

    Attributes:
        length: its length.
        pairs: where its members stand, counted over the groups, (expected, actual), in order; None where
            the sequences are too long to say.
        bounded: whether there may be a longer one.
    """

    length: int
    pairs: tuple[tuple[int, int], ...] | None
    bounded: bool = False


def longest_common(expected: Groups, actual: Groups) -> Common:
    """Find a longest common subsequence.

    Args:
        expected: groups of members; None is a member that equals no other.
        actual: the same.

    >>> longest_common([["a"], ["b", "c"]], [["a"], ["c"], ["b"]]).length
    3
    >>> longest_common([["a"], ["b"], ["c"]], [["a"], ["c"], ["b"]]).pairs
    ((0, 0), (1, 2))
    """
    wanted, came = _numbered(expected, actual)
    start, rows, columns = _forced(wanted.groups, came.groups)
    end, rows, columns = _forced(rows[::-1], columns[::-1])
    middle = _between(rows[::-1], columns[::-1])
    length = sum(len(taken) for *_, taken in start + end) + middle.length
    steps = None if middle.steps is None else [*start, *middle.steps, *reversed(end)]
    return Common(length, None if steps is None else _pairs(steps, wanted, came), middle.bounded)


class _Found(NamedTuple):
    """What was found between what both sides begin and end with; as in `Common`, with steps for pairs."""

    length: int
    steps: list[Step] | None
    bounded: bool = False


class _Walk(NamedTuple):
    """A walk: its length, the last cell it took something in, what it took there, and the walk up to it."""

    length: int
    row: int
    column: int
    taken: Bag
    before: _Walk | None


_START: Final = _Walk(0, 0, 0, (), None)


class _Side:
    """One side: its groups, with a number for each member, sorted, and where each member stands."""

    __slots__ = ("groups", "places")

    def __init__(self, groups: Groups, numbers: Mapping[str | None, int], strange: Iterator[int]) -> None:
        self.groups: list[Group] = []
        self.places: defaultdict[tuple[int, int], deque[int]] = defaultdict(deque)
        positions = count()
        for at, group in enumerate(groups):
            bag = [numbers[one] if one in numbers else next(strange) for one in group]
            for one in bag:
                self.places[at, one].append(next(positions))
            if bag:
                self.groups.append((at, tuple(sorted(bag))))


def _numbered(expected: Groups, actual: Groups) -> tuple[_Side, _Side]:
    """Both sides; a member that is not expected has a number that occurs once."""
    texts = sorted({one for group in expected for one in group if one is not None})
    numbers: dict[str | None, int] = {text: at for at, text in enumerate(texts)}
    strange = count(len(numbers))
    return _Side(expected, numbers, strange), _Side(actual, numbers, strange)


def _forced(rows: list[Group], columns: list[Group]) -> tuple[list[Step], list[Group], list[Group]]:
    """The steps from the first cell that need no choice, and what they leave of both sides."""
    rows, columns = rows.copy(), columns.copy()
    steps: list[Step] = []
    i = j = 0
    while i < len(rows) and j < len(columns):
        (row, left), (column, right) = rows[i], columns[j]
        taken, left, right = _split(left, right)
        rows[i], columns[j] = (row, left), (column, right)
        if taken:
            steps.append((row, column, taken))
        if left and right:
            break
        i, j = i + (not left), j + (not right)
    return steps, rows[i:], columns[j:]


def _between(rows: list[Group], columns: list[Group]) -> _Found:
    """A longest common subsequence where a choice is to be made."""
    if not rows or not columns:
        return _Found(0, [])
    if all(len(bag) == 1 for side in (rows, columns) for _, bag in side):
        return _plain(rows, columns)
    return _grouped(rows, columns) or _plain(_singles(rows), _singles(columns))._replace(bounded=True)


def _singles(groups: list[Group]) -> list[Group]:
    return [(at, (one,)) for at, bag in groups for one in bag]


def _plain(rows: list[Group], columns: list[Group]) -> _Found:
    """The ordinary problem."""
    from rapidfuzz.distance import LCSseq

    left, right = [bag[0] for _, bag in rows], [bag[0] for _, bag in columns]
    if len(left) * len(right) > MOST_LISTED:
        return _Found(int(LCSseq.similarity(left, right)), None)
    steps: list[Step] = []
    for a, b, size in LCSseq.editops(left, right).as_matching_blocks():
        steps += [(rows[a + k][0], columns[b + k][0], rows[a + k][1]) for k in range(size)]
    return _Found(len(steps), steps)


def _grouped(rows: list[Group], columns: list[Group]) -> _Found | None:
    """The problem with groups; None where it is too much work."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for at, (_, bag) in enumerate(columns):
        for one in set(bag):
            holders[one].append(at)
    best, work = _Best(), 0
    down: defaultdict[int, list[tuple[_Walk, Bag]]] = defaultdict(list)
    for row, bag in rows:
        across: list[tuple[_Walk, Bag]] = []
        ended: list[tuple[int, _Walk]] = []
        for at in sorted({at for one in set(bag) for at in holders[one]}):
            column, other = columns[at]
            arriving = [(best.before(at), bag, other)]
            arriving += [(walk, left, other) for walk, left in across]
            arriving += [(walk, bag, left) for walk, left in down[at]]
            work += len(arriving) ** 2 * (len(bag) + len(other))
            if work > MOST_WORK:
                return None
            leaving = [_stepped(walk, row, column, left, right) for walk, left, right in arriving]
            across = _leading([(walk, left) for walk, left, _ in leaving])
            down[at] = _leading([(walk, left) for walk, _, left in leaving])
            ended.append((at, max([walk for walk, *_ in leaving], key=_length)))
        best.add(ended)
    return _Found(best.longest.length, _steps(best.longest))


def _stepped(walk: _Walk, row: int, column: int, left: Bag, right: Bag) -> tuple[_Walk, Bag, Bag]:
    """A walk after a cell, and what it leaves of both groups."""
    taken, left, right = _split(left, right)
    on = _Walk(walk.length + len(taken), row, column, taken, walk) if taken else walk
    return on, left, right


def _length(walk: _Walk) -> int:
    return walk.length


def _leading(walks: list[tuple[_Walk, Bag]]) -> list[tuple[_Walk, Bag]]:
    """The walks that may yet win, of those with something left of a group."""
    walks.sort(key=lambda one: (-one[0].length, -len(one[1]), one[1]))
    kept: list[tuple[_Walk, Bag]] = []
    for walk, left in walks:
        if left and not any(
            ahead.length - walk.length >= len(_split(left, other)[1]) for ahead, other in kept
        ):
            kept.append((walk, left))
    return kept


class _Best:
    """Of the walks through the rows above, the longest that ends left of a column."""

    __slots__ = ("_ends", "_walks")

    def __init__(self) -> None:
        self._ends: list[int] = []  # at n: the first column in which a walk longer than n ends
        self._walks: list[_Walk] = []

    @property
    def longest(self) -> _Walk:
        return self._walks[-1] if self._walks else _START

    def before(self, column: int) -> _Walk:
        at = bisect_left(self._ends, column)
        return self._walks[at - 1] if at else _START

    def add(self, ended: list[tuple[int, _Walk]]) -> None:
        """Take in the walks of one more row."""
        for column, walk in ended:
            at = min(walk.length, len(self._ends))
            while at and self._ends[at - 1] > column:
                at -= 1
                self._ends[at], self._walks[at] = column, walk
            more = walk.length - len(self._ends)
            self._ends += [column] * more
            self._walks += [walk] * more


def _pairs(steps: list[Step], wanted: _Side, came: _Side) -> tuple[tuple[int, int], ...]:
    """Where the members that were taken stand; the first of several that are alike."""
    pairs = []
    for row, column, taken in steps:
        here = [(wanted.places[row, one].popleft(), came.places[column, one].popleft()) for one in taken]
        pairs += sorted(here)
    return tuple(pairs)


def _steps(walk: _Walk) -> list[Step]:
    steps: list[Step] = []
    here: _Walk | None = walk
    while here is not None and here.before is not None:
        steps.append((here.row, here.column, here.taken))
        here = here.before
    return steps[::-1]


def _split(left: Bag, right: Bag) -> tuple[Bag, Bag, Bag]:
    """What two sorted bags have in common, and what each has more."""
    if len(left) == 1:
        both, more, rest = _picked(right, left)
        return both, rest, more
    if len(right) == 1:
        return _picked(left, right)
    taken: list[int] = []
    rests: tuple[list[int], list[int]] = ([], [])
    i = j = 0
    while i < len(left) and j < len(right):
        a, b = left[i], right[j]
        if a == b:
            taken.append(a)
        elif a < b:
            rests[0].append(a)
        else:
            rests[1].append(b)
        i, j = i + (a <= b), j + (b <= a)
    return tuple(taken), (*rests[0], *left[i:]), (*rests[1], *right[j:])


def _picked(bag: Bag, one: Bag) -> tuple[Bag, Bag, Bag]:
    """`_split` of a bag and a bag of one."""
    at = bisect_left(bag, one[0])
    if at == len(bag) or bag[at] != one[0]:
        return (), bag, one
    return one, bag[:at] + bag[at + 1 :], ()
