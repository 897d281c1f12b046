"""LLM judge of an output: how close the whole comes to what was expected, in the eyes of a model.

The judge is asked for a number from 0 to 100, which is divided by 100. A reply that may be of another scale,
out of range or no number is asked for once more and then a judge_error. Equal values are not sent: 1.
Text is never parsed; which values are compared is said in `sides`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.equality import equal, preview
from fieldwise.core.flow import Question
from fieldwise.core.shared_options import Shared
from fieldwise.scorers import options
from fieldwise.scorers.asking import JUDGING, Asking, JudgeOptions, Judging, asking, context_of, judged_by
from fieldwise.scorers.judging import ask
from fieldwise.scorers.rewrite import rewritten
from fieldwise.scorers.sides import Sides, Unfit
from fieldwise.scorers.single import Grade, single
from fieldwise.scorers.text_checks import Common

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise.core.flow import Flow
    from fieldwise.core.prompts import Prompt
    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

ENVELOPES: Final = ("expectedOutput", "expected_output")
_OUTPUT: Final = "output"
_FULL: Final = 100
_CRITERION: Final = "The actual output says what the expected output says."
_PROMPT: Final = """\
How much of what the expected output says does the actual output say?

100: all of it, in whatever words, order and form, and nothing that contradicts it.
0: none of it, or the opposite.
In between: the share that is there and right, less for what is wrong, misleading or beside the point.

Expected output:
<ExpectedOutput>
{{ExpectedOutput}}
</ExpectedOutput>

Actual output:
<ActualOutput>
{{ActualOutput}}
</ActualOutput>"""


class Whole(options.Target, options.Keys, options.Values, total=False):
    """Which values are judged; text is not parsed."""


class OutputOptions(JudgeOptions, Whole, total=False):
    """Who judges, how it is asked, and which values are judged."""


WHOLE: Final = Shared[Whole](Whole, {}, options.TARGET, options.KEYS, options.VALUES)
OUTPUT: Final = Shared[OutputOptions](OutputOptions, {}, JUDGING, WHOLE)


@OUTPUT.named
def llm_judge_output(
    *,
    feedback_key: str = "llm_judge_output",
    threshold: float = 0.7,
    **given: Unpack[OutputOptions],
) -> Plan:
    """Have a model say how close an output comes to the expected one.

    The reference is a value, or an object with `expectedOutput` (or `expected_output`) as its sole key. A
    callable judge answers the question `output` with a number from 0 to 100. What the evaluator is called
    with as `context=` and `retrieval_context=` is shown to the judge, each in a section of its own.

    Args:
        prompt: words of your own; see `asking`. `{{ExpectedOutput}}` and `{{ActualOutput}}` become the two
            sides as JSON; a side that it leaves out is added at its end. `{{Context}}` and
            `{{RetrievalContext}}` likewise, where the evaluator is called with them.
        given: who judges what; see `OutputOptions`.
        feedback_key: replaces `llm_judge_output` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1; None where it could not be judged.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> def judge(request):
        ...     return {one.id: {"score": 80, "reasoning": "no date"} for one in request.questions}
        >>> evaluate = fieldwise.create_llm_judge_output_evaluator(judge=judge)
        >>> result = evaluate(outputs="It ships.", reference_outputs="It ships on Monday.")
        >>> result["score"], result["comment"]
        (0.8, 'no date')
    """
    told = OUTPUT.complete(given)
    judging = Judging(**JUDGING.pick(told))
    options.judge_given("llm_judge_output", judging.judge, judging.model)
    sides = Common(
        WHOLE.pick(told),
        envelopes=ENVELOPES,
        one_value=False,
        mirrored=True,
    ).sides()
    judged = _Judged(
        sides,
        asking(judging.prompt, _PROMPT, judging.template_format),
        use_reasoning=options.flag("use_reasoning", judging.use_reasoning),
        drop=sides.reader.null_policy == "null_equals_missing",
    )
    plan = single(
        "llm_judge_output",
        judged.check,
        judged.sides.reader,
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        takes_more=True,
    )
    return judged_by(plan, judging)


@dataclass(frozen=True, slots=True)
class _Judged:
    """The checked options, and the check of one record."""

    sides: Sides
    asking: Asking
    use_reasoning: bool
    drop: bool

    def check(self, documents: Documents, more: Mapping[str, Any]) -> Grade | Flow[Grade]:
        place = self.sides.place
        try:
            expected, actual = self.sides.take(documents)
        except Unfit as unfit:
            score = None if unfit.grade.score is None else 0.0
            return replace(unfit.grade, score=score, path=place)
        if self.drop:
            expected, actual = (rewritten(side, drop=True) for side in (expected, actual))
        if equal(expected, actual):
            return Grade(1.0, path=place)
        prompt = self.asking.render({"outputs": actual, "reference_outputs": expected, **context_of(more)})
        if isinstance(prompt, str):
            return Grade(None, prompt, "not_evaluated", path=place)
        return percent(
            Question(_OUTPUT, place, _CRITERION, expected, actual, "percent"),
            prompt,
            use_reasoning=self.use_reasoning,
            otherwise=f"expected {preview(expected)}, got {preview(actual)}",
        )


def percent(question: Question, prompt: Prompt, *, use_reasoning: bool, otherwise: str) -> Flow[Grade]:
    """Ask for a number from 0 to 100; the grade is a hundredth of it.

    Args:
        question: on that scale.
        prompt: how it is asked.
        use_reasoning: whether the comment is the judge's explanation.
        otherwise: the comment where there is none and the score is not full.
    """
    judged = yield from ask([question], reasoning=use_reasoning, prompt=prompt)
    extra = {"comparator": "judge", "usage": judged.usage}
    answer = judged.answers.get(question.id)
    if answer is None:
        return Grade(None, judged.reasons[question.id], judged.status, extra, question.field)
    score = float(answer.score / _FULL)
    comment = answer.reasoning if use_reasoning else None
    if comment is None and score < 1:
        comment = otherwise
    return Grade(score, comment, extra=extra, path=question.field)
