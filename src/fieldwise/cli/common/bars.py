"""Whether a bar was reached, and how that is said.

A bar that is missed by less than the digits shown is told with all digits, so that no line reads
"0.999 is below 0.999".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

WORDS: Final = ("is below", "reaches")
"""What is said where a bar is missed, and where it is reached."""


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
