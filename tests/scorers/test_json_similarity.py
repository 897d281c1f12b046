"""JSON similarity: its table, its options, and what a result shows."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from typing import Any, Final

import pytest

import fieldwise
from fieldwise import ConfigError
from fieldwise.comparators import exact
from fieldwise.scorers.json_similarity import similarity
from tests.scorers.single_forms import evaluate, score, status

LEAVES: Final[list[Any]] = [
    pytest.param("completed successfully", "completed sucessfully", 1 - 1 / 22, id="text by edit distance"),
    pytest.param("ABC", "abc", 0.0, id="its case counts"),
    pytest.param("", "abc", 0.0, id="empty text is like no other"),
    pytest.param(101, 100, 1.0, id="1 % above"),
    pytest.param(99, 100, 1.0, id="1 % below"),
    pytest.param(1.0101, 1, 1 - 0.0101, id="a little more"),
    pytest.param(90, 100, 0.9, id="10 % off"),
    pytest.param(-90, -100, 0.9, id="below zero"),
    pytest.param(250, 100, 0.0, id="more than its size off"),
    pytest.param(1e-300, 0, 0.0, id="nothing is near 0"),
    pytest.param(0, 1e-300, 0.0, id="nor is 0 near anything"),
    pytest.param(0.0, 0, 1.0, id="0 is 0.0"),
    pytest.param(float("inf"), float("inf"), 1.0, id="infinity is itself"),
    pytest.param(1e308, float("inf"), 0.0, id="and nothing else"),
    pytest.param(10**400 + 1, 10**400, 1.0, id="integers of any size"),
    pytest.param(9 * 10**399, 10**400, 0.9, id="are exact"),
    pytest.param(Decimal("1e999"), 1, 0.0, id="and decimals of any size"),
    pytest.param(Decimal("1e5000"), Decimal("2e5000"), 0.0, id="out of all bounds"),
    pytest.param(True, 1, 0.0, id="true is no number"),
    pytest.param("5", 5, 0.0, id="nor is text"),
    pytest.param(None, None, 1.0, id="null is null"),
    pytest.param("", None, 0.0, id="and not empty text"),
    pytest.param({"x": 1}, {}, 1.0, id="an empty object is met by any"),
    pytest.param([], {}, 0.0, id="but by no array"),
    pytest.param([1], [], 1.0, id="an empty array by any"),
]  # fmt: skip


@pytest.mark.parametrize(("actual", "expected", "right"), LEAVES)
def test_leaf(actual: Any, expected: Any, right: float) -> None:
    assert score("json_similarity", {"a": actual}, {"a": expected}) == pytest.approx(right)


DOCUMENTS: Final[list[Any]] = [
    pytest.param({"n": 5, "status": "complete"}, {"n": 5.0, "status": "complete"}, 1.0, id="equal"),
    pytest.param({"a": 1}, {"a": 1, "b": 2}, 0.5, id="missing keys are penalized"),
    pytest.param({"a": 1, "b": 2}, {"a": 1}, 1.0, id="extra keys are ignored"),
    pytest.param({"a": 1}, {"a": 1, "b": {"c": 1, "d": [1, 2]}}, 0.25, id="by each of their leaves"),
    pytest.param({"a": 5}, {"a": {"b": 1, "c": 2}}, 0.0, id="and of what has another shape"),
    pytest.param({"a": 1, "b": []}, {"a": 1, "b": {}}, 0.5, id="an empty container is one leaf"),
    pytest.param([1, 2, 3, 4], [1, 2], 1.0, id="extra elements are ignored"),
    pytest.param([1, 2], [1, 2, 3, 4], 0.5, id="missing ones are not"),
    pytest.param([3, 2, 1], [1, 2, 3], (1 + 1 / 3) / 3, id="lists by index"),
    pytest.param("hallo", "hello", 0.8, id="whole text"),
]  # fmt: skip


@pytest.mark.parametrize(("outputs", "reference", "right"), DOCUMENTS)
def test_document(outputs: Any, reference: Any, right: float) -> None:
    assert score("json_similarity", outputs, reference) == pytest.approx(right)


# --------------------------------------------------------------------------------------- criteria


@pytest.mark.parametrize("name", ["expectedOutput", "expected_output"])
def test_a_reference_may_come_in_an_envelope(name: str) -> None:
    assert score("json_similarity", {"a": 1}, {name: {"a": 1}}) == 1.0
    assert score("json_similarity", {"a": 1}, {name: '{"a": 1}'}) == 1.0
    assert score("json_similarity", {"output": "hello"}, {name: "hello"}) == 1.0
    assert score("json_similarity", {"output": "x", "b": 1}, {name: {"output": "x"}}) == 1.0
    assert status("json_similarity", {"a": 1}, {name: "{"}) == (None, "invalid_reference")


def test_an_envelope_is_one_only_as_sole_key_and_not_of_an_output_that_has_it_too() -> None:
    assert score("json_similarity", {"a": 1}, {"expectedOutput": {"a": 1}, "b": 1}) == 0.0
    document = {"expectedOutput": {"a": 1}}
    assert score("json_similarity", document, document) == 1.0


# ----------------------------------------------------------------------------------------- target

ANSWER: Final = {"result": {"score": 95, "text": "ok"}, "meta": 1}
NO_REFERENCE: Final = (None, "invalid_reference")
HALF: Final = (0.5, "graded")
TARGETS: Final[list[Any]] = [
    pytest.param("*", ANSWER, {"result": {"score": 95, "text": "ok"}}, (1.0, "graded"), id="everything"),
    pytest.param("result.score", ANSWER, {"result": {"score": 100}}, (0.95, "graded"), id="a path"),
    pytest.param("$.result.score", ANSWER, {"result": {"score": 95}}, (1.0, "graded"), id="as JSONPath"),
    pytest.param("/result/score", ANSWER, {"result": {"score": 95}}, (1.0, "graded"), id="as pointer"),
    pytest.param("result.score", ANSWER, 95, (1.0, "graded"), id="a reference that is no object"),
    pytest.param("answer", ANSWER, {"answer": 1}, (0.0, "graded"), id="missing in the output"),
    pytest.param("meta", ANSWER, {"result": 1}, (None, "invalid_reference"), id="missing in the reference"),
    pytest.param("answer", ANSWER, {"result": 1}, (None, "path_not_found"), id="missing in both"),
    pytest.param(["meta", "result.text"], ANSWER, {"meta": 1, "result": {"text": "a"}}, HALF, id="paths"),
    pytest.param(["meta", "answer"], ANSWER, {"meta": 1, "answer": 2}, (0.5, "graded"), id="one missing"),
    pytest.param(["meta", "result"], ANSWER, {"meta": 1}, (1.0, "graded"), id="one nobody expects"),
    pytest.param(["answer"], ANSWER, {"meta": 1}, (None, "path_not_found"), id="none there"),
    pytest.param(["meta"], ANSWER, {"answer": 1}, (None, "invalid_reference"), id="none expected"),
    pytest.param(["meta"], ANSWER, 7, (0.0, "graded"), id="paths beside a number"),
    pytest.param("a.b", {"a.b": 1, "a": {"b": 2}}, {"a": {"b": 2}}, NO_REFERENCE, id="literal key"),
    pytest.param("$..score", ANSWER, {"result": {"score": 95}}, (1.0, "graded"), id="a query"),
    pytest.param("$.x[*]", {"x": [1, 2]}, {"x": [1, 3]}, ((1 + 2 / 3) / 2, "graded"), id="places are a list"),
    pytest.param("a", {"a": '{"b": 1}'}, {"a": {"b": 1}}, (1.0, "graded"), id="text there is parsed"),
    pytest.param("a", {"a": '{"b": 1'}, {"a": {"b": 1}}, (0.0, "invalid_output"), id="if it can be"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "outputs", "reference", "right"), TARGETS)
def test_target_output_key(key: Any, outputs: Any, reference: Any, right: tuple[float | None, str]) -> None:
    found = status("json_similarity", outputs, reference, target_output_key=key)
    assert found == (pytest.approx(right[0]) if right[0] is not None else None, right[1])


def test_a_target_that_fails_on_a_document_is_not_evaluated() -> None:
    document = {"a": [{"b": "x", "pattern": "x" * 3_000}]}
    key = "$.a[?match(@.b, @.pattern)]"
    result = evaluate("json_similarity", document, document, target_output_key=key)
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert (result["comment"] or "").startswith(f"path {key!r}: the pattern ")


def test_a_target_nobody_has_is_named() -> None:
    result = evaluate("json_similarity", {"a": 1}, {"b": 1}, target_output_key="c.d")
    assert result["comment"] == "neither side has 'c.d'"
    result = evaluate("json_similarity", {"a": 1}, {"b": 1}, target_output_key="a")
    assert result["comment"] == "the reference has no 'a', which the output has"


# ---------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("tolerance", "right"), [(0, 0.99), (0.009, 0.99), (0.01, 1.0), (Decimal("0.01"), 1.0), (5, 1.0)]
)
def test_number_tolerance(tolerance: Any, right: float) -> None:
    assert score("json_similarity", {"a": 101}, {"a": 100}, number_tolerance=tolerance) == pytest.approx(
        right
    )


def test_comparators_take_the_place_of_the_table() -> None:
    outputs, reference = {"ref": "DOC-50018", "note": "abd"}, {"ref": "DOC-50019", "note": "abc"}
    assert score("json_similarity", outputs, reference) == pytest.approx((8 / 9 + 2 / 3) / 2)
    assert score("json_similarity", outputs, reference, comparators={"ref": "exact"}) == pytest.approx(1 / 3)
    assert score("json_similarity", outputs, reference, comparators={"$": exact()}) == 0.0


def test_a_comparator_that_fails_withholds_the_score() -> None:
    def broken(expected: Any, actual: Any) -> float:
        raise ValueError("no idea")

    result = evaluate("json_similarity", {"a": 1, "b": 1}, {"a": 2, "b": 1}, comparators={"a": broken})
    assert (result["score"], result["extra"]["status"], result["extra"]["support"]) == (
        None,
        "not_evaluated",
        0,
    )
    assert result["comment"] == "a: expected 2, got 1 (broken raised ValueError: no idea) [not_evaluated]"
    assert score("json_similarity", {"a": 2}, {"a": 2}, comparators={"a": broken}) == 1.0


def test_lists_pair_by_how_alike_their_elements_are() -> None:
    outputs, reference = [{"n": "beta"}, {"n": "alpha"}], [{"n": "alphb"}, {"n": "beta"}]
    assert score("json_similarity", outputs, reference, lists={"$": "same_elements"}) == pytest.approx(0.9)


WRONG_OPTIONS: Final[list[tuple[dict[str, Any], str]]] = [
    (
        {"number_tolerance": -1},
        "number_tolerance=-1: must be a finite number of at least 0, 0.01 for 1 % of the expected one",
    ),
    (
        {"number_tolerance": "1%"},
        "number_tolerance='1%': must be a finite number of at least 0, 0.01 for 1 % of the expected one",
    ),
    ({"target_output_key": 7}, "target_output_key=7: must be '*', a path, or a list of paths"),
    ({"target_output_key": []}, "target_output_key=[]: name at least one path, or '*' for the whole output"),
    (
        {"comparators": {"a": "exakt"}},
        "comparators['a']='exakt': there is no such comparator; did you mean 'exact'?",
    ),
]


@pytest.mark.parametrize(
    ("given", "message"), WRONG_OPTIONS, ids=[message[:30] for _, message in WRONG_OPTIONS]
)
def test_wrong_options(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_json_similarity_evaluator(**given)
    assert str(raised.value) == message


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, None, Decimal("NaN")])
def test_what_is_no_tolerance(value: Any) -> None:
    with pytest.raises(ConfigError, match=r"^number_tolerance="):
        similarity(value)


def test_a_target_that_parses_as_no_path() -> None:
    with pytest.raises(ConfigError, match=r"^target_output_key: path 'a\[': "):
        fieldwise.create_json_similarity_evaluator(target_output_key="a[")


# ---------------------------------------------------------------------------------------- results


def test_what_a_result_shows() -> None:
    result = evaluate("json_similarity", {"a": {"s": "abd"}, "n": 50}, {"a": {"s": "abc", "t": 1}, "n": 100})
    assert result["comment"] == (
        '3 of 3 leaves not right: a.s: expected "abc", got "abd" [similarity 0.6667]; '
        "a.t: expected 1, missing; n: expected 100, got 50 [similarity 0.5]"
    )
    assert result["extra"]["leaves"] == {"right": 0, "total": 3}
    assert result["extra"]["differences"][1] == {
        "path": "a.t",
        "score": 0.0,
        "comparator": "similarity",
        "expected": 1,
        "got": None,
        "kind": "missing",
        "reason": "missing",
    }
    assert result["extra"]["support"] == 3


def test_long_text_is_compared_in_pieces_and_says_so() -> None:
    long = "".join(chr(97 + at * at % 25) for at in range(500_000))
    began = time.process_time()
    result = evaluate("json_similarity", {"s": long[::-1]}, {"s": long})
    assert time.process_time() - began < 10
    assert 0 < (result["score"] or 0) < 1
    assert result["extra"]["estimated"] == 1
    assert result["extra"]["differences"][0]["reason"] == (
        "500,000 x 500,000 characters were compared in pieces: a bound, not the exact value"
    )


def test_long_text_that_differs_in_one_place_is_exact() -> None:
    long = "ab" * 250_000
    result = evaluate("json_similarity", {"s": long[:-7] + "x" + long[-6:]}, {"s": long})
    assert result["score"] == 1 - 1 / 500_000
    assert "estimated" not in result["extra"]


def test_what_is_shown_is_bounded() -> None:
    outputs = {f"k{at}": "y" * 1_000 for at in range(1_000)}
    result = evaluate("json_similarity", outputs, dict.fromkeys(outputs, "x" * 1000))
    assert len(result["extra"]["differences"]) == 50
    assert (result["comment"] or "").endswith("; and 995 more")
    assert len(json.dumps(result)) < 60_000


# ------------------------------------------------------------------------------- what people reported


def test_s02_absent_on_both_sides_is_neutral_where_null_means_absent() -> None:
    nulls = dict.fromkeys("bcde")
    outputs, reference = {"a": "Blue Pine Ltd", **nulls}, {"a": "Red Oak Inc", **nulls}
    options: dict[str, Any] = {"comparators": {"a": "exact"}}
    assert score("json_similarity", outputs, reference, **options) == pytest.approx(0.8)
    result = evaluate("json_similarity", outputs, reference, null_policy="null_equals_missing", **options)
    assert (result["score"], result["extra"]["support"]) == (0.0, 1)
    nothing = evaluate("json_similarity", nulls, {}, null_policy="null_equals_missing")
    assert (nothing["score"], nothing["extra"]["support"]) == (1.0, 0)


def test_s03_what_is_left_out_is_lost() -> None:
    result = evaluate("json_similarity", {}, {"a": "Oslo", "b": "Bergen"})
    assert (result["score"], result["extra"]["passed"]) == (0.0, False)
    assert [one["kind"] for one in result["extra"]["differences"]] == ["missing", "missing"]


def test_s24_null_is_not_empty_text_unless_it_is_said_to_be() -> None:
    sides = {"a": None, "b": ""}, {"a": "", "b": None}
    for outputs, reference in (sides, sides[::-1]):
        assert score("json_similarity", outputs, reference) == 0.0
        assert score("json_similarity", outputs, reference, null_policy="empty_equals_null") == 1.0
