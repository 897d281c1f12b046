"""The evaluators of a set as flows over its items.

An evaluator of outputs gets what the agent answered, one of tools and a custom one all that it did; each gets
the item's inputs, and as its reference the criteria that it has for the item.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.flow.desk import is_async
from fieldwise.errors import ConfigError
from fieldwise.evalsets.criteria import NOT_SET, SKIP, criteria_of, why_not_set
from fieldwise.evalsets.isolation import guarded, private_copy, with_timeout
from fieldwise.evalsets.registry.kinds import kind_of
from fieldwise.evalsets.registry.plans import async_evaluator_of, blank, evaluator_of, make_plan
from fieldwise.evalsets.runner.spans import RecordedSpan
from fieldwise.judges import as_run_judge
from fieldwise.run._foreign import caller, not_evaluated
from fieldwise.run._members import Foreign, Ours
from fieldwise.run._memo import Memo
from fieldwise.run._paths import Watch
from fieldwise.run._records import Record
from fieldwise.scorers.agents.execution import AgentExecution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise.core.flow import Flow
    from fieldwise.evalsets.model import Chosen, Item
    from fieldwise.evalsets.runner.agents import AgentRun
    from fieldwise.run._members import Results
    from fieldwise.run._paths import Paths
    from fieldwise.scorers.plan import Plan

_WATCHED: Final = (RecordedSpan("fieldwise.item"),)


@dataclass(frozen=True, slots=True)
class Member:
    """One evaluator of a set.

    Attributes:
        chosen: the evaluator.
        scorer: its plan and who answers for it, or its code.
        watch: looks whether the paths in its options name something; None: there is nothing to look for.
    """

    chosen: Chosen
    scorer: Ours | Foreign
    watch: Watch | None = None

    @property
    def name(self) -> str:
        """What the set calls it."""
        return self.chosen.spec.id

    def watching(self, paths: Paths) -> Member:
        """Return it with a look at whether the paths in its options name something, into `paths`."""
        if not isinstance(self.scorer, Ours) or not self.scorer.plan.entries:
            return self
        return replace(self, watch=Watch([(self.name, self.scorer.plan)], paths))

    @property
    def waits(self) -> bool:
        """Whether it may take its time: it asks somebody, or is code of somebody else's."""
        scorer = self.scorer
        return isinstance(scorer, Foreign) or bool(scorer.plan.judge or scorer.plan.model)

    def criteria(self, item: Item) -> Any:
        """Return its criteria for an item, `SKIP` or `NOT_SET`."""
        return criteria_of(item, self.chosen)

    def flow(self, item: Item, ran: AgentRun, criteria: Any) -> Flow[Results]:
        """Evaluate what became of an item."""
        if ran.outcome != "ok":
            return [not_evaluated(self.scorer.key, ran.reason)]
        if criteria is NOT_SET:
            return [not_evaluated(self.scorer.key, why_not_set(item, self.chosen))]
        custom = self.chosen.spec.code is not None
        record = _record(item, ran, criteria, custom=custom)
        if self.watch is not None:
            self.watch.look(replace(record, reference_outputs=self._expected(criteria)))
        return (yield from self.scorer.flow(record))

    def _expected(self, criteria: Any) -> Any:
        """What stands under the key of the criteria, at which option paths begin."""
        key = kind_of(self.chosen.spec.type_id).criteria
        return criteria.get(key, criteria) if isinstance(criteria, Mapping) else criteria


def asked(members: list[Member], item: Item) -> list[tuple[Member, Any]]:
    """Return the evaluators that an item does not skip, each with its criteria."""
    found = [(one, one.criteria(item)) for one in members]
    return [(one, criteria) for one, criteria in found if criteria is not SKIP]


def _record(item: Item, ran: AgentRun, criteria: Any, *, custom: bool) -> Record:
    """What an evaluator is shown; a run that was watched and called nothing has a trace that says so."""
    spans = ran.spans or (_WATCHED if ran.traced and not custom else ())
    instructions = item.simulation_instructions
    inputs, answer = item.inputs, ran.output
    if custom:  # code of somebody else's, which may change what it is shown
        inputs, answer, criteria, spans = map(private_copy, (inputs, answer, criteria, list(spans)))
    execution = AgentExecution(inputs, answer, spans, item.expected_agent_behavior or None, instructions)
    more = {"simulation_instructions": instructions} if instructions else {}
    output = execution if custom else answer
    return Record(1, item.id, inputs, output, criteria, tools=(execution, criteria), more=more)


def read_members(
    evaluators: Iterable[Chosen],
    judge: Any,
    *,
    awaits: bool,
    allow_code: bool,
    timeout: float | None = None,
) -> list[Member]:
    """Make the evaluators of a set ready to run; one that is code has `timeout` seconds for a verdict.

    Raises:
        ConfigError: an evaluator lacks its judge, or has an async one in a run that does not await.
        InputError: one is code that may not run, or cannot be loaded.
    """
    memos: dict[int, Memo] = {}
    found = []
    for chosen in evaluators:
        name = chosen.spec.id
        if chosen.spec.code is not None:
            make = async_evaluator_of if awaits else evaluator_of
            evaluate = with_timeout(
                caller(make(chosen, allow_code=allow_code), awaits=awaits), timeout, awaits=awaits
            )
            found.append(Member(chosen, Foreign(name, name, evaluate, awaits)))
        else:
            plan = make_plan(chosen, judge)
            ask = guarded(_asking(name, plan, memos, awaits=awaits))
            ours = Ours(name, blank(plan)[0]["key"], plan, ask)
            found.append(Member(chosen, ours))
    return found


def _asking(name: str, plan: Plan, memos: dict[int, Memo], *, awaits: bool) -> Memo:
    """Who answers an evaluator: its judge, identical questions once for all that share it."""
    judge = as_run_judge(plan.judge, plan.model, plan.settings, awaits=awaits)
    if not awaits and judge is not None and is_async(judge):
        raise ConfigError(
            f"evaluator {name!r} has an async judge, which run_set cannot await: use arun_set, or pass "
            "judge= a plain function"
        )
    return memos.setdefault(id(judge), Memo(judge, awaits=awaits))
