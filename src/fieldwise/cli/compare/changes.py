"""What makes two runs hard to compare: another set, other evaluators, items that ask something else.

A difference of scores is then no difference of what is evaluated. Nothing is refused; it is said.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fieldwise.report.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.evalsets.model import ItemResult
    from fieldwise.evalsets.results.header import Header

_SHOWN: Final = 5
_SIZE: Final = 16


@dataclass(slots=True)
class Told:
    """What a file of results tells of its run; nothing where it has no line of a run.

    Attributes:
        header: of the run.
        asked: item to a digest of its inputs and criteria.
    """

    header: Header | None = None
    asked: dict[str, bytes] = field(default_factory=dict)

    def add(self, result: ItemResult) -> None:
        """Note what an item asked."""
        if result.item not in self.asked:
            text = json.dumps([result.inputs, dict(result.criteria)], sort_keys=True)
            self.asked[result.item] = hashlib.blake2b(text.encode(), digest_size=_SIZE).digest()


def changes(a: Told, b: Told) -> Iterator[str]:
    """Yield in words what is not the same in two runs and should be."""
    if a.header is None or b.header is None:
        return
    if a.header.set != b.header.set:
        yield f"A is of the set {a.header.set!r}, B of {b.header.set!r}"
    elif a.header.digest != b.header.digest:
        yield f"the set {a.header.set!r} is not the same in A and B"
    yield from _evaluators(a.header, b.header)
    other = [item for item, digest in a.asked.items() if b.asked.get(item, digest) != digest]
    if other:
        some = ", ".join(map(repr, other[:_SHOWN])) + ", …" * (len(other) > _SHOWN)
        yield f"{count(len(other), 'item')} with other inputs or criteria: {some}"


def _evaluators(a: Header, b: Header) -> Iterator[str]:
    for name in dict.fromkeys([*a.evaluators, *b.evaluators]):
        before, after = a.evaluators.get(name), b.evaluators.get(name)
        if before is None or after is None:
            yield f"the evaluator {name!r} is only in {'A' if after is None else 'B'}"
        elif (before.get("type"), before.get("digest")) != (after.get("type"), after.get("digest")):
            yield f"the evaluator {name!r} has other options, or is another one"
