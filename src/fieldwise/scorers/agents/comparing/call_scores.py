"""The arguments of one record's calls scored: paired, judged where a judge has a say, folded into one grade.

1. Calls pair one to one within each tool: by right and wrong so that the most fit, or, where credit is
   graded or a judge decides, so that the sum of what is right is greatest. A text that a judge will decide
   on counts by how alike it reads.
2. Then, and only for pairs in which everything else is right, the judge is asked, once for all of them. When
   all or nothing is at stake and it is nothing already, nobody is asked.
3. An expected call that could be right but for a comparison that failed, or an answer that did not come,
   withholds the score.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from math import fsum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fieldwise.core.explain import line
from fieldwise.scorers.agents.comparing import call_report
from fieldwise.scorers.agents.comparing.call_report import Row
from fieldwise.scorers.agents.comparing.expected_calls import refuse_slips
from fieldwise.scorers.agents.comparing.pairs import Comparing
from fieldwise.scorers.agents.comparing.weighing import Measure, pair_by_weight, share
from fieldwise.scorers.agents.comparing.wildcards import has_marker
from fieldwise.scorers.agents.matching import Pairing, near_misses, pair_calls, rest
from fieldwise.scorers.agents.names import both_keys, tool_key
from fieldwise.scorers.judging import judge_outcomes
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.core.flow import Flow
    from fieldwise.scorers.agents.attempts import Attempts
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.comparing.tool_rules import ToolRule, ToolRules
    from fieldwise.scorers.agents.comparing.verdicts import Verdict
    from fieldwise.scorers.agents.planning import Given

Scoring: TypeAlias = Literal["all_or_nothing", "graded"]


@dataclass(frozen=True, slots=True)
class CallScores:
    """The checked options, and the check of one record.

    Attributes:
        rules: how the arguments of each tool compare.
        attempts: which of the agent's calls are looked at.
        measure: of what the score is a share.
        graded: whether a call that is partly right counts in part.
        strict: whether anything less than all is nothing.
        part: what the parts of a call are called, for people.
        what: what is counted, for people.
    """

    rules: ToolRules
    attempts: Attempts
    measure: Measure
    graded: bool
    strict: bool
    part: str = "argument "
    what: str = "calls"

    def check(self, given: Given) -> Grade | Flow[Grade]:
        """Grade one record; its reference is the expected calls."""
        expected: Sequence[ToolCall] = given.reference
        actual = self.attempts.of(given.trajectory.calls, self._settled)
        if not expected or not actual:
            return nothing_to_pair(len(expected), len(actual))
        return self.scored(expected, actual)

    def scored(self, expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> Grade | Flow[Grade]:
        """Grade the calls of one record against those expected; neither side is empty.

        Raises:
            Unfit: for a misspelt wildcard.
        """
        refuse_slips(expected, actual)
        names, meant = both_keys(expected, actual)
        options = replace(self, rules=self.rules.known_as(meant)) if meant else self
        work = options.begun(expected, actual, names)
        work.pair()
        asked = work.open() if self.rules.judged else []
        return work.judged(asked) if asked else work.grade()

    def begun(self, expected: Sequence[ToolCall], actual: Sequence[ToolCall], names: Any) -> _Work:
        """The calls as the rules of their tools read them."""
        unknown: list[dict[str, Any]] = []
        if self.rules.reads:
            expected = [self._expected(call, name) for call, name in zip(expected, names[0], strict=True)]
            actual = [self._actual(call, name, unknown) for call, name in zip(actual, names[1], strict=True)]
        return _Work(self, expected, actual, names, Comparing(self.rules, expected, names[0]), unknown)

    def _settled(self, call: ToolCall) -> dict[str, Any]:
        """The arguments of a call as its rule reads them, to tell a retry by."""
        return self.rules.of(tool_key(call.name) if call.name else None).settled(call.args)

    def _expected(self, call: ToolCall, tool: str | None) -> ToolCall:
        """The call as the rule of its tool reads it; wildcards are read when they are settled."""
        if has_marker(call.args):
            return call
        args = self.rules.of(tool).read(call.args, expected=True)
        return call if args is call.args else replace(call, args=args)

    def _actual(self, call: ToolCall, tool: str | None, unknown: list[dict[str, Any]]) -> ToolCall:
        """The call as the rule of its tool reads it; one with an argument that is forbidden has a problem."""
        rule: ToolRule = self.rules.of(tool)
        if call.problem is not None or tool is None:
            return call
        came = call.args
        args = rule.read(came, expected=False)
        if args is not came:
            call = replace(call, args=args)
        for name in rule.unknown_in(args, came):
            unknown.append({"tool": call.name, "by": call.at, "argument": name})
            if rule.unknown == "forbid":
                return replace(call, problem=f"the tool has no argument {name!r}")
        return call


@dataclass(slots=True)
class _Work:
    """One record on its way to a grade."""

    options: CallScores
    expected: Sequence[ToolCall]
    actual: Sequence[ToolCall]
    names: Any
    comparing: Comparing
    unknown: list[dict[str, Any]]
    pairing: Pairing = field(default_factory=Pairing)
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    near: dict[int, int] = field(default_factory=dict)

    def pair(self) -> None:
        """Pair the calls, compare those pairs that may not be right, and find the nearest of the rest."""
        comparing = self.comparing
        if self.options.graded:
            weigh = partial(comparing.credits, measure=self.options.measure)
            self.pairing = pair_by_weight(self.expected, self.actual, weigh, self.names)
        elif self.options.rules.judged:
            self.pairing = pair_by_weight(self.expected, self.actual, comparing.possible, self.names)
        else:
            self.pairing = pair_calls(self.expected, self.actual, comparing.rule_of, names=self.names)
        told = [self.pairing.note, *comparing.notes.values()]
        self.pairing.note = "; ".join(one for one in told if one) or None
        near = near_misses(self.expected, self.actual, self.pairing, self._faults, names=self.names)
        certain = not self.options.graded and not self.options.rules.judged
        if not (certain and comparing.all_plain):
            for came, at in self.pairing.pairs:
                if not (certain and comparing.is_plain(self.names[0][at])):
                    self._compare(came, at)
        for came, at in near:
            self._compare(came, at)
        fit = [pair for pair in near if self.verdicts[pair[1]].fits]
        if fit:  # only where not every pair was compared
            found = Pairing([*self.pairing.pairs, *fit], note=self.pairing.note)
            self.pairing = rest(found, len(self.expected), len(self.actual))
        self.near = {at: came for came, at in near if (came, at) not in fit}

    def _compare(self, came: int, at: int) -> None:
        self.verdicts[at] = self._verdict(came, at)

    def _verdict(self, came: int, at: int) -> Verdict:
        return self.comparing.verdict(self.names[0][at], self.expected[at], self.actual[came])

    def _faults(self, came: int, at: int) -> int:
        """How many things are wrong with a pair."""
        found = self._verdict(came, at)
        return found.wanted + 1 if found.problem is not None else len(found.faults())

    def open(self) -> list[Any]:
        """Return what a judge has to say: nothing where its word cannot change anything."""
        hopeless = self.options.strict and self.pairing.missing and not self.comparing.broken
        if hopeless and self.options.measure == "recall":
            return []
        return [one for _, at in self.pairing.pairs for one in self.verdicts[at].open()]

    def judged(self, asked: list[Any]) -> Flow[Grade]:
        """Ask the judge, then grade."""
        usage = yield from judge_outcomes(asked)
        return self.grade(usage)

    def grade(self, usage: dict[str, float] | None = None) -> Grade:
        """Fold what was found into one grade."""
        rows = self._rows()
        extra = self._extra(rows)
        if usage is not None:
            extra["usage"] = usage
        cause = self._withheld()
        if cause is not None:
            return Grade(None, f"{cause.status}: {line(cause)}", cause.status, extra)
        credit = fsum([self._credit(at) for _, at in self.pairing.pairs])
        score = share(self.options.measure, credit, len(self.expected), len(self.actual))
        if self.options.strict:
            score = float(score == 1.0)
        what = f"{self.options.what} {'wholly ' * self.options.graded}right"
        return Grade(score, call_report.comment(rows, self.pairing.note, what), extra=extra)

    def _fits(self, at: int) -> bool:
        return at not in self.verdicts or self.verdicts[at].fits

    def _credit(self, at: int) -> float:
        if not self.options.graded or at not in self.verdicts:
            return float(self._fits(at))
        found = self.verdicts[at]
        return share(self.options.measure, found.right(), found.wanted, found.came)

    def _withheld(self) -> Any:
        """What could not be graded and may have been right; None: nothing."""
        for _, at in self.pairing.pairs:
            for one in self.verdicts[at].outcomes() if at in self.verdicts else ():
                if one.score is None and one.status != "graded":
                    return one
        for at in self.pairing.missing if self.comparing.broken else ():
            cause = self.comparing.broken_of(self.names[0][at], self.expected[at])
            if cause is not None:
                return cause
        return None

    def _rows(self) -> list[Row]:
        partners = {at: came for came, at in self.pairing.pairs}
        rows = []
        for at, call in enumerate(self.expected):
            came = partners.get(at, self.near.get(at))
            actual = None if came is None else self.actual[came]
            matched = at in partners and self._fits(at)
            rows.append(Row(at, call, actual, self.verdicts.get(at), matched, self.options.part))
        return rows

    def _extra(self, rows: list[Row]) -> dict[str, Any]:
        hits = sum(row.matched for row in rows)
        taken = {came for came, _ in self.pairing.pairs}
        free = [call for at, call in enumerate(self.actual) if at not in taken]
        extra: dict[str, Any] = {
            "calls": call_report.rates(hits, len(self.expected), len(self.actual)),
            "report": call_report.report(rows),
            "unexpected_calls": call_report.surplus(free),
        }
        if self.options.part:
            extra["arguments"] = call_report.rates(*self._arguments(rows))
        if self.unknown:
            extra["unknown_arguments"] = self.unknown[: call_report.SHOWN_CALLS]
        if self.pairing.note:
            extra["pairing"] = self.pairing.note
        return extra

    def _arguments(self, rows: list[Row]) -> tuple[float, int, int]:
        """How many arguments are right, were expected, and came, over all calls."""
        right: list[float] = []
        wanted = came = 0
        for row in rows:
            if row.verdict is not None:
                right.append(row.verdict.right())
                wanted += row.verdict.wanted
                came += row.verdict.came
            elif row.actual is None:
                wanted += len(row.expected.args)
            else:
                same = self._plainly(row.expected, row.actual, self.names[0][row.at])
                right.append(same)
                wanted += same
                came += same
        used = {at for at, _ in self.pairing.pairs} | set(self.near.values())
        came += sum([len(call.args) for at, call in enumerate(self.actual) if at not in used])
        total = fsum(right)
        return (int(total) if total.is_integer() else total), wanted, came

    def _plainly(self, expected: ToolCall, actual: ToolCall, tool: str | None) -> int:
        """How many arguments count in a pair that fits by the index."""
        mode = self.options.rules.of(tool).mode
        if mode == "ignore":
            return 0
        return len(actual.args if mode == "subset" else expected.args)


def nothing_to_pair(expected: int, actual: int) -> Grade:
    """Grade a record in which one side has no calls: nothing expected and nothing done is right."""
    if expected == actual == 0:
        return Grade(1.0, extra={"calls": call_report.rates(0, 0, 0)})
    wanted = "1 call was" if expected == 1 else f"{expected} calls were"
    told = f"{wanted} expected, none was made" if expected else f"no calls were expected, {actual} made"
    return Grade(0.0, told, extra={"calls": call_report.rates(0, expected, actual)})
