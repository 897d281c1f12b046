"""Grounded fields: which values are looked for, in which texts, and what is said of them."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from fieldwise.errors import ConfigError
from fieldwise.evaluators.grounding import (
    create_async_grounded_fields_evaluator,
    create_grounded_fields_evaluator,
)
from tests.test_example import JSON

TEXTS = ["Receipt of the Corner Café, 5 May 2024.", "2 x Tea 3.50\nTotal: 1.234,50 EUR"]
OUTPUT = {
    "shop": "corner café",
    "total": 1234.5,
    "items": [{"name": "Tea", "qty": 2}, {"name": "Cake", "qty": 1}],
    "note": None,
    "paid": True,
}


def ground(outputs: Any, texts: Any = None, more: dict[str, Any] | None = None, **options: Any) -> list[Any]:
    """The results, once sync and async gave the same and they can be written."""
    given = {"outputs": outputs, **({} if texts is None else {"retrieval_context": texts}), **(more or {})}
    evaluator: Any = create_grounded_fields_evaluator(**options)
    awaited: Any = create_async_grounded_fields_evaluator(**options)
    found: list[Any] = evaluator(**given)
    assert asyncio.run(awaited(**given)) == found
    json.dumps(found, allow_nan=False).encode()
    assert all(one["metadata"] == one["extra"] for one in found)
    return found


def scores(found: list[Any]) -> dict[str, Any]:
    return {one["key"].removeprefix("grounded_fields:"): one["score"] for one in found}


def statuses(found: list[Any]) -> dict[str, str]:
    return {one["key"].removeprefix("grounded_fields:"): one["extra"]["status"] for one in found}


def test_a_result_for_each_field_then_the_aggregate() -> None:
    found = ground(OUTPUT, TEXTS)
    assert scores(found) == {
        "shop": 1.0,
        "total": 1.0,
        "items[*].name": 0.5,
        "items[*].qty": 0.5,
        "note": None,
        "paid": None,
        "aggregate_score": 0.75,
    }
    assert statuses(found)["note"] == statuses(found)["paid"] == "not_applicable"
    names = found[2]
    assert names["comment"] == 'items[1].name: "Cake" is not in the 2 texts'
    assert names["extra"] == {
        "status": "graded",
        "path": "items[*].name",
        "passed": False,
        "threshold": 1.0,
        "support": 2,
        "spans": [
            {
                "path": "items[0].name",
                "document": 1,
                "start": 4,
                "end": 7,
                "text": "Tea",
                "how": "literal",
                "similarity": 1.0,
            }
        ],
        "missing": ["items[1].name"],
    }
    assert found[-1]["extra"] == {
        "status": "graded",
        "path": "$",
        "passed": False,
        "threshold": 1.0,
        "support": 4,
        "documents": 2,
    }


def test_near_finds_are_told() -> None:
    (field, _) = ground({"shop": "Corner Cafe, 5 May"}, TEXTS)
    assert field["score"] == 1.0
    assert field["comment"] == 'shop: "Corner Cafe, 5 May" is there as "Corner Café, 5 May"'
    assert field["extra"]["spans"][0]["how"] == "fuzzy"
    assert 0.9 <= field["extra"]["spans"][0]["similarity"] < 1
    assert scores(ground({"shop": "Corner Cafe, 5 May"}, TEXTS, method="literal"))["shop"] == 0.0
    assert scores(ground({"shop": "Corner Cafe, 5 May"}, TEXTS, min_similarity=0.97))["shop"] == 0.0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"fields": ["total"]}, {"total": 1.0, "aggregate_score": 1.0}),
        ({"fields": ["items[*].qty"]}, {"items[*].qty": 0.5, "aggregate_score": 0.5}),
        ({"fields": ["items"]}, {"items": 0.5, "aggregate_score": 0.5}),
        (
            {"fields": ["/items/0/qty", "$.shop"]},
            {"/items/0/qty": 1.0, "$.shop": 1.0, "aggregate_score": 1.0},
        ),
        ({"fields": ["nope", "shop"]}, {"nope": None, "shop": 1.0, "aggregate_score": 1.0}),
        ({"fields": ["note"]}, {"note": None, "aggregate_score": None}),
        (
            {"exclude_keys": ["items", "note", "paid"]},
            {"shop": 1.0, "total": 1.0, "aggregate_score": 1.0},
        ),
        (
            {"fields": ["items[1].name", "items[*].qty"], "exclude_keys": ["items[0]"]},
            {"items[1].name": 0.0, "items[*].qty": 0.0, "aggregate_score": 0.0},
        ),
        ({"fields": ["paid"], "method": "literal"}, {"paid": 0.0, "aggregate_score": 0.0}),
        ({"fields": ["total"], "numbers": False}, {"total": 0.0, "aggregate_score": 0.0}),
        ({"fields": ["total"], "locale": "en"}, {"total": 0.0, "aggregate_score": 0.0}),
        ({"fields": ["total"], "locale": "de"}, {"total": 1.0, "aggregate_score": 1.0}),
        (
            {"fields": ["shop"], "ignore_case": False, "method": "literal"},
            {"shop": 0.0, "aggregate_score": 0.0},
        ),
    ],
    ids=repr,
)  # fmt: skip
def test_options(options: dict[str, Any], expected: dict[str, Any]) -> None:
    assert scores(ground(OUTPUT, TEXTS, **options)) == expected


def test_accents() -> None:
    assert scores(ground("cafe", TEXTS, method="literal"))["$"] == 0.0
    assert scores(ground("cafe", TEXTS, method="literal", ignore_accents=True))["$"] == 1.0


def test_paths_keep_their_indices_beside_what_is_excluded() -> None:
    (field, _) = ground({"a": ["x", "Tea"]}, TEXTS, exclude_keys=["a[0]"])
    assert field["extra"]["spans"][0]["path"] == "a[1]"


def test_threshold_is_what_passes() -> None:
    found = ground(OUTPUT, TEXTS, threshold=0.5)
    assert [one["extra"]["passed"] for one in found] == [True, True, True, True, False, False, True]


# ----------------------------------------------------------------------------------------- the texts


@pytest.mark.parametrize(
    "more",
    [
        {"retrieval_context": TEXTS},
        {"retrieval_context": tuple(TEXTS)},
        {"retrieval_context": "\n".join(TEXTS)},
        {"retrieval_context": [Document(page_content=text) for text in TEXTS]},
        {"retrieval_context": [{"text": text, "score": 1} for text in TEXTS]},
        {"context": TEXTS},
        {"retrieval_context": None, "context": TEXTS},
        {"retrieval_context": TEXTS, "context": ["else"]},
    ],
    ids=lambda one: str(one)[:60],
)
def test_where_texts_come_from(more: dict[str, Any]) -> None:
    assert scores(ground({"total": 1234.5}, more=more)) == {"total": 1.0, "aggregate_score": 1.0}


@pytest.mark.parametrize(
    ("key", "more"),
    [
        ("docs", {"inputs": {"docs": TEXTS}}),
        ("docs[*].page_content", {"inputs": {"docs": [{"page_content": text} for text in TEXTS]}}),
        ("docs", {"inputs": {"docs": [Document(page_content=text) for text in TEXTS]}}),
        ("retrieval_context", {"reference_outputs": {"output": "x", "retrieval_context": TEXTS}}),
        ("docs", {"inputs": {"docs": ["else"]}, "reference_outputs": {"docs": TEXTS}}),
        ("docs", {"inputs": {"docs": ["else"]}, "retrieval_context": TEXTS}),
        ("$", {"inputs": TEXTS[1]}),
    ],
    ids=str,
)
def test_context_key(key: str, more: dict[str, Any]) -> None:
    assert scores(ground({"total": 1234.5}, more=more, context_key=key))["total"] == 1.0


@pytest.mark.parametrize(
    ("more", "options", "reason"),
    [
        (
            {},
            {},
            (
                "no retrieval_context was given: pass retrieval_context= or context=, or name the key that "
                "holds it with context_key"
            ),
        ),
        (
            {"inputs": {"docs": ["a"]}},
            {"context_key": "doc"},
            "no retrieval_context was given: inputs has no key 'doc'; its keys: 'docs'; did you mean 'docs'?",
        ),
        ({"retrieval_context": 3}, {}, "retrieval_context: 3 is no text, nor a document with one"),
        ({"context": ["a", None]}, {}, "context[1]: null is no text, nor a document with one"),
        (
            {"context": [{"page": 1}]},
            {},
            'context[0]: {"page":1} is no text, nor a document with one',
        ),
        (
            {"context": [SimpleNamespace()]},
            {},
            "context: types.SimpleNamespace at [0] has no JSON form; convert it first",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_without_texts_nothing_is_graded(more: Any, options: Any, reason: str) -> None:
    found = ground(OUTPUT, more=more, **options)
    assert statuses(found) == {"aggregate_score": "invalid_reference"}
    assert found[0]["score"] is None
    assert found[0]["comment"] == reason
    named = ground(OUTPUT, more=more, fields=["shop"], **options)
    assert statuses(named) == {"shop": "invalid_reference", "aggregate_score": "invalid_reference"}


def test_no_texts_hold_nothing() -> None:
    assert scores(ground({"a": "x"}, [])) == {"a": 0.0, "aggregate_score": 0.0}


# ---------------------------------------------------------------------------------------- the output


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ({}, {"$": None, "aggregate_score": None}),
        (None, {"$": None, "aggregate_score": None}),
        ({"a": [], "b": {}, "c": " "}, {"a": None, "b": None, "c": None, "aggregate_score": None}),
        ("Total", {"$": 1.0, "aggregate_score": 1.0}),
        (["Tea", "Milk"], {"[*]": 0.5, "aggregate_score": 0.5}),
        ('```json\n{"item": "Tea"}\n```', {"item": 1.0, "aggregate_score": 1.0}),
        ({"output": '{"item": "Tea"}'}, {"item": 1.0, "aggregate_score": 1.0}),
        ({"a.b": "Tea", "a": {"b": "Milk"}}, {"['a.b']": 1.0, "a.b": 0.0, "aggregate_score": 0.5}),
        ({"n": float("nan")}, {"n": 0.0, "aggregate_score": 0.0}),
    ],
    ids=repr,
)  # fmt: skip
def test_outputs(outputs: Any, expected: dict[str, Any]) -> None:
    assert scores(ground(outputs, TEXTS)) == expected


@pytest.mark.parametrize("outputs", ['{"a": ', {"a": object()}], ids=["cut off", "no JSON"])
def test_an_output_that_cannot_be_read_is_zero(outputs: Any) -> None:
    found = ground(outputs, TEXTS, fields=["a"])
    assert scores(found) == {"a": 0.0, "aggregate_score": 0.0}
    assert set(statuses(found).values()) == {"invalid_output"}


def test_a_query_that_cannot_run_grades_nothing() -> None:
    outputs = {"a": [{"p": "(" * 100_000, "t": "x"}]}
    found = ground(outputs, TEXTS, fields=["$.a[?match(@.t, @.p)]"])
    assert statuses(found)["aggregate_score"] in {"not_applicable", "not_evaluated"}


def test_outputs_key() -> None:
    found = ground({"answer": {"item": "Tea"}, "log": "x"}, TEXTS, outputs_key="answer")
    assert scores(found) == {"item": 1.0, "aggregate_score": 1.0}


def test_feedback_key_replaces_the_name() -> None:
    assert [one["key"] for one in ground("Tea", TEXTS, feedback_key="g")] == ["g:$", "g:aggregate_score"]


@given(JSON, st.lists(st.text(max_size=12), max_size=3), st.sampled_from(["literal", "fuzzy"]))
def test_spans_are_exact_and_scores_in_range(outputs: Any, texts: list[str], method: str) -> None:
    found = ground(outputs, texts, method=method)
    assert found[-1]["key"] == "grounded_fields:aggregate_score"
    for one in found:
        assert one["score"] is None or 0 <= one["score"] <= 1
        for span in one["extra"].get("spans", ()):
            assert texts[span["document"]][span["start"] : span["end"]] == span["text"] != ""


@given(st.lists(st.from_regex(r"[a-z]{1,6}( [A-Z][a-zé]{1,6})?", fullmatch=True), min_size=1, max_size=4))
def test_what_is_there_is_found(values: list[str]) -> None:
    text = "; ".join(values)
    found = ground({f"k{at}": one for at, one in enumerate(values)}, ["nothing", text])
    assert found[-1]["score"] == 1.0
    for one, value in zip(found, values, strict=False):
        (span,) = one["extra"]["spans"]
        assert text[span["start"] : span["end"]].casefold() == value.casefold()


# ----------------------------------------------------------------------------------------- the options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fields": []}, "fields=[]: name at least one field, or leave it out for all values"),
        ({"fields": "total"}, "fields='total': must be a list of keys or paths, for one write ['total']"),
        ({"fields": ["a", "a"]}, "fields: 'a' is named twice; name each field once"),
        ({"method": "fuzy"}, "method='fuzy': must be one of 'literal', 'fuzzy'; did you mean 'fuzzy'?"),
        ({"min_similarity": 0.5}, "min_similarity=0.5: must be a number above 0.5 and at most 1"),
        ({"min_similarity": True}, "min_similarity=True: must be a number above 0.5 and at most 1"),
        ({"ignore_case": 1}, "ignore_case=1: must be True or False"),
        ({"threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
        ({"feedback_key": ""}, "feedback_key='': must be text, and not empty"),
        (
            {"fields": ["a", "b."]},
            "fields[1]: path 'b.': a name is missing at position 2; did you mean 'b'?",
        ),
        (
            {"context_key": "b."},
            "context_key: path 'b.': a name is missing at position 2; did you mean 'b'?",
        ),
        (
            {"locale": "xx"},
            "grounded_fields(locale='xx'): there is no such locale here; state decimal and group instead",
        ),
        (
            {"contxt_key": "a"},
            "create_grounded_fields_evaluator: there is no option 'contxt_key'; did you mean 'context_key'?",
        ),
    ],
    ids=str,
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        create_grounded_fields_evaluator(**options)
    assert str(raised.value) == message


@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.parametrize(("text", "score"), [("1" + "0" * 5_000, 1.0), ("none", 0.0)], ids=["there", "not"])
def test_a_number_of_five_thousand_digits(numbers: bool, text: str, score: float) -> None:
    evaluate: Any = create_grounded_fields_evaluator(numbers=numbers)
    found = evaluate(outputs={"a": 10**5000}, retrieval_context=[f"total {text}"])
    json.dumps(found)
    assert [one["score"] for one in found] == [score] * 2


def test_a_comment_is_bounded_however_deep_the_value_is() -> None:
    value: Any = "x"
    for _ in range(5_000):
        value = {"a": value}
    evaluate: Any = create_grounded_fields_evaluator()
    found = evaluate(outputs=value, retrieval_context=["none"])
    assert [len(one["comment"]) for one in found] == [400, 400]
