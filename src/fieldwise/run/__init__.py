"""Runs: records and evaluators in, a `Report` out.

Records are pulled as they are needed and results come in the order of the records, so a run of any length
holds `4 * concurrency` records at once. All evaluators, ours and others, share one pool: the questions of
many records are asked at the same time, identical ones once. A record that cannot be evaluated is a
result with a status; a run never ends because of one.

| module | what it holds |
|---|---|
| `_records` | what counts as a record |
| `_members` | evaluators as flows over records |
| `_scoring` | all evaluators at work on a record |
| `_foreign` | evaluators that are not ours |
| `_memo` | identical questions are asked once |
| `_paths` | option paths that named nothing |
| `_tally`, `_extraction`, `_classes`, `_report` | the counts, and the report they make |
| `_field` | the records in which one field is not right |
| `_compare` | two runs over the same items |
| `_repeats` | items that were answered several times |
| `executors` | records scored by other processes and machines |
| `_examine` | one record, and all that its results were made of |
| `_examples` | `evaluate_example` and `evaluate_examples`, thin over the runs here |
"""

from __future__ import annotations

from contextlib import aclosing, closing, contextmanager
from dataclasses import replace
from inspect import isawaitable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

from fieldwise.core.display import shown
from fieldwise.core.flow import adrive_many, drive_many
from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError
from fieldwise.run._examine import Examined, examine
from fieldwise.run._extraction import Extraction
from fieldwise.run._members import members, named, run_errand
from fieldwise.run._records import record_id, rows_of
from fieldwise.run._report import MAX_FIELDS, OTHER_FIELDS, RecordResult, Report
from fieldwise.run._scoring import Scoring
from fieldwise.run._tally import Tally, WorstRecord
from fieldwise.run.executors.chunks import AHEAD, Orders, score_chunk
from fieldwise.run.executors.pools import check, opened
from fieldwise.run.executors.sending import packed
from fieldwise.scorers.options import flag

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from fieldwise.run._members import Member
    from fieldwise.run.executors.chunks import Scored
    from fieldwise.run.executors.distribution import Distribution

__all__ = [
    "Examined",
    "Extraction",
    "MAX_FIELDS",
    "OTHER_FIELDS",
    "RecordResult",
    "Report",
    "RunOptions",
    "Tally",
    "WorstRecord",
    "aevaluate_records",
    "evaluate_records",
    "examine",
    "record_id",
]


class RunOptions(TypedDict, total=False):
    """What all runs are told.

    Attributes:
        judge: answers for all of our evaluators instead of their own judges.
        concurrency: how many calls of judges and foreign evaluators are under way at once; with an executor,
            in each of its workers.
        executor: scores the records: any `concurrent.futures.Executor`, such as a ProcessPoolExecutor or what
            Dask's `Client.get_executor()` returns; `"processes"`, or `"processes:4"`, for so many of this
            machine's; or `"dask://host:port"`. Chunks of records go out, reports come back, and the numbers
            are the same. Evaluators go out as their options; foreign ones, judges and callables in options
            have to be picklable, and identical questions are asked once in each process.
        on_result: called with each `RecordResult`, in the order of the records.
        keep_results: whether the report keeps every result in `records`; without, its size is bounded.
        worst: how many of the worst records the report names.
        report: a report to add to, instead of a new one of `keep_results` and `worst`. It has every record
            that was finished also when the run is interrupted: KeyboardInterrupt propagates. With an
            executor, all records of a chunk are counted together.
    """

    judge: Any
    concurrency: int
    executor: Any
    on_result: Callable[[RecordResult], object] | None
    keep_results: bool
    worst: int
    report: Report | None


RUN: Final[Shared[RunOptions]] = Shared(
    RunOptions,
    {
        "judge": None,
        "concurrency": 16,
        "executor": None,
        "on_result": None,
        "keep_results": True,
        "worst": 10,
        "report": None,
    },
)


