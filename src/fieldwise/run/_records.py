"""What counts as a record, and how records come out of what a run is given.

A record is a mapping with `outputs`, `reference_outputs` and, if it likes, `inputs` and `id`. Anything else
stays in the run as a record with a problem. A DataFrame gives one record a row; pandas is known here by
its shape only and never imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.core.equality import preview
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Record:
    """One record, read; `problem` says why it cannot be evaluated."""

    position: int
    id: str
    inputs: Any = None
    outputs: Any = MISSING
    reference_outputs: Any = MISSING
    problem: str | None = None


def read_records(records: Any) -> Iterator[Record]:
    """Yield the records of an iterable or a DataFrame, as they are asked for.

    Raises:
        ConfigError: `records` is something else.
    """
    if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
        kind = type(records).__name__
        raise ConfigError(
            f"records is {kind}: pass an iterable of mappings with outputs and reference_outputs, "
            "or a DataFrame; the command `fieldwise score` reads files"
        )
    rows = _rows(records) if _is_frame(records) else records
    return (_read(position, row) for position, row in enumerate(rows, start=1))


def _read(position: int, row: Any) -> Record:
    if not isinstance(row, Mapping):
        return Record(position, str(position), problem=f"the record is {type(row).__name__}, not a mapping")
    name = record_id(row, position)
    outputs = row.get("outputs", MISSING)
    if outputs is MISSING:
        keys = ", ".join(repr(key) for key in list(row)[:20]) or "none"
        return Record(position, name, problem=f"the record has no outputs; its keys: {keys}")
    return Record(position, name, row.get("inputs"), outputs, row.get("reference_outputs", MISSING))


def record_id(row: Mapping[str, Any], position: int) -> str:
    """Return what a record is called: its `id`, else its position in the run.

    >>> record_id({"id": 7}, 1), record_id({}, 1)
    ('7', '1')
    """
    id_ = row.get("id")
    return str(position) if id_ is None else id_ if isinstance(id_, str) else _text(id_)


def _text(id_: Any) -> str:
    return preview(id_) if isinstance(id_, dict | list) else str(id_)


def _is_frame(records: Any) -> bool:
    return all(hasattr(records, name) for name in ("columns", "itertuples", "iloc"))


def _rows(frame: Any) -> Iterator[dict[str, Any]]:
    """The rows of a DataFrame; a cell without value is a missing key."""
    names = [str(name) for name in frame.columns]
    for cells in frame.itertuples(index=False, name=None):
        yield {name: cell for name, cell in zip(names, cells, strict=True) if not _is_gap(cell)}


def _is_gap(cell: Any) -> bool:
    """Whether a cell is NaN, NaT or NA, with which pandas fills gaps."""
    if isinstance(cell, float):
        return cell != cell  # noqa: PLR0124 - NaN
    return type(cell).__name__ in {"NAType", "NaTType"}
