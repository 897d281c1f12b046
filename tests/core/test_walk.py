"""Comparing place by place: which leaves there are, what each scores, and how lists inside pair."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.comparators import number, string_similarity
from fieldwise.core import walk as walk_module
from fieldwise.core.align import Alignment, by_key
from fieldwise.core.compare import Comparator, Outcome
from fieldwise.core.policy import Policy, entry
from fieldwise.core.values import UnorderedList
from fieldwise.core.walk import (
    MAX_DEPTH,
    Grader,
    Place,
    fold_leaves,
    members,
    mode_of,
    paired,
    step_to,
    walk,
)
from tests.core.documents import VALUES, nested_lists, nested_objects


def half(_expected: Any, _actual: Any) -> float:
    return 0.5


HALF = Comparator("half", half)


def compared(
    expected: Any,
    actual: Any,
    *,
    deep: bool = False,
    null_is_missing: bool = False,
    comparator: Comparator | None = None,
    **words: Any,
) -> list[Outcome]:
    """The outcomes of two documents, with options by path: `lists={"tags": "subset"}`."""
    pairs: list[Any] = [(aspect, path, word) for aspect, some in words.items() for path, word in some.items()]
    node = Policy([entry(path, aspect, word) for aspect, path, word in pairs]).tree((expected, actual))
    return walk(
        Place("", (), expected, actual, node, comparator, 1.0), deep=deep, null_is_missing=null_is_missing
    )


def scores(*sides: Any, **options: Any) -> list[tuple[str, float | None]]:
    return [(one.name, one.score) for one in compared(*sides, **options)]


# --------------------------------------------------------------------------------- leaves


LEAVES: list[tuple[str, Any, Any, list[tuple[str, float]]]] = [
    ("equal", {"a": {"b": 1}, "c": 2}, {"a": {"b": 1}, "c": 2}, [("a.b", 1), ("c", 1)]),
    ("wrong", {"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [("a.b", 1), ("a.c", 0)]),
    ("missing leaf", {"a": 1, "b": 2}, {"a": 1}, [("a", 1), ("b", 0)]),
    ("missing tree", {"a": {"b": 1, "c": [2, 3]}}, {}, [("a.b", 0), ("a.c[*]", 0), ("a.c[*]", 0)]),
    ("extra tree", {}, {"a": {"b": 1, "c": 2}}, [("", 0)]),
    ("extra leaf", {"a": 1}, {"a": 1, "b": {"c": 1, "d": 2}}, [("a", 1), ("b.c", 0), ("b.d", 0)]),
    ("text for an object", {"a": {"b": 1, "c": 2}}, {"a": "x"}, [("a.b", 0), ("a.c", 0)]),
    ("list for an object", {"a": {"b": 1}}, {"a": [1]}, [("a.b", 0)]),
    ("object for a list", {"a": [1, 2]}, {"a": {"0": 1}}, [("a[*]", 0), ("a[*]", 0)]),
    ("object for text", {"a": "x"}, {"a": {"b": 1, "c": 2}}, [("a", 0)]),
    ("empty object", {"a": {}}, {"a": {}}, [("a", 1)]),
    ("something for an empty object", {"a": {}}, {"a": {"b": 1}}, [("a", 0)]),
    ("something for an empty list", {"a": []}, {"a": [1, 2]}, [("a", 0)]),
    ("nothing for a list", {"a": [1, 2]}, {"a": []}, [("a[*]", 0), ("a[*]", 0)]),
    ("ordered list", [1, 2, 3], [1, 3], [("[*]", 1), ("[*]", 0), ("[*]", 0)]),
    ("longer list", [1], [1, 2], [("[*]", 1), ("[*]", 0)]),
    ("null for a tree", {"a": {"b": 1, "c": 2}}, {"a": None}, [("a.b", 0), ("a.c", 0)]),
    ("atoms", 1, 1.0, [("", 1)]),
    ("odd names", {"a.b": {"c d": 1}}, {"a.b": {}}, [("['a.b']['c d']", 0)]),
]


@pytest.mark.parametrize(
    ("expected", "actual", "leaves"), [pytest.param(*row[1:], id=row[0]) for row in LEAVES]
)
def test_leaves(expected: Any, actual: Any, leaves: list[tuple[str, float]]) -> None:
    assert scores(expected, actual, deep=True) == leaves


def test_where_is_the_concrete_place_and_what_was_there() -> None:
    (_, wrong, extra) = compared({"l": [{"k": 1}, {"k": 2}]}, {"l": [{"k": 1}, {"k": 3, "x": 4}]}, deep=True)
    assert wrong == Outcome("l[*].k", 0.0, 2, 3, where=("l", 1, "k"))
    assert extra == Outcome("l[*].x", 0.0, MISSING, 4, "graded", "unexpected", where=("l", 1, "x"))


@given(VALUES)
def test_a_value_is_all_right_against_itself(value: Any) -> None:
    some: list[dict[str, Any]] = [{}, {"deep": True}, {"comparator": HALF}]
    for options in some:
        found = compared(value, value, **options)
        assert found
        assert {one.score for one in found} == {1.0}


@given(VALUES, VALUES)
def test_one_side_missing_has_the_leaves_of_the_other(expected: Any, other: Any) -> None:
    leaves = [one.name for one in compared(expected, expected, deep=True)]
    assert [one.name for one in compared(expected, MISSING, deep=True)] == leaves
    assert [one.name for one in compared(MISSING, expected, deep=True)] == leaves
    assert len(compared(expected, other, deep=True)) >= len(leaves)


def test_without_a_word_a_value_is_compared_whole() -> None:
    assert scores({"a": 1}, {"a": 2}) == [("", 0.0)]
    assert scores({"a": {"b": 1}, "c": 2}, {"a": {"b": 1}, "c": 3}, weight={"a": 2.0}) == [
        ("a", 1.0),
        ("c", 0.0),
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "leaves"),
    [
        ({"a": None}, {}, [("a", 1)]),
        ({}, {"a": None, "b": 1}, [("", 0)]),
        ({"c": 1}, {"c": 1, "a": None, "b": 1}, [("c", 1), ("a", 1), ("b", 0)]),
        ({"a": {"b": None}}, {"a": {}}, [("a.b", 1)]),
        ({"a": {"b": None}}, {}, [("a.b", 0)]),
        ([None], [], [("[*]", 0)]),
    ],
)
def test_null_is_missing(expected: Any, actual: Any, leaves: Any) -> None:
    found = scores(expected, actual, deep=True, null_is_missing=True)
    assert found == leaves


# -------------------------------------------------------------------- comparators and weights


def test_a_comparator_grades_every_leaf_below_it() -> None:
    found = compared(
        {"a": {"n": 100, "t": "x"}, "b": 1}, {"a": {"n": 101, "t": "y"}, "b": 2}, comparator=HALF
    )
    assert [(one.name, one.score, one.comparator) for one in found] == [
        ("a.n", 0.5, "half"),
        ("a.t", 0.5, "half"),
        ("b", 0.5, "half"),
    ]


def test_the_nearest_comparator_counts() -> None:
    document: Any = {"a": {"b": 1, "c": {"d": 1}}, "e": 1}
    other: Any = {"a": {"b": 2, "c": {"d": 2}}, "e": 2}
    words = {"a": HALF, "a.c": number(absolute=5)}
    pairs = [entry(path, "comparator", word) for path, word in words.items()]
    node = Policy(pairs).tree((document, other))
    found = walk(Place("", (), document, other, node, None, 1.0), deep=True)
    assert [(one.name, one.score, one.comparator) for one in found] == [
        ("a.b", 0.5, "half"),
        ("a.c.d", 1.0, "number"),
        ("e", 0.0, "exact"),
    ]


def test_weights_are_inherited_until_the_next_word() -> None:
    document = {"a": {"b": 1, "c": {"d": 1}}, "e": [{"f": 1}, {"f": 1}]}
    found = compared(
        document, document, deep=True, weight={"a": 2.0, "a.c": 0.0, "e[*]": 3.0, "e[-1].f": 5.0}
    )
    assert [(one.name, one.weight) for one in found] == [
        ("a.b", 2.0),
        ("a.c.d", 0.0),
        ("e[*].f", 3.0),
        ("e[*].f", 5.0),
    ]


# --------------------------------------------------------------------------------------- rubrics


def test_a_rubric_is_left_to_a_judge_unless_equality_decides() -> None:
    rubric = {"items[*].name": "the same thing"}
    found = compared(
        {"items": [{"name": "tea", "n": 1}, {"name": "ale"}, {"name": "rum"}]},
        {"items": [{"name": "tee", "n": 1}, {"name": "ale"}, {"n": 2}]},
        rubric=rubric,
    )
    assert found == [
        Outcome(
            "items[*].name", None, "tea", "tee",
            comparator="judge", where=("items", 0, "name"), criterion="the same thing",
        ),
        Outcome("items[*].n", 1.0, 1, 1, where=("items", 0, "n")),
        Outcome("items[*].name", 1.0, "ale", "ale", where=("items", 1, "name")),
        Outcome("items[*].name", 0.0, "rum", MISSING, reason="missing", where=("items", 2, "name")),
        Outcome("items[*].n", 0.0, MISSING, 2, reason="unexpected", where=("items", 2, "n")),
    ]  # fmt: skip


def test_a_rubric_on_a_container_does_not_split_it() -> None:
    (one,) = compared({"a": {"b": 1}}, {"a": {"b": 2}}, deep=True, rubric={"a": "alike"})
    assert (one.name, one.score, one.criterion) == ("a", None, "alike")


# ----------------------------------------------------------------------------------- nested lists


LISTS: list[tuple[str, Any, list[Any], list[Any], list[float]]] = [
    ("ordered", "ordered", [1, 2], [2, 1], [0, 0]),
    ("same elements", "same_elements", [1, 2], [2, 1], [1, 1]),
    ("same elements, one missing", "same_elements", [1, 2], [2], [0, 1]),
    ("same elements, one extra", "same_elements", [1], [2, 1], [1, 0]),
    ("same elements, one other", "same_elements", [1, 2], [2, 3], [0, 1]),
    ("same elements, duplicates", "same_elements", [1, 1, 2], [1, 2, 2], [0, 1, 1]),
    ("subset holds less", "subset", [1, 2, 3], [3], [1]),
    ("subset holds nothing", "subset", [1, 2], [], [1]),
    ("subset holds more", "subset", [1], [1, 2], [1, 0]),
    ("subset of nothing holds more", "subset", [], [1], [0]),
    ("subset, both empty", "subset", [], [], [1]),
    ("superset holds more", "superset", [2], [1, 2, 3], [1]),
    ("superset of nothing", "superset", [], [1, 2], [1]),
    ("superset holds less", "superset", [1, 2], [2], [0, 1]),
    ("superset holds nothing", "superset", [1, 2], [], [0, 0]),
    ("by key", by_key("k"), [{"k": 1, "v": 1}, {"k": 2}], [{"k": 2}, {"k": 1, "v": 9}], [1, 0, 1]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "expected", "actual", "leaves"), [pytest.param(*row[1:], id=row[0]) for row in LISTS]
)
def test_lists_inside(mode: Any, expected: Any, actual: Any, leaves: list[float]) -> None:
    deep = not isinstance(mode, str)
    found = compared({"l": expected}, {"l": actual}, deep=deep, lists={"l": mode})
    assert [one.score for one in found] == leaves


@pytest.mark.parametrize("mode", ["subset", "superset", "same_elements"])
def test_a_list_that_is_not_there_is_not_an_empty_list(mode: str) -> None:
    assert {one.score for one in compared({"l": [1]}, {}, lists={"l": mode})} == {0.0}
    assert {one.score for one in compared({"l": [1]}, {"l": "x"}, lists={"l": mode})} == {0.0}
    assert {one.score for one in compared({"l": []}, {"l": "x"}, lists={"l": mode})} == {0.0}
    assert {one.score for one in compared({"x": 1}, {"x": 1, "l": [1]}, lists={"l": mode})} == {0.0, 1.0}


def test_lists_in_lists_pair_as_declared() -> None:
    expected = {"l": [{"k": 1, "v": [1, 2]}, {"k": 2, "v": [3]}]}
    actual = {"l": [{"k": 2, "v": [3]}, {"k": 1, "v": [2, 1]}]}
    assert (
        min(one.score or 0 for one in compared(expected, actual, deep=True, lists={"l": "same_elements"}))
        == 0
    )
    both = {"l": "same_elements", "l[*].v": "same_elements"}
    assert {one.score for one in compared(expected, actual, lists=both)} == {1.0}


def test_elements_pair_by_what_a_comparator_says_of_them() -> None:
    expected: Any = {"l": [{"p": 10.0, "n": "a"}, {"p": 20.0, "n": "b"}]}
    actual: Any = {"l": [{"p": 20.001, "n": "x"}, {"p": 10.001, "n": "y"}]}
    near = number(absolute=0.01)
    found = compared(expected, actual, deep=True, lists={"l": "same_elements"})
    assert [one.score for one in found] == [0, 0, 0, 0]
    node = Policy([entry("l", "lists", "same_elements"), entry("l[*].p", "comparator", near)]).tree(
        (expected,)
    )
    found = walk(Place("", (), expected, actual, node, None, 1.0), deep=True)
    assert [(one.name, one.score) for one in found] == [("l[*].p", 1), ("l[*].n", 0)] * 2


def test_equal_and_repeated_members_are_graded_once() -> None:
    asked: list[tuple[Any, Any]] = []

    def grade(expected: Any, actual: Any) -> bool:
        asked.append((expected, actual))
        return False

    expected: Any = {"l": [{"p": 1, "n": "a"}, {"p": 1, "n": "b"}, {"p": 2, "n": "c"}]}
    actual: Any = {"l": [{"p": 2, "n": "x"}, {"p": 1, "n": "y"}, {"p": 1, "n": "z"}]}
    words = [entry("l", "lists", "same_elements"), entry("l[*].p", "comparator", Comparator("mine", grade))]
    found = walk(Place("", (), expected, actual, Policy(words).tree((expected,)), None, 1.0), deep=True)
    assert [(one.name, one.score) for one in found] == [("l[*].p", 1), ("l[*].n", 0)] * 3
    assert sorted(asked) == [(1, 2), (2, 1)]


def test_bare_elements_pair_by_an_inherited_comparator() -> None:
    expected: Any = {"l": ["apple pie", "beer", {"x": "rum"}, 5]}
    actual: Any = {"l": [{"x": "rump"}, "beers", 6, "apple pies"]}
    node = Policy([entry("l", "lists", "same_elements")]).tree((expected,))
    found = walk(Place("", (), expected, actual, node, string_similarity(), 1.0), deep=False)
    assert [(one.expected, one.actual) for one in found] == [
        ("apple pie", "apple pies"),
        ("beer", "beers"),
        ("rum", "rump"),
        (5, 6),
    ]


def test_elements_pair_by_how_alike_judged_text_reads() -> None:
    words: Any = {"lists": {"l": "same_elements"}, "rubric": {"l[*].t": "same"}}
    expected = {"l": [{"t": "the red door"}, {"t": "a blue window"}, {"t": 5}]}
    actual = {"l": [{"t": "blue windows"}, {"t": 6}, {"t": "red doors"}]}
    found = compared(expected, actual, **words)
    assert [(one.expected, one.actual) for one in found] == [
        ("the red door", "red doors"),
        ("a blue window", "blue windows"),
        (5, 6),
    ]


@given(st.permutations(["red door", "blue window", "green roof", "red roof"]))
def test_graded_pairs_do_not_depend_on_positions(actual: list[str]) -> None:
    expected = [{"t": text} for text in ("the red door", "a blue window", "one green roof", "a red roof")]
    words: Any = {"lists": {"l": "same_elements"}, "rubric": {"l[*].t": "same"}}
    found = compared({"l": expected}, {"l": [{"t": text} for text in actual]}, **words)
    assert [one.actual for one in found] == ["red door", "blue window", "green roof", "red roof"]


def test_a_pair_with_nothing_in_common_is_two_wrong_leaves() -> None:
    found = compared({"l": [{"a": 1}]}, {"l": [{"b": 2}]}, deep=True, lists={"l": "same_elements"})
    assert [(one.name, one.reason) for one in found] == [("l[*].a", "missing"), ("l[*].b", "unexpected")]


# ------------------------------------------------------------------------------------------ bounds


def test_past_a_bound_equality_pairs_and_the_reason_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk_module, "MAX_GRADES", 3)
    words: Any = {"lists": {"l": "same_elements"}, "rubric": {"l[*].t": "same"}}
    expected = {"l": [{"t": text} for text in ("aa", "bb", "cc")], "x": 1}
    actual = {"l": [{"t": text} for text in ("cc", "ab", "bc")], "x": 2}
    found = compared(expected, actual, deep=True, **words)
    note = "t: paired by equality, too many values to compare each with each"
    assert {one.reason for one in found if one.name == "l[*].t" and one.score != 1.0} == {note}
    assert [one.actual for one in found if one.expected == "cc"] == ["cc"]
    assert [one.reason for one in found if one.name == "x"] == [None]


def test_a_bound_of_the_pairing_shows_beside_another_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.core.align.pairing.MAX_CELLS", 4)
    expected = {"l": [{"a": 1, "n": one} for one in range(4)]}
    actual = {"l": [{"a": 1, "n": -one} for one in range(1, 4)]}
    found = compared(expected, actual, deep=True, lists={"l": "same_elements"})
    note = "3 x 4 unequal elements: paired in 3 blocks of canonical order"
    assert {one.reason for one in found if one.score == 0.0} == {note, f"missing; {note}"}


@pytest.mark.parametrize("depth", [200, 50_000])
@pytest.mark.parametrize("build", [nested_lists, nested_objects], ids=["lists", "objects"])
def test_depth_is_walked_so_far_and_compared_whole_below(build: Any, depth: int) -> None:
    start = time.process_time()
    (same,) = compared(build(depth), build(depth), deep=True)
    (other,) = compared(build(depth), build(depth, leaf=1), deep=True)
    assert (same.score, other.score) == (1.0, 0.0)
    assert len(other.where) == min(depth, MAX_DEPTH)
    assert time.process_time() - start < 5


def test_deep_documents_with_leaves_at_every_level() -> None:
    document: Any = 0
    for level in range(50_000):
        document = {"next": document, "v": level}
    start = time.process_time()
    found = compared(document, document, deep=True)
    assert len(found) == MAX_DEPTH + 1
    assert max(len(one.name) for one in found) < 6 * MAX_DEPTH
    assert time.process_time() - start < 5


def test_nested_lists_under_a_comparator_pair_in_bounded_time() -> None:
    expected = {"l": [[f"{row}-{cell}" for cell in range(30)] for row in range(60)]}
    actual = {"l": [[f"{row}+{cell}" for cell in range(30)] for row in range(60)]}
    start = time.process_time()
    words: Any = {"lists": {"l": "same_elements", "l[*]": "same_elements"}}
    found = compared(expected, actual, comparator=string_similarity(), **words)
    assert len(found) == 1800
    assert time.process_time() - start < 20


# ------------------------------------------------------------------------------------------ parts


def test_the_parts_of_a_step() -> None:
    node = Policy([entry("l", "lists", "same_elements"), entry("l[*]", "weight", 2.0)]).tree(({},))
    root = Place("", (), {"l": [1, 2], "m": 1}, {"l": [2, 3, 4]}, node, None, 1.0)
    assert members(root) == [("l", [1, 2], [2, 3, 4]), ("m", 1, MISSING)]
    assert members(root, null_is_missing=True)[1] == ("m", 1, None)
    below = step_to(root, members(root)[0])
    assert (below.name, below.where, below.expected, below.actual) == ("l", ("l",), [1, 2], [2, 3, 4])
    assert (mode_of(below), mode_of(root)) == ("same_elements", "ordered")
    assert paired(below) == (Alignment(same=[(0, 1)], pairs=[(1, 0)], invented=[2]), [])
    last = step_to(below, (1, 2, 2), 2)
    assert (last.name, last.where, last.weight) == ("l[*]", ("l", 1), 2.0)


@pytest.mark.parametrize("deep", [False, True])
def test_a_set_inside_a_value_pairs_by_content_unless_it_is_said_otherwise(deep: bool) -> None:
    expected, actual = {"s": UnorderedList([1, 2])}, {"s": [2, 3, 1]}
    assert [one.score for one in compared(expected, {"s": [2, 1]}, deep=True)] == [1.0, 1.0]
    assert [one.score for one in compared(expected, actual, deep=True)] == [1.0, 1.0, 0.0]
    ordered = compared(expected, actual, deep=deep, lists={"s": "ordered"})
    assert [one.score for one in ordered] == [0.0, 0.0, 0.0]


def leaf(score: float | None, weight: float = 1.0, **more: Any) -> Outcome:
    return Outcome("x.y", score, 1, 2, weight=weight, **more)


@pytest.mark.parametrize(
    ("leaves", "mean", "score"),
    [
        ([leaf(1.0), leaf(0.5)], True, 0.75),
        ([leaf(1.0), leaf(0.5)], False, 0.0),
        ([leaf(1.0), leaf(1.0)], False, 1.0),
        ([leaf(1.0, 3.0), leaf(0.0)], True, 0.75),
        ([leaf(0.0, 0.0), leaf(0.5, 0.0)], True, 0.25),
        ([leaf(1.0), leaf(None)], True, None),
        ([leaf(1.0), leaf(None)], False, None),
    ],
)
def test_fold_leaves(leaves: list[Outcome], mean: bool, score: float | None) -> None:
    assert fold_leaves(leaves, "x", mean=mean).score == score


def test_the_worst_leaf_speaks() -> None:
    worst = Outcome("x.z", None, "e", "a", "not_evaluated", "why", "mine", ("x", "z"))
    found = fold_leaves([leaf(0.0), worst, leaf(1.0)], "x", mean=True)
    assert found == Outcome("x", None, "e", "a", "not_evaluated", "why", "mine", ("x", "z"))


def test_a_grader_that_has_nothing_to_say_leaves_pairing_to_equality() -> None:
    node = Policy([entry("l[*].k", "weight", 2.0)]).tree(({},))
    assert Grader(None, None).for_elements([1], [2], "same_elements") == {}
    assert Grader(node, None).for_elements([{"k": 1}], [{"k": 2}], "same_elements") == {}
    assert Grader(None, HALF).for_elements([1], [2], "ordered") == {}
    assert set(Grader(None, HALF).for_elements([1], [2], by_key("k"))) == {"grade", "graded"}
    assert set(Grader(None, HALF).for_elements([1], [2], "subset")) == {"grade", "graded"}


def test_long_texts_count_for_more_than_one_comparison() -> None:
    texts: list[Any] = [{"n": letter * 60_000} for letter in "abcdef"]
    grader = Grader(Policy([entry("n", "comparator", HALF)]).tree((texts[0],)), None)
    grades = grader.for_elements(texts, texts[::-1], "same_elements")
    grades["grade"](texts[::-1], texts)
    assert grader.notes == ["n: paired by equality, too many values to compare each with each"]
