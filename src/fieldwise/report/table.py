"""The summary of a run: fields, classifiers, how extraction went, the worst records, what was not graded.

Fields come in the order of what they cost, the sum of what their scores lack of 1: what to look at first is
on top. Two looks of the same rows: for a terminal, with bars and, if wanted, colour; for a pipe, aligned
plain text. `rich` lays out both; its markup is never read from data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from fieldwise.report.field import placeless
from fieldwise.report.page import MAX_ROWS, Page, bar_of
from fieldwise.report.words import clip, count, interval, mean, percent, safe, seconds
from fieldwise.run._field import field_name
from fieldwise.scorers.extraction import rates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.table import Table

    from fieldwise._types import EvaluatorResult
    from fieldwise.run import Examined, Extraction, Report, Tally, WorstRecord
    from fieldwise.run._classes import Classes

T = TypeVar("T")

MAX_CLASSES: Final = 12
_FIELD_WIDTH: Final = 44
_ID_WIDTH: Final = 40
_INTERVAL: Final = 2
"""Which column is left out where there is no room for an example beside it."""
_EXAMPLE: Final = 20
_CLASS_WIDTH: Final = 16
_SHOWN_VALUES: Final = 5
_RATES: Final = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "invention_rate": "invention",
    "omission_rate": "omission",
}
_WAYS: Final = {
    "true_positive": "right",
    "false_discovery": "wrong",
    "false_negative": "omitted",
    "false_alarm": "invented",
}
_HOW_MANY: Final = re.compile(r"\d+ of \d+ \w+ not right: ")


def render(
    report: Report,
    *,
    width: int = 120,
    terminal: bool = False,
    colour: bool = False,
    worst: int = 10,
    warned: bool = False,
) -> str:
    """Return the summary of a report.

    Args:
        report: what to show.
        width: how many columns a line may have, at least 60.
        terminal: with bars, from 100 columns on; else plain text, for a pipe.
        colour: ANSI colours.
        worst: how many of the worst records are shown.
        warned: whether its warnings were given elsewhere; else they come first.
    """
    page = Page(width, terminal, colour)
    width = page.width
    prefix = _common_prefix(report)
    warnings = [] if warned else [clip(f"warning: {one}", width) for one in warnings_of(report)]
    page.write("\n".join([headline(report), *warnings]))
    if report.fields:
        page.table(fields_table(report, prefix, page))
    for key, classes in report.classes.items():
        _classification(key, classes, report, page)
    for name, found in report.extraction.items():
        page.write(_extracted(name, prefix))
        page.table(_extraction(found, name, report, page))
    shown = [one for one in report.worst_records if not one.right][:worst]
    if shown:
        page.write("worst records")
        page.table(_worst(shown, page))
    notes = [*notes_of(report, width), *_no_interval(report)]
    if notes:
        page.write("\n".join(notes))
    return page.text()


def headline(report: Report) -> str:
    """Return in one line what was scored, and how it went."""
    overall, bounds = report.overall, report.bounds
    within = f" {interval(bounds)}" if bounds is not None else ""
    prefix = _common_prefix(report)
    name = f"{safe(prefix[:-1])}: " if prefix else ""
    return (
        f"{name}score {mean(overall.mean)}{within}, coverage {percent(report.coverage)}, "
        f"{percent(overall.pass_rate)} of {count(overall.graded, 'graded result')} passed{_at(report)}; "
        f"{count(report.count, 'record')} in {seconds(report.elapsed)}"
    )


def _at(report: Report) -> str:
    """The thresholds at which results passed, where they are not 1."""
    bars = [f"{bar:g}" for bar in sorted(report.thresholds)]
    if bars in ([], ["1"]):
        return ""
    return f" (threshold {bars[0]})" if len(bars) == 1 else f" (thresholds {bars[0]} to {bars[-1]})"


def _common_prefix(report: Report) -> str:
    """What all feedback keys begin with, up to the first colon."""
    heads = {key.partition(":")[0] if ":" in key else None for key in report.fields if key[:1] != "("}
    (head,) = heads if len(heads) == 1 else (None,)
    return "" if head is None else f"{head}:"


# ------------------------------------------------------------------------------------------- fields


def fields_table(report: Report, prefix: str, page: Page) -> Table:
    """Return the table of the feedback keys, by what they cost; a prefix they all have is left out."""
    rows = sorted(report.fields.items(), key=by_cost)
    columns = [("field", "left"), ("mean", "right"), ("95% interval", "left")]
    columns += [("", "left")] if page.bars else []
    columns += [("graded", "right"), ("coverage", "right"), ("support", "right")]
    cells = [_cells(key, tally, report, prefix, page) for key, tally in rows[:MAX_ROWS]]
    if page.room(columns, cells) < _EXAMPLE:
        columns, cells = _without(columns, _INTERVAL), [_without(row, _INTERVAL) for row in cells]
    room = max(page.room(columns, cells), _EXAMPLE)
    table = page.grid(*columns, ("worst example", "left"))
    for row, (key, tally) in zip(cells, rows, strict=False):
        words = _example(tally, key.removeprefix(prefix)) or _values(tally) or _unscored(report, tally)
        page.row(table, *row, clip(words, room), level=tally.mean, styled=len(columns) - 4)
    if len(rows) > MAX_ROWS:
        page.row(table, f"and {len(rows) - MAX_ROWS:,} more; --json has all")
    return table


def _cells(key: str, tally: Tally, report: Report, prefix: str, page: Page) -> list[str]:
    """What a row says of a feedback key, but for the example."""
    found = [clip(field_name(key, prefix), _FIELD_WIDTH), mean(tally.mean), interval(tally.bounds)]
    found += [bar_of(tally.mean)] if page.bars else []
    return [*found, f"{tally.answered:,}", percent(report.field_coverage(key)), f"{tally.support:,}"]


def _without(row: list[T], at: int) -> list[T]:
    """Return a row without one of its cells."""
    return row[:at] + row[at + 1 :]


def _worst(records: list[WorstRecord], page: Page) -> Table:
    columns = [("record", "left"), ("score", "right")]
    cells = [[clip(one.id, _ID_WIDTH), mean(one.score)] for one in records]
    room = page.room(columns, cells)
    table = page.grid(*columns, ("its worst field", "left"))
    for row, one in zip(cells, records, strict=True):
        page.row(table, *row, clip(told(one.comment), room), level=one.score)
    return table


def _values(tally: Tally) -> str:
    """How often each value came that is no number, the commonest first."""
    if not tally.told:
        return ""
    if tally.values is None:
        return f"{tally.told:,} values, too many to tell apart"
    rows = sorted(tally.values.items(), key=lambda row: (-row[1], row[0]))
    more = f", {len(rows) - _SHOWN_VALUES:,} more" if len(rows) > _SHOWN_VALUES else ""
    return ", ".join(f"{value} {number:,}" for value, number in rows[:_SHOWN_VALUES]) + more


def _classification(key: str, classes: Classes, report: Report, page: Page) -> None:
    """The metrics of a classifier, and how often each class came out as each label."""
    found = classes.confusion
    if found is None:
        page.write(f"{safe(key)}: too many labels for metrics of classes")
        return
    rows = classes.results(key, report.field_coverage(key) if key in report.fields else None)
    page.write("\n".join([safe(key), *(f"  {_metric(one, key)}" for one in rows)]))
    if not found.count or len(found.classes) > MAX_CLASSES:
        return
    shown = found.to_dict()
    columns = [clip(one, _CLASS_WIDTH) for one in shown["came"]]
    table = page.grid(("expected", "left"), *((f"got {one}", "right") for one in columns))
    for label, numbers in zip(shown["classes"], shown["matrix"], strict=True):
        page.row(table, clip(label, _CLASS_WIDTH), *(f"{number:,}" for number in numbers), styled=0)
    page.table(table)


def _metric(one: EvaluatorResult, key: str) -> str:
    return f"{one['key'].removeprefix(f'{key}:')} {mean(one['score'])}, {one['comment']}"


def _extracted(name: str, prefix: str) -> str:
    return "extraction" if prefix == f"{name}:" else f"extraction, {safe(name)}"


def _extraction(found: Extraction, name: str, report: Report, page: Page) -> Table:
    """The rates of an evaluator's fields, in the order of their cost, then of all of them."""
    headings = (*_RATES.values(), *_WAYS.values())
    table = page.grid(("field", "left"), *((heading, "right") for heading in headings))
    keys = [key for key, _ in sorted(report.fields.items(), key=by_cost) if key in found.fields]
    rows = [(key.removeprefix(f"{name}:"), rates(found.fields[key]), found.fields[key]) for key in keys]
    last = [("micro, all places", found.micro, found.counts), ("macro, all fields", found.macro, None)]
    for label, values, counts in [*rows[:MAX_ROWS], *last]:
        numbers = [mean(values[rate]) for rate in _RATES]
        ways = [f"{counts.get(way, 0):,}" if counts is not None else "" for way in _WAYS]
        page.row(table, clip(label, _FIELD_WIDTH), *numbers, *ways, level=values["f1"], styled=2)
    if len(rows) > MAX_ROWS:
        page.row(table, f"and {len(rows) - MAX_ROWS:,} more; --json has all")
    return table


