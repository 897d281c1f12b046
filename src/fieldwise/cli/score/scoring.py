"""A run of `fieldwise score`.

Records stream: each is read, scored, written to `--out` and forgotten. Whatever ends a run early, what was
scored until then is in `--out`, line by line.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from fieldwise.cli.common.codes import BELOW, INTERRUPTED, PASSED
from fieldwise.cli.common.records import note_bad_lines, note_hidden
from fieldwise.cli.score.explaining import explain_record
from fieldwise.cli.score.out import Out
from fieldwise.errors import InputError
from fieldwise.records import Columns, RecordFile, columns, open_records
from fieldwise.report import render
from fieldwise.report.progress import Progress
from fieldwise.report.table import headline, warnings_of
from fieldwise.report.words import count
from fieldwise.run import RecordResult, Report, evaluate_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.cli.common.streams import Streams
    from fieldwise.cli.score.job import Job


def score(job: Job, streams: Streams) -> int:
    """Score a file, print what was found, and return the exit code.

    Raises:
        FieldwiseError: for what makes the file, the options or the output unusable.
    """
    if job.explain is not None:
        return explain_record(job, job.explain, streams)
    report = Report(keep_results=False, worst=job.worst)
    file = open_records(job.records, streams.stdin, job.format_)
    try:
        run = _Scoring(job, streams, file, report)
        with Out(job.out, job.records) as out:
            stopped = run.go(out)
    finally:
        file.close()
    if stopped is None:
        run.check_columns()
    return run.conclude(stopped)


class _Scoring:
    """One run of the command."""

    def __init__(self, job: Job, streams: Streams, file: RecordFile, report: Report) -> None:
        self._job = job
        self._streams = streams
        self._file = file
        self._report = report
        self._afar = job.executor is not None and job.out is None  # single results stay where they are
        self._columns: Columns = columns(**job.named)
        shown = streams.stderr if streams.stderr.isatty() and not job.quiet else None
        self._progress = Progress(shown, self._share)
        note_bad_lines(file, streams, self._progress, report.add_error)

    def go(self, out: Out) -> str | None:
        """Score every record; return in words what ended it early, None if nothing did."""

        def done(result: RecordResult) -> None:
            out.write(result)
            self._progress.step()

        try:
            evaluate_records(
                self._records(),
                self._job.evaluator,
                concurrency=self._job.concurrency,
                executor=self._job.executor,
                on_result=None if self._afar else done,
                report=self._report,
            )
        except KeyboardInterrupt:
            return self._interrupted()
        finally:
            self._progress.clear()
        return None

    def check_columns(self) -> None:
        """Raise InputError if the records have no column of a name that was given or is needed."""
        missing = self._columns.missing()
        if not missing and not self._report.overall.graded:
            parts = ("outputs", "reference_outputs")
            missing = [text for part in parts if (text := self._columns.lacks(part)) is not None]
        if missing:
            raise InputError(f"{self._file.name}: " + "; ".join(missing))
        for text in self._columns.gaps_found():
            self._streams.note(f"{self._file.name}: {text}")

    def conclude(self, stopped: str | None) -> int:
        """Print the report and return the exit code."""
        job, report, streams = self._job, self._report, self._streams
        note_hidden(self._file, streams)
        for warning in warnings_of(report):
            streams.warn(warning)
        passed = report.passed(**job.bars)
        if job.as_json:
            ended = {"passed": passed and stopped is None, "interrupted": stopped is not None}
            streams.print_json({**report.to_dict(), **job.bars, **ended})
        else:
            streams.print(self._text())
        if stopped is not None:
            streams.note(stopped)
            return INTERRUPTED
        return PASSED if passed else BELOW

    def _text(self) -> str:
        job, report, streams = self._job, self._report, self._streams
        verdict = job.verdict(report)
        if job.quiet:
            return f"{headline(report)}\n{verdict}"
        text = render(report, worst=job.worst, warned=True, **streams.look)
        return text + (f"\n{verdict}" if verdict else "")

    def _records(self) -> Iterator[dict[str, Any]]:
        for where, row in islice(self._file, self._job.limit):
            yield self._columns.record(where, row, gaps=self._file.format == "csv")
            if self._afar:
                self._progress.step()

    def _total(self) -> int | None:
        """How many records there are to score, where that is known."""
        total, limit = self._file.total, self._job.limit
        return total if limit is None else limit if total is None else min(total, limit)

    def _share(self, done: int) -> float | None:
        """How much of the run is done."""
        total, size = self._total(), self._file.size
        read = self._file.read / size if size and self._file.total is None else None
        shares = [share for share in (done / total if total else None, read) if share is not None]
        return max(shares) if shares else None

    def _interrupted(self) -> str:
        done, total = self._report.count, self._total()
        if total is not None:
            return f"interrupted: {done:,} of {total:,} scored"
        share = self._share(done)
        part = "" if share is None else f", about {100 * share:.0f}% of {self._file.name}"
        return f"interrupted: {count(done, 'record')} scored{part}"
