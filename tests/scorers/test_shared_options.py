"""What every factory tells of its options, those included that evaluators share."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

import fieldwise
from fieldwise.errors import ConfigError
from fieldwise.scorers.json_diff import json_diff

FACTORIES = [
    name
    for name in fieldwise.__all__
    if name.startswith("create_") and inspect.isfunction(getattr(fieldwise, name))
]
DESCRIBED = [name for name in FACTORIES if not name.endswith("_summary_evaluator")]
"""A summary evaluator is documented by its results; its options are those of the evaluator."""


def parameters(name: str) -> list[inspect.Parameter]:
    return list(inspect.signature(getattr(fieldwise, name)).parameters.values())


def described(name: str) -> list[str]:
    """The options under `Args:` in a factory's docstring, in order."""
    _, _, rest = (inspect.getdoc(getattr(fieldwise, name)) or "").partition("Args:\n")
    return re.findall(r"^    (\w+): ", re.split(r"^\w+:$", rest, flags=re.MULTILINE)[0], re.MULTILINE)


@pytest.mark.parametrize("name", FACTORIES)
def test_options_are_told_by_name(name: str) -> None:
    assert [one.name for one in parameters(name) if one.kind is one.VAR_KEYWORD] == []


@pytest.mark.parametrize("name", DESCRIBED)
def test_each_option_is_described_once_and_in_order(name: str) -> None:
    assert described(name) == [one.name for one in parameters(name)]


READING: dict[str, tuple[str, Any]] = {
    "outputs_key": ("str | None", None),
    "correct_answer_key": ("str | None", None),
    "parse": ("ParseMode", "lenient"),
    "multiple_json": ("MultipleJson", "error"),
    "truncated": ("Truncated", "error"),
    "null_policy": ("NullPolicy", "distinct"),
    "coerce": ("bool", False),
}


@pytest.mark.parametrize(
    "name",
    [
        "json_match",
        "json_diff",
        "json_similarity",
        "json_equality",
        "json_edit_distance",
        "multi_field",
        "llm_judge_strict_json",
    ],
)
def test_documents_are_read_by_the_same_options(name: str) -> None:
    shown = {one.name: (one.annotation, one.default) for one in parameters(f"create_{name}_evaluator")}
    assert {option: shown[option] for option in READING} == READING


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("outputs_keys", "did you mean 'outputs_key'?"),
        ("truncate", "did you mean 'truncated'?"),
        (
            "nope",
            (
                "its options: compare_schema_only, predict_keys, case_insensitive_keys, lists, outputs_key, "
                "correct_answer_key, parse, multiple_json, truncated, null_policy, coerce, feedback_key, "
                "threshold"
            ),
        ),
    ],
)
def test_a_wrong_name_is_told_the_shared_ones(option: str, hint: str) -> None:
    create: Any = fieldwise.create_json_diff_evaluator
    with pytest.raises(ConfigError) as raised:
        create(**{option: "a"})
    assert str(raised.value) == f"create_json_diff_evaluator: there is no option {option!r}; {hint}"


def test_a_declaration_by_itself_refuses_it_as_well() -> None:
    declare: Any = json_diff
    with pytest.raises(TypeError) as raised:
        declare(outputs_keys="a")
    assert str(raised.value) == "Reading has no option 'outputs_keys'"
