"""What a check of a judge found, as text: agreement with people, with itself, and where it differs.

The looks are those of `table`: for a terminal in colour, for a pipe plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.report.page import Page
from fieldwise.report.words import NOTHING, clip, count, mean, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from fieldwise.run._judge_check import Agreement, JudgeCheck
    from fieldwise.scorers.agreement import Consistency

_MAX_ROWS: Final = 60
_MAX_REASONS: Final = 5
_NAME: Final = 44
_PLACE: Final = 32
_LEAST: Final = 12
_AGREEMENT: Final = 63
"""How many columns of the first table are numbers and gaps."""
_SAID: Final = 62
"""The same of the second."""
_ALL: Final = "(all)"
_ANSWER: Final = {True: "yes", False: "no"}


def render_check(
    check: JudgeCheck, *, width: int = 120, terminal: bool = False, colour: bool = False, shown: int = 5
) -> str:
    """Return what was found as text.

    Args:
        check: what was found.
        width: how many columns a line may have, at least 60.
        terminal: whether a person reads it as it is written.
        colour: ANSI colours.
        shown: how many disagreements are shown.
    """
    page = Page(width, terminal, colour)
    page.write(_headline(check))
    rows = list(check.criteria.items())[:_MAX_ROWS]
    if len(check.criteria) > 1:
        rows.append((_ALL, check.overall))
    if check.overall.asked:
        page.table(_agreement(page, rows))
        page.table(_said(page, rows))
    if len(check.criteria) > _MAX_ROWS:
        page.write(f"and {count(len(check.criteria) - _MAX_ROWS, 'more criterion', 'more criteria')}")
    if check.disagreements and shown:
        page.write("where the judge says something else than people")
        page.table(_disagreements(page, check, shown))
    notes = [clip(line, page.width) for line in _notes(check)]
    if notes:
        page.write("\n".join(notes))
    return page.text()


def warnings_of(check: JudgeCheck) -> Iterator[str]:
    """Criteria that were never asked about, a line each."""
    for path in check.unused:
        yield f"rubric: {path!r} is the criterion of no label"


def _headline(check: JudgeCheck) -> str:
    one = check.overall
    found = one.confusion
    return (
        f"accuracy {mean(one.accuracy)}{_within(found.accuracy_interval)}, "
        f"kappa {mean(one.kappa)}{_within(found.kappa_interval)}, coverage {percent(one.coverage)}; "
        f"{count(one.judged, 'verdict')} on {count(check.records, 'record')}"
    )


def _agreement(page: Page, rows: list[tuple[str, Agreement]]) -> Table:
    numbers = ("accuracy", "95%", "kappa", "95%", "judged", "coverage")
    table = page.grid(("criterion", "left"), *((heading, "right") for heading in numbers))
    for name, one in rows:
        found = one.confusion
        page.row(
            table,
            _name(page, name, _AGREEMENT),
            mean(one.accuracy),
            _interval(found.accuracy_interval),
            mean(one.kappa),
            _interval(found.kappa_interval),
            f"{one.judged:,}",
            percent(one.coverage),
            level=one.accuracy,
        )
    return table


def _said(page: Page, rows: list[tuple[str, Agreement]]) -> Table:
    """The confusion, and how far the judge agrees with itself."""
    numbers = ("both yes", "judge only", "people only", "both no", "again", "reversed")
    table = page.grid(("criterion", "left"), *((heading, "right") for heading in numbers))
    for name, one in rows:
        found = one.confusion
        cells = (found.both_true, found.judge_only, found.people_only, found.both_false)
        own = (percent(one.repeats.share), percent(one.order.share))
        page.row(table, _name(page, name, _SAID), *(f"{cell:,}" for cell in cells), *own, level=one.accuracy)
    return table


def _name(page: Page, name: str, used: int) -> str:
    return clip(name, min(_NAME, max(_LEAST, page.width - used)))


def _disagreements(page: Page, check: JudgeCheck, shown: int) -> Table:
    table = page.grid(
        ("record", "left"), ("place", "left"), ("people", "left"), ("judge", "left"), ("its reason", "left")
    )
    for one in check.disagreements[:shown]:
        people, judge = _ANSWER[one.people], _ANSWER[one.judge]
        cells = (
            clip(one.id, _PLACE),
            clip(one.path, _PLACE),
            people,
            judge,
            clip(one.reason or "", page.width),
        )
        page.row(table, *cells)
    return table


def _notes(check: JudgeCheck) -> Iterator[str]:
    """What else a reader has to know, a line each."""
    one = check.overall
    if one.repeats.questions:
        pairs = percent(one.repeats.pairwise)
        yield f"again: {_same(one.repeats)}; any two answers agree {pairs} of the time"
    if one.order.questions:
        yield f"reversed: {_same(one.order)} with a record's questions reversed"
    if one.judged and one.confusion.kappa_interval is None:
        yield _no_interval(one)
    yield from _reasons("not judged", check.judge_errors, "question")
    yield from _reasons("skipped", check.skipped, "label")
    if check.usage.get("judge_calls"):
        used = ", ".join(f"{name} {amount:,}" for name, amount in check.usage.items())
        yield f"judging used: {used}"


def _same(found: Consistency) -> str:
    whole = count(found.questions, "question")
    share = f"{percent(found.share)}{_within(found.interval)}"
    return f"{found.unanimous:,} of {whole} got the same answer, {share}"


def _no_interval(one: Agreement) -> str:
    if one.kappa is None:
        return "kappa: none, for people and judge gave one and the same answer everywhere"
    always = {0: "differ", one.judged: "agree"}.get(one.confusion.agreed)
    if always is not None:
        return f"kappa: no interval, for the large-sample formula has none where the answers always {always}"
    return "kappa: no interval, for people or the judge gave the same answer everywhere"


def _reasons(head: str, reasons: dict[str, int], thing: str) -> Iterator[str]:
    rows = sorted(reasons.items(), key=lambda row: -row[1])
    for reason, times in rows[:_MAX_REASONS]:
        yield f"{head}: {count(times, thing)}: {reason}"
    if len(rows) > _MAX_REASONS:
        rest = sum(times for _, times in rows[_MAX_REASONS:])
        yield f"{head}: {count(rest, thing)}: other reasons; --json has all"


def _interval(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return NOTHING
    low, high = interval
    return f"{low:.2f} to {high:.2f}"


def _within(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f" ({_interval(interval)})"
