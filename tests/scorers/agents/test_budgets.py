"""Budgets of a run: what is measured, what passes, and what is not graded because nothing was measured."""

from __future__ import annotations

import asyncio
import doctest
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langsmith.schemas import Run
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Status, StatusCode, set_span_in_context

import fieldwise
from fieldwise import MISSING
from fieldwise.errors import ConfigError
from fieldwise.evaluators import budgets
from fieldwise.integrations.opentelemetry import capture_spans, traced
from fieldwise.scorers.agents import budgets as declared
from fieldwise.scorers.agents.execution import AgentExecution
from fieldwise.scorers.agents.spans.timeline import Moment, below

_SHAPE = {"key", "score", "comment", "metadata", "extra"}
NAMES = ("latency_budget", "span_order", "error_budget", "token_budget")
MS = 1_000_000
NO_SPANS = "nothing to measure: no spans and no LangSmith run in"
HAND_OVER = (
    "pass outputs={'messages': …, 'spans': run.spans} with what capture_spans() as run recorded, "
    "or an AgentExecution"
)
SAY_TOKENS = (
    "a model call's span says it in llm.token_count.total or gen_ai.usage.*, or has a message or response "
    "with its usage as output.value; a message in usage_metadata or usage"
)
NO_TOKENS = f"nothing says how many tokens were used; {SAY_TOKENS}"


def evaluate(name: str, outputs: Any, reference: Any = MISSING, **options: Any) -> dict[str, Any]:
    """The one result, sync and async the same, its shape checked."""
    sync: Any = getattr(budgets, f"create_{name}_evaluator")(**options)
    awaited: Any = getattr(budgets, f"create_async_{name}_evaluator")(**options)
    result: dict[str, Any] = sync(outputs=outputs, reference_outputs=reference)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == result
    assert result.keys() == _SHAPE
    score, status = result["score"], result["extra"]["status"]
    assert (score is None) == (status not in {"graded", "invalid_output"})
    assert score is None or (0 <= score <= 1 and type(score) is (float if name == "span_order" else bool))
    json.dumps(result, allow_nan=False).encode()
    return result


def told(name: str, outputs: Any, reference: Any = MISSING, **options: Any) -> tuple[Any, str, str]:
    """Score, status and comment."""
    result = evaluate(name, outputs, reference, **options)
    return result["score"], result["extra"]["status"], result["comment"]


def span(name: str, start: int | None = 0, end: int | None = 1, **more: Any) -> dict[str, Any]:
    """A span as plain data; times in milliseconds."""
    times = {"start_time": start, "end_time": end}
    scaled = {key: None if at is None else at * MS for key, at in times.items()}
    return {"name": name, "attributes": {}, **scaled, **more}


def llm(name: str, id_: str, parent: str | None, **tokens: int) -> dict[str, Any]:
    keys = {f"llm.token_count.{key}": count for key, count in tokens.items()}
    said = {"openinference.span.kind": "LLM", **keys}
    return {**span(name), "context": {"span_id": id_}, "parent_id": parent, "attributes": said}


RUN = [span("agent", 0, 100), span("search", 10, 40), span("search", 20, 90), span("answer", 91, 99)]


# ---------------------------------------------------------------------------------------------- latency


@pytest.mark.parametrize(
    ("options", "measured", "score"),
    [
        ({"max_ms": 100}, 100.0, True),
        ({"max_ms": 99.9}, 100.0, False),
        ({"max_ms": 70, "span": "search"}, 70.0, True),
        ({"max_ms": 69, "span": "search"}, 70.0, False),
        ({"max_ms": 100, "span": "search", "of": "sum"}, 100.0, True),
        ({"max_ms": 30, "span": "search", "of": "first"}, 30.0, True),
        ({"max_ms": 8, "span": "a*r"}, 8.0, True),
        ({"max_ms": 70, "span": "se??ch"}, 70.0, True),
        ({"max_ms": 0}, 100.0, False),
    ],
)
def test_latency(options: dict[str, Any], measured: float, score: bool) -> None:
    result = evaluate("latency_budget", RUN, **options)
    assert (result["score"], result["extra"]["measured_ms"]) == (score, measured)
    assert result["extra"]["passed"] is score


