"""A run whose records are scored elsewhere: chunks go out, reports come back and merge in the records' order.

Nothing here waits: `head` says what has to be done next, whoever drives the run waits for it, in its own way,
and `take` counts what came. So a sync and an async run share all of it.

A worker that dies takes chunks with it. They are sent again, one at a time until all is well, so that a
record that kills its worker is found out: after `MAX_LOST` deaths the run ends with an `ExecutorError` that
names it and carries the report of all records before.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from fieldwise.errors import ExecutorError, FieldwiseError
from fieldwise.run._chunks import Chunk, Orders, Scored, cut, score_chunk
from fieldwise.run._records import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.run._executors import Pool
    from fieldwise.run._members import Member
    from fieldwise.run._report import RecordResult
    from fieldwise.run._scoring import Scoring

MAX_LOST: Final = 3
_KEPT: Final = 4
"""How many chunks may be open for each that may be under way, so that a slow one does not idle the others."""


class Distribution:
    """The chunks of a run: those under way, and those that came back too early to be counted."""

    def __init__(
        self, records: Any, scoring: Scoring, kit: bytes | list[Member], pool: Pool, orders: Orders
    ) -> None:
        self._scoring = scoring
        self._kit = kit
        self._pool = pool
        self._orders = orders
        self._chunks: Iterator[Chunk] = cut(rows_of(records), travels=not pool.shares)
        self._open: deque[Chunk] = deque()
        self._most = self._room = max(4, 2 * pool.workers)
        self._here: Executor | None = None
        self._failed: Exception | None = None

    def head(self) -> Future[Scored] | None:
        """Send what there is room for; return what has to be done next, None when all is done.

        Raises:
            Exception: what the records raised, once all before are counted.
            ExecutorError: nothing can be sent any more.
        """
        self._fill()
        if self._open:
            return self._open[0].future
        if self._failed is not None:
            raise self._failed
        return None

    def take(self) -> list[RecordResult]:
        """Count the next chunk, which is done; return its records' results, if they were wanted.

        Of a chunk that was lost there are none; it is sent again.

        Raises:
            ExecutorError: it was lost too often, or cannot be scored there.
        """
        chunk = self._open[0]
        assert chunk.future is not None  # noqa: S101 - it is done
        try:
            scored = chunk.future.result()
        except (BrokenExecutor, CancelledError) as error:
            self._lost(error)
            return []
        except FieldwiseError:
            raise
        except Exception as error:
            raise self._error(f"cannot be scored there: {type(error).__name__}: {error}") from error
        self._open.popleft()
        self._room = min(self._most, 2 * self._room)
        self._scoring.tell_apart(scored.owners)
        report, scored.report.elapsed = self._scoring.report, 0.0
        before = report.count
        report.merge(scored.report)
        return [one.moved(before) for one in scored.report.records]

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

    def _send(self, chunk: Chunk) -> bool:
        """Send a chunk; return whether that could be done."""
        if chunk.here:
            self._here = self._here or ThreadPoolExecutor(1)
            chunk.future = self._here.submit(score_chunk, self._kit, chunk.first, chunk.rows, self._orders)
            return True
        try:
            chunk.future = self._pool.executor.submit(
                score_chunk, self._kit, chunk.first, chunk.rows, self._orders
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

    def _try_again(self, head: Chunk, error: BaseException, said: str) -> None:
        """Find out whether a broken executor that is not ours takes work."""
        if not self._send(head):
            problem = f"were lost: the executor is broken ({said})"
            fix = 'give executor="processes" to have lost records scored again'
            raise self._error(f"{problem}; {fix}") from error

    def _error(self, problem: str, chunk: Chunk | None = None) -> ExecutorError:
        report = self._scoring.report
        counted = f"{report.count:,} before them are in the report"
        return ExecutorError(f"executor: {chunk or self._open[0]} {problem}; {counted}", report)


def wait_for(future: Future[Any]) -> None:
    """Wait until something is done, however it ends.

    `concurrent.futures.wait` would wait forever for what was cancelled and nobody took note of.
    """
    with suppress(CancelledError):
        future.exception()


def _came(chunk: Chunk) -> bool:
    """Whether a chunk came back."""
    if chunk.future is None or not chunk.future.done() or chunk.future.cancelled():
        return False
    with suppress(CancelledError):
        return chunk.future.exception() is None
    return False
