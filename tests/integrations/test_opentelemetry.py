"""Functions that leave spans behind, and the spans of one run and of no other."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import logging
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ParentBased
from opentelemetry.trace import StatusCode
from opentelemetry.util._once import Once

from fieldwise.errors import ConfigError
from fieldwise.integrations.opentelemetry import SpanCapture, capture_spans, traced
from fieldwise.integrations.opentelemetry._values import LIMIT


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without a provider, whatever ran before."""
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", None)
    monkeypatch.setattr(trace, "_TRACER_PROVIDER_SET_ONCE", Once())


def set_provider(**options: Any) -> tuple[TracerProvider, InMemorySpanExporter]:
    provider, exporter = TracerProvider(shutdown_on_exit=False, **options), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return provider, exporter


def names(run: SpanCapture) -> list[str]:
    return [span.name for span in run.spans]


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def span_id(span: ReadableSpan) -> int:
    context = span.get_span_context()
    assert context is not None
    return context.span_id


def only(run: SpanCapture) -> ReadableSpan:
    (span,) = run.spans
    return span


# ------------------------------------------------------------------------------------ what is recorded


@traced
def bare(x: int, y: int = 2) -> int:
    """Add."""
    return x + y


@traced(name="awaited")
async def awaited(x: int) -> int:
    await asyncio.sleep(0)
    return x + 1


@traced(name="counting")
def counting(n: int) -> Iterator[int]:
    for at in range(n):
        bare(at)
        yield at


@traced(name="streaming")
async def streaming(n: int) -> AsyncIterator[int]:
    for at in range(n):
        await asyncio.sleep(0)
        yield at


def test_a_bare_decorator_names_the_span_after_the_function() -> None:
    with capture_spans() as run:
        assert bare(1) == 3
    span = only(run)
    assert span.name == "bare"
    assert attributes(span) == {
        "input.value": '{"x": 1}',
        "input.mime_type": "application/json",
        "output.value": "3",
        "output.mime_type": "application/json",
    }
    assert span.status.status_code is StatusCode.UNSET


def test_signature_kind_and_words_survive() -> None:
    assert str(inspect.signature(bare)) == "(x: 'int', y: 'int' = 2) -> 'int'"
    assert (bare.__name__, bare.__doc__) == ("bare", "Add.")
    kinds = [inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction]
    functions: list[Any] = [bare, awaited, counting, streaming]
    assert [[kind(one) for kind in kinds] for one in functions] == [
        [False, False, False],
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


def test_a_coroutine_is_recorded_until_it_is_done() -> None:
    with capture_spans() as run:
        assert asyncio.run(awaited(1)) == 2
    assert (only(run).name, attributes(only(run))["output.value"]) == ("awaited", "2")


@pytest.mark.parametrize(
    ("value", "text", "kind"),
    [
        pytest.param("plain text", "plain text", "text/plain", id="text"),
        pytest.param({"a": [1, None]}, '{"a": [1, null]}', "application/json", id="object"),
        pytest.param(None, "null", "application/json", id="nothing"),
        pytest.param({"é": {1}}, '{"é": [1]}', "application/json", id="set"),
        pytest.param({"f": len, "n": 1}, '{"f": "<built-in function len>", "n": 1}', "application/json",
                     id="no-json"),
        pytest.param("a\ud800", "a\\ud800", "text/plain", id="half-a-character"),
    ],
)  # fmt: skip
def test_what_a_result_looks_like(value: Any, text: str, kind: str) -> None:
    with capture_spans() as run:
        traced(name="f")(lambda: value)()
    found = attributes(only(run))
    assert (found["output.value"], found["output.mime_type"]) == (text, kind)


def test_long_values_are_cut() -> None:
    with capture_spans() as run:
        traced(name="f")(lambda text: text)("x" * (LIMIT + 1))
    found = attributes(only(run))
    assert (len(found["input.value"]), found["input.truncated"]) == (LIMIT, True)
    assert (len(found["output.value"]), found["output.truncated"]) == (LIMIT, True)


def test_arguments_by_name_without_the_object_of_a_method() -> None:
    class Agent:
        @traced(name="run")
        def run(self, a: int, *more: int, key: str = "k", **named: int) -> None: ...

        @classmethod
        @traced(name="make")
        def make(cls, a: int) -> None: ...

    with capture_spans() as run:
        Agent().run(1, 2, 3, b=4)
        Agent.make(5)
    given = [json.loads(attributes(span)["input.value"]) for span in run.spans]
    assert given == [{"a": 1, "more": [2, 3], "b": 4}, {"a": 5}]


def test_input_and_output_can_stay_private() -> None:
    with capture_spans() as run:
        traced(name="f", capture_input=False, capture_output=False, attributes={"x": 1, "y": [{}]})(bare)(1)
    first, _ = run.spans
    assert attributes(first) == {"x": 1, "y": "[{}]"}


@pytest.mark.parametrize(
    ("span_type", "found"),
    [
        ("tool", {"span_type": "tool", "openinference.span.kind": "TOOL", "tool.name": "f"}),
        ("llm", {"span_type": "llm", "openinference.span.kind": "LLM"}),
        ("my own", {"span_type": "my own"}),
    ],
)
def test_span_types(span_type: str, found: dict[str, str]) -> None:
    with capture_spans() as run:
        traced(name="f", span_type=span_type, capture_input=False, capture_output=False)(lambda: 1)()
    assert attributes(only(run)) == found


def test_an_exception_is_recorded_and_raised() -> None:
    @traced(name="fails")
    def fails() -> None:
        raise ValueError("no\ndigits")

    with capture_spans() as run, pytest.raises(ValueError, match="no\ndigits"):
        fails()
    span = only(run)
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "ValueError: no digits")
    assert [event.name for event in span.events] == ["exception"]


