"""Budgets over what is malformed: counts nobody can read, silent models, rings, ids used twice, one start."""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest

import fieldwise
from fieldwise.scorers.agents.spans.measures import SAYING

HUGE: Final = 10**5000


def told(name: str, outputs: Any, **options: Any) -> tuple[Any, str, str | None]:
    evaluate: Any = getattr(fieldwise, f"create_{name}_evaluator")(**options)
    result = evaluate(outputs=outputs)
    json.dumps(result)
    return result["score"], result["extra"]["status"], result["comment"]


def message(usage: Any = None, **more: Any) -> dict[str, Any]:
    said = {} if usage is None else {"usage_metadata": usage}
    return {"role": "assistant", "content": "x", **said, **more}


def span(name: str, id_: str = "", parent: str | None = None, start: int | None = 1, **more: Any) -> Any:
    return {"name": name, "span_id": id_, "parent_id": parent, "start_time": start, "end_time": 9,
            "attributes": {}, **more}  # fmt: skip


def model(name: str, id_: str, parent: str | None = None, **attributes: Any) -> Any:
    said = {
        "openinference.span.kind": "LLM",
        **{f"llm.token_count.{kind}": one for kind, one in attributes.items()},
    }
    return span(name, id_, parent, attributes=said)


def failed(name: str, id_: str, parent: str | None = None) -> Any:
    return span(name, id_, parent, status={"status_code": "ERROR"})


# ------------------------------------------------------------------------------------------------ tokens

UNREAD: Final = [
    ("many", "input_tokens='many'"),
    ("1e3", "input_tokens='1e3'"),
    (-1, "input_tokens=-1"),
    (1.5, "input_tokens=1.5"),
    (True, "input_tokens=True"),
    (float("inf"), "input_tokens=inf"),
    (float("nan"), "input_tokens=nan"),
    (2**63, "input_tokens=9223372036854775808"),
    (HUGE, "input_tokens=an integer of 16,610 bits"),
    ([3], "input_tokens=[3]"),
]


@pytest.mark.parametrize(("count", "shown"), UNREAD, ids=[shown for _, shown in UNREAD])
def test_a_count_that_cannot_be_read_lets_nothing_pass(count: Any, shown: str) -> None:
    said = [message({"input_tokens": count, "output_tokens": 1})]
    reason = f"counts that cannot be read: 'message 0' has {shown}"
    assert told("token_budget", said, max_tokens=50) == (None, "not_evaluated", reason)
    assert told("token_budget", said, max_tokens=50, kind="output")[0] is True
    assert told("token_budget", said, max_tokens=50, kind="input") == (None, "not_evaluated", reason)
    over = [*said, message({"total_tokens": 51})]
    assert told("token_budget", over, max_tokens=50) == (False, "graded", "the run: 52 tokens, at most 50")


@pytest.mark.parametrize("count", ["900", " 900 ", 900.0, 900])
def test_digits_are_a_count(count: Any) -> None:
    spans = [model("m", "1", prompt=count, completion=3)]
    assert told("token_budget", spans, max_tokens=50) == (False, "graded", "the run: 903 tokens, at most 50")
    otlp = {"key": "llm.token_count.total", "value": {"intValue": str(int(count))}}
    spans = [{"name": "m", "start_time": 1, "attributes": [otlp]}]
    assert told("token_budget", spans, max_tokens=900)[0] is True


def test_a_count_of_otlp_that_is_none_hides_nothing_beside_it() -> None:
    kind = {"key": "openinference.span.kind", "value": {"stringValue": "LLM"}}
    count = {"key": "llm.token_count.total", "value": {"intValue": "many"}}
    spans = [{"name": "m", "start_time": 1, "attributes": [kind, count]}]
    reason = "counts that cannot be read: 'm' has llm.token_count.total='many'"
    assert told("token_budget", spans, max_tokens=5) == (None, "not_evaluated", reason)


@pytest.mark.parametrize(
    ("silent", "names"),
    [
        ([message(), message()], "'message 1', 'message 2'"),
        ([message({})], "'message 1'"),
        ([message("lots")], "'message 1'"),
        ([{"choices": [{"message": {"role": "assistant"}}]}], "'message 1'"),
        ([{"id": ["langchain", "AIMessage"], "kwargs": {"content": "x"}}], "'message 1'"),
    ],
    ids=["two", "empty", "text", "a response", "LangChain's dump"],
)
def test_a_silent_message_of_a_model_lets_nothing_pass(silent: list[Any], names: str) -> None:
    said = [message({"input_tokens": 1, "output_tokens": 1}), *silent]
    reason = f"model calls that say nothing of their tokens: {names}; {SAYING}"
    assert told("token_budget", said, max_tokens=50) == (None, "not_evaluated", reason)
    assert told("token_budget", said, max_tokens=1) == (False, "graded", "the run: 2 tokens, at most 1")


@pytest.mark.parametrize(
    "beside",
    [
        {"role": "user", "content": "x"},
        {"role": "tool", "content": "x", "tool_call_id": "c"},
        message(id="m1"),
        "text",
    ],
    ids=["user", "tool", "a chunk of the same message", "no message"],
)
def test_a_message_that_no_model_wrote_owes_no_count(beside: Any) -> None:
    said = [beside, message({"total_tokens": 2}, id="m1")]
    assert told("token_budget", said, max_tokens=2) == (True, "graded", "the run: 2 tokens, at most 2")


