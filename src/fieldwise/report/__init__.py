"""Reports as text: pure functions from a `Report` to what a person or a program reads.

| module | what it makes |
|---|---|
| `table` | the summary for a terminal or a pipe |
| `field` | the records in which one field is not right |
| `comparison` | two runs side by side |
| `repeats` | items answered several times |
| `explain` | one record: its results and its tree |
| `tree`, `branches` | the tree of a record |
| `evaluation`, `history` | a run of an evaluation set, and those that were kept |
| `judge_check` | a judge beside people |
| `html` | a run as one page |
| `files` | reports as files, whole or not at all |
| `junit` | such a run as JUnit XML |
| `page` | what these are drawn on: paragraphs, tables, bars |
| `words` | numbers and text made fit for one line of a terminal |
| `progress` | the line that moves while a run goes on |
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fieldwise.report.explain import explain, explained
from fieldwise.report.table import render

if TYPE_CHECKING:
    from fieldwise.run import Report

__all__ = ["explain", "explained", "render", "to_json"]


def to_json(report: Report) -> str:
    """Return a report as JSON text that any parser reads: ASCII, no NaN.

    >>> from fieldwise.run import Report
    >>> json.loads(to_json(Report()))["records"]
    0
    """
    return json.dumps(report.to_dict(), indent=2, allow_nan=False)
