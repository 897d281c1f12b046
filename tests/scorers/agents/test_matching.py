"""The engine that pairs calls: as many as can be, whatever order they came in, and fast."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldwise.core.align import by_key
from fieldwise.core.equality import canonical
from fieldwise.scorers.agents import matching
from fieldwise.scorers.agents.calls import ToolCall
from fieldwise.scorers.agents.matching import ArgumentPolicy, near_misses, pair_calls
from fieldwise.scorers.agents.matching.bipartite import maximum
from fieldwise.scorers.agents.matching.containment import as_mask, features, holders, plain_holders, within
from fieldwise.scorers.agents.matching.grouping import in_blocks

VALUES = st.sampled_from([1, True, 2, "x", {"k": 1}, {"k": 1, "l": 2}, [1], [2]])
ATOMS = st.sampled_from([1, 1.0, True, False, 0, None, "x", float("inf")])
ARGS = st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=3)
CALLS = st.lists(st.builds(ToolCall, st.sampled_from(["s", "s", "t"]), ARGS), max_size=5)
POLICIES = {
    "exact": ArgumentPolicy(),
    "superset": ArgumentPolicy("superset"),
    "superset, deep": ArgumentPolicy("superset", deep=True),
    "subset": ArgumentPolicy("subset"),
    "subset, deep": ArgumentPolicy("subset", deep=True),
    "ignore": ArgumentPolicy("ignore"),
    "keys": ArgumentPolicy(keys=by_key("a", "b")),
    "matcher": ArgumentPolicy(matcher=lambda came, wanted: came.get("a") == wanted.get("a")),
}


def search(*made: dict[str, Any]) -> list[ToolCall]:
    return [ToolCall("s", args) for args in made]


def most(expected: list[ToolCall], actual: list[ToolCall], policy: ArgumentPolicy) -> int:
    """The most pairs there can be, by trying everything."""
    few, many = sorted([list(range(len(expected))), list(range(len(actual)))], key=len)
    swapped = len(few) == len(actual) and len(few) != len(expected)
    best = 0
    for chosen in permutations(many, len(few)):
        pairs = [(b, a) if swapped else (a, b) for a, b in zip(few, chosen, strict=True)]
        fit = [
            expected[e].name == actual[a].name and policy.accepts(expected[e], actual[a]) for e, a in pairs
        ]
        best = max(best, sum(fit))
    return best


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@given(expected=CALLS, actual=CALLS, chance=st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_as_many_pair_as_can_and_order_does_not_matter(
    policy: ArgumentPolicy, expected: list[ToolCall], actual: list[ToolCall], chance: random.Random
) -> None:
    found = pair_calls(expected, actual, lambda _: policy)
    assert len(found.pairs) == most(expected, actual, policy)
    for came, wanted in found.pairs:
        assert expected[wanted].name == actual[came].name
        assert policy.accepts(expected[wanted], actual[came])
    assert sorted([*found.missing, *(wanted for _, wanted in found.pairs)]) == list(range(len(expected)))
    assert sorted([*found.unexpected, *(came for came, _ in found.pairs)]) == list(range(len(actual)))
    shuffled = chance.sample(actual, len(actual))
    again = pair_calls(expected, shuffled, lambda _: policy)
    assert _held(expected, found.missing) == _held(expected, again.missing)
    assert _held(actual, found.unexpected) == _held(shuffled, again.unexpected)


def _held(calls: list[ToolCall], indices: list[int]) -> Counter[str]:
    """What is in some calls: equal ones stand for each other."""
    return Counter(canonical(calls[at].args) for at in indices)


def test_t23_a_valid_assignment_that_greedy_pairing_misses_is_found() -> None:
    actual, expected = search({"q": "x", "n": 5}, {"q": "x"}), search({"q": "x"}, {"q": "x", "n": 5})
    for came in (actual, actual[::-1]):
        assert len(pair_calls(expected, came, lambda _: ArgumentPolicy("superset")).pairs) == 2


def test_what_cannot_be_read_or_has_no_name_pairs_with_nothing() -> None:
    calls = [ToolCall("s", {}, problem="malformed arguments"), ToolCall(None)]
    for policy in POLICIES.values():
        found = pair_calls(calls, calls, lambda _, policy=policy: policy)  # type: ignore[misc]
        assert (found.pairs, found.missing, found.unexpected) == ([], [0, 1], [0, 1])


def test_names_may_be_others_than_the_calls_own() -> None:
    expected, actual = [ToolCall("Get Weather")], [ToolCall("get_weather")]
    named = pair_calls(expected, actual, lambda _: ArgumentPolicy(), names=(["w"], ["w"]))
    assert (named.pairs, pair_calls(expected, actual, lambda _: ArgumentPolicy()).pairs) == ([(0, 0)], [])


def test_what_did_not_fit_is_set_beside_the_nearest_call_of_its_tool() -> None:
    expected = search({"a": 1, "b": 2}, {"a": 5, "b": 6})
    actual = search({"a": 5, "b": 7}, {"a": 1, "b": 3})
    found = pair_calls(expected, actual, lambda _: ArgumentPolicy())

    def differing(came: int, wanted: int) -> int:
        args = actual[came].args
        return sum(args[name] != value for name, value in expected[wanted].args.items())

    assert near_misses(expected, actual, found, differing) == [(1, 0), (0, 1)]


def test_a_callable_is_asked_once_about_equal_arguments() -> None:
    asked: list[tuple[Any, Any]] = []

    def same(came: dict[str, Any], wanted: dict[str, Any]) -> bool:
        asked.append((came, wanted))
        return True

    calls = search({"q": 1}, {"q": 1}, {"q": 2})
    assert len(pair_calls(calls, calls, lambda _: ArgumentPolicy(matcher=same)).pairs) == 3
    assert len(asked) == 4


def test_past_a_size_calls_pair_in_blocks_and_the_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MAX_CELLS", 50)
    expected, actual = (
        search(*({"q": at} for at in range(10))),
        search(*({"q": at, "n": 1} for at in range(10))),
    )
    found = pair_calls(expected, actual, lambda _: ArgumentPolicy("superset"))
    assert found.note == "s: 10 x 10 calls: paired in 2 blocks of the order of their arguments"
    assert len(found.pairs) == 10


def test_blocks_cover_both_sides_and_hold_no_more_than_was_asked_for() -> None:
    blocks, note = in_blocks(list(range(7)), list(range(12)), 30)
    assert note is not None
    assert [at for wanted, _ in blocks for at in wanted] == list(range(7))
    assert [at for _, came in blocks for at in came] == list(range(12))
    assert sum(len(wanted) * len(came) for wanted, came in blocks) <= 30


@given(st.lists(st.integers(0, 63), max_size=6))
def test_the_most_pairs_are_found(rows: list[int]) -> None:
    pairs = maximum(rows)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert all(rows[row] >> column & 1 for row, column in pairs)
    free = [[column for column in range(6) if mask >> column & 1] for mask in rows]
    assert len(pairs) == _most(free, 0, frozenset())


def _most(free: list[list[int]], row: int, taken: frozenset[int]) -> int:
    """The most rows from here on that can have a column each."""
    if row == len(free):
        return 0
    best = _most(free, row + 1, taken)
    for column in free[row]:
        if column not in taken:
            best = max(best, 1 + _most(free, row + 1, taken | {column}))
    return best


def test_long_chains_of_exchanges_are_followed() -> None:
    """Row 0 takes what every later row needs: each pair has to move on by one."""
    size = 300
    rows = [0b1 if at == size - 1 else 0b11 << at for at in range(size - 1)] + [0b1]
    assert len(maximum(rows)) == size


@given(st.lists(ARGS, max_size=20), st.lists(ARGS, max_size=20), st.booleans())
def test_an_index_finds_what_lies_within_what(
    inner: list[dict[str, Any]], outer: list[dict[str, Any]], deep: bool
) -> None:
    small, large = ([features(one, deep=deep) for one in side] for side in (inner, outer))
    found = holders(small, large)
    assert found == [
        as_mask([at for at, one in enumerate(large) if some <= one], len(large)) for some in small
    ]


@given(st.lists(st.dictionaries(st.sampled_from("ab"), ATOMS), max_size=20), st.lists(ARGS, max_size=30))
def test_of_atoms_an_index_without_features_finds_the_same(
    inner: list[dict[str, Any]], outer: list[dict[str, Any]]
) -> None:
    for deep in (False, True):
        small, large = ([features(one, deep=deep) for one in side] for side in (inner, outer))
        assert plain_holders(inner, outer) == holders(small, large)


def test_an_index_without_features_is_for_atoms() -> None:
    assert plain_holders([{"a": 1}, {"a": [1]}], [{"a": [1]}]) is None
    many = [{"a": at % 2} for at in range(40)]
    assert plain_holders([{"a": 1}, {}], many) == [as_mask(range(1, 40, 2), 40), (1 << 40) - 1]


@pytest.mark.parametrize(
    ("inner", "outer", "lies_within"),
    [
        ({}, {"a": 1}, True),
        ({"a": {}}, {"a": {"b": 1}}, True),
        ({"a": {}}, {"a": 1}, False),
        ({"a": {}}, {"a": []}, False),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, True),
        ({"a": [1]}, {"a": [1, 2]}, False),
        ({"a": []}, {"a": [1]}, False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": None}, {}, False),
        ({"a": {"b": None}}, {"a": {"b": None, "c": 1}}, True),
    ],
)
def test_what_lies_within_what(inner: Any, outer: Any, lies_within: bool) -> None:
    assert within(inner, outer) is lies_within


def test_depth_is_no_limit() -> None:
    deep: Any = 1
    for _ in range(5_000):
        deep = {"k": deep}
    call = [ToolCall("s", {"a": deep}), ToolCall("s", {"a": deep, "b": 1})]
    for mode in ("exact", "superset", "subset"):
        found = pair_calls(call, call[::-1], lambda _, mode=mode: ArgumentPolicy(mode, deep=True))  # type: ignore[misc]
        assert len(found.pairs) == 2


@pytest.mark.parametrize("repeated", [False, True], ids=["distinct names", "one name"])
def test_a_thousand_calls_are_paired_without_comparing_each_with_each(repeated: bool) -> None:
    def seconds(size: int) -> float:
        names = ["s" if repeated else f"t{at}" for at in range(size)]
        expected = [ToolCall(name, {"q": at}) for at, name in enumerate(names)]
        actual = [ToolCall(name, {"q": at, "n": 5}) for at, name in enumerate(names)]
        random.Random(1).shuffle(actual)  # noqa: S311 - no secret
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            assert len(pair_calls(expected, actual, lambda _: ArgumentPolicy("superset")).pairs) == size
            best = min(best, time.process_time() - start)
        return best

    assert seconds(4_000) < 10  # 16 million comparisons would take longer
