"""Which evaluators there are, what is read off their factories, and evaluators made of specs."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path
from typing import Any, Final

import pytest

import fieldwise
from fieldwise._types import MISSING
from fieldwise.errors import ConfigError
from fieldwise.evalsets.files.spelling import camel, snake
from fieldwise.evalsets.load import load_spec
from fieldwise.evalsets.model import Chosen, Spec
from fieldwise.evalsets.registry import signatures
from fieldwise.evalsets.registry.annotations import form
from fieldwise.evalsets.registry.kinds import BINARY, CONTINUOUS, UIPATH, kind_of, kinds
from fieldwise.evalsets.registry.plans import async_evaluator_of, evaluator_of, folder_of, make_plan
from fieldwise.evalsets.schemas.evaluator_shapes import config_schema
from fieldwise.evalsets.verdicts import label
from tests.evalsets.folders import spec

NAMES: Final = sorted(kinds())
ALWAYS: Final = [
    name for name in NAMES if name.startswith("fieldwise-") and kinds()[name].scoring in {BINARY, CONTINUOUS}
]
"""Those that score in one way, whatever their options."""


def judge(request: Any) -> dict[str, Any]:
    return {one.id: {"score": 80, "reasoning": "near"} for one in request.questions}


def needed(type_id: str) -> dict[str, Any]:
    """The options that an evaluator cannot do without."""
    given = {
        "classes": ["a", "b"],
        "positiveClass": "a",
        "fields": ["x"],
        "prompt": "{outputs}",
        "jsonField": "x",
    }
    schema = config_schema(kind_of(type_id))
    return {name: value for name, value in given.items() if name in schema.get("required", ())}


# ------------------------------------------------------------------------------------------ the table


def test_every_public_evaluator_has_one_id() -> None:
    public = {
        name.removeprefix("create_").removesuffix("_evaluator")
        for name in fieldwise.__all__
        if name.startswith("create_") and not name.startswith("create_async_") and name != "create_judge"
    }
    public = {name for name in public if not name.endswith(("_string", "_summary"))}
    assert public == {kind.evaluator for kind in kinds().values()}
    assert len({kind.evaluator for kind in kinds().values()}) == len(kinds())
    assert len(UIPATH) == 13


@pytest.mark.parametrize("type_id", NAMES)
def test_an_option_of_a_file_is_one_of_the_factory(type_id: str) -> None:
    kind = kind_of(type_id)
    parameters = inspect.signature(kind.factory).parameters
    left_out = {name for name, one in signatures.options(kind.evaluator).items() if one.schema is None}
    assert kind.options.keys() == parameters.keys() - {"judge", "feedback_key"} - left_out
    assert left_out <= {"operator", "string_distance", "count_tokens"}
    schema = config_schema(kind)["properties"]
    for name, option in kind.options.items():
        assert schema[camel(name)].get("description"), name
        assert snake(camel(name)) == name
        if isinstance(option.default, str | bool | int | float):
            assert schema[camel(name)]["default"] == option.default


@pytest.mark.filterwarnings("ignore:.*field_match.*:DeprecationWarning")
@pytest.mark.parametrize("type_id", NAMES)
def test_an_evaluator_is_made_of_a_spec_under_its_id(type_id: str) -> None:
    config = {**needed(type_id), **({"model": "openai:m"} if kind_of(type_id).judged else {})}
    loaded = load_spec(spec(type_id, "My id", **config))
    (first, *_) = results(
        evaluator_of(loaded, judge=judge if kind_of(type_id).judged else None)(outputs=MISSING)
    )
    assert first["key"].partition(":")[0] == "My id"


def results(returned: Any) -> list[Any]:
    return returned if isinstance(returned, list) else [returned]


@pytest.mark.filterwarnings("ignore:.*field_match.*:DeprecationWarning")
@pytest.mark.parametrize("type_id", ALWAYS)
def test_scoring_words_are_true(type_id: str) -> None:
    """What a binary evaluator gives for no output at all is a boolean; other evaluators give numbers."""
    kind = kind_of(type_id)
    made = evaluator_of(load_spec(spec(type_id, **needed(type_id))))
    given = {"outputs": MISSING, "reference_outputs": {kind.criteria: 1}}
    scores = [one["score"] for one in results(made(**given)) if one["score"] is not None]
    assert all(isinstance(score, bool) == (kind.scoring == BINARY) for score in scores)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "uipath-exactmatch",
            "there is no evaluatorTypeId 'uipath-exactmatch'; did you mean 'uipath-exact-match'?",
        ),
        (
            "fieldwise-contains",
            "there is no evaluatorTypeId 'fieldwise-contains'; did you mean 'uipath-contains'?",
        ),
        ("json_match", "there is no evaluatorTypeId 'json_match'; did you mean 'fieldwise-json-match'?"),
        ("zzz", "there is no evaluatorTypeId 'zzz'; `fieldwise list` has them all"),
    ],
)
def test_an_unknown_id_names_the_nearest(given: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        kind_of(given)
    assert str(caught.value) == message


# --------------------------------------------------------------------------------------------- forms


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("str", {"type": "string"}),
        ("str | None", {"type": ["string", "null"]}),
        ("str | float", {"type": ["string", "number"]}),
        ("Sequence[str] | None", {"type": ["array", "null"], "items": {"type": "string"}}),
        ("Mapping[str, Comparator | CompareCallable | str] | None",
         {"type": ["object", "null"], "additionalProperties": {"type": "string"}}),
        ("Callable[[str], int] | None", None),
        ("Word", {"enum": ["a", 1]}),
        ("Word | None", {"enum": ["a", 1, None]}),
        ("Alias", {"type": "object", "additionalProperties": {"type": "boolean"}}),
        ("Unknown", None),
        ("Any", {}),
        ("str | Any", {}),
        ("list[Any]", {"type": "array"}),
        ("ListMode | ByKey", {"type": "string"}),
    ],
)  # fmt: skip
def test_annotations_as_schemas(annotation: str, schema: Any) -> None:
    from typing import Literal

    from fieldwise._types import ListMode

    names = {"Word": Literal["a", 1], "Alias": "Mapping[str, bool]", "ListMode": ListMode}
    assert form(annotation, names) == schema


# -------------------------------------------------------------------------------------------- making


def test_criteria_are_the_reference() -> None:
    exact = evaluator_of(load_spec(spec()))
    assert exact(outputs=1, reference_outputs={"expectedOutput": 1})["score"] is True  # type: ignore[call-overload]
    match = evaluator_of(load_spec(spec("fieldwise-json-match", aggregator="average")))
    (found,) = results(
        match(outputs={"a": 1, "b": 2}, reference_outputs={"expectedOutput": {"a": 1, "b": 3}})
    )
    assert (found["key"], found["score"]) == ("E:average", 0.5)


def test_no_criteria_are_no_reference() -> None:
    exact: Any = evaluator_of(load_spec(spec()))
    assert exact(outputs=1, reference_outputs={})["extra"]["status"] == "invalid_reference"
    valid: Any = evaluator_of(load_spec(spec("fieldwise-json-validity")))
    assert valid(outputs="[1]", reference_outputs={})["score"] is True


def test_async_is_sync() -> None:
    loaded = load_spec(
        spec("fieldwise-multi-field", fields=["a", {"path": "b", "comparator": "number(absolute=0.1)"}])
    )
    given: Any = {"outputs": {"a": 1, "b": 2}, "reference_outputs": {"expectedOutput": {"a": 1, "b": 3}}}
    found = evaluator_of(loaded)(**given)
    assert [one["score"] for one in results(found)] == [1.0, 0.0, 0.5]
    assert asyncio.run(async_evaluator_of(loaded)(**given)) == found


def test_calls_in_texts_are_made() -> None:
    config = {
        "comparators": {"a": "number(absolute=2)"},
        "lists": {"b": 'by_key("id")'},
        "listMatchMode": "ordered",
    }
    made = evaluator_of(load_spec(spec("fieldwise-json-match", **config)))
    reference = {"expectedOutput": {"a": 2, "b": [{"id": 1}, {"id": 2}]}}
    found = results(made(outputs={"a": 3, "b": [{"id": 2}, {"id": 1}]}, reference_outputs=reference))
    assert {one["key"]: one["score"] for one in found} == {"E:a": 1.0, "E:b": 1.0}


def test_a_threshold_of_the_set_replaces_that_of_the_file() -> None:
    loaded = load_spec(spec("uipath-json-similarity", threshold=0.9))
    given: Any = {"outputs": {"a": 1, "b": 2}, "reference_outputs": {"expectedOutput": {"a": 1, "b": 9}}}
    made: list[Any] = [evaluator_of(one) for one in (loaded, Chosen(loaded, threshold=0.5))]
    assert [one(**given)["extra"]["passed"] for one in made] == [False, True]


def test_a_threshold_means_nothing_to_an_evaluator_without_one() -> None:
    given: Any = {"outputs": 1, "reference_outputs": {"expectedOutput": 2}}
    made: Any = evaluator_of(Chosen(load_spec(spec()), threshold=0.5))
    assert made(**given)["score"] is False


def test_a_judge_of_the_run_judges() -> None:
    loaded = load_spec(
        spec("uipath-llm-judge-output-semantic-similarity", model="openai:m", temperature=1, maxTokens=9)
    )
    made: Any = evaluator_of(loaded, judge=judge)
    assert made(outputs="a", reference_outputs={"expectedOutput": "b"})["score"] == 0.8
    plan = make_plan(loaded)
    assert (plan.model, plan.judge) == ("openai:m", None)


def test_a_client_takes_the_model_of_the_file() -> None:
    class Client:
        chat = None

    client = Client()
    plan = make_plan(load_spec(spec("uipath-llm-judge-output-semantic-similarity", model="m")), client)
    assert (plan.model, plan.judge) == ("m", client)


@pytest.mark.parametrize(
    ("type_id", "config", "asks"),
    [
        ("fieldwise-json-match", {}, False),
        ("fieldwise-json-match", {"rubric": {"a": "the same"}, "model": "openai:m"}, True),
        ("fieldwise-multi-field", {"fields": ["a"]}, False),
        (
            "fieldwise-multi-field",
            {"fields": [{"path": "a", "rubric": "the same"}], "model": "openai:m"},
            True,
        ),
        ("fieldwise-multi-field", {"fields": ["Field(a, rubric=same)"], "model": "openai:m"}, True),
        ("uipath-exact-match", {}, False),
        ("uipath-tool-call-args", {}, False),
        ("uipath-tool-call-args", {"rubric": {"a": {"b": "same"}}, "model": "openai:m"}, True),
        ("fieldwise-llm-as-judge", {"prompt": "{outputs}", "model": "openai:m"}, True),
    ],
)
def test_a_judge_goes_to_those_who_ask(type_id: str, config: Any, asks: bool) -> None:
    plan = make_plan(load_spec(spec(type_id, **config)), judge)
    assert (plan.judge is judge) == asks
    assert plan.model is None


def test_code_has_no_plan() -> None:
    with pytest.raises(ConfigError) as caught:
        make_plan(Spec("W", "custom-w", "W", code="file://w.py:W"))
    assert str(caught.value) == "W is code, file://w.py:W, and has no plan: use evaluator_of"


def test_the_folder_of_code() -> None:
    assert folder_of(Spec("W", "custom-w", "W", file="a/evaluators/w.json")) == Path("a")
    assert folder_of(Spec("W", "custom-w", "W", file="a/w.json")) == Path("a")


# -------------------------------------------------------------------------------------------- labels


@pytest.mark.parametrize(
    ("score", "passed", "expected"),
    [
        (1.0, None, "pass"), (True, None, "pass"), (0.0, None, "fail"), (False, None, "fail"),
        (0.5, None, "partial"), (1e-300, None, "partial"), (0.9999999999999999, None, "partial"),
        (0.8, True, "pass"), (0.8, False, "partial"), (0.0, False, "fail"), (0.0, True, "pass"),
        (None, None, None), (None, False, None),
    ],
)  # fmt: skip
def test_labels_name_a_score(score: Any, passed: bool | None, expected: str | None) -> None:
    assert label(score, passed=passed) == expected
