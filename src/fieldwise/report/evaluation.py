"""A run of an evaluation set as text: its evaluators, their fields and metrics, and what went wrong.

The looks are those of `table`: for a terminal with bars and colour, for a pipe plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.report.page import MAX_ROWS, Page, bar_of
from fieldwise.report.repeats import render_repeats
from fieldwise.report.table import fields_table, notes_of, told
from fieldwise.report.words import NOTHING, clip, count, interval, mean, percent, safe, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from fieldwise.evalsets.summary import Standing, Summary

_NAME: Final = 40
_LEAST: Final = 16
_ENDED: Final = {
    "agent_error": "the agent failed on",
    "timeout": "no answer in time for",
    "not_run": "no answer for",
}


def render_summary(
    summary: Summary, *, width: int = 120, terminal: bool = False, colour: bool = False
) -> str:
    """Return what a run found as text.

    Args:
        summary: what was found.
        width: how many columns a line may have, at least 60.
        terminal: with bars, from 100 columns on; else plain text, for a pipe.
        colour: ANSI colours.
    """
    page = Page(width, terminal, colour)
    page.write(headline(summary))
    if summary.standings:
        page.table(_evaluators(summary, page))
    for name, one in summary.standings.items():
        if found := one.metrics:
            shown = ", ".join(
                f"{safe(row['key'].removeprefix(f'{name}:'))} {mean(row['score'])}" for row in found
            )
            page.write(clip(f"{name}: {shown}", page.width))
    if len(summary.report.fields) > len(summary.standings):
        page.table(fields_table(summary.report, "", page))
    notes = [*_failures(summary, page.width), *notes_of(summary.report, page.width)]
    if summary.repeats is not None:
        repeats = render_repeats(summary.repeats, width=width, terminal=terminal, colour=colour)
        page.write(repeats.rstrip("\n"))
    if notes:
        page.write("\n".join(notes))
    return page.text()


def headline(summary: Summary) -> str:
    """Return in one line what was run, and how it went."""
    verdicts = summary.verdicts
    return (
        f"{safe(summary.name)}: score {mean(summary.score)}, coverage {percent(verdicts.coverage)}, "
        f"{percent(verdicts.pass_rate)} of {count(verdicts.graded, 'verdict')} passed; "
        f"{count(summary.count, 'item')} in {seconds(summary.elapsed)}"
    )


def _evaluators(summary: Summary, page: Page) -> Table:
    columns = [("evaluator", "left"), ("score", "right"), ("95% interval", "left")]
    columns += [("", "left")] if page.bars else []
    columns += [("weight", "right"), ("threshold", "right"), ("graded", "right")]
    columns += [("coverage", "right"), ("passed", "right")]
    standings = list(summary.standings.items())[:MAX_ROWS]
    cells = [_cells(name, one, page) for name, one in standings]
    room = max(page.room(columns, cells), _LEAST)
    table = page.grid(*columns, ("worst example", "left"))
    for row, (_, one) in zip(cells, standings, strict=True):
        page.row(table, *row, clip(_example(one), room), level=one.score, styled=3 if page.bars else 1)
    if len(summary.standings) > MAX_ROWS:
        page.row(table, f"and {len(summary.standings) - MAX_ROWS:,} more; --json has all")
    return table


def _cells(name: str, one: Standing, page: Page) -> list[str]:
    """What a row says of an evaluator, but for the example."""
    tally, score = one.tally, one.score
    bounds = None if one.metrics else tally.bounds
    found = [clip(name, _NAME), mean(score), interval(bounds), *([bar_of(score)] if page.bars else [])]
    found += [f"{one.chosen.weight:g}", _threshold(one), f"{tally.graded:,}"]
    return [*found, percent(tally.coverage), percent(tally.pass_rate)]


def _threshold(one: Standing) -> str:
    return NOTHING if one.chosen.threshold is None else f"{one.chosen.threshold:g}"


def _example(one: Standing) -> str:
    worst = one.tally.worst
    if worst is None or worst.right:
        return ""
    return f"{worst.id}: {told(worst.comment) or f'scored {mean(worst.score)}'}"


def _failures(summary: Summary, width: int) -> Iterator[str]:
    for outcome, words in _ENDED.items():
        if number := summary.outcomes.get(outcome):
            yield f"{words} {count(number, 'item')}"
    for item, error in summary.failures:
        yield clip(f"  {item}: {error}", width)
    more = sum(summary.outcomes.get(outcome, 0) for outcome in _ENDED) - len(summary.failures)
    if more and summary.repeats is None:  # with repeats, an item is shown once for all of its times
        yield f"  and {more:,} more"
