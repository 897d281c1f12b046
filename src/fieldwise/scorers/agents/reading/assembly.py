"""From the steps of a run, spans or LangSmith runs, to the calls that were made.

Rules of this module:
1. What the model asked for is the call, and its requests are one group, in the order in which it asked.
   The runs of a tool are linked to them (`links`). A call that ran several times is one call: the last run
   counts. A tool that no request asked for is a call of its own.
2. Calls without a request are one group where they ran side by side, in the same tool or in none.
3. A request that nothing carried out is a call if any of these holds: no tool ran at all; another request
   of the same reply was carried out; a message elsewhere answers or repeats it. Else it is none: that is
   how models are made to answer in a schema. A note says so either way.
4. What a failed run does not say, because its error was handled outside, the message that answers says.
5. A tool within a tool counts as well, unless it is the same call, recorded twice.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fieldwise._types import MISSING
from fieldwise.core.display import said
from fieldwise.core.equality import freeze
from fieldwise.scorers.agents.calls import ToolCall, Trajectory
from fieldwise.scorers.agents.reading.answers import Answers
from fieldwise.scorers.agents.reading.links import Ask, arguments, asks_of, link
from fieldwise.scorers.agents.reading.outputs import read_output
from fieldwise.scorers.agents.reading.steps import Step, in_order
from fieldwise.scorers.agents.reading.wrapped import bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, Missing


@dataclass(slots=True)
class _Group:
    """Calls of one decision, and the position that orders it among others."""

    position: int
    calls: list[ToolCall]


def assemble(steps: Iterable[Step], source: str, *, decode_twice: bool) -> Trajectory:
    """Return the calls that steps make up.

    Args:
        steps: in any order.
        source: what the trajectory says it was read from.
        decode_twice: whether JSON text within JSON text is decoded once more.
    """
    return _Assembly(in_order(steps), decode_twice=decode_twice).trajectory(source)


class _Assembly:
    """The work on one run of an agent."""

    def __init__(self, steps: Sequence[Step], *, decode_twice: bool) -> None:
        self._by_key = {step.key: step for step in steps if step.key is not None}
        self._answers = Answers(steps)
        self._decode_twice = decode_twice
        self._tools = [step for step in steps if step.kind == "tool"]
        deciders = [step for step in steps if step.asked and not self._is_echo(step)]
        self._asks = asks_of(deciders, decode_twice=decode_twice)
        self._loose = link(self._asks, self._tools, decode_twice=decode_twice)
        self._notes: list[str] = []

    def trajectory(self, source: str) -> Trajectory:
        groups = sorted([*self._decided(), *self._undecided()], key=lambda group: group.position)
        calls = [replace(call, group=number) for number, group in enumerate(groups) for call in group.calls]
        return Trajectory(tuple(calls), None, source, tuple(self._notes))

    # ------------------------------------------------------------------------------ what was asked for

    def _decided(self) -> list[_Group]:
        replies: defaultdict[int, list[Ask]] = defaultdict(list)
        for ask in self._asks:
            replies[ask.position].append(ask)
        groups = []
        for position, asks in replies.items():
            ran = [run.position for ask in asks for run in ask.runs]
            made = [bool(ran) or not self._tools or self._is_said(ask) for ask in asks]
            self._notes += [_left_out(ask) for ask, kept in zip(asks, made, strict=True) if not kept]
            calls = [self._asked_call(ask) for ask, kept in zip(asks, made, strict=True) if kept]
            if calls:
                groups.append(_Group(min(ran, default=position), calls))
        return groups

    def _asked_call(self, ask: Ask) -> ToolCall:
        name, at = ask.request.name, f"{ask.decider.at}, call {ask.place}"
        call = ToolCall(name, ask.args, ask.problem, ask.request.id, at=at)
        if not ask.runs:
            output, failed = self._answer(call, ask.decider)
            if output is MISSING:
                self._notes.append(f"{at}: {name or 'a tool'} was asked for and never ran")
            return replace(call, output=output, failed=failed)
        last = max(ask.runs, key=_ended)
        attempts = _one_after_the_other(ask.runs)
        if attempts > 1:
            self._notes.append(f"{at}: {name or 'a tool'} ran {attempts} times; the last one counts")
        return self._ran(replace(call, name=name or last.name, at=last.at), last)

    def _is_said(self, ask: Ask) -> bool:
        return ask.request.id is not None and self._answers.mention(ask.request.id, _ended(ask.decider))

    # -------------------------------------------------------------------------- what ran without being

    def _undecided(self) -> list[_Group]:
        scopes: defaultdict[str | None, list[_Group]] = defaultdict(list)
        ends: dict[str | None, int] = {}
        for run in self._loose:
            outer = self._enclosing(run, "tool")
            if outer is not None and self._same(run, outer):
                continue
            scope = None if outer is None else outer.key
            call = self._ran(self._run_call(run), run)
            if scopes[scope] and run.start is not None and run.start < ends.get(scope, run.start):
                scopes[scope][-1].calls.append(call)
            else:
                scopes[scope].append(_Group(run.position, [call]))
            ends[scope] = max(ends.get(scope, 0), run.end or run.start or 0)
        return [group for groups in scopes.values() for group in groups]

    def _run_call(self, run: Step) -> ToolCall:
        args, problem = arguments(run.given, decode_twice=self._decode_twice)
        text = bare(run.given)
        if problem is not None and run.sole is not None and text is not None:
            return ToolCall(run.name, {run.sole: text}, None, run.id, at=run.at)
        return ToolCall(run.name, args, problem, run.id, at=run.at)

    def _same(self, run: Step, outer: Step) -> bool:
        ours, theirs = self._run_call(run), self._run_call(outer)
        alike = (ours.problem, freeze(ours.args)) == (theirs.problem, freeze(theirs.args))
        return run.name == outer.name and alike

    # ------------------------------------------------------------------------------------ what came back

    def _ran(self, call: ToolCall, run: Step) -> ToolCall:
        output, failed = self._output(run.returned, call.at)
        if output is MISSING:
            output, failed = self._answer(call, run)
        return replace(call, output=output, failed=failed or run.failed)

    def _answer(self, call: ToolCall, after: Step) -> tuple[Json | Missing, bool]:
        """What a message says that answers a call; MISSING without one."""
        if not call.id:
            return MISSING, False
        return self._output(self._answers.of(call.id, _ended(after)), call.at)

    def _output(self, raw: object, at: str) -> tuple[Json | Missing, bool]:
        try:
            return read_output(raw)
        except Exception as error:  # noqa: BLE001 - an object without a JSON form, or one that is a trap
            self._notes.append(f"{at}: the output cannot be read: {said(error)}")
            return MISSING, False

    # --------------------------------------------------------------------------------------- the tree

    def _enclosing(self, step: Step, kind: str) -> Step | None:
        """The nearest step of a kind that this one is a part of."""
        seen = {step.key}
        while step.parent is not None and step.parent not in seen:
            seen.add(step.parent)
            outer = self._by_key.get(step.parent)
            if outer is None:
                return None
            if outer.kind == kind:
                return outer
            step = outer
        return None

    def _is_echo(self, step: Step) -> bool:
        """Whether a model's step is within another's: one reply, recorded by two instrumentations."""
        outer = self._enclosing(step, "llm")
        return outer is not None and bool(outer.asked)


def _left_out(ask: Ask) -> str:
    name = ask.request.name or "a tool"
    return f"{ask.decider.at}, call {ask.place}: {name} was asked for, never ran or was answered; left out"


def _ended(step: Step) -> tuple[int, int]:
    """When a step ended, in time and among steps that ended then."""
    known = step.end if step.end is not None else step.start
    return (-1 if known is None else known, step.position)


def _one_after_the_other(runs: Sequence[Step]) -> int:
    """How many of the runs did not start within an earlier one."""
    count, end = 0, -1
    for run in sorted(runs, key=lambda one: one.position):
        if run.start is None or run.start >= end:
            count += 1
        end = max(end, run.end or run.start or 0)
    return count
