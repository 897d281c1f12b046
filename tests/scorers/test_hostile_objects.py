"""Objects whose every method raises: each evaluator says a status instead."""

from __future__ import annotations

from typing import Any, Final

import pytest

import fieldwise

METHODS: Final = (
    "__contains__", "__getitem__", "__len__", "__iter__", "keys", "items", "values", "get", "__eq__",
    "__repr__", "__bool__", "__getattribute__",
)  # fmt: skip
PLAIN: Final[dict[type, Any]] = {dict: {"output": 1}, list: [1], str: "x", object: None}
EVALUATORS: Final[dict[str, dict[str, Any]]] = {
    "json_validity": {},
    "json_schema": {},
    "json_match": {},
    "json_equality": {},
    "json_similarity": {},
    "json_edit_distance": {},
    "json_diff": {},
    "multi_field": {"fields": ["output"]},
    "exact_match": {},
    "contains": {},
    "contains_json": {},
    "regex_match": {},
    "string_similarity": {},
    "grounded_fields": {"context_key": "output"},
    "binary_classification": {"positive_class": "a"},
    "multiclass_classification": {"classes": ["a", "b"]},
    "tool_call_order": {},
    "tool_call_args": {},
    "tool_call_count": {},
    "tool_call_output": {},
    "trajectory_match": {},
    "graph_trajectory_match": {},
    "llm_judge_trajectory": {"judge": lambda _: {}},
    "llm_judge_trajectory_simulation": {"judge": lambda _: {}, "expected_agent_behavior": "a"},
    "latency_budget": {},
    "span_order": {},
    "error_budget": {"max_errors": None},
    "token_budget": {},
}


def refuse(*_: Any) -> Any:
    raise RuntimeError("no")


def hostile(kind: type, method: str) -> Any:
    made = type("Hostile", (kind,), {method: refuse})
    return made() if kind is object else made(PLAIN[kind])


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.parametrize("method", [*METHODS, "__class__"])
@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("side", ["outputs", "reference_outputs"])
def test_a_status_and_no_exception(name: str, method: str, kind: type, side: str) -> None:
    one = hostile(kind, method)
    if method == "__class__":
        one = type("Hostile", (object,), {"__class__": property(refuse)})()
    evaluate: Any = getattr(fieldwise, f"create_{name}_evaluator")(**EVALUATORS[name])
    given: dict[str, Any] = {"outputs": {"output": 1}, "reference_outputs": {"output": 1}, side: one}
    found = evaluate(**given)
    for result in found if isinstance(found, list) else [found]:
        assert isinstance(result["extra"]["status"], str)
