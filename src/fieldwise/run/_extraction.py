"""Extraction over a run: the rates of each field, and of all of an evaluator's fields together.

Made of the counts that tallies add up, so it merges as they do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from fieldwise.scorers.extraction import OUTCOMES, RATES, rates
from fieldwise.scorers.field_cards import AGGREGATE

if TYPE_CHECKING:
    from collections.abc import Mapping

_SUFFIX: Final = f":{AGGREGATE}"


@dataclass(frozen=True, slots=True)
class Extraction:
    """How the extraction of some fields went.

    Attributes:
        fields: feedback key to the counts of its places, by the ways of `scorers.extraction`.
    """

    fields: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """The counts of all fields together."""
        total = sum(map(Counter, self.fields.values()), Counter[str]())
        return {way: total[way] for way in OUTCOMES if total[way]}

    @property
    def micro(self) -> dict[str, float | None]:
        """The rates of all counts added up: every place counts the same."""
        return rates(self.counts)

    @property
    def macro(self) -> dict[str, float | None]:
        """The mean over the fields that have a rate: every field counts the same."""
        found = [rates(one) for one in self.fields.values()]
        graded = {name: [one[name] for one in found if one[name] is not None] for name in RATES}
        return {
            name: fsum(some) / len(some) if some else None  # type: ignore[arg-type]
            for name, some in graded.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Return rates and counts as JSON."""
        return {
            "fields": {key: {**rates(one), "outcomes": one} for key, one in sorted(self.fields.items())},
            "micro": {**self.micro, "outcomes": self.counts},
            "macro": self.macro,
        }


def extractions(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Extraction]:
    """Sort the counts of feedback keys by evaluator.

    An evaluator's name is what its aggregate's key begins with, else the key up to the first colon.

    >>> found = extractions({"m:a": {"true_positive": 1}, "m:aggregate_score": {}})
    >>> found["m"].micro["precision"], list(found["m"].fields)
    (1.0, ['m:a'])
    """
    names = sorted(
        (key.removesuffix(_SUFFIX) for key in counts if key.endswith(_SUFFIX)), key=len, reverse=True
    )
    found: dict[str, Extraction] = {}
    for key, one in counts.items():
        if one:
            name = next((name for name in names if key.startswith(f"{name}:")), key.partition(":")[0])
            found.setdefault(name, Extraction()).fields[key] = dict(one)
    return found
