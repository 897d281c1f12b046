"""A chunk of what a run has to do: cut here, scored anywhere, and what comes back of it.

A chunk of records comes back as a report, which merges; the results of single records travel only if they are
wanted. Chunks grow with the run: small runs spread over all workers, long ones cost little to send. What a
chunk's size is never shows in a number.
"""

from __future__ import annotations

import pickle
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from fieldwise.core.flow import adrive_many, drive_many
from fieldwise.run._members import run_errand
from fieldwise.run._report import Report
from fieldwise.run._scoring import Scoring
from fieldwise.run.executors.sending import unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from fieldwise.core.flow import Flow
    from fieldwise.run._members import Member

Came = TypeVar("Came")
"""What comes back of a chunk."""
Result = TypeVar("Result")

AHEAD: Final = 4
"""How many records are open for each call of a judge, so that a slow one does not idle the others."""

SMALLEST: Final = 8
LARGEST: Final = 512
_SHARE: Final = 16
"""A chunk has this part of the records before it."""
_HEAVY: Final = 4_000_000
"""How many bytes a chunk may have, about."""


@dataclass(frozen=True, slots=True)
class Orders:
    """How chunks are scored.

    Attributes:
        awaits: whether evaluators and judges are awaited.
        concurrency: how many of their calls are under way at once, in one chunk.
        worst: how many of the worst records a report names.
        keep: whether the results of each record come back.
    """

    awaits: bool
    concurrency: int
    worst: int
    keep: bool


@dataclass(slots=True)
class Chunk(Generic[Came]):
    """Rows that follow each other: records, or whatever a run is made of.

    Attributes:
        first: which one of the run's the first of them is, from 1.
        size: how many there are.
        rows: themselves; pickled where they have to travel.
        here: whether they cannot travel.
        future: what comes back; None until they are sent.
        lost: how often a worker died while it had them.
        what: what people call one of them.
    """

    first: int
    size: int
    rows: list[Any] | bytes
    here: bool = False
    future: Future[Came] | None = None
    lost: int = 0
    what: str = "record"

    def __str__(self) -> str:
        last = self.first + self.size - 1
        return f"{self.what} {last:,}" if self.size == 1 else f"{self.what}s {self.first:,} to {last:,}"


@dataclass(frozen=True, slots=True)
class Scored:
    """What comes back of a chunk: its report, and which evaluator gave which key."""

    report: Report
    owners: dict[str, str]


def cut(
    records: Iterator[Any], *, travels: bool, largest: int | None = None, what: str = "record"
) -> Iterator[Chunk[Any]]:
    """Cut records into chunks, as they are asked for; pickled where they travel.

    Raises:
        Exception: what the records raised, once all before are in a chunk.
    """
    largest = LARGEST if largest is None else largest
    first, most = 1, largest
    while True:
        rows, error = _take(records, min(most, max(SMALLEST, first // _SHARE)))
        chunk: Chunk[Any] = Chunk(first, len(rows), rows, what=what)
        if travels and rows:
            try:
                chunk.rows = pickle.dumps(rows, 5)
            except Exception:  # noqa: BLE001 - whatever an object raises when it is asked to travel
                chunk.here = True
            else:
                most = max(1, min(largest, _HEAVY * len(rows) // len(chunk.rows)))
        if rows:
            yield chunk
        if error is not None:
            raise error
        if not rows:
            return
        first += len(rows)


def _take(records: Iterator[Any], number: int) -> tuple[list[Any], Exception | None]:
    """The next records, and what kept others from coming."""
    rows: list[Any] = []
    try:
        for row in islice(records, number):
            rows.append(row)  # noqa: PERF402 - what came before an exception counts
    except Exception as error:  # noqa: BLE001 - the caller's own, raised in its turn
        return rows, error
    return rows, None


def score_chunk(kit: bytes | list[Member], first: int, rows: list[Any] | bytes, orders: Orders) -> Scored:
    """Score a chunk of records: what a worker does."""
    members = unpacked(kit) if isinstance(kit, bytes) else kit
    scoring = Scoring(members, Report(keep_results=orders.keep, worst=orders.worst))
    drain(scoring.flows(as_rows(rows), first), orders, scoring.report.add)
    return Scored(scoring.report, scoring.owners)


def as_rows(rows: list[Any] | bytes) -> list[Any]:
    """Return the rows of a chunk, however they came."""
    if isinstance(rows, bytes):
        rows = pickle.loads(rows)  # noqa: S301 - the run's own bytes
    assert isinstance(rows, list)  # noqa: S101 - so they were cut
    return rows


def drain(flows: Iterable[Flow[Result]], orders: Orders, note: Callable[[Result], object]) -> None:
    """Drive the flows of a chunk to their end, and note what each returns, in their order."""
    if orders.awaits:
        import asyncio

        asyncio.run(_adrain(flows, orders, note))
        return
    window, limit = AHEAD * orders.concurrency, orders.concurrency
    with closing(drive_many(flows, run_errand, window=window, limit=limit)) as results:
        for result in results:
            note(result)


async def _adrain(flows: Iterable[Flow[Result]], orders: Orders, note: Callable[[Result], object]) -> None:
    from contextlib import aclosing

    window, limit = AHEAD * orders.concurrency, orders.concurrency
    async with aclosing(adrive_many(flows, run_errand, window=window, limit=limit)) as results:
        async for result in results:
            note(result)