def test_a_cancelled_coroutine_is_an_error() -> None:
    @traced(name="waits")
    async def waits() -> None:
        await asyncio.sleep(60)

    async def cancel() -> None:
        task = asyncio.ensure_future(waits())
        await asyncio.sleep(0)
        task.cancel()
        await task

    with capture_spans() as run, pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
    assert only(run).status.description == "CancelledError"


def test_recording_never_costs_a_call(caplog: pytest.LogCaptureFixture) -> None:
    class Hostile(dict[str, Any]):
        def items(self) -> Any:
            raise ZeroDivisionError

    with capture_spans() as run, caplog.at_level(logging.WARNING, "fieldwise"):
        assert traced(name="f")(lambda: Hostile(a=1))() == {"a": 1}
        with pytest.raises(TypeError):
            traced(name="g")(lambda: None)(1)  # type: ignore[call-arg]
    assert names(run) == ["f", "g"]


# --------------------------------------------------------------------------------------------- generators


def test_a_generator_is_open_until_it_is_exhausted() -> None:
    with capture_spans() as run:
        items = counting(2)
        assert names(run) == []
        assert next(items) == 0
        bare(10)  # the consumer's: no child of the generator
        assert next(items) == 1
        assert "counting" not in names(run)
        assert list(items) == []
    outer = next(span for span in run.spans if span.name == "counting")
    inside = [
        span.parent.span_id == span_id(outer) for span in run.spans if span.name == "bare" and span.parent
    ]
    assert names(run) == ["counting", "bare", "bare", "bare"]
    assert sorted(inside) == [False, True, True]
    assert attributes(outer)["output.value"] == "[0, 1]"


def test_a_generator_that_is_left_ends_its_span_without_error() -> None:
    with capture_spans() as run:
        items = counting(5)
        next(items)
        items.close()  # type: ignore[attr-defined]
    assert names(run) == ["counting", "bare"]
    assert run.spans[0].status.status_code is StatusCode.UNSET


def test_a_generator_is_sent_to_and_thrown_at() -> None:
    @traced(name="echo")
    def echo() -> Any:
        got = yield "ready"
        try:
            yield got
        except KeyError:
            yield "caught"
        return "done"

    def delegate() -> Any:
        return (yield from echo())

    with capture_spans() as run:
        inner = delegate()
        assert (next(inner), inner.send("a"), inner.throw(KeyError("k"))) == ("ready", "a", "caught")
        with pytest.raises(StopIteration) as stop:
            next(inner)
    assert stop.value.value == "done"
    assert attributes(only(run))["output.value"] == '["ready", "a", "caught"]'


def test_an_async_generator_is_sent_to_thrown_at_and_left() -> None:
    @traced(name="echo")
    async def echo() -> Any:
        got = yield "ready"
        try:
            yield got
        except KeyError:
            yield "caught"

    async def talk() -> list[Any]:
        left = streaming(3)
        await anext(left)
        await left.aclose()  # type: ignore[attr-defined]
        inner = echo()
        found = [await anext(inner), await inner.asend("a"), await inner.athrow(KeyError("k"))]
        return found + [one async for one in inner] + [one async for one in streaming(2)]

    with capture_spans() as run:
        assert asyncio.run(talk()) == ["ready", "a", "caught", 0, 1]
    assert names(run) == ["streaming", "echo", "streaming"]
    assert {span.status.status_code for span in run.spans} == {StatusCode.UNSET}


