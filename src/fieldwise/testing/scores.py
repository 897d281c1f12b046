"""The scores of a test run: counts that merge, and what is shown of them.

However tests were spread over processes, and in whatever order their counts are merged, the numbers are the
same: sums are exact, tests are told apart by their names, and of two equally bad ones the first by name is
the worst. Counting and rates are those of `fieldwise.run`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise._types import Results
    from fieldwise.run import Report, Tally

_KEY: Final = 48
_WORST: Final = 160
_INTERVAL: Final = ("interval", "interval_method")
_SUMS: Final = ("score", "coverage", "pass_rate", "graded", "total", "statuses")


@dataclass(slots=True)
class Scores:
    r"""What was scored.

    Attributes:
        tests: the tests that scored something.
        records: how many times something was scored.
        tallies: feedback key to its counts.

    >>> result = {"key": "k", "score": 0.5, "comment": None, "metadata": {}, "extra": {}}
    >>> scores = Scores()
    >>> scores.add("test_a", [result])
    >>> print(*scores.lines(), sep="\n")
    key   mean  graded  coverage  worst test
    k    0.500       1      100%  0.500 test_a
    <BLANKLINE>
    score 0.500 over 1 graded result, coverage 100%, 1 record in 1 test
    """

    tests: set[str] = field(default_factory=set)
    records: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)

    def add(self, test: str, results: Results) -> None:
        """Count the results of one record that a test scored."""
        from fieldwise.run import Tally

        self.tests.add(test)
        self.records += 1
        for one in results:
            tally = Tally()  # one of its own: merging is what knows ties
            tally.add(one, one["extra"].get("status", "graded"), 0, test)
            self.tallies.setdefault(one["key"], Tally()).add_up(tally)

    def merge(self, other: Scores) -> None:
        """Count what `other` counted."""
        from fieldwise.run import Tally

        self.tests |= other.tests
        self.records += other.records
        for key, tally in other.tallies.items():
            self.tallies.setdefault(key, Tally()).add_up(tally)

    def report(self) -> Report:
        """Return the counts as those of a run, which knows their rates."""
        from fieldwise.run import Report

        return Report(keep_results=False, count=self.records, fields=dict(sorted(self.tallies.items())))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON, in the words of `Report.to_dict`."""
        found = self.report().to_dict()
        fields = {
            key: {name: value for name, value in one.items() if name not in _INTERVAL}
            for key, one in found["fields"].items()
        }
        sums = {name: found[name] for name in _SUMS}
        return {**sums, "tests": len(self.tests), "records": self.records, "fields": fields}

    def lines(self) -> Iterator[str]:
        """Yield a table of the feedback keys, the costliest first, and a line of all together."""
        from fieldwise.report.page import MAX_ROWS
        from fieldwise.report.table import by_cost
        from fieldwise.report.words import aligned, clip, count, mean, percent

        report = self.report()
        ranked = sorted(report.fields.items(), key=by_cost)
        rows = [("key", "mean", "graded", "coverage", "worst test")]
        for key, tally in ranked[:MAX_ROWS]:
            rates = (mean(tally.mean), f"{tally.answered:,}", percent(report.field_coverage(key)))
            rows.append((clip(key, _KEY), *rates, _worst(tally)))
        yield from aligned(rows, "<>>>")
        if len(ranked) > MAX_ROWS:
            yield f"and {len(ranked) - MAX_ROWS:,} more; --fieldwise-report=FILE has all"
        yield ""
        overall = report.overall
        yield (
            f"score {mean(overall.mean)} over {count(overall.graded, 'graded result')}, "
            f"coverage {percent(report.coverage)}, "
            f"{count(self.records, 'record')} in {count(len(self.tests), 'test')}"
        )
        lost = {status: number for status, number in overall.statuses.items() if status != "graded"}
        if lost:
            yield ", ".join(f"{status} {number:,}" for status, number in sorted(lost.items()))


def _worst(tally: Tally) -> str:
    from fieldwise.report.words import clip, mean

    worst = tally.worst
    if worst is None or worst.right:
        return ""
    return clip(f"{mean(worst.score)} {worst.id}", _WORST)
