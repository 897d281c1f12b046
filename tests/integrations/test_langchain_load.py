"""`load_evaluator`: LangChain's names, ours, and what is said of every other."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

import fieldwise
from fieldwise import ConfigError
from fieldwise.integrations import langchain
from fieldwise.integrations.langchain import load_evaluator

NAMED = {
    "exact_match": "ExactMatchStringEvaluator",
    "json_edit_distance": "JsonEditDistanceEvaluator",
    "json_equality": "JsonEqualityEvaluator",
    "json_schema_validation": "JsonSchemaEvaluator",
    "json_validity": "JsonValidityEvaluator",
    "pairwise_string_distance": "PairwiseStringDistanceEvalChain",
    "regex_match": "RegexMatchStringEvaluator",
    "string_distance": "StringDistanceEvalChain",
}
OPTIONS: dict[str, Any] = {
    "exact_match": {"ignore_case": True},
    "json_edit_distance": {"canonicalize": str},
    "json_equality": {"operator": max},
    "regex_match": {"flags": 2},
    "string_distance": {"distance": "hamming"},
}
OURS = sorted(
    name.removeprefix("create_").removesuffix("_string_evaluator")
    for name in fieldwise.__all__
    if name.endswith("_string_evaluator")
)
UNKNOWN = "there is no such evaluator"
KNOWN = ", ".join(sorted({*NAMED, *OURS}))


class Kind(str, Enum):  # noqa: UP042 - as LangChain's is
    """An enum of names."""

    JSON_EQUALITY = "json_equality"


@pytest.mark.parametrize("name", NAMED)
def test_langchains_names(name: str) -> None:
    assert type(load_evaluator(name, llm=None)) is getattr(langchain, NAMED[name])
    assert type(load_evaluator(name, **OPTIONS.get(name, {}))) is getattr(langchain, NAMED[name])


def test_report_a03_a_name_that_is_documented_is_there() -> None:
    given = {"prediction": '{"a": 1}', "reference": '{"type": "object"}'}
    found = load_evaluator("json_schema").evaluate_strings(**given)
    assert (found["score"], found["metadata"]["status"]) == (True, "graded")
    assert load_evaluator("json_schema_validation").evaluate_strings(**given) == {"score": True}


def test_an_enum_is_its_value() -> None:
    assert type(load_evaluator(Kind.JSON_EQUALITY)) is langchain.JsonEqualityEvaluator


def test_options_are_passed_on() -> None:
    evaluator = load_evaluator("exact_match", ignore_case=True, ignore_numbers=True)
    assert evaluator.evaluate_strings(prediction="QX1", reference="qx22") == {"score": 1}


@pytest.mark.parametrize("name", [name for name in OURS if name not in NAMED])
def test_every_string_evaluator_of_ours_is_known(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_evaluator(name, no_such_option=1)
    assert str(caught.value).startswith(
        f"load_evaluator({name!r}, no_such_option=…): there is no such option"
    )


def test_ours_are_what_their_factories_make() -> None:
    options: dict[str, Any] = {"aggregator": "average", "depth": "leaves"}
    given = {"prediction": '{"a": 1, "b": 2}', "reference": '{"a": 1, "b": 3}'}
    expected = fieldwise.create_json_match_string_evaluator(**options).evaluate_strings(**given)
    assert load_evaluator("json_match", **options).evaluate_strings(**given) == expected
    assert expected["score"] == 0.5


def test_the_documented_name_that_did_not_exist() -> None:
    evaluator = load_evaluator("json_schema")
    reference = '{"type": "object"}'
    found = evaluator.evaluate_strings(prediction='{"a": 1}', reference=reference)
    assert found["score"] == 1
    assert "reasoning" in found
    wrong = evaluator.evaluate_strings(prediction="[1]", reference=reference)
    assert (wrong["score"], wrong["reasoning"]) == (0, "$: [1] is not of type 'object'")


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ("json_equalty", {},
         f"load_evaluator('json_equalty'): {UNKNOWN}; did you mean 'json_equality'? known: {KNOWN}"),
        ("zzz", {}, f"load_evaluator('zzz'): {UNKNOWN}; known: {KNOWN}"),
        (5, {}, f"load_evaluator(5): {UNKNOWN}; known: {KNOWN}"),
        ("json_equality", {"opertor": max},
         "load_evaluator('json_equality', opertor=…): there is no such option; did you mean 'operator'?"),
        ("json_validity", {"x": 1},
         "load_evaluator('json_validity', x=…): there is no such option; its options: none"),
        ("regex_match", {"x": 1},
         "load_evaluator('regex_match', x=…): there is no such option; its options: flags"),
        ("json_equality", {"llm": "gpt"},
         "load_evaluator('json_equality'): it takes no llm; no model is asked, so leave it out"),
        ("json_match", {"llm": "gpt"}, "load_evaluator('json_match'): it takes no llm; pass it as judge="),
        ("multi_field", {}, "load_evaluator('multi_field'): missing a required argument: 'fields'"),
    ],
)  # fmt: skip
def test_what_is_refused(given: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_evaluator(given, **options)
    assert str(caught.value) == message
