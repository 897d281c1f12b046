"""LangGraph: the trajectory of a thread, node by node, as the graph evaluators read it.

Rules of this module:
1. A run begins with an input, or where an interrupted one is resumed (`"__resuming__"`); it ends where no
   node is left, or at an interrupt (`"__interrupt__"`, once for each node that stopped).
2. Nodes of one superstep stand in LangGraph's own order, those that stopped last. A subgraph's nodes follow
   the node they ran in, after its name and a colon.
3. Only what led to the state that is asked for counts: branches a fork left behind do not, nor do nodes that
   an update stood in for, nor nodes that have not run yet.
4. Nothing but `get_state_history` is asked of a graph; its snapshots are read by their attributes.

How it works: `_collected` and `_acollected` fetch the history of a thread and of its subgraphs, `_events`
puts it in order, oldest first, and `_Runs` cuts the events into runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

INTERRUPT: Final = "__interrupt__"
RESUMING: Final = "__resuming__"
_MAX_DEPTH: Final = 50
"""How deep subgraphs are followed; those below are one node each."""


def graph_trajectory_of(graph: Any, config: Any) -> dict[str, Any]:
    """Read which nodes a LangGraph thread ran through.

    Args:
        graph: a compiled graph with a checkpointer.
        config: names the thread, `{"configurable": {"thread_id": "1"}}`, or one checkpoint of it.

    Returns:
        `{"inputs": […], "outputs": {"results": […], "steps": [[…], …]}}`, an element of each list a run. The
        result of an interrupted run is `{"__interrupt__": [what was asked]}`; of one that ended, the last of
        its `messages`, or else its state.

    Example:
        >>> from typing import TypedDict
        >>> from langgraph.checkpoint.memory import InMemorySaver
        >>> from langgraph.graph import START, StateGraph
        >>> State = TypedDict("State", {"n": int})
        >>> builder = StateGraph(State).add_node("double", lambda state: {"n": 2 * state["n"]})
        >>> graph = builder.add_edge(START, "double").compile(checkpointer=InMemorySaver())
        >>> config = {"configurable": {"thread_id": "1"}}
        >>> graph.invoke({"n": 2}, config)
        {'n': 4}
        >>> graph_trajectory_of(graph, config)["outputs"]
        {'results': [{'n': 4}], 'steps': [['__start__', 'double']]}
    """
    return _runs(_collected(graph, config))


async def agraph_trajectory_of(graph: Any, config: Any) -> dict[str, Any]:
    """Read which nodes a LangGraph thread ran through, from an async checkpointer; see the sync one."""
    return _runs(await _acollected(graph, config))


# --------------------------------------------------------------------------------------------- history


@dataclass(frozen=True, slots=True)
class _Moment:
    """A snapshot, and the histories of the subgraphs that ran from it, by the id of their task."""

    snapshot: Any
    below: dict[str, list[_Moment]] = field(default_factory=dict)


def _collected(graph: Any, config: Any, above: Any = None, depth: int = 0) -> list[_Moment]:
    """The history that led to a state, oldest first, with those of the subgraphs called `above`."""
    found = []
    for one in _lineage(list(graph.get_state_history(_thread(config))), config, above):
        calls = _calls(one, depth)
        below = {key: _collected(graph, state, one.config, depth + 1) for key, state in calls}
        found.append(_Moment(one, below))
    return found


async def _acollected(graph: Any, config: Any, above: Any = None, depth: int = 0) -> list[_Moment]:
    found = []
    history = [one async for one in graph.aget_state_history(_thread(config))]
    for one in _lineage(history, config, above):
        calls = _calls(one, depth)
        below = {key: await _acollected(graph, state, one.config, depth + 1) for key, state in calls}
        found.append(_Moment(one, below))
    return found


def _calls(snapshot: Any, depth: int) -> list[tuple[str, Any]]:
    """The tasks that ran a subgraph with a history of its own: their ids, and where it is."""
    tasks = snapshot.tasks if depth < _MAX_DEPTH else ()
    return [(task.id, task.state) for task in tasks if isinstance(task.state, dict)]


def _thread(config: Any) -> Any:
    """The config without a checkpoint: asked for one, LangGraph tells of nothing before it."""
    kept = {key: value for key, value in (config.get("configurable") or {}).items() if key != "checkpoint_id"}
    return {**config, "configurable": kept}


def _lineage(history: list[Any], config: Any, above: Any) -> list[Any]:
    """A snapshot, the newest if none is named, and those it came from, oldest first.

    A subgraph that remembers keeps its snapshots of every call in one history; each names its caller, and
    those of other calls are left out.
    """
    known = {_checkpoint(one.config): one for one in history}
    found, at = [], _checkpoint(config) or next(iter(known), None)
    while at in known:
        found.append(known.pop(at))
        at = _checkpoint(found[-1].parent_config)
    return [one for one in found[::-1] if above is None or _called_by(one, _checkpoint(above))]


def _called_by(snapshot: Any, checkpoint: Any) -> bool:
    callers = (snapshot.metadata or {}).get("parents") or {}
    return not callers or checkpoint in callers.values()


def _checkpoint(config: Any) -> Any:
    return ((config or {}).get("configurable") or {}).get("checkpoint_id")


# ---------------------------------------------------------------------------------------------- events


def _runs(moments: list[_Moment]) -> dict[str, Any]:
    """Cut a history into runs."""
    runs = _Runs()
    _events(moments, "", runs)
    if runs.open:
        runs.end(moments[-1].snapshot.values)
    return {"inputs": runs.inputs, "outputs": {"results": runs.results, "steps": runs.steps}}


@dataclass(slots=True)
class _Runs:
    """The runs found so far; of one that is open the result is not known yet."""

    inputs: list[Any] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)
    steps: list[list[str]] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether a run has begun and not ended."""
        return len(self.steps) > len(self.results)

    def begin(self, given: Any) -> None:
        """Begin a run, if none is open."""
        if not self.open:
            self.inputs.append(given)
            self.steps.append([])

    def step(self, name: str) -> None:
        """Note a node; where no run is open, an interrupted one was resumed."""
        self.begin(RESUMING)
        self.steps[-1].append(name)

    def end(self, values: Any) -> None:
        """End the open run with a state."""
        self.results.append(_result(values))

    def interrupt(self, asked: list[Any]) -> None:
        """End the open run at an interrupt."""
        self.begin(RESUMING)
        self.results.append({INTERRUPT: asked})