def test_an_async_generator_driven_by_changing_tasks() -> None:
    async def drive() -> list[int]:
        items = streaming(3)
        return [await asyncio.ensure_future(_next(items)) for _ in range(3)]

    async def _next(items: AsyncIterator[int]) -> int:
        return await anext(items)

    with capture_spans() as run:
        assert asyncio.run(drive()) == [0, 1, 2]
    assert names(run) == ["streaming"]


# ---------------------------------------------------------------------------------------------- captures


def test_spans_by_start_whatever_ended_first() -> None:
    @traced(name="outer")
    def outer() -> None:
        bare(1)
        bare(2)

    with capture_spans() as run:
        outer()
    assert names(run) == ["outer", "bare", "bare"]
    starts = [span.start_time for span in run.spans]
    assert starts == sorted(starts, key=lambda at: at or 0)


def test_spans_after_the_capture_are_not_in_it() -> None:
    with capture_spans() as run:
        bare(1)
        items = counting(1)
        next(items)
    before = names(run)
    list(items)
    bare(2)
    assert names(run) == before == ["bare", "bare"]


def test_a_capture_inside_another_belongs_to_both() -> None:
    with capture_spans() as outer:
        bare(1)
        with capture_spans() as inner:
            bare(2)
        bare(3)
    assert [attributes(span)["output.value"] for span in inner.spans] == ["4"]
    assert [attributes(span)["output.value"] for span in outer.spans] == ["3", "4", "5"]


async def _run_of(number: int) -> list[int]:
    @traced(name=f"run {number}")
    async def agent() -> None:
        await asyncio.gather(*(child(at) for at in range(3)))
        await asyncio.to_thread(traced(name="thread")(lambda: None))

    @traced(name="child")
    async def child(at: int) -> int:
        await asyncio.sleep(0.001 * (number + at) % 0.003)
        return number

    with capture_spans() as run:
        await agent()
    assert names(run)[0] == f"run {number}"
    return [int(attributes(one)["output.value"]) for one in run.spans if one.name == "child"]


def test_twenty_captures_at_once_each_see_their_own() -> None:
    async def gather() -> list[list[int]]:
        return await asyncio.gather(*map(_run_of, range(20)))

    assert asyncio.run(gather()) == [[number] * 3 for number in range(20)]


def test_captures_in_threads_each_see_their_own() -> None:
    barrier = threading.Barrier(8)

    def run_of(number: int) -> list[str]:
        with capture_spans() as run:
            barrier.wait(10)
            for _ in range(20):
                traced(name=f"run {number}")(bare)(number)
        return [*sorted(set(names(run)) - {"bare"}), str(len(run.spans))]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(run_of, range(8)))
    assert found == [[f"run {number}", "40"] for number in range(8)]


def test_a_span_that_starts_a_trace_of_its_own_is_of_the_run() -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    tracer = provider.get_tracer("other")
    apart = trace.set_span_in_context(trace.INVALID_SPAN)
    with capture_spans(provider=provider) as run:
        root = tracer.start_span("root", context=apart)
        child = tracer.start_span("child", context=trace.set_span_in_context(root))
        contextvars.Context().run(child.end)
        root.end()
    tracer.start_span("later").end()
    assert names(run) == ["root", "child"]


# --------------------------------------------------------------------------------------------- providers


@pytest.mark.usefixtures("unset")
def test_the_provider_of_the_process_is_used_and_stays() -> None:
    provider, exporter = set_provider()
    for _ in range(3):
        with capture_spans("root") as run:
            trace.get_tracer("somebody's").start_span("theirs").end()
            bare(1)
        assert names(run) == ["theirs", "bare"]
    assert trace.get_tracer_provider() is provider
    processors = provider._active_span_processor._span_processors
    assert [type(one).__name__ for one in processors] == ["SimpleSpanProcessor", "Sorter"]
    assert [span.name for span in exporter.get_finished_spans()] == ["theirs", "bare", "root"] * 3


@pytest.mark.usefixtures("unset")
def test_without_a_provider_traced_records_and_nothing_is_set() -> None:
    with capture_spans() as run:
        trace.get_tracer("somebody's").start_span("theirs").end()
        bare(1)
    assert names(run) == ["bare"]
    assert isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)


@pytest.mark.usefixtures("unset")
def test_install_sets_a_provider_where_none_is() -> None:
    tracer = trace.get_tracer("made before")
    with capture_spans(install=True) as run:
        tracer.start_span("theirs").end()
    assert names(run) == ["theirs"]


