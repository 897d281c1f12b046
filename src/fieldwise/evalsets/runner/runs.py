"""Running an evaluation set: items in, what became of each out, in their order.

Rules of this module:
1. Sync and async runs are the same flows with two drivers. Calling an agent and asking a judge are errands of
   one pool, at most `workers` at once; at most `4 * workers` items are open. With an executor the flows are
   driven in its workers, chunk by chunk, and this process writes and sums up.
2. An item never costs a run: an agent that raises or takes too long is that item's outcome, and each of its
   evaluators is `not_evaluated`, with the reason. An evaluator that the item skips stays skipped.
3. Results come in the order of the items, the repeats of an item one after the other: intervals take them for
   one item, answered several times.
4. Nothing is kept but the summary, and it counts what was handed on, no more: whatever ends a run, it agrees
   with a file of results.
"""

from __future__ import annotations

import inspect
from contextlib import aclosing, closing, contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

from fieldwise.core.flow import adrive_many, drive_many
from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError
from fieldwise.evalsets.runner.recorded import Recorded, read_recorded
from fieldwise.evalsets.runner.work import ItemRunner, RunTerms, packed, result_of, score_items
from fieldwise.evalsets.summary import Summary
from fieldwise.run._members import run_errand
from fieldwise.run.executors.chunks import AHEAD, Orders
from fieldwise.run.executors.pools import check, opened

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator

    from fieldwise.evalsets.model import EvaluationSet, ItemResult
    from fieldwise.evalsets.runner.work import ChunkResults, Row
    from fieldwise.run.executors.distribution import Distribution

_PATIENT: Final = 2
"""Items that take their time travel in chunks of this many for each that is run at once: what a chunk holds
is written when all of it is there."""


class SetOptions(TypedDict, total=False):
    """How an evaluation set is run.

    Attributes:
        judge: answers for all evaluators that ask one, instead of their own judges.
        workers: how many calls of the agent, of judges and of custom evaluators are under way at once; with
            an executor, in each of its workers.
        timeout: how many seconds the agent has for an item, and a custom evaluator for its verdict; None: as
            many as they like.
        repeat: how often each item is run, one time after the other.
        on_result: called with each `ItemResult`, in order.
        on_line: called instead with each as a line of a file of results; the workers of an executor make it.
        done: results of an earlier run over the same set, which are counted and not run again.
        summary: a summary to add to, instead of a new one. It has every item that was finished also when the
            run is interrupted: KeyboardInterrupt propagates.
        allow_code: whether the code of custom evaluators may be run.
        executor: does the work: any `concurrent.futures.Executor`, `"processes"`, `"processes:4"`, or
            `"dask://host:port"`. Chunks of items go out, results and summaries come back, and the numbers are
            the same. Evaluators go out as their files describe them, code as it was read; agent and judge
            have to be picklable, as functions of modules are, and identical questions are asked once in each
            process. A chunk whose worker died is run again.
    """

    judge: Any
    workers: int
    timeout: float | None
    repeat: int
    on_result: Callable[[ItemResult], object] | None
    on_line: Callable[[bytes], object] | None
    done: Iterable[ItemResult]
    summary: Summary | None
    allow_code: bool
    executor: Any


OPTIONS: Final[Shared[SetOptions]] = Shared(
    SetOptions,
    {
        "judge": None,
        "workers": 16,
        "timeout": None,
        "repeat": 1,
        "on_result": None,
        "on_line": None,
        "done": (),
        "summary": None,
        "allow_code": False,
        "executor": None,
    },
)


@OPTIONS.named
def run_set(
    evaluation_set: EvaluationSet, agent: Any = None, outputs: Any = None, **options: Unpack[SetOptions]
) -> Summary:
    """Run an evaluation set and sum up.

    Args:
        evaluation_set: what `load_set` returned.
        agent: what is evaluated: a function, plain or async, or a LangChain Runnable. A function whose
            parameters have the names of an item's inputs is called by keyword, any other with the dict.
        outputs: recorded answers instead of an agent: the path of a file, an iterable of `{"id", "output"}`,
            perhaps with `spans`, or a mapping of item id to output.
        options: how it is run; see `SetOptions`.

    Returns:
        The summary.

    Raises:
        ConfigError: for an agent that is none, both or neither of `agent` and `outputs`, numbers below 1, an
            async judge, an evaluator that lacks its judge, and with an executor for what cannot be sent.
        InputError: recorded answers cannot be read, or an item has several; or an evaluator is code that may
            not run.
        ExecutorError: the executor lost its workers; its `report` is the summary of all items before.

    Example:
        >>> from fieldwise.evalsets.model import Chosen, EvaluationSet, Item, Spec
        >>> exact = Chosen(Spec("E", "uipath-exact-match", "E"))
        >>> item = Item("one", "one", {"a": 1, "b": 2}, {"E": {"expectedOutput": 3}})
        >>> run_set(EvaluationSet("sums", "Sums", (exact,), (item,)), lambda a, b: a + b).score
        1.0
    """
    run = _Run(evaluation_set, _Given(agent, outputs, **OPTIONS.complete(options, "run_set")), awaits=False)
    with run, closing(run.results()) as results:
        for result in results:
            if run.note is not None:
                run.note(result)
    return run.summary


