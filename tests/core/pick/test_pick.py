"""Comparing documents at named places: which places a pick names, how lists pair, what is left behind."""

from __future__ import annotations

import copy
import itertools
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.comparators import number, string_similarity
from fieldwise.core.align import by_key
from fieldwise.core.conversion import to_json
from fieldwise.core.equality import equal
from fieldwise.core.pick import Pick, Picked, Picker
from fieldwise.core.pick.tree import Say
from fieldwise.core.policy import entry
from fieldwise.core.select import compile_path, join
from tests.laws import strategies as some

UNORDERED: Final = ["same_elements", "subset", "superset"]


def picked(expected: Any, actual: Any, *paths: str, lists: Any = None, **options: Any) -> list[Picked]:
    picks = [Pick(path, compile_path(path)) for path in paths]
    entries = [entry(path, "lists", mode) for path, mode in (lists or {}).items()]
    return Picker(picks, entries, **options).compare(expected, actual)


def scores(expected: Any, actual: Any, *paths: str, **options: Any) -> list[list[float | None]]:
    return [[one.outcome.score for one in each.found] for each in picked(expected, actual, *paths, **options)]


def values(expected: Any, actual: Any, path: str, **options: Any) -> list[tuple[Any, Any]]:
    (each,) = picked(expected, actual, path, **options)
    return [(one.expected, one.actual) for one in each.found]


# ------------------------------------------------------------------------------------------- places

DOCUMENT: Final = {"a": {"b": [{"c": 1}, {"c": 2}]}, "a.b": 3, "0": "x", "l": [[1, 2], [3]]}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.b", [3]),
        ("$.a.b[0].c", [1]),
        ("/a/b/1/c", [2]),
        ("$['a.b']", [3]),
        ("$.a.b[-1].c", [2]),
        ("a['b'][-2].c", [1]),
        ("$.a.b[*].c", [1, 2]),
        ("$.a.b.*.c", [1, 2]),
        ("/a/b/01/c", []),
        ("$.a.b['0'].c", []),
        ("a['b'].0.c", [1]),
        ("/0", ["x"]),
        ("$[0]", []),
        ("l[*][*]", [1, 2, 3]),
        ("$..c", [1, 2]),
        ("$.a.b[?@.c > 1].c", [2]),
        ("$.a.b[1:].c", [2]),
        ("nope", []),
        ("/l/0/1", [2]),
        ("", [DOCUMENT]),
        ("$", [DOCUMENT]),
    ],
)
def test_a_path_names_its_places(path: str, found: list[Any]) -> None:
    assert values(DOCUMENT, DOCUMENT, path) == [(value, value) for value in found]
    assert values(DOCUMENT, {}, path)[: len(found)] == [
        (value, {} if path in {"", "$"} else MISSING) for value in found
    ]


def test_a_literal_name_on_either_side_counts_for_both() -> None:
    assert values({"a": {"b": 1}}, {"a.b": 2, "a": {"b": 1}}, "a.b") == [(MISSING, 2)]
    assert values({"a.b": 2}, {"a": {"b": 1}}, "a.b") == [(2, MISSING)]
    assert values({"x[*].y": 1}, {"x": [{"y": 1}]}, "x[*].y") == [
        (MISSING, 1)
    ]  # brackets are no part of a name


def test_indices_and_queries_are_resolved_on_each_side() -> None:
    assert values({"r": [1, 2]}, {"r": [2]}, "$.r[-1]") == [(2, 2)]
    assert values({"r": [{"t": [1, 2]}]}, {"r": [{"t": [0, 1, 2]}]}, "r[*].t[-1]") == [(2, 2)]
    assert values({"r": ["only", "two"]}, {"r": ["only"]}, "$.r[-2]") == [("only", MISSING)]
    assert values({"r": [1, 5, 6]}, {"r": [6, 2, 7]}, "$.r[?@ > 4]") == [(5, 6), (6, 7)]
    assert values({"r": [{"x": 1}, {"x": 5}]}, {"r": [{"x": 5}]}, "$.r[?@.x > 4].x") == [(5, 5)]


def test_finds_of_a_query_pair_by_the_names_on_their_way() -> None:
    expected, actual = {"x": {"n": 1}, "y": {"n": 2}, "z": {"n": 3}}, {"z": {"n": 3}, "y": {"n": 2}}
    assert sorted(values(expected, actual, "$..n"), key=str) == [(1, MISSING), (2, 2), (3, 3)]
    assert values({"p": [{"n": 1}, {"n": 2}]}, {"p": [{"n": 1}]}, "$..n") == [(1, 1), (2, MISSING)]
    assert values({}, {"p": [{"n": 1}]}, "$..n") == [(MISSING, 1)]


