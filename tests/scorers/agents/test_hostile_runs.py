"""Runs with objects in them that raise whatever is asked of them: a status, and text is text by its class."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

import fieldwise


def refuse(*_: Any) -> Any:
    raise RuntimeError("no")


class Word(str):
    """Text whose methods refuse; by its class it is text all the same."""

    __slots__ = ()
    __eq__ = __ne__ = __lt__ = __len__ = __bool__ = __str__ = __repr__ = refuse
    __hash__ = str.__hash__


class Number(int):
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __bool__ = refuse
    __hash__ = int.__hash__


class Classless:
    __class__ = property(refuse)


METHODS: Final = ("__eq__", "__hash__", "__len__", "__iter__", "keys", "items", "get", "__repr__", "__bool__")
TRAPS: Final[list[Any]] = [
    Classless(), 10**5000,
    *(type("Trap", (kind,), {method: refuse})(given) for method in METHODS
      for kind, given in ((dict, {"a": 1}), (list, [1]), (str, "x"))),
    *(type("Trap", (), {method: refuse})() for method in METHODS),
]  # fmt: skip
EVALUATORS: Final[dict[str, dict[str, Any]]] = {
    "latency_budget": {"max_ms": 1},
    "span_order": {"order": ["a"]},
    "error_budget": {},
    "token_budget": {"max_tokens": 1},
    "tool_call_order": {"order": ["a"]},
    "tool_call_args": {"tool_calls": [{"name": "a", "args": {"x": 1}}]},
    "tool_call_count": {"counts": {"a": 1}},
    "tool_call_output": {"tool_outputs": [{"name": "a", "output": "o"}]},
    "trajectory_match": {"trajectory_match_mode": "superset"},
    "llm_judge_trajectory": {"judge": lambda _: {"trajectory": 90}, "expected_agent_behavior": "a"},
}
SPAN: Final[dict[str, Any]] = {
    "name": "a", "span_id": "1", "parent_id": "2", "start_time": 1, "end_time": 2,
    "status": {"status_code": "OK"}, "events": [{"name": "exception"}], "context": {"span_id": "1"},
    "attributes": {"tool.name": "a", "input.value": "{}", "llm.token_count.total": 3},
}  # fmt: skip
RUN: Final[dict[str, Any]] = {
    "name": "a", "run_type": "llm", "id": "1", "inputs": {}, "outputs": {}, "error": None, "status": "ok",
    "start_time": 1, "end_time": 2, "parent_run_id": "2", "child_runs": [], "extra": {}, "prompt_tokens": 1,
}  # fmt: skip
CALL: Final[dict[str, Any]] = {"name": "a", "args": {"x": 1}, "id": "c", "output": "o"}
MESSAGE: Final[dict[str, Any]] = {
    "role": "assistant", "content": "x", "id": "m", "usage_metadata": {"total_tokens": 2},
    "tool_calls": [CALL], "name": "a", "response_metadata": {"token_usage": {}},
}  # fmt: skip
SOURCES: Final[dict[str, dict[str, Any]]] = {"span": SPAN, "run": RUN, "call": CALL, "message": MESSAGE}


def evaluated(name: str, outputs: Any, **more: Any) -> Any:
    evaluate: Any = getattr(fieldwise, f"create_{name}_evaluator")(**EVALUATORS[name])
    result = evaluate(outputs=outputs, reference_outputs=[CALL], **more)
    json.dumps(result)
    return result


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.parametrize(
    ("source", "field"), [(source, field) for source, one in SOURCES.items() for field in one]
)
def test_a_field_that_refuses_is_a_status(name: str, source: str, field: str) -> None:
    for trap in TRAPS:
        result = evaluated(name, [{**SOURCES[source], field: trap}])
        assert isinstance(result["extra"]["status"], str)


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.parametrize("source", SOURCES)
def test_an_entry_that_refuses_is_a_status(name: str, source: str) -> None:
    for trap in TRAPS:
        for outputs in ([trap], [SOURCES[source], trap], {"messages": trap}, {"spans": [SPAN, trap]}):
            assert isinstance(evaluated(name, outputs)["extra"]["status"], str)


def test_text_of_any_class_is_text() -> None:
    calls = [{"name": Word("a"), "args": {Word("x"): Number(1)}, "id": Word("c"), "output": Word("o")}]
    messages = [
        {"role": Word("assistant"), "content": Word("x"), "tool_calls": [{**CALL, "name": Word("a")}]},
        {"role": "tool", "content": Word("o"), "tool_call_id": Word("c"), "name": Word("a")},
    ]
    for outputs in (calls, messages):
        for name in ("tool_call_order", "tool_call_args", "tool_call_count", "tool_call_output"):
            assert evaluated(name, outputs)["score"] == 1.0
        assert evaluated("trajectory_match", outputs)["score"] is True
    spans = [
        {**SPAN, "name": Word("a"), "span_id": Word("1"), "attributes": {"llm.token_count.total": Number(1)}}
    ]
    assert evaluated("span_order", spans)["score"] == 1.0
    assert evaluated("token_budget", spans)["score"] is True
