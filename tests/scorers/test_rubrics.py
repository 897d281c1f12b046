"""Rubrics in json_match and multi_field: nested, over wildcards, and where lists have to be paired first."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, Final

import pytest

import fieldwise
from fieldwise import Field
from fieldwise.core.flow import JudgeRequest
from tests.judges.fakes import chat_model, data_of

SAME: Final = "says the same"
ORDER: Final = {
    "id": 7,
    "buyer": {"name": "Ada Lovelace", "town": "London"},
    "items": [
        {"sku": "a", "desc": "a large red apple"},
        {"sku": "b", "desc": "two slices of rye bread"},
        {"sku": "c", "desc": "a bottle of cider"},
    ],
}
CAME: Final = {
    "id": 7,
    "buyer": {"name": "Countess Lovelace", "town": "London"},
    "items": [
        {"sku": "c", "desc": "cider, one bottle"},
        {"sku": "a", "desc": "red apple, large"},
        {"sku": "b", "desc": "rye bread, two slices"},
    ],
}


class Judge:
    """Says yes where both sides share their longest word."""

    def __init__(self) -> None:
        self.asked: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> Any:
        self.asked.append(request)
        return {one.id: _longest(one.expected) in str(one.actual) for one in request.questions}

    def fields(self) -> list[str]:
        return [one.field for request in self.asked for one in request.questions]


def _longest(text: Any) -> str:
    return max(str(text).split(), key=len)


def scored(name: str, outputs: Any, reference: Any, **options: Any) -> tuple[dict[str, Any], Judge]:
    """Scores by key and the judge that was asked, the same from both forms."""
    judges = [Judge(), Judge()]
    sync: Any = getattr(fieldwise, f"create_{name}_evaluator")(judge=judges[0], **options)
    awaited: Any = getattr(fieldwise, f"create_async_{name}_evaluator")(judge=judges[1], **options)
    found = sync(outputs=outputs, reference_outputs=reference)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == found
    assert judges[0].asked == judges[1].asked
    return {one["key"].removeprefix(f"{name}:"): one["score"] for one in found}, judges[0]


NESTED: Final[list[tuple[str, dict[str, Any], dict[str, Any], list[str]]]] = [
    ("member", {"rubric": {"buyer": SAME}}, {"buyer": 1.0}, ["buyer"]),
    ("path", {"rubric": {"buyer.name": SAME}}, {"buyer": 1.0, "buyer.name": 1.0}, ["buyer.name"]),
    ("pointer", {"rubric": {"/buyer/name": SAME}}, {"buyer": 1.0, "buyer.name": 1.0}, ["buyer.name"]),
    ("jsonpath", {"rubric": {"$.buyer.name": SAME}}, {"buyer": 1.0, "buyer.name": 1.0}, ["buyer.name"]),
    ("nowhere", {"rubric": {"buyer.age": SAME}}, {"buyer": 0.0}, []),
]


@pytest.mark.parametrize(("options", "right", "asked"), [pytest.param(*row[1:], id=row[0]) for row in NESTED])
def test_nested(options: dict[str, Any], right: dict[str, Any], asked: list[str]) -> None:
    found, judge = scored("json_match", CAME, ORDER, **options, exclude_keys=["items"])
    assert found == {"id": 1.0, **right}
    assert judge.fields() == asked


WILD: Final = {"rubric": {"items[*].desc": SAME}, "list_aggregator": "average", "exclude_keys": ["buyer"]}


@pytest.mark.parametrize("at", range(6))
def test_wildcards_and_the_lists_on_the_way(at: int) -> None:
    """Where nothing but judged text tells elements apart, its likeness pairs them."""
    items = [{"desc": one["desc"]} for one in CAME["items"]]  # type: ignore[attr-defined]
    came = {"id": 7, "items": list(list(itertools.permutations(items))[at])}
    wanted = {"id": 7, "items": [{"desc": one["desc"]} for one in ORDER["items"]]}  # type: ignore[attr-defined]
    found, judge = scored("json_match", came, wanted, lists={"items": "same_elements"}, **WILD)
    assert found == {"id": 1.0, "items[*].desc": 1.0}
    assert judge.fields() == ["items[*].desc"] * 3
    found, _ = scored(
        "multi_field",
        came,
        wanted,
        lists={"items": "same_elements"},
        fields=["id", Field("items[*].desc", rubric=SAME)],
    )
    assert found == {"id": 1.0, "items[*].desc": 1.0, "aggregate_score": 1.0}


def test_an_ordered_list_is_judged_place_by_place() -> None:
    found, judge = scored("json_match", CAME, ORDER, **WILD)
    assert found == {"id": 1.0, "items": 0.0, "items[*].desc": 0.0}
    assert len(judge.fields()) == 3


@pytest.mark.parametrize("swapped", [False, True])
def test_elements_of_a_top_level_list_pair_by_what_is_judged(swapped: bool) -> None:
    outputs = [{"t": "the fat cat"}, {"t": "one old dog"}]
    reference = [{"t": "an old dog"}, {"t": "a fat cat"}]
    outputs = outputs[::-1] if swapped else outputs
    found, judge = scored("json_match", outputs, reference, rubric={"t": SAME}, aggregator="all")
    assert found == {"all": 1.0}
    assert sorted(str(one.expected) for one in judge.asked[0].questions) == ["a fat cat", "an old dog"]


def test_a_model_is_asked_once_for_all_of_a_record() -> None:
    model = chat_model()
    rubric = {"buyer.name": SAME, "items[*].desc": SAME}
    sync: Any = fieldwise.create_json_match_evaluator(
        rubric=rubric, judge=model, lists={"items": "same_elements"}, aggregator="all"
    )
    (one,) = sync(outputs=CAME, reference_outputs=ORDER)
    assert one["score"] == 1.0
    (call,) = model.seen
    asked = data_of(call[-1]["content"])
    assert [each["field"] for each in asked.values()] == ["buyer.name", *["items[*].desc"] * 3]
    assert call[-1]["content"].count(SAME) == 1
