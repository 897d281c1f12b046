"""The records in which one field is not right: a line each, of which nothing is cut."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fieldwise.report.words import aligned, count, mean, safe

if TYPE_CHECKING:
    from fieldwise.run._field import FieldRecords
    from fieldwise.run._tally import WorstRecord

_INDEX: Final = re.compile(r"\[\d+\]")


def render_field(found: FieldRecords) -> str:
    """Return the records in which a field is not right, and how many more there are.

    >>> from fieldwise.run import RecordResult
    >>> from fieldwise.run._field import FieldRecords
    >>> found, comment = FieldRecords("total", 5), "total: expected 3, got 4"
    >>> extra = {"status": "graded"}
    >>> result = {"key": "m:total", "score": 0.0, "comment": comment, "metadata": extra, "extra": extra}
    >>> found.add(RecordResult(1, "r1", [result]))
    >>> print(render_field(found), end="")
    total: not right in 1 of 1 record
    <BLANKLINE>
    record  score  what is not right
    r1      0.000  expected 3, got 4
    """
    parts = [field_headline(found)]
    records = found.records
    if records:
        rows = [(safe(one.id), mean(one.score), safe(_note(one, found))) for one in records]
        parts.append("\n".join(aligned([("record", "score", "what is not right"), *rows], "<>")))
    last = []
    if found.wrong > len(records):
        last.append(f"and {found.wrong - len(records):,} more; --worst {found.wrong} shows them all")
    if found.ungraded:
        last.append(f"not graded in {count(found.ungraded, 'record')}, first {safe(found.reason)}")
    if last:
        parts.append("\n".join(last))
    return "\n\n".join(parts) + "\n"


def field_headline(found: FieldRecords) -> str:
    """Return in one line in how many records a field is not right."""
    graded = count(found.graded, "record")
    if not found.wrong:
        said = f"right in all of {graded}" if found.graded else "nothing graded"
    else:
        said = f"not right in {found.wrong:,} of {graded}"
    return f"{safe(found.name)}: {said}"


def _note(one: WorstRecord, found: FieldRecords) -> str:
    return "" if one.comment is None else placeless(one.comment, found.key.partition(":")[2])


def placeless(note: str, name: str) -> str:
    """Return what is said of a place, without the place where it is the one that a row is of.

    >>> placeless("items[3].price: expected 1, got 2", "items[*].price"), placeless("b: missing", "a")
    ('expected 1, got 2', 'b: missing')
    """
    place, colon, rest = note.partition(": ")
    return rest if colon and _INDEX.sub("[*]", place) == name else note