def test_latency_says_what_it_measured() -> None:
    result = evaluate("latency_budget", [span("a b", 0, 1500)], max_ms=1000, span="a b")
    assert result["comment"] == "span 'a b': 1,500 ms, at most 1,000"
    assert result["extra"] == {
        "status": "graded",
        "path": "$",
        "passed": False,
        "support": 1,
        "measured_ms": 1500.0,
        "max_ms": 1000.0,
        "spans": [{"name": "a b", "ms": 1500.0}],
        "span_count": 1,
    }


@pytest.mark.parametrize(
    ("outputs", "options", "expected"),
    [
        (RUN, {"span": "serach"},
         (None, "not_evaluated", "no span 'serach'; did you mean 'search'?")),
        (RUN, {"span": "x"},
         (None, "not_evaluated", "no span 'x'; the spans are 'agent', 'search', 'answer'")),
        ([], {}, (None, "not_evaluated", f"{NO_SPANS} []; {HAND_OVER}")),
        ("no spans", {},
         (None, "not_evaluated", f"{NO_SPANS} 'no spans'; {HAND_OVER}")),
        (MISSING, {}, (False, "invalid_output", "no outputs were given")),
        ([span("a", 0, None)], {"span": "a"}, (None, "not_evaluated", "no start or no end: 'a'")),
        ([span("a", 0, None), span("b", 0, 20)], {}, (False, "graded", "the run: 20 ms, at most 10")),
        ([span("a", 0, None), span("b", 0, 5)], {}, (None, "not_evaluated", "no start or no end: 'a'")),
        ([span("a", None, 5)], {}, (None, "not_evaluated", "no start or no end: 'a'")),
        ([span("a", 5, 1)], {}, (None, "not_evaluated", "span 'a' ends before it starts")),
    ],
)  # fmt: skip
def test_latency_that_cannot_be_measured_never_passes(
    outputs: Any, options: dict[str, Any], expected: tuple[Any, str, str]
) -> None:
    assert told("latency_budget", outputs, max_ms=10, **options) == expected


def test_a_name_that_looks_like_a_pattern_matches_itself() -> None:
    assert told("latency_budget", [span("f[0]")], max_ms=1, span="f[0]")[:2] == (True, "graded")


@pytest.mark.parametrize(
    ("reference", "options", "expected"),
    [
        ({"max_ms": 1}, {"max_ms": 1000}, (False, "graded", "the run: 100 ms, at most 1")),
        ({"maxMs": 100}, {}, (True, "graded", "the run: 100 ms, at most 100")),
        (100, {}, (True, "graded", "the run: 100 ms, at most 100")),
        ({"output": {"maxMs": 100}}, {}, (True, "graded", "the run: 100 ms, at most 100")),
        ({"answer": 3}, {"max_ms": 100}, (True, "graded", "the run: 100 ms, at most 100")),
        (5, {"max_ms": 100}, (True, "graded", "the run: 100 ms, at most 100")),
        (MISSING, {}, (None, "not_evaluated", "no max_ms: neither the evaluator nor a reference names one")),
        ({"answer": 3}, {},
         (None, "invalid_reference", "the reference names neither max_ms nor maxMs: {'answer': 3}")),
        ({"maxMs": "fast"}, {"max_ms": 1},
         (None, "invalid_reference", "the reference's max_ms='fast': must be a finite number of at least 0")),
        ("fast", {},
         (None, "invalid_reference", "the reference's max_ms='fast': must be a finite number of at least 0")),
    ],
)  # fmt: skip
def test_the_bound_may_come_with_the_reference(
    reference: Any, options: dict[str, Any], expected: tuple[Any, str, str]
) -> None:
    assert told("latency_budget", RUN, reference, **options) == expected


# ------------------------------------------------------------------------------------------------ order


