"""The evaluators of a run, each as flows over records: ours by their plans, others by calls.

A question to a judge and a call of a foreign evaluator are both an `Errand`: a request that knows who is to
answer it. So one driver with one pool serves any mix of them, many records at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.flow import JudgeFailure, JudgeRequest, Verdict
from fieldwise.core.flow.desk import is_async
from fieldwise.errors import ConfigError, JudgeError
from fieldwise.evaluators._lifts import PLAN, SUMMARY
from fieldwise.judges import as_run_judge
from fieldwise.run._foreign import caller, not_evaluated, read_results
from fieldwise.run._memo import Memo
from fieldwise.scorers.lacking import retold

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from fieldwise._types import EvaluatorResult
    from fieldwise.core.flow import Flow
    from fieldwise.run._records import Record
    from fieldwise.scorers.plan import Card, Plan

T = TypeVar("T")
Results: TypeAlias = "list[EvaluatorResult]"
Ask: TypeAlias = "Callable[[JudgeRequest], Any]"
_RETURNED: Final = "returned"
_values: Final = attrgetter(*(one.name for one in fields(JudgeRequest)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(JudgeRequest):
    """A request that knows who answers it."""

    ask: Ask


def run_errand(request: JudgeRequest) -> Any:
    """Have an errand done: the judge of a run's drivers."""
    return request.ask(request)  # type: ignore[attr-defined]


def as_errands(flow: Flow[T], ask: Ask) -> Flow[T]:
    """Return a flow whose requests know who answers them."""
    try:
        batch = next(flow)
        while True:
            batch = flow.send((yield [Errand(*_values(one), ask=ask) for one in batch]))
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        flow.close()


@dataclass(frozen=True, slots=True)
class Ours:
    """An evaluator with a plan."""

    name: str
    key: str
    plan: Plan
    ask: Ask

    def flow(self, record: Record) -> Flow[Results]:
        """Score one record."""
        return _guarded(self.key, self.gap(record), self._score(record))

    def gap(self, record: Record) -> str | None:
        """Return why the record has nothing to evaluate."""
        return record.gap(self.plan.looks_at)

    def _score(self, record: Record) -> Flow[Results]:
        card = yield from self.card(record)
        return self.told(record, card)

    def told(self, record: Record, card: Card) -> Results:
        """Return the results of a card, what an example lacks under the name that an example has for it."""
        found, lacks = card.results(), record.lacks(self.plan.looks_at)
        return found if lacks is None else retold(found, lacks)

    def card(self, record: Record) -> Flow[Card]:
        """Score one record; what goes wrong is raised."""
        plan = self.plan
        more = record.more if plan.takes_more else {}
        flow = plan.flow(record.inputs, *record.sides(plan.looks_at), **more)
        return (yield from as_errands(flow, self.ask))


@dataclass(frozen=True, slots=True)
class Foreign:
    """An evaluator that is called."""

    name: str
    key: str
    call: Callable[[Record], Any]
    awaits: bool

    def flow(self, record: Record) -> Flow[Results]:
        """Call it with one record."""
        return _guarded(self.key, self.gap(record), self._score(record))

    def gap(self, record: Record) -> str | None:
        """Return why the record has nothing to evaluate."""
        return record.gap()

    def _score(self, record: Record) -> Flow[Results]:
        (reply,) = yield [Errand((), ask=lambda _: self._ask(record))]
        if isinstance(reply, JudgeFailure):
            return [not_evaluated(self.name, reply.reason)]
        return read_results(self.name, reply.answers[_RETURNED])

    def _ask(self, record: Record) -> Verdict | Awaitable[Verdict]:
        given = self.call(record)
        if not inspect.isawaitable(given):
            return Verdict({_RETURNED: given})
        if self.awaits:
            return _awaited(given)
        getattr(given, "close", lambda: None)()
        raise JudgeError("the evaluator returned an awaitable; use aevaluate_records")


async def _awaited(given: Awaitable[Any]) -> Verdict:
    return Verdict({_RETURNED: await given})


def _guarded(key: str, gap: str | None, flow: Flow[Results]) -> Flow[Results]:
    """Make what one record lacks, or whatever goes wrong with it, a result of it."""
    if gap is not None:
        return [not_evaluated(key, gap)]
    try:
        return (yield from flow)
    except Exception as error:  # noqa: BLE001 - one record never costs a run
        return [not_evaluated(key, JudgeFailure.from_exception(error).reason)]


Member: TypeAlias = Ours | Foreign
"""One evaluator of a run."""


