"""The file of `--out`: one line a record, there as soon as it is scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fieldwise.cli.common.streams import OutputError
from fieldwise.errors import InputError

if TYPE_CHECKING:
    from typing import Self

    from fieldwise.run import RecordResult


class Out:
    """The file, open while the run goes on; no file without the option."""

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
        line = json.dumps(_once(result), ensure_ascii=False, allow_nan=False)
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


def _once(result: RecordResult) -> dict[str, Any]:
    """A record's results as JSON; `metadata` that says what `extra` says is left out."""
    found = result.to_dict()
    lean = [
        {name: one[name] for name in one if name != "metadata"}
        if one.get("metadata") == one["extra"]
        else one
        for one in found["results"]
    ]
    return {**found, "results": lean}


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
