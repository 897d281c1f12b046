"""Whether a bar was reached, and how that is said.

What was not graded passes no bar: one for a score needs everything graded, unless a lower coverage is stated.

A bar that is missed by less than the digits shown is told with all digits, so that no line reads
"0.999 is below 0.999".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.report.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

WORDS: Final = ("is below", "reaches")
"""What is said where a bar is missed, and where it is reached."""
WHOLE: Final = 1.0
"""The coverage that is needed where none is stated."""


def told(
    name: str,
    value: float,
    bar: float,
    shown: Callable[[float], str],
    *,
    bar_shown: str | None = None,
    passed: bool | None = None,
    words: tuple[str, str] = WORDS,
) -> str:
    """Say whether a value reaches its bar.

    Args:
        name: what the value is of.
        value: the value.
        bar: its bar.
        shown: makes text of either.
        bar_shown: the text of the bar, where it is another.
        passed: whether the bar is reached, where more is not better.
        words: what is said between the two.

    >>> from fieldwise.report.words import mean
    >>> told("score", 0.75, 0.9, mean), told("score", 0.89999, 0.9, "{:.3f}".format)
    ('failed: score 0.750 is below 0.900', 'failed: score 0.89999 is below 0.9')
    """
    reached = value >= bar if passed is None else passed
    texts = shown(value), bar_shown or shown(bar)
    if not reached and shown(value) == shown(bar):
        texts = repr(value), repr(bar)
    return f"{'passed' if reached else 'failed'}: {name} {texts[0]} {words[reached]} {texts[1]}"


def every(rows: Iterable[tuple[str, float | None, float | None, Callable[[float], str]]]) -> Iterator[str]:
    """Say of each name, value and bar whether it is reached; nothing where there is no bar.

    >>> list(every([("kappa", None, 0.6, str), ("accuracy", 1.0, None, str)]))
    ['failed: there is no kappa to compare with 0.6']
    """
    for name, value, bar, shown in rows:
        if bar is not None and value is None:
            yield f"failed: there is no {name} to compare with {shown(bar)}"
        elif bar is not None and value is not None:
            yield told(name, value, bar, shown)


def least(stated: float | None, *, barred: bool) -> float | None:
    """Return the coverage that has to be reached: the one that is stated, else all of it for other bars.

    >>> least(None, barred=True), least(0.9, barred=True), least(None, barred=False)
    (1.0, 0.9, None)
    """
    return WHOLE if stated is None and barred else stated


def covered(coverage: float | None, stated: float | None, *, barred: bool) -> Iterator[str]:
    """Say whether the coverage is reached; where none is stated, only that it is not, with the fix.

    >>> list(covered(1.0, None, barred=True)), list(covered(0.5, None, barred=True))
    ([], ['failed: coverage 50% is below 100%; --min-coverage allows less'])
    """
    if stated is not None:
        yield from every([("coverage", coverage, stated, percent)])
    elif barred and coverage is not None and coverage < WHOLE:
        yield f"{told('coverage', coverage, WHOLE, percent)}; --min-coverage allows less"