@RUN.named
def evaluate_records(records: Any, evaluators: Any, **options: Unpack[RunOptions]) -> Report:
    """Evaluate records and report.

    Args:
        records: an iterable of mappings with `outputs`, `reference_outputs` and, optionally, `inputs` and
            `id` (else its position, from 1, as text), of `Example`s, or a DataFrame with such columns.
        evaluators: an evaluator, a list of them, or a mapping from name to evaluator. Ours, string
            evaluators, or any callable that takes some of `inputs`, `outputs`, `reference_outputs` and gives
            a result or several; what such a callable fails at is `not_evaluated`, under its name.
        options: how it is run; see `RunOptions`.

    Returns:
        The report.

    Raises:
        ConfigError: for what is no evaluator or no iterable of records, an async evaluator or judge, two
            evaluators that give the same feedback key, and with an executor for what cannot be sent.
        ExecutorError: the executor lost its workers; the error carries the report.

    Example:
        >>> from fieldwise import create_json_match_evaluator
        >>> records = [{"outputs": {"total": 12}, "reference_outputs": {"total": 12.0}}]
        >>> evaluate_records(records, create_json_match_evaluator()).score
        1.0
    """
    run = _Run(evaluators, awaits=False, **RUN.complete(options, "evaluate_records"))
    with run:
        if run.executor is not None:
            with run.distributed(records) as work, closing(work.results()) as results:
                for result in results:
                    run.note(result)
            return run.report
        flows = run.scoring.flows(records)
        with closing(drive_many(flows, run_errand, window=run.window, limit=run.limit)) as results:
            for result in results:
                run.report.add(result)
                run.note(result)
    return run.report


@RUN.named
async def aevaluate_records(records: Any, evaluators: Any, **options: Unpack[RunOptions]) -> Report:
    """As `evaluate_records`, awaiting async evaluators and judges; sync ones run in threads.

    `on_result` may return an awaitable.
    """
    run = _Run(evaluators, awaits=True, **RUN.complete(options, "aevaluate_records"))

    async def note(result: RecordResult) -> None:
        noted = run.note(result)
        if isawaitable(noted):
            await noted

    with run:
        if run.executor is not None:
            with run.distributed(records) as work:
                async with aclosing(work.aresults()) as results:
                    async for result in results:
                        await note(result)
            return run.report
        driven = adrive_many(run.scoring.flows(records), run_errand, window=run.window, limit=run.limit)
        async with aclosing(driven) as results:
            async for result in results:
                run.report.add(result)
                await note(result)
    return run.report


def _nothing(_: RecordResult) -> None:
    """What is done with a result that nobody asked for."""


def _new(keep_results: Any, worst: Any) -> Report:
    if isinstance(worst, bool) or not isinstance(worst, int) or worst < 0:
        raise ConfigError(f"worst={shown(worst)}: must be a whole number from 0 up")
    return Report(keep_results=flag("keep_results", keep_results), worst=worst)


class _Run:
    """What a sync and an async run share: evaluators at work, a report, and a clock that runs meanwhile."""

    def __init__(
        self,
        evaluators: Any,
        *,
        awaits: bool,
        judge: Any,
        concurrency: Any,
        executor: Any,
        on_result: Callable[[RecordResult], object] | None,
        keep_results: Any,
        worst: Any,
        report: Report | None,
    ) -> None:
        if report is not None and not isinstance(report, Report):
            raise ConfigError(f"report={shown(report)}: must be a Report to add to, or None")
        self.report = _new(keep_results, worst) if report is None else report
        if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
            raise ConfigError(f"concurrency={shown(concurrency)}: must be a whole number from 1 up")
        if executor is not None:
            check(executor)
        if on_result is not None and not callable(on_result):
            raise ConfigError(f"on_result={shown(on_result)}: must be a function of a RecordResult, or None")
        self.limit = concurrency
        self.window = AHEAD * concurrency
        self.executor = executor
        self.note = _nothing if on_result is None else on_result
        self._wanted = on_result is not None
        self._evaluators = dict(named(evaluators))
        self._judge = judge
        self._members = members(self._evaluators, judge, awaits=awaits)
        self._orders = Orders(awaits, concurrency, self.report.worst, keep=self.report.keep_results)
        self.scoring = Scoring(self._members, self.report)
        self._started = 0.0

    def __enter__(self) -> None:
        self._started = perf_counter()

    def __exit__(self, *_: object) -> None:
        self.report.elapsed += perf_counter() - self._started

    @contextmanager
    def distributed(self, records: Any) -> Iterator[Distribution[Scored, RecordResult]]:
        """Give the run to its executor; the results of single records come back if somebody wants them."""
        from fieldwise.run.executors.distribution import Distribution, Work

        orders = replace(self._orders, keep=self._wanted or self._orders.keep)
        with opened(self.executor) as pool:
            kit: bytes | list[Member] = self._members
            if not pool.shares:
                kit = packed(self._evaluators, self._judge, awaits=orders.awaits)
            work = Work(rows_of(records), score_chunk, kit, orders, self._counted, self.report)
            with closing(Distribution(work, pool)) as distribution:
                yield distribution

    def _counted(self, scored: Scored) -> Generator[RecordResult, None, None]:
        """Count a chunk; whoever takes its results may stop, they are counted."""
        self.scoring.tell_apart(scored.owners)
        scored.report.elapsed, before = 0.0, self.report.count
        self.report.merge(scored.report)
        for one in scored.report.records:
            yield one.moved(before)
