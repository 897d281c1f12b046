"""The formats of record files: one reader each, in one table.

A reader takes the file, for its name and to report bad lines, and its lines with their numbers, the first
of which is not blank. It yields each record with its place.
"""

from __future__ import annotations

import csv
import json
import sys
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from fieldwise.core.display import kind_of
from fieldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Format: TypeAlias = Literal["jsonl", "json", "csv"]
LISTS: Final = ("records", "examples")
_OPENS: Final = frozenset({b"{", b"["})


_CALLED: Final[dict[Format, str]] = {"jsonl": "JSON Lines", "json": "JSON", "csv": "CSV"}


class Source(Protocol):
    """What a reader knows of its file."""

    name: str
    total: int | None

    def reject(self, place: str, reason: str) -> None: ...


Record: TypeAlias = "tuple[str, dict[str, Any]]"
Reader: TypeAlias = "Callable[[Source, Iterator[tuple[int, bytes]]], Iterator[Record]]"


class _Bad(ValueError):
    """A line that is no record; its text says why."""


def sniffed(line: bytes) -> Format:
    """Tell the format from the first line that is not blank."""
    start = line.strip()
    if start[:1] == b"[":
        return "json"
    if start[:1] != b"{":
        return "csv"
    try:
        value = json.loads(start)
    except (ValueError, RecursionError):
        return "json" if start[-1:] in b"{[,:" else "jsonl"
    listed = any(isinstance(value.get(name), list) for name in LISTS)
    return "json" if listed and "outputs" not in value else "jsonl"


def _jsonl(file: Source, lines: Iterator[tuple[int, bytes]]) -> Iterator[Record]:
    lines = (one for one in lines if one[1].strip())
    first = next(lines)
    begun = [first]
    if not _is_object(first[1]):
        begun += islice(lines, 1)
        _refuse_other(file.name, *(line.strip() for _, line in begun))
    for number, line in chain(begun, lines):
        try:
            record = _object(line)
        except _Bad as bad:
            file.reject(f"{file.name}:{number}", str(bad))
        else:
            yield f"{file.name}:{number}", record


def _is_object(line: bytes) -> bool:
    try:
        _object(line)
    except _Bad:
        return False
    return True


def _refuse_other(name: str, first: bytes, second: bytes = b"") -> None:
    """Refuse a file that begins as no JSON Lines would, when its first line is no record.

    A line that is broken off, or is no JSON at all, is one bad line before others that are good.

    Raises:
        InputError: it is JSON over several lines, one array, or CSV; with the fix.
    """
    begun = _begun(first)
    if begun == "whole" and first[:1] == b"[" and not second:
        raise _other(name, "is one JSON array, not a record a line", "json")
    if begun == "part" and (first[:1] == b"[" or first[-1:] in b"[:" or second[:1] not in (b"{", b"")):
        raise _other(name, "is JSON over several lines, not a record a line", "json")
    if begun is None and _is_header(first) and second[:1] not in _OPENS:
        raise _other(name, "looks like CSV, not like a record a line", "csv")


def _begun(line: bytes) -> Literal["whole", "part"] | None:
    """Whether a line is JSON, or the beginning of an object or an array; None: neither."""
    text = ""
    try:
        text = line.decode("utf-8")
        json.loads(text)
    except json.JSONDecodeError as error:
        return "part" if line[:1] in _OPENS and error.pos >= len(text) else None
    except (ValueError, RecursionError):
        return None
    return "whole"


def _is_header(line: bytes) -> bool:
    """Whether the first line of a file may be the header of a CSV table."""
    return line[:1] not in _OPENS and any(mark in line for mark in b",;\t")


def _other(name: str, what: str, format_: Format) -> InputError:
    return InputError(f"{name}: {what}; {_renamed(format_)}")


