"""The laws of the arguments and outputs of calls: for every record and any options."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fieldwise.comparators import fuzzy, number, within
from fieldwise.evaluators.arguments import create_tool_call_args_evaluator
from tests.laws.strategies import json_values, python_values
from tests.scorers.agents.call_forms import args_of, evaluate

VALUES = st.sampled_from([1, 2, True, None, "x", "y", {"k": 1}, {"k": 1, "l": 2}, [1], {"$any": True}])
ARGS = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)
CALLS = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from(["s", "s", "Get It"]), "args": ARGS}), max_size=4
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "strict": st.booleans(),
        "mode": st.sampled_from(["exact", "superset", "subset"]),
        "scoring": st.sampled_from(["all_or_nothing", "graded"]),
        "measure": st.sampled_from(["recall", "precision", "f1"]),
        "comparators": st.sampled_from([{"*": {"a": "number"}}, {"s": {"b": within(fuzzy(), 0.5)}}]),
        "ignore_if": st.just({"c": 1}),
        "optional": st.just({"s": ["a"]}),
        "schemas": st.just({"s": {"properties": {"b": {"default": 2}}}}),
        "null_policy": st.sampled_from(["null_equals_missing", "empty_equals_null"]),
        "coerce": st.booleans(),
    },
)


@given(CALLS, CALLS, OPTIONS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=150)
def test_the_order_of_calls_on_either_side_never_changes_the_score(
    made: list[Any], expected: list[Any], options: dict[str, Any], chance: random.Random
) -> None:
    score = args_of(made, expected, **options)["score"]
    assert args_of(chance.sample(made, len(made)), expected, **options)["score"] == score
    assert args_of(made, chance.sample(expected, len(expected)), **options)["score"] == score


@given(CALLS, OPTIONS)
@settings(deadline=None, max_examples=150)
def test_what_is_expected_of_itself_is_right(made: list[Any], options: dict[str, Any]) -> None:
    assert args_of(made, made, **options)["score"] == 1.0


@pytest.mark.parametrize("name", ["tool_call_args", "tool_call_output"])
@given(json_values)
@settings(deadline=None, max_examples=60)
def test_any_value_is_right_beside_itself(name: str, value: Any) -> None:
    made = [{"name": "f", "args": {"a": value}, "output": value}]
    assert evaluate(name, made, made)["score"] == 1.0


@pytest.mark.parametrize("name", ["tool_call_args", "tool_call_output"])
@given(python_values, python_values)
@settings(deadline=None, max_examples=60)
def test_nothing_raises_and_scores_stay_in_range(name: str, outputs: Any, reference: Any) -> None:
    for given_outputs, given_reference in (
        (outputs, reference),
        ([{"name": "f", "args": outputs}], reference),
    ):
        score = evaluate(name, given_outputs, given_reference)["score"]
        assert score is None or 0.0 <= score <= 1.0


def hits(made: list[Any], expected: list[Any], **options: Any) -> int:
    """How many expected calls can be right at once, by trying every pairing of single calls."""
    one: Any = create_tool_call_args_evaluator(**options)

    def fits(wanted: Any, came: Any) -> bool:
        return came is not None and one(outputs=[came], reference_outputs=[wanted])["score"] == 1.0

    padded = [*made, *([None] * len(expected))]
    table = {(w, c): fits(expected[w], padded[c]) for w in range(len(expected)) for c in range(len(padded))}
    orders = permutations(range(len(padded)), len(expected))
    return max(sum(table[w, c] for w, c in enumerate(order)) for order in orders)


@pytest.mark.parametrize(
    "options",
    [{}, {"mode": "superset"}, {"mode": "subset"}, {"comparators": {"*": {"a": number(absolute=1)}}}],
    ids=["exact", "superset", "subset", "a comparator"],
)
@given(
    st.lists(st.fixed_dictionaries({"name": st.just("s"), "args": ARGS}), max_size=3),
    st.lists(st.fixed_dictionaries({"name": st.just("s"), "args": ARGS}), min_size=1, max_size=3),
)
@settings(deadline=None, max_examples=60)
def test_no_other_pairing_has_more_right(
    options: dict[str, Any], made: list[Any], expected: list[Any]
) -> None:
    assume(made)
    assert args_of(made, expected, **options)["score"] == hits(made, expected, **options) / len(expected)


@given(CALLS, CALLS)
@settings(deadline=None)
def test_calls_that_nobody_expected_are_free(made: list[Any], more: list[Any]) -> None:
    assume(made)
    others = [{**call, "name": "other"} for call in more]
    assert args_of([*made, *others], made, strict=True)["score"] == 1.0
