"""Whether a run of `fieldwise eval` passed, and how that is said.

A run passes when something was graded, every threshold and bar is reached, and nothing that should have been
graded is missing: an agent that fails, or an evaluator that cannot say, never makes a score better. How much
may be missing is `--min-coverage`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.cli.common.bars import WORDS, covered, every, least, told
from fieldwise.report.words import mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.evalsets.summary import Summary

_DISTANCE: Final = ("exceeds", "keeps to")


def has_passed(summary: Summary, fail_under: float | None, min_coverage: float | None) -> bool:
    """Whether a run passed."""
    return summary.passed(fail_under, least(min_coverage, barred=True))


def verdict(summary: Summary, fail_under: float | None, min_coverage: float | None) -> Iterator[str]:
    """Say whether the thresholds and bars were reached, if there are any."""
    if not summary.verdicts.graded:
        yield "failed: nothing was graded"
        return
    for name, one in summary.standings.items():
        bar = one.chosen.threshold
        if bar is not None and one.score is None:
            yield f"failed: {name} was not graded"
        elif bar is not None and one.score is not None:
            words = _DISTANCE if one.lower_is_better else WORDS
            yield told(name, one.score, bar, mean, bar_shown=f"{bar:g}", passed=bool(one.passed), words=words)
    yield from every([("score", summary.score, fail_under, mean)])
    yield from covered(summary.coverage, min_coverage, barred=True)