def by_cost(row: tuple[str, Tally]) -> tuple[float, str]:
    """Order feedback keys and their counts by what they cost: the sum of what scores lack of 1."""
    key, tally = row
    return (-tally.lost, key)


def _example(tally: Tally, name: str) -> str:
    """The record with the lowest score and what is wrong there, its place unsaid where the row says it."""
    worst = tally.worst
    if worst is None or worst.right:
        return ""
    note = told(worst.comment) or f"scored {mean(worst.score)}"
    return f"{worst.id}: {placeless(note, name)}"


def _unscored(report: Report, tally: Tally) -> str:
    """Why nothing of a field was graded, by the first record of which that is true."""
    problem = next((report.problems[one] for one in tally.statuses if one in report.problems), None)
    return "" if problem is None or tally.graded else f"{problem.id}: {problem.reason}"


def told(comment: str | None) -> str:
    """A comment from its first example on: how many there are is in other columns."""
    return "" if comment is None else _HOW_MANY.sub("", comment, count=1)


# -------------------------------------------------------------------------------------------- notes


def _no_interval(report: Report) -> Iterator[str]:
    """Why the score has no interval, where that is for the ids of records."""
    if report.repeated and report.bounds is None:
        again = count(report.repeated, "record has", "records have")
        yield f"no interval: {again} the id of the one before; such records are one, answered several times"


