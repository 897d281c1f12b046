"""A file of records while it is read: its bad lines, and how far a run has come.

Bad lines are noted as they are met, up to so many, then how many more there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.report.words import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fieldwise.cli.common.streams import Streams
    from fieldwise.records import RecordFile
    from fieldwise.report.progress import Progress

SHOWN: Final = 100


@dataclass(slots=True)
class Pace:
    """How much of a file is done, of which more may have been read: as if its records were alike.

    Attributes:
        file: where they come from.
        begun: how many were read.
    """

    file: RecordFile
    begun: int = 0

    def counted(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return the rows of the file, counted as they are taken."""
        for row in self.file:
            self.begun += 1
            yield row

    def share(self, done: int) -> float | None:
        """Return which part of the file so many records are; None where its size is not known."""
        file = self.file
        if not file.size or file.total is not None:
            return None
        return file.read / file.size * done / max(self.begun, 1)


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
