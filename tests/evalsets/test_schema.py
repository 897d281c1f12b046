"""The JSON Schemas for editors: valid, and of one mind with what is loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fieldwise.errors import ConfigError
from fieldwise.evalsets.files.spelling import snake
from fieldwise.evalsets.load import FileErrors, load_set, load_spec
from fieldwise.evalsets.registry.kinds import UIPATH, kind_of, kinds
from fieldwise.evalsets.schemas.evaluator_shapes import config_schema
from fieldwise.evalsets.schemas.json_schema import json_schema
from tests.evalsets.folders import eval_set, item, project, spec
from tests.evalsets.test_seed_blocks import OWN

EVALUATOR: Final = Draft202012Validator(json_schema("evaluator"))
SET: Final = Draft202012Validator(json_schema("eval-set"))
CORPUS: Final = json.loads((Path(__file__).parents[1] / "cases" / "malformed_files.json").read_text("utf-8"))


def judge(request: Any) -> dict[str, Any]:
    return {}


def test_the_schemas_are_schemas() -> None:
    for validator in (EVALUATOR, SET):
        Draft202012Validator.check_schema(validator.schema)
        assert json.loads(json.dumps(validator.schema)) == validator.schema


def test_another_kind_of_file_has_none() -> None:
    with pytest.raises(ConfigError) as caught:
        json_schema("results")  # type: ignore[arg-type]
    assert str(caught.value) == "kind='results': must be 'evaluator' or 'eval-set'"


@pytest.mark.parametrize("type_id", sorted(kinds()))
def test_every_option_says_what_it_means(type_id: str) -> None:
    described = json_schema("evaluator")["$defs"][type_id]
    assert described["description"]
    assert all(one.get("description") for one in described["properties"].values())
    assert not described["additionalProperties"]


def valid_configs(type_id: str) -> st.SearchStrategy[dict[str, Any]]:
    """Configurations that the schema allows: every option by itself, in any mix, in either spelling."""
    schema = config_schema(kind_of(type_id))
    fixed = {
        "classes": st.just(["a", "b"]),
        "positiveClass": st.just("a"),
        "metricType": st.sampled_from(["precision", "recall"]),
        "averaging": st.sampled_from(["micro", "macro"]),
        "fValue": st.floats(0.5, 2),
        "targetOutputKey": st.sampled_from(["*", "a.b", "$.a[0]"]),
        "negated": st.booleans(),
        "ignoreCase": st.booleans(),
        "strict": st.booleans(),
        "model": st.just("openai:m"),
        "temperature": st.floats(0, 2),
        "maxTokens": st.integers(1, 9000),
        "prompt": st.just("Say it."),
        "threshold": st.floats(0.01, 1),
        "numberTolerance": st.floats(0, 1),
        "name": st.text(max_size=5),
        "description": st.text(max_size=5),
        "defaultEvaluationCriteria": st.sampled_from([None, {}, OWN[type_id]]),
        "lineByLineEvaluator": st.just(False),
        "lineDelimiter": st.just("\n"),
    }
    known = {
        key: one for key, one in fixed.items() if "not" not in schema["properties"].get(key, {"not": {}})
    }
    needed = {key: known.pop(key) for key in schema.get("required", ()) if key in known}
    model = known.pop("model", None)
    if model is not None and kind_of(type_id).judged:
        needed["model"] = model
    configs = st.fixed_dictionaries(needed, optional=known)
    return st.tuples(configs, st.booleans()).map(
        lambda pair: {snake(key): one for key, one in pair[0].items()} if pair[1] else pair[0]
    )


@pytest.mark.parametrize("type_id", [kind.type_id for kind in UIPATH])
@given(data=st.data(), misspelt=st.booleans())
@settings(max_examples=40, deadline=None)
def test_schema_and_loader_agree_on_evaluators(type_id: str, data: st.DataObject, misspelt: bool) -> None:
    config = data.draw(valid_configs(type_id))
    if misspelt:
        config = {**config, data.draw(st.text("abcXYZ_", min_size=1, max_size=9)) + "q": 1}
    body = spec(type_id, **config)
    if misspelt:
        assert not EVALUATOR.is_valid(body)
        with pytest.raises(FileErrors, match="there is no such key"):
            load_spec(body)
    else:
        assert load_spec(body).type_id == type_id
        assert list(EVALUATOR.iter_errors(body)) == []


@given(
    items=st.lists(
        st.fixed_dictionaries(
            {"inputs": st.dictionaries(st.text(max_size=3), st.integers()), "criteria": st.sampled_from(
                [None, {}, {"expectedOutput": 1}, {"expected_output": "x"}, "absent"])},
            optional={"name": st.text(max_size=3), "expectedOutput": st.integers() | st.none(),
                      "expectedAgentBehavior": st.text(max_size=3), "zzz": st.none()},
        ), max_size=4,
    ),
    how=st.sampled_from([{"evaluatorRefs": ["E"]}, {"evaluatorConfigs": [{"ref": "E", "weight": 0}]},
                         {"evaluator_refs": ["E"]}, {"evaluatorConfigs": ["E"], "evaluatorRefs": []}]),
)  # fmt: skip
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_schema_and_loader_agree_on_sets(
    items: list[dict[str, Any]], how: dict[str, Any], tmp_path: Path
) -> None:
    written = []
    for number, one in enumerate(items):
        criteria = one.pop("criteria")
        written.append(item(f"i{number}", {} if criteria == "absent" else {"E": criteria}, **one))
    body = {**eval_set([], written), **how}
    if "evaluatorRefs" not in how:
        del body["evaluatorRefs"]
    file = project(tmp_path, body, spec())
    if any("zzz" in one for one in items):
        assert not SET.is_valid(body)
        with pytest.raises(FileErrors, match="there is no such key"):
            load_set(file)
    else:
        assert len(load_set(file).items) == len(items)
        assert list(SET.iter_errors(body)) == []


BEYOND_A_SCHEMA: Final = frozenset(
    {
        "ref twice",
        "ref without evaluator",
        "ref in another case",
        "ref like no other",
        "config of an unknown evaluator",
        "item id twice",
        "criterias of an unknown evaluator",
        "criteria key misspelt",
        "criteria of another evaluator",
        "key in both spellings",
        "option in both spellings",
        "key twice",
        "key twice deep down",
        "beyond a float",
        "schema of no code",
        "code is not allowed",
        "code outside",
        "custom without schema",
        "options that contradict",
        "path that is none",
        "paths empty",
        "judge without model",
        "judge with an empty model",
        "judge without config",
        "positive class is none",
        "classes twice",
        "field path",
        "comparator misspelt",
        "comparator called wrongly",
        "weight of a field",
        "list mode misspelt",
        "rubric without model",
        "regex broken",
        "two refused options",
        "NaN",
        "minus Infinity",
        "an evaluator for a set",
        "legacy set",
        "too many digits",
    }
)
"""Mistakes that a schema cannot tell: they are between files, between keys, or in the meaning of a value."""


def parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case["name"])
        for case in CORPUS["cases"]
        if parsed(case["text"]) is not None and case["name"] not in BEYOND_A_SCHEMA
    ],
)
def test_an_editor_sees_what_the_loader_refuses(case: dict[str, Any]) -> None:
    validator = EVALUATOR if case["file"] == "evaluator" else SET
    assert not validator.is_valid(parsed(case["text"]))


def test_code_is_open_to_any_configuration() -> None:
    body = {**spec("custom-mine", anything=1), "evaluatorSchema": "file://mine.py:Mine"}
    assert EVALUATOR.is_valid(body)
