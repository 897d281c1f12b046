"""What became of each expected call, in words and as JSON: the report, the comment, the counts.

| verdict of a call | |
|---|---|
| matched | a call that was made answers it |
| wrong | the nearest call of its tool has arguments that are not right |
| malformed | the nearest call of its tool has arguments that cannot be read |
| missing | its tool was not called, or not often enough |

| verdict of an argument | |
|---|---|
| missing | expected, and did not come |
| hallucinated | came, and was not expected |
| wrong | came with another value |
| not_graded | could not be compared |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import cut, one_line
from fieldwise.core.equality import preview
from fieldwise.core.explain import line
from fieldwise.core.select import place_name
from fieldwise.scorers.agents.comparing.weighing import share

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise.core.compare import Outcome
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.comparing.verdicts import Verdict

SHOWN_CALLS: Final = 50
SHOWN_FAULTS: Final = 20
_NAME: Final = 200
_FAULT: Final = 1_000
_LONGEST: Final = 500


@dataclass(frozen=True, slots=True)
class Row:
    """One expected call, the actual one that answers it or comes nearest, and how they compare.

    `part` is what its parts are called, for people.
    """

    at: int
    expected: ToolCall
    actual: ToolCall | None
    verdict: Verdict | None
    matched: bool
    part: str = "argument "

    @property
    def word(self) -> str:
        """The verdict of the call."""
        if self.matched:
            return "matched"
        if self.actual is None:
            return "missing"
        return "malformed" if self.actual.problem is not None else "wrong"

    def told(self) -> dict[str, Any]:
        """Return the row as JSON."""
        found: dict[str, Any] = {"call": self.at, "tool": self.expected.name, "verdict": self.word}
        if self.actual is not None:
            found["by"] = self.actual.at
            if self.actual.problem is not None:
                found["reason"] = one_line(self.actual.problem, _LONGEST)
        if self.verdict is not None:
            faults = [_fault(one, self.verdict) for one in self.verdict.faults()[:SHOWN_FAULTS]]
            if faults:
                found["faults"] = faults
        return found

    def said(self) -> str:
        """Return the first thing that is wrong, in words."""
        who = f"call {self.at} ({cut(self.expected.name or '', _NAME)})"
        if self.actual is None:
            return f"{who}: not made; expected {preview(self.expected.args)}"
        if self.actual.problem is not None:
            return f"{who}: {one_line(self.actual.problem, _LONGEST)}"
        faults = self.verdict.faults() if self.verdict is not None else []
        if not faults:
            return f"{who}: {self._unsaid()}"
        more = f"; and {len(faults) - 1} more" if len(faults) > 1 else ""
        return f"{who}, {self.part}{cut(line(faults[0]), _FAULT)}{more}"

    def _unsaid(self) -> str:
        """Why a call is not right of which nothing is wrong."""
        if self.verdict is not None and self.verdict.problem:
            return self.verdict.problem
        if self.verdict is not None and self.verdict.open():
            return "not asked of the judge, nothing could come of it"
        return "no call is left that answers it"


def _fault(outcome: Outcome, verdict: Verdict) -> dict[str, Any]:
    """What is wrong with one place in the arguments."""
    name = str(outcome.where[0]) if outcome.where else outcome.name
    word = "wrong"
    if outcome.score is None:
        word = "not_graded"
    elif name in verdict.missing or outcome.actual is MISSING:
        word = "missing"
    elif name in verdict.unexpected or outcome.expected is MISSING:
        word = "hallucinated"
    found: dict[str, Any] = {
        "argument": place_name(outcome.where) if len(outcome.where) > 1 else name,
        "verdict": word,
    }
    for side, value in (("expected", outcome.expected), ("got", outcome.actual)):
        if value is not MISSING:
            found[side] = preview(value)
    if outcome.score:
        found["score"] = outcome.score
    if outcome.reason and outcome.reason not in {"missing", "unexpected"}:
        found["reason"] = one_line(outcome.reason, _LONGEST)
    return found


def rates(right: float, wanted: int, came: int) -> dict[str, Any]:
    """Return counts, and precision, recall and F1 over them."""
    return {
        "expected": wanted,
        "actual": came,
        "right": right,
        "precision": share("precision", right, wanted, came),
        "recall": share("recall", right, wanted, came),
        "f1": share("f1", right, wanted, came),
    }


def report(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return what became of the calls; of many those that are not right go first."""
    if len(rows) > SHOWN_CALLS:
        rows = sorted(rows, key=lambda row: row.matched)[:SHOWN_CALLS]
    return [row.told() for row in rows]


def surplus(calls: Iterable[ToolCall]) -> list[dict[str, Any]]:
    """Return the calls that answer none, bounded."""
    return [{"tool": call.name, "by": call.at} for call in calls][:SHOWN_CALLS]


def comment(rows: Sequence[Row], note: str | None, what: str = "calls right") -> str | None:
    """Return how many calls are right and what is wrong first; None when there is nothing to say."""
    wrong = next((row for row in rows if not row.matched), None)
    if wrong is None:
        return note
    told = f"{sum(row.matched for row in rows)} of {len(rows)} {what}: {wrong.said()}"
    return f"{told}; {note}" if note else told
