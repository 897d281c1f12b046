"""Pairing: the optimum against brute force, contents not positions, every kind of element, bounds."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.align import Alignment, align, by_key
from fieldwise.core.equality import canonical, equal
from fieldwise.core.values import NAN
from fieldwise.errors import ConfigError, PathError
from tests.core.documents import VALUES, mixed_copy, nested_lists, nested_objects

CELLS = st.sampled_from([0, 1, 1.0, True, False, None, "a", "b", NAN, [1], {"x": 1}])
FLAT = st.dictionaries(st.sampled_from("abc"), st.sampled_from([0, 1, True, "a", NAN]), max_size=3)
TABLES = st.fixed_dictionaries(
    {"a": st.integers(0, 2), "b": st.integers(0, 2), "c": st.booleans() | st.integers(0, 1)}
)
NESTED = st.fixed_dictionaries({"a": FLAT, "b": CELLS})
ELEMENTS = st.one_of(CELLS, FLAT, NESTED)
LISTS = st.one_of(
    st.lists(CELLS, max_size=5),
    st.lists(TABLES, max_size=5),
    st.lists(FLAT, max_size=5),
    st.lists(ELEMENTS, max_size=5),
)


def hits(left: Any, right: Any) -> int:
    """The fields two elements have in common, counted the slow and obvious way."""
    if not isinstance(left, dict) or not isinstance(right, dict):
        return int(equal(left, right))
    if not left or not right:
        return int(left == right)
    return sum(name in right and equal(value, right[name]) for name, value in left.items())


def total(actual: Any, expected: Any, found: Alignment) -> int:
    return sum(hits(actual[came], expected[at]) for came, at in found.same + found.pairs)


def brute_force(actual: Any, expected: Any) -> int:
    few, many = sorted((actual, expected), key=len)
    return max(
        (sum(map(hits, few, some)) for some in permutations(many, len(few))),
        default=0,
    )


def check_is_pairing(actual: Any, expected: Any, found: Alignment) -> None:
    pairs = found.same + found.pairs
    assert sorted([came for came, _ in pairs] + found.invented) == list(range(len(actual)))
    assert sorted([at for _, at in pairs] + found.missing) == list(range(len(expected)))
    assert len(pairs) == min(len(actual), len(expected))
    assert all(equal(actual[came], expected[at]) for came, at in found.same)
    assert not any(equal(actual[came], expected[at]) for came, at in found.pairs)


def contents(actual: Any, expected: Any, found: Alignment) -> tuple[Counter[Any], ...]:
    """The pairing as contents, without positions."""
    pairs = found.same + found.pairs
    return (
        Counter((canonical(actual[came]), canonical(expected[at])) for came, at in pairs),
        Counter(canonical(actual[came]) for came in found.invented),
        Counter(canonical(expected[at]) for at in found.missing),
    )


@given(LISTS, LISTS)
def test_reaches_the_best_of_all_pairings(actual: Any, expected: Any) -> None:
    found = align(actual, expected, "same_elements")
    check_is_pairing(actual, expected, found)
    assert total(actual, expected, found) == brute_force(actual, expected)
    assert found.note is None


@given(LISTS, st.randoms(use_true_random=False))
def test_a_shuffled_copy_is_all_the_same(elements: Any, draw: random.Random) -> None:
    other = [mixed_copy(one) for one in elements]
    draw.shuffle(other)
    found = align(other, elements, "same_elements")
    assert (len(found.same), found.pairs, found.missing, found.invented) == (len(elements), [], [], [])


@given(LISTS, LISTS, st.randoms(use_true_random=False), st.booleans())
def test_positions_decide_nothing(actual: Any, expected: Any, draw: random.Random, deep: bool) -> None:
    before = contents(actual, expected, align(actual, expected, "same_elements", deep=deep))
    came, wanted = [mixed_copy(one) for one in actual], list(expected)
    draw.shuffle(came)
    draw.shuffle(wanted)
    assert contents(came, wanted, align(came, wanted, "same_elements", deep=deep)) == before


@pytest.mark.parametrize("mode", ["same_elements", "subset", "superset"])
def test_the_unordered_modes_pair_alike(mode: Any) -> None:
    found = align([1, 2, 3], [3, 1], mode)
    assert found == Alignment(same=[(0, 1), (2, 0)], invented=[1])


@pytest.mark.parametrize(
    ("actual", "expected", "found"),
    [
        ([], [], Alignment()),
        ([], [1], Alignment(missing=[0])),
        ([1], [], Alignment(invented=[0])),
        ([1, 2], [3], Alignment(pairs=[(0, 0)], invented=[1])),
        ([1], [1, 2], Alignment(pairs=[(0, 0)], missing=[1])),
        ([1, 2], [1, 2], Alignment(pairs=[(0, 0), (1, 1)])),
    ],
)
def test_ordered_pairs_by_index(actual: Any, expected: Any, found: Alignment) -> None:
    assert align(actual, expected, "ordered") == found


KINDS: list[tuple[str, Any, Any, int]] = [
    ("true is not 1", [True], [1], 0),
    ("1 is 1.0", [1], [1.0], 1),
    ("true and 1 in a column", [{"a": True}, {"a": 1}], [{"a": 1}, {"a": True}], 2),
    ("true is not 1 in a column", [{"a": True}], [{"a": 1}], 0),
    ("NaN", [NAN, {"a": NAN}], [{"a": NAN}, NAN], 2),
    ("NaN in an unequal row", [{"a": NAN, "b": 1}], [{"a": NAN, "b": 2}], 0),
    ("text is no number", ["1"], [1], 0),
    ("null", [None, {}], [{}, None], 2),
    ("empty containers differ", [[], {}, ""], ["", [], {}], 3),
    ("duplicates", [1, 1, 1], [1, 1, 2], 2),
    ("another order of members", [{"a": 1, "b": [2]}], [{"b": [2], "a": 1}], 1),
    ("mixed kinds", [1, "a", [1], {"a": 1}], [{"a": 1}, [1], "a", 1], 4),
]


@pytest.mark.parametrize(("actual", "expected", "same"), [pytest.param(*row[1:], id=row[0]) for row in KINDS])
def test_equal_elements_of_any_kind_pair_first(actual: Any, expected: Any, same: int) -> None:
    found = align(actual, expected, "same_elements")
    check_is_pairing(actual, expected, found)
    assert len(found.same) == same


def test_equal_fields_pair_before_names_in_common() -> None:
    actual: Any = [{"a": 1, "b": 2, "c": 3}, {"a": 9}]
    expected: Any = [{"a": 8, "b": 7, "c": 6}, {"a": 1, "x": 0}]
    assert sorted(align(actual, expected, "same_elements").pairs) == [(0, 1), (1, 0)]


def test_names_in_common_settle_a_tie() -> None:
    actual: Any = [{"x": 1, "y": 1}, {"z": 1}]
    expected: Any = [{"z": 2}, {"x": 2, "y": 2}]
    assert sorted(align(actual, expected, "same_elements").pairs) == [(0, 1), (1, 0)]


def test_deep_counts_leaves_of_objects() -> None:
    actual: Any = [{"a": {"x": 1, "y": 2, "z": 3}, "b": 1}]
    expected: Any = [{"a": {"x": 9, "y": 9, "z": 9}, "b": 1}, {"a": {"x": 1, "y": 2, "z": 9}, "b": 2}]
    assert align(actual, expected, "same_elements").pairs == [(0, 0)]
    assert align(actual, expected, "same_elements", deep=True).pairs == [(0, 1)]


def test_grades_count_in_place_of_the_members_they_grade() -> None:
    actual: Any = [{"a": 1, "t": "x"}]
    expected: Any = [{"a": 1, "t": "p"}, {"a": 2, "t": "q"}]
    assert align(actual, expected, "same_elements").pairs == [(0, 0)]

    def grade(came: Any, wanted: Any) -> list[list[float]]:
        return [[5.0 if right["t"] == "q" else 0.0 for right in wanted] for _ in came]

    assert align(actual, expected, "same_elements", grade=grade, graded=frozenset("t")).pairs == [(0, 1)]
    tied = align(actual, expected, "same_elements", grade=lambda a, e: [[0.0, 0.5]], graded=frozenset("at"))
    assert tied.pairs == [(0, 1)]


# ------------------------------------------------------------------------------------------ by key


BY_CONTENT = "no element has what by_key('k') names, so they were paired by content"


@pytest.mark.parametrize(
    ("keys", "actual", "expected", "found"),
    [
        (["k"], [{"k": 2}, {"k": 1}], [{"k": 1, "v": 1}, {"k": 2}], Alignment(pairs=[(0, 1), (1, 0)])),
        (["k"], [{"k": 1}], [{"k": 2}], Alignment(missing=[0], invented=[0])),
        (["k"], [{"v": 1}, 5], [{"v": 1}], Alignment(pairs=[(0, 0)], invented=[1], note=BY_CONTENT)),
        (["k"], [{"v": 1}], [{"v": 2}], Alignment(pairs=[(0, 0)], note=BY_CONTENT)),
        (["k"], [{"v": 1}], [], Alignment(invented=[0])),
        (["k"], [{"k": True}], [{"k": 1}], Alignment(missing=[0], invented=[0])),
        (["a", "b"], [{"a": 1, "b": 2}], [{"a": 1.0, "b": 2}, 7], Alignment(pairs=[(0, 0)], missing=[1])),
        (["a.b"], [{"a": {"b": 1}}], [{"a.b": 1}], Alignment(pairs=[(0, 0)])),
        (["k"], [{"k": 1, "v": 1}, {"k": 1}], [{"k": 1}], Alignment(pairs=[(1, 0)], invented=[0])),
    ],
)  # fmt: skip
def test_by_key(keys: list[str], actual: Any, expected: Any, found: Alignment) -> None:
    result = align(actual, expected, by_key(*keys))
    result.pairs.sort()
    assert result == found


def test_by_key_is_checked_when_it_is_made() -> None:
    with pytest.raises(ConfigError, match=r"^by_key\(\): name at least one key, by_key\('id'\)$"):
        by_key()
    with pytest.raises(PathError):
        by_key("a..b")
    assert str(by_key("sku", "a.b")) == "by_key('sku', 'a.b')"


# ------------------------------------------------------------------------------------------ bounds


@pytest.mark.parametrize("bound", [1, 4, 9, 20])
@given(actual=LISTS, expected=LISTS)
def test_blocks_are_a_pairing_and_say_so(bound: int, actual: Any, expected: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fieldwise.core.align.pairing.MAX_CELLS", bound)
        found = align(actual, expected, "same_elements")
        again = align(list(reversed(actual)), list(reversed(expected)), "same_elements")
    pairs = found.same + found.pairs
    assert len({came for came, _ in pairs}) == len({at for _, at in pairs}) == len(pairs)
    assert sorted([came for came, _ in pairs] + found.invented) == list(range(len(actual)))
    assert sorted([at for _, at in pairs] + found.missing) == list(range(len(expected)))
    assert total(actual, expected, found) <= brute_force(actual, expected)
    assert (found.note is None) == (again.note is None)
    if found.note is None:
        assert total(actual, expected, found) == brute_force(actual, expected)
    else:
        assert found.note.endswith(" blocks of canonical order")


def test_blocks_still_pair_everything_of_two_equal_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.core.align.pairing.MAX_CELLS", 100)
    actual: Any = [{"k": 0, "v": number} for number in range(50)]
    expected: Any = [{"k": 0, "v": -number - 1} for number in range(50)]
    found = align(actual, expected, "same_elements")
    check_is_pairing(actual, expected, found)
    assert found.note == "50 x 50 unequal elements: paired in 6 blocks of canonical order"


def test_long_lists_with_one_wrong_field_each_pair_at_once() -> None:
    draw = random.Random(7)  # noqa: S311 - seeded
    expected: Any = [{"id": number, "a": number % 7, "b": f"n{number}", "c": 1.5} for number in range(2_000)]
    actual: Any = [{**row, "a": -1} for row in expected]
    draw.shuffle(actual)
    start = time.process_time()
    found = align(actual, expected, "same_elements")
    assert time.process_time() - start < 2
    assert all(actual[came]["id"] == expected[at]["id"] for came, at in found.pairs)
    assert len(found.pairs) == 2_000


@pytest.mark.parametrize("build", [nested_lists, nested_objects], ids=["lists", "objects"])
@pytest.mark.parametrize("deep", [False, True])
def test_deep_elements_pair(build: Any, deep: bool) -> None:
    start = time.process_time()
    found = align(
        [build(2_000, leaf=1), build(2_000)], [build(2_000), build(2_000, leaf=2)], "same_elements", deep=deep
    )
    assert found == Alignment(same=[(1, 0)], pairs=[(0, 1)])
    assert time.process_time() - start < 5


@given(st.lists(VALUES, max_size=4), st.lists(VALUES, max_size=4), st.booleans())
def test_any_values_pair(actual: Any, expected: Any, deep: bool) -> None:
    found = align(actual, expected, "same_elements", deep=deep)
    check_is_pairing(actual, expected, found)
    assert total(actual, expected, found) == brute_force(actual, expected) or deep


def test_elements_without_the_key_pair_among_themselves_by_content() -> None:
    found = align([{"n": 1, "m": 2}, {"n": 9, "m": 8}], [{"n": 9, "m": 7}, {"n": 1, "m": 3}], by_key("id"))
    assert sorted(found.pairs) == [(0, 1), (1, 0)]
    assert align([5, 5], [5, 5], by_key("id")).missing == []


def test_two_lists_with_nothing_in_common_are_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.core.align.pairing.assign", lambda _: pytest.fail("solved"))
    assert align([3, 1], [4, 2], "same_elements").pairs == [(1, 1), (0, 0)]
