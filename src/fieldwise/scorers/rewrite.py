"""Documents rewritten before they are compared, so that the comparison itself needs no switches.

- `fold`: names casefolded. Of names in one object that fold to the same text, the one that is folded
  already, else the first in sorted order, takes the folded name; the others keep theirs. So the order of
  members does not matter, and a document still equals itself.
- `kinds`: every leaf replaced by the name of its JSON type. An empty object or array stays one.
- `drop`: members that are null dropped, at every level.
"""

from __future__ import annotations

from decimal import Decimal
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.core.normalise import rebuilt
from fieldwise.core.values import UnorderedList

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import Json

KINDS: Final[dict[type, str]] = {
    NoneType: "null",
    bool: "boolean",
    int: "number",
    float: "number",
    Decimal: "number",
    str: "string",
    dict: "object",
    list: "array",
    UnorderedList: "array",
}
"""JSON has one type of number."""

_MOST_NOTES: Final = 5


def rewritten(
    document: Json,
    *,
    fold: bool = False,
    kinds: bool = False,
    drop: bool = False,
    notes: list[str] | None = None,
) -> Json:
    """Return a document rewritten; `notes` receives the names that collide.

    >>> rewritten({"Name": "Ada", "Age": None}, fold=True, kinds=True)
    {'name': 'string', 'age': 'null'}
    """
    if not (fold or kinds or drop):
        return document

    def change(value: Any, _: int) -> Any:
        if isinstance(value, dict):
            names = _folded(value, notes) if fold else None
            return {
                names[name] if names else name: item
                for name, item in value.items()
                if not (drop and item is None)
            }
        return KINDS[type(value)] if kinds and not isinstance(value, list) else value

    return rebuilt(document, change)


def _folded(names: Iterable[str], notes: list[str] | None) -> dict[str, str]:
    """The new name of every name."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.casefold(), []).append(name)
    new = {}
    for folded, group in groups.items():
        first = folded if folded in group else min(group)
        new.update({name: folded if name == first else name for name in group})
        if len(group) > 1 and notes is not None and len(notes) < _MOST_NOTES:
            note = f"names that differ only in case: {', '.join(map(shown, sorted(group)))}"
            if note not in notes:
                notes.append(note)
    return new
