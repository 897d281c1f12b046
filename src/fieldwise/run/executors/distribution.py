"""A run whose records are scored elsewhere: chunks go out, reports come back and merge in the records' order.

`Work` says what there is to do, of whatever kind of run, and how what comes back is counted. Nothing in a
`Distribution` waits: `head` says what has to be done next, `results` and `aresults` wait for it, each in its
own way, and `take` counts what came. So sync and async runs share all of it.

A worker that dies takes chunks with it. They are sent again, one at a time until all is well, so that a
record that kills its worker is found out: after `MAX_LOST` deaths the run ends with an `ExecutorError` that
names it and carries the report of all records before.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic

from fieldwise.errors import ExecutorError, FieldwiseError
from fieldwise.run.executors.chunks import Came, Chunk, Result, cut

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Iterator

    from fieldwise.run.executors.chunks import Orders
    from fieldwise.run.executors.pools import Pool

MAX_LOST: Final = 3
_KEPT: Final = 4
"""How many chunks may be open for each that may be under way, so that a slow one does not idle the others."""


@dataclass(frozen=True, slots=True)
class Work(Generic[Came, Result]):
    """What a run gives to its workers.

    Attributes:
        rows: what there is to score, in order.
        score: a function of a module that scores a chunk: called with the kit, the number of its first row
            from 1, its rows, and the orders.
        kit: what it needs beside them; as bytes where it has to travel.
        orders: how chunks are scored.
        count: counts what came back of a chunk, while its results are taken: all of them, or those before
            the one at which the run ends.
        report: where that is counted, with `count` rows so far.
        largest: how many rows a chunk may have; None: as many as do no harm.
        what: what people call a row.
    """

    rows: Iterator[Any]
    score: Callable[[Any, int, Any, Orders], Came]
    kit: Any
    orders: Orders
    count: Callable[[Came], Generator[Result, None, None]]
    report: Any
    largest: int | None = None
    what: str = "record"


class Distribution(Generic[Came, Result]):
    """The chunks of a run: those under way, and those that came back too early to be counted."""

    def __init__(self, work: Work[Came, Result], pool: Pool) -> None:
        self._work = work
        self._pool = pool
        self._chunks: Iterator[Chunk[Came]] = cut(
            work.rows, travels=not pool.shares, largest=work.largest, what=work.what
        )
        self._open: deque[Chunk[Came]] = deque()
        self._most = self._room = max(4, 2 * pool.workers)
        self._here: Executor | None = None
        self._failed: Exception | None = None

    def results(self) -> Generator[Result, None, None]:
        """Do the work, and yield the results in their order.

        Raises:
            Exception: what the rows raised, once all before are counted.
            ExecutorError: nothing can be sent any more, or a chunk was lost too often, or cannot be scored.
        """
        while (chunk := self.head()) is not None:
            _wait_for(chunk)
            with closing(self.take()) as found:
                yield from found

    async def aresults(self) -> AsyncGenerator[Result, None]:
        """As `results`, awaited."""
        while (chunk := self.head()) is not None:
            await _done(chunk)
            with closing(self.take()) as found:
                for result in found:
                    yield result

    def head(self) -> Future[Came] | None:
        """Send what there is room for; return what has to be done next, None when all is done."""
        self._fill()
        if self._open:
            return self._open[0].future
        if self._failed is not None:
            raise self._failed
        return None

    def take(self) -> Generator[Result, None, None]:
        """Count the next chunk, which is done, and yield its results.

        Of a chunk that was lost there are none; it is sent again.
        """
        chunk = self._open[0]
        assert chunk.future is not None  # noqa: S101 - it is done
        try:
            came = chunk.future.result()
        except (BrokenExecutor, CancelledError) as error:
            self._lost(error)
            return
        except FieldwiseError:
            raise
        except Exception as error:
            raise self._error(f"cannot be scored there: {type(error).__name__}: {error}") from error
        self._open.popleft()
        self._room = min(self._most, 2 * self._room)
        yield from self._work.count(came)

    def close(self) -> None:
        """Cancel what is under way."""
        for chunk in self._open:
            if chunk.future is not None:
                chunk.future.cancel()
        if self._here is not None:
            self._here.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------------------------- sending

    def _fill(self) -> None:
        """Send chunks while there is room, those first that have to go again."""
        busy = sum(chunk.future is not None and not chunk.future.done() for chunk in self._open)
        for chunk in self._open:
            if chunk.future is None and busy < self._room:
                busy += self._send(chunk)
        while busy < self._room and len(self._open) < _KEPT * self._room and self._failed is None:
            try:
                chunk = next(self._chunks)
            except StopIteration:
                return
            except Exception as error:  # noqa: BLE001 - raised once the records before it are counted
                self._failed = error
                return
            self._open.append(chunk)
            busy += self._send(chunk)

    def _send(self, chunk: Chunk[Came]) -> bool:
        """Send a chunk; return whether that could be done."""
        work = self._work
        if chunk.here:
            self._here = self._here or ThreadPoolExecutor(1)
            chunk.future = self._here.submit(work.score, work.kit, chunk.first, chunk.rows, work.orders)
            return True
        try:
            chunk.future = self._pool.executor.submit(
                work.score, work.kit, chunk.first, chunk.rows, work.orders
            )
        except BrokenExecutor as error:
            chunk.future = Future()  # whoever waits for it learns what became of it, in its turn
            chunk.future.set_exception(error)
            return False
        except Exception as error:
            raise self._error(f"cannot be sent: {type(error).__name__}: {error}", chunk) from error
        return True

    def _lost(self, error: BaseException) -> None:
        """Take back what died with a worker, to be sent again."""
        head = self._open[0]
        head.lost += 1
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        if head.lost >= MAX_LOST:
            raise self._error(f"cost {head.lost} workers their lives ({said})") from error
        broken = isinstance(error, BrokenExecutor)
        for chunk in self._open if broken else [head]:
            if chunk.here or (chunk is not head and _came(chunk)):
                continue
            chunk.future = None
        if not broken:
            return
        self._room = 1
        if self._pool.renew is not None:
            self._pool.renew()
        else:
            self._try_again(head, error, said)

    def _try_again(self, head: Chunk[Came], error: BaseException, said: str) -> None:
        """Find out whether a broken executor that is not ours takes work."""
        if not self._send(head):
            problem = f"were lost: the executor is broken ({said})"
            fix = f'give executor="processes" to have lost {self._work.what}s scored again'
            raise self._error(f"{problem}; {fix}") from error

    def _error(self, problem: str, chunk: Chunk[Came] | None = None) -> ExecutorError:
        report = self._work.report
        counted = f"{report.count:,} before them are in the report"
        return ExecutorError(f"executor: {chunk or self._open[0]} {problem}; {counted}", report)


def _wait_for(future: Future[Any]) -> None:
    """Wait until something is done, however it ends.

    `concurrent.futures.wait` would wait forever for what was cancelled and nobody took note of.
    """
    with suppress(CancelledError):
        future.exception()


async def _done(future: Future[Any]) -> None:
    """Wait until something is done, however it ends."""
    import asyncio

    loop, over = asyncio.get_running_loop(), asyncio.Event()

    def tell(_: object) -> None:
        with suppress(RuntimeError):  # the loop may be closed by then: nobody waits any more
            loop.call_soon_threadsafe(over.set)

    future.add_done_callback(tell)
    await over.wait()


def _came(chunk: Chunk[Any]) -> bool:
    """Whether a chunk came back."""
    if chunk.future is None or not chunk.future.done() or chunk.future.cancelled():
        return False
    with suppress(CancelledError):
        return chunk.future.exception() is None
    return False
