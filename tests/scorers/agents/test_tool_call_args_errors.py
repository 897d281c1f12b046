"""Wrong options of the evaluator of tool arguments: refused with the option, the value and the fix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fieldwise.errors import ConfigError
from fieldwise.evaluators._lifts import RECIPE, remade
from fieldwise.evaluators.arguments import create_tool_call_args_evaluator

ARRAY: Any = np.arange(3)
BY_TOOL = "must be a mapping from tool, or '*' for any, {'*': …}"
RING: list[Any] = []
RING.append(RING)
ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "mode": ({"mode": "partial"}, "mode='partial': must be one of 'exact', 'subset', 'superset', 'ignore'"),
    "two relations": (
        {"mode": "exact", "subset": True},
        "mode='exact' and subset=True contradict each other; subset=True is mode='superset'",
    ),
    "ignored arguments": (
        {"mode": "ignore", "comparators": {"*": {"a": "id"}}},
        "comparators is given with mode='ignore', which looks at no argument; drop one",
    ),
    "scoring": ({"scoring": "half"}, "scoring='half': must be one of 'all_or_nothing', 'graded'"),
    "measure": ({"measure": "accuracy"}, "measure='accuracy': must be one of 'recall', 'precision', 'f1'"),
    "flat comparators": (
        {"comparators": {"q": "id"}},
        (
            "comparators['q']='id': must be a mapping from argument to word; for an argument of any tool "
            "write comparators={'*': {'argument': …}}"
        ),
    ),
    "comparator": (
        {"comparators": {"f": {"q": "fuzy"}}},
        "comparators['f']['q']='fuzy': there is no such comparator; did you mean 'fuzzy'?",
    ),
    "all arguments": (
        {"comparators": {"f": {"$": "id"}}},
        "comparators['f']: '$' names all arguments at once; name one of them",
    ),
    "rubric without a judge": (
        {"rubric": {"f": {"q": "same"}}},
        "rubric is given without a judge: pass judge= (a callable) or model= as well",
    ),
    "judge without a rubric": (
        {"judge": lambda _: {}},
        "judge is given without a rubric: say what it judges, rubric={'tool': {'argument': 'what is right'}}",
    ),
    "one tool twice": (
        {"optional": {"get weather": ["a"], "get_weather": ["b"]}},
        "optional: 'get_weather' and another key name the same tool; keep one",
    ),
    "optional": (
        {"optional": {"f": "a"}},
        "optional['f']='a': must be a list of keys or paths, for one write ['a']",
    ),
    "schema": (
        {"schemas": {"f": 7}},
        "schemas['f']=7: give a JSON Schema, a pydantic model's class or a LangChain tool",
    ),
    "ignore_if": ({"ignore_if": ["a"]}, "ignore_if=['a']: must be a mapping from path to value, {'a.b': …}"),
    "no schema": ({"schemas": [None]}, "schemas: None has no name; write {'tool': its schema}"),
    "an array of comparators": ({"comparators": ARRAY}, f"comparators={ARRAY!r}: {BY_TOOL}"),
    "an array as one comparator": (
        {"comparators": {"f": {"a": ARRAY}}},
        f"comparators['f']['a']={ARRAY!r}: give a comparator, its name, or a callable(expected, actual)",
    ),
    "an array of lists": ({"lists": ARRAY}, f"lists={ARRAY!r}: {BY_TOOL}"),
    "an array of rubrics": ({"rubric": ARRAY}, f"rubric={ARRAY!r}: {BY_TOOL}"),
    "an array to ignore": (
        {"ignore_if": ARRAY},
        f"ignore_if={ARRAY!r}: must be a mapping from path to value, {{'a.b': …}}",
    ),
    "to ignore what refers to itself": (
        {"ignore_if": {"a": RING}},
        "ignore_if: the document refers to itself, or holds more than 2,000,000 containers",
    ),
    "a schema that refers to itself": (
        {"schemas": {"f": {"properties": {"a": RING}}}},
        "schemas['f']: the document refers to itself, or holds more than 2,000,000 containers",
    ),
    "unknown": (
        {"unknown_arguments": "drop"},
        "unknown_arguments='drop': must be one of 'report', 'forbid', 'allow'",
    ),
    "expected": (
        {"tool_calls": [{"name": "f", "args": [1]}]},
        (
            'tool_calls=[{"args":[1],"name":"f"}]: call 0: malformed arguments: an array, not an object: [1]'
            "; write [{'name': 'tool', …}]"
        ),
    ),
}


@pytest.mark.parametrize(("options", "message"), ERRORS.values(), ids=ERRORS)
def test_wrong_options_are_refused_with_the_fix(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        create_tool_call_args_evaluator(**options)
    assert str(caught.value) == message


def deep(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"a": found}
    return found


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({"ignore_if": {"f": {"x": deep(5_000)}}}, 1.0),
        ({"ignore_if": deep(5_000)}, 0.0),
        ({"schemas": {"f": {"properties": {"x": {"default": deep(5_000)}}}}}, 1.0),
        ({"tool_calls": [{"name": "f", "args": {"x": deep(5_000)}}]}, 1.0),
    ],
)
def test_options_may_be_as_deep_as_data(options: dict[str, Any], score: float) -> None:
    made = create_tool_call_args_evaluator(**options)
    given: dict[str, Any] = {
        "outputs": [{"name": "f", "args": {"x": deep(5_000)}}],
        "reference_outputs": [{"name": "f", "args": {}}],
    }
    assert made(**given)["score"] == score  # type: ignore[call-overload]
    assert remade(*getattr(made, RECIPE))(**given)["score"] == score


def test_an_evaluator_made_again_has_the_options_of_the_first() -> None:
    values: dict[str, Any] = {"f": {"x": ({"n": [1]}, 2)}}
    made = create_tool_call_args_evaluator(ignore_if=values)
    values["f"]["x"][0]["n"].append(3)
    given = {"outputs": [{"name": "f", "args": {"x": [{"n": [1]}, 2]}}], "reference_outputs": [{"name": "f"}]}
    assert remade(*getattr(made, RECIPE))(**given)["score"] == 1.0
