"""The laws of the JSON evaluators with one result, as properties over their options.

The numbers are those of test_laws.py. What has a plain definition is compared with it: JSON diff with
two dictionaries of leaves, JSON similarity with a recursive mean.
"""

from __future__ import annotations

import copy
import json
from typing import Any, Final

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import fieldwise
from fieldwise.core.equality import equal
from fieldwise.scorers import distances
from tests.laws import strategies as some
from tests.scorers.single_forms import check_shape, evaluate

Path = tuple[str | int, ...]

READING: Final[dict[str, Any]] = {
    "null_policy": st.sampled_from(["distinct", "null_equals_missing", "empty_equals_null"]),
    "coerce": st.booleans(),
}
LISTS: Final = st.sampled_from([*some.LISTS, {"$": "same_elements"}, {"$": "superset", "[*].a": "subset"}])
DIFF: Final[dict[str, Any]] = {
    "compare_schema_only": st.booleans(),
    "predict_keys": st.booleans(),
    "case_insensitive_keys": st.booleans(),
    "lists": LISTS,
    **READING,
}
SIMILARITY: Final[dict[str, Any]] = {
    "number_tolerance": st.sampled_from([0, 0.01, 0.5, 3]),
    "comparators": st.sampled_from(some.COMPARATORS),
    "lists": LISTS,
    **READING,
}
TEXT: Final = {"parse": st.just("off")}
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "json_diff": DIFF,
    "json_similarity": SIMILARITY,
    "json_equality": READING,
    "json_edit_distance": READING,
}
FULL: Final[dict[str, Any]] = {
    "json_diff": 1.0,
    "json_similarity": 1.0,
    "json_equality": True,
    "json_edit_distance": 0.0,
}
"""The score of a document against itself."""

COMPARING: Final = pytest.mark.parametrize("name", sorted(OPTIONS))
EVERY: Final[dict[str, dict[str, Any]]] = {
    **OPTIONS,
    "json_validity": {"parse": st.sampled_from(["lenient", "strict"])},
    "json_schema": {
        "schema": st.sampled_from(
            [
                None,
                True,
                {"type": "object"},
                {"items": {"multipleOf": 0.1}},
                {"propertyNames": {"pattern": "^a"}},
            ]
        )
    },
}


def options(data: st.DataObject, name: str, **fixed: Any) -> dict[str, Any]:
    choices = {**EVERY[name], **{option: st.just(value) for option, value in fixed.items()}}
    drawn: dict[str, Any] = data.draw(st.fixed_dictionaries(choices))
    return drawn


def result(name: str, outputs: Any, reference: Any, **given_options: Any) -> Any:
    """The result of the sync evaluator alone, its shape checked."""
    sync = getattr(fieldwise, f"create_{name}_evaluator")(**given_options)
    found = sync(outputs=outputs, reference_outputs=reference)
    check_shape(found)
    return found


def turned(value: Any) -> Any:
    """The same value, the members of every object in reverse order."""
    if isinstance(value, dict):
        return {name: turned(value[name]) for name in reversed(value)}
    return [turned(one) for one in value] if isinstance(value, list) else value


# ----------------------------------------------------------------------------------- 1: full marks


@COMPARING
@given(some.documents, st.data())
@example({"expectedOutput": {"a": 1}}, None)
@example({"output": [{"a": 1}]}, None)
@example({"A": 1, "a": 2, "ß": 3, "SS": 4, "ss": 5}, None)
@example([], None)
def test_1_a_document_is_right_against_itself(name: str, document: Any, data: Any) -> None:
    chosen = options(data, name, parse="off") if data is not None else {"parse": "off"}
    found = result(name, document, copy.deepcopy(document), **chosen)
    assert found["score"] == FULL[name]
    assert found["extra"]["status"] == "graded"
    assert found["extra"]["passed"] is True


@COMPARING
@given(some.small_documents, st.data())
def test_1_so_is_its_text(name: str, document: Any, data: Any) -> None:
    text, spread = json.dumps(document), json.dumps(document, indent=1, sort_keys=True)
    assume(name in {"json_equality", "json_edit_distance"} or isinstance(document, dict | list))
    assert result(name, text, spread, **options(data, name))["score"] == FULL[name]


@pytest.mark.parametrize("name", ["json_diff", "json_similarity"])
@given(st.sampled_from([{}, []]), st.data())
def test_1_nothing_to_compare_has_no_support(name: str, empty: Any, data: Any) -> None:
    found = result(name, empty, copy.copy(empty), **options(data, name))
    assert (found["score"], found["extra"]["support"], found["comment"]) == (1.0, 0, "nothing to compare")


# ------------------------------------------------------------------------- 2: range, forms and order


