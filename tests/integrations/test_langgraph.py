"""Trajectories of real LangGraph threads: interrupts, subgraphs, forks; and a dataset of them, offline."""

from __future__ import annotations

import asyncio
import operator
import uuid
from typing import Annotated, Any, Final, TypedDict

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
from langsmith import Client, evaluate, tracing_context
from langsmith.schemas import Example

from fieldwise.evaluators.trajectories import create_graph_trajectory_match_evaluator
from fieldwise.integrations.langgraph import agraph_trajectory_of, graph_trajectory_of

CONFIG: Final[Any] = {"configurable": {"thread_id": "1"}}


class State(TypedDict):
    log: Annotated[list[str], operator.add]


def says(text: str) -> Any:
    return lambda _: {"log": [text]}


def asks(_: State) -> State:
    return {"log": [f"answered {interrupt('Go on?')}"]}


def fails(_: State) -> State:
    raise ValueError("no")


def graph_of(*nodes: tuple[str, Any], checkpointer: Any = None, **options: Any) -> Any:
    """A graph that runs through its nodes in a row; some are side by side."""
    builder = StateGraph(State)
    before: Any = START
    for name, node in nodes:
        builder.add_node(name, node)
        builder.add_edge(before, name)
        before = name
    return builder.compile(checkpointer=checkpointer, **options)


def saved(*nodes: tuple[str, Any], **options: Any) -> Any:
    return graph_of(*nodes, checkpointer=InMemorySaver(), **options)


def read(graph: Any, config: Any = CONFIG) -> dict[str, Any]:
    """The trajectory, the same from the async form."""
    found = graph_trajectory_of(graph, config)
    assert asyncio.run(agraph_trajectory_of(graph, config)) == found
    lists = found["inputs"], found["outputs"]["results"], found["outputs"]["steps"]
    assert len({len(one) for one in lists}) == 1
    return found


def test_one_run() -> None:
    graph = saved(("a", says("a")), ("b", says("b")))
    graph.invoke({"log": ["hi"]}, CONFIG)
    assert read(graph) == {
        "inputs": [{"__start__": {"log": ["hi"]}}],
        "outputs": {"results": [{"log": ["hi", "a", "b"]}], "steps": [["__start__", "a", "b"]]},
    }


def test_an_interrupt_and_another_run() -> None:
    graph = saved(("a", says("a")), ("ask", asks), ("b", says("b")))
    graph.invoke({"log": []}, CONFIG)
    stopped = {
        "results": [{"__interrupt__": ["Go on?"]}],
        "steps": [["__start__", "a", "ask", "__interrupt__"]],
    }
    assert read(graph) == {"inputs": [{"__start__": {"log": []}}], "outputs": stopped}
    graph.invoke(Command(resume="yes"), CONFIG)
    found = read(graph)
    assert found["inputs"] == [{"__start__": {"log": []}}, "__resuming__"]
    assert found["outputs"]["steps"] == [["__start__", "a", "ask", "__interrupt__"], ["b"]]
    assert found["outputs"]["results"] == [{"__interrupt__": ["Go on?"]}, {"log": ["a", "answered yes", "b"]}]
    graph.invoke({"log": ["more"]}, CONFIG)
    assert read(graph)["inputs"] == [*found["inputs"], {"__start__": {"log": ["more"]}}]
    assert read(graph)["outputs"]["steps"][2:] == [["__start__", "a", "ask", "__interrupt__"]]


def test_a_run_given_up_for_a_new_one() -> None:
    graph = saved(("ask", asks), ("b", says("b")))
    for _ in range(2):
        graph.invoke({"log": []}, CONFIG)
    assert read(graph)["outputs"]["steps"] == [["__start__", "ask", "__interrupt__"]] * 2


def test_nodes_side_by_side() -> None:
    builder = StateGraph(State)
    nodes: dict[str, Any] = {"ask": asks, "b": says("b"), "c": says("c"), "end": says("end")}
    for name, node in nodes.items():
        builder.add_node(name, node)
    for name in ("ask", "b", "c"):
        builder.add_edge(START, name)
    builder.add_edge(["ask", "b", "c"], "end")
    graph: Any = builder.compile(checkpointer=InMemorySaver())
    graph.invoke({"log": []}, CONFIG)
    graph.invoke(Command(resume="yes"), CONFIG)
    assert read(graph)["outputs"]["steps"] == [["__start__", "b", "c", "ask", "__interrupt__"], ["end"]]


def test_a_subgraph_that_stops() -> None:
    inner = graph_of(("s", says("s")), ("q", asks), ("t", says("t")))
    graph = saved(("a", says("a")), ("sub", inner), ("b", says("b")))
    graph.invoke({"log": []}, CONFIG)
    graph.invoke(Command(resume="yes"), CONFIG)
    assert read(graph)["outputs"]["steps"] == [
        ["__start__", "a", "sub", "sub:__start__", "sub:s", "sub:q", "__interrupt__"],
        ["sub:t", "b"],
    ]


