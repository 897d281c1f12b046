"""Scores of what was kept of a run: files that `fieldwise score` and `fieldwise eval` wrote, and histories.

A history is an SQLite file, `results.db#RUN` names one of its runs. A line that was not written to its end
is left out with a note; any other that is no line of results is an error which names it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise.errors import InputError
from fieldwise.evalsets.results.lines import BadLine, parsed, result_fault
from fieldwise.run._compare import Scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.cli.common.streams import Streams
    from fieldwise.cli.compare.changes import Told

_HEADER: Final = "fieldwise"
_KEYS: Final = ("key", "score", "extra")


def read_scores(path: str, streams: Streams, told: Told) -> Scores:
    """Read the scores of a file of results, and what is told of its run into `told`.

    A line that was not written to its end is left out, with a note.

    Raises:
        InputError: it cannot be read, or holds something else; naming the line.
    """
    found = Scores()
    for id_, results in _of_items(path, told) if _is_eval(path) else _of_records(path, streams):
        found.add(id_, results)
    return found


def _is_eval(path: str) -> bool:
    """Whether it is what `fieldwise eval` keeps: a history, or a file that begins with the line of a run."""
    from fieldwise.evalsets.results import store

    if store.is_history(path):
        return True
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the path is shown as given
            head = parsed(file.readline())
    except BadLine as error:
        raise _bad_line(path, 1, error) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    return isinstance(head, dict) and _HEADER in head


def _of_items(path: str, told: Told) -> Iterator[tuple[str, list[Any]]]:
    from fieldwise.evalsets.results.read import read_results

    results = read_results(path)
    told.header = results.header
    for one in results:
        told.add(one)
        yield one.item, [result for results in one.results.values() for result in results]


def _of_records(path: str, streams: Streams) -> Iterator[tuple[str, list[Any]]]:
    torn: int | None = None
    with open(path, "rb") as file:  # noqa: PTH123 - as above
        for number, line in enumerate(file, start=1):
            if torn is not None:
                raise _no_result(path, torn)
            if not line.strip():
                continue
            found = _record(line, path, number)
            if found is None and not line.endswith(b"\n"):
                torn = number
            elif found is None:
                raise _no_result(path, number)
            else:
                yield found["id"], found["results"]
    if torn is not None:
        streams.note(f"{path}:{torn}: was not written to its end; left out")


def _record(line: bytes, path: str, number: int) -> Any:
    """The record of a line; None for what is no JSON."""
    try:
        found = parsed(line)
        if found is not None and not _is_record(found):
            raise _no_result(path, number)
    except BadLine as error:
        raise _bad_line(path, number, error) from None
    if found is None:
        return None
    for one in found["results"]:
        fault = result_fault(one, _KEYS)
        if fault is not None:
            raise _bad_line(path, number, f"item {found['id']!r}: {fault}")
    return found


def _bad_line(path: str, number: int, fault: object) -> InputError:
    return InputError(f"{path}:{number}: {fault}; mend the line, or remove it")


def _is_record(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and isinstance(found.get("id"), str)
        and isinstance(found.get("results"), list)
    )


def _no_result(path: str, number: int) -> InputError:
    return InputError(
        f"{path}:{number}: is no line of results; give what `fieldwise score --out` or "
        "`fieldwise eval --out` wrote"
    )
