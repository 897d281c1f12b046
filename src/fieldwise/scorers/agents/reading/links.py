"""Which request of the model each run of a tool carries out.

A tool's span often lacks what the request has: the id, for a call that failed; the names of its arguments,
for a tool with one of them. So they are linked, each run to a request that came before it:

1. by id, where the run has one: the latest request with it;
2. by name and arguments, or by name and the text of the only argument: the latest request not yet taken;
3. the same, taken already: one more attempt at it;
4. by name alone: the latest request not yet taken, in the latest decision that asks for that tool.

A run with an id is linked by 2 to 4 only to requests that have none. Runs whose id is known go first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise.core.display import one_line, said
from fieldwise.core.equality import freeze
from fieldwise.scorers.agents.names import tool_key
from fieldwise.scorers.agents.reading.arguments import MALFORMED, read_arguments
from fieldwise.scorers.agents.reading.wrapped import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fieldwise._types import Json
    from fieldwise.scorers.agents.reading.steps import Step
    from fieldwise.scorers.agents.reading.talk import Request


@dataclass(slots=True, eq=False)
class Ask:
    """One request, where it was made, and the runs that carry it out.

    Attributes:
        decider: the model's step that asks.
        place: which of its requests this is.
    """

    decider: Step
    place: int
    request: Request
    args: dict[str, Json]
    problem: str | None
    runs: list[Step] = field(default_factory=list)

    @property
    def position(self) -> int:
        """Where the model's step stands among all steps."""
        return self.decider.position


def asks_of(deciders: Sequence[Step], *, decode_twice: bool) -> list[Ask]:
    """Return every request of steps in order."""
    return [
        Ask(step, place, one, *_arguments(one, decode_twice=decode_twice))
        for step in deciders
        for place, one in enumerate(step.asked)
    ]


def arguments(given: object, *, decode_twice: bool) -> tuple[dict[str, Json], str | None]:
    """Read arguments; what refuses to be read is malformed."""
    try:
        return read_arguments(given, decode_twice=decode_twice)
    except Exception as error:  # noqa: BLE001 - whatever an object of someone else's raises
        return {}, one_line(f"{MALFORMED}: {said(error)}")


def _arguments(asked: Request, *, decode_twice: bool) -> tuple[dict[str, Json], str | None]:
    args, problem = arguments(asked.given, decode_twice=decode_twice)
    if asked.refused and args:
        return {}, f"{MALFORMED}: the framework could not read them"
    return args, problem


def link(asks: Sequence[Ask], runs: Sequence[Step], *, decode_twice: bool) -> list[Step]:
    """Add each run to the request that it carries out; return those that carry out none, in order."""
    index = _Index(asks)
    waiting, loose = [], []
    for run in runs:
        ask = index.latest(("id", run.id), run, taken=True) if run.id else None
        if ask is None:
            waiting.append(run)
        else:
            ask.runs.append(run)
    for run in waiting:
        ask = index.find(run, decode_twice=decode_twice)
        if ask is None:
            loose.append(run)
        else:
            ask.runs.append(run)
    return loose


class _Index:
    """Requests by whatever a run may know of them; within a key ordered by decision, first request last."""

    def __init__(self, asks: Sequence[Ask]) -> None:
        self._by: defaultdict[tuple[Any, ...], list[Ask]] = defaultdict(list)
        for ask in sorted(asks, key=lambda one: (one.position, -one.place)):
            for key in _keys(ask):
                self._by[key].append(ask)

    def find(self, run: Step, *, decode_twice: bool) -> Ask | None:
        """Find the request of a run by what it was given."""
        exact = list(_run_keys(run, decode_twice=decode_twice))
        for taken in (False, True):
            found = [ask for key in exact if (ask := self.latest(key, run, taken=taken)) is not None]
            if found:
                return max(found, key=lambda ask: ask.position)
        name = ("name", _key(run.name))
        last = self.latest(name, run, taken=True)
        ask = self.latest(name, run, taken=False)
        return ask if ask is not None and last is not None and ask.decider is last.decider else None

    def latest(self, key: tuple[Any, ...], run: Step, *, taken: bool) -> Ask | None:
        """Return the latest request before a run; only one that nothing carries out yet, unless `taken`."""
        asks = self._by.get(key, ())
        for at in range(bisect_left(asks, run.position, key=lambda ask: ask.position) - 1, -1, -1):
            ask = asks[at]
            if (taken or not ask.runs) and not (key[0] != "id" and run.id and ask.request.id):
                return ask
        return None


def _keys(ask: Ask) -> Iterator[tuple[Any, ...]]:
    name = _key(ask.request.name)
    if ask.request.id:
        yield "id", ask.request.id
    yield "name", name
    if ask.problem is None:
        yield "args", name, freeze(ask.args)
        if len(ask.args) == 1:
            (value,) = ask.args.values()
            if isinstance(value, str):
                yield "sole", name, value


def _run_keys(run: Step, *, decode_twice: bool) -> Iterator[tuple[Any, ...]]:
    name, text = _key(run.name), bare(run.given)
    args, problem = arguments(run.given, decode_twice=decode_twice)
    if problem is None:
        yield "args", name, freeze(args)
    if text is not None:
        yield "sole", name, text


def _key(name: str | None) -> str | None:
    return None if name is None else tool_key(name)
