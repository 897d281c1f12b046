"""Where the classes depart from LangChain's on purpose: what those give, and the right value.

Each kind is a row of `tests/cases/departures_langchain.json`. What LangChain's classes give is checked
where langchain-classic is installed.
"""

from __future__ import annotations

import importlib
import json
import re
import time
from functools import partial
from pathlib import Path
from typing import Any
from urllib import request

import pytest
from pydantic import BaseModel

import fieldwise
from fieldwise.integrations import langchain
from tests.integrations.lc_forms import INSTALLED, evaluated, outcome, typed
from tests.integrations.test_langchain_suite import OURS

TABLE: list[dict[str, str]] = json.loads(
    (Path(__file__).parents[1] / "cases" / "departures_langchain.json").read_text(encoding="utf-8")
)["rows"]

EQUALITY, DISTANCE = "JsonEqualityEvaluator", "JsonEditDistanceEvaluator"
SCHEMA, VALIDITY = "JsonSchemaEvaluator", "JsonValidityEvaluator"


class Total(BaseModel):
    total: int


def decode_error(message: str) -> dict[str, Any]:
    return {"raises": "JSONDecodeError", "message": message}


EXTRA = decode_error("Extra data: line 1 column 4 (char 3)")
VALUE = decode_error("Expecting value: line 1 column 1 (char 0)")
WRONG, RIGHT = {"score": False}, {"score": True}

# kind, class, prediction, reference, theirs, ours (both without the reasoning)
ROWS: list[tuple[str, str, Any, Any, dict[str, Any], dict[str, Any]]] = [
    ("truncated", EQUALITY, '{"a": 1, "b": [1,2', '{"a": 1, "b": [1, 2]}', RIGHT, WRONG),
    ("truncated", EQUALITY, '```json\n{"a": 1', '{"a": 1}', RIGHT, WRONG),
    ("truncated", EQUALITY, "{}", '{"a": 1', WRONG,
     decode_error("Expecting ',' delimiter: line 1 column 8 (char 7)")),
    ("truncated", DISTANCE, "[", "[]", {"score": 0.0}, {"score": 1.0}),
    ("truncated", SCHEMA, '{"a": 1', {"required": ["a"]}, RIGHT, WRONG),
    ("mismatched_closer", EQUALITY, "}}}", "null", RIGHT, VALUE),
    ("mismatched_closer", EQUALITY, '{"a":1]', "null", RIGHT,
     decode_error("Expecting ',' delimiter: line 1 column 7 (char 6)")),
    ("rest_ignored", EQUALITY, "42 is it", "42", RIGHT, EXTRA),
    ("rest_ignored", EQUALITY, "[1]{}", "[1]", RIGHT, EXTRA),
    ("fence", EQUALITY, "```JSON\n[1]\n```", "[1]", VALUE, RIGHT),
    ("fence", EQUALITY, "~~~\n[1]\n~~~", "[1]", VALUE, RIGHT),
    ("fence", VALIDITY, "```json\n[1]\n```\nDone.", None, {"score": 0}, {"score": 1}),
    ("fence", VALIDITY, "So: ```json\n42\n```\nDone.", None, {"score": 0}, {"score": 1}),
    ("action_input", VALIDITY, '{"action_input": "a\nb"}', None, {"score": 1}, {"score": 0}),
    ("json_equality", EQUALITY, '{"a": true}', '{"a": 1}', RIGHT, WRONG),
    ("json_equality", EQUALITY, "NaN", "NaN", WRONG, RIGHT),
    ("json_equality", EQUALITY, "1e400", "1e500", RIGHT, WRONG),
    ("json_equality", DISTANCE, '{"a": 1}', '{"a": 1.0}', {"score": 2 / 9}, {"score": 0.0}),
    ("list_order", EQUALITY, '[{"b": 2, "a": 1}, {"a": 3}]', '[{"a": 1, "b": 2}, {"a": 3}]', WRONG, RIGHT),
    ("list_order", EQUALITY, '[10, "10!"]', '[10.0, "10!"]', WRONG, RIGHT),
    ("model_instance", SCHEMA, Total(total=1), {"required": ["total"]}, WRONG, RIGHT),
]  # fmt: skip
ELSEWHERE = {
    "depth",
    "runaway_pattern",
    "remote_reference",
    "evaluation_name",
    "positional_prediction",
    "unknown_option",
    "models",
}
"""Kinds that a test of their own shows, below."""


def bare(found: dict[str, Any]) -> dict[str, tuple[type[Any], Any]]:
    return typed({name: value for name, value in found.items() if name != "reasoning"})


def theirs(name: str) -> Any:
    if not INSTALLED:
        pytest.skip("langchain-classic is not installed: `pip install 'fieldwise[langchain]'`")
    return getattr(importlib.import_module("langchain_classic.evaluation"), name)


ids = [f"{row[0]}-{number}" for number, row in enumerate(ROWS)]


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_ours(row: tuple[str, str, Any, Any, dict[str, Any], dict[str, Any]]) -> None:
    _, name, prediction, reference, _, ours = row
    found = evaluated(getattr(langchain, name)(), prediction, reference=reference)
    assert bare(found) == typed(ours)
    assert ("reasoning" in found) == (row[0] in {"truncated", "action_input"} and "score" in ours)


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_theirs(row: tuple[str, str, Any, Any, dict[str, Any], dict[str, Any]]) -> None:
    _, name, prediction, reference, expected, _ = row
    evaluator = theirs(name)()
    found = outcome(lambda: evaluator.evaluate_strings(prediction=prediction, reference=reference))
    assert bare(found) == typed(expected)


