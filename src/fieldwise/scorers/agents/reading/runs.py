"""LangSmith runs: RunTree and Run objects, and their dumps; a root with child runs, or a flat list.

A run becomes a step (`steps`). A tool's arguments are its inputs, its output is what is in its outputs;
the id of the call stands in `extra`, in its metadata, or in the message that is its output.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.scorers.agents.reading import wrapped
from fieldwise.scorers.agents.reading.assembly import assemble
from fieldwise.scorers.agents.reading.forms import ARGS
from fieldwise.scorers.agents.reading.loose import as_text, field, has, items, nanoseconds, text
from fieldwise.scorers.agents.reading.steps import Step
from fieldwise.scorers.agents.reading.talk import talk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.scorers.agents.calls import Trajectory
    from fieldwise.scorers.agents.reading.span_names import Kind

_ANY_OF: Final = ("inputs", "outputs", "child_runs", "id")
_KINDS: Final[dict[str, Kind]] = {"tool": "tool", "llm": "llm", "chat_model": "llm"}
"""LangChain's tracers keep a chat model's own type, LangSmith does not."""
_MOST: Final = 200_000


def is_runs(value: object) -> bool:
    """Whether a value is a run, or a list of runs: each has a `run_type`, and at least a name beside it.

    What has arguments is a call, whatever else it has.

    >>> is_runs({"run_type": "tool", "name": "search", "inputs": {"q": "x"}}), is_runs([])
    (True, False)
    """
    runs = items(value) or [value]
    return all(as_text(field(run, "run_type")) is not None and _is_more(run) for run in runs)


def _is_more(run: object) -> bool:
    """Whether there is what a run has beside its type."""
    if any(has(run, name) for name in _ANY_OF):
        return True
    return bool(text(field(run, "name"))) and not any(has(run, name) for name in ARGS)


def read_runs(value: Any, *, decode_twice: bool = False) -> Trajectory:
    """Read the tool calls that runs record.

    Args:
        value: a run with its child runs, or a list of runs, in any order.
        decode_twice: whether arguments that are JSON text within JSON text are decoded once more.

    Returns:
        A trajectory without turns.

    >>> run = {"run_type": "tool", "name": "add", "inputs": {"a": 1}, "outputs": {"output": "2"}}
    >>> call = read_runs({"run_type": "chain", "name": "agent", "child_runs": [run]}).calls[0]
    >>> call.name, call.args, call.output
    ('add', {'a': 1}, '2')
    """
    steps = [_step(number, *one) for number, one in enumerate(islice(walked(value), _MOST))]
    return assemble(steps, "run", decode_twice=decode_twice)


def walked(value: Any) -> Iterator[tuple[Any, str, str | None]]:
    """Yield every run of a forest, parents before their children: the run, its key, and its parent's."""
    seen: set[int] = set()
    stack: list[tuple[Any, str | None]] = [(run, None) for run in reversed(items(value) or [value])]
    while stack:
        run, above = stack.pop()
        if id(run) in seen:
            continue
        key = text(field(run, "id")) or f"run {len(seen)}"
        seen.add(id(run))
        yield run, key, text(field(run, "parent_run_id")) or above
        stack += [(child, key) for child in reversed(items(field(run, "child_runs")))]


def kind_of(run: Any) -> Kind:
    """Return what a run is of."""
    return _KINDS.get(as_text(field(run, "run_type")) or "", "other")


def has_failed(run: Any) -> bool:
    """Whether a run ended in an error."""
    return bool(text(field(run, "error"))) or as_text(field(run, "status")) == "error"


def _step(number: int, run: Any, key: str, parent: str | None) -> Step:
    step = Step(
        kind_of(run),
        f"run {number}",
        start=nanoseconds(field(run, "start_time")),
        end=nanoseconds(field(run, "end_time")),
        key=key,
        parent=parent,
        failed=has_failed(run),
    )
    inputs, outputs = field(run, "inputs"), field(run, "outputs")
    if step.kind == "tool":
        _tool(step, run, inputs, outputs)
    elif step.kind == "llm":
        step.asked, step.said = talk(outputs).requests, (inputs,)
    else:
        step.said = (outputs,)
    return step


def _tool(step: Step, run: Any, inputs: Any, outputs: Any) -> None:
    extra = field(run, "extra")
    raw = wrapped.outputs(outputs, failed=step.failed)
    step.name = text(field(run, "name"))
    step.given = wrapped.arguments(inputs)
    step.id = text(field(extra, "tool_call_id")) or text(field(field(extra, "metadata"), "tool_call_id"))
    if raw is not MISSING:
        step.returned, step.id = wrapped.returned(raw, step.id)
