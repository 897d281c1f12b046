"""Did the agent call its tools in the order that was expected, and within the rules?

1. An order alone is graded: how much of it is there, in order. Rules are not: one that is violated makes the
   score 0, unless `partial` asks for the share that holds. A plan among rules is one of them.
2. Calls that were made at once have no order, on either side; the best order of each counts.
3. Rules look at every call, an order at those it names: other calls may stand between, unless `strict`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.agents.attempts import ATTEMPTS, attempts
from fieldwise.scorers.agents.criteria import of_option, of_record
from fieldwise.scorers.agents.ordering.grading import compared, shown_calls
from fieldwise.scorers.agents.ordering.made import LISTED, Made, Parallel, listed
from fieldwise.scorers.agents.ordering.plans import Plans
from fieldwise.scorers.agents.ordering.rules import Absent, violation
from fieldwise.scorers.agents.planning import CALLS, WHERE, CallOptions, agent_plan, columns
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fieldwise.scorers.agents.ordering.plans import Wanted
    from fieldwise.scorers.agents.planning import Given
    from fieldwise.scorers.plan import Plan

_TOLD: Final = 5
"""How many violated rules a comment tells."""


@CALLS.named
def tool_call_order(
    *,
    order: Sequence[Any] | None = None,
    rules: Mapping[str, Any] | None = None,
    strict: bool = False,
    partial: bool = False,
    parallel: Parallel = "unordered",
    absent: Absent = "violated",
    feedback_key: str = "tool_call_order",
    threshold: float = 1.0,
    **calls: Unpack[CallOptions],
) -> Plan:
    """Compare the order of an agent's tool calls with an expected one, or with rules.

    The outputs are what the agent left behind: messages, calls, spans or a run. The reference is one of

    - a list of names, alone or as `{"toolCallsOrder": [...]}`; `{"parallel": [...]}` in it is a group of
      calls in any order;
    - what an agent left behind: its calls, those made at once as a group;
    - an object of rules: `before`, `never`, `at_most` (`max_calls`), `at_least` (`min_calls`), `exactly`,
      `first`, `last`, and `plan`, a list of names as above.

    The score of a list is the length of the longest common subsequence of calls and list, divided by the
    length of the list: calls that are not in it cost nothing. Nothing expected and nothing called is 1,
    one of both 0. The score of rules is 1.0 when all hold, else 0.0. Names are equal as written, or as model
    APIs write them ("Get Weather" is "Get_Weather"); a name that no call has may be the id of one.

    Args:
        order: the list of names, for every record; None: the reference says.
        rules: the rules, for every record; None: the reference says.
        strict: full marks only for the same calls, no other ones between, in the same order; else 0.0.
        partial: the share of the rules that hold is the score; a plan adds the share of it that is there.
        parallel: "unordered": calls made at once, in one message, may come in any order; "ordered": they are
            compared as they are listed. Groups in a list of names are unordered always.
        absent: "violated": `before` asks for both tools to be called; "satisfied": it also holds when the
            later one was not called.
        calls: which calls are looked at, and where; see `planning.CallOptions`.
        feedback_key: replaces `tool_call_order` as the key.
        threshold: what the score has to reach to have passed, above 0.

    Returns:
        One result with a score in [0, 1]. The comment says where the first difference is, or which rules are
        violated; None at full marks. With a list, `extra` has `expected` and `actual` (groups as lists),
        `lcs`, `precision` (of the calls made, the share in order), `recall` (of those expected), `missing`
        and `unexpected`; lists show the first hundred. With rules it has `rules`, their number, and
        `violated`: rule, tools, reason. `bounded` says that there were so many groups that the score may be
        too low. The score is None where the reference cannot be used.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_tool_call_order_evaluator()
        >>> calls = [{"name": "format"}, {"name": "search"}, {"name": "compare"}]
        >>> result = evaluate(outputs=calls, reference_outputs=["search", "compare", "format"])
        >>> round(result["score"], 2), result["comment"]
        (0.67, "2 of 3 expected calls in order; the first difference: 'format' came out of order, call 0")
        >>> safe = fieldwise.create_tool_call_order_evaluator(rules={"before": [["confirm", "delete"]]})
        >>> safe(outputs=[{"name": "delete"}, {"name": "confirm"}])["score"]
        0.0
    """
    which = attempts(**ATTEMPTS.pick(calls))
    plans = Plans(which, options.one_of("parallel", parallel, Parallel))
    grader = _Grader(
        options.one_of("absent", absent, Absent),
        strict=options.flag("strict", strict),
        partial=options.flag("partial", partial),
    )
    if strict and partial:
        raise ConfigError("strict and partial are both given: strict is all or nothing, pass one of them")
    fixed = _fixed(plans, order, rules, calls.get("correct_answer_key"))

    def check(given: Given) -> Grade:
        wanted = of_record(plans.read, given.reference) if fixed is None else fixed
        return grader.grade(wanted, Made(which.of(given.trajectory.calls), parallel, wanted.names))

    return agent_plan(
        "tool_call_order",
        check,
        columns(**WHERE.pick(calls)),
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        requires_reference=fixed is None,
    )


def _fixed(plans: Plans, order: Any, rules: Any, correct_answer_key: str | None) -> Wanted | None:
    """What the options expect of every record; None: the reference says."""
    if order is None and rules is None:
        return None
    if order is not None and rules is not None:
        raise ConfigError("order and rules are both given: put the order into rules, as 'plan'")
    if correct_answer_key is not None:
        raise ConfigError("correct_answer_key is given beside order or rules: pass one of them")
    if rules is None:
        return of_option(plans.read, order, "order")
    if isinstance(rules, dict) and not rules:
        raise ConfigError(f"rules={shown(rules)}: name at least one rule, {{'never': ['delete']}}")
    return of_option(plans.read_rules, rules, "rules")


@dataclass(frozen=True, slots=True)
class _Grader:
    """Grades calls, as the options say."""

    absent: Absent
    strict: bool
    partial: bool

    def grade(self, wanted: Wanted, made: Made) -> Grade:
        """Grade the calls that were made by what is expected."""
        found = None if wanted.order is None else compared(wanted.order, made, strict=self.strict)
        if wanted.rules is None and found is not None:
            return Grade(found.score, found.comment if found.score < 1 else None, extra=found.extra)
        whys = [(rule, violation(rule, made, self.absent)) for rule in wanted.rules or ()]
        parts = [float(why is None) for _, why in whys]
        violated = [_told(rule.kind, rule.tools, why) for rule, why in whys if why]
        reasons = [f"{rule}: {why}" for rule, why in whys if why]
        if found is not None:
            parts.append(found.score)
            if found.score < 1:
                violated.append(_told("plan", (), found.comment))
                reasons.append(f"plan: {found.comment}")
        score = sum(parts) / len(parts) if parts else 1.0
        extra = {"rules": len(parts), "violated": violated[:LISTED], "actual": shown_calls(made)}
        extra |= found.extra if found else {}
        score = score if self.partial else float(not reasons)
        return Grade(score, _summed(len(parts), reasons), extra=extra)


def _told(kind: str, tools: Iterable[str], why: str) -> dict[str, Any]:
    return {"rule": kind, "tools": listed(tools), "reason": why}


def _summed(rules: int, reasons: list[str]) -> str | None:
    """Which rules are violated; None: they hold."""
    if not reasons:
        return None
    more = f"; and {len(reasons) - _TOLD} more" if len(reasons) > _TOLD else ""
    return f"{len(reasons)} of {rules} rules violated: {'; '.join(reasons[:_TOLD])}{more}"