def test_a_pattern_that_runs_too_long_is_not_evaluated() -> None:
    class Slow:
        def find(self, document: Any) -> Any:
            raise compile_error()

    def compile_error() -> Exception:
        from fieldwise.errors import PathError

        return PathError("$.a", 0, "the pattern 'x' runs for more than 1 s in the filter")

    selector = compile_path("$..a")
    slow = Pick("$..a", type(selector)("$..a", selector.steps, "jsonpath", query=Slow()))  # type: ignore[arg-type]
    (found,) = Picker([slow]).compare({}, {})[0].found
    assert (found.outcome.score, found.outcome.status) == (None, "not_evaluated")
    assert (
        found.outcome.reason
        == "path '$.a': the pattern 'x' runs for more than 1 s in the filter at position 0"
    )


def test_a_wildcard_over_members_pairs_them_by_name() -> None:
    assert values({"a": {"x": 1, "y": 2}}, {"a": {"z": 3, "y": 2}}, "a[*]") == [
        (1, MISSING),
        (2, 2),
        (MISSING, 3),
    ]


def test_a_wildcard_over_an_object_on_one_side_and_a_list_on_the_other() -> None:
    assert values({"a": {"x": 1}}, {"a": [1]}, "a[*]") == [(1, MISSING), (MISSING, 1)]
    assert values({"a": 5}, {"a": [1]}, "a[*]") == [(MISSING, 1)]


@given(some.json_values, st.data())
def test_a_place_in_any_form_names_itself(value: Any, data: st.DataObject) -> None:
    document = to_json({"top": value})
    place: tuple[Any, ...] = ("top",)
    here = document["top"]  # type: ignore[index, call-overload]
    while isinstance(here, dict | list) and here and data.draw(st.booleans()):
        step = data.draw(st.sampled_from(list(here) if isinstance(here, dict) else range(len(here))))
        place, here = (*place, step), here[step]
    pointer = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in place)
    dotted = ""
    for step in place:
        dotted = join(dotted, step) if isinstance(step, str) else f"{dotted}[{step}]"
    for path in (pointer, dotted):
        ((wanted, came),) = values(document, copy.deepcopy(document), path)
        assert equal(wanted, here), path
        assert equal(came, here), path
        assert scores(document, document, path) == [[1.0]]


# ------------------------------------------------------------------------------------------- scores


@pytest.mark.parametrize(
    ("say", "expected", "actual", "score"),
    [
        (Say(), {"x": 1, "y": 2}, {"x": 1, "y": 3}, 0.0),
        (Say(), [1, 2], [2, 1], 0.0),
        (Say(lists="same_elements"), [1, 2], [2, 1], 1.0),
        (Say(lists="same_elements"), [1, 2], [2, 3], 0.0),
        (Say(lists="subset"), [1, 2], [2], 1.0),
        (Say(lists="subset"), [1, 2], [], 1.0),
        (Say(lists="superset"), [1], [2, 1], 1.0),
        (Say(lists="superset"), [1], [2], 0.0),
        (Say(lists=by_key("k")), [{"k": 1, "v": 1}, {"k": 2}], [{"k": 2}, {"k": 1, "v": 1}], 1.0),
        (Say(number(relative=0.1)), 100, 109, 1.0),
        (Say(number(relative=0.1)), {"x": 100, "y": 1}, {"x": 109, "y": 2}, 0.5),
        (Say(string_similarity(), lists="same_elements"), ["kitten", "a"], ["a", "sitting"], (1 + 4 / 7) / 2),
        (Say(string_similarity()), "a", 5, 0.0),
        (Say(), True, 1, 0.0),
        (Say(), 1, 1.0, 1.0),
    ],
)
def test_a_value_is_compared_as_its_pick_says(say: Say, expected: Any, actual: Any, score: float) -> None:
    picker = Picker([Pick("f", compile_path("f"), say)])
    ((found,),) = [each.found for each in picker.compare({"f": expected}, {"f": actual})]
    assert found.outcome.score == pytest.approx(score)
    assert (found.expected, found.actual) == (expected, actual)


