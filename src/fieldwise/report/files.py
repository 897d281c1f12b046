"""Reports as files: whole or not at all.

A report is written beside its file, under another name, and takes its place when it is whole: whatever ends
the writing, what was there before stays. What is no regular file, as /dev/stdout or a pipe, is written to as
it is, and so is what others have open under such a name.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

_DEVICES: Final = ("/dev/", "/proc/")
_NAME: Final = 100
"""How many characters of a name go into that of the file beside it."""


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a text file that is replaced when the block ends, and stays as it is when the block fails.

    Args:
        path: the file; of a link what it leads to is replaced.

    Raises:
        OSError: it cannot be written.
    """
    place = Path(os.path.realpath(path) if Path(path).is_symlink() else path)
    beside = place.with_name(f".{place.name[:_NAME]}.{os.getpid()}.part")
    device = str(path).startswith(_DEVICES) or (place.exists() and not place.is_file())
    file = None if device else _begun(place, beside)
    if file is None:
        with _opened(path, "w") as file:
            yield file
        return
    try:
        with file:
            yield file
        beside.replace(place)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _begun(place: Path, beside: Path) -> TextIO | None:
    """The file beside; None where only the file itself can be written."""
    known = place.exists()
    if known:
        _opened(place, "a").close()  # what may not be written is not replaced either
    try:
        file = _opened(beside, "w")
    except PermissionError:
        if known:
            return None
        raise
    if known:
        with suppress(OSError):
            beside.chmod(place.stat().st_mode)
    return file


def _opened(path: str | os.PathLike[str], mode: str) -> TextIO:
    return open(path, mode, encoding="utf-8", errors="backslashreplace", newline="\n")  # type: ignore[return-value]  # noqa: PTH123
