"""What counts as a record, and how records come out of what a run is given.

A record is a mapping with `outputs`, `reference_outputs` and, if it likes, `inputs` and `id`; or an
`Example`, or a mapping with an example's fields. Anything else stays in the run as a record with a problem.
A DataFrame gives one record a row; pandas is known here by its shape only and never imported.

| an example's | is |
|---|---|
| `input`, `actual_output`, `expected_output` | inputs, outputs, reference outputs, if it has none |
| `tools_called`, `expected_tools` | what evaluators of tools get instead of outputs and reference outputs |
| `context`, `retrieval_context` | further keywords, for evaluators that take more |

A field that is None is left out; a null under `outputs` or `reference_outputs` is JSON null.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from fieldwise._types import MISSING
from fieldwise.core.equality import preview
from fieldwise.errors import ConfigError
from fieldwise.example import FIELDS, PARTS, Example, spellings
from fieldwise.scorers.lacking import misnamed

if TYPE_CHECKING:
    from collections.abc import Iterator

MORE: Final = ("context", "retrieval_context")
"""The fields of an example that reach evaluators as keywords."""

_TOOLS: Final = ("tools_called", "expected_tools")
_TELLING: Final = ("actual_output", "expected_output", *_TOOLS)
"""The fields by which a mapping is known to be an example."""

_SPELLINGS: Final = {name: spellings(name) for name in FIELDS}
_SHOWN_KEYS: Final = 20


@dataclass(frozen=True, slots=True)
class Record:
    """One record, read.

    Attributes:
        position: which one of the run it is, from 1.
        id: what it is called.
        inputs: what the system was given.
        outputs: what it answered; MISSING when the record has none.
        reference_outputs: what was expected; MISSING when the record has none.
        problem: why it cannot be evaluated at all.
        tools: the tools called and those expected, where an evaluator of tools looks at them.
        more: further keywords for evaluators.
        keys: what the record has, in words, for saying what it has not.
        misnamed: what is told of a reference that stands under another name; None for no such.
    """

    position: int
    id: str
    inputs: Any = None
    outputs: Any = MISSING
    reference_outputs: Any = MISSING
    problem: str | None = None
    tools: tuple[Any, Any] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    keys: str = ""
    misnamed: str | None = None

    def sides(self, looks_at: Literal["output", "tools"] = "output") -> tuple[Any, Any]:
        """Return the outputs and reference outputs that an evaluator is given."""
        if looks_at == "tools" and self.tools is not None:
            return self.tools
        return self.outputs, self.reference_outputs

    def lacks(self, looks_at: Literal["output", "tools"] = "output") -> str | None:
        """Return how it is told that there is nothing to compare with, where that is said in other words."""
        if self.sides(looks_at)[1] is not MISSING:
            return None
        if self.tools is None:
            return self.misnamed
        return f"the example has no {'expected_tools' if looks_at == 'tools' else 'expected_output'}"

    def gap(self, looks_at: Literal["output", "tools"] = "output") -> str | None:
        """Return why there is nothing to evaluate, in words; None when there is."""
        if self.problem is not None or self.sides(looks_at)[0] is not MISSING:
            return self.problem
        wanted = (
            "outputs" if self.tools is None else "tools_called" if looks_at == "tools" else "actual_output"
        )
        return f"the record has no {wanted}; its keys: {self.keys or 'none'}"


def read_records(records: Any, first: int = 1) -> Iterator[Record]:
    """Yield the records of an iterable or a DataFrame, as they are asked for.

    Args:
        records: what a run is given.
        first: which one of the run's the first of them is.

    Raises:
        ConfigError: `records` is something else.
    """
    return (_read(position, row) for position, row in enumerate(rows_of(records), start=first))


def rows_of(records: Any) -> Iterator[Any]:
    """Return the records unread.

    Raises:
        ConfigError: `records` is something else.
    """
    if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
        kind = type(records).__name__
        if isinstance(records, Example):
            raise ConfigError(
                "records is one Example: pass a list, [example]; evaluate_example takes one by itself"
            )
        raise ConfigError(
            f"records is {kind}: pass an iterable of mappings with outputs and reference_outputs, "
            "or a DataFrame; the command `fieldwise score` reads files"
        )
    return _rows(records) if _is_frame(records) else iter(records)


def _read(position: int, row: Any) -> Record:
    if isinstance(row, Example):
        row = {name: getattr(row, name) for name in FIELDS}
    if not isinstance(row, Mapping):
        return Record(position, str(position), problem=f"the record is {type(row).__name__}, not a mapping")
    parts = {part: row[part] if part in row else _field(row, name) for part, name in PARTS.items()}
    inputs = None if parts["inputs"] is MISSING else parts["inputs"]
    tools = _tools(row)
    lacks = parts["outputs"] is MISSING or (tools is not None and tools[0] is MISSING)
    more = {name: value for name in MORE if (value := _field(row, name)) is not MISSING}
    return Record(
        position,
        record_id(row, position),
        inputs,
        parts["outputs"],
        parts["reference_outputs"],
        tools=tools,
        more=more,
        keys=_told(row) if lacks else "",
        misnamed=misnamed(map(str, row)) if parts["reference_outputs"] is MISSING else None,
    )


def _tools(row: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """The tools called and those expected; None for a record that says nothing of tools.

    An example always does: one without `tools_called` lacks them. Names become calls without arguments.
    """
    called, expected = (_field(row, name) for name in _TOOLS)
    if called is MISSING and expected is MISSING:
        example = "outputs" not in row and any(_field(row, name) is not MISSING for name in _TELLING)
        return (MISSING, MISSING) if example else None
    if isinstance(called, list) and all(isinstance(one, str) for one in called):
        called = [{"name": one, "args": {}} for one in called]
    return called, expected


def _field(row: Mapping[str, Any], name: str) -> Any:
    """A field of an example, in either spelling; None is no value."""
    for spelled in _SPELLINGS[name]:
        value = row.get(spelled)
        if value is not None:
            return value
    return MISSING


def _told(row: Mapping[str, Any]) -> str:
    return ", ".join([repr(key) for key, value in row.items() if value is not None][:_SHOWN_KEYS])


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
