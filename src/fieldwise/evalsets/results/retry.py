"""Going on with a file of results and running again what failed: `fieldwise eval --resume --retry-errors`.

The failures leave the file before the run goes on, all at once: a file without them takes its place. So no
item is ever in it twice, and whatever ends the run, what is not there is run by the next one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fieldwise.evalsets.results.as_json import json_line
from fieldwise.evalsets.results.files import NotWritten, Results, opened, same_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.evalsets.model import ItemResult
    from fieldwise.evalsets.results.header import Header


def has_failed(result: ItemResult) -> bool:
    """Whether an item is worth running again: it has no answer, or a judge did not answer.

    >>> from fieldwise.evalsets.model import ItemResult
    >>> has_failed(ItemResult("a", "A", outcome="timeout")), has_failed(ItemResult("a", "A"))
    (True, False)
    """
    judged = (one["extra"].get("status") for found in result.results.values() for one in found)
    return result.outcome != "ok" or "judge_error" in judged


def drop_failed(path: str, header: Header) -> int:
    """Take the failures out of a file of results, if there is one; return how many there were.

    Raises:
        NotWritten: it cannot be written, or another run is writing to it.
        InputError: it holds the results of something else.
    """
    if not Path(path).is_file() or not Path(path).stat().st_size:
        return 0
    with opened(path):  # nobody else writes meanwhile
        old = same_run(path, header)
        failed = sum(map(has_failed, Results(old, path)))
        if failed:
            _replace(path, old)
    return failed


def _replace(path: str, header: Header) -> None:
    place = Path(path).resolve()
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with draft.open("xb") as file:
            file.writelines(_kept(path, header))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
    except OSError as error:
        raise NotWritten(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _kept(path: str, header: Header) -> Iterator[bytes]:
    yield json_line(header.to_dict())
    for result in Results(header, path):
        if not has_failed(result):
            yield json_line(result.to_dict())