@pytest.mark.parametrize(
    ("order", "options", "score"),
    [
        (["agent", "search", "search", "answer"], {}, 1.0),
        (["search", "answer"], {}, 1.0),
        (["answer", "search"], {}, 0.5),
        (["search", "publish"], {}, 0.5),
        (["publish"], {}, 0.0),
        (["search", "answer"], {"strict": True}, 0.0),
        (["agent", "search", "search", "answer"], {"strict": True}, 1.0),
        (["search", "search", "answer"], {"strict": True, "only": ["s*", "answer"]}, 1.0),
        (["search", "search"], {"strict": True, "only": "search"}, 1.0),
        (["search"], {"strict": True, "only": "publish"}, 0.0),
    ],
)
def test_order(order: list[str], options: dict[str, Any], score: float) -> None:
    shuffled = [RUN[at] for at in (3, 1, 0, 2)]
    assert evaluate("span_order", shuffled, order=order, **options)["score"] == score
    assert evaluate("span_order", RUN, {"spanOrder": order}, **options)["score"] == score
    assert evaluate("span_order", RUN, {"order": order}, **options)["score"] == score
    assert evaluate("span_order", RUN, order, **options)["score"] == score


def test_order_says_what_came() -> None:
    result = evaluate("span_order", RUN[:2], order=["search", "answer"], threshold=0.5)
    assert result["comment"] == "1 of 2 in order: expected 'search', 'answer'; got 'agent', 'search'"
    assert result["extra"]["passed"] is True


@pytest.mark.parametrize(
    ("outputs", "reference", "expected"),
    [
        ([], ["a"], (None, "not_evaluated", f"{NO_SPANS} []; {HAND_OVER}")),
        ([span("a", None)], ["a"],
         (None, "not_evaluated", "some spans have no start, so there is no order")),
        (RUN, [], (None, "invalid_reference", "the reference is no list of span names: []")),
        (RUN, "a", (None, "invalid_reference", "the reference is no list of span names: 'a'")),
        (RUN, {"x": 1},
         (None, "invalid_reference", "the reference names neither span_order nor spanOrder: {'x': 1}")),
        (RUN, MISSING,
         (None, "not_evaluated", "no span_order: neither the evaluator nor a reference names one")),
    ],
)  # fmt: skip
def test_order_that_cannot_be_told(outputs: Any, reference: Any, expected: tuple[Any, str, str]) -> None:
    assert told("span_order", outputs, reference) == expected


# ----------------------------------------------------------------------------------------------- errors


def failed(name: str, id_: str, parent: str | None = None, *, error: bool = True) -> dict[str, Any]:
    status = {"status_code": "ERROR", "description": f"{name} broke"} if error else {"status_code": "UNSET"}
    return {**span(name), "context": {"span_id": id_}, "parent_id": parent, "status": status}


@pytest.mark.parametrize(
    ("spans", "options", "count", "score"),
    [
        ([failed("a", "1", error=False)], {}, 0, True),
        ([failed("a", "1")], {}, 1, False),
        ([failed("a", "1"), failed("b", "2", "1"), failed("c", "3", "2")], {}, 1, False),
        ([failed("a", "1"), failed("b", "2", "1", error=False), failed("c", "3", "2")], {}, 2, False),
        ([failed("a", "1"), failed("b", "2", "1"), failed("c", "3", "1")], {"max_errors": 2}, 2, True),
        ([failed("a", "1", error=False), failed("b", "2", "1")], {"ignore": ["b"]}, 0, True),
        ([failed("a", "1"), failed("b", "2", "1")], {"ignore": "b*"}, 1, False),
        ([failed("a", "1", "1")], {}, 1, False),
    ],
)
def test_a_failure_that_is_passed_up_counts_once(
    spans: list[Any], options: dict[str, Any], count: int, score: bool
) -> None:
    result = evaluate("error_budget", spans, **options)
    assert (result["score"], result["extra"]["measured_errors"]) == (score, count)


