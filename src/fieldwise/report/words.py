"""Numbers and text made fit for one line of a terminal.

Data is never trusted: control characters, line breaks, escape sequences, marks that turn the direction of
writing and lone surrogates are written out, so they cannot move the cursor, colour or hide anything.
A number below 1 is never rounded to 1.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fieldwise.core.statistics.spread import Bounds

NOTHING = "-"


def safe(text: str) -> str:
    r"""Return text with everything that does not print written as an escape.

    >>> print(safe("red \x1b[31m"))
    red \x1b[31m
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(sign: str) -> str:
    if sign.isprintable():
        return sign
    if unicodedata.category(sign) == "Zs":
        return " "
    return sign.encode("unicode_escape").decode("ascii")


def clip(text: str, width: int) -> str:
    """Return safe text of at most `width` columns, cut with an ellipsis.

    >>> clip("東京タワー", 7)
    '東京タ…'
    """
    from rich.cells import set_cell_size

    whole = safe(text[: 4 * width + 4])
    if width_of(whole) <= width:
        return whole
    return set_cell_size(whole, width - 1).rstrip() + "…"


def width_of(text: str) -> int:
    """Return how many columns of a terminal safe text takes.

    >>> width_of("東京")
    4
    """
    from rich.cells import cell_len

    return cell_len(text)


def aligned(rows: Iterable[Sequence[str]], sides: str) -> Iterator[str]:
    """Yield rows as lines with their columns lined up; what is right of them is as it is.

    Args:
        rows: cells, of safe text.
        sides: for each column that is lined up, "<" or ">".

    >>> list(aligned([("a", "1", "x"), ("bc", "10", "")], "<>"))
    ['a    1  x', 'bc  10']
    """
    listed = list(rows)
    widths = [max(width_of(row[at]) for row in listed) for at in range(len(sides))]
    for row in listed:
        pads = [" " * (wide - width_of(cell)) for cell, wide in zip(row, widths, strict=False)]
        parts = [
            pad + cell if side == ">" else cell + pad
            for cell, pad, side in zip(row, pads, sides, strict=False)
        ]
        yield "  ".join([*parts, *row[len(sides) :]]).rstrip()


def mean(value: float | None) -> str:
    """Return a score with three decimals; cut, not rounded up, so that only 1 reads as 1.

    >>> mean(0.99996), mean(1.0), mean(None)
    ('0.999', '1.000', '-')
    """
    if value is None:
        return NOTHING
    return f"{min(value, 0.999) if value < 1 else value:.3f}"


def interval(bounds: Bounds | None) -> str:
    """Return the bounds of an interval with two decimals, rounded outwards.

    >>> from fieldwise.core.statistics.spread import Bounds
    >>> interval(Bounds(0.8412, 0.8999, "wilson")), interval(None)
    ('[0.84, 0.90]', '')
    """
    if bounds is None:
        return ""
    low, high = floor(round(100 * bounds.low, 6)) / 100, ceil(round(100 * bounds.high, 6)) / 100
    return f"[{low:.2f}, {high:.2f}]"


def percent(share: float | None) -> str:
    """Return a share as a percentage; only all of it reads as 100%.

    >>> percent(1.0), percent(0.9999), percent(2 / 3)
    ('100%', '99.9%', '66.7%')
    """
    if share is None:
        return NOTHING
    value = 100 * share
    if value == int(value):
        return f"{int(value)}%"
    return f"{min(max(value, 0.1), 99.9):.1f}%"


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number of things.

    >>> count(1, "record"), count(12_000, "record")
    ('1 record', '12,000 records')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def moment(time: str) -> str:
    """Return a time in ISO format as people read it; text that is none as it is.

    >>> moment("2025-03-12T10:30:07.5+01:00"), moment("yesterday")
    ('2025-03-12 09:30 UTC', 'yesterday')
    """
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return safe(time)
    return f"{found.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if found.tzinfo else f"{found:%Y-%m-%d %H:%M}"


def seconds(time: float) -> str:
    """Return a duration.

    >>> seconds(0.123), seconds(75), seconds(3_700)
    ('0.12 s', '1 min 15 s', '1 h 1 min')
    """
    if time < 10:  # noqa: PLR2004
        return f"{time:.2f} s"
    if time < 60:  # noqa: PLR2004
        return f"{time:.0f} s"
    minutes, rest = divmod(round(time), 60)
    if minutes < 60:  # noqa: PLR2004
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
