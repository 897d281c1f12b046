"""Asking a judge of either kind from a loop: the desk of the async drivers, loaded when a flow first asks."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

from fieldwise.core.flow.desk import call, is_async, read
from fieldwise.core.flow.model import JudgeFailure
from fieldwise.core.pool import DaemonPool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.core.flow.model import AnyJudge, JudgeRequest, Reply
    from fieldwise.core.flow.window import Finished, Ticket


class AsyncDesk:
    """Where the async drivers have requests answered: one task each, at most `limit` calls at once."""

    def __init__(self, judge: AnyJudge | None, limit: int) -> None:
        self._judge = judge
        self._gate = asyncio.Semaphore(limit)
        self._pool = None if judge is None or is_async(judge) else DaemonPool(limit)
        self._tasks: set[asyncio.Task[Reply]] = set()
        self.finished: asyncio.Queue[tuple[Ticket, Finished]] = asyncio.Queue()

    async def answer_all(self, batch: Sequence[JudgeRequest]) -> list[Reply]:
        """Answer a batch; what is no `Exception` is raised at once, as it was raised."""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._answer(request)) for request in batch]
        except BaseExceptionGroup as raised:
            raise raised.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _answer(self, request: JudgeRequest) -> Reply:
        async with self._gate:
            given: object
            if self._pool is None:
                given = call(self._judge, request)
            else:
                given = await asyncio.wrap_future(self._pool.submit(call, self._judge, request))
            try:
                return read(await given if inspect.isawaitable(given) else given)
            except (Exception, asyncio.CancelledError) as error:
                if not isinstance(error, Exception) and asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise
                return JudgeFailure.from_exception(error)  # whatever a judge raises, nobody having cancelled

    def post(self, ticket: Ticket, request: JudgeRequest) -> None:
        """Have a request answered; the answer arrives in `finished` under its ticket."""

        def report(task: asyncio.Task[Reply]) -> None:
            self._tasks.discard(task)
            if not task.cancelled():
                task.exception()  # counts as retrieved, also where the driver ends before reading it
            self.finished.put_nowait((ticket, task))

        task = asyncio.get_running_loop().create_task(self._answer(request))
        self._tasks.add(task)
        task.add_done_callback(report)

    async def breathe(self, turn: int) -> None:
        """Let the loop run: what was just asked starts, others get their turn in a long run of no asks."""
        if self._tasks or turn % 64 == 0:
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Cancel what is under way and wait until it ended; calls in threads are abandoned."""
        try:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            if self._pool is not None:
                self._pool.close()
