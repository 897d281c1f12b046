"""Paths in options that name nothing: a misspelt field is excluded from nothing, silently.

`Watch` looks for each path of the evaluators' options until it is found once, and looks no further.
`Paths` is what it found out, as state of a report: it merges.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fieldwise._types import MISSING
from fieldwise.core.align import ByKey
from fieldwise.core.display import nearest
from fieldwise.core.fields import ROOT
from fieldwise.core.policy import matches, values_of
from fieldwise.core.read import Reader
from fieldwise.core.select import place_names, plain_name
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from fieldwise.core.policy import Entry
    from fieldwise.core.select import Selector
    from fieldwise.run._records import Record
    from fieldwise.scorers.plan import Plan

MAX_NAMES: Final = 500
_OPTIONS: Final = {"exclude": "exclude_keys", "comparator": "comparators", "weight": "weights"}


class Sought(NamedTuple):
    """A path that an option names, and whether some documents have it."""

    option: str
    path: str
    is_in: Callable[[Sequence[Any]], bool]


@dataclass(slots=True)
class Paths:
    """Which option paths were found, and the names of places there are while one is not."""

    seen: dict[tuple[str, str, str], bool] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def note(self, place: tuple[str, str, str], *, found: bool) -> None:
        """Note a path of an evaluator's option."""
        self.seen[place] = found or self.seen.get(place, False)

    def add_names(self, names: Iterable[str]) -> None:
        """Add names of places; the first `MAX_NAMES` in order are kept, whatever order they come in."""
        self.names.update(names)
        if len(self.names) > 2 * MAX_NAMES:
            self.names = set(heapq.nsmallest(MAX_NAMES, self.names))

    def merge(self, other: Paths) -> None:
        """Add what another run found."""
        for place, found in other.seen.items():
            self.note(place, found=found)
        self.add_names(other.names)

    def unmatched(self) -> list[dict[str, str | None]]:
        """Return evaluator, option, path and the nearest existing name of every path not found."""
        names = heapq.nsmallest(MAX_NAMES, self.names)
        return [
            {"evaluator": evaluator, "option": option, "path": path, "nearest": nearest(_plain(path), names)}
            for (evaluator, option, path), found in sorted(self.seen.items())
            if not found
        ]


class Watch:
    """Looks for the option paths of some plans in the records of a run."""

    def __init__(self, plans: Iterable[tuple[str, Plan]], into: Paths) -> None:
        self._into = into
        rows = [(name, plan, [one for said in plan.entries for one in sought(said)]) for name, plan in plans]
        self._open = [row for row in rows if row[2]]

    def look(self, record: Record) -> None:
        """Look at one record; costs nothing once every path was found."""
        for name, plan, paths in self._open:
            documents = _documents(plan, record.inputs, *record.sides(plan.looks_at))
            if not documents:
                continue
            for one in list(paths):
                found = one.is_in(documents)
                self._into.note((name, one.option, one.path), found=found)
                if found:
                    paths.remove(one)
            if paths:
                self._into.add_names(place_names(one for one in documents if not isinstance(one, list)))
        self._open = [row for row in self._open if row[2]]


def sought(said: Entry) -> Iterator[Sought]:
    """Yield the paths of one option: its own, and those of the keys by which it pairs a list.

    >>> from fieldwise.core.align import by_key
    >>> from fieldwise.core.fields import ROOT
    from fieldwise.core.policy import entry
    >>> [one.path for one in sought(entry("items", "lists", by_key("sku")))]
    ['items', 'items[*].sku']
    """
    option = "list_match_mode" if said.key == ROOT else _OPTIONS.get(said.aspect, said.aspect)
    mode = getattr(said.value, "list_match_mode", said.value)
    yield Sought(option, said.key, partial(matches, said))
    for key in mode.keys if isinstance(mode, ByKey) else ():
        path = key.text if said.key == ROOT else f"{_plain(said.key)}[*].{key.text}"
        yield Sought(option, path, partial(_has_key, said, key))


def _has_key(said: Entry, key: Selector, documents: Sequence[Any]) -> bool:
    """Whether an element of a list that an option names has a key."""
    lists = [value for document in documents for value in values_of(said, document)]
    elements = [one for value in lists if isinstance(value, list) for one in value]
    return any(ByKey((key,)).of(element) is not None for element in elements)


def _documents(plan: Plan, inputs: Any, outputs: Any, reference_outputs: Any) -> list[Any]:
    """Both documents as the evaluator reads them, and what else its option paths may begin at.

    That is each element of a list of records; and, for a plan that does not tell its `reader`, what the
    documents hold, one of which a key option may have picked.
    """
    reader: Reader | None = getattr(plan, "reader", None)
    if reference_outputs is MISSING and not plan.requires_reference:
        reference_outputs = None
    read = (reader or Reader()).read(inputs, outputs, reference_outputs)
    sides = [side for side in (read.expected, read.actual) if side is not MISSING]
    found: list[Any] = list(sides)
    for side in sides:
        if isinstance(side, list):
            found += [one for one in side if isinstance(one, dict)]
        elif reader is None and isinstance(side, dict):
            found += [one for one in side.values() if isinstance(one, dict)]
    return found


def _plain(path: str) -> str:
    """A path of any form as places are named."""
    try:
        return plain_name(path)
    except PathError:
        return path
