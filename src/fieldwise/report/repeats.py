"""Items answered several times, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.report.page import Page
from fieldwise.report.words import clip, count, interval, mean

if TYPE_CHECKING:
    from fieldwise.run._repeats import OverItems, Repeats

_FIELD_WIDTH: Final = 44
_SHOWN: Final = (1, 2, 3, 5, 10)
"""The k that are shown, and the largest there is."""


def render_repeats(
    repeats: Repeats, *, width: int = 120, terminal: bool = False, colour: bool = False
) -> str:
    """Return pass@k, all pass and consistency of every feedback key; nothing where nothing was repeated."""
    most = repeats.most
    if most < 2:  # noqa: PLR2004 - one answer says nothing of repeats
        return ""
    page = Page(width, terminal, colour)
    page.write(f"repeats: up to {count(most, 'answer')} an item; items with fewer graded than k are left out")
    ks = [k for k in _SHOWN if k < most] + [most]
    columns = [(f"pass@{k}", "right") for k in ks] + [(f"all {most}", "right"), ("consistent", "right")]
    table = page.grid(("field", "left"), *columns, ("items", "right"))
    for key, items in sorted(repeats.keys.items()):
        first, *others = [repeats.pass_at(key, k) for k in ks]
        cells = [_told(first), *(mean(one.mean) for one in others)]
        cells += [mean(repeats.all_pass(key, most).mean), mean(repeats.consistency(key).mean)]
        page.row(table, clip(key, _FIELD_WIDTH), *cells, f"{len(items):,}", level=first.mean)
    page.table(table)
    return page.text()


def _told(number: OverItems) -> str:
    return " ".join(filter(None, (mean(number.mean), interval(number.bounds))))
