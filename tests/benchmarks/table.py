"""How figures print: aligned plain text, one line a contestant, columns that never move."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from typing import Final

from tests.benchmarks.peers import EXTRAS, version_of

WIDTHS: Final = (20, 45, 10, 9, 8, 0)
TITLES: Final = ("row", "contestant", "median CPU", "peer/ours", "target", "")
RIGHT: Final = frozenset({2, 3, 4})
"""The columns that hold figures."""


@dataclass(frozen=True, slots=True)
class Line:
    """One contestant's figures, as text."""

    row: str
    contestant: str
    value: str
    ratio: str = ""
    target: str = ""
    met: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """What the figures around it need said."""

    text: str


def show(part: Line | Note) -> str:
    if isinstance(part, Note):
        return f"  # {part.text}"
    return _row((part.row, part.contestant, part.value, part.ratio, part.target, part.met))


def columns() -> str:
    return _row(TITLES)


def heading(repeats: int) -> str:
    """Say what was measured on what, and how to read it."""
    versions = ", ".join(
        f"{name} {version_of(name)}" for name in ("fieldwise", *EXTRAS, "langsmith", "numpy")
    )
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        f"{versions}\n"
        f"{python}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}\n"
        f"CPU time of one evaluation, median of {repeats} rounds, each contestant once a round; tracing\n"
        "off, garbage collector on. peer/ours above 1: ours is faster. Floors are hand-written."
    )


def duration(seconds: float) -> str:
    """Return a time with three significant digits and its unit.

    >>> duration(0.00001234), duration(1.5)
    ('12.3 us', '1.5 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def times(ratio: float) -> str:
    return f"{ratio:.2f}x" if ratio < 10 else f"{ratio:,.0f}x"


def verdict(target: str, *, met: bool) -> str:
    return f"meets {target}" if met else f"falls short of {target}"


def _row(cells: tuple[str, ...]) -> str:
    placed = [
        cell.rjust(width) if index in RIGHT else cell.ljust(width)
        for index, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    return "  ".join(placed).rstrip()
