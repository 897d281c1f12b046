"""Running an evaluation set: items in, what became of each out, in their order.

Rules of this module:
1. Sync and async runs are the same flows with two drivers. Calling an agent and asking a judge are errands of
   one pool, at most `workers` at once; at most `4 * workers` items are open.
2. An item never costs a run: an agent that raises or takes too long is that item's outcome, and each of its
   evaluators is `not_evaluated`, with the reason. An evaluator that the item skips stays skipped.
3. Results come in the order of the items, the repeats of an item one after the other: intervals take them for
   one item, answered several times.
4. Nothing is kept but the summary.
"""

from __future__ import annotations

import inspect
from contextlib import aclosing, closing
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.flow import JudgeFailure, Verdict, adrive_many, drive_many, together
from fieldwise.errors import ConfigError
from fieldwise.evalsets.agents import Agent, Ran, read_agent
from fieldwise.evalsets.criteria import NOT_SET
from fieldwise.evalsets.members import asked, read_members
from fieldwise.evalsets.model import ItemResult
from fieldwise.evalsets.plain import plain
from fieldwise.evalsets.recorded import Recorded, read_recorded
from fieldwise.evalsets.spans import span_dict
from fieldwise.evalsets.summary import Summary
from fieldwise.run._members import Errand, run_errand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fieldwise.core.flow import Flow
    from fieldwise.evalsets.model import EvaluationSet, Item

_AHEAD: Final = 4
_RAN: Final = "ran"


def run_set(
    evaluation_set: EvaluationSet,
    agent: Any = None,
    outputs: Any = None,
    *,
    judge: Any = None,
    workers: int = 16,
    timeout: float | None = None,
    repeat: int = 1,
    on_result: Callable[[ItemResult], object] | None = None,
    done: Iterable[ItemResult] = (),
    summary: Summary | None = None,
    allow_code: bool = False,
) -> Summary:
    """Run an evaluation set and sum up.

    Args:
        evaluation_set: what `load_set` returned.
        agent: what is evaluated: a function, plain or async, or a LangChain Runnable. A function whose
            parameters have the names of an item's inputs is called by keyword, any other with the dict.
        outputs: recorded answers instead of an agent: the path of a file, an iterable of `{"id", "output"}`,
            perhaps with `spans`, or a mapping of item id to output.
        judge: answers for all evaluators that ask one, instead of their own judges.
        workers: how many calls of the agent, of judges and of custom evaluators are under way at once.
        timeout: how many seconds the agent has for an item; None: as many as it likes.
        repeat: how often each item is run, one time after the other.
        on_result: called with each `ItemResult`, in order.
        done: results of an earlier run over the same set, which are counted and not run again.
        summary: a summary to add to, instead of a new one. It has every item that was finished also when the
            run is interrupted: KeyboardInterrupt propagates.
        allow_code: whether the code of custom evaluators may be run.

    Returns:
        The summary.

    Raises:
        ConfigError: for an agent that is none, both or neither of `agent` and `outputs`, numbers below 1, an
            async judge, and an evaluator that lacks its judge.
        InputError: recorded answers cannot be read, or an evaluator is code that may not run.

    Example:
        >>> from fieldwise.evalsets.model import Chosen, EvaluationSet, Item, Spec
        >>> exact = Chosen(Spec("E", "uipath-exact-match", "E"))
        >>> item = Item("one", "one", {"a": 1, "b": 2}, {"E": {"expectedOutput": 3}})
        >>> run_set(EvaluationSet("sums", "Sums", (exact,), (item,)), lambda a, b: a + b).score
        1.0
    """
    given = _Given(agent, outputs, judge, workers, timeout, repeat, allow_code)
    run = _Run(evaluation_set, given, summary, awaits=False)
    started = perf_counter()
    try:
        flows = run.flows(done)
        with closing(drive_many(flows, run_errand, window=run.window, limit=workers)) as results:
            for result in results:
                run.summary.add(result)
                if on_result is not None:
                    on_result(result)
    finally:
        run.close(perf_counter() - started)
    return run.summary


async def arun_set(
    evaluation_set: EvaluationSet,
    agent: Any = None,
    outputs: Any = None,
    *,
    judge: Any = None,
    workers: int = 16,
    timeout: float | None = None,  # noqa: ASYNC109 - of an item, not of the run
    repeat: int = 1,
    on_result: Callable[[ItemResult], object] | None = None,
    done: Iterable[ItemResult] = (),
    summary: Summary | None = None,
    allow_code: bool = False,
) -> Summary:
    """As `run_set`, awaiting async agents, judges and evaluators; plain ones run in threads.

    `on_result` may return an awaitable.
    """
    given = _Given(agent, outputs, judge, workers, timeout, repeat, allow_code)
    run = _Run(evaluation_set, given, summary, awaits=True)
    started = perf_counter()
    try:
        flows = run.flows(done)
        async with aclosing(adrive_many(flows, run_errand, window=run.window, limit=workers)) as results:
            async for result in results:
                run.summary.add(result)
                noted = None if on_result is None else on_result(result)
                if inspect.isawaitable(noted):
                    await noted
    finally:
        run.close(perf_counter() - started)
    return run.summary


