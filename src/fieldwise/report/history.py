"""The runs of a history, as a table: the last one at the bottom, where one looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise.report.page import Page
from fieldwise.report.words import NOTHING, clip, mean, moment, percent, safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.evalsets.results.store import StoredRun

_SET: Final = 32
_UNFINISHED: Final = "not finished"


def row(run: StoredRun) -> dict[str, Any]:
    """Return what a history says of a run, as JSON; score and coverage are None until it is finished."""
    summary = run.summary or {}
    return {
        "run": run.header.run,
        "set": run.header.set,
        "name": run.header.name,
        "date": run.header.started,
        "items": run.count,
        "score": summary.get("score"),
        "coverage": summary.get("coverage"),
        "finished": run.summary is not None,
        "made_with": dict(run.header.made_with),
    }


def render_history(
    runs: Sequence[StoredRun], *, width: int = 120, terminal: bool = False, colour: bool = False
) -> str:
    """Return the runs as text, in the order given, each with what it was made with."""
    page = Page(width, terminal, colour)
    table = page.grid(
        ("run", "left"),
        ("set", "left"),
        ("date", "left"),
        ("items", "right"),
        ("score", "right"),
        ("coverage", "right"),
        ("made with", "left"),
    )
    for one in map(row, runs):
        numbers = (mean(one["score"]), percent(one["coverage"])) if one["finished"] else (NOTHING, NOTHING)
        notes = [] if one["finished"] else [_UNFINISHED]
        notes += [f"{name} {value}" for name, value in one["made_with"].items()]
        cells = [clip(one["set"], _SET), moment(str(one["date"])), f"{one['items']:,}", *numbers]
        page.row(table, safe(one["run"]), *cells, safe(", ".join(notes)), level=one["score"], styled=4)
    page.table(table)
    return page.text()
