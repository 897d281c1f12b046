"""Many flows, at most so many open at once, results in the order of the input.

Knows neither threads nor loops, so the sync and the async driver share it: it posts each request
under a ticket, receives answers in whatever order they come, and advances a flow the moment its
batch is complete. The window counts from the first result not yet taken, so an endless input is read
no further ahead than its size, and no more results than that wait behind a slow flow.

What goes wrong is raised when its turn comes, after the results before it: the outcome does not
depend on timing. Only a `BaseException` is raised at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from fieldwise.core.flow.model import advance, close_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from fieldwise.core.flow.model import Flow, JudgeRequest, Reply

T = TypeVar("T")

Ticket: TypeAlias = tuple[int, int]
"""Which flow of the input, and which request of its batch."""


class Finished(Protocol):
    """A call that has ended: a future or a task."""

    def result(self) -> Reply: ...  # noqa: D102 - as above


@dataclass(slots=True)
class _Slot:
    """A flow from its start until its result is taken."""

    flow: Flow[Any]
    replies: list[Any] = field(default_factory=list)
    missing: int = 0
    ended: bool = False
    value: Any = None
    error: Exception | None = None


class Window(Generic[T]):
    """Call `fill` until it is False; between calls `receive` what finished and `take` what is ready."""

    def __init__(
        self, flows: Iterable[Flow[T]], size: int, post: Callable[[Ticket, JudgeRequest], None]
    ) -> None:
        self._source: Iterator[Flow[T]] | None = iter(flows)
        self._size = size
        self._post = post
        self._slots: dict[int, _Slot] = {}
        self._error: Exception | None = None
        self.taken = 0

    @property
    def ready(self) -> bool:
        """Whether the next result in order is there."""
        return self.taken in self._slots and self._slots[self.taken].ended

    @property
    def stuck(self) -> bool:
        """Whether nothing can go on before an answer arrives."""
        return not self.ready and not self._has_room

    @property
    def _has_room(self) -> bool:
        return self._source is not None and len(self._slots) < self._size

    def fill(self) -> bool:
        """Pull and start one more flow, if there is room; False when all results are taken."""
        if self._source is not None and self._has_room:
            self._pull(self._source)
        if not self._slots and self._error is not None:
            raise self._error
        return bool(self._slots)

    def receive(self, ticket: Ticket, finished: Finished) -> None:
        """Note one answer; the last one of a batch advances its flow."""
        position, index = ticket
        slot = self._slots[position]
        slot.replies[index] = finished.result()
        slot.missing -= 1
        if slot.missing == 0:
            self._advance(position, slot.replies)

    def take(self) -> T:
        """The next result in order, or what that flow raised."""
        slot = self._slots.pop(self.taken)
        self.taken += 1
        if slot.error is not None:
            raise slot.error
        value: T = slot.value
        return value

    def close(self) -> None:
        """Close every flow that is open."""
        close_all(slot.flow for slot in self._slots.values())

    def _pull(self, source: Iterator[Flow[T]]) -> None:
        try:
            flow = next(source)
        except StopIteration:
            self._source = None
        except Exception as error:  # noqa: BLE001 - raised by fill once the results before it are taken
            self._source, self._error = None, error
        else:
            position = self.taken + len(self._slots)
            self._slots[position] = _Slot(flow)
            self._advance(position, None)

    def _advance(self, position: int, replies: Sequence[Reply] | None) -> None:
        slot = self._slots[position]
        try:
            batch = advance(slot.flow, replies)
            while not batch:
                batch = slot.flow.send([])
        except StopIteration as done:
            slot.ended, slot.value = True, done.value
        except Exception as error:  # noqa: BLE001 - raised by take when its turn comes
            slot.ended, slot.error, self._source = True, error, None
        else:
            slot.replies, slot.missing = [None] * len(batch), len(batch)
            for index, request in enumerate(batch):
                self._post((position, index), request)
