"""The longest common subsequence of groups, against every order of every group."""

from __future__ import annotations

import itertools
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.scorers.agents.ordering import lcs
from fieldwise.scorers.agents.ordering.lcs import longest_common

Groups = list[list[str]]

groups = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), max_size=4).filter(
    lambda some: sum(map(len, some)) <= 7
)


def orders(some: Groups) -> set[tuple[str, ...]]:
    """Every sequence that the groups stand for."""
    each = [set(itertools.permutations(group)) for group in some]
    return {tuple(itertools.chain(*one)) for one in itertools.product(*each)}


def plain(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    row = [0] * (len(right) + 1)
    for one in left:
        above, row = row, [0]
        for at, other in enumerate(right):
            row.append(above[at] + 1 if one == other else max(above[at + 1], row[at]))
    return row[-1]


def check_pairs(expected: Groups, actual: Groups, pairs: tuple[tuple[int, int], ...]) -> None:
    """The pairs are of equal members, one to one, and never go back by a group."""
    sides = [[(at, one) for at, group in enumerate(side) for one in group] for side in (expected, actual)]
    met = [(sides[0][one], sides[1][other]) for one, other in pairs]
    assert all(left[1] == right[1] for left, right in met)
    assert len({one for one, _ in pairs}) == len(pairs) == len({other for _, other in pairs})
    steps = [(left[0], right[0]) for left, right in met]
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in itertools.pairwise(steps))


@given(groups, groups)
def test_it_is_the_longest_of_all_orders(expected: Groups, actual: Groups) -> None:
    right = max(plain(left, other) for left in orders(expected) for other in orders(actual))
    found = longest_common(expected, actual)
    assert found.pairs is not None
    assert (found.length, len(found.pairs), found.bounded) == (right, right, False)
    check_pairs(expected, actual, found.pairs)


@given(groups, groups, st.randoms(use_true_random=False))
def test_the_order_within_a_group_changes_nothing(
    expected: Groups, actual: Groups, chance: random.Random
) -> None:
    shuffled = [chance.sample(group, len(group)) for group in actual]
    assert longest_common(expected, actual).length == longest_common(expected, shuffled).length


@given(groups)
def test_a_sequence_has_all_of_itself_in_common(one: Groups) -> None:
    found = longest_common(one, one)
    assert (found.length, found.bounded) == (sum(map(len, one)), False)


def test_what_has_no_name_equals_nothing() -> None:
    assert longest_common([[None], ["a", None]], [[None, "a"], [None]]).length == 1


def some(calls: int, at_once: int, names: int, seed: int = 0) -> Groups:
    chance = random.Random(seed)  # noqa: S311 - data
    made: Groups = []
    while calls > 0:
        made.append([f"t{chance.randrange(names)}" for _ in range(min(calls, chance.randint(1, at_once)))])
        calls -= len(made[-1])
    return made


def test_a_bound_shows_and_gives_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, actual = some(60, 3, 4), some(60, 3, 4, seed=1)
    exact = longest_common(expected, actual)
    monkeypatch.setattr(lcs, "MOST_WORK", 100)
    found = longest_common(expected, actual)
    assert (exact.bounded, found.bounded) == (False, True)
    assert found.pairs is not None
    assert len(found.pairs) == found.length
    assert 0 < found.length <= exact.length
    check_pairs(expected, actual, found.pairs)
    assert longest_common(expected, [group[::-1] for group in actual]).length == found.length
    same = longest_common(expected, [group[::-1] for group in expected])
    assert (same.length, same.bounded) == (60, False)


def test_a_sequence_that_is_too_long_has_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, actual = some(60, 1, 4), some(60, 1, 4, seed=1)
    exact = longest_common(expected, actual)
    monkeypatch.setattr(lcs, "MOST_LISTED", 100)
    found = longest_common(expected, actual)
    assert (found.length, found.pairs, found.bounded) == (exact.length, None, False)


@pytest.mark.parametrize(
    ("expected", "actual", "seconds"),
    [
        pytest.param(some(1_000, 1, 5), some(1_000, 1, 5, seed=1), 0.5, id="one by one"),
        pytest.param(some(1_000, 3, 1_000), some(1_000, 3, 1_000, seed=1), 1, id="distinct names at once"),
        pytest.param(some(300, 3, 5), some(300, 3, 5, seed=1), 5, id="few names at once"),
        pytest.param(
            [[f"t{at}" for at in range(1_000)]], [[f"t{at}" for at in range(999)]], 0.5, id="one decision"
        ),
        pytest.param([["a"]] * 1_000 + [["a"] * 2], [["b"]] + [["a"]] * 1_000, 0.5, id="one name"),
    ],
)
def test_it_takes_no_long(expected: Groups, actual: Groups, seconds: float) -> None:
    longest_common([["a"], ["b"]], [["b"], ["a"]])  # imports what it needs
    start = time.process_time()
    assert not longest_common(expected, actual).bounded
    assert time.process_time() - start < 10 * seconds  # it ends: `make bench` measures
