"""Bad lines of a file of records: each is noted as it is met, up to so many, then how many more there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.report.words import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise.cli.common.streams import Streams
    from fieldwise.records import RecordFile
    from fieldwise.report.progress import Progress

SHOWN: Final = 100


def note_bad_lines(
    file: RecordFile, streams: Streams, progress: Progress, heard: Callable[[str], None] | None = None
) -> None:
    """Have the bad lines of a file noted from now on, and `heard` told of every one."""

    def note(message: str) -> None:
        if heard is not None:
            heard(message)
        if file.bad <= SHOWN:
            progress.clear()
            streams.note(message)

    file.on_bad = note


def note_hidden(file: RecordFile, streams: Streams) -> None:
    """Note how many bad lines were not noted."""
    if file.bad > SHOWN:
        streams.note(f"{file.name}: and {count(file.bad - SHOWN, 'more bad line')}")