def test_errors_are_named() -> None:
    result = evaluate("error_budget", [failed("search", "1")])
    assert result["comment"] == "the run: 1 error, at most 0; 'search': search broke"
    assert result["extra"]["errors"] == [{"name": "search", "error": "search broke"}]


def test_no_errors_in_no_spans_is_no_pass() -> None:
    assert told("error_budget", [])[:2] == (None, "not_evaluated")


# ----------------------------------------------------------------------------------------------- tokens

GEN_AI = {"gen_ai.usage.input_tokens": 2, "gen_ai.usage.output_tokens": 1}


@pytest.mark.parametrize(
    ("spans", "kind", "used"),
    [
        pytest.param([llm("a", "1", None, prompt=3, completion=4, total=7)], "total", 7, id="one"),
        pytest.param([llm("a", "1", None, prompt=3, completion=4)], "total", 7, id="total-not-said"),
        pytest.param([llm("a", "1", None, prompt=3, completion=4)], "input", 3, id="input"),
        pytest.param([llm("a", "1", None, prompt=3, completion=4)], "output", 4, id="output"),
        pytest.param([llm("a", "1", None, prompt=3)], "total", 3, id="embedding"),
        pytest.param(
            [llm("agent", "1", None, total=30), llm("a", "2", "1", total=10), llm("b", "3", "1", total=20)],
            "total", 30, id="roll-up"),
        pytest.param(
            [llm("agent", "1", None, total=30), llm("a", "2", "1", total=10)],
            "total", 30, id="partly-recorded"),
        pytest.param(
            [span("agent", 0, 9), llm("a", "2", "1", total=10), llm("a", "3", "2", total=10)],
            "total", 10, id="recorded-by-two-libraries"),
        pytest.param([llm("a", "1", "2", total=5), llm("b", "2", "1", total=7)], "total", 12, id="ring"),
        pytest.param([llm("a", "1", "1", total=5)], "total", 5, id="own-parent"),
        pytest.param([{**span("a"), "attributes": GEN_AI}], "total", 3, id="gen-ai"),
        pytest.param([llm("a", "1", None, total=5)] * 2, "total", 5, id="given-twice"),
    ],
)  # fmt: skip
def test_tokens_of_spans(spans: list[Any], kind: str, used: int) -> None:
    result = evaluate("token_budget", spans, max_tokens=used, kind=kind)
    assert (result["score"], result["extra"]["measured_tokens"]) == (True, used)
    assert evaluate("token_budget", spans, max_tokens=used - 1, kind=kind)["score"] is False


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ([llm("a", "1", None)], (None, "not_evaluated", NO_TOKENS)),
        (RUN, (None, "not_evaluated", NO_TOKENS)),
        ("text", (None, "not_evaluated", NO_TOKENS)),
        ([llm("a", "1", None, total=-1)],
         (None, "not_evaluated", "counts that cannot be read: 'a' has llm.token_count.total=-1")),
        ([llm("a", "1", None, total=5), llm("b", "2", None)],
         (None, "not_evaluated", f"model calls that say nothing of their tokens: 'b'; {SAY_TOKENS}")),
        ([llm("a", "1", None, total=11), llm("b", "2", None)],
         (False, "graded", "the run: 11 tokens, at most 10")),
        ([llm("a", "1", None, total=5), {**llm("b", "2", None), "status": {"status_code": "ERROR"}}],
         (True, "graded", "the run: 5 tokens, at most 10")),
        ([llm("a", "1", None, total=5), llm("b", "2", "1")],
         (True, "graded", "the run: 5 tokens, at most 10")),
    ],
)  # fmt: skip
def test_tokens_that_nobody_counted_never_pass(outputs: Any, expected: tuple[Any, str, str]) -> None:
    assert told("token_budget", outputs, max_tokens=10) == expected


MESSAGES = [
    HumanMessage("hi"),
    AIMessage("", id="m1", usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}),
    AIMessage("", id="m1", usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}),
    AIMessage("", response_metadata={"token_usage": {"prompt_tokens": 1, "completion_tokens": 2}}),
]