def test_an_id_that_says_two_things_counts_twice() -> None:
    said = [message({"total_tokens": tokens}, id="m1") for tokens in (2, 2, 3)]
    assert told("token_budget", said, max_tokens=4) == (False, "graded", "the run: 5 tokens, at most 4")


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([model("a", "1", total="many"), model("b", "2", "1", total=3)], (True, "graded")),
        ([model("a", "1", total=3), model("b", "2", "1", total="many")], (True, "graded")),
        ([model("a", "1", prompt="many", completion=3), model("b", "2", "1")], (None, "not_evaluated")),
        ([model("a", "1", prompt="many", completion=3, total=3)], (True, "graded")),
        ([span("chain", "1", attributes={"llm.token_count.total": "many"}), model("b", "2", total=3)],
         (None, "not_evaluated")),
    ],
    ids=["known below", "known above", "a part of it", "the total", "no model"],
)  # fmt: skip
def test_what_is_unread_and_known_elsewhere(spans: list[Any], expected: tuple[Any, str]) -> None:
    assert told("token_budget", spans, max_tokens=5)[:2] == expected


# ------------------------------------------------------------------------------------------------ errors

RING: Final = [failed("a", "1", "3"), failed("b", "2", "1"), span("c", "3", "2")]


@pytest.mark.parametrize("spans", list(itertools.permutations(RING)), ids=range(6))
def test_a_ring_loses_no_error(spans: tuple[Any, ...]) -> None:
    assert told("error_budget", list(spans), max_errors=1)[:2] == (False, "graded")
    assert told("error_budget", list(spans), max_errors=2)[0] is True


def test_an_error_below_a_ring_is_passed_up_to_it() -> None:
    spans = [failed("a", "1", "2"), span("b", "2", "1"), failed("c", "3", "1")]
    wanted = "the run: 1 error, at most 0; 'c': an error without words"
    assert told("error_budget", spans) == (False, "graded", wanted)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_one_id_and_two_spans_are_two(order: tuple[int, ...]) -> None:
    spans = [span("a", "1", status={"status_code": "OK"}), failed("b", "1"), failed("c", "1")]
    said = told("error_budget", [spans[at] for at in order], max_errors=1)
    assert said[:2] == (False, "graded")
    tokens = [model("a", "1", total=3), model("a", "1", total=4)]
    assert told("token_budget", tokens, max_tokens=6) == (False, "graded", "the run: 7 tokens, at most 6")


def test_one_span_recorded_twice_is_one() -> None:
    begun = {**failed("a", "1"), "end_time": None, "status": None}
    assert told("error_budget", [begun, failed("a", "1"), failed("a", "1")], max_errors=1)[0] is True
    assert told("latency_budget", [begun, failed("a", "1")], max_ms=1)[0] is True


def test_many_spans_of_one_id() -> None:
    spans = [failed(f"s{at}", "1") for at in range(5_000)]
    assert told("error_budget", spans, max_errors=4_999)[:2] == (False, "graded")
    assert told("error_budget", spans, max_errors=5_000)[0] is True


# ------------------------------------------------------------------------------------------------- order


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("spans", list(itertools.permutations([("a", 1), ("b", 1), ("c", 2)])), ids=str)
def test_spans_of_one_start_have_no_order(spans: Any, strict: bool) -> None:
    outputs = [span(name, name, start=start) for name, start in spans]
    for order in (["a", "b", "c"], ["b", "a", "c"]):
        assert told("span_order", outputs, order=order, strict=strict) == (1.0, "graded", None)
    assert told("span_order", outputs, order=["c", "a", "b"], strict=strict)[0] == (0.0 if strict else 2 / 3)


def test_what_holds_the_others_comes_first() -> None:
    outputs = [span("leaf", "3", "2"), span("other", "4", "1"), span("inner", "2", "1"), span("root", "1")]
    for order in (["root", "inner", "leaf", "other"], ["root", "other", "leaf", "inner"]):
        assert told("span_order", outputs, order=order, strict=True)[0] == 1.0
    wanted = "exactly: expected 'leaf', 'root'; got 'root', ['inner', 'leaf', 'other']"
    assert told("span_order", outputs, order=["leaf", "root"], strict=True) == (0.0, "graded", wanted)


def test_the_first_of_one_start_is_the_longest_whatever_the_order() -> None:
    spans = [{**span("a", str(end)), "end_time": end * 1_000_000} for end in (2, 7, 3)]
    for outputs in itertools.permutations(spans):
        result = told("latency_budget", list(outputs), max_ms=5, span="a", of="first")
        assert result == (False, "graded", "span 'a': 7 ms, at most 5")


# ---------------------------------------------------------------------------------------------- references

AT_MOST: Final = "an integer of 16,610 bits: must be a whole number of at most 1,000,000,000,000,000,000"


@pytest.mark.parametrize(
    ("name", "option", "outputs"),
    [
        ("error_budget", "max_errors", [span("a")]),
        ("token_budget", "max_tokens", [message({"total_tokens": 1})]),
    ],
)
@pytest.mark.parametrize("spelled", ["plain", "named"])
def test_a_bound_of_five_thousand_digits(name: str, option: str, outputs: Any, spelled: str) -> None:
    evaluate: Any = getattr(fieldwise, f"create_{name}_evaluator")(**{option: None})
    result = evaluate(outputs=outputs, reference_outputs=HUGE if spelled == "plain" else {option: HUGE})
    assert (result["score"], result["extra"]["status"], result["comment"]) == (
        None,
        "invalid_reference",
        f"the reference's {option}={AT_MOST}",
    )


def test_a_span_named_by_a_number_of_five_thousand_digits() -> None:
    assert told("latency_budget", [span(HUGE)], max_ms=1)[0] is True  # type: ignore[arg-type]
