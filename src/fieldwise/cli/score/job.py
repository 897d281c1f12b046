"""What a command line of `fieldwise score` asks for, and whether it was reached."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.cli.common.bars import covered, every, least
from fieldwise.report.table import named_nothing
from fieldwise.report.words import mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise.run import Report

WORST: Final = 5
WORST_OF_FIELD: Final = 20
"""How many of the worst records are shown where nothing is said, of all fields and of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the command line asked for."""

    records: str
    evaluator: Any
    named: Mapping[str, str | None] = dataclasses.field(default_factory=dict)
    out: str | None = None
    fail_under: float | None = None
    min_coverage: float | None = None
    as_json: bool = False
    worst: int | None = None
    limit: int | None = None
    format_: Any = None
    concurrency: int = 16
    executor: str | None = None
    quiet: bool = False
    explain: str | None = None
    field: str | None = None

    @property
    def shown(self) -> int:
        """How many records to show, the worst ones."""
        if self.worst is not None:
            return self.worst
        return WORST if self.field is None else WORST_OF_FIELD

    @property
    def bars(self) -> dict[str, float | None]:
        """The bars, by the names that `Report.passed` has for them."""
        barred = self.fail_under is not None
        return {"fail_under": self.fail_under, "min_coverage": least(self.min_coverage, barred=barred)}

    def verdict(self, report: Report) -> str:
        """Say whether the bars were reached, a line each; nothing where there is none."""
        score = report.overall.mean
        if score is None:
            return "failed: nothing was graded\n"
        lines = [
            *every([("score", score, self.fail_under, mean)]),
            *covered(report.coverage, self.min_coverage, barred=self.fail_under is not None),
        ]
        never = [f"failed: {named_nothing(path)}" for path in report.never_scored if lines]
        return "".join(f"{line}\n" for line in [*lines, *never])
