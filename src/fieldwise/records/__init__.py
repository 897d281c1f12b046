"""Records from files: JSON Lines, JSON and CSV, one after the other, whatever the length of the file.

| format | what it is | what a record is |
|---|---|---|
| jsonl | JSON Lines, UTF-8 | each line that is not blank, an object |
| json | a list of records, or an object with a list `records` or `examples` | each element, an object |
| csv | with a header; `,`, `;` or tab | each row; an empty cell of reference, inputs or id is no value |

Rules of this package: a bad line is reported with its number and the reading goes on; a file that cannot
be used at all, or is of another format than its suffix says, is an `InputError` that says why. JSON Lines
and CSV are never held whole. What a record's parts mean is not known here, only under which names a file
has them (`Columns`).
"""

from __future__ import annotations

from fieldwise.records._columns import PARTS, Columns, columns
from fieldwise.records._files import FORMATS, STDIN, RecordFile, open_records

__all__ = ["Columns", "FORMATS", "PARTS", "RecordFile", "STDIN", "columns", "open_records"]