# -------------------------------------------------------------------------------------- from options


def members(evaluators: Any, judge: Any, *, awaits: bool) -> list[Member]:
    """Read the `evaluators` option of a run.

    Raises:
        ConfigError: something in it is no evaluator, is async in a sync run, or two share a feedback key.
    """
    memos: dict[int, Memo] = {}

    def memo(name: str, plan: Plan) -> Memo:
        if judge is None:
            chosen = as_run_judge(plan.judge, plan.model, plan.settings, awaits=awaits)
        else:
            chosen = as_run_judge(judge, None, awaits=awaits)
        if not awaits and chosen is not None and is_async(chosen):
            raise ConfigError(
                f"evaluator {name!r} has an async judge, which evaluate_records cannot await: "
                "use aevaluate_records, or pass judge= a plain function"
            )
        return memos.setdefault(id(chosen), Memo(chosen, awaits=awaits))

    found: list[Member] = []
    for name, evaluator in named(evaluators):
        plan = getattr(evaluator, PLAN, None)
        if plan is not None:
            found.append(Ours(name, _first_key(plan), plan, memo(name, plan)))
        else:
            _check(name, evaluator, awaits=awaits)
            found.append(Foreign(name, name, caller(evaluator, awaits=awaits), awaits))
    _distinct(found)
    return found


def named(evaluators: Any) -> list[tuple[str, Any]]:
    """Return each evaluator with a name: its key in a mapping, else its own, told apart by a number."""
    if isinstance(evaluators, Mapping):
        named = [(str(name), one) for name, one in evaluators.items()]
    else:
        try:
            several = [evaluators] if _is_one(evaluators) else list(evaluators)
        except TypeError:
            raise ConfigError(
                f"evaluators is {type(evaluators).__name__}: pass an evaluator, a list or a mapping"
            ) from None
        named = [(_own_name(one), one) for one in several]
    if not named:
        raise ConfigError("evaluators is empty: pass at least one evaluator")
    times: dict[str, int] = {}
    unique = []
    for name, one in named:
        times[name] = times.get(name, 0) + 1
        unique.append((name if times[name] == 1 else f"{name}#{times[name]}", one))
    return unique


def _is_one(evaluators: Any) -> bool:
    """Whether what was given is an evaluator, not several."""
    return callable(evaluators) or hasattr(evaluators, "evaluate_strings") or isinstance(evaluators, str)


def _own_name(evaluator: Any) -> str:
    for name in ("evaluation_name", "__name__"):
        found = getattr(evaluator, name, None)
        if isinstance(found, str) and found:
            return found
    return type(evaluator).__name__


def _check(name: str, evaluator: Any, *, awaits: bool) -> None:
    made = getattr(evaluator, "__module__", None) == "fieldwise" and name.startswith("create_")
    if made:
        raise ConfigError(f"evaluators: {name} makes evaluators; pass what it returns, {name}(…)")
    one = getattr(evaluator, SUMMARY, None)
    if isinstance(one, str):
        raise ConfigError(
            f"evaluators: {name} sums up many records and cannot be called with one; "
            f"pass create_{one}_evaluator(…), the report has its summary"
        )
    if hasattr(evaluator, "evaluate_strings"):
        return
    if not callable(evaluator):
        raise ConfigError(
            f"evaluators: {shown(evaluator)} is no evaluator; pass what a create_…_evaluator returns"
        )
    if is_async(evaluator) and not awaits:
        raise ConfigError(
            f"evaluator {name!r} is async, which evaluate_records cannot await: use aevaluate_records"
        )


def _first_key(plan: Plan) -> str:
    """The key of a plan's result where it can say nothing: asked of it with no record at all."""
    flow = plan.flow(None, MISSING, MISSING)
    try:
        next(flow)
    except StopIteration as done:
        card: Card = done.value
        return card.results()[0]["key"]
    except Exception:  # noqa: BLE001 - the records will tell
        return plan.name
    finally:
        flow.close()
    return plan.name


def _distinct(found: list[Member]) -> None:
    keys: dict[str, str] = {}
    for one in found:
        if one.key in keys:
            raise shared_key(keys[one.key], one.name, one.key)
        keys[one.key] = one.name


def shared_key(first: str, second: str, key: str) -> ConfigError:
    """Return the error of two evaluators whose results could not be told apart."""
    return ConfigError(
        f"evaluators {first!r} and {second!r} both give results under the key {key!r}: "
        "create one of them with another name, feedback_key=…"
    )
