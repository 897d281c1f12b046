"""A file of records, or standard input: opening it, its lines, and what is wrong with it."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from dataclasses import dataclass
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, Final, get_args

from fieldwise.core.display import nearest
from fieldwise.errors import InputError
from fieldwise.records._formats import READERS, Format, sniffed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMATS: Final[tuple[str, ...]] = get_args(Format)
STDIN: Final = "-"
_STDIN_NAME: Final = "<stdin>"
_BY_EXTENSION: Final[dict[str, Format]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
}
_UTF8_MARK: Final = b"\xef\xbb\xbf"
_OTHER_MARKS: Final = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@dataclass(slots=True)
class RecordFile:
    """One file of records; iterate over it for `(where, record)`, once.

    Attributes:
        name: the file as messages name it.
        stream: its bytes.
        format: None: told from the first line.
        size: its length in bytes, where known.
        on_bad: called with `name:line: reason` for every line that is no record.
        read: how many bytes were read so far.
        total: how many records there are, where known before they are read.
        bad: how many lines were no records.
    """

    name: str
    stream: IO[bytes]
    format: Format | None = None
    size: int | None = None
    on_bad: Callable[[str], object] = str
    read: int = 0
    total: int | None = None
    bad: int = 0

    def __iter__(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each record with its place, `name:line`.

        Raises:
            InputError: The file is empty, is not what its format says, or holds no record at all.
        """
        lines = self._lines()
        first = next((line for line in lines if line[1].strip()), None)
        if first is None:
            raise InputError(
                f"{self.name}: is empty; a record is an object with outputs and reference_outputs"
            )
        self.format = self.format or sniffed(first[1])
        count = 0
        for where, record in READERS[self.format](self, chain([first], lines)):
            count += 1
            yield where, record
        if not count:
            what = f"{self.bad:,} bad lines and nothing else" if self.bad else "nothing to score in it"
            raise InputError(f"{self.name}: no usable record: {what}")

    def close(self) -> None:
        """Close the file, unless it is standard input."""
        if self.name != _STDIN_NAME:
            self.stream.close()

    def reject(self, place: str, reason: str) -> None:
        """Report what is no record at `place`."""
        self.bad += 1
        self.on_bad(f"{place}: {reason}")

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines of the file with their numbers; a byte order mark is dropped."""
        try:
            for number, line in enumerate(self.stream, start=1):
                self.read += len(line)
                yield number, self._unmarked(line) if number == 1 else line
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read: {error.strerror or error}") from None

    def _unmarked(self, line: bytes) -> bytes:
        if line[:2] in _OTHER_MARKS:
            raise InputError(f"{self.name}: is {_OTHER_MARKS[line[:2]]}, not UTF-8; save it as UTF-8")
        return line.removeprefix(_UTF8_MARK)


def open_records(path: str, stdin: IO[Any] | None = None, format: Format | None = None) -> RecordFile:  # noqa: A002
    """Open a file of records, or standard input for `-`.

    Raises:
        InputError: There is no such file, it cannot be read, or its suffix is of no known format.
    """
    if path == STDIN:
        source = sys.stdin if stdin is None else stdin
        if source is None:
            raise InputError("standard input is closed; name a file, or pipe records in")
        stream = getattr(source, "buffer", None)
        if stream is None:
            stream = io.BytesIO(source.read().encode("utf-8", "surrogatepass"))
        return RecordFile(_STDIN_NAME, stream, format)
    try:
        handle = open(path, "rb")  # noqa: SIM115, PTH123 - closed by RecordFile.close
    except OSError as error:
        raise InputError(_unopened(path, error)) from None
    found = os.fstat(handle.fileno())
    size = found.st_size if stat.S_ISREG(found.st_mode) else None
    suffix = os.path.splitext(path)[1].lower()  # noqa: PTH122
    if format is None and suffix and suffix not in _BY_EXTENSION:
        handle.close()
        known = ", ".join(_BY_EXTENSION)
        raise InputError(
            f"{path}: what a {suffix} file holds is not known; known: {known}; rename it, or pass --format"
        )
    return RecordFile(path, handle, format or _BY_EXTENSION.get(suffix), size)


def _unopened(path: str, error: OSError) -> str:
    if error.errno == errno.EISDIR:
        return f"{path}: is a directory; name a file of records in it"
    if error.errno != errno.ENOENT:
        return f"{path}: cannot be read: {error.strerror or error}"
    folder, name = os.path.split(path)
    try:
        close = nearest(name, os.listdir(folder or "."))  # noqa: PTH208
    except OSError:
        close = None
    return f"{path}: no such file" + (f"; did you mean {os.path.join(folder, close)}?" if close else "")  # noqa: PTH118
