"""Two runs side by side, as a table: what is worse is on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.report.page import Page
from fieldwise.report.words import NOTHING, clip, count, interval, mean, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.run._compare import Compared, RunComparison

MAX_ROWS: Final = 60
_FIELD_WIDTH: Final = 40
_ID_WIDTH: Final = 32
_LEAST: Final = 12
_VERDICT: Final = 8
_WIDTHS: Final = {
    "A": 7,
    "B": 7,
    "B - A": 8,
    "95% interval": 16,
    "p": 8,
    "better": 8,
    "worse": 8,
    "items": 9,
    "coverage": 13,
}
_SPARE: Final = ("worse", "better", "items", "95% interval", "coverage")
"""What is left out where there is no room, the last first."""
_SMALLEST: Final = 0.001
_ORDER: Final = {"lost": 0, "worse": 1, "dropped": 2, "better": 3, "same": 4}
_LEVELS: Final = {"lost": 0.0, "worse": 0.0, "dropped": 0.8, "better": 1.0, "same": None}


def render_comparison(
    found: RunComparison, *, width: int = 120, terminal: bool = False, colour: bool = False
) -> str:
    """Return two runs side by side.

    Args:
        found: the comparison.
        width: how many columns a line may have, at least 60.
        terminal: whether a person reads it.
        colour: ANSI colours.
    """
    page = Page(width, terminal, colour)
    page.write(_headline(found))
    rows = sorted(found.fields.values(), key=lambda one: (_ORDER[one.verdict], one.p or 0.0, one.key))
    if rows:
        shown = _columns(page.width, rows[:MAX_ROWS])
        table = page.grid(("field", "left"), *((one, "right") for one in shown), ("", "left"))
        taken = sum(_WIDTHS[one] for one in shown) + _VERDICT
        for one in rows[:MAX_ROWS]:
            cells = _cells(one)
            verdict = "" if one.verdict == "same" else one.verdict
            name = clip(one.key, min(_FIELD_WIDTH, max(page.width - taken, _LEAST)))
            row = [name, *(cells[heading] for heading in shown), verdict]
            page.row(table, *row, level=_LEVELS[one.verdict], styled=3)
        if len(rows) > MAX_ROWS:
            page.row(table, f"and {len(rows) - MAX_ROWS:,} more; --json has all", styled=0)
        page.table(table)
    notes = list(_notes(found, rows))
    if notes:
        page.write("\n".join(clip(note, page.width) for note in notes))
    return page.text()


def _headline(found: RunComparison) -> str:
    return ", ".join([f"{count(found.items, 'item')} in both runs", *_only(found.only)])


def _only(numbers: tuple[int, int]) -> list[str]:
    return [f"{number:,} only in {name}" for number, name in zip(numbers, "AB", strict=True) if number]


def _columns(width: int, rows: list[Compared]) -> list[str]:
    """The columns there is room for beside the longest name."""
    rest = width - _VERDICT - min(_FIELD_WIDTH, max(len(one.key) for one in rows))
    rest -= sum(_WIDTHS[one] for one in _WIDTHS if one not in _SPARE)
    spared = set()
    for one in _SPARE:
        if rest < _WIDTHS[one]:
            spared.add(one)
        rest -= _WIDTHS[one]
    return [one for one in _WIDTHS if one not in spared]


def _cells(one: Compared) -> dict[str, str]:
    difference = one.found.difference
    shares = [percent(share) for share in one.coverage]
    a, b = map(mean, one.means)
    return {
        "A": a,
        "B": b,
        "B - A": NOTHING if difference is None else f"{difference:+.3f}",
        "95% interval": interval(one.found.bounds),
        "p": _p(one.p),
        "better": f"{one.better:,}",
        "worse": f"{one.worse:,}",
        "items": f"{one.found.items:,}",
        "coverage": shares[0] if shares[0] == shares[1] else "/".join(shares),
    }


def _p(p: float | None) -> str:
    return NOTHING if p is None else f"<{_SMALLEST}" if p < _SMALLEST else f"{p:.3f}"


def _notes(found: RunComparison, rows: list[Compared]) -> Iterator[str]:
    for one in rows:
        if one.worst and one.verdict in ("worse", "dropped"):
            items = (f"{clip(id_, _ID_WIDTH)} {mean(a)} to {mean(b)}" for id_, a, b in one.worst)
            yield f"{clip(one.key, _FIELD_WIDTH)}, fell the most: {', '.join(items)}"
        if one.lost:
            graded = f"{count(one.of, 'item')} graded in A"
            yield f"{clip(one.key, _FIELD_WIDTH)}, lost in B: {one.lost:,} of {graded}"
        if any(one.only):
            yield f"{clip(one.key, _FIELD_WIDTH)}, graded {', '.join(_only(one.only))}"
    tested = sum(one.p is not None for one in rows)
    if tested:
        several = f"corrected for {tested} fields by Holm's method" if tested > 1 else "of one field"
        tests = {"mcnemar": "McNemar's exact test", "permutation": "a permutation test"}
        used = sorted({tests[one.found.test] for one in rows if one.p is not None})
        yield f"p: {' or '.join(used)}, {several}; significant below {found.alpha:g}"
