"""The comparators that options name, by name or as a call; `within` as a call only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise import comparators

if TYPE_CHECKING:
    from collections.abc import Callable

COMPARATORS: Final[dict[str, Callable[..., Any]]] = {
    **comparators.COMPARATORS,
    "within": comparators.within,
}
"""Name to factory."""