@pytest.mark.parametrize(
    "outputs",
    [
        pytest.param(MESSAGES, id="messages"),
        pytest.param({"messages": MESSAGES}, id="state"),
        pytest.param({"output": {"messages": MESSAGES}}, id="wrapper"),
        pytest.param(AgentExecution(None, {"messages": MESSAGES}), id="execution"),
        pytest.param(AgentExecution(None, {"messages": MESSAGES}, tuple(RUN)), id="execution-with-spans"),
        pytest.param([one.model_dump() for one in MESSAGES], id="dumped"),
    ],
)
def test_tokens_of_messages(outputs: Any) -> None:
    result = evaluate("token_budget", outputs, max_tokens=10)
    assert (result["score"], result["extra"]["measured_tokens"]) == (True, 10)
    assert result["extra"]["spans"] == [
        {"name": "message 1", "tokens": 7},
        {"name": "message 3", "tokens": 3},
    ]


# ---------------------------------------------------------------------------------------------- sources

T0 = datetime(2024, 1, 1, tzinfo=UTC)


def a_run(name: str, number: int, kind: str, seconds: tuple[int, int], **more: Any) -> Run:
    start, end = (T0 + timedelta(seconds=one) for one in seconds)
    return Run(id=UUID(int=number), name=name, run_type=kind, start_time=start, end_time=end, **more)


def runs() -> Run:
    usage = {"usage_metadata": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}}
    first = a_run("model", 2, "llm", (0, 1), outputs={"llm_output": None, **usage}, parent_run_id=UUID(int=1))
    second = a_run("tool", 3, "tool", (1, 2), error="ValueError('no')", parent_run_id=UUID(int=1))
    return a_run("agent", 1, "chain", (0, 3), child_runs=[first, second], total_tokens=7)


def flat(root: Run) -> list[Run]:
    return [*(root.child_runs or []), root]


@pytest.mark.parametrize(
    "outputs",
    [
        pytest.param(runs(), id="tree"),
        pytest.param(flat(runs()), id="flat"),
        pytest.param(json.loads(runs().model_dump_json()), id="dumped"),
    ],
)
def test_langsmith_runs(outputs: Any) -> None:
    assert evaluate("latency_budget", outputs, max_ms=1)["extra"]["measured_ms"] == 3000.0
    assert evaluate("latency_budget", outputs, max_ms=1, span="tool")["extra"]["measured_ms"] == 1000.0
    assert evaluate("span_order", outputs, order=["agent", "model", "tool"], strict=True)["score"] == 1.0
    errors = evaluate("error_budget", outputs)["extra"]["errors"]
    assert errors == [{"name": "tool", "error": "ValueError('no')"}]
    assert evaluate("token_budget", outputs, max_tokens=1)["extra"]["measured_tokens"] == 7


USED = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
SERIALIZED = {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"usage_metadata": USED}}


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"outputs": {"generations": [[{"text": "", "message": SERIALIZED}]]}}, id="generations"),
        pytest.param({"outputs": {"llm_output": {"token_usage": {"total_tokens": 7}}}}, id="llm-output"),
        pytest.param({"outputs": {"usage_metadata": USED}}, id="outputs"),
        pytest.param({"extra": {"metadata": {"usage_metadata": USED}}}, id="metadata"),
        pytest.param({"prompt_tokens": 3, "completion_tokens": 4}, id="counted-by-the-server"),
    ],
)
def test_where_the_run_of_a_model_says_its_tokens(said: dict[str, Any]) -> None:
    run = {"id": "1", "name": "model", "run_type": "llm", "start_time": 0, "end_time": 1, **said}
    assert evaluate("token_budget", run, max_tokens=9)["extra"]["measured_tokens"] == 7
    if "outputs" in said:
        silent = {**run, "run_type": "chain"}
        assert evaluate("token_budget", silent, max_tokens=9)["score"] is None


