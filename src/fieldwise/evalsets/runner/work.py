"""What is done with an item: its answer got, its evaluators asked. In this process, or in a worker of a run.

Rules of this module:
1. A run in this process and a chunk of one in another do the same, with an `ItemRunner`: rows in, flows out.
2. What travels to a worker is `RunTerms`, as bytes: evaluators as their files describe them, code as the text
   that was read with consent, judge and agent by pickle or by name. What travels for an item is a `Row`. A
   summary comes back, and the results if they are wanted: as objects, or as the lines of a file, which this
   process has only to write.
3. A worker makes its runner once for all chunks of a run, so that a process asks identical questions once.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.core.flow import JudgeFailure, Verdict, together
from fieldwise.evalsets.criteria import NOT_SET
from fieldwise.evalsets.model import ItemResult
from fieldwise.evalsets.results.as_json import as_json, each_as_json, json_line
from fieldwise.evalsets.runner.agents import Agent, AgentRun, read_agent
from fieldwise.evalsets.runner.members import asked, read_members
from fieldwise.evalsets.runner.recorded import ran_of
from fieldwise.evalsets.runner.spans import span_dict
from fieldwise.evalsets.summary import Summary
from fieldwise.run._members import Errand
from fieldwise.run.executors.chunks import as_rows, drain
from fieldwise.run.executors.sending import bare, dumped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fieldwise.core.flow import Flow
    from fieldwise.evalsets.model import EvaluationSet, Item
    from fieldwise.evalsets.runner.members import Member
    from fieldwise.evalsets.runner.recorded import Answer
    from fieldwise.run._paths import Paths
    from fieldwise.run.executors.chunks import Orders

Row: TypeAlias = "tuple[Item, int, Answer | None]"
"""An item, which time it is run, and what is recorded of that; None: an agent is to be called."""

_RAN: Final = "ran"


@dataclass(frozen=True, slots=True)
class RunTerms:
    """What a run evaluates by.

    Attributes:
        set: the evaluation set; without its items, where it travels.
        judge: answers for all evaluators that ask; perhaps `Made`.
        agent: what is evaluated, perhaps `Made`; None: answers are recorded.
        timeout: how many seconds it has for an item, and code of an evaluator for a verdict.
        repeat: how often each item is run.
        allow_code: whether the code of custom evaluators may be run.
        awaits: whether agents, judges and evaluators are awaited.
        lines: whether results are wanted as lines.
    """

    set: EvaluationSet
    judge: Any
    agent: Any
    timeout: float | None
    repeat: int
    allow_code: bool
    awaits: bool
    lines: bool


def packed(terms: RunTerms) -> bytes:
    """Return terms as bytes.

    Raises:
        ConfigError: an evaluator, the judge or the agent cannot be sent; naming it and the fix.
    """
    chosen = [dumped(f"evaluator {one.spec.id!r}", one) for one in terms.set.evaluators]
    judge, agent = dumped("judge", terms.judge), dumped("agent", terms.agent)
    rest = replace(terms, set=replace(terms.set, evaluators=(), items=()), judge=None, agent=None)
    return pickle.dumps((rest, chosen, judge, agent), 5)


@lru_cache(maxsize=2)
def _unpacked(kit: bytes) -> ItemRunner:
    """The runner of a run; the same one for the same bytes."""
    rest, *parts = pickle.loads(kit)  # noqa: S301 - the run's own bytes
    chosen, judge, agent = parts
    evaluators = tuple(map(pickle.loads, chosen))
    judge, agent = pickle.loads(judge), pickle.loads(agent)  # noqa: S301
    return ItemRunner(replace(rest, set=replace(rest.set, evaluators=evaluators), judge=judge, agent=agent))


class ItemRunner:
    """Evaluators and perhaps an agent, ready for items.

    Attributes:
        members: the evaluators.
        waits: whether items take their time: there is an agent, or an evaluator that asks somebody.
    """

    def __init__(self, terms: RunTerms) -> None:
        """Make everything ready.

        Raises:
            ConfigError: an evaluator lacks its judge, or the agent is none.
            InputError: an evaluator is code that may not run.
        """
        self._terms = terms
        self._agent: Agent | None = None
        self.members: list[Member] = read_members(
            terms.set.evaluators,
            bare(terms.judge),
            awaits=terms.awaits,
            allow_code=terms.allow_code,
            timeout=terms.timeout,
        )
        if terms.agent is not None:
            self._agent = read_agent(bare(terms.agent), terms.timeout, awaits=terms.awaits)
        self.waits = self._agent is not None or any(one.waits for one in self.members)

    def summary(self) -> Summary:
        """Return a summary of nothing yet."""
        return Summary.of(self._terms.set, self._terms.repeat)

    def written(self, result: ItemResult) -> ItemResult | bytes:
        """Return a result in the form in which it is wanted."""
        return json_line(result.to_dict()) if self._terms.lines else result

    def flows(self, rows: Iterable[Row], paths: Paths) -> Iterator[Flow[ItemResult]]:
        """Return one flow for each row, made when asked for; `paths` learns which options name nothing."""
        members = [one.watching(paths) for one in self.members]
        return (self._flow(members, *row) for row in rows)

    def _flow(
        self, members: list[Member], item: Item, repeat: int, answer: Answer | None
    ) -> Flow[ItemResult]:
        ran = yield from self._answered(item, answer)
        output = as_json(ran.output)  # as it was given, whatever evaluators do to it
        chosen = asked(members, item)
        found = yield from together([one.flow(item, ran, criteria) for one, criteria in chosen])
        stated = {one.name: criteria for one, criteria in chosen if criteria is not NOT_SET}
        inputs, *told = each_as_json([item.inputs, *stated.values()])
        return ItemResult(
            item=item.id,
            name=item.name,
            repeat=repeat,
            outcome=ran.outcome,
            inputs=inputs,
            output=output,
            error=ran.error,
            seconds=ran.seconds,
            spans=tuple(map(span_dict, ran.spans)),
            results={one.name: results for (one, _), results in zip(chosen, found, strict=True)},
            criteria=dict(zip(stated, told, strict=True)),
        )

    def _answered(self, item: Item, answer: Answer | None) -> Flow[AgentRun]:
        """What became of an item: what is recorded of it, or calling the agent."""
        agent = self._agent
        if answer is not None or agent is None:
            return ran_of(answer or {})
        (reply,) = yield [Errand((), ask=lambda _: self._ask(agent, item))]
        if isinstance(reply, JudgeFailure):
            return AgentRun("agent_error", error=reply.reason)
        ran: AgentRun = reply.answers[_RAN]
        return ran

    def _ask(self, agent: Agent, item: Item) -> Any:
        if self._terms.awaits and agent.awaits:
            return _awaited(agent, item)
        return Verdict({_RAN: agent.call(item.inputs)})


async def _awaited(agent: Agent, item: Item) -> Verdict:
    return Verdict({_RAN: await agent.acall(item.inputs)})


# --------------------------------------------------------------------------------------------- chunks


@dataclass(frozen=True, slots=True)
class ChunkResults:
    """What comes back of a chunk: a summary of it, and the results if they are wanted."""

    summary: Summary
    results: list[ItemResult | bytes]


def result_of(told: ItemResult | bytes) -> ItemResult:
    """Return a result, in whichever form it came."""
    return ItemResult.from_dict(json.loads(told)) if isinstance(told, bytes) else told


def score_items(kit: bytes | ItemRunner, _: int, rows: list[Row] | bytes, orders: Orders) -> ChunkResults:
    """Run a chunk of items: what a worker does."""
    runner = _unpacked(kit) if isinstance(kit, bytes) else kit
    done = ChunkResults(runner.summary(), [])

    def note(result: ItemResult) -> None:
        done.summary.add(result)
        if orders.keep:
            done.results.append(runner.written(result))

    drain(runner.flows(as_rows(rows), done.summary.report.paths), orders, note)
    return done
