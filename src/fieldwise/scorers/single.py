"""Evaluators with one result: a check over two documents, its grade, and the card that shows it.

A check is a pure function of the documents read. It returns a `Grade`, or a flow that does, where a judge
has to be asked; what could not be read never reaches it. An evaluator of this kind is one declaration:
options in, `single(...)` out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.display import utf8, utf8_json, utf8_name
from fieldwise.core.read import misfit
from fieldwise.scorers import options
from fieldwise.scorers.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fieldwise._types import EvaluatorResult, Status
    from fieldwise.core.flow import Flow
    from fieldwise.core.policy import Entry
    from fieldwise.core.read import Reader
    from fieldwise.scorers.plan import Card


@dataclass(slots=True)
class Grade:
    """What a check found.

    Attributes:
        score: in the evaluator's documented range, a bool where it is boolean by nature, None: not graded.
        comment: for people; None when there is nothing to say.
        status: `graded` unless something kept it from being graded.
        extra: more for `extra`, as JSON.
        path: the place it speaks of.
    """

    score: float | bool | None
    comment: str | None = None
    status: Status = "graded"
    extra: Mapping[str, Any] = field(default_factory=dict)
    path: str = "$"


Check: TypeAlias = "Callable[..., Grade | Flow[Grade]]"
"""`(documents)`, and where the plan takes more, `(documents, more)`."""
Prepare: TypeAlias = "Callable[[Any, Any], tuple[Any, Any]]"


def single(
    name: str,
    check: Check,
    reader: Reader,
    *,
    feedback_key: str | None = None,
    threshold: float = 1.0,
    requires_reference: bool = True,
    lower_is_better: bool = False,
    worst: float | bool | None = None,
    shaped: bool = False,
    prepare: Prepare | None = None,
    entries: Sequence[Entry] = (),
    takes_more: bool = False,
) -> Plan:
    """Make a plan whose evaluator returns one result.

    Args:
        name: the evaluator's name.
        check: grades two documents that could be read.
        reader: how both sides are read.
        feedback_key: replaces the name as the key.
        threshold: what the score has to reach to have passed; with `lower_is_better`, not exceed.
        requires_reference: whether a missing reference is a fault.
        lower_is_better: whether the score is a distance.
        worst: the score of an output that cannot be read; 0.0 unless stated, 1.0 for a distance.
        shaped: whether an output of another shape than the reference's cannot be read.
        prepare: changes what was handed over, `(outputs, reference_outputs)`, before it is read.
        entries: the options by path.
        takes_more: whether the check wants to know what else the evaluator was called with.
    """
    key = options.text("feedback_key", name if feedback_key is None else feedback_key)
    lost = float(lower_is_better) if worst is None else worst

    def passed(score: float | bool | None) -> bool:  # noqa: FBT001 - a score, not a switch
        if score is None:
            return False
        return score <= threshold if lower_is_better else score >= threshold

    def flow(inputs: Any, outputs: Any, reference_outputs: Any, **more: Any) -> Flow[Card]:
        if prepare is not None:
            outputs, reference_outputs = prepare(outputs, reference_outputs)
        documents = reader.read(inputs, outputs, reference_outputs)
        problem = documents.problem
        if problem is None and (shaped or documents.actual is MISSING):
            problem = misfit(documents.expected, documents.actual)
        if problem is None:
            found = check(documents, more) if takes_more else check(documents)
            grade = found if isinstance(found, Grade) else (yield from found)
        else:
            grade = Grade(problem.score(lost), problem.reason, problem.status)
        return SingleCard(key, grade, documents.ledger, passed(grade.score), lower_is_better)

    return Plan(
        name,
        flow,
        entries=entries,
        requires_reference=requires_reference,
        single=True,
        takes_more=takes_more,
        reader=reader,
        thresholds=(threshold,),
    )


@dataclass(slots=True)
class SingleCard:
    """A record scored as one result."""

    key: str
    grade: Grade
    ledger: Mapping[str, Sequence[str]]
    passed: bool
    lower_is_better: bool = False

    def results(self) -> list[EvaluatorResult]:
        """Return the one result."""
        return [self.summary()]

    def summary(self) -> EvaluatorResult:
        """Return the one result."""
        grade, key = self.grade, utf8_name(self.key)
        comment = None if grade.comment is None else utf8(grade.comment)
        extra: dict[str, Any] = {
            "status": grade.status,
            "path": utf8_name(grade.path),
            "passed": self.passed,
            "support": int(grade.score is not None and grade.status == "graded"),
            **utf8_json(grade.extra),
        }
        if self.lower_is_better:
            extra["lower_is_better"] = True
        if grade.status != "graded":
            extra["reason"] = comment
        if self.ledger:
            extra["parse"] = {side: list(words) for side, words in self.ledger.items()}
        return {
            "key": key,
            "score": grade.score,
            "comment": comment,
            "metadata": extra,
            "extra": extra,
        }
