"""Time and chance, as limits need them: one object, so that a test can stand in for both."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


@dataclass(frozen=True, slots=True)
class Clock:
    """Where seconds come from and how they pass.

    Attributes:
        now: seconds that never run backwards.
        today: seconds since 1970, for dates that a server names.
        sleep: let seconds pass, blocking.
        asleep: let seconds pass on an event loop.
        chance: a random number from 0 up to 1.
    """

    now: Callable[[], float] = time.monotonic
    today: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    asleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
