"""The laws of the text evaluators, as properties over their options.

The numbers are those of test_laws.py. What has a plain definition is compared with it: `in`, `startswith`,
`endswith`, JSON equality, and an edit distance written out.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import fieldwise
from fieldwise.core.equality import equal
from tests.laws import strategies as some
from tests.scorers.single_forms import check_shape, evaluate, score, status

pytestmark = pytest.mark.filterwarnings("ignore:field_match is deprecated:DeprecationWarning")

METRICS: Final = [
    "levenshtein", "damerau_levenshtein", "osa", "indel", "jaro", "jaro_winkler", "lcs", "hamming", "prefix",
    "postfix", "ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "token_ratio",
    "partial_token_sort_ratio", "partial_token_set_ratio", "partial_token_ratio", "WRatio", "QRatio",
]  # fmt: skip
CASE: Final[dict[str, Any]] = {"ignore_case": st.sampled_from([None, False, True])}
AIM: Final[dict[str, Any]] = {
    "negated": st.booleans(),
    "target_output_key": st.sampled_from(["*", "*", "*", "a", "a.b", ["a", "b"], "$..a", "[*]"]),
    "outputs_key": st.sampled_from([None, None, None, "a", "output"]),
}
ASKED: Final[dict[str, Any]] = {"correct_answer_key": st.sampled_from([None, None, None, "a", "output"])}
PATTERNS: Final = [None, "a", r"\d+", "(a+)+$", ".*", "^$"]
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "exact_match": {
        **CASE, **AIM, **ASKED,
        "null_policy": st.sampled_from(["distinct", "null_equals_missing", "empty_equals_null"]),
        "coerce": st.booleans(),
    },
    "contains": {**CASE, **AIM, "search_text": st.sampled_from([None, "a", "null", '"a":1', "\ud800"])},
    "contains_any": {**CASE, **AIM, "substrings": st.sampled_from([None, ["a"], ["a", "ß"]])},
    "contains_all": {**CASE, **AIM, "substrings": st.sampled_from([None, ["a"], ["a", "ß"]])},
    "starts_with": {**CASE, **AIM, "prefix": st.sampled_from([None, "a", "{"])},
    "ends_with": {**CASE, **AIM, "suffix": st.sampled_from([None, "a", "}"])},
    "regex_match": {
        **CASE, **AIM,
        "pattern": st.sampled_from(PATTERNS),
        "mode": st.sampled_from(["search", "match", "fullmatch"]),
        "timeout": st.just(0.05),
    },
    "string_similarity": {**CASE, **AIM, **ASKED, "metric": st.sampled_from(METRICS)},
    "contains_json": {**AIM, "parse": st.sampled_from(["strict", "lenient"])},
    "field_match": {
        **ASKED,
        "json_field": st.sampled_from(some.ODD_KEYS),
        "parse": st.sampled_from(["lenient", "strict", "off"]),
    },
}  # fmt: skip
EVERY: Final = pytest.mark.parametrize("name", sorted(OPTIONS))
texts = st.one_of(st.sampled_from(some.TEXTS), st.text(max_size=8), st.text("aAßéI", max_size=4))
words = texts.filter(bool)


def chosen(data: st.DataObject, name: str) -> dict[str, Any]:
    return data.draw(st.fixed_dictionaries(OPTIONS[name]), label="options")


# ----------------------------------------------------------------------------------- 1: full marks


@given(some.json_values, st.fixed_dictionaries({**CASE, **OPTIONS["exact_match"]}))
def test_1_exact_match_accepts_a_document_itself(document: Any, options: dict[str, Any]) -> None:
    options |= {"negated": False, "target_output_key": "*", "outputs_key": None, "correct_answer_key": None}
    assert status("exact_match", document, copy.deepcopy(document), **options) == (True, "graded")


@given(some.json_values, st.sampled_from(METRICS), st.booleans())
def test_1_string_similarity_of_a_value_and_itself(value: Any, metric: str, fold: bool) -> None:
    sides = {"answer": value}, {"expected": copy.deepcopy(value)}
    found = status("string_similarity", *sides, metric=metric, ignore_case=fold)
    assert found == (1.0, "graded")


@pytest.mark.parametrize("name", ["contains", "starts_with", "ends_with"])
@given(texts, st.booleans())
def test_1_a_text_holds_itself(name: str, text: str, fold: bool) -> None:
    assert status(name, text, text, ignore_case=fold) == (True, "graded")


@pytest.mark.parametrize("name", ["contains_any", "contains_all"])
@given(st.lists(words, min_size=1, max_size=4), st.booleans())
def test_1_a_list_holds_its_texts(name: str, many: list[str], fold: bool) -> None:
    assert status(name, many, many, ignore_case=fold) == (True, "graded")


@settings(max_examples=20)
@given(some.deep_values())
def test_1_deep_values_are_answered_for(value: Any) -> None:
    assert score("exact_match", value, copy_of(value)) is True
    assert score("exact_match", value, copy_of(value), ignore_case=True) is True
    assert score("contains_json", value) is (isinstance(value, dict | list))
    assert score("contains", value, search_text="no such text") in {False, None}
    evaluate("string_similarity", {"a": value}, "x")


def copy_of(value: Any) -> Any:
    """A copy of a value of one member on each level, however deep."""
    root: list[Any] = [None]
    into, at = root, 0
    while isinstance(value, dict | list) and value:
        copied: Any = {} if isinstance(value, dict) else [None]
        into[at] = copied
        into, at = copied, next(iter(value)) if isinstance(value, dict) else 0
        value = value[at]
    into[at] = value
    return root[0]


# ------------------------------------------------------------------------- 2: range, forms and order


@EVERY
@given(some.anything, some.anything, st.data())
def test_2_any_data_is_answered_for_in_every_form(
    name: str, outputs: Any, reference: Any, data: st.DataObject
) -> None:
    options = chosen(data, name)
    if options.get("correct_answer_key") is not None and stated(options):
        options["correct_answer_key"] = None
    result = evaluate(name, outputs, reference, **options)
    assert type(result["score"]) in ({float} if name == "string_similarity" else {bool}) | {type(None)}


def stated(options: dict[str, Any]) -> bool:
    return any(options.get(one) for one in ("search_text", "substrings", "prefix", "suffix", "pattern"))


@EVERY
@given(some.anything, st.data())
def test_2_a_missing_side_is_answered_for(name: str, value: Any, data: st.DataObject) -> None:
    options = chosen(data, name)
    needed = name != "contains_json" and not stated(options)
    if needed:
        assert status(name, value, **options) == (None, "invalid_reference")
    found = evaluate(name, fieldwise.MISSING, value, **options)
    assert found["score"] in ({False, None} if needed else {False})
    assert found["extra"]["status"] in {"invalid_output", "invalid_reference"}


@EVERY
@given(some.small_records, some.small_records, st.data())
def test_2_the_order_of_members_never_counts(
    name: str, outputs: Any, reference: Any, data: st.DataObject
) -> None:
    options = chosen(data, name)
    before = evaluate(name, outputs, reference, **options)
    turned = (dict(reversed(one.items())) for one in (outputs, reference))
    assert evaluate(name, *turned, **options)["score"] == before["score"]


@pytest.mark.parametrize("name", sorted(OPTIONS.keys() - {"field_match"}))
@given(some.anything, some.anything, st.data())
def test_2_negation_turns_what_is_graded(
    name: str, outputs: Any, reference: Any, data: st.DataObject
) -> None:
    options = {**chosen(data, name), "target_output_key": "*"}
    plain, turned = (
        evaluate(name, outputs, reference, **{**options, "negated": negated}) for negated in (False, True)
    )
    assert turned["extra"]["status"] == plain["extra"]["status"]
    if plain["extra"]["status"] != "graded":
        assert turned["score"] is plain["score"] or plain["score"] == turned["score"] == 0.0
    elif plain["score"] is not None:
        assert turned["score"] == pytest.approx(1 - plain["score"])


@pytest.mark.parametrize("name", sorted(OPTIONS.keys() - {"field_match"}))
@given(some.small_records, st.booleans(), st.data())
def test_2_nothing_at_the_target_is_0_negated_or_not(
    name: str, outputs: Any, negated: bool, data: st.DataObject
) -> None:
    aim = {"target_output_key": "zz", "outputs_key": None, "correct_answer_key": None, "negated": negated}
    options = {**chosen(data, name), **aim}
    assert evaluate(name, outputs, "x", **without_unknown(name, options))["score"] == 0


def without_unknown(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that an evaluator has."""
    known = OPTIONS[name].keys()
    return {option: value for option, value in options.items() if option in known}


