"""A run of `fieldwise judge-check`: a file of people's verdicts, a judge, and how far they agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.cli.common.bars import covered, every, least
from fieldwise.cli.common.codes import BELOW, INTERRUPTED, PASSED
from fieldwise.cli.common.records import Pace, note_bad_lines, note_hidden
from fieldwise.core.display import nearest
from fieldwise.core.select import compile_path
from fieldwise.errors import InputError, PathError
from fieldwise.records import Columns, columns, open_records
from fieldwise.report.progress import Progress
from fieldwise.report.words import count, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fieldwise.cli.common.streams import Streams
    from fieldwise.core.select import Selector
    from fieldwise.records import RecordFile
    from fieldwise.run._judge_check import JudgeCheck

LABELS: Final = "labels"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckJob:
    """What the command line asked for."""

    records: str
    rubric: Any
    judge: Any
    model: str | None
    label: str = LABELS
    repeat: int = 1
    order: bool = True
    named: Mapping[str, str | None] = field(default_factory=dict)
    min_accuracy: float | None = None
    min_kappa: float | None = None
    min_coverage: float | None = None
    as_json: bool = False
    disagreements: int = 5
    format_: Any = None
    concurrency: int = 16

    @property
    def bars(self) -> dict[str, float | None]:
        """The bars, by the names that `JudgeCheck.passed` has for them."""
        return {
            "min_accuracy": self.min_accuracy,
            "min_kappa": self.min_kappa,
            "min_coverage": least(self.min_coverage, barred=self.barred),
        }

    @property
    def barred(self) -> bool:
        """Whether there is a bar for the agreement."""
        return self.min_accuracy is not None or self.min_kappa is not None


def judge_check(job: CheckJob, streams: Streams) -> int:
    """Check a judge on a file, print what was found, and return the exit code.

    Raises:
        FieldwiseError: for what makes the file, the options or the output unusable.
    """
    from fieldwise.report.judge_check import warnings_of
    from fieldwise.run._judge_check import JudgeCheck

    file = open_records(job.records, streams.stdin, job.format_)
    named, check = columns(**job.named), JudgeCheck()
    stopped = False
    try:
        _ask(job, streams, file, named, check)
    except KeyboardInterrupt:
        stopped = True
    finally:
        file.close()
    if not stopped:
        _check_columns(file, named, job.label, check)
    note_hidden(file, streams)
    for warning in warnings_of(check):
        streams.warn(warning)
    passed = check.passed(**job.bars) and not stopped
    if job.as_json:
        ended = {"bad_lines": file.bad, **job.bars, "passed": passed, "interrupted": stopped}
        streams.print_json({**check.to_dict(), **ended})
    else:
        streams.print(_text(job, check, streams))
    if stopped:
        streams.note(f"interrupted: {count(check.records, 'record')} checked")
        return INTERRUPTED
    return PASSED if passed else BELOW


def _ask(job: CheckJob, streams: Streams, file: RecordFile, named: Columns, check: JudgeCheck) -> None:
    """Check the judge on every record, with a line on a terminal that says how far it is."""
    from fieldwise.run._judge_check import check_judge

    pace = Pace(file)
    progress = Progress(streams.stderr if streams.stderr.isatty() else None, pace.share)
    note_bad_lines(file, streams, progress)
    try:
        check_judge(
            _records(pace, named, job.label),
            job.judge,
            rubric=job.rubric,
            repeat=job.repeat,
            order=job.order,
            model=job.model,
            concurrency=job.concurrency,
            on_record=lambda _: progress.step(),
            check=check,
        )
    finally:
        progress.clear()


def _text(job: CheckJob, check: JudgeCheck, streams: Streams) -> str:
    from fieldwise.report.judge_check import render_check

    text = render_check(check, shown=job.disagreements, **streams.look)
    verdict = "".join(f"{line}\n" for line in _verdict(job, check))
    return text + (f"\n{verdict}" if verdict else "")


# ------------------------------------------------------------------------------------------ records


def _records(pace: Pace, named: Columns, label: str) -> Iterator[dict[str, Any]]:
    """The records of a file, with the labels and the rubric that belong to each."""
    try:
        selector: Selector | None = compile_path(label)
    except PathError:
        selector = None
    for where, row in pace.counted():
        record = named.record(where, row, gaps=pace.file.format == "csv")
        record.pop(LABELS, None)
        labels = _labels(row, label, selector)
        if labels is not None and labels != "":
            record["labels"] = labels
        if "rubric" in row:
            record["rubric"] = row["rubric"]
        yield record


def _labels(row: dict[str, Any], name: str, selector: Selector | None) -> Any:
    if name in row:
        return row[name]
    found = selector.find(row) if selector else []
    return found[0].value if len(found) == 1 else None


def _check_columns(file: RecordFile, named: Columns, label: str, check: JudgeCheck) -> None:
    """Raise InputError if no record has a column that was named, or any label."""
    missing = named.missing()
    if not check.labels:
        if label in named.names:
            reason = next(iter(check.skipped), "they are empty")
            raise InputError(f"{file.name}: no record has a verdict in {label!r}: {reason}")
        close = nearest(label, named.names)
        hint = f"did you mean {close!r}?" if close else "name it with --label"
        known = ", ".join(map(repr, named.names)) or "none"
        missing.append(f"no record has a verdict in {label!r} for labels; they have: {known}; {hint}")
    if missing:
        raise InputError(f"{file.name}: " + "; ".join(missing))


def _verdict(job: CheckJob, check: JudgeCheck) -> Iterator[str]:
    """Say whether the bars were reached, if there are any."""
    one = check.overall
    if not one.judged:
        yield "failed: nothing was judged"
        return
    yield from every(
        [("accuracy", one.accuracy, job.min_accuracy, mean), ("kappa", one.kappa, job.min_kappa, mean)]
    )
    yield from covered(one.coverage, job.min_coverage, barred=job.barred)