@pytest.mark.usefixtures("unset")
def test_install_leaves_a_provider_that_is_set() -> None:
    provider, _ = set_provider()
    with capture_spans(install=True) as run:
        bare(1)
    assert trace.get_tracer_provider() is provider
    assert names(run) == ["bare"]


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize("sampler", [ALWAYS_OFF, ParentBased(ALWAYS_OFF)], ids=["off", "parent-based"])
def test_a_run_that_is_sampled_out_is_captured_all_the_same(sampler: Any) -> None:
    provider, _ = set_provider(sampler=sampler)
    with capture_spans() as run:
        bare(1)
        provider.get_tracer("theirs").start_span("theirs").end()
    assert names(run) == (["bare"] if sampler is ALWAYS_OFF else ["bare", "theirs"])


@pytest.mark.usefixtures("unset")
def test_a_provider_that_is_none_of_the_sdk_is_left_alone() -> None:
    trace.set_tracer_provider(trace.NoOpTracerProvider())
    with capture_spans() as run:
        bare(1)
    assert names(run) == ["bare"]


@pytest.mark.usefixtures("unset")
def test_outside_a_capture_the_provider_gets_the_spans() -> None:
    _, exporter = set_provider()
    bare(1)
    assert [span.name for span in exporter.get_finished_spans()] == ["bare"]


@pytest.mark.usefixtures("unset")
def test_a_span_that_is_sampled_out_still_carries_its_trace() -> None:
    set_provider(sampler=ALWAYS_OFF)
    seen = traced(name="f")(lambda: trace.get_current_span().get_span_context())()
    assert seen.is_valid
    assert not seen.trace_flags.sampled


@pytest.mark.usefixtures("unset")
def test_without_provider_and_capture_there_is_no_span() -> None:
    seen = traced(name="f")(lambda: trace.get_current_span().get_span_context())()
    assert not seen.is_valid


def test_spans_of_langchain_by_openinference() -> None:
    instrumentation = pytest.importorskip("openinference.instrumentation.langchain")
    from langchain_core.tools import tool

    @tool
    def search(query: str) -> str:
        """Search."""
        return query.upper()

    provider = TracerProvider(shutdown_on_exit=False)
    instrumentor = instrumentation.LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        with capture_spans(provider=provider) as run:
            traced(name="agent")(lambda: search.invoke({"query": "a"}))()
    finally:
        instrumentor.uninstrument()
    assert names(run) == ["agent", "search"]
    parent = run.spans[1].parent
    assert parent is not None
    assert parent.span_id == span_id(run.spans[0])


# ------------------------------------------------------------------------------------------ wrong options

NO_FUNCTION = "no function; put @traced next to `def`, below every other decorator"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: traced(name=""), "name='': must be text, and not empty"),
        (lambda: traced(span_type=""), "span_type='': must be text, and not empty"),
        (lambda: traced(attributes=[1]), "attributes=[1]: must be a mapping from name to value"),  # type: ignore[call-overload]
        (lambda: traced(attributes={1: 2}), "attributes=1: must be text, and not empty"),  # type: ignore[dict-item]
        (lambda: traced(capture_input=1), "capture_input=1: must be True or False"),  # type: ignore[call-overload]
        (lambda: traced(5), f"traced: 5 is {NO_FUNCTION}"),  # type: ignore[call-overload]
        (lambda: traced(int), f"traced: <class 'int'> is {NO_FUNCTION}"),
        (lambda: capture_spans("").__enter__(), "name='': must be text, and not empty"),
        (lambda: capture_spans(install=1).__enter__(), "install=1: must be True or False"),  # type: ignore[arg-type]
        (lambda: capture_spans(provider=3).__enter__(),
         "provider=3: must be a TracerProvider of the OpenTelemetry SDK"),
    ],
)  # fmt: skip
def test_wrong_options(make: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        make()
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("missing", "code", "message"),
    [
        ("opentelemetry.trace", "traced(len)",
         "traced needs the OpenTelemetry API, which is not installed: pip install 'fieldwise[otel]'"),
        ("opentelemetry.sdk.trace", "capture_spans().__enter__()",
         "capture_spans needs the OpenTelemetry SDK, which is not installed: pip install 'fieldwise[otel]'"),
    ],
)  # fmt: skip
def test_a_missing_package_names_the_extra(missing: str, code: str, message: str) -> None:
    script = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from fieldwise.integrations.opentelemetry import capture_spans, traced\n"
        f"try:\n    {code}\nexcept ValueError as error:\n    print(error)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == message


def test_importing_loads_no_opentelemetry() -> None:
    script = (
        "import sys, fieldwise.integrations.opentelemetry\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_capture_shows_how_many_there_are() -> None:
    with capture_spans() as run:
        bare(1)
    assert repr(run) == "SpanCapture(1 spans)"
