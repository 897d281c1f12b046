"""Things of which there is one, made when first asked for: loops, pools, registries.

`functools.cache` makes two when two threads ask first at the same time, and each keeps its own.
"""

from __future__ import annotations

import functools
from threading import RLock
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


def once(make: Callable[P, T]) -> Callable[P, T]:
    """Call a function once for the same arguments, whichever threads ask; who comes meanwhile waits.

    >>> @once
    ... def table() -> dict[str, int]:
    ...     return {}
    >>> table() is table()
    True
    """
    made = functools.cache(make)
    lock = RLock()

    @functools.wraps(make)
    def get(*args: P.args, **kwargs: P.kwargs) -> T:
        with lock:
            return made(*args, **kwargs)  # type: ignore[arg-type]

    return get