def _renamed(format_: Format) -> str:
    return f"rename it to .{format_}, or pass --format {format_}"


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.rstrip().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _Bad(f"not UTF-8: byte {error.start + 1} of the line is 0x{line[error.start]:02x}") from None
    except json.JSONDecodeError as error:
        raise _Bad(f"not JSON: {error.msg} at column {error.pos + 1}") from None
    except RecursionError:
        raise _Bad("nested too deep to be read") from None
    except ValueError:
        raise _Bad(f"a number of more than {sys.get_int_max_str_digits():,} digits") from None
    if not isinstance(value, dict):
        raise _Bad(f"a record is an object, this is {kind_of(value)}")
    return value


def _json(file: Source, lines: Iterator[tuple[int, bytes]]) -> Iterator[Record]:
    first, line = next(lines)
    whole = b"".join(chain([b"\n" * (first - 1), line], (line for _, line in lines)))
    value = _document(file, whole)
    if isinstance(value, dict):
        value = next((value[name] for name in LISTS if isinstance(value.get(name), list)), value)
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise InputError(f"{file.name}: holds {kind_of(value)}, not a list of records")
    file.total = len(value)
    for number, record in enumerate(value, start=1):
        if isinstance(record, dict):
            yield f"{file.name}: record {number}", record
        else:
            place = f"{file.name}: record {number}"
            file.reject(place, f"a record is an object, this is {kind_of(record)}")


def _document(file: Source, whole: bytes) -> Any:
    try:
        return json.loads(whole.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = whole.count(b"\n", 0, error.start) + 1
        raise InputError(_not_utf8(file.name, line, error)) from None
    except json.JSONDecodeError as error:
        other: Format | None = "jsonl" if error.msg == "Extra data" else None
        other = "csv" if _is_header(whole.strip().partition(b"\n")[0]) else other
        hint = "" if other is None else f"; it looks like {_CALLED[other]}: {_renamed(other)}"
        raise InputError(
            f"{file.name}:{error.lineno}: not JSON: {error.msg} at column {error.colno}{hint}"
        ) from None
    except RecursionError:
        raise InputError(f"{file.name}: nested too deep to be read") from None
    except ValueError:
        digits = sys.get_int_max_str_digits()
        raise InputError(f"{file.name}: holds a number of more than {digits:,} digits") from None


def _csv(file: Source, lines: Iterator[tuple[int, bytes]]) -> Iterator[Record]:
    first, line = next(lines)
    if line.strip()[:1] in _OPENS:
        other = sniffed(line)
        raise _other(file.name, f"is {_CALLED[other]}, not CSV", other)
    texts = _decoded(file, chain([(first, line)], lines))
    header = next(texts)
    delimiter = max(",;\t", key=header.count)
    csv.field_size_limit(
        max(csv.field_size_limit(), 1 << 28)
    )  # the limit is global; a cell may hold a document
    rows = csv.reader(chain([header], texts), delimiter=delimiter)
    try:
        names = next(rows)
        for cells in rows:
            number = first - 1 + rows.line_num
            if not cells:
                continue
            if len(cells) != len(names):
                file.reject(f"{file.name}:{number}", f"{len(cells)} cells, the header has {len(names)}")
                continue
            yield f"{file.name}:{number}", dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise InputError(f"{file.name}:{first - 1 + rows.line_num}: not CSV: {error}") from None


def _decoded(file: Source, lines: Iterator[tuple[int, bytes]]) -> Iterator[str]:
    for number, line in lines:
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(_not_utf8(file.name, number, error)) from None


def _not_utf8(name: str, line: int, error: UnicodeDecodeError) -> str:
    at = error.start - error.object.rfind(b"\n", 0, error.start)
    wrong = error.object[error.start]
    return f"{name}:{line}: not UTF-8: byte {at} of the line is 0x{wrong:02x}; save the file as UTF-8"


READERS: Final[dict[str, Reader]] = {"jsonl": _jsonl, "json": _json, "csv": _csv}