def test_lists_inside_a_value_pair_as_the_option_says() -> None:
    expected, actual = {"o": {"t": [1, 2], "u": [1, 2]}}, {"o": {"t": [2, 1], "u": [1, 2]}}
    assert scores(expected, actual, "o") == [[0.0]]
    assert scores(expected, actual, "o", lists={"o.t": "same_elements"}) == [[1.0]]
    assert scores(expected, actual, "/o/t", "$.o.u", lists={"$.o[*]": "same_elements"}) == [[1.0], [1.0]]


def test_a_rubric_is_left_open_unless_values_are_equal_or_one_is_missing() -> None:
    picker = Picker([Pick("f", compile_path("f[*]"), Say(rubric="same"))])
    (each,) = picker.compare({"f": ["x", "y", "z"]}, {"f": ["x", "Y"]})
    assert [(one.outcome.score, one.outcome.criterion) for one in each.found] == [
        (1.0, None),
        (None, "same"),
        (0.0, None),
    ]


@pytest.mark.parametrize("path", ["f", "a.f", "a['f']", "l[*].f", "$..f"])
def test_null_is_missing_when_it_is_to_be(path: str) -> None:
    null: Any = {"f": None, "a": {"f": None}, "l": [{"f": None}, {"f": None}]}
    bare: Any = {"a": {}, "l": [{}, {}]}
    for expected, actual in ((null, bare), (bare, null), (null, null)):
        found = [one for each in scores(expected, actual, path, null_is_missing=True) for one in each]
        assert set(found) == {1.0}
    assert scores(bare, bare, path, null_is_missing=True) == [[]]
    assert 1.0 not in scores(null, bare, path)[0]


def test_null_is_missing_inside_of_values_too() -> None:
    expected, actual = {"f": {"x": 1, "y": None}}, {"f": {"x": 1}}
    assert scores(expected, actual, "f", null_is_missing=True) == [[1.0]]
    assert scores(expected, actual, "f") == [[0.0]]
    listed = {"f": [{"x": 1, "y": None}, {"x": 2}]}, {"f": [{"x": 2, "y": None}, {"x": 1}]}
    assert scores(*listed, "f[*]", lists={"f": "same_elements"}, null_is_missing=True) == [[1.0, 1.0]]


# ------------------------------------------------------------------------------------------- lists

