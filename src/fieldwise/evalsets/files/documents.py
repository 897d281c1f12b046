"""A file that people wrote: its value, where everything in it stands, and what is wrong with it.

JSON (`json_text`) and YAML (`yaml_text`, by the ending `.yaml` or `.yml`) are read alike. Faults are noted
by paths; a path in camelCase finds what is written in snake_case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.evalsets.files.faults import Fault, FileErrors, close_to, spelled
from fieldwise.evalsets.files.json_text import SHALLOW, Text, read_json
from fieldwise.evalsets.files.spelling import snake

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path as File

    from fieldwise._types import Path

_MARK: Final = b"\xef\xbb\xbf"
_OTHER_MARKS: Final = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
YAML: Final = frozenset({".yaml", ".yml"})
ENDINGS: Final = frozenset({".json", *YAML})


@dataclass(slots=True)
class Document:
    """A file, or a value that stands for one.

    Attributes:
        name: the file as messages name it.
        value: what it holds; MISSING where it cannot be read.
        faults: what is wrong with it.
    """

    name: str
    value: Any = MISSING
    faults: list[Fault] = field(default_factory=list)
    _file: File | None = None
    _lines: dict[Path, int] = field(default_factory=dict)

    @property
    def readable(self) -> bool:
        """Whether it has a value."""
        return self.value is not MISSING

    def fault(self, path: Path, what: str) -> None:
        """Note what is wrong with a place."""
        written, line = self._find(path)
        self.faults.append(Fault(self.name, line, spelled(written), what))

    def note(self, faults: Iterable[tuple[Path, str]], below: Path = ()) -> None:
        """Note faults whose paths begin at a place."""
        for path, what in faults:
            self.fault((*below, *path), what)

    def line(self, path: Path) -> int | None:
        """Return the line of a place, or of the nearest one above it."""
        return self._find(path)[1]

    def check(self) -> None:
        """Raise what is wrong, if anything is.

        Raises:
            FileErrors: line by line.
        """
        if self.faults:
            raise FileErrors(in_order(self.faults))

    def _find(self, path: Path) -> tuple[Path, int | None]:
        """A path as it is written, and its line."""
        if self._file is not None and len(path) > SHALLOW:
            text = _text_of(self._file)
            self._lines = read_json(text, shallow=False).lines if isinstance(text, str) else self._lines
            self._file = None
        found: Path = ()
        line = self._lines.get(())
        for step in path:
            ways: list[Path] = [(*found, step)]
            if isinstance(step, str):
                ways.append((*found, snake(step)))
            found = next((way for way in ways if way in self._lines), ways[0])
            line = self._lines.get(found, line)
        return found, line


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults of a file line by line, each once."""
    return sorted(dict.fromkeys(faults), key=lambda one: one.line or 0)


def document_of(value: Any, name: str) -> Document:
    """Return a value as a document without lines."""
    return Document(name, value)


def read_document(file: File) -> Document:
    """Read a file; what is wrong with it as a whole is among its faults."""
    text = _text_of(file)
    if isinstance(text, Fault):
        return Document(str(file), faults=[text])
    if file.suffix.lower() in YAML:
        from fieldwise.evalsets.files.yaml_text import read_yaml

        return _taken(Document(str(file)), read_yaml(text))
    return _taken(Document(str(file), _file=file), read_json(text))


def _taken(found: Document, read: Text) -> Document:
    """The document of a text that was read."""
    found._lines = read.lines  # noqa: SLF001 - of this module
    broken = any(isinstance(path, str) for path, _, _ in read.faults)
    found.value = MISSING if broken else read.value
    for path, line, what in read.faults:
        place = path.strip() if isinstance(path, str) else spelled(path)
        found.faults.append(Fault(found.name, line, place, what))
    return found


def _text_of(file: File) -> str | Fault:
    """The text of a file, or why it cannot be read."""
    try:
        data = file.read_bytes()
    except OSError as error:
        return Fault(str(file), None, "", _unread(file, error))
    try:
        return data.removeprefix(_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(str(file), data, error)


def _unread(file: File, error: OSError) -> str:
    if not isinstance(error, FileNotFoundError):
        return f"cannot be read: {error.strerror or error}"
    try:
        others = [one.name for one in file.parent.iterdir() if one.suffix in ENDINGS]
    except OSError:
        others = []
    close = close_to(file.name, others)
    return f"there is no such file; did you mean {close!r}?" if close else "there is no such file"


def _not_utf8(name: str, data: bytes, error: UnicodeDecodeError) -> Fault:
    line = data.count(b"\n", 0, error.start) + 1
    other = _OTHER_MARKS.get(data[:2])
    if other:
        return Fault(name, None, "", f"is {other}; save it as UTF-8")
    return Fault(name, line, "", f"byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8")