def test_subgraphs_in_subgraphs_that_remember() -> None:
    """A subgraph with a memory of its own keeps one history of all its calls."""
    innermost = graph_of(("x", says("x")))
    inner = graph_of(("s", says("s")), ("deep", innermost), checkpointer=True)
    graph = saved(("sub", inner))
    for _ in range(2):
        graph.invoke({"log": []}, CONFIG)
    once = ["__start__", "sub", "sub:__start__", "sub:s", "sub:deep", "sub:deep:__start__", "sub:deep:x"]
    assert read(graph)["outputs"]["steps"] == [once, once]


def test_a_breakpoint() -> None:
    graph = saved(("a", says("a")), ("b", says("b")), interrupt_before=["b"])
    graph.invoke({"log": []}, CONFIG)
    assert read(graph)["outputs"] == {
        "results": [{"__interrupt__": []}],
        "steps": [["__start__", "a", "__interrupt__"]],
    }


def test_a_node_that_fails() -> None:
    graph = saved(("a", says("a")), ("b", fails))
    with pytest.raises(ValueError, match="no"):
        graph.invoke({"log": []}, CONFIG)
    assert read(graph)["outputs"] == {"results": [{"log": ["a"]}], "steps": [["__start__", "a", "b"]]}


def test_a_fork_leaves_the_other_branch_out() -> None:
    graph = saved(("a", says("a")), ("b", says("b")), ("c", says("c")))
    graph.invoke({"log": []}, CONFIG)
    before_b = next(one for one in graph.get_state_history(CONFIG) if one.next == ("b",))
    forked = graph.update_state(before_b.config, {"log": ["told"]}, as_node="b")
    graph.invoke(None, forked)
    assert read(graph)["outputs"] == {
        "results": [{"log": ["a", "told", "c"]}],
        "steps": [["__start__", "a", "c"]],
    }


def test_one_checkpoint_of_a_thread() -> None:
    graph = saved(("a", says("a")), ("b", says("b")))
    graph.invoke({"log": []}, CONFIG)
    graph.invoke({"log": []}, CONFIG)
    first = next(one for one in graph.get_state_history(CONFIG) if one.metadata["step"] == 2)
    assert read(graph, first.config)["outputs"]["steps"] == [["__start__", "a", "b"]]


def test_a_thread_that_never_ran() -> None:
    graph = saved(("a", says("a")))
    assert read(graph) == {"inputs": [], "outputs": {"results": [], "steps": []}}


# ------------------------------------------------------------------------------------ agents, LangSmith

REPLIES: Final = (
    AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Rome"}, "id": "1"}]),
    AIMessage("It is sunny."),
)


class Scripted(GenericFakeChatModel):
    """A chat model that replies in turn, whatever tools it is given."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self


def weather(city: str) -> str:
    """Tell the weather."""
    return f"sunny in {city}"


def agent() -> Any:
    return create_agent(Scripted(messages=iter(REPLIES)), tools=[weather], checkpointer=InMemorySaver())


def target(inputs: dict[str, Any]) -> dict[str, Any]:
    """Run an agent, and hand over the thread it made."""
    config: Any = {"configurable": {"thread_id": str(uuid.uuid4())}}
    graph = agent()
    with tracing_context(enabled=False):  # LangChain would send its runs, offline or not
        graph.invoke({"messages": [("user", inputs["question"])]}, config)
    return graph_trajectory_of(graph, config)


def test_an_agent() -> None:
    found = target({"question": "What is the weather in Rome?"})["outputs"]
    assert found["steps"] == [["__start__", "model", "tools", "model"]]
    assert found["results"] == [{"messages": [{"role": "assistant", "content": "It is sunny."}]}]


def test_a_dataset_of_graph_trajectories() -> None:
    """Of each example the outputs are the trajectory that is right."""
    right, wrong = ["__start__", "model", "tools", "model"], ["__start__", "model"]
    data = [
        Example(id=uuid.uuid4(), inputs={"question": f"{at}?"}, outputs={"steps": [steps]})
        for at, steps in enumerate((right, wrong))
    ]
    evaluator: Any = create_graph_trajectory_match_evaluator()
    rows: Any = evaluate(
        target,
        data=data,
        evaluators=[evaluator],
        client=Client(api_url="http://127.0.0.1:9", api_key="test", auto_batch_tracing=False),
        upload_results=False,
    )
    results = {row["example"].inputs["question"]: row["evaluation_results"]["results"] for row in rows}
    assert [(one.key, one.score, one.comment) for row in sorted(results) for one in results[row]] == [
        ("graph_trajectory_match", True, None),
        ("graph_trajectory_match", False, 'run 0, step 2: not expected, got "tools"'),
    ]
