"""The line that moves while a run goes on: how many records, how fast, how long still.

Written to a terminal only, over itself, at most ten times a second, and wiped out when the run ends or
something else has to be said. The clock is handed in, so that a test can turn it.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from fieldwise.report.words import count, seconds

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_EVERY: Final = 0.1
_WIPE: Final = "\r\x1b[K"


class Progress:
    """Call `step` for each record and `clear` before anything else is written.

    Args:
        stream: where the line goes; None: nowhere.
        share: how much of the run is done, from 0 to 1, or None where that is not known.
        clock: the time in seconds.
        what: what is counted, one of them.
    """

    def __init__(
        self,
        stream: TextIO | None,
        share: Callable[[int], float | None],
        clock: Callable[[], float] = monotonic,
        what: str = "record",
    ) -> None:
        self._stream = stream
        self._share = share
        self._clock = clock
        self._what = what
        self._started = self._shown = clock()
        self._visible = False
        self.done = 0

    def step(self) -> None:
        """Count one record, and show it if it is time to."""
        self.done += 1
        if self._stream is None:
            return
        now = self._clock()
        if now - self._shown >= _EVERY:
            self._shown = now
            self._visible = True
            self._stream.write(_WIPE + self.line(now - self._started))
            self._stream.flush()

    def line(self, elapsed: float) -> str:
        """Return the line after so many seconds."""
        text = count(self.done, self._what)
        if elapsed > 0:
            text += (
                f"  {self.done / elapsed:,.0f}/s"
                if self.done >= elapsed
                else f"  {elapsed / self.done:.1f} s each"
            )
        share = self._share(self.done)
        if share is None or not 0 < share <= 1:
            return text
        return f"{text}  {100 * share:.0f}%  {seconds(elapsed / share - elapsed)} left"

    def clear(self) -> None:
        """Wipe the line out."""
        if self._stream is not None and self._visible:
            self._visible = False
            self._stream.write(_WIPE)
            self._stream.flush()
