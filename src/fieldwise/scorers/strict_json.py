"""LLM judge of an output's members: a model says of each how it compares, the code does the sum.

Of N expected members each can cost 100/N: it costs nothing where it is the same, half where the model says
"partial", all where it says "wrong" or the output has no such member; each member of the output that nobody
expected costs 10/N. The score is what is left of 100, divided by 100, and never below 0. Nothing expected:
1, or 0 if something came. A reference that is no object is one member, `$`.

Members that are equal are the same without being asked about, missing ones wrong. One member that could not
be judged withholds the score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise._types import MISSING
from fieldwise.core.display import one_line
from fieldwise.core.equality import equal, preview
from fieldwise.core.explain import PLACE_LIMIT, REASON_LIMIT, SHOWN
from fieldwise.core.flow import Question
from fieldwise.core.read import Problem
from fieldwise.core.shared_options import Shared
from fieldwise.scorers import options
from fieldwise.scorers.asking import JUDGING, Asking, JudgeOptions, Judging, asking, context_of, judged_by
from fieldwise.scorers.judged import ENVELOPES
from fieldwise.scorers.judging import ask
from fieldwise.scorers.single import Grade, single
from fieldwise.scorers.target import Aim, aim

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import Missing
    from fieldwise.core.flow import Flow
    from fieldwise.core.read import Documents
    from fieldwise.scorers.judging import Judged
    from fieldwise.scorers.plan import Plan

COSTS: Final = {"same": 0, "partial": 50, "wrong": 100, "missing": 100, "extra": 10}
"""Verdict to what a member costs, in parts of 100/N."""

_CHOICES: Final = ("same", "partial", "wrong")
_WHOLE: Final = 100
_LISTED: Final = 50
_CRITERION: Final = (
    'How does `actual` compare with `expected`? "same": it says the same, in whatever words or form. '
    '"partial": part of what was expected is there, and nothing contradicts it. "wrong": anything else.'
)
_PROMPT: Final = """\
Compare the members of an actual output with those of the expected one, each by itself.

Expected output:
<ExpectedOutput>
{{ExpectedOutput}}
</ExpectedOutput>