# -------------------------------------------------------------------------- 3: equality and exactness


@given(some.small_values, some.small_values)
@example({"a": 5, "b": {"x": 1.0, "y": 2}}, {"b": {"y": 2.0, "x": 1}, "a": 5.0})
@example("1", 1)
@example(True, 1)
@example(2**53 + 1, float(2**53))
@example(0.1 + 0.2, 0.3)
@example(math.nan, math.nan)
def test_3_exact_match_is_json_equality(outputs: Any, reference: Any) -> None:
    assume(not any(isinstance(one, dict) and one.keys() & {"output"} for one in (outputs, reference)))
    assert score("exact_match", outputs, reference) is equal(reference, outputs)
    assert score("exact_match", reference, outputs) is equal(reference, outputs)


@given(some.small_documents, some.small_documents)
def test_3_exact_match_ignoring_case_is_equality_of_what_is_folded(outputs: Any, reference: Any) -> None:
    expected = equal(folded(reference), folded(outputs))
    assert score("exact_match", outputs, reference, ignore_case=True) is expected


def folded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: folded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [folded(item) for item in value]
    return value.casefold() if isinstance(value, str) else value


ORACLES: Final[dict[str, Callable[[str, str], bool]]] = {
    "contains": str.__contains__,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
}


@pytest.mark.parametrize("name", sorted(ORACLES))
@given(texts, words, st.booleans())
@example("STRASSE 7", "straße", True)
@example("cafe\u0301", "café", False)
@example("a\x00b", "\x00", False)
def test_3_text_is_searched_as_it_is(name: str, text: str, sought: str, fold: bool) -> None:
    oracle = ORACLES[name]
    expected = oracle(text.casefold(), sought.casefold()) if fold else oracle(text, sought)
    assert score(name, text, sought, ignore_case=fold) is expected
    if name != "contains":  # which looks into the whole of an output
        assert score(name, {"answer": text}, {"expected": sought}, ignore_case=fold) is expected