@OPTIONS.named
async def arun_set(
    evaluation_set: EvaluationSet, agent: Any = None, outputs: Any = None, **options: Unpack[SetOptions]
) -> Summary:
    """As `run_set`, awaiting async agents, judges and evaluators; plain ones run in threads.

    `on_result` and `on_line` may return an awaitable.
    """
    run = _Run(evaluation_set, _Given(agent, outputs, **OPTIONS.complete(options, "arun_set")), awaits=True)
    with run:
        async with aclosing(run.aresults()) as results:
            async for result in results:
                noted = None if run.note is None else run.note(result)
                if inspect.isawaitable(noted):
                    await noted
    return run.summary


@dataclass(frozen=True, slots=True)
class _Given:
    """What a run was given, checked."""

    agent: Any
    outputs: Any
    judge: Any
    workers: int
    timeout: float | None
    repeat: int
    on_result: Callable[[ItemResult], object] | None
    on_line: Callable[[bytes], object] | None
    done: Iterable[ItemResult]
    summary: Summary | None
    allow_code: bool
    executor: Any

    def __post_init__(self) -> None:
        for option in ("workers", "repeat"):
            value = getattr(self, option)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"{option}={value!r}: must be a whole number from 1 up")
        if (self.agent is None) == (self.outputs is None):
            given = "neither was given" if self.agent is None else "both were given"
            raise ConfigError(f"agent or outputs: {given}; pass what is to be run, or what it answered")
        if self.executor is not None:
            check(self.executor)


class _Run:
    """What a sync and an async run share, and a clock that runs meanwhile."""

    def __init__(self, evaluation_set: EvaluationSet, given: _Given, *, awaits: bool) -> None:
        summary = given.summary
        self.note: Any = given.on_result if given.on_line is None else given.on_line
        self.summary = Summary.of(evaluation_set, given.repeat) if summary is None else summary
        self._set = evaluation_set
        self._repeat, self._done, self._executor = given.repeat, given.done, given.executor
        self._terms = RunTerms(
            set=evaluation_set,
            judge=given.judge,
            agent=given.agent,
            timeout=given.timeout,
            repeat=given.repeat,
            allow_code=given.allow_code,
            awaits=awaits,
            lines=given.on_line is not None,
        )
        self._runner = ItemRunner(self._terms)
        worst, keep = self.summary.report.worst, self.note is not None
        self._orders = Orders(awaits, given.workers, worst, keep=keep)
        self._recorded: Recorded | None = None
        if given.agent is None:
            outputs = given.outputs
            self._recorded = outputs if isinstance(outputs, Recorded) else read_recorded(outputs)
            self._recorded.check(given.repeat)
        self._started = 0.0

    def __enter__(self) -> None:
        self._started = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.summary.elapsed += perf_counter() - self._started
        if self._recorded is not None:
            self._recorded.close()

    def results(self) -> Generator[ItemResult | bytes, None, None]:
        """Count what was done before, run what is left, and yield each result, counted."""
        rows = self._left(self._known())
        if self._executor is not None:
            with self._distributed(rows) as distribution:
                yield from distribution.results()
            return
        flows, workers = self._runner.flows(rows, self.summary.report.paths), self._orders.concurrency
        with closing(drive_many(flows, run_errand, window=AHEAD * workers, limit=workers)) as results:
            for result in results:
                self.summary.add(result)
                yield self._runner.written(result)

    async def aresults(self) -> AsyncGenerator[ItemResult | bytes, None]:
        """As `results`, awaited."""
        rows = self._left(self._known())
        if self._executor is not None:
            with self._distributed(rows) as distribution:
                async with aclosing(distribution.aresults()) as results:
                    async for result in results:
                        yield result
            return
        flows, workers = self._runner.flows(rows, self.summary.report.paths), self._orders.concurrency
        driven = adrive_many(flows, run_errand, window=AHEAD * workers, limit=workers)
        async with aclosing(driven) as results:
            async for result in results:
                self.summary.add(result)
                yield self._runner.written(result)

    def _known(self) -> set[tuple[str, int]]:
        """Count what was done before; return which items it was."""
        items = {item.id for item in self._set.items}
        known: set[tuple[str, int]] = set()
        for result in self._done:
            key = (result.item, result.repeat)
            if key not in known and result.item in items and result.repeat < self._repeat:
                known.add(key)
                self.summary.add(result)
        return known

    def _left(self, known: set[tuple[str, int]]) -> Iterator[Row]:
        for item in self._set.items:
            for repeat in range(self._repeat):
                if (item.id, repeat) not in known:
                    recorded = self._recorded
                    yield item, repeat, None if recorded is None else recorded.answer(item.id, repeat)

    @contextmanager
    def _distributed(self, rows: Iterator[Row]) -> Iterator[Distribution[ChunkResults, ItemResult | bytes]]:
        """Give what is left to the executor."""
        from fieldwise.run.executors.distribution import Distribution, Work

        largest = _PATIENT * self._orders.concurrency if self._runner.waits else None
        with opened(self._executor) as pool:
            kit = self._runner if pool.shares else packed(self._terms)
            work = Work(
                rows, score_items, kit, self._orders, self._counted, self.summary, largest, what="item"
            )
            with closing(Distribution(work, pool)) as distribution:
                yield distribution

    def _counted(self, done: ChunkResults) -> Generator[ItemResult | bytes, None, None]:
        """Yield the results of a chunk, and count those that were taken."""
        taken = 0
        try:
            for result in done.results:
                taken += 1
                yield result
        finally:
            if taken == len(done.results):
                self.summary.merge(done.summary)
            else:
                for result in map(result_of, done.results[:taken]):
                    self.summary.add(result)
