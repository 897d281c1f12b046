"""The evaluators that `--evaluator` knows, and the texts of their options."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

import fieldwise
from fieldwise.cli.common.evaluators import EVALUATORS
from fieldwise.cli.common.values import evaluator_options
from tests.cli.calls import call


def test_every_public_factory_is_known_by_its_name() -> None:
    factories = {name for name in fieldwise.__all__ if name.startswith("create_") and "_async_" not in name}
    forms = ("_string_evaluator", "_summary_evaluator", "_judge")
    assert set(EVALUATORS.values()) == {
        name for name in factories if name.endswith("_evaluator") and not name.endswith(forms)
    }
    assert all(made == f"create_{name}_evaluator" for name, made in EVALUATORS.items())


def test_what_an_evaluator_needs(half: Path) -> None:
    ended = call("score", half, "--evaluator", "multi_field")
    wanted = "multi_field needs fields: --option fields=…; `fieldwise list multi_field` says what it is"
    assert (ended.code, ended.err) == (2, f"fieldwise: {wanted}\n")


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("multi_field", ["fields=a", "fields=b"], {"fields": ["a", "b"]}),
        ("multi_field", ['fields=["a", "b.c"]'], {"fields": ["a", "b.c"]}),
        (
            "multi_field",
            ["fields=Field($.a[?@.b == 'x,y'].c, weight=2, rubric=\"one, two\")"],
            {"fields": [fieldwise.Field("$.a[?@.b == 'x,y'].c", weight=2, rubric="one, two")]},
        ),
        ("multi_field", ["fields=5"], {"fields": ["5"]}),
        ("starts_with", ["prefix=5"], {"prefix": "5"}),
        ("starts_with", ["prefix=None", "negated=true"], {"prefix": None, "negated": True}),
        ("starts_with", ["target_output_key=a"], {"target_output_key": "a"}),
        ("starts_with", ["target_output_key=a", "target_output_key=b"], {"target_output_key": ["a", "b"]}),
        ("regex_match", ['pattern="a+"'], {"pattern": '"a+"'}),
    ],
    ids=str,
)
def test_texts_of_options(name: str, options: list[str], expected: dict[str, Any]) -> None:
    assert evaluator_options(name, getattr(fieldwise, EVALUATORS[name]), options) == expected


def test_a_comparator_inside_a_field() -> None:
    text = "fields=Field(items[*].total, comparator=number(absolute=0.01), threshold=0.5)"
    (field,) = evaluator_options("multi_field", fieldwise.create_multi_field_evaluator, [text])["fields"]
    assert (field.path, field.comparator.settings, field.threshold) == (
        "items[*].total",
        {"absolute": 0.01, "relative": 0},
        0.5,
    )


@pytest.mark.parametrize("name", sorted(EVALUATORS))
def test_every_evaluator_scores_a_file(half: Path, name: str) -> None:
    needed = {
        "multi_field": ["--option", "fields=a"],
        "field_match": ["--option", "json_field=a"],
        "json_schema": ["--option", 'schema={"type": "object"}'],
        "regex_match": ["--option", "pattern=1"],
        "contains_any": ["--option", "substrings=1"],
        "contains_all": ["--option", "substrings=1"],
        "binary_classification": ["--option", "positive_class=1"],
        "multiclass_classification": ["--option", "classes=1", "--option", "classes=2"],
    }
    asked = ["--judge", "tests.cli.test_evaluators:nobody"] if name.startswith("llm_judge") else []
    warned = (
        pytest.warns(DeprecationWarning, match="use multi_field")
        if name == "field_match"
        else contextlib.nullcontext()
    )
    with warned:
        ended = call("score", half, "--evaluator", name, *needed.get(name, []), *asked)
    assert (ended.code in (0, 1), " 2 records in " in ended.out) == (True, True), ended.err


def nobody(request: Any) -> dict[str, Any]:
    return {}