def warnings_of(report: Report, *, named: bool = False) -> Iterator[str]:
    """What makes the numbers those of something else than was meant: options that name nothing, a line each.

    Args:
        report: of a run.
        named: whether the evaluator is said, as where there are several.
    """
    for path in report.unmatched_paths:
        yield named_nothing(path, f"{path['evaluator']}: " if named else "")


def unmatched_in(examined: Examined) -> Iterator[str]:
    """The options that name nothing in one record, a line each."""
    for path in examined.unmatched_paths:
        yield named_nothing(path, where="this record")


def named_nothing(path: Mapping[str, str | None], whose: str = "", where: str = "any record") -> str:
    """Say that an option's path named nothing; `path` is one of a report's `unmatched_paths`."""
    hint = f"; did you mean {path['nearest']!r}?" if path["nearest"] else ""
    return f"{whose}{path['option']}: {path['path']!r} named nothing in {where}{hint}"


def notes_of(report: Report, width: int) -> Iterator[str]:
    """What else a reader has to know, a line each."""
    for status, one in sorted(report.problems.items()):
        reason = f": {one.reason}" if one.reason else ""
        yield clip(f"{status}: {count(one.count, 'record')}, first {one.id}{reason}", width)
    if report.folded:
        apart = count(len(report.fields) - 1, "field")
        yield f"{apart} told apart; {count(report.folded, 'result')} of further ones are (other fields)"
    if report.usage:
        used = ", ".join(f"{name} {amount:,}" for name, amount in report.usage.items())
        yield clip(f"judging used: {used}", width)
    if report.error_count:
        yield f"{count(report.error_count, 'bad line')} skipped"