def real_spans() -> Sequence[Any]:
    provider = TracerProvider(shutdown_on_exit=False)
    tracer = provider.get_tracer("t")
    with capture_spans(provider=provider) as run:
        agent = tracer.start_span("agent", start_time=MS)
        inside = set_span_in_context(agent)
        model = tracer.start_span("model", inside, attributes={"gen_ai.usage.input_tokens": 7}, start_time=MS)
        model.end(500 * MS)
        tool = tracer.start_span("tool", inside, start_time=500 * MS)
        tool.set_status(Status(StatusCode.ERROR, "no"))
        tool.end(1500 * MS)
        agent.end(3001 * MS)
    return run.spans


REAL = real_spans()


@pytest.mark.parametrize(
    "outputs",
    [
        pytest.param(REAL, id="spans"),
        pytest.param(tuple(reversed(REAL)), id="reversed"),
        pytest.param(AgentExecution({}, None, REAL), id="execution"),
        pytest.param({"output": {"spans": REAL}}, id="wrapped"),
        pytest.param(SimpleNamespace(spans=REAL), id="captured"),
        pytest.param([json.loads(one.to_json()) for one in REAL], id="dumped"),
    ],
)
def test_opentelemetry_spans(outputs: Any) -> None:
    assert evaluate("latency_budget", outputs, max_ms=1)["extra"]["measured_ms"] == 3000.0
    assert evaluate("latency_budget", outputs, max_ms=1, span="tool")["extra"]["measured_ms"] == 1000.0
    assert evaluate("span_order", outputs, order=["agent", "model", "tool"], strict=True)["score"] == 1.0
    assert evaluate("error_budget", outputs)["extra"]["errors"] == [{"name": "tool", "error": "no"}]
    assert evaluate("token_budget", outputs, max_tokens=1)["extra"]["measured_tokens"] == 7


def test_spans_of_traced_functions() -> None:
    @traced(name="fails", span_type="tool")
    def fails() -> None:
        raise ValueError("no digits")

    with capture_spans() as run, pytest.raises(ValueError, match="no digits"):
        traced(name="agent")(fails)()
    result = evaluate("error_budget", run.spans)
    assert result["comment"] == "the run: 1 error, at most 0; 'fails': ValueError: no digits"
    assert evaluate("latency_budget", run.spans, max_ms=60_000)["score"] is True


def test_an_execution_without_spans_is_not_graded() -> None:
    score, status, comment = told("latency_budget", AgentExecution({}, 1, ()), max_ms=1)
    assert (score, status) == (None, "not_evaluated")
    assert comment.startswith("nothing to measure: no spans and no LangSmith run in AgentExecution(")


def test_columns() -> None:
    given = {"outputs": {"trace": RUN, "x": 1}, "reference_outputs": {"limits": {"maxMs": 5}}}
    made: Any = budgets.create_latency_budget_evaluator(outputs_key="trace", correct_answer_key="limits")
    assert made(**given)["comment"] == "the run: 100 ms, at most 5"


# ------------------------------------------------------------------------------------------------- laws

_TIMES: Any = st.one_of(
    st.none(), st.integers(), st.floats(), st.text(max_size=5), st.datetimes(), st.booleans(),
    st.just("2024-01-01T00:00:00Z"),
)  # fmt: skip
_IDS: Any = st.sampled_from(["1", "2", "3", "0x1", 1, 2, None, "", [], 0])
_ODD: Any = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
_SAID: Any = st.one_of(
    _ODD,
    st.dictionaries(
        st.sampled_from(["llm.token_count.total", "gen_ai.usage.input_tokens", "openinference.span.kind"]),
        st.one_of(_ODD, st.integers(0, 9), st.just("LLM")),
    ),
)
_SPANS: Any = st.fixed_dictionaries(
    {"name": st.one_of(st.sampled_from("ab"), _ODD), "start_time": _TIMES, "attributes": _SAID},
    optional={
        "end_time": _TIMES,
        "context": st.one_of(_ODD, st.fixed_dictionaries({"span_id": _IDS})),
        "parent_id": _IDS,
        "status": st.one_of(
            _ODD, st.fixed_dictionaries({"status_code": st.sampled_from(["ERROR", "OK", 2])})
        ),
        "events": _ODD,
        "run_type": st.sampled_from(["llm", "chain", 3]),
        "id": _IDS,
        "child_runs": _ODD,
        "error": _ODD,
        "outputs": _ODD,
    },
)
_OBJECTS: Any = _SPANS.map(lambda one: SimpleNamespace(**one))
_OPTIONS: dict[str, dict[str, Any]] = {
    "latency_budget": {"max_ms": 10, "span": "a"},
    "span_order": {"order": ["a", "b"]},
    "error_budget": {},
    "token_budget": {"max_tokens": 5},
}


