"""The laws of json_match as properties, each over its options in all combinations.

1. A document is right against itself. Nothing to compare is one result, 1.0 with support 0.
2. Scores stay in range; sync equals async; the order of members never counts, that of list elements
   only where it is declared.
3. JSON equality: true is not 1, 1 is 1.0, integers are exact, NaN is NaN.
4. Missing is not null, unless `null_policy` says so.
5. Unordered lists pair one to one and optimally; a pair with nothing equal is never matched.
6. Paths work wherever a key does.
7. JSON in text counts as what it holds; see also the tests of the parser.
8. Nothing is too deep or too large to be answered for.
9. Every judged key is answered by a boolean, asked about once more, or a judge_error.
10. What is judged is data; see also the tests of departures.
"""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st

import fieldwise
from tests.laws import oracle
from tests.laws import strategies as some
from tests.laws.law import UNORDERED, results_of, roughly, scores_of
from tests.scorers.forms import evaluate

# ----------------------------------------------------------------------------------- 1: full marks


@given(some.documents, some.options())
def test_1_a_document_is_right_against_itself(document: Any, options: dict[str, Any]) -> None:
    results = results_of(document, copy.deepcopy(document), **options)
    assert {one["score"] for one in results} == {1.0}
    assert {one["extra"]["status"] for one in results} == {"graded"}
    assert {one["extra"]["passed"] for one in results} == {True}


@given(st.sampled_from([{}, [], [{}], [{}, {}], {"a": 1}, [{"a": 1}]]), some.options(exclude_keys=["a"]))
def test_1_nothing_to_compare_is_one_result(empty: Any, options: dict[str, Any]) -> None:
    (one,) = results_of(empty, empty, **options)
    assert one["key"] == f"json_match:{options['aggregator'] or '$'}"
    assert (one["score"], one["extra"]["status"], one["extra"]["support"]) == (1.0, "graded", 0)


# ------------------------------------------------------------------------- 2: range, forms and order


@given(some.anything, some.anything, some.options())
@example(some.Hostile(), {"a": 1}, {})
@example({"a": some.Hostile()}, {"a": 1}, {})
@example("[" * 100_000, {"a": 1}, {})
def test_2_any_data_is_answered_for_in_every_form(
    outputs: Any, reference: Any, options: dict[str, Any]
) -> None:
    evaluate(outputs, reference, **options)


@given(some.anything, some.options())
def test_2_a_missing_side_is_answered_for(value: Any, options: dict[str, Any]) -> None:
    (no_reference,) = results_of(value, fieldwise.MISSING, **options)
    assert no_reference["score"] is None
    assert no_reference["extra"]["status"] == "invalid_reference"
    for one in results_of(fieldwise.MISSING, value, **options):
        assert one["extra"]["status"] in {"invalid_output", "invalid_reference"}


