"""Wrong options of the evaluator of tool arguments: refused with the option, the value and the fix."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.errors import ConfigError
from fieldwise.evaluators.arguments import create_tool_call_args_evaluator

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
