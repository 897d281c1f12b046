"""Whether a run of `fieldwise eval` passed, and how that is said.

A run passes when something was graded, every threshold and bar is reached, and nothing that should have been
graded is missing: an agent that fails, or an evaluator that cannot say, never makes a score better. How much
may be missing is `--min-coverage`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.report.words import mean, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.evalsets.summary import Summary

WHOLE: Final = 1.0
"""The coverage that a run has to reach where nothing else is said."""


def has_passed(summary: Summary, fail_under: float | None, min_coverage: float | None) -> bool:
    """Whether a run passed."""
    return summary.passed(fail_under, WHOLE if min_coverage is None else min_coverage)


def verdict(summary: Summary, fail_under: float | None, min_coverage: float | None) -> Iterator[str]:
    """Say whether the thresholds and bars were reached, if there are any."""
    if not summary.verdicts.graded:
        yield "failed: nothing was graded"
        return
    for name, one in summary.standings.items():
        bar = one.chosen.threshold
        if bar is not None and one.score is None:
            yield f"failed: {name} was not graded"
        elif bar is not None:
            below, above = ("exceeds", "keeps to") if one.lower_is_better else ("is below", "reaches")
            yield _reached(f"{name} {mean(one.score)}", f"{bar:g}", below, above, passed=bool(one.passed))
    if fail_under is not None:
        passed = summary.score is not None and summary.score >= fail_under
        yield _reached(f"score {mean(summary.score)}", mean(fail_under), "is below", "reaches", passed=passed)
    yield from _covered(summary.coverage, min_coverage)


def _covered(coverage: float, bar: float | None) -> Iterator[str]:
    said = f"coverage {percent(coverage)}"
    if bar is not None:
        yield _reached(said, percent(bar), "is below", "reaches", passed=coverage >= bar)
    elif coverage < WHOLE:
        yield f"failed: {said} is below {percent(WHOLE)}; --min-coverage allows less"


def _reached(said: str, bar: str, below: str, above: str, *, passed: bool) -> str:
    return f"passed: {said} {above} {bar}" if passed else f"failed: {said} {below} {bar}"
