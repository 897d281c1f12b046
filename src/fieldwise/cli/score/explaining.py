"""`fieldwise score --explain`: one record, and all that its results were made of."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from fieldwise.cli.common.codes import BELOW, PASSED
from fieldwise.cli.score.out import Out
from fieldwise.core.display import nearest
from fieldwise.errors import InputError
from fieldwise.records import columns, open_records
from fieldwise.report import explain, explained
from fieldwise.report.table import unmatched_in
from fieldwise.run import RecordResult, Report, examine, record_id

if TYPE_CHECKING:
    from fieldwise.cli.common.streams import Streams
    from fieldwise.cli.score.job import Job

_IDS: Final = 1_000
_SHOWN_IDS: Final = 5


def explain_record(job: Job, wanted: str, streams: Streams) -> int:
    """Score the one record of an id and print all that its results were made of.

    Raises:
        FieldwiseError: as for a file; when there is no such record, with the nearest id.
    """
    position, record = _find(job, wanted, streams)
    examined = examine({**record, "id": wanted}, job.evaluator)
    report = Report(keep_results=False)
    report.add(RecordResult(position, wanted, examined.results))
    with Out(job.out, job.records) as out:
        out.write(RecordResult(position, wanted, examined.results))
    for warning in unmatched_in(examined):
        streams.warn(warning)
    passed = report.passed(**job.bars)
    if job.as_json:
        streams.print_json({**explained(examined), "passed": passed})
    else:
        text = explain(examined, width=streams.width, colour=streams.colour)
        verdict = job.verdict(report)
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
