"""Standard output for the command alone: what code of the user's prints meanwhile goes to standard error.

Rules of this module:
1. Where standard output is the process's own, its descriptor is moved: so what a library, a subprocess or a
   worker writes is told apart, too, and an agent that closes it closes nothing of ours.
2. Everything is as before at the end.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from fieldwise.cli.common.streams import Streams

_OUT: Final = 1
_ERR: Final = 2
_NAMES: Final = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


@contextmanager
def apart(streams: Streams) -> Iterator[Streams]:
    """Yield streams to write to, while what others print goes to standard error."""
    if not _is_own(streams.stdout):
        with redirect_stdout(streams.stderr):
            yield streams
        return
    streams.stdout.flush()
    mine = open(  # noqa: SIM115, PTH123 - a descriptor; closed below
        os.dup(_OUT), "w", encoding=streams.stdout.encoding, errors=streams.stdout.errors
    )
    try:
        _redirect()
        yield replace(streams, stdout=mine)
    finally:
        with suppress(OSError, ValueError):  # it may have been closed
            streams.stdout.flush()
        with suppress(OSError):
            mine.flush()
        os.dup2(mine.fileno(), _OUT)
        with suppress(OSError):
            mine.close()


def _is_own(stream: TextIO) -> bool:
    try:
        return stream is sys.stdout and stream.fileno() == _OUT
    except (OSError, ValueError):
        return False


def _redirect() -> None:
    try:
        os.dup2(_ERR, _OUT)
    except OSError:  # the process was started without
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUT)
        os.close(nowhere)


def place(path: str, folder: str, streams: Streams) -> str:
    """Return what to open for a path: as it was in the folder that the command began in, whoever left it."""
    if path in _NAMES and streams.stdout is not sys.stdout:
        with suppress(OSError, ValueError):
            return f"/dev/fd/{streams.stdout.fileno()}"
    try:
        moved = os.getcwd() != folder  # noqa: PTH109 - compared as text
    except OSError:
        moved = True
    return os.path.join(folder, path) if moved else path  # noqa: PTH118 - an absolute one stays
