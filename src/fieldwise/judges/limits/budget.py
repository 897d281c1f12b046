"""What a judge may use in all, and what it has used.

Rules. A call is checked before it is made and counted as it is made; its tokens and cost are known, and
counted, when it has answered. So a ceiling on calls is exact (a call tried again is another call), and one
on tokens or cost may be passed by the calls that are under way when it is reached. Replies that do not say
what they used cannot be held to such a ceiling: the judge is then asked no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from fieldwise.errors import BudgetExceeded

if TYPE_CHECKING:
    from fieldwise.judges.limits.clock import Clock

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Ceilings:
    """What a judge may use in all; None: as much as it likes.

    Attributes:
        max_calls: how many calls.
        max_total_tokens: how many tokens, read and written.
        max_cost: how much money, in the currency of `price`.
        max_seconds: how long from its first call on.
        price: of a million tokens read, and of a million written.
    """

    max_calls: int | None = None
    max_total_tokens: int | None = None
    max_cost: float | None = None
    max_seconds: float | None = None
    price: tuple[float, float] | None = None


class Budget:
    """The account of one judge. Safe to share between threads and loops."""

    def __init__(self, ceilings: Ceilings, clock: Clock) -> None:
        self._ceilings = ceilings
        self._clock = clock
        self._lock = Lock()
        self._started: float | None = None
        self._silent = False
        self.calls = 0
        self.input_tokens = self.output_tokens = self.total_tokens = 0
        self.cost = 0.0

    @property
    def deadline(self) -> float:
        """When `max_seconds` are over, on the clock; never, before the first call."""
        most = self._ceilings.max_seconds
        return inf if most is None or self._started is None else self._started + most

    def admit(self) -> float | None:
        """Count a call that is about to be made; return the seconds that are left for it, None: any.

        Raises:
            BudgetExceeded: it may not be made, and for which ceiling.
        """
        with self._lock:
            if self._started is None:
                self._started = self._clock.now()
            left = None if self._ceilings.max_seconds is None else self.deadline - self._clock.now()
            reached = self._reached(left)
            if reached is not None:
                raise BudgetExceeded(f"{reached}, so the judge was not asked")
            self.calls += 1
            return left

    def count(self, usage: Mapping[str, Any] | None) -> float | None:
        """Count what a call used; return what it cost, None where there is no price."""
        given = usage if isinstance(usage, Mapping) else {}
        read, written = _amount(given, "input_tokens"), _amount(given, "output_tokens")
        total = _amount(given, "total_tokens") or read + written
        price = self._ceilings.price
        cost = None if price is None else (read * price[0] + written * price[1]) / _MILLION
        with self._lock:
            self._silent |= not total
            self.input_tokens += read
            self.output_tokens += written
            self.total_tokens += total
            self.cost += cost or 0.0
        return cost if total else None

    def late(self) -> BudgetExceeded:
        """Return the error of a call that was cut short because the time was up."""
        return BudgetExceeded(
            f"max_seconds={self._ceilings.max_seconds:g} were over before the judge answered"
        )

    def _reached(self, left: float | None) -> str | None:
        most = self._ceilings
        if left is not None and left <= 0:
            return f"max_seconds={most.max_seconds:g} are over"
        if most.max_calls is not None and self.calls >= most.max_calls:
            return f"max_calls={most.max_calls} is reached"
        for name, ceiling, used in (
            ("max_total_tokens", most.max_total_tokens, self.total_tokens),
            ("max_cost", most.max_cost, self.cost),
        ):
            if ceiling is None:
                continue
            if used >= ceiling:
                return f"{name}={ceiling:g} is reached ({used:.6g} used)"
            if self._silent:
                return f"{name}={ceiling:g} cannot be kept (a reply did not say how many tokens it took)"
        return None


def _amount(usage: Mapping[str, Any], name: str) -> int:
    amount = usage.get(name)
    return amount if isinstance(amount, int) and not isinstance(amount, bool) and amount > 0 else 0
