"""`fieldwise score`: one file, one evaluator, one report.

Records stream: each is read, scored, written to `--out` and forgotten. Whatever ends a run early, what was
scored until then is in `--out`, line by line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from fieldwise.cli._streams import OutputError, Streams
from fieldwise.core.select import nearest
from fieldwise.errors import InputError
from fieldwise.records import Columns, RecordFile, columns, open_records
from fieldwise.report import explain, explained, render
from fieldwise.report.progress import Progress
from fieldwise.report.table import headline
from fieldwise.report.words import count, mean, percent
from fieldwise.run import RecordResult, Report, evaluate_records, examine, record_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

PASSED: Final = 0
BELOW: Final = 1
UNUSABLE: Final = 2
INTERRUPTED: Final = 130
SHOWN_ERRORS: Final = 100
_IDS: Final = 1_000
_SHOWN_IDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the command line asked for."""

    records: str
    evaluator: Any
    named: Mapping[str, str | None] = field(default_factory=dict)
    out: str | None = None
    fail_under: float | None = None
    min_coverage: float | None = None
    as_json: bool = False
    worst: int = 5
    limit: int | None = None
    format_: Any = None
    concurrency: int = 16
    executor: str | None = None
    quiet: bool = False
    explain: str | None = None


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
        with _Out(job.out, job.records) as out:
            stopped = run.go(out)
    finally:
        file.close()
    if stopped is None:
        run.check_columns()
    return run.conclude(stopped)


def explain_record(job: Job, wanted: str, streams: Streams) -> int:
    """Score the one record of an id and print all that its results were made of.

    Raises:
        FieldwiseError: as for a file; when there is no such record, with the nearest id.
    """
    position, record = _find(job, wanted, streams)
    examined = examine({**record, "id": wanted}, job.evaluator)
    report = Report(keep_results=False)
    report.add(RecordResult(position, wanted, examined.results))
    with _Out(job.out, job.records) as out:
        out.write(RecordResult(position, wanted, examined.results))
    passed = report.passed(job.fail_under, job.min_coverage)
    if job.as_json:
        found = {**explained(examined), "passed": passed}
        streams.print(json.dumps(found, indent=2, allow_nan=False) + "\n")
    else:
        text = explain(examined, width=streams.width, colour=streams.colour)
        verdict = "".join(f"{line}\n" for line in _verdict(job, report))
        streams.print(text + (f"\n{verdict}" if verdict else ""))
    return PASSED if passed else BELOW


def _find(job: Job, wanted: str, streams: Streams) -> tuple[int, dict[str, Any]]:
    """The first record with an id, and its position; ids are what a report calls the records."""
    named = columns(**job.named)
    file = open_records(job.records, streams.stdin, job.format_)
    close: str | None = None
    ids: list[str] = []
    try:
        for position, (where, row) in enumerate(islice(file, job.limit), start=1):
            record = named.record(where, row, gaps=file.format == "csv")
            name = record_id(record, position)
            if name == wanted:
                return position, record
            ids.append(name)
            if len(ids) >= _IDS:
                close = nearest(wanted, ids)
                ids = [] if close is None else [close]
    finally:
        file.close()
    close = nearest(wanted, ids)
    hint = (
        f"; did you mean {close!r}?"
        if close
        else f"; ids: {', '.join(map(repr, ids[:_SHOWN_IDS])) or 'none'}"
    )
    raise InputError(f"--explain {wanted!r}: {file.name} has no record of this id{hint}")


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
        file.on_bad = self._bad

    def go(self, out: _Out) -> str | None:
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
        hidden = report.error_count - SHOWN_ERRORS
        if hidden > 0:
            streams.note(f"{self._file.name}: and {count(hidden, 'more bad line')}")
        passed = report.passed(job.fail_under, job.min_coverage)
        if job.as_json:
            bars = {"fail_under": job.fail_under, "min_coverage": job.min_coverage}
            ended = {"passed": passed and stopped is None, "interrupted": stopped is not None}
            streams.print(json.dumps({**report.to_dict(), **bars, **ended}, indent=2, allow_nan=False) + "\n")
        else:
            streams.print(self._text())
        if stopped is not None:
            streams.note(stopped)
            return INTERRUPTED
        return PASSED if passed else BELOW

    def _text(self) -> str:
        job, report, streams = self._job, self._report, self._streams
        verdict = "".join(f"{line}\n" for line in _verdict(job, report))
        if job.quiet:
            return f"{headline(report)}\n{verdict}"
        look = {"width": streams.width, "terminal": streams.terminal, "colour": streams.colour}
        text = render(report, worst=job.worst, **look)  # type: ignore[arg-type]
        return text + (f"\n{verdict}" if verdict else "")

    def _records(self) -> Iterator[dict[str, Any]]:
        for where, row in islice(self._file, self._job.limit):
            yield self._columns.record(where, row, gaps=self._file.format == "csv")
            if self._afar:
                self._progress.step()

    def _bad(self, message: str) -> None:
        self._report.add_error(message)
        if self._report.error_count <= SHOWN_ERRORS:
            self._progress.clear()
            self._streams.note(message)

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


def _verdict(job: Job, report: Report) -> Iterator[str]:
    """Say whether the bars were reached, if there are any."""
    overall = report.overall
    if overall.mean is None:
        yield "failed: nothing was graded"
        return
    bars = (
        (job.fail_under, overall.mean, "score", mean),
        (job.min_coverage, report.coverage, "coverage", percent),
    )
    for bar, reached, name, shown in bars:
        if bar is not None:
            word = "failed" if reached < bar else "passed"
            relation = "is below" if reached < bar else "reaches"
            said = (shown(reached), shown(bar))
            if reached < bar and said[0] == said[1]:
                said = (repr(reached), repr(bar))
            yield f"{word}: {name} {said[0]} {relation} {said[1]}"


class _Out:
    """The file of `--out`: one line a record, there as soon as it is scored; no file without the option."""

    def __init__(self, path: str | None, source: str) -> None:
        self._path = path
        self._handle: IO[bytes] | None = None
        if path is not None and _same_file(path, source):
            raise InputError(f"--out {path}: is the file the records come from; name another one")

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._handle = open(self._path, "wb")  # noqa: PTH123 - closed by __exit__
            except OSError as error:
                raise OutputError.of(f"--out {self._path}", error) from None
        return self

    def write(self, result: RecordResult) -> None:
        """Write one record's results, to where an interruption cannot take them away."""
        if self._handle is None:
            return
        line = json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False)
        try:
            self._handle.write(_utf8(line) + b"\n")
            self._handle.flush()
        except OSError as error:
            raise OutputError.of(f"--out {self._path}", error) from None

    def __exit__(self, kind: object, *_: object) -> None:
        if self._handle is None:
            return
        try:
            self._handle.close()
        except OSError as error:
            if kind is None:
                raise OutputError.of(f"--out {self._path}", error) from None


def _same_file(path: str, source: str) -> bool:
    try:
        return Path(path).samefile(source)
    except OSError:
        return False


def _utf8(line: str) -> bytes:
    """A line of JSON as UTF-8; a lone surrogate, which has none, keeps it ASCII."""
    try:
        return line.encode()
    except UnicodeEncodeError:
        return json.dumps(json.loads(line)).encode("ascii")
