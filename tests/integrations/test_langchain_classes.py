"""What each class that carries a LangChain name makes of its arguments."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise import ConfigError
from fieldwise.integrations.langchain import (
    ExactMatchStringEvaluator,
    JsonEditDistanceEvaluator,
    JsonEqualityEvaluator,
    JsonSchemaEvaluator,
    JsonValidityEvaluator,
    RegexMatchStringEvaluator,
    StringDistanceEvalChain,
)
from tests.integrations.lc_forms import evaluated, typed
from tests.laws.strategies import as_text, documents

METRIC_NAMES = (
    "'levenshtein', 'damerau_levenshtein', 'osa', 'indel', 'jaro', 'jaro_winkler', 'lcs', 'hamming', "
    "'prefix', 'postfix'"
)


@pytest.mark.parametrize(
    ("prediction", "reasoning"),
    [
        ('{"a": 1, "a": NaN}', None),
        ('Here:\n```json\n{"a": 1}\n```', None),
        ("`[1]`", None),
        ("", "Expecting value: line 1 column 1 (char 0)"),
        ("{'a': 1}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ('"a\tb"', "Invalid control character at: line 1 column 3 (char 2)"),
        ('{"a": 1} done', "Extra data: line 1 column 10 (char 9)"),
        ("[1, 2", "Expecting ',' delimiter: line 1 column 6 (char 5)"),
        (None, "'NoneType' object has no attribute 'strip'"),
        ({"a": 1}, "'dict' object has no attribute 'strip'"),
        (b"[1]", "a bytes-like object is required, not 'str'"),
    ],
)
def test_validity(prediction: Any, reasoning: str | None) -> None:
    expected = {"score": 1} if reasoning is None else {"score": 0, "reasoning": reasoning}
    assert typed(evaluated(JsonValidityEvaluator(), prediction)) == typed(expected)


@pytest.mark.parametrize(
    ("prediction", "reference", "score"),
    [
        ('{"a": 1, "b": [1, 2]}', '{"b": [1.0, 2], "a": 1}', True),
        ('{"b": [2, 1]}', '{"b": [1, 2]}', False),
        ("[2, 1, 1]", "[1, 2, 1]", True),
        ("[2, 2, 1]", "[1, 2, 1]", False),
        ("{}", "[]", 0),
        ("[]", "{}", False),
        (None, "null", True),
        ({"a": float("nan")}, '{"a": NaN}', True),
        ('"a\tb"', '"a\\tb"', True),
        ('{"a": 1}\nThat is all.', '{"a": 1}', True),
        ({1, 2}, {2, 1}, True),
        ([object], [object], True),
        ([object], [list], False),
    ],
)
def test_equality(prediction: Any, reference: Any, score: object) -> None:
    found = evaluated(JsonEqualityEvaluator(), prediction, reference=reference)
    assert typed(found) == typed({"score": score})


def test_operator_gets_what_was_read_and_gives_the_score() -> None:
    seen: list[Any] = []

    def quarter(*both: Any) -> float:
        seen.append(both)
        return 0.25

    evaluator = JsonEqualityEvaluator(operator=quarter)
    assert evaluator.evaluate_strings("[2, 1]", reference='[3, "b", {}]') == {"score": 0.25}
    assert evaluator.evaluate_strings((1, 2), reference="null") == {"score": 0.25}
    assert seen == [([1, 2], ["b", 3, {}]), ((1, 2), None)]


def test_operator_errors_reach_the_caller() -> None:
    def stop(*_: object) -> object:
        raise KeyError("total")

    found = evaluated(JsonEqualityEvaluator(operator=stop), "1", reference="1")
    assert found == {"raises": "KeyError", "message": "'total'"}


def test_errors_are_langchains_and_say_more() -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        JsonEqualityEvaluator().evaluate_strings("Sure: {'a': 1}", reference="1")
    assert str(caught.value) == "Expecting value: line 1 column 1 (char 0)"
    assert caught.value.__notes__ == ["not JSON as it stands: prose, python_literal"]


def test_a_cut_reference_is_an_error() -> None:
    found = evaluated(JsonEqualityEvaluator(), "1", reference="[1")
    assert found == {
        "raises": "JSONDecodeError",
        "message": "Expecting ',' delimiter: line 1 column 3 (char 2)",
    }


def test_edit_distance_options() -> None:
    evaluator = JsonEditDistanceEvaluator(string_distance=lambda a, b: abs(len(a) - len(b)), canonicalize=str)
    assert typed(evaluated(evaluator, '{"a": 1}', reference="[]")) == typed({"score": 6})
    assert evaluated(evaluator, "[1", reference="[]") == {
        "score": None,
        "reasoning": "truncated: the text ends at line 1, column 3 inside an array; "
        "allow the model more output tokens",
    }


def test_edit_distance_writes_deep_and_huge_values() -> None:
    deep: Any = "é"
    for _ in range(50_000):
        deep = [deep]
    evaluator = JsonEditDistanceEvaluator(string_distance=lambda a, b: float(a == b and a.isascii()))
    assert evaluator.evaluate_strings(deep, reference=deep) == {"score": 1.0}
    assert JsonEditDistanceEvaluator().evaluate_strings('["é", 1e5000]', reference='["e", 1e5000]') == {
        "score": pytest.approx(5 / 19)
    }


@given(documents)
def test_a_document_is_equal_to_itself(document: Any) -> None:
    text = as_text(document)
    assert JsonValidityEvaluator().evaluate_strings(text) == {"score": 1}
    for one in [text] if document is None or isinstance(document, str) else [text, document]:
        assert JsonEqualityEvaluator().evaluate_strings(one, reference=one) == {"score": True}
        assert JsonEditDistanceEvaluator().evaluate_strings(one, reference=one) == {"score": 0.0}


@given(st.lists(documents, max_size=5), st.randoms())
def test_the_order_of_a_top_level_list_never_counts(document: list[Any], source: Any) -> None:
    shuffled = source.sample(document, len(document))
    found = JsonEqualityEvaluator().evaluate_strings(shuffled, reference=document)
    assert found == {"score": True}


def test_schema_forms() -> None:
    from pydantic import BaseModel

    class Line(BaseModel):
        sku: str

    class Old:
        schema = staticmethod(lambda: {"type": "array"})

    evaluator = JsonSchemaEvaluator()
    assert evaluated(evaluator, '{"sku": "A"}', reference=Line) == {"score": True}
    assert evaluated(evaluator, {"sku": "A"}, reference=json.dumps(Line.model_json_schema())) == {
        "score": True
    }
    assert evaluated(evaluator, "{}", reference=Old) == {
        "score": False,
        "reasoning": """<ValidationError: "{} is not of type 'array'">""",
    }


def test_schema_errors_are_jsonschemas() -> None:
    from jsonschema import SchemaError

    with pytest.raises(SchemaError):
        JsonSchemaEvaluator().evaluate_strings("1", reference={"type": "arry"})


def test_regex_flags() -> None:
    flags = re.IGNORECASE | re.VERBOSE
    assert evaluated(RegexMatchStringEvaluator(flags=flags), "AB\nc", reference="a b $") == {"score": 0}
    flags |= re.MULTILINE
    assert evaluated(RegexMatchStringEvaluator(flags=flags), "AB\nc", reference="a b $") == {"score": 1}
    assert evaluated(RegexMatchStringEvaluator(flags=re.ASCII), "é", reference=r"\w") == {"score": 0}


@pytest.mark.parametrize("pattern", ["ca{e}t", "[[:a]+t"])
@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")
@pytest.mark.parametrize("text", ["cat", "ca{e}t", "a[:t"])
def test_regex_means_what_re_means(pattern: str, text: str) -> None:
    found = RegexMatchStringEvaluator().evaluate_strings(text, reference=pattern)
    assert found == {"score": int(bool(re.match(pattern, text)))}


@pytest.mark.parametrize("create", [ExactMatchStringEvaluator, RegexMatchStringEvaluator])
def test_what_text_evaluators_compare(create: Any) -> None:
    assert create().input_keys == ["reference", "prediction"]


def test_regex_of_no_text() -> None:
    assert evaluated(RegexMatchStringEvaluator(), None, reference="a") == {
        "raises": "TypeError",
        "message": "expected string or bytes-like object, got 'NoneType'",
    }


@pytest.mark.parametrize(
    ("create", "message"),
    [
        (lambda: JsonEqualityEvaluator("eq"),  # type: ignore[arg-type]
         "operator='eq': must be a function, or None for the default"),
        (lambda: JsonEditDistanceEvaluator(canonicalize=1),  # type: ignore[arg-type]
         "canonicalize=1: must be a function, or None for the default"),
        (lambda: ExactMatchStringEvaluator(ignore_case="no"),  # type: ignore[arg-type]
         "ignore_case='no': must be True or False"),
        (lambda: RegexMatchStringEvaluator(flags="i"),  # type: ignore[arg-type]
         "flags='i': must be flags of the re module, re.IGNORECASE"),
        (lambda: StringDistanceEvalChain(normalize_score=1),  # type: ignore[arg-type]
         "normalize_score=1: must be True or False"),
        (lambda: StringDistanceEvalChain(distance="jaro_winkle"),
         f"distance='jaro_winkle': must be one of {METRIC_NAMES}; did you mean 'jaro_winkler'?"),
    ],
)  # fmt: skip
def test_wrong_options(create: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        create()
    assert str(caught.value) == message