@pytest.mark.parametrize("name", sorted(EVERY))
@given(some.anything, some.anything, st.data())
@example("[" * 100_000, {"a": 1}, None)
@example({"a": some.Hostile()}, {"a": 1}, None)
@example({"a": 1}, {"type": "object", "properties": {"a": {"multipleOf": 1e-300}}}, None)
def test_2_any_data_is_answered_for_in_every_form(name: str, outputs: Any, reference: Any, data: Any) -> None:
    evaluate(name, outputs, reference, **(options(data, name) if data is not None else {}))


@pytest.mark.parametrize("name", sorted(EVERY))
@given(some.anything, st.data())
def test_2_a_missing_side_is_answered_for(name: str, value: Any, data: Any) -> None:
    chosen = options(data, name)
    no_output = evaluate(name, fieldwise.MISSING, value, **chosen)
    assert no_output["extra"]["status"] in {"invalid_output", "invalid_reference"}
    no_reference = evaluate(name, value, **chosen)
    if name in OPTIONS:
        assert (no_reference["score"], no_reference["extra"]["status"]) == (None, "invalid_reference")


@COMPARING
@given(some.small_documents, some.small_documents, st.data())
def test_2_the_order_of_members_never_counts(name: str, outputs: Any, reference: Any, data: Any) -> None:
    chosen = options(data, name, parse="off")
    found = result(name, outputs, reference, **chosen)
    again = result(name, turned(outputs), turned(reference), **chosen)
    assert again["score"] == pytest.approx(found["score"], rel=1e-12)


@pytest.mark.parametrize("name", ["json_diff", "json_similarity"])
@given(st.lists(some.flat_records, max_size=5), st.lists(some.flat_records, max_size=5), st.data())
def test_2_the_order_of_an_unordered_list_never_counts(
    name: str, outputs: list[Any], reference: list[Any], data: Any
) -> None:
    chosen = {"lists": {"$": data.draw(st.sampled_from(["same_elements", "subset", "superset"]))}}
    found = result(name, outputs, reference, **chosen)
    again = result(name, data.draw(st.permutations(outputs)), data.draw(st.permutations(reference)), **chosen)
    assert again["score"] == pytest.approx(found["score"], rel=1e-12)


# -------------------------------------------------------------------- 3, 4: equality, null and missing


@given(some.small_values, some.small_values)
def test_3_equality_is_that_of_json_and_distance_0_is_equality(outputs: Any, reference: Any) -> None:
    same = equal(outputs, reference)
    assert result("json_equality", outputs, reference, parse="off")["score"] is same
    distance = result("json_edit_distance", outputs, reference, parse="off")["score"]
    assert (distance == 0.0) is same
    assert result("json_edit_distance", reference, outputs, parse="off")["score"] == distance


@pytest.mark.parametrize("name", ["json_diff", "json_similarity", "json_equality", "json_edit_distance"])
@given(some.small_records)
def test_4_missing_is_not_null(name: str, record: dict[str, Any]) -> None:
    without = {key: value for key, value in record.items() if key != "a"}
    with_null = {**without, "a": None}
    assert result(name, without, with_null, parse="off")["score"] != FULL[name]
    same = result(name, without, with_null, parse="off", null_policy="null_equals_missing")
    assert same["score"] == FULL[name]


# ------------------------------------------------------------------------------ plain definitions


def is_leaf(value: Any) -> bool:
    return not isinstance(value, dict | list) or not value


def flat(value: Any, path: Path = ()) -> dict[Path, Any]:
    if is_leaf(value):
        return {path: value}
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return {place: leaf for step, inner in items for place, leaf in flat(inner, (*path, step)).items()}


SAME_SHAPE = (dict, list)


def misfits(outputs: Any, reference: Any) -> bool:
    return any(isinstance(reference, kind) and not isinstance(outputs, kind) for kind in SAME_SHAPE)


@given(some.small_documents, some.small_documents, st.booleans())
def test_diff_is_the_share_of_equal_leaves_by_path(
    outputs: Any, reference: Any, reference_only: bool
) -> None:
    assume(not misfits(outputs, reference))
    wanted, came = flat(reference), flat(outputs)
    paths = wanted.keys() if reference_only else wanted.keys() | came.keys()
    right = sum(path in wanted and path in came and equal(wanted[path], came[path]) for path in paths)
    found = result("json_diff", outputs, reference, parse="off", predict_keys=reference_only)
    assert found["score"] == pytest.approx(right / len(paths))
    assert found["extra"]["leaves"] == {"right": right, "total": len(paths)}


