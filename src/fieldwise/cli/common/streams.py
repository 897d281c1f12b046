"""The three streams of a command, and what can go wrong when writing.

Who closes a pipe early has seen enough: that is no error. A full disk is one, and says so.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict

from fieldwise.core.display import unwritten
from fieldwise.errors import FieldwiseError

if TYPE_CHECKING:
    from typing import TextIO

PIPE_WIDTH: Final = 120
TERMINAL_WIDTH: Final = 100


class OutputError(FieldwiseError):
    """Something cannot be written; the message names it and the system's reason."""

    @classmethod
    def of(cls, name: str, error: OSError) -> OutputError:
        """Make one of the system's error."""
        return cls(f"{name}: cannot be written: {unwritten(error)}")


class Look(TypedDict):
    """How a report is drawn: the arguments that every function of `fieldwise.report` has."""

    width: int
    terminal: bool
    colour: bool


@dataclass(frozen=True, slots=True)
class Streams:
    """Where a command reads and writes."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO

    @property
    def terminal(self) -> bool:
        """Whether a person reads standard output as it is written."""
        return self.stdout.isatty()

    @property
    def colour(self) -> bool:
        """Whether colours may be used: on a terminal, unless NO_COLOR is set or it cannot show any."""
        return self.terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def width(self) -> int:
        """How many columns a line of standard output may have."""
        if self.terminal:
            return _columns(self.stdout) or TERMINAL_WIDTH
        columns = os.environ.get("COLUMNS", "")
        return int(columns) if columns.isdecimal() else PIPE_WIDTH

    @property
    def look(self) -> Look:
        """How a report is drawn on standard output."""
        return {"width": self.width, "terminal": self.terminal, "colour": self.colour}

    def print_json(self, found: Any) -> None:
        """Write a JSON value to standard output, as `print` does."""
        self.print(json.dumps(found, indent=2, allow_nan=False) + "\n")

    def print(self, text: str) -> None:
        """Write to standard output, what its encoding lacks as escapes.

        Raises:
            OutputError: It cannot be written to, other than for a closed pipe.
        """
        try:
            self.stdout.write(_encodable(text, self.stdout))
            self.stdout.flush()
        except BrokenPipeError:
            pass
        except OSError as error:
            raise OutputError.of("standard output", error) from None

    def note(self, text: str) -> None:
        """Write a line to standard error, made safe for a terminal."""
        from fieldwise.report.words import safe  # and with it what draws reports: not for --help

        with contextlib.suppress(OSError, ValueError):  # it is full, or an agent has closed it
            self.stderr.write(_encodable(safe(text), self.stderr) + "\n")
            self.stderr.flush()

    def warn(self, text: str) -> None:
        """Write to standard error what nobody should miss, however little else is printed."""
        self.note(f"warning: {text}")

    def complain(self, text: str) -> None:
        """Write to standard error what kept the command from working."""
        self.note(f"fieldwise: {text}")


def _columns(terminal: TextIO) -> int:
    """How many columns a terminal has; 0 where that is not known."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(terminal.fileno()).columns
    except (OSError, ValueError, AttributeError):
        return 0


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def close_quietly(stream: TextIO) -> None:
    """Flush a stream for the last time; if its reader is gone, spare the interpreter from finding out."""
    if stream.closed:
        return
    try:
        stream.flush()
    except OSError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