Actual output:
<ActualOutput>
{{ActualOutput}}
</ActualOutput>"""


class StrictOptions(JudgeOptions, options.Target, options.Reading, total=False):
    """Who judges, how it is asked, and how both sides are read."""


STRICT: Final = Shared[StrictOptions](StrictOptions, {}, JUDGING, options.TARGET, options.READING)


@STRICT.named
def llm_judge_strict_json(
    *,
    feedback_key: str = "llm_judge_strict_json",
    threshold: float = 1.0,
    **given: Unpack[StrictOptions],
) -> Plan:
    """Have a model compare an object member by member; each that differs has its price.

    The reference is an object, or an object with `expectedOutput` (or `expected_output`) as its sole key.
    A callable judge answers each question, whose id is the member's name, with "same", "partial" or
    "wrong". `extra["keys"]` lists the first 50 members that are not the same: path, verdict, cost in points
    of 100, reasoning. `context=` and `retrieval_context=` are shown to the judge, as `llm_judge_output` does.

    Args:
        prompt: words of your own; see `asking`. What is asked of each member is added at its end.
        use_reasoning: whether the model is to explain itself.
        target_output_key: "*" for the whole, a path, or a list of paths, each then a member; the same in a
            reference that is an object.
        given: who judges what; see `StrictOptions`.
        feedback_key: replaces `llm_judge_strict_json` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1; None where it could not be judged.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_llm_judge_strict_json_evaluator(judge=lambda _: {"who": "partial"})
        >>> result = evaluate(outputs={"who": "Ada", "n": 1}, reference_outputs={"who": "Ada L.", "n": 1})
        >>> result["score"], result["comment"]
        (0.75, 'who: expected "Ada L.", got "Ada" [partial -25]')
    """
    told = STRICT.complete(given)
    judging = Judging(**JUDGING.pick(told))
    options.judge_given("llm_judge_strict_json", judging.judge, judging.model)
    reader = options.reader(**options.READING.pick(told))
    at = aim("target_output_key", told.get("target_output_key"), reader)
    check = _Strict(
        asking(judging.prompt, _PROMPT, judging.template_format, listed=True),
        at,
        use_reasoning=options.flag("use_reasoning", judging.use_reasoning),
    ).check
    plan = single(
        "llm_judge_strict_json",
        check,
        replace(reader, envelopes=ENVELOPES),
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        shaped=at.target is None,
        takes_more=True,
    )
    return judged_by(plan, judging)


@dataclass(slots=True)
class _Member:
    """One member of either side, and what was said of it; an empty verdict is still to be given."""

    name: str
    expected: Any
    actual: Any
    verdict: str
    reasoning: str | None = None


@dataclass(frozen=True, slots=True)
class _Strict:
    """The checked options, and the check of one record."""

    asking: Asking
    aim: Aim
    use_reasoning: bool

    def check(self, documents: Documents, more: Mapping[str, Any]) -> Grade | Flow[Grade]:
        found = self.aim.take(documents)
        if isinstance(found, Problem):
            return Grade(found.score(0.0), found.reason, found.status)
        expected, actual = found
        members = _members(expected, actual)
        if all(one.verdict for one in members):
            return _summed(members, {})
        prompt = self.asking.render({"outputs": actual, "reference_outputs": expected, **context_of(more)})
        if isinstance(prompt, str):
            return Grade(None, prompt, "not_evaluated")
        return self._asked(members, prompt)

    def _asked(self, members: list[_Member], prompt: Any) -> Flow[Grade]:
        open_ones = [one for one in members if not one.verdict]
        questions = [
            Question(one.name, one.name, _CRITERION, one.expected, one.actual, "choice", _CHOICES)
            for one in open_ones
        ]
        judged = yield from ask(questions, reasoning=self.use_reasoning, prompt=prompt)
        extra = {"comparator": "judge", "usage": judged.usage}
        if judged.reasons:
            return _withheld(open_ones, judged, extra)
        for one in open_ones:
            answer = judged.answers[one.name]
            one.verdict = answer.score
            one.reasoning = answer.reasoning if self.use_reasoning else None
        return _summed(members, extra)


def _members(expected: Any, actual: Any) -> list[_Member]:
    """The expected members, then those that nobody expected."""
    if not isinstance(expected, dict):
        return [_Member("$", expected, actual, _plain(expected, actual))]
    came = actual if isinstance(actual, dict) else {}
    wanted = [
        _Member(name, value, came.get(name, MISSING), _plain(value, came.get(name, MISSING)))
        for name, value in expected.items()
    ]
    surplus = [_Member(name, MISSING, came[name], "extra") for name in came if name not in expected]
    return wanted + surplus


def _plain(expected: Any, actual: Any | Missing) -> str:
    """The verdict that needs no judge."""
    if actual is MISSING:
        return "missing"
    return "same" if equal(expected, actual) else ""


def _summed(members: Sequence[_Member], extra: Mapping[str, Any]) -> Grade:
    count = sum(one.verdict != "extra" for one in members)
    cost = sum(COSTS[one.verdict] for one in members)
    differing = [one for one in members if one.verdict != "same"]
    listed = [
        {
            "path": one_line(one.name, PLACE_LIMIT),
            "verdict": one.verdict,
            "cost": COSTS[one.verdict] / count if count else _WHOLE,
            "reasoning": None if one.reasoning is None else one_line(one.reasoning, REASON_LIMIT),
        }
        for one in differing[:_LISTED]
    ]
    score = max(0, _WHOLE * count - cost) / (_WHOLE * count) if count else float(not members)
    return Grade(score, _comment(differing, count), extra={**extra, "keys": listed, "expected_keys": count})


def _comment(differing: Sequence[_Member], count: int) -> str | None:
    if not differing:
        return None
    more = f"; and {len(differing) - SHOWN} more" if len(differing) > SHOWN else ""
    return "; ".join(_line(one, count) for one in differing[:SHOWN]) + more


def _line(one: _Member, count: int) -> str:
    place = one_line(one.name, PLACE_LIMIT)
    if one.verdict == "missing":
        text = f"{place}: expected {preview(one.expected)}, missing"
    elif one.verdict == "extra":
        text = f"{place}: got {preview(one.actual)}, not expected"
    else:
        text = f"{place}: expected {preview(one.expected)}, got {preview(one.actual)}"
    why = f" ({one_line(one.reasoning, REASON_LIMIT)})" if one.reasoning else ""
    return f"{text}{why} [{one.verdict} -{COSTS[one.verdict] / count if count else _WHOLE:.4g}]"


def _withheld(asked: Sequence[_Member], judged: Judged, extra: Mapping[str, Any]) -> Grade:
    """The grade where a member could not be judged."""
    lost = [
        f"{one_line(one.name, PLACE_LIMIT)}: {judged.reasons[one.name]}"
        for one in asked
        if one.name in judged.reasons
    ]
    more = f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
    return Grade(None, "; ".join(lost[:SHOWN]) + more, judged.status, extra)
