"""One record scored for people to look at: its results, and all that they were made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise.core.flow import JudgeFailure, adrive, drive
from fieldwise.core.read import Documents
from fieldwise.run._foreign import not_evaluated
from fieldwise.run._members import Ours, members, run_errand
from fieldwise.run._paths import Paths, Watch
from fieldwise.run._records import Record, read_records

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult
    from fieldwise.core.flow import Flow
    from fieldwise.run._members import Member
    from fieldwise.scorers.plan import Card, Plan


@dataclass(frozen=True, slots=True)
class Examined:
    """One record and what one evaluator made of it.

    Attributes:
        record: the record.
        name: the evaluator's name.
        results: what the evaluator returned.
        plan: the evaluator's checked options; None for one that is not ours.
        card: what the results were rendered from; None when there is no such thing.
        documents: both sides as the evaluator read them.
    """

    record: Record
    name: str
    results: list[EvaluatorResult]
    plan: Plan | None = None
    card: Card | None = None
    documents: Documents = field(default_factory=Documents)

    @property
    def sides(self) -> tuple[Any, Any]:
        """What came and what was expected, as the evaluator was given them."""
        return self.record.sides("output" if self.plan is None else self.plan.looks_at)

    @property
    def unmatched_paths(self) -> list[dict[str, str | None]]:
        """Paths in options that name nothing in the record, as `Report.unmatched_paths` has them."""
        paths = Paths()
        if self.plan is not None and self.record.problem is None:
            Watch([(self.name, self.plan)], paths).look(self.record)
        return paths.unmatched()


def examine(record: Any, evaluator: Any, *, judge: Any = None) -> Examined:
    """Score one record and keep what its results were made of.

    Args:
        record: a mapping with `outputs`, `reference_outputs` and, optionally, `inputs` and `id`; or an
            `Example`.
        evaluator: one evaluator.
        judge: answers instead of the evaluator's own judge.

    Raises:
        ConfigError: for what is no evaluator, or an async one or judge.

    >>> from fieldwise import create_json_match_evaluator
    >>> record = {"id": "a", "outputs": {"n": 1}, "reference_outputs": {"n": 2}}
    >>> examine(record, create_json_match_evaluator()).results[0]["score"]
    0.0
    """
    (member,) = members([evaluator], judge, awaits=False)
    return drive(_examined(record, member), run_errand)


async def aexamine(record: Any, evaluator: Any, *, judge: Any = None) -> Examined:
    """As `examine`, awaiting an async evaluator or judge; sync ones run in threads."""
    (member,) = members([evaluator], judge, awaits=True)
    return await adrive(_examined(record, member), run_errand)


def _examined(record: Any, member: Member) -> Flow[Examined]:
    (read,) = read_records([record])
    gap = member.gap(read)
    if gap is not None:
        return Examined(read, member.name, [not_evaluated(member.key, gap)])
    if not isinstance(member, Ours):
        return Examined(read, member.name, (yield from member.flow(read)))
    plan = member.plan
    try:
        card = yield from member.card(read)
        results = member.told(read, card)
    except Exception as error:  # noqa: BLE001 - as in a run, whatever goes wrong is a result
        reason = JudgeFailure.from_exception(error).reason
        return Examined(read, member.name, [not_evaluated(member.key, reason)], plan)
    documents = Documents()
    if plan.reader is not None:
        documents = plan.reader.read(read.inputs, *read.sides(plan.looks_at))
    return Examined(read, member.name, results, plan, card, documents)
