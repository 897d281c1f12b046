"""Half a character in names and texts: results can be encoded, and two names stay two."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import fieldwise

HALF: Final = "\ud800"


def judge(request: Any) -> dict[str, Any]:
    return {one.id: {"score": 0.5, "reasoning": f"why {HALF}"} for one in request.questions}


EVALUATORS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "json_match": ("json_match", {}),
    "all": ("json_match", {"aggregator": "all"}),
    "listed": ("json_match", {"list_match_mode": "same_elements"}),
    "judged": ("json_match", {"rubric": {f"a{HALF}": "right"}, "judge": judge}),
    "raising": ("json_match", {"comparators": {f"a{HALF}": lambda *_: int(HALF)}}),
    "multi_field": ("multi_field", {"fields": [f"a{HALF}", "b", f"z{HALF}"]}),
    "json_similarity": ("json_similarity", {}),
    "json_equality": ("json_equality", {"operator": lambda *_: int(HALF)}),
    "json_diff": ("json_diff", {}),
    "json_schema": ("json_schema", {"schema": {"required": [HALF], "additionalProperties": False}}),
    "exact_match": ("exact_match", {}),
    "target": ("exact_match", {"target_output_key": f"a{HALF}"}),
    "regex_match": ("regex_match", {"pattern": HALF}),
    "strict_json": ("llm_judge_strict_json", {"judge": judge}),
    "output": ("llm_judge_output", {"judge": judge}),
}
PAIRS: Final[list[tuple[Any, Any]]] = [
    ({f"a{HALF}": 1, "b": HALF}, {f"a{HALF}": 2, "b": "x"}),
    ([{f"a{HALF}": 1}], [{f"a{HALF}": 2}]),
    ({HALF: {HALF: [1]}}, {HALF: {HALF: [2]}}),
    (HALF, {f"a{HALF}": 1}),
    (f"x{HALF}", f"y{HALF}"),
    ({HALF: object()}, {HALF: 1}),
]


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.parametrize(("outputs", "reference"), PAIRS, ids=range(len(PAIRS)))
def test_results_can_be_encoded(name: str, outputs: Any, reference: Any) -> None:
    evaluator, options = EVALUATORS[name]
    evaluate: Any = getattr(fieldwise, f"create_{evaluator}_evaluator")(**options)
    results = evaluate(inputs=HALF, outputs=outputs, reference_outputs=reference)
    text = json.dumps(results, ensure_ascii=False)
    assert json.loads(text.encode()) == results


def test_names_stay_distinct() -> None:
    sides = {"\ud800": 1, "\\ud800": 1, "\\\ud800": 1}
    evaluate: Any = fieldwise.create_json_match_evaluator()
    keys = [one["key"] for one in evaluate(outputs=sides, reference_outputs={**sides, "\ud800": 2})]
    assert sorted(keys) == [
        "json_match:['\\\\\\ud800']",
        "json_match:['\\ud800']",
        "json_match:\\ud800",
    ]


def test_a_name_below_another_is_told_the_same_way() -> None:
    evaluate: Any = fieldwise.create_json_similarity_evaluator()
    result = evaluate(outputs={"a": {HALF: 1}, "b": 1}, reference_outputs={"a": {HALF: 2}, "b": 1})
    assert result["comment"] == "1 of 2 leaves not right: a['\\ud800']: expected 2, got 1 [similarity 0.5]"


@pytest.mark.parametrize("name", ["json_match", "json_similarity", "exact_match"])
def test_a_feedback_key_is_refused(name: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        getattr(fieldwise, f"create_{name}_evaluator")(feedback_key=HALF)
    assert str(caught.value) == "feedback_key='\\ud800': must not hold half a character"
