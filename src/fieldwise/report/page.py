"""What reports are drawn on: paragraphs and tables, for a terminal with bars and colours, for a pipe plain.

`rich` lays out both. Its markup is never read from data, and what a cell shows has been made safe by `words`.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Final

from fieldwise.report.words import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

MAX_ROWS: Final = 60
BAR: Final = 10
"""How many columns a whole bar has."""
GAP: Final = 2
"""How many columns stand between two cells."""
_LEAST: Final = 60
_WITH_BARS: Final = 100
_GOOD, _FAIR = 0.95, 0.75


def bar_of(value: float | None) -> str:
    """Return a score as a bar, cut and not rounded up, so that only 1 fills it.

    >>> bar_of(0.59), bar_of(None)
    ('━━━━━', '')
    """
    return "" if value is None else "━" * max(0, min(BAR, int(BAR * value)))


class Page:
    """What rich draws on; plain is rich without rules and colours.

    Args:
        width: how many columns a line may have; never less than 60.
        terminal: whether a person reads it as it is written.
        colour: ANSI colours.
    """

    def __init__(self, width: int, terminal: bool, colour: bool) -> None:  # noqa: FBT001
        from rich.console import Console

        self.width = max(width, _LEAST)
        self.terminal = terminal
        self.bars = terminal and self.width >= _WITH_BARS
        self._colour = colour
        self._parts: list[str] = []
        self._file = StringIO()
        self._console = Console(
            file=self._file,
            width=self.width,
            force_terminal=colour,
            color_system="standard" if colour else None,
            no_color=not colour,
            legacy_windows=False,
            markup=False,
            emoji=False,
            highlight=False,
            _environ={},
        )

    def write(self, text: str) -> None:
        """Add a paragraph, as it is."""
        self._parts.append(text)

    def grid(self, *columns: tuple[str, str]) -> Table:
        """Start a table with these headings."""
        from rich.table import Table

        table = Table(
            box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold" if self._colour else ""
        )
        for heading, side in columns:
            table.add_column(heading, justify="right" if side == "right" else "left", no_wrap=True)
        return table

    def room(self, columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> int:
        """Return how many columns of the terminal are left for one more cell beside these."""
        headings = [heading for heading, _ in columns]
        widths = [max(map(width_of, column)) for column in zip(headings, *rows, strict=True)]
        return self.width - sum(widths) - GAP * len(widths)

    def row(self, table: Table, *cells: str, level: float | None = 1.0, styled: int = 1) -> None:
        """Add a row, so many of its cells after the first coloured by how good it is."""
        from rich.text import Text

        style = _style(level) if self._colour else ""
        styles = ["", *[style] * styled, *[""] * len(cells)]
        table.add_row(*(Text(cell, style=one) for cell, one in zip(cells, styles, strict=False)))

    def table(self, table: Table) -> None:
        """Add a table."""
        self._console.print(table)
        drawn = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        self._parts.append("\n".join(line.rstrip() for line in drawn.splitlines()))

    def text(self) -> str:
        """Return everything, paragraphs apart."""
        return "\n\n".join(self._parts) + "\n"


def _style(level: float | None) -> str:
    if level is None:
        return "dim"
    return "green" if level >= _GOOD else "yellow" if level >= _FAIR else "red"
