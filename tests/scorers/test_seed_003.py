"""The worked examples of an article on OpenEvals' JSON match, each call with the values it prints."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import fieldwise
from tests.scorers.forms import scores

DEFAULTS: dict[str, Any] = {
    "aggregator": None,
    "list_aggregator": "all",
    "rubric": None,
    "exclude_keys": None,
    "judge": None,
    "model": None,
    "use_reasoning": True,
    "list_match_mode": "same_elements",
}


def person(name: str, age: int, **more: str) -> dict[str, Any]:
    return {"name": name, "age": age, **more}


ALICE = person("Alice", 20)
BOB_20, BOB_30, BOB_40 = person("Bob", 20), person("Bob", 30), person("Bob", 40)


@pytest.mark.parametrize(
    ("aggregator", "printed"),
    [
        (None, {"age": 0, "birth": 0, "gender": 0, "name": 1}),
        ("all", {"all": 0}),
        ("average", {"average": 0.25}),
    ],
)
def test_fields_of_an_object(aggregator: str | None, printed: dict[str, float]) -> None:
    outputs = person("Alice", 20, birth="1981-08-24")
    reference = person("Alice", 30, gender="female")
    assert scores(outputs, reference, aggregator=aggregator) == printed


@pytest.mark.parametrize(
    ("list_aggregator", "aggregator", "printed"),
    [
        ("all", None, {"age": 0, "name": 1}),
        ("all", "all", {"all": 0}),
        ("all", "average", {"average": 0}),
        ("average", None, {"age": 0.5, "name": 1.0}),
        ("average", "all", {"all": 0.5}),
        ("average", "average", {"average": 0.75}),
    ],
)
def test_elements_of_a_list(list_aggregator: str, aggregator: str | None, printed: dict[str, float]) -> None:
    found = scores([ALICE, BOB_20], [ALICE, BOB_30], list_aggregator=list_aggregator, aggregator=aggregator)
    assert found == printed


@pytest.mark.parametrize(
    ("list_aggregator", "outputs", "printed"),
    [
        ("average", [BOB_30, ALICE], 0.0),
        ("average", [ALICE, BOB_30, BOB_40], 0.6666666666666666),
        ("all", [ALICE, BOB_30, BOB_40], 0),
    ],
)
def test_ordered(list_aggregator: str, outputs: list[Any], printed: float) -> None:
    found = scores(
        outputs,
        [ALICE, BOB_30],
        list_aggregator=list_aggregator,
        aggregator="average",
        list_match_mode="ordered",
    )
    assert found == {"average": printed}


SUPERSETS = [
    ("average", [BOB_30, ALICE], 1.0),
    ("all", [BOB_30, ALICE], 1),
    ("average", [BOB_40, ALICE], 0.5),
    ("all", [BOB_40, ALICE], 0),
]


@pytest.mark.parametrize(("list_aggregator", "outputs", "printed"), SUPERSETS)
def test_superset(list_aggregator: str, outputs: list[Any], printed: float) -> None:
    found = scores(
        outputs,
        [BOB_30],
        list_aggregator=list_aggregator,
        aggregator="average",
        list_match_mode="superset",
    )
    assert found == {"average": printed}


@pytest.mark.parametrize(("list_aggregator", "reference", "printed"), SUPERSETS)
def test_subset_is_superset_with_the_sides_swapped(
    list_aggregator: str, reference: list[Any], printed: float
) -> None:
    found = scores(
        [BOB_30],
        reference,
        list_aggregator=list_aggregator,
        aggregator="average",
        list_match_mode="subset",
    )
    assert found == {"average": printed}


@pytest.mark.parametrize(("mode", "score"), [("subset", 1.0), ("same_elements", 2 / 3)])
def test_same_elements_also_counts_what_the_output_lacks(mode: str, score: float) -> None:
    found = scores(
        [ALICE, BOB_30],
        [BOB_40, BOB_30, ALICE],
        list_aggregator="average",
        aggregator="average",
        list_match_mode=mode,
    )
    assert found == {"average": score}


@pytest.mark.parametrize(
    "create", [fieldwise.create_json_match_evaluator, fieldwise.create_async_json_match_evaluator]
)
def test_the_eight_options_come_first_with_their_defaults(create: Any) -> None:
    given = inspect.signature(create).parameters
    assert {name: given[name].default for name in list(given)[:8]} == DEFAULTS
    assert {one.kind for one in given.values()} == {inspect.Parameter.KEYWORD_ONLY}
