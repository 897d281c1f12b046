"""One run of a real agent, and everything that it leaves behind.

A scripted chat model decides, LangChain's agent runs the tools, and three recorders watch: OpenInference's
instrumentation, LangSmith's OpenTelemetry export, and a collector of LangSmith runs. Nothing leaves the
process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware, wrap_tool_call
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import InjectedToolCallId, ToolException, tool
from langchain_core.tracers.langchain import LangChainTracer
from langchain_core.tracers.run_collector import RunCollectorCallbackHandler
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.types import Command
from langsmith import Client
from langsmith._internal._serde import dumps_json
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.integrations.ls_server import LangSmithServer

Called = tuple[str, dict[str, Any], str]
"""A call that the model is told to make: name, arguments, id."""


class Scripted(BaseChatModel):
    """Says the next of its replies: the calls of one decision, or the final text."""

    replies: list[Any]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(one) for one in tools])

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        reply = self.replies[sum(isinstance(one, AIMessage) for one in messages)]
        calls = (
            [{"name": name, "args": args, "id": id_} for name, args, id_ in reply] if reply != "done" else []
        )
        message = AIMessage(content="" if calls else "done", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


@tool
def weather(city: str) -> str:
    """Say how the weather is."""
    return f"sunny in {city}"


@tool
def facts(city: str) -> dict[str, Any]:
    """Return an object."""
    return {"city": city, "numbers": [1, True, None]}


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


@tool
def now() -> str:
    """Take no arguments."""
    return "12:00"


@tool
def query(sql: str) -> str:
    """Take text that is JSON."""
    return f"[{len(sql)}]"


@tool
def flaky(x: int) -> str:
    """Raise for a 1."""
    if x == 1:
        raise ValueError("boom")
    return "ok"


@tool
def soft(x: int) -> str:
    """Report an error of its own."""
    raise ToolException(f"no {x}")


soft.handle_tool_error = True


@tool
def go(place: str, call: Annotated[str, InjectedToolCallId]) -> Any:
    """Update the state."""
    return Command(update={"messages": [ToolMessage(f"went to {place}", tool_call_id=call)]})


@tool(return_direct=True)
def final(x: int) -> str:
    """Raise, or answer; either ends the run."""
    if x == 1:
        raise ValueError("final boom")
    return "final"


attempts: list[int] = []


@tool
def third_time(x: int) -> str:
    """Raise twice."""
    attempts.append(x)
    if len(attempts) < 3:
        raise ValueError("not yet")
    return "at last"


@tool
def route(city: str) -> str:
    """Ask a model for an answer in a schema, which models give as a call of a tool that there is not."""
    chosen = Scripted(replies=[[("Route", {"to": city}, "r1")]]).invoke("where to?")
    return str(chosen.tool_calls[0]["args"]["to"])


@wrap_tool_call
def handled(request: Any, handler: Callable[..., Any]) -> Any:
    """Turn what a tool raises into a message."""
    try:
        return handler(request)
    except ValueError as error:
        call = request.tool_call
        return ToolMessage(f"Error: {error}", tool_call_id=call["id"], name=call["name"], status="error")


TOOLS = [weather, facts, add, now, query, flaky, soft, go, final, third_time, route]
RETRYING = ToolRetryMiddleware(max_retries=3, initial_delay=0.0, jitter=False, tools=["third_time"])


@dataclass(frozen=True)
class Left:
    """What one run left behind."""

    state: dict[str, Any]
    spans: list[ReadableSpan]
    exported: list[ReadableSpan]
    runs: list[Any]
    uploaded: list[dict[str, Any]]

    @property
    def sources(self) -> dict[str, Any]:
        """Every form of it, by name; the messages first."""
        dump = json.loads(dumps_json([dumped(run) for run in self.runs]))
        return {
            "messages": self.state["messages"],
            "state": self.state,
            "spans": self.spans,
            "spans, last first": self.spans[::-1],
            "spans as JSON": [json.loads(span.to_json()) for span in self.spans],
            "spans that LangSmith exports": self.exported,
            "runs": self.runs,
            "runs as JSON": dump,
            "runs in a list": [one for run in dump for one in flat(run)][::-1],
            "runs that LangSmith was sent": self.uploaded,
            "a tree of runs": tree(self.uploaded),
        }


def dumped(run: Any) -> dict[str, Any]:
    """A run and its children as LangSmith's API would hand them out."""
    names = ("id", "name", "run_type", "inputs", "outputs", "error", "extra", "start_time", "end_time")
    fields = {name: getattr(run, name) for name in (*names, "parent_run_id", "serialized")}
    return {**fields, "child_runs": [dumped(child) for child in run.child_runs]}


def flat(dump: dict[str, Any]) -> list[dict[str, Any]]:
    """The run and all below it, without the tree."""
    alone = {name: value for name, value in dump.items() if name != "child_runs"}
    return [alone, *(one for child in dump["child_runs"] for one in flat(child))]


def tree(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The root of runs, with those below it as its children's children."""
    nodes = {str(run["id"]): {**run, "child_runs": []} for run in runs}
    roots: list[dict[str, Any]] = []
    for node in nodes.values():
        parent = nodes.get(str(node.get("parent_run_id")))
        (roots if parent is None else parent["child_runs"]).append(node)
    (root,) = roots
    return root


@contextmanager
def instrumented() -> Iterator[InMemorySpanExporter]:
    """OpenInference's instrumentation, switched on for a while."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    instrumentor = LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        yield exporter
    finally:
        instrumentor.uninstrument()


def run_agent(replies: list[Any], **options: Any) -> Left:
    """Run an agent that decides as told, and return what it left behind."""
    attempts.clear()
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    collector = RunCollectorCallbackHandler()
    given: Any = {"messages": [HumanMessage("go")]}
    with LangSmithServer() as server, instrumented() as spans:
        client = Client(
            api_url=server.url, api_key="test", tracing_mode="hybrid", otel_tracer_provider=provider
        )
        tracer = LangChainTracer(client=client, project_name="test")
        agent = create_agent(Scripted(replies=replies), TOOLS, middleware=[handled, RETRYING], **options)
        state = agent.invoke(given, {"callbacks": [collector, tracer]})
        client.flush()
        client.close()
    return Left(
        state=dict(state),
        spans=list(spans.get_finished_spans()),
        exported=list(exporter.get_finished_spans()),
        runs=collector.traced_runs,
        uploaded=list(server.runs.values()),
    )