@given(some.documents, st.lists(words, min_size=1, max_size=4), st.booleans())
def test_3_any_and_all_are_made_of_contains(outputs: Any, many: list[str], fold: bool) -> None:
    found = [score("contains", outputs, one, ignore_case=fold) for one in many]
    assert score("contains_any", outputs, many, ignore_case=fold) is any(found)
    assert score("contains_all", outputs, many, ignore_case=fold) is all(found)


@given(some.records, st.data())
def test_3_an_object_holds_its_texts_names_and_canonical_numbers(record: Any, data: st.DataObject) -> None:
    record = {**record, "id": 12345678901234567890, "note": 'it\'s "x"\n\\'}
    for sought in ('it\'s "x"\n\\', '"id":12345678901234567890', "note"):
        assert score("contains", record, sought, ignore_case=data.draw(st.booleans())) is True
    assert score("contains", record, "'id'") is ("'id'" in str(record.values()))


@given(st.text("abAB", max_size=6), st.text("abAB", max_size=6))
def test_3_levenshtein_is_edits_over_the_longer_length(left: str, right: str) -> None:
    longest = max(len(left), len(right))
    expected = 1 - edits(left, right) / longest if longest else 1.0
    assert score("string_similarity", left, right) == pytest.approx(expected)


def edits(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(texts, texts, st.sampled_from(METRICS), st.booleans())
def test_3_string_similarity_is_symmetric(left: str, right: str, metric: str, fold: bool) -> None:
    there = score("string_similarity", left, right, metric=metric, ignore_case=fold)
    assert score("string_similarity", right, left, metric=metric, ignore_case=fold) == pytest.approx(there)


# ------------------------------------------------------------------------------ 7: text and JSON


@given(some.small_records, st.sampled_from(["exact_match", "string_similarity"]))
def test_7_json_in_text_is_text(record: Any, name: str) -> None:
    found = score(name, json.dumps(record), {"expectedOutput": record})
    assert found is None if name == "string_similarity" and len(record) != 1 else found < 1


finite = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=4), finite, min_size=1, max_size=4),
    st.text("abc ,.\n", max_size=10),
    st.text("abc ,.\n", max_size=10),
    st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```", "answer: {}"]),
)
def test_7_an_object_is_found_in_any_text(record: Any, before: str, after: str, wrap: str) -> None:
    text = before + "\n" + wrap.replace("{}", json.dumps(record)) + "\n" + after
    assert score("contains_json", text) is True
    assert score("contains_json", text, negated=True) is False


@given(st.text(st.characters(exclude_characters="[{"), max_size=30))
def test_7_there_is_no_json_without_a_bracket(text: str) -> None:
    assert status("contains_json", text) == (False, "graded")
    assert score("contains_json", text, parse="lenient") is False


@given(some.model_text())
def test_7_strict_json_is_lenient_json(text: str) -> None:
    strict, lenient = (score("contains_json", text, parse=how) for how in ("strict", "lenient"))
    assert not strict or lenient


@given(some.records, st.sampled_from(some.ODD_KEYS), some.json_values)
def test_7_field_match_finds_a_member_by_its_name(record: Any, name: str, value: Any) -> None:
    sync: Any = fieldwise.create_field_match_evaluator(json_field=name, correct_answer_key="answer")
    result = sync(inputs={"answer": copy.deepcopy(value)}, outputs={**record, "more": 1, name: value})
    check_shape(result)
    assert result["score"] is True


@given(st.dictionaries(st.text("abc", max_size=3), finite, min_size=1, max_size=3), st.booleans())
def test_7_field_match_reads_the_output_and_never_what_is_expected(record: Any, wrapped: bool) -> None:
    name, value = next(iter(record.items()))
    text = json.dumps(record)
    outputs = {"output": text} if wrapped else text
    sync: Any = fieldwise.create_field_match_evaluator(json_field=name, correct_answer_key="answer")
    assert sync(inputs={"answer": value}, outputs=outputs)["score"] is True
    told = sync(inputs={"answer": json.dumps(value)}, outputs=outputs)["score"]
    assert told is (isinstance(value, str) and json.dumps(value) == value)