def _events(moments: list[_Moment], prefix: str, runs: _Runs) -> None:
    """Note what ran from each snapshot, oldest first."""
    for moment, after in zip_longest(moments, moments[1:]):
        snapshot = moment.snapshot
        source = (snapshot.metadata or {}).get("source")
        if source == "input" and not prefix:
            if runs.open:  # what was running was given up for a new input
                runs.end({})
            runs.begin({task.name: task.result for task in snapshot.tasks})
        replaced = after is not None and (after.snapshot.metadata or {}).get("source") in {"update", "fork"}
        if not replaced:
            _superstep(moment, prefix, runs, last=after is None)
        if not snapshot.next and not prefix and runs.open:
            runs.end(snapshot.values)


def _superstep(moment: _Moment, prefix: str, runs: _Runs, *, last: bool) -> None:
    """Note the nodes that ran from a snapshot; where some stopped, the run ends after them."""
    tasks = [task for task in moment.snapshot.tasks if not last or _has_run(task)]
    asked = []
    for task in sorted(tasks, key=lambda task: bool(task.interrupts)):
        runs.step(f"{prefix}{task.name}")
        below = moment.below.get(task.id)
        if below:
            _events(below, f"{prefix}{task.name}:", runs)
        elif task.interrupts:
            runs.step(INTERRUPT)
            asked += [getattr(one, "value", None) for one in task.interrupts]
    if asked:
        runs.interrupt(asked)
    elif last and len(tasks) < len(moment.snapshot.tasks):  # a breakpoint before the nodes that are left
        runs.step(INTERRUPT)
        runs.interrupt([])


def _has_run(task: Any) -> bool:
    return bool(task.interrupts or task.error is not None or task.result is not None)


def _result(values: Any) -> Any:
    """What a run came to: the last of its messages, which is short, or its whole state."""
    messages = values.get("messages") if isinstance(values, dict) else None
    if not isinstance(messages, list) or not messages:
        return values
    return {"messages": _plain(messages[-1:])}


def _plain(messages: Iterable[Any]) -> list[Any]:
    """Messages of LangChain's as OpenAI writes them; others as they are."""
    from langchain_core.messages import BaseMessage, convert_to_openai_messages

    return [convert_to_openai_messages(one) if isinstance(one, BaseMessage) else one for one in messages]
