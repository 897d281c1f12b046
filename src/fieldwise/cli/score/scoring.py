"""A run of `fieldwise score`.

Records stream: each is read, scored, written to `--out` and forgotten. Whatever ends a run early, what was
scored until then is in `--out`, line by line.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from fieldwise.cli.common.codes import BELOW, INTERRUPTED, PASSED
from fieldwise.cli.common.records import Pace, note_bad_lines, note_hidden
from fieldwise.cli.score.explaining import explain_record
from fieldwise.cli.score.out import Out
from fieldwise.core.display import nearest
from fieldwise.errors import InputError
from fieldwise.records import Columns, RecordFile, columns, open_records
from fieldwise.report import render
from fieldwise.report.field import field_headline, render_field
from fieldwise.report.progress import Progress
from fieldwise.report.table import headline, warnings_of
from fieldwise.report.words import count
from fieldwise.run import RecordResult, Report, evaluate_records
from fieldwise.run._field import FieldRecords, field_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.cli.common.streams import Streams
    from fieldwise.cli.score.job import Job


_SHOWN_NAMES: Final = 20


def score(job: Job, streams: Streams) -> int:
    """Score a file, print what was found, and return the exit code.

    Raises:
        FieldwiseError: for what makes the file, the options or the output unusable.
    """
    if job.explain is not None:
        return explain_record(job, job.explain, streams)
    report = Report(keep_results=False, worst=job.shown)
    file = open_records(job.records, streams.stdin, job.format_)
    try:
        run = _Scoring(job, streams, file, report)
        with Out(job.out, job.records) as out:
            stopped = run.go(out)
    finally:
        file.close()
    if stopped is None:
        run.check_columns()
        run.check_field()
    return run.conclude(stopped)


class _Scoring:
    """One run of the command."""

    def __init__(self, job: Job, streams: Streams, file: RecordFile, report: Report) -> None:
        self._job = job
        self._streams = streams
        self._file = file
        self._report = report
        self._field = None if job.field is None else FieldRecords(job.field, job.shown)
        single = job.out is not None or self._field is not None
        self._afar = job.executor is not None and not single  # single results stay where they are
        self._pace = Pace(file)
        self._columns: Columns = columns(**job.named)
        shown = streams.stderr if streams.stderr.isatty() and not job.quiet else None
        self._progress = Progress(shown, self._share)
        note_bad_lines(file, streams, self._progress, report.add_error)

    def go(self, out: Out) -> str | None:
        """Score every record; return in words what ended it early, None if nothing did."""

        def done(result: RecordResult) -> None:
            out.write(result)
            if self._field is not None:
                self._field.add(result)
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

    def check_field(self) -> None:
        """Raise InputError if no record has the field that was asked for."""
        if self._field is None or self._field.key:
            return
        name = self._field.name
        names = [field_name(key, f"{key.partition(':')[0]}:") for key in self._report.fields]
        close, more = nearest(name, names), ", …" * (len(names) > _SHOWN_NAMES)
        some = ", ".join(map(repr, names[:_SHOWN_NAMES])) or "none"
        hint = f"did you mean {close!r}?" if close else f"fields: {some}{more}"
        raise InputError(f"--field {name!r}: no record has this field; {hint}")

    def conclude(self, stopped: str | None) -> int:
        """Print the report and return the exit code."""
        job, report, streams = self._job, self._report, self._streams
        note_hidden(self._file, streams)
        for warning in warnings_of(report):
            streams.warn(warning)
        passed = report.passed(**job.bars)
        if job.as_json:
            ended = {"passed": passed and stopped is None, "interrupted": stopped is not None}
            found = report.to_dict() if self._field is None else self._field.to_dict()
            streams.print_json({**found, **job.bars, **ended})
        else:
            streams.print(self._text())
        if stopped is not None:
            streams.note(stopped)
            return INTERRUPTED
        return PASSED if passed else BELOW

    def _text(self) -> str:
        job, report, found = self._job, self._report, self._field
        if job.quiet:
            line = headline(report) if found is None else field_headline(found)
            return f"{line}\n{job.verdict(report)}"
        if found is None:
            text = render(report, worst=job.shown, warned=True, **self._streams.look)
        else:
            text = f"{headline(report)}\n\n{render_field(found)}"
        verdict = job.verdict(report)
        return text + (f"\n{verdict}" if verdict else "")

    def _records(self) -> Iterator[dict[str, Any]]:
        for where, row in islice(self._pace.counted(), self._job.limit):
            yield self._columns.record(where, row, gaps=self._file.format == "csv")
            if self._afar:
                self._progress.step()

    def _total(self) -> int | None:
        """How many records there are to score, where that is known."""
        total, limit = self._file.total, self._job.limit
        return total if limit is None else limit if total is None else min(total, limit)

    def _share(self, done: int) -> float | None:
        """How much of the run is done."""
        total, share = self._total(), self._pace.share(done)
        shares = [one for one in (done / total if total else None, share) if one is not None]
        return max(shares) if shares else None

    def _interrupted(self) -> str:
        done, total = self._report.count, self._total()
        if total is not None:
            return f"interrupted: {done:,} of {total:,} scored"
        share = self._share(done)
        part = "" if share is None else f", about {100 * share:.0f}% of {self._file.name}"
        return f"interrupted: {count(done, 'record')} scored{part}"
