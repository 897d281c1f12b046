"""What every kind of run does: one flow for each record, results told apart, a report to count them in.

A run in this process and a chunk of one in another make the same `Scoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fieldwise.core.flow import together
from fieldwise.run._members import Ours, shared_key
from fieldwise.run._paths import Watch
from fieldwise.run._records import read_records
from fieldwise.run._report import MAX_FIELDS, RecordResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fieldwise._types import EvaluatorResult
    from fieldwise.core.flow import Flow
    from fieldwise.run._members import Member
    from fieldwise.run._records import Record
    from fieldwise.run._report import Report


class Scoring:
    """Evaluators at work for a report.

    Attributes:
        report: where results are counted.
        owners: feedback key to the name of the evaluator that gives it.
    """

    def __init__(self, members: list[Member], report: Report) -> None:
        self.report = report
        self.owners: dict[str, str] = {}
        self._members = members
        plans = [(one.name, one.plan) for one in members if isinstance(one, Ours)]
        for one in members:
            if isinstance(one, Ours) and one.plan.labels is not None:
                report.classify(one.key, one.plan.labels)
        report.thresholds.update(*(plan.thresholds for _, plan in plans))
        self._watch = Watch(plans, report.paths)
        self._offset = report.count

    def flows(self, records: Any, first: int = 1) -> Iterator[Flow[RecordResult]]:
        """Return one flow for each record, made when it is asked for; `records` is checked at once.

        Args:
            records: as a run is given them.
            first: which one of the run's the first of them is.
        """
        self._offset -= first - 1
        return map(self._flow, read_records(records, first))

    def _flow(self, record: Record) -> Flow[RecordResult]:
        members = self._members
        if record.problem is None:
            self._watch.look(record)
        if len(members) == 1:
            found = [(yield from members[0].flow(record))]
        else:
            found = yield from together([one.flow(record) for one in members])
        if len(members) > 1:
            for member, results in zip(members, found, strict=True):
                self.tell_apart({result["key"]: member.name for result in results})
        usage: dict[str, float] = {}
        for results in found:
            for name, amount in _usage(results).items():
                usage[name] = usage.get(name, 0) + amount
        whole = [result for results in found for result in results]
        return RecordResult(self._offset + record.position, record.id, whole, usage)

    def tell_apart(self, owners: Mapping[str, str]) -> None:
        """See to it that no two evaluators give the same key.

        Raises:
            ConfigError: two do.
        """
        for key, name in owners.items():
            owner = self.owners.get(key)
            if owner is None and len(self.owners) < 2 * MAX_FIELDS:
                self.owners[key] = name
            elif owner is not None and owner != name:
                raise shared_key(owner, name, key)


def _usage(results: list[EvaluatorResult]) -> dict[str, float]:
    """What one evaluator used for one record: each of its results says the same."""
    used = results[0]["extra"].get("usage") if results else None
    if not isinstance(used, dict):
        return {}
    return {name: amount for name, amount in used.items() if type(amount) in (int, float)}