@dataclass(frozen=True, slots=True)
class _Asked:
    """Items whose answers come from an agent."""

    agent: Agent
    awaits: bool

    def flow(self, item: Item, repeat: int) -> Flow[Ran]:  # noqa: ARG002 - an agent does not know
        (reply,) = yield [Errand((), ask=lambda _: self._ask(item))]
        if isinstance(reply, JudgeFailure):
            return Ran("agent_error", error=reply.reason)
        ran: Ran = reply.answers[_RAN]
        return ran

    def _ask(self, item: Item) -> Any:
        if self.awaits and self.agent.awaits:
            return self._awaited(item)
        return Verdict({_RAN: self.agent.call(item.inputs)})

    async def _awaited(self, item: Item) -> Verdict:
        return Verdict({_RAN: await self.agent.acall(item.inputs)})


@dataclass(frozen=True, slots=True)
class _Known:
    """Items whose answers were recorded."""

    recorded: Recorded

    def flow(self, item: Item, repeat: int) -> Flow[Ran]:
        yield from ()  # a flow is a generator, also one that never asks
        return self.recorded.ran(item.id, repeat)


@dataclass(frozen=True, slots=True)
class _Given:
    """The options of a run, as given."""

    agent: Any
    outputs: Any
    judge: Any
    workers: Any
    timeout: Any
    repeat: Any
    allow_code: bool

    def __post_init__(self) -> None:
        for option, value in (("workers", self.workers), ("repeat", self.repeat)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"{option}={value!r}: must be a whole number from 1 up")
        if (self.agent is None) == (self.outputs is None):
            given = "neither was given" if self.agent is None else "both were given"
            raise ConfigError(f"agent or outputs: {given}; pass what is to be run, or what it answered")


class _Run:
    """What a sync and an async run share."""

    def __init__(
        self, evaluation_set: EvaluationSet, given: _Given, summary: Summary | None, *, awaits: bool
    ) -> None:
        self.window = _AHEAD * given.workers
        self.summary = Summary.of(evaluation_set) if summary is None else summary
        self._set = evaluation_set
        self._repeat: int = given.repeat
        paths = self.summary.report.paths
        self._members = read_members(
            evaluation_set, given.judge, paths, awaits=awaits, allow_code=given.allow_code
        )
        self._recorded: Recorded | None = None
        self._source: _Asked | _Known
        if given.agent is not None:
            self._source = _Asked(read_agent(given.agent, given.timeout, awaits=awaits), awaits)
        else:
            outputs = given.outputs
            self._recorded = outputs if isinstance(outputs, Recorded) else read_recorded(outputs)
            self._source = _Known(self._recorded)

    def flows(self, done: Iterable[ItemResult]) -> Iterator[Flow[ItemResult]]:
        """Count what was done before, and return one flow for each item that is left."""
        items = {item.id for item in self._set.items}
        known: set[tuple[str, int]] = set()
        for result in done:
            key = (result.item, result.repeat)
            if key not in known and result.item in items and result.repeat < self._repeat:
                known.add(key)
                self.summary.add(result)
        return self._left(known)

    def _left(self, known: set[tuple[str, int]]) -> Iterator[Flow[ItemResult]]:
        for item in self._set.items:
            for repeat in range(self._repeat):
                if (item.id, repeat) not in known:
                    yield self._flow(item, repeat)

    def _flow(self, item: Item, repeat: int) -> Flow[ItemResult]:
        ran = yield from self._source.flow(item, repeat)
        members = asked(self._members, item)
        found = yield from together([one.flow(item, ran, criteria) for one, criteria in members])
        return ItemResult(
            item=item.id,
            name=item.name,
            repeat=repeat,
            outcome=ran.outcome,
            inputs=plain(item.inputs),
            output=plain(ran.output),
            error=ran.error,
            seconds=ran.seconds,
            spans=tuple(map(span_dict, ran.spans)),
            results={one.name: results for (one, _), results in zip(members, found, strict=True)},
            criteria={one.name: plain(criteria) for one, criteria in members if criteria is not NOT_SET},
        )

    def close(self, elapsed: float) -> None:
        """Note the time, and let go of what was recorded."""
        self.summary.elapsed += elapsed
        if self._recorded is not None:
            self._recorded.close()