def test_each_row_is_shown_and_each_kind_is_a_row() -> None:
    shown = {row[0] for row in ROWS} | ELSEWHERE | {kind for kind, _ in OURS.values()}
    assert shown == {row["kind"] for row in TABLE}
    assert all(row.keys() == {"product", "kind", "theirs", "ours", "law"} for row in TABLE)
    assert {row["product"] for row in TABLE} == {"langchain"}


# -------------------------------------------------------------------------------- with a test of its own


def test_depth_is_refused_or_walked() -> None:
    evaluator = langchain.JsonEqualityEvaluator()
    text = "[" * 2_000 + "]" * 2_000
    assert evaluated(evaluator, text, reference="[]") == {
        "raises": "ValueError",
        "message": "nested deeper than 1,000 levels",
    }
    assert evaluated(langchain.JsonValidityEvaluator(), text) == {
        "score": 0,
        "reasoning": "nested deeper than 1,000 levels",
    }
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    assert evaluator.evaluate_strings(deep, reference=deep) == {"score": True}
    recursive = {"items": {"$ref": "#"}, "type": "array"}
    assert evaluated(langchain.JsonSchemaEvaluator(), deep, reference=recursive) == {
        "raises": "ValueError",
        "message": "the prediction is nested too deeply to check it against a schema",
    }


def test_long_numbers_are_refused() -> None:
    found = evaluated(langchain.JsonEqualityEvaluator(), "1" * 5_000, reference="1")
    assert found == {
        "raises": "ValueError",
        "message": "an integer of 5,000 digits, more than the 4,300 that are read, at line 1, column 1",
    }


def test_a_runaway_pattern_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.integrations.langchain._text.TIMEOUT", 0.1)
    before = time.monotonic()
    found = langchain.RegexMatchStringEvaluator().evaluate_strings("a" * 60, reference="(a|aa)+$b")
    assert found == {
        "score": None,
        "reasoning": "pattern '(a|aa)+$b' ran over its 0.1 s on a text of 60 characters",
    }
    assert time.monotonic() - before < 5
    assert langchain.RegexMatchStringEvaluator().evaluate_strings("a", reference="(a{1000}){1000}") == {
        "score": None,
        "reasoning": "pattern '(a{1000}){1000}' is too large",
    }


REMOTE = {"$ref": "http://127.0.0.1:9/schema.json"}


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that are asked for; none answers."""
    asked: list[str] = []

    def urlopen(address: Any, **_: Any) -> None:
        asked.append(getattr(address, "full_url", address))
        raise OSError("no answer")

    monkeypatch.setattr(request, "urlopen", urlopen)
    return asked


def test_nothing_is_fetched(fetched: list[str]) -> None:
    evaluator = langchain.JsonSchemaEvaluator()
    found = evaluated(evaluator, "1", reference=REMOTE)
    assert found["message"] == "Unresolvable: http://127.0.0.1:9/schema.json"
    assert fetched == []


@pytest.mark.filterwarnings("ignore:Automatically retrieving remote references:DeprecationWarning")
def test_theirs_fetches(fetched: list[str]) -> None:
    evaluator = theirs(SCHEMA)()
    outcome(lambda: evaluator.evaluate_strings(prediction="1", reference=REMOTE))
    assert fetched == ["http://127.0.0.1:9/schema.json"]


def test_the_documented_name() -> None:
    assert langchain.JsonEqualityEvaluator().evaluation_name == "parsed_equality"
    assert theirs(EQUALITY)().evaluation_name == "json_equality"


def test_a_positional_prediction() -> None:
    assert langchain.JsonEqualityEvaluator().evaluate_strings("1", reference="1") == RIGHT
    with pytest.raises(TypeError, match="positional"):
        theirs(EQUALITY)().evaluate_strings("1", reference="1")


@pytest.mark.parametrize("name", [name for name in langchain.__all__ if name != "load_evaluator"])
def test_unknown_options(name: str) -> None:
    with pytest.raises(TypeError, match=r"takes no arguments|unexpected keyword argument 'ignore_cases'"):
        getattr(langchain, name)(ignore_cases=True)
    theirs(name)(ignore_cases=True)


@pytest.mark.parametrize(
    ("name", "model"),
    [("qa", "a language model"), ("labeled_criteria", "a language model"),
     ("embedding_distance", "an embedding model")],
)  # fmt: skip
def test_no_model_is_made(name: str, model: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        langchain.load_evaluator(name)
    assert str(caught.value) == (
        f"load_evaluator('{name}'): it needs {model}; load it with"
        " langchain_classic.evaluation.load_evaluator, or let a judge decide:"
        " load_evaluator('json_match', rubric={…}, judge=…)"
    )


def loaded(kind: Any) -> dict[str, Any]:
    return {"name": type(langchain.load_evaluator(kind)).__name__}


def test_every_name_of_theirs_is_loaded_or_refused_by_name() -> None:
    for kind in theirs("EvaluatorType"):
        found = outcome(partial(loaded, kind))
        assert "name" in found or re.match(rf"load_evaluator\('{kind.value}'\): it needs a", found["message"])