@given(some.small_documents, some.small_documents, some.options())
def test_2_the_order_of_members_never_counts(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    before = scores_of(outputs, reference, **options)
    assert scores_of(_turned(outputs), _turned(reference), **options) == roughly(before)


@given(
    some.element_lists, some.element_lists, some.options(modes=UNORDERED), st.randoms(use_true_random=False)
)
def test_2_order_never_counts_in_a_list_declared_unordered(
    outputs: list[Any], reference: list[Any], options: dict[str, Any], source: Any
) -> None:
    before = scores_of(outputs, reference, **options)
    shuffled = source.sample(outputs, len(outputs)), source.sample(reference, len(reference))
    assert scores_of(*shuffled, **options) == roughly(before)


@given(
    some.element_lists,
    some.element_lists,
    st.sampled_from(UNORDERED),
    some.options(lists={}, comparators={}, exclude_keys=[]),
    st.randoms(use_true_random=False),
)
def test_2_the_same_for_a_list_inside(
    outputs: list[Any], reference: list[Any], mode: str, options: dict[str, Any], source: Any
) -> None:
    options["lists"] = {"l": mode}
    before = scores_of({"l": outputs, "k": 1}, {"l": reference, "k": 2}, **options)
    shuffled = source.sample(outputs, len(outputs)), source.sample(reference, len(reference))
    after = scores_of({"l": shuffled[0], "k": 1}, {"l": shuffled[1], "k": 2}, **options)
    assert after == roughly(before)


@given(st.lists(some.elements, min_size=2, max_size=5), some.options(list_match_mode="ordered", **some.PLAIN))
def test_2_order_always_counts_elsewhere(elements: list[Any], options: dict[str, Any]) -> None:
    turned = elements[::-1]
    assume(not oracle.same(turned, elements))
    options["aggregator"], options["list_aggregator"] = "all", "all"
    assert set(scores_of(turned, elements, **options).values()) == {0.0}
    assert set(scores_of({"l": turned}, {"l": elements}, **options).values()) == {0.0}


def _turned(value: Any) -> Any:
    """The same value, the members of every object in reverse."""
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return [_turned(one) for one in value] if isinstance(value, list) else value


# -------------------------------------------------------------------------- 3, 4: equality and null


@given(some.small_values, some.small_values)
@example([True, 1], [1, True])
@example(2**53 + 1, float(2**53))
@example({"x": float("nan")}, {"x": float("nan")})
def test_3_json_equality(left: Any, right: Any) -> None:
    equal = float(oracle.same(left, right))
    assert scores_of({"k": left}, {"k": right}) == {"k": equal}
    assert scores_of({"k": right}, {"k": left}) == {"k": equal}
    assert scores_of([left, [0]], [[0], right], list_match_mode="ordered", aggregator="all") == {
        "all": 0.0
    } or (oracle.same([left, [0]], [[0], right]))


@given(some.keys, some.options(depth="keys", aggregator=None, comparators={}, exclude_keys=[], lists={}))
def test_4_missing_is_not_null(name: str, options: dict[str, Any]) -> None:
    alike = options["null_policy"] == "null_equals_missing"
    other = {"other": 1}
    assume(name != "other")
    for outputs, reference in (({name: None}, {}), ({}, {name: None})):
        found = scores_of({**outputs, **other}, {**reference, **other}, **options)
        assert found == {name: float(alike), "other": 1.0}
    empty_is_null = options["null_policy"] == "empty_equals_null"
    empties: list[Any] = ["", [], {}]
    for empty in empties:
        found = scores_of({name: None, **other}, {name: empty, **other}, **options)
        assert found == {name: float(empty_is_null), "other": 1.0}


# ---------------------------------------------------------------------------------------- 5: pairing


@given(
    some.element_lists,
    some.element_lists,
    some.options(modes=("ordered", "same_elements", "subset", "superset"), depth="keys", **some.PLAIN),
)
def test_5_lists_score_as_trying_every_pairing(
    outputs: list[Any], reference: list[Any], options: dict[str, Any]
) -> None:
    told = {name: options[name] for name in ("aggregator", "list_aggregator", "list_match_mode")}
    answers = oracle.acceptable(outputs, reference, **told)
    found = scores_of(outputs, reference, **options)
    assert oracle.agrees(found, answers), (found, answers)


@given(
    st.lists(some.elements, min_size=1, max_size=5),
    st.lists(some.elements, min_size=1, max_size=5),
    st.sampled_from(UNORDERED),
)
def test_5_pairs_reach_the_greatest_total(outputs: list[Any], reference: list[Any], mode: str) -> None:
    results = results_of(outputs, reference, list_match_mode=mode)
    pairing = results[0]["extra"]["pairing"]
    pairs = pairing["pairs"]
    assert len(pairs) == min(len(outputs), len(reference))
    assert all(len({pair[side] for pair in pairs}) == len(pairs) for side in (0, 1))
    hits = [oracle.hits(reference[at], outputs[came]) for came, at in pairs]
    assert sum(hits) == oracle.most_hits(outputs, reference)
    assert pairing["matched"] == sum(hit > 0 for hit in hits)


@given(some.element_lists, some.element_lists)
def test_5_a_list_inside_is_a_multiset_where_declared(outputs: list[Any], reference: list[Any]) -> None:
    left, right = list(map(_mark, outputs)), list(map(_mark, reference))
    within = all(left.count(one) <= right.count(one) for one in left)
    covers = all(right.count(one) <= left.count(one) for one in right)
    ordered = oracle.same(outputs, reference)
    wanted = {"same_elements": within and covers, "subset": within, "superset": covers, "ordered": ordered}
    for mode, right_score in wanted.items():
        found = scores_of({"l": outputs}, {"l": reference}, lists={"l": mode})
        assert found == {"l": float(right_score)}, mode
    assert scores_of({"l": outputs}, {"l": reference}) == {"l": float(ordered)}


def _mark(value: Any) -> str:
    """Text that is the same for equal elements of the small pool."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{','.join(map(_mark, value))}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{_mark(value[name])}" for name in sorted(value)) + "}"
    return str(float(value))