@pytest.mark.parametrize("name", NAMES)
@given(outputs=st.one_of(_ODD, st.lists(st.one_of(_SPANS, _OBJECTS), max_size=5), st.lists(_ODD, max_size=3)))
def test_whatever_is_given_there_is_one_result(name: str, outputs: Any) -> None:
    evaluate(name, outputs, **_OPTIONS[name])


@pytest.mark.parametrize("name", NAMES)
@given(spans=st.lists(_SPANS, min_size=1, max_size=5), reference=_ODD)
def test_whatever_the_reference_is_there_is_one_result(name: str, spans: Any, reference: Any) -> None:
    evaluate(name, spans, reference)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=6, unique_by=lambda one: one[0]))
def test_every_moment_is_below_one_and_reached_from_the_top(links: list[tuple[int, int]]) -> None:
    moments = [Moment(str(one), id=str(one), parent=str(above)) for one, above in links]
    tree = below(moments)
    assert sorted(one.id for some in tree.values() for one in some) == sorted(one.id for one in moments)
    waiting, reached = [*tree.get("", [])], []
    while waiting:
        one = waiting.pop()
        reached.append(one.id)
        waiting += tree.get(one.id, [])
    assert sorted(reached) == sorted(one.id for one in moments)


def test_ten_thousand_spans_in_a_chain() -> None:
    chain = [llm("a", str(at), str(at - 1), total=1) for at in range(1, 10_001)]
    result = evaluate("token_budget", chain, max_tokens=1)
    assert (result["extra"]["measured_tokens"], len(result["extra"]["spans"])) == (1, 100)


# ----------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("latency_budget", {"max_ms": -1}, "max_ms=-1: must be a finite number of at least 0"),
        ("latency_budget", {"max_ms": 1, "span": ""}, "span='': must be text, and not empty"),
        ("latency_budget", {"max_ms": 1, "of": "max"}, "of='max': must be one of 'slowest', 'sum', 'first'"),
        ("span_order", {"order": []}, "order=[]: must be a list of at least one span's name"),
        ("span_order", {"order": {"a"}}, "order={'a'}: must be a list of at least one span's name"),
        ("span_order", {"order": "a"},
         "order='a': must be a list of keys or paths, for one write ['a']"),
        ("span_order", {"order": ["a"], "strict": 1}, "strict=1: must be True or False"),
        ("error_budget", {"max_errors": 0.5}, "max_errors=0.5: must be a whole number from 0 up"),
        ("error_budget", {"ignore": [""]}, "ignore='': must be text, and not empty"),
        ("token_budget", {"max_tokens": True}, "max_tokens=True: must be a whole number from 0 up"),
        ("token_budget", {"max_tokens": 1, "kind": "inputs"},
         "kind='inputs': must be one of 'total', 'input', 'output'; did you mean 'input'?"),
        ("token_budget", {"max_token": 1},
         "create_token_budget_evaluator: there is no option 'max_token'; did you mean 'max_tokens'?"),
    ],
)  # fmt: skip
def test_wrong_options(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        getattr(budgets, f"create_{name}_evaluator")(**options)
    assert str(raised.value) == message


def test_examples_in_docstrings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        factory = f"create_{name}_evaluator"
        monkeypatch.setattr(fieldwise, factory, getattr(budgets, factory), raising=False)
    results = doctest.testmod(declared)
    assert (results.attempted > 0, results.failed) == (True, 0)