ITEMS: Final = {"items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}, {"sku": "c", "n": 3}]}


def verdicts(each: Picked) -> list[tuple[str, int | None, int | None]]:
    (pairing,) = each.pairings
    return [(one.verdict, one.expected, one.actual) for one in pairing.elements]


def test_fields_below_a_list_share_one_pairing() -> None:
    actual = {"items": [{"sku": "c", "n": 9}, {"sku": "a", "n": 2}, {"sku": "x", "n": 7}]}
    paths = ("items[*].sku", "$.items[*].n", "items[*]['sku']")
    found = picked(ITEMS, actual, *paths, lists={"/items": "same_elements"})
    assert found[0].pairings[0] is found[1].pairings[0] is found[2].pairings[0]
    assert verdicts(found[0]) == [("matched", 0, 1), ("unmatched", 1, 2), ("matched", 2, 0)]
    assert [[one.outcome.score for one in each.found] for each in found] == [[1, 0, 1], [0, 0, 0], [1, 0, 1]]


def test_what_is_not_picked_never_decides() -> None:
    expected = {"items": [{"sku": "a", "noise": 1, "more": [1]}, {"sku": "b", "noise": 2}]}
    actual = {"items": [{"sku": "b", "noise": 1, "more": [1]}, {"sku": "a", "noise": 2}]}
    assert scores(expected, actual, "items[*].sku", lists={"items": "same_elements"}) == [[1.0, 1.0]]


@pytest.mark.parametrize(
    ("mode", "expected", "found"),
    [
        ("ordered", [("matched", 0, 0), ("unmatched", 1, 1), ("missing", 2, None)], [1.0, 0.0, 0.0]),
        ("same_elements", [("matched", 0, 0), ("missing", 1, None), ("matched", 2, 1)], [1.0, 0.0, 1.0]),
        ("subset", [("matched", 0, 0), ("missing", 1, None), ("matched", 2, 1)], [1.0, 1.0]),
        ("superset", [("matched", 0, 0), ("missing", 1, None), ("matched", 2, 1)], [1.0, 0.0, 1.0]),
        (by_key("n"), [("matched", 0, 0), ("missing", 1, None), ("matched", 2, 1)], [1.0, 0.0, 1.0]),
    ],
    ids=str,
)
def test_modes(mode: Any, expected: Any, found: list[float]) -> None:
    actual = {"items": [{"sku": "a", "n": 1}, {"sku": "c", "n": 3}]}
    (each,) = picked(ITEMS, actual, "items[*].sku", lists={"items": mode})
    assert verdicts(each) == expected
    assert [one.outcome.score for one in each.found] == found
    assert each.pairings[0].mode == str(mode)


def test_surplus_elements_are_invented_unless_there_may_be_more() -> None:
    actual = {"items": [{"sku": "x"}, *ITEMS["items"]]}
    (each,) = picked(ITEMS, actual, "items[*].sku", lists={"items": "same_elements"})
    assert verdicts(each)[-1] == ("invented", None, 0)
    assert [one.outcome.score for one in each.found] == [1.0, 1.0, 1.0, 0.0]
    assert scores(ITEMS, actual, "items[*].sku", lists={"items": "superset"}) == [[1.0, 1.0, 1.0]]


def test_a_key_that_is_not_picked_still_pairs() -> None:
    expected = {"l": [{"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 2, "v": "c"}, {"v": "d"}]}
    actual = {"l": [{"id": 2, "v": "c"}, {"id": 2, "v": "b"}, {"id": 1, "v": "z"}]}
    assert scores(expected, actual, "l[*].v", lists={"l": by_key("id")}) == [[0.0, 1.0, 1.0, 0.0]]
    composite = {"l": by_key("id", "/v")}
    assert scores(expected, actual, "l[*].v", lists=composite) == [[0.0, 1.0, 1.0, 0.0, 0.0]]


def test_lists_within_lists() -> None:
    expected = {"o": [{"l": [{"x": 1}, {"x": 2}]}, {"l": [{"x": 3}]}]}
    actual = {"o": [{"l": [{"x": 3}]}, {"l": [{"x": 2}, {"x": 1}]}]}
    both = {"o": "same_elements", "o[*].l": "same_elements"}
    (each,) = picked(expected, actual, "o[*].l[*].x", lists=both)
    assert [one.outcome.score for one in each.found] == [1.0, 1.0, 1.0]
    assert [pairing.where for pairing in each.pairings] == [("o",), ("o", 0, "l"), ("o", 1, "l")]
    assert scores(expected, actual, "o[*].l[*].x") == [[0.0, 0.0, 0.0, 0.0]]


def test_pairing_is_graded_by_the_comparators_of_the_picks() -> None:
    say = Say(string_similarity())
    picks = [Pick("l[*].t", compile_path("l[*].t"), say), Pick("l[*].n", compile_path("l[*].n"))]
    picker = Picker(picks, [entry("l", "lists", "same_elements")])
    expected: Any = {"l": [{"t": "kitten", "n": 1}, {"t": "spoon", "n": 1}]}
    texts, _ = picker.compare(expected, {"l": [{"t": "spoons", "n": 1}, {"t": "kittens", "n": 1}]})
    assert [one.outcome.score for one in texts.found] == [pytest.approx(6 / 7), pytest.approx(5 / 6)]
    assert [one.actual for one in texts.found] == ["kittens", "spoons"]


def test_a_set_pairs_without_order() -> None:
    expected, actual = to_json({"s": {"x", "y"}}), {"s": ["y", "x"]}
    assert scores(expected, actual, "s[*]") == [[1.0, 1.0]]
    assert scores(expected, actual, "s") == [[1.0]]


def test_a_bounded_pairing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from fieldwise.core import walk

    monkeypatch.setattr(walk, "MAX_GRADES", 1)
    picker = Picker(
        [Pick("l[*].t", compile_path("l[*].t"), Say(string_similarity()))],
        [entry("l", "lists", "same_elements")],
    )
    (each,) = picker.compare({"l": [{"t": "ab"}, {"t": "cd"}]}, {"l": [{"t": "ax"}, {"t": "cy"}]})
    note = "t: paired by equality, too many values to compare each with each"
    assert each.pairings[0].note == note
    assert [one.outcome.reason for one in each.found] == [note, note]


@given(some.element_lists, some.element_lists)
def test_ordered_is_position_by_position(wanted: list[Any], came: list[Any]) -> None:
    expected, actual = to_json(wanted), to_json(came)
    pairs = itertools.zip_longest(expected, actual, fillvalue=MISSING)  # type: ignore[arg-type]
    truth = []
    for e, a in pairs:
        left = e.get("a", MISSING) if isinstance(e, dict) else MISSING
        right = a.get("a", MISSING) if isinstance(a, dict) else MISSING
        if left is not MISSING or right is not MISSING:
            truth.append(float(left is not MISSING and right is not MISSING and equal(left, right)))
    assert scores({"l": expected}, {"l": actual}, "l[*].a") == [truth]


SMALL = st.lists(
    st.dictionaries(st.sampled_from("abz"), st.sampled_from([0, 1, True, "x"]), max_size=3), max_size=4
)


@given(SMALL, SMALL, st.sampled_from(UNORDERED))
def test_unordered_is_the_best_of_all_pairings(expected: list[Any], actual: list[Any], mode: str) -> None:
    """The most fields that can be right at once, by trying every pairing."""
    found = scores({"l": expected}, {"l": actual}, "l[*].a", "l[*].b", lists={"l": mode})
    assert sum(map(sum, found)) == _most_right(expected, actual)  # type: ignore[arg-type]


def _most_right(expected: list[Any], actual: list[Any]) -> int:
    short, long = sorted((expected, actual), key=len)
    best = 0
    for some_of in itertools.permutations(long, len(short)):
        right = 0
        for one, other in zip(short, some_of, strict=True):
            right += sum(name in one and name in other and equal(one[name], other[name]) for name in "ab")
        best = max(best, right)
    return best


@given(SMALL, SMALL, st.sampled_from(UNORDERED), st.randoms(use_true_random=False))
def test_order_never_counts_where_it_is_not_to(expected: Any, actual: Any, mode: str, random: Any) -> None:
    paths = ("l[*].a", "l[*].b", "l[*]")
    before = scores({"l": expected}, {"l": actual}, *paths, lists={"l": mode})
    random.shuffle(expected)
    random.shuffle(actual)
    after = scores({"l": expected}, {"l": actual}, *paths, lists={"l": mode})
    assert [sorted(one) for one in after] == [sorted(one) for one in before]  # type: ignore[type-var]


@given(SMALL, SMALL, st.sampled_from(["ordered", *UNORDERED]), st.integers())
def test_members_nobody_asked_for_change_nothing(expected: Any, actual: Any, mode: str, noise: int) -> None:
    before = scores({"l": expected}, {"l": actual}, "l[*].a", "l[*].b", lists={"l": mode})
    noisy = [
        [{**one, "noise": (at * 7 + noise) % 3} for at, one in enumerate(side)] for side in (expected, actual)
    ]
    after = scores({"l": noisy[0]}, {"l": noisy[1]}, "l[*].a", "l[*].b", lists={"l": mode})
    assert [sorted(one) for one in after] == [sorted(one) for one in before]  # type: ignore[type-var]


ANY_PATHS: Final = ["a", "a.b", "$.a", "/a/0", "[*]", "[*].a", "$.*", "$..a", "a[*]", "a[*].b[*]"]
ANY_PATHS_TOO: Final = ["$", "", "$['']", "a[-1].b"]


@given(
    some.documents,
    some.documents,
    st.lists(st.sampled_from(ANY_PATHS + ANY_PATHS_TOO), min_size=1, max_size=4, unique=True),
    st.sampled_from(["ordered", *UNORDERED]),
)
def test_any_two_documents_compare(expected: Any, actual: Any, paths: list[str], mode: str) -> None:
    expected, actual = to_json(expected), to_json(actual)
    for each in picked(expected, actual, *paths, lists={"a": mode, "$": mode}):
        for one in each.found:
            assert one.expected is not MISSING or one.actual is not MISSING
            assert one.outcome.score is not None
            assert 0.0 <= one.outcome.score <= 1.0
            if one.expected is not MISSING and one.actual is not MISSING and equal(one.expected, one.actual):
                assert one.outcome.score == 1.0
    for found in scores(expected, copy.deepcopy(expected), *paths, lists={"a": mode, "$": mode}):
        assert set(found) <= {1.0}


@settings(max_examples=20)  # a query compares what it finds at every depth
@given(some.deep_values())
def test_deep_values(value: Any) -> None:
    for path in ("k", "k[*]", "$..a", "$"):
        assert {one for each in scores({"k": value}, {"k": value}, path) for one in each} <= {1.0}


def test_picks_of_a_document_that_is_not_there() -> None:
    (each,) = Picker([Pick("$..a", compile_path("$..a"))]).compare({"a": 1}, MISSING)
    assert [(one.expected, one.actual, one.outcome.score) for one in each.found] == [(1, MISSING, 0.0)]
