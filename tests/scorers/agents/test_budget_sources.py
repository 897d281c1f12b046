"""Where budgets find what they measure: spans beside messages, the usage in a model call's output."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk

import fieldwise
from fieldwise.integrations.opentelemetry import capture_spans, traced
from fieldwise.scorers.agents.spans.usage import Usage, written_usage

USED: Any = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
MESSAGE = AIMessage("Hi", usage_metadata=USED)
OPENAI = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}}
ANTHROPIC = {"role": "assistant", "content": [], "usage": {"input_tokens": 3, "output_tokens": 4}}
CHUNKS = [
    AIMessageChunk(content="", usage_metadata={"input_tokens": 3, "output_tokens": 0, "total_tokens": 3}),
    AIMessageChunk(content="Hi"),
    AIMessageChunk(content="", usage_metadata={"input_tokens": 0, "output_tokens": 4, "total_tokens": 4}),
]


def spans_of(value: Any, kind: str = "llm", **options: Any) -> Any:
    """The spans of one traced call that returns a value."""

    @traced(name="model", span_type=kind, **options)
    def call() -> Any:
        return value

    with capture_spans() as run:
        call()
    return run.spans


def budget(outputs: Any, **options: Any) -> Any:
    evaluate: Any = fieldwise.create_token_budget_evaluator(max_tokens=10, **options)
    return evaluate(outputs=outputs)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(MESSAGE, id="LangChain"),
        pytest.param(MESSAGE.model_dump(), id="LangChain, dumped"),
        pytest.param({"generations": [[{"message": MESSAGE.model_dump()}]]}, id="generations"),
        pytest.param({"llm_output": {"token_usage": OPENAI["usage"]}}, id="llm_output"),
        pytest.param(OPENAI, id="OpenAI"),
        pytest.param(json.dumps(OPENAI), id="text"),
        pytest.param(ANTHROPIC, id="Anthropic"),
        pytest.param(CHUNKS, id="chunks"),
        pytest.param([{"choices": []}, OPENAI], id="usage in the last chunk"),
    ],
)
def test_the_usage_in_what_a_traced_model_call_gave_back(value: Any) -> None:
    for kind, used in (("total", 7), ("input", 3), ("output", 4)):
        found = budget(spans_of(value), kind=kind)
        assert (found["score"], found["extra"]["measured_tokens"]) == (True, used)


def test_an_attribute_goes_before_the_output() -> None:
    spans = spans_of(MESSAGE, attributes={"llm.token_count.total": 9})
    assert budget(spans)["extra"]["measured_tokens"] == 9


@pytest.mark.parametrize(
    ("value", "kind", "options"),
    [
        (MESSAGE, "llm", {"capture_output": False}),
        (MESSAGE, "chain", {}),
        ("Hi", "llm", {}),
        ({"content": "x" * 100_000, **MESSAGE.model_dump(include={"usage_metadata"})}, "llm", {}),
    ],
    ids=["not-captured", "no-model", "text", "cut"],
)
def test_what_says_nothing_names_the_places(value: Any, kind: str, options: dict[str, Any]) -> None:
    found = budget(spans_of(value, kind, **options))
    assert (found["score"], found["comment"]) == (
        None,
        (
            "nothing says how many tokens were used; a model call's span says it in llm.token_count.total or "
            "gen_ai.usage.*, or has a message or response with its usage as output.value; "
            "a message in usage_metadata or usage"
        ),
    )


def test_chunks_with_running_totals_are_not_added_up() -> None:
    assert written_usage(json.dumps([OPENAI, OPENAI])) == Usage()


# ----------------------------------------------------------------------------- spans beside messages

NAMES = ("latency_budget", "error_budget", "span_order")
OPTIONS: dict[str, Any] = {
    "latency_budget": {"max_ms": 60_000},
    "error_budget": {},
    "span_order": {"order": ["model"]},
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("messages", [[], [{"role": "assistant", "content": "Hi"}]], ids=["none", "one"])
def test_messages_alone_name_what_is_missing(name: str, messages: list[Any]) -> None:
    evaluate = getattr(fieldwise, f"create_{name}_evaluator")(**OPTIONS[name])
    found = evaluate(outputs={"messages": messages})
    assert (found["score"], found["comment"]) == (
        None,
        (
            f"nothing to measure: no spans and no LangSmith run in { ({'messages': messages})!r}; "
            "pass outputs={'messages': …, 'spans': run.spans} with what capture_spans() as run recorded, "
            "or an AgentExecution"
        ),
    )
    beside = {"messages": messages, "spans": spans_of(1)}
    assert evaluate(outputs=beside)["score"] == 1
    execution = fieldwise.AgentExecution(None, {"messages": messages}, spans_of(1))
    assert evaluate(outputs=execution)["score"] == 1


def test_spans_and_messages_serve_both_kinds_of_evaluators() -> None:
    messages = [{"role": "assistant", "content": "", "tool_calls": [{"name": "add", "args": {}, "id": "1"}]}]
    outputs = {"messages": messages, "spans": spans_of(MESSAGE)}
    assert budget(outputs)["extra"]["measured_tokens"] == 7
    order: Any = fieldwise.create_tool_call_order_evaluator()
    assert order(outputs=outputs, reference_outputs=["add"])["score"] == 1.0


@pytest.mark.parametrize(
    ("tokens", "comment"),
    [(1, "the run: 1 token, at most 0"), (2, "the run: 2 tokens, at most 0")],
)
def test_one_is_one(tokens: int, comment: str) -> None:
    evaluate: Any = fieldwise.create_token_budget_evaluator(max_tokens=0)
    spans = spans_of(1, attributes={"llm.token_count.total": tokens})
    assert evaluate(outputs=spans)["comment"] == comment
