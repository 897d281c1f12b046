"""Under which names a file has the parts of a record.

A part that has no column named for it, and none of its own name, may be there as an example has it:
`actual_output` for `outputs`. The record then has it under that name, and the example's other fields too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import nearest
from fieldwise.core.select import compile_path, try_find
from fieldwise.errors import PathError
from fieldwise.example import FIELDS, spellings
from fieldwise.example import PARTS as FIELD_OF

if TYPE_CHECKING:
    from fieldwise.core.select import Selector

PARTS: Final = ("outputs", "reference_outputs", "inputs", "id")
_MAX_NAMES: Final = 50
_BESIDE: Final = tuple(
    spelled for name in FIELDS if name not in FIELD_OF.values() for spelled in spellings(name)
)
"""What an example has beside the parts of a record, in either spelling."""


@dataclass(slots=True)
class _Column:
    name: str
    selector: Selector | None
    given: bool
    absent: int = 0
    first: str = ""


@dataclass(slots=True)
class Columns:
    """Under which names a file has the parts of a record, and which records lack one.

    Make it with `columns`. A name that a record has literally counts before the path it may be.

    Attributes:
        count: how many records were mapped.
        names: the names records have, the first 50 that were seen.
    """

    parts: dict[str, _Column]
    count: int = 0
    names: dict[str, None] = field(default_factory=dict)

    def record(self, where: str, row: dict[str, Any], *, gaps: bool = False) -> dict[str, Any]:
        """Return a record of the parts that the row at `where` has.

        Without outputs it has the row's other members, for people to see what is there instead. `gaps`
        says that an empty text is no value but of the outputs, as in CSV.
        """
        self.count += 1
        if len(self.names) < _MAX_NAMES:
            self.names.update(dict.fromkeys(list(row)[:_MAX_NAMES]))
        record = {name: row[name] for name in _BESIDE if name in row and not (gaps and row[name] == "")}
        for part, column in self.parts.items():
            name, found = _found(row, part, column)
            if found and not (gaps and part != "outputs" and found[0] == ""):
                record[name] = found[0] if len(found) == 1 else found
            else:
                column.absent += 1
                column.first = column.first or where
        if not record.keys() & _OUTPUTS:
            return {**{name: value for name, value in row.items() if name not in PARTS}, **record}
        return record

    def missing(self) -> list[str]:
        """Return, in words, every column that was named and that no record has."""
        return [
            self._nowhere(part)
            for part, one in self.parts.items()
            if one.given and self.count and one.absent == self.count
        ]

    def lacks(self, part: str) -> str | None:
        """Return, in words, that no record has this part; None when one has."""
        return self._nowhere(part) if self.count and self.parts[part].absent == self.count else None

    def gaps_found(self) -> list[str]:
        """Return, in words, every column that was named and that some records lack."""
        return [
            f"{one.absent:,} of {self.count:,} records have no {one.name!r} for {part}, first {one.first}"
            for part, one in self.parts.items()
            if one.given and 0 < one.absent < self.count
        ]

    def _nowhere(self, part: str) -> str:
        name, option = self.parts[part].name, _OPTION[part]
        close = nearest(name, self.names)
        hint = f"did you mean {close!r}?" if close else f"name it with {option}"
        columns = ", ".join(map(repr, self.names)) or "none"
        return f"no record has {name!r} for {part}; they have: {columns}; {hint}"


_OUTPUTS: Final = {"outputs", *spellings(FIELD_OF["outputs"])}
_OPTION: Final = {
    "outputs": "--outputs",
    "reference_outputs": "--reference",
    "inputs": "--inputs",
    "id": "--id",
}


def columns(**named: str | None) -> Columns:
    """Return the columns of a file.

    Args:
        **named: part of a record to the column's name or path; None: the part's own name.
    """
    parts = {}
    for part in PARTS:
        name = named.get(part)
        text = part if name is None else name
        try:
            selector = compile_path(text) if name is not None else None
        except PathError:
            selector = None
        parts[part] = _Column(text, selector, name is not None)
    return Columns(parts)


def _found(row: dict[str, Any], part: str, column: _Column) -> tuple[str, list[Any]]:
    """The values of a part, and under which name the record has them."""
    found = _cells(row, column)
    if not found and not column.given and part in FIELD_OF:
        for name in spellings(FIELD_OF[part]):
            if row.get(name) is not None:
                return name, [row[name]]
    return part, found


def _cells(row: dict[str, Any], column: _Column) -> list[Any]:
    if column.name in row:
        return [row[column.name]]
    return [] if column.selector is None else [match.value for match in try_find(column.selector, row)]
