"""A plan of an evaluator over what an agent did: read both sides, check, show one result.

The output is always a trajectory. The reference is whatever the evaluator compares with, a plan, names,
counts, another trajectory, so the check gets it as it was given, its column taken and its wrapper off, and
raises `Unfit` for what it cannot use.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Unpack

from fieldwise._types import MISSING
from fieldwise.core.display import said
from fieldwise.core.read import NO_REFERENCE, Problem, Reader
from fieldwise.core.shared_options import Shared
from fieldwise.scorers import options
from fieldwise.scorers.agents.attempts import ATTEMPTS, AttemptOptions
from fieldwise.scorers.agents.calls import Trajectory
from fieldwise.scorers.agents.reading import read_trajectory
from fieldwise.scorers.agents.reading.loose import unwrapped
from fieldwise.scorers.plan import Plan
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade, SingleCard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fieldwise.core.flow import Flow
    from fieldwise.core.select import Selector
    from fieldwise.scorers.plan import Card


@dataclass(frozen=True, slots=True)
class Given:
    """One record, read as far as it is the same for every evaluator.

    Attributes:
        inputs: as given.
        outputs: as given, its column taken.
        trajectory: what was read from the outputs.
        reference: the reference as given, its column taken and its wrapper off; MISSING: none was given.
            What `criteria` made of it, where the plan has that.
        more: whatever else the evaluator was called with, by name.
    """

    inputs: Any
    outputs: Any
    trajectory: Trajectory
    reference: Any
    more: Mapping[str, Any] = field(default_factory=dict)


_UNREAD: Final = Trajectory()
NO_OUTPUTS: Final = Problem("invalid_output", "no outputs were given")
Check: TypeAlias = "Callable[[Given], Grade | Flow[Grade]]"
Criteria: TypeAlias = "Callable[[Any, Any], Any]"
"""`(outputs, reference) -> reference`, before the outputs are read. Raises `Unfit`."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column of each side is read, and how arguments are decoded."""

    outputs_key: Selector | None = None
    correct_answer_key: Selector | None = None
    decode_twice: bool = False

    def take(self, inputs: Any, outputs: Any, reference: Any) -> tuple[Any, Any] | Problem:
        """Return the output and the reference as given, or what is wrong with their columns."""
        if self.correct_answer_key is not None:
            picked = Reader(correct_answer_key=self.correct_answer_key, parse="off").read(
                inputs, None, reference
            )
            if picked.problem is not None:
                return _misnamed("correct_answer_key", self.correct_answer_key, picked.problem)
            reference = picked.expected
        if self.outputs_key is not None:
            picked = Reader(outputs_key=self.outputs_key, parse="off").read(inputs, outputs, None)
            if picked.problem is not None:
                return _misnamed("outputs_key", self.outputs_key, picked.problem)
            outputs = picked.actual
        return outputs, unwrapped(reference)


def _misnamed(option: str, key: Selector, problem: Problem) -> Problem:
    """The problem of a column that is not there, which the option may have to be blamed for."""
    return replace(problem, reason=f"{option}={key.text!r}: {problem.reason}")


class Where(options.Keys, total=False):
    """Where both sides stand, and how arguments are decoded.

    Attributes:
        decode_twice: whether arguments that are JSON text within JSON text are decoded once more.
    """

    decode_twice: bool


class CallOptions(AttemptOptions, Where, total=False):
    """Which calls are looked at, and where they stand."""


WHERE: Final = Shared[Where](Where, {"decode_twice": False}, options.KEYS)
CALLS: Final = Shared[CallOptions](CallOptions, {}, ATTEMPTS, WHERE)


def columns(**given: Unpack[Where]) -> Columns:
    """Check the options that say where both sides stand.

    Raises:
        ConfigError: for a key that is no path.
    """
    where = WHERE.complete(given)
    selectors = options.selectors(**options.KEYS.pick(where))
    return Columns(*selectors, options.flag("decode_twice", where.get("decode_twice")))


def agent_plan(
    name: str,
    check: Check,
    where: Columns,
    *,
    feedback_key: str | None = None,
    threshold: float = 1.0,
    requires_reference: bool = True,
    worst: float | bool = 0.0,
    criteria: Criteria | None = None,
    takes_more: bool = False,
) -> Plan:
    """Make a plan whose evaluator returns one result.

    Args:
        name: the evaluator's name.
        check: grades one record; raises `Unfit` for a reference it cannot use.
        where: which columns are read.
        feedback_key: replaces the name as the key.
        threshold: what the score has to reach to have passed.
        requires_reference: whether a missing reference is a fault.
        worst: the score of an output that cannot be read.
        criteria: makes what the check compares with out of the reference; its faults come before those of
            the outputs.
        takes_more: whether the check wants to know what else the evaluator was called with.
    """

    def work(record: Given) -> Grade | Flow[Grade]:
        given = _given(where, record, criteria, required=requires_reference)
        return unread(given, worst=worst) if isinstance(given, Problem) else check(given)

    plan = graded_plan(name, work, name if feedback_key is None else feedback_key, threshold)
    return replace(plan, requires_reference=requires_reference, takes_more=takes_more, looks_at="tools")


def graded_plan(name: str, work: Check, feedback_key: str, threshold: float) -> Plan:
    """Make a plan whose evaluator returns one result, of a check that reads records itself.

    Args:
        name: the evaluator's name.
        work: grades one record as it was given, without a trajectory; raises `Unfit`.
        feedback_key: the key of the result.
        threshold: what the score has to reach to have passed.
    """
    key = options.text("feedback_key", feedback_key)

    def flow(inputs: Any, outputs: Any, reference_outputs: Any, **more: Any) -> Flow[Card]:
        try:
            found = work(Given(inputs, outputs, _UNREAD, reference_outputs, more))
            grade = found if isinstance(found, Grade) else (yield from found)
        except Unfit as unfit:
            grade = unfit.grade
        passed = grade.score is not None and grade.score >= threshold
        return SingleCard(key, grade, {}, passed)

    return Plan(name, flow, single=True, thresholds=(threshold,))


def unread(problem: Problem, *, worst: float | bool) -> Grade:
    """The grade of a record that cannot be read: the worst score where that is the output's fault."""
    return Grade(worst if problem.status == "invalid_output" else None, problem.reason, problem.status)


def _wanted(criteria: Criteria, outputs: Any, reference: Any) -> Any:
    """What the check compares with; a reference that refuses to be read is an invalid one."""
    try:
        return criteria(outputs, reference)
    except Unfit:
        raise
    except Exception as error:
        raise Unfit(f"reference_outputs: cannot be read: {said(error)}", "invalid_reference") from error


def _given(where: Columns, record: Given, criteria: Criteria | None, *, required: bool) -> Given | Problem:
    """Read one record; a reference that is not there comes first."""
    if required and record.reference is MISSING and where.correct_answer_key is None:
        return Problem("invalid_reference", NO_REFERENCE)
    taken = where.take(record.inputs, record.outputs, record.reference)
    if isinstance(taken, Problem):
        return taken
    outputs, reference = taken
    if criteria is not None:
        reference = _wanted(criteria, outputs, reference)
    if outputs is MISSING:
        return NO_OUTPUTS
    trajectory = read_trajectory(outputs, "outputs", decode_twice=where.decode_twice)
    if isinstance(trajectory, Problem):
        return trajectory
    return Given(record.inputs, outputs, trajectory, reference, record.more)
