"""Whether a callable of somebody's own can be called as it will be, as far as its signature tells."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def misfit(function: Callable[..., Any], count: int) -> str | None:
    """Return in Python's words why a callable does not take so many values; None: it does, or does not tell.

    >>> misfit(lambda one: True, 2)
    'too many positional arguments'
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some builtins, and objects that only look like functions, do not tell
        return None
    try:
        signature.bind(*[None] * count)
    except TypeError as error:
        return str(error)
    return None
