"""Graph trajectory match: did a graph run through the nodes of the reference?

A graph trajectory is what `fieldwise.integrations.langgraph.graph_trajectory_of` makes, in agentevals' shape:

    {"inputs": [what a run was given, …], "results": [what it came to, …], "steps": [["agent", "tools"], …]}

`steps` has to be there, a list of the names of nodes for each run. `inputs` and `results` may be left out;
where they are given, each has one element a run. `{"inputs": […], "outputs": {"results": …, "steps": …}}` is
the same. What has another shape is a status that says what is wrong, with every length.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.core.read import Problem
from fieldwise.scorers import options
from fieldwise.scorers.agents.reading.loose import unwrapped
from fieldwise.scorers.single import Grade, single

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise._types import Json, Status
    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

_SHAPE: Final = "a graph trajectory is {'steps': [['agent', 'tools'], …], 'results': […]}"
_SHOWN: Final = 3
"""How many differences a comment tells; `extra` has them all."""


@dataclass(frozen=True, slots=True)
class GraphTrajectory:
    """What a graph did, run by run."""

    steps: list[list[str]]
    inputs: list[Json] | None = None
    results: list[Json] | None = None

    def thread(self) -> list[Json]:
        """Return the runs as a judge is shown them.

        >>> GraphTrajectory([["__start__", "agent"]], results=[{"answer": 2}]).thread()
        [{'steps': ['__start__', 'agent'], 'result': {'answer': 2}}]
        """
        runs: list[Json] = []
        for at, steps in enumerate(self.steps):
            run: dict[str, Json] = {} if self.inputs is None else {"input": self.inputs[at]}
            run["steps"] = list(steps)
            if self.results is not None:
                run["result"] = self.results[at]
            runs.append(run)
        return runs


def read_graph(value: Any, side: str = "outputs", *, inputs: Any = None) -> GraphTrajectory | Problem:
    """Read a graph trajectory.

    Args:
        value: in one of the shapes above.
        side: "outputs" or "reference_outputs": whose fault it is when it has another shape.
        inputs: what the evaluator was given as inputs: the runs' own, where the trajectory has none, if it is
            a list or has one under `inputs`.

    >>> read_graph({"steps": [["a"], ["b"]], "results": [{}]}).reason
    'outputs: the lists are of different lengths, 2 in steps, 1 in results; each run has one of each'
    """
    status: Status = "invalid_output" if side == "outputs" else "invalid_reference"
    found = _lists(value, inputs, side)
    if isinstance(found, GraphTrajectory):
        return found
    return Problem(status, f"{side}: {found}")


def _lists(value: Any, inputs: Any, side: str) -> GraphTrajectory | str:
    """The lists of a trajectory, or what is wrong with them."""
    value = unwrapped(value)
    inner = value.get("outputs") if isinstance(value, dict) and "steps" not in value else None
    if isinstance(inner, dict):
        value = inner | {"inputs": value.get("inputs") or inner.get("inputs")}
    if not isinstance(value, dict) or "steps" not in value:
        return f"no steps in {preview(value)}; {_SHAPE}{_held(value, side)}"
    steps, lists = value["steps"], {"inputs": value.get("inputs") or None, "results": value.get("results")}
    if not _is_steps(steps):
        return f"steps={preview(steps)} is no list of lists of names; {_SHAPE}"
    given: Any = inputs.get("inputs") if isinstance(inputs, dict) else inputs
    if lists["inputs"] is None and isinstance(given, list):
        lists["inputs"] = given or None
    for name, one in lists.items():
        if not (one is None or isinstance(one, list)):
            return f"{name}={preview(one)} is no list; {_SHAPE}"
    counts = {"steps": len(steps)} | {name: len(one) for name, one in lists.items() if one is not None}
    if len({*counts.values()}) > 1:
        told = ", ".join(f"{count} in {name}" for name, count in counts.items())
        return f"the lists are of different lengths, {told}; each run has one of each"
    return GraphTrajectory(steps, **lists)


def _held(value: Any, side: str) -> str:
    """Where in an object there is a graph trajectory, as the option that names it."""
    option = "outputs_key" if side == "outputs" else "correct_answer_key"
    for name, one in value.items() if isinstance(value, dict) else ():
        if isinstance(one, dict) and "steps" in one:
            return f"; the steps in {shown(name)} are read with {option}={name!r}"
    return ""


def _is_steps(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(run, list) and all(isinstance(name, str) for name in run) for run in value
    )


@options.KEYS.named
def graph_trajectory_match(
    *,
    feedback_key: str = "graph_trajectory_match",
    **keys: Unpack[options.Keys],
) -> Plan:
    """Check that a graph ran through the nodes of the reference, in that order, run by run.

    Inputs and results are not compared.

    Args:
        keys: which value of each side is the trajectory; see `options.Keys`.
        feedback_key: replaces `graph_trajectory_match` as the key.

    Returns:
        One result, True or False. `extra["differences"]` lists where each run first departs: `run`, `step`,
        `expected`, `got`; null where there is no such step. What is no graph trajectory is `invalid_output`,
        False, or `invalid_reference`, None.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_graph_trajectory_match_evaluator()
        >>> result = evaluate(
        ...     outputs={"steps": [["__start__", "agent", "tools"]], "results": [{}]},
        ...     reference_outputs={"steps": [["__start__", "agent", "__interrupt__"]]},
        ... )
        >>> result["score"], result["comment"]
        (False, 'run 0, step 2: expected "__interrupt__", got "tools"')

        In LangSmith the reference is an example's outputs, and the target returns the thread it made:

        >>> from fieldwise.integrations.langgraph import graph_trajectory_of
        >>> example = {
        ...     "inputs": {"question": "What is the weather in SF?"},
        ...     "outputs": {"steps": [["__start__", "agent", "tools", "agent"]]},
        ... }
        >>> def target(inputs):
        ...     config = {"configurable": {"thread_id": str(uuid.uuid4())}}
        ...     graph.invoke({"messages": [("user", inputs["question"])]}, config)
        ...     return graph_trajectory_of(graph, config)

        `langsmith.evaluate(target, data=dataset, evaluators=[evaluate])` then compares every example.
    """
    return single(
        "graph_trajectory_match",
        _compared,
        options.reader(**keys),
        feedback_key=feedback_key,
        worst=False,
    )


def _compared(documents: Documents) -> Grade:
    expected = read_graph(documents.expected, "reference_outputs")
    if isinstance(expected, Problem):
        return Grade(None, expected.reason, expected.status)
    actual = read_graph(documents.actual, "outputs")
    if isinstance(actual, Problem):
        return Grade(score=False, comment=actual.reason, status=actual.status)
    found = list(_differences(expected.steps, actual.steps))
    if not found:
        return Grade(score=True)
    told = [_told(one) for one in found[:_SHOWN]]
    more = [f"and {len(found) - _SHOWN} more runs"] if len(found) > _SHOWN else []
    return Grade(score=False, comment="; ".join(told + more), extra={"differences": found})


def _differences(expected: list[list[str]], actual: list[list[str]]) -> Iterator[dict[str, Any]]:
    """Where each run first departs from the one expected."""
    for run, (wanted, came) in enumerate(zip_longest(expected, actual)):
        if wanted is None or came is None:
            yield {"run": run, "step": None, "expected": wanted, "got": came}
            continue
        for step, (name, other) in enumerate(zip_longest(wanted, came)):
            if name != other:
                yield {"run": run, "step": step, "expected": name, "got": other}
                break


def _told(one: dict[str, Any]) -> str:
    at = f"run {one['run']}" + ("" if one["step"] is None else f", step {one['step']}")
    if one["expected"] is None:
        return f"{at}: not expected, got {preview(one['got'])}"
    got = "missing" if one["got"] is None else f"got {preview(one['got'])}"
    return f"{at}: expected {preview(one['expected'])}, {got}"
