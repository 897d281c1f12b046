"""Runs: records and evaluators in, a `Report` out.

Records are pulled as they are needed and results come in the order of the records, so a run of any length
holds `4 * concurrency` records at once. All evaluators, ours and others, share one pool: the questions of
many records are asked at the same time, identical ones once. A record that cannot be evaluated is a
result with a status; a run never ends because of one.

| module | what it holds |
|---|---|
| `_records` | what counts as a record |
| `_members` | evaluators as flows over records |
| `_foreign` | evaluators that are not ours |
| `_memo` | identical questions are asked once |
| `_paths` | option paths that named nothing |
| `_tally`, `_extraction`, `_report` | the counts, and the report they make |
| `_examine` | one record, and all that its results were made of |
| `_examples` | `evaluate_example` and `evaluate_examples`, thin over the runs here |
"""

from __future__ import annotations

import inspect
from contextlib import aclosing, closing
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.flow import adrive_many, drive_many, together
from fieldwise.errors import ConfigError
from fieldwise.run._examine import Examined, examine
from fieldwise.run._extraction import Extraction
from fieldwise.run._members import Ours, members, run_errand, shared_key
from fieldwise.run._paths import Watch
from fieldwise.run._records import read_records, record_id
from fieldwise.run._report import MAX_FIELDS, OTHER_FIELDS, RecordResult, Report
from fieldwise.run._tally import Tally, WorstRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fieldwise._types import EvaluatorResult
    from fieldwise.core.flow import Flow
    from fieldwise.run._records import Record

__all__ = [
    "Examined",
    "Extraction",
    "MAX_FIELDS",
    "OTHER_FIELDS",
    "RecordResult",
    "Report",
    "Tally",
    "WorstRecord",
    "aevaluate_records",
    "evaluate_records",
    "examine",
    "record_id",
]

_AHEAD: Final = 4
"""How many records are open for each call of a judge, so that a slow one does not idle the others."""


def evaluate_records(
    records: Any,
    evaluators: Any,
    *,
    judge: Any = None,
    concurrency: int = 16,
    on_result: Callable[[RecordResult], object] | None = None,
    keep_results: bool = True,
    worst: int = 10,
    report: Report | None = None,
) -> Report:
    """Evaluate records and report.

    Args:
        records: an iterable of mappings with `outputs`, `reference_outputs` and, optionally, `inputs` and
            `id` (else its position, from 1, as text), of `Example`s, or a DataFrame with such columns.
        evaluators: an evaluator, a list of them, or a mapping from name to evaluator. Ours, string
            evaluators, or any callable that takes some of `inputs`, `outputs`, `reference_outputs` and gives
            a result or several; what such a callable fails at is `not_evaluated`, under its name.
        judge: answers for all of our evaluators instead of their own judges.
        concurrency: how many calls of judges and foreign evaluators are under way at once.
        on_result: called with each `RecordResult`, in the order of the records.
        keep_results: whether the report keeps every result in `records`; without, its size is bounded.
        worst: how many of the worst records the report names.
        report: a report to add to, instead of a new one of `keep_results` and `worst`. It has every record
            that was finished also when the run is interrupted: KeyboardInterrupt propagates.

    Returns:
        The report.

    Raises:
        ConfigError: for what is no evaluator or no iterable of records, an async evaluator or judge, and two
            evaluators that give the same feedback key.

    Example:
        >>> from fieldwise import create_json_match_evaluator
        >>> records = [{"outputs": {"total": 12}, "reference_outputs": {"total": 12.0}}]
        >>> evaluate_records(records, create_json_match_evaluator()).score
        1.0
    """
    run = _Run(evaluators, judge, concurrency, report, _new(keep_results, worst), awaits=False)
    flows = run.flows(records)
    started = perf_counter()
    try:
        with closing(drive_many(flows, run_errand, window=run.window, limit=concurrency)) as results:
            for result in results:
                run.report.add(result)
                if on_result is not None:
                    on_result(result)
    finally:
        run.report.elapsed += perf_counter() - started
    return run.report


async def aevaluate_records(
    records: Any,
    evaluators: Any,
    *,
    judge: Any = None,
    concurrency: int = 16,
    on_result: Callable[[RecordResult], object] | None = None,
    keep_results: bool = True,
    worst: int = 10,
    report: Report | None = None,
) -> Report:
    """As `evaluate_records`, awaiting async evaluators and judges; sync ones run in threads.

    `on_result` may return an awaitable.
    """
    run = _Run(evaluators, judge, concurrency, report, _new(keep_results, worst), awaits=True)
    flows = run.flows(records)
    started = perf_counter()
    try:
        driven = adrive_many(flows, run_errand, window=run.window, limit=concurrency)
        async with aclosing(driven) as results:
            async for result in results:
                run.report.add(result)
                noted = None if on_result is None else on_result(result)
                if inspect.isawaitable(noted):
                    await noted
    finally:
        run.report.elapsed += perf_counter() - started
    return run.report


def _new(keep_results: Any, worst: Any) -> Report:
    if isinstance(worst, bool) or not isinstance(worst, int) or worst < 0:
        raise ConfigError(f"worst={worst!r}: must be a whole number from 0 up")
    return Report(keep_results=bool(keep_results), worst=worst)


class _Run:
    """What a sync and an async run share: flows for the records, and the report."""

    def __init__(
        self,
        evaluators: Any,
        judge: Any,
        concurrency: Any,
        report: Report | None,
        new: Report,
        *,
        awaits: bool,
    ) -> None:
        if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
            raise ConfigError(f"concurrency={concurrency!r}: must be a whole number from 1 up")
        self.report = new if report is None else report
        self.window = _AHEAD * concurrency
        self._members = members(evaluators, judge, awaits=awaits)
        self._owners: dict[str, str] = {}
        plans = [(one.name, one.plan) for one in self._members if isinstance(one, Ours)]
        self._watch = Watch(plans, self.report.paths)
        self._offset = self.report.count

    def flows(self, records: Any) -> Iterator[Flow[RecordResult]]:
        """Return one flow for each record, made when it is asked for; `records` is checked at once."""
        return map(self._flow, read_records(records))

    def _flow(self, record: Record) -> Flow[RecordResult]:
        members = self._members
        if record.problem is None:
            self._watch.look(record)
        if len(members) == 1:
            found = [(yield from members[0].flow(record))]
        else:
            found = yield from together([one.flow(record) for one in members])
        self._tell_apart(found)
        usage: dict[str, float] = {}
        for results in found:
            for name, amount in _usage(results).items():
                usage[name] = usage.get(name, 0) + amount
        whole = [result for results in found for result in results]
        return RecordResult(self._offset + record.position, record.id, whole, usage)

    def _tell_apart(self, found: list[list[EvaluatorResult]]) -> None:
        """See to it that no two evaluators give the same key."""
        if len(found) == 1:
            return
        for member, results in zip(self._members, found, strict=True):
            for result in results:
                key = result["key"]
                owner = self._owners.get(key)
                if owner is None and len(self._owners) < 2 * MAX_FIELDS:
                    self._owners[key] = member.name
                elif owner is not None and owner != member.name:
                    raise shared_key(owner, member.name, key)


def _usage(results: list[EvaluatorResult]) -> dict[str, float]:
    """What one evaluator used for one record: each of its results says the same."""
    used = results[0]["extra"].get("usage") if results else None
    if not isinstance(used, dict):
        return {}
    return {name: amount for name, amount in used.items() if type(amount) in (int, float)}