def grades(expected: Any, actual: Any) -> list[float]:
    """The scores of the leaves of the reference, `actual` MISSING where there is nothing."""
    if is_leaf(expected):
        if isinstance(expected, dict | list):
            return [float(type(expected) is type(actual))]
        if isinstance(expected, str) and isinstance(actual, str):
            return [distances.levenshtein(expected, actual)]
        numbers = all(type(one) in (int, float) for one in (expected, actual))
        if equal(expected, actual) or not numbers or not expected:
            return [float(equal(expected, actual))]
        off = abs(expected - actual) / abs(expected)
        return [1.0 if off <= 0.01 else max(0.0, 1 - off)] if off == off else [0.0]  # noqa: PLR0124
    if isinstance(expected, dict):
        came = actual if isinstance(actual, dict) else {}
        pairs = [(inner, came.get(name, fieldwise.MISSING)) for name, inner in expected.items()]
    else:
        rest = actual if isinstance(actual, list) else []
        pairs = [
            (inner, rest[at] if at < len(rest) else fieldwise.MISSING) for at, inner in enumerate(expected)
        ]
    return [grade for inner, there in pairs for grade in grades(inner, there)]


@given(some.small_documents, some.small_documents)
def test_similarity_is_the_mean_over_the_leaves_of_the_reference(outputs: Any, reference: Any) -> None:
    assume(not misfits(outputs, reference))
    leaves = grades(reference, outputs)
    found = result("json_similarity", outputs, reference, parse="off")
    assert found["score"] == pytest.approx(sum(leaves) / len(leaves))


# ---------------------------------------------------------------------------- one more wrong leaf

WRONG: Final[list[Any]] = ["never", None, {}, [], {"never": 1}, 10**9]


def spoiled(document: Any, wrongs: dict[Path, Any]) -> Any:
    """A copy with the leaves at some paths replaced."""
    document = copy.deepcopy(document)
    for path, wrong in wrongs.items():
        if not path:
            return copy.deepcopy(wrong)
        here = document
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = copy.deepcopy(wrong)
    return document


@pytest.mark.parametrize("name", ["json_diff", "json_similarity"])
@given(some.small_documents, st.data())
def test_one_more_wrong_leaf_never_raises_the_score(name: str, document: Any, data: Any) -> None:
    leaves = flat(document)
    some_paths = data.draw(st.lists(st.sampled_from(sorted(leaves, key=repr)), unique=True, min_size=1))
    wrongs = {path: data.draw(st.sampled_from(WRONG)) for path in some_paths}
    last = some_paths[-1]
    assume(not equal(leaves[last], wrongs[last]))
    fewer = {path: wrong for path, wrong in wrongs.items() if path != last}
    chosen = options(data, name, parse="off", lists={}, coerce=False, null_policy="distinct")
    before = result(name, spoiled(document, fewer), document, **chosen)["score"]
    after = result(name, spoiled(document, wrongs), document, **chosen)["score"]
    assert after <= before + 1e-12
    plain = name == "json_diff" and not chosen["compare_schema_only"]
    assert not plain or after < before


@given(st.lists(some.flat_records, min_size=1, max_size=5), st.data())
def test_nor_in_an_unordered_list(records: list[dict[str, Any]], data: Any) -> None:
    outputs = data.draw(st.permutations(records))
    at = data.draw(st.integers(0, len(outputs) - 1))
    assume(outputs[at])
    member = data.draw(st.sampled_from(sorted(outputs[at])))
    worse = spoiled(outputs, {(at, member): "never"})
    chosen: dict[str, Any] = {"lists": {"$": "same_elements"}, "predict_keys": True}
    assert result("json_diff", outputs, records, **chosen)["score"] == 1.0
    assert result("json_diff", worse, records, **chosen)["score"] < 1.0


# --------------------------------------------------------------------------------------- 8: bounds


@given(st.text("ab", max_size=60), st.text("ab", max_size=60), st.integers(1, 400))
def test_8_a_distance_in_pieces_is_a_bound(left: str, right: str, cells: int) -> None:
    from rapidfuzz.distance import Levenshtein

    exact = Levenshtein.distance(left, right)
    found = distances.bounded(Levenshtein.distance, left, right, cells)
    assert exact <= found <= len(left) + len(right)
    if distances.note(left, right, cells) is None:
        assert found == exact


@pytest.mark.parametrize("name", sorted(EVERY))
@settings(max_examples=20)  # the values are large, and few of a kind
@given(some.deep_values(), some.deep_values(), st.data())
def test_8_nothing_is_too_deep(name: str, outputs: Any, reference: Any, data: Any) -> None:
    chosen = options(data, name)
    result(name, outputs, reference, **chosen)
    if name in OPTIONS:
        assert result(name, outputs, outputs, **{**chosen, "parse": "off"})["score"] == FULL[name]
