"""Files of results: JSON Lines, a header and a line for each item, there as soon as it is known.

Rules of this module:
1. A line is written whole and at once, or taken back: whatever ends a run, be it a kill or a full disk, every
   line before the end is a result, and the file can be gone on with.
2. The last line of a file may be torn. Reading leaves it out, going on cuts it off.
3. A file is gone on with by the run that began it: same set, same evaluators, same agent. Anything else is
   refused, naming both. Two runs never write to one file at once.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from fieldwise.core.display import unwritten
from fieldwise.errors import FieldwiseError, InputError
from fieldwise.evalsets.results.as_json import json_line
from fieldwise.evalsets.results.header import MARK, Header
from fieldwise.evalsets.results.lines import BadLine, parsed, read_header, read_item

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from fieldwise.evalsets.model import ItemResult


_HEAD: Final = b'{"%s": "' % MARK.encode()
"""How a header begins, by which one that was torn is told from a file of something else."""


class NotWritten(FieldwiseError):
    """Results cannot be written; the message names the file, the system's reason, and what to do."""


class InUse(NotWritten):
    """A file of results is not begun anew, because there is something in it."""


# -------------------------------------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Results:
    """A file of results; iterate over it, as often as wanted, for one `ItemResult` after the other.

    Attributes:
        header: what it says of its run.
        path: the file.
    """

    header: Header
    path: str

    def __iter__(self) -> Iterator[ItemResult]:
        """Yield every result once.

        Raises:
            InputError: a line that is not the last one is no result, or a whole one is not right.
        """
        for _, result in _read_lines(self.path):
            yield result


def open_file(path: str) -> Results:
    """Open a file of results.

    Raises:
        InputError: it cannot be read, or is none.
    """
    return Results(_read_header(path), path)


def _read_header(path: str) -> Header:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the path is shown as given
            first = file.readline()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        found = parsed(first)
        if not isinstance(found, dict) or MARK not in found or "item" in found:
            raise InputError(f"{path}: is no file of results: it does not begin with the line of a run")
        return read_header(found)
    except BadLine as error:
        raise InputError(f"{path}:1: the line of the run: {error}; mend it, or begin the file anew") from None


def _read_lines(path: str) -> Iterator[tuple[int, ItemResult]]:
    """Yield each result once, with the offset after its line; a last line that is torn is left out."""
    seen: set[tuple[str, int]] = set()
    offset = number = 0
    torn: int | None = None
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            for number, line in enumerate(file, start=1):
                if torn is not None:
                    raise InputError(f"{path}:{torn}: is no result, and not the last line; remove it")
                offset += len(line)
                if number == 1 or not line.strip():
                    continue
                result = _read_line(line, path, number)
                if result is None:
                    torn = number
                elif (key := (result.item, result.repeat)) not in seen:
                    seen.add(key)
                    yield offset, result
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _read_line(line: bytes, path: str, number: int) -> ItemResult | None:
    """The result of a line; None: it was torn, or is no JSON."""
    try:
        found = parsed(line)
        return None if found is None else read_item(found)
    except BadLine as error:
        raise InputError(f"{path}:{number}: {error}; mend the line, or remove it") from None


# -------------------------------------------------------------------------------------------- writing


class Writer:
    """A file of results that is being written; `start` or `resume` makes one. A context manager."""

    def __init__(self, path: str, file: IO[bytes], end: int, header: Header) -> None:
        self.path = path
        self._file = file
        self._end = end
        self.header = header
        self.written = 0

    @classmethod
    def start(cls, path: str, header: Header, *, overwrite: bool = False) -> Writer:
        """Begin a new file.

        Raises:
            NotWritten: it cannot be written, or holds results and is not to be overwritten.
        """
        file = opened(path)
        if not overwrite and os.fstat(file.fileno()).st_size:
            file.close()
            raise InUse(f"{path}: has something in it already; resume it, or overwrite it")
        return cls._begun(path, file, header)

    @classmethod
    def _begun(cls, path: str, file: IO[bytes], header: Header) -> Writer:
        writer = cls(path, file, 0, header)
        writer._cut()
        try:
            writer._append(json_line(header.to_dict()))
        except BaseException:
            file.close()
            raise
        return writer

    @classmethod
    def resume(cls, path: str, header: Header) -> tuple[Writer, Iterator[ItemResult]]:
        """Go on with a file, or begin it; what it holds comes as an iterator, to be read to its end first.

        Raises:
            NotWritten: it cannot be written.
            InputError: it holds the results of something else, or a line that is none.
        """
        file = opened(path)
        try:
            first = file.readline()
            if _HEAD.startswith(first) or (first.startswith(_HEAD) and _torn(first)):
                return cls._begun(path, file, header), iter(())
            old = same_run(path, header)
            writer = cls(path, file, len(first), old)
            if not first.endswith(b"\n"):
                writer._append(b"\n")
            return writer, writer._held()
        except BaseException:
            file.close()
            raise

    def _held(self) -> Iterator[ItemResult]:
        for end, result in _read_lines(self.path):
            self._end = end
            yield result
        self._cut()
        if self._end and _last_byte(self._file, self._end) != b"\n":
            self._append(b"\n")

    def write(self, result: ItemResult | bytes) -> None:
        """Write one result, which may be a line already.

        Raises:
            NotWritten: it cannot be written; the file is as before.
        """
        self._append(result if isinstance(result, bytes) else json_line(result.to_dict()))
        self.written += 1

    def _append(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._cut()
            raise NotWritten(f"{self.path}: cannot be written: {error.strerror or error}") from None
        self._end += len(data)

    def _cut(self) -> None:
        """Take back what stands after the last whole line."""
        with suppress(OSError):  # of a device, which has no end
            self._file.truncate(self._end)
            self._file.seek(self._end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            self._file.close()


def _torn(first: bytes) -> bool:
    try:
        return parsed(first) is None
    except BadLine:
        return False


def same_run(path: str, header: Header) -> Header:
    """The header of a file, which is of this run."""
    old = _read_header(path)
    difference = header.differs(old)
    if difference is not None:
        raise InputError(f"{path}: holds results {difference}; name another file, or begin this one anew")
    return old


def _last_byte(file: IO[bytes], end: int) -> bytes:
    file.seek(end - 1)
    found = file.read(1)
    file.seek(end)
    return found


def opened(path: str) -> IO[bytes]:
    """Open a file for reading and writing, as it is, and keep others from writing to it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        file = os.fdopen(handle, "r+b", buffering=0)
    except OSError as error:
        raise NotWritten(f"{path}: cannot be written: {unwritten(error)}") from None
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # there is no such lock on Windows
        pass
    except OSError:
        file.close()
        raise NotWritten(f"{path}: another run is writing to it; wait for it, or name another file") from None
    return file
