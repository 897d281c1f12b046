"""One record of grounded_fields rendered as results: a score for each field, then the aggregate.

`extra["spans"]` has an entry for each value that was found, `extra["missing"]` the paths of those that were
not; both are cut where they are long. `metadata` and `extra` are the same JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import cut, utf8, utf8_json, utf8_name
from fieldwise.core.equality import preview
from fieldwise.core.select import place_name
from fieldwise.scorers.field_cards import AGGREGATE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import EvaluatorResult, Json, Path, Status
    from fieldwise.core.read import Problem
    from fieldwise.scorers.passages import Find, Passages

_SHOWN_SPANS: Final = 100
_SHOWN_TEXT: Final = 200
_SHOWN_PATHS: Final = 20
_SAID: Final = 5
_COMMENT: Final = 4_000


class Place:
    """A value, and where it was found."""

    __slots__ = ("find", "path", "sought", "text", "value")

    def __init__(self, path: Path, value: Json, sought: bool, passages: Passages) -> None:  # noqa: FBT001
        self.path, self.value, self.sought = path, value, sought
        self.find: Find | None = passages.find(value) if sought else None
        self.text = (
            "" if self.find is None else passages.texts[self.find.document][self.find.start : self.find.end]
        )

    def span(self) -> dict[str, Any]:
        """Return where the value was found, as JSON."""
        find = self.find
        if find is None:
            return {}
        return {
            "path": place_name(self.path),
            "document": find.document,
            "start": find.start,
            "end": find.end,
            "text": self.text[:_SHOWN_TEXT],
            "how": find.how,
            "similarity": find.similarity,
        }


@dataclass(slots=True)
class GroundedField:
    """One field: its places, and why it could not be looked for."""

    name: str
    places: list[Place] = field(default_factory=list)
    problem: str | None = None

    @property
    def sought(self) -> list[Place]:
        """The places whose values were looked for."""
        return [one for one in self.places if one.sought]

    @property
    def score(self) -> float | None:
        """The share of the values looked for that were found."""
        sought = self.sought
        if not sought or self.problem is not None:
            return None
        return sum(one.find is not None for one in sought) / len(sought)


@dataclass(slots=True)
class GroundedCard:
    """One scored record.

    Attributes:
        name: what the keys begin with.
        threshold: what a score has to reach to have passed.
        fields: what was looked for.
        documents: how many texts were looked into.
        problem: why nothing was looked for.
        ledger: what was done to read the output.
    """

    name: str
    threshold: float
    fields: Sequence[GroundedField]
    documents: int
    problem: Problem | None
    ledger: Mapping[str, Sequence[str]]

    def results(self) -> list[EvaluatorResult]:
        """Return a result for each field, then the aggregate."""
        if self.problem is not None:
            return [*(self._failed(one.name, self.problem) for one in self.fields), self.summary()]
        return [*(self._row(one) for one in self.fields), self.summary()]

    def summary(self) -> EvaluatorResult:
        """Return the aggregate: the mean over the fields that have a score."""
        if self.problem is not None:
            return self._failed(AGGREGATE, self.problem)
        lost = next((one.problem for one in self.fields if one.problem is not None), None)
        scores = [score for one in self.fields if (score := one.score) is not None]
        extra: dict[str, Any] = {"support": len(scores), "documents": self.documents}
        if lost is not None:
            return self._result(AGGREGATE, None, "not_evaluated", lost, extra)
        if not scores:
            return self._result(AGGREGATE, None, "not_applicable", "there is no value to look for", extra)
        comment = self._comment([place for one in self.fields for place in one.sought])
        return self._result(AGGREGATE, fsum(scores) / len(scores), "graded", comment, extra)

    def _row(self, one: GroundedField) -> EvaluatorResult:
        sought, score = one.sought, one.score
        if one.problem is not None:
            return self._result(one.name, None, "not_evaluated", one.problem, {"support": 0})
        if not one.places:
            reason = f"{one.name}: the output has no such place"
            return self._result(one.name, None, "path_not_found", reason, {"support": 0})
        if not sought:
            reason = f"{one.name}: there is no value to look for, {preview(one.places[0].value)}"
            return self._result(one.name, None, "not_applicable", reason, {"support": 0})
        missing = [place_name(place.path) for place in sought if place.find is None]
        extra: dict[str, Any] = {
            "support": len(sought),
            "spans": [place.span() for place in sought if place.find is not None][:_SHOWN_SPANS],
        }
        if missing:
            extra["missing"] = missing[:_SHOWN_PATHS]
        return self._result(one.name, score, "graded", self._comment(sought), extra)

    def _comment(self, sought: Sequence[Place]) -> str | None:
        """Name the values that were not found, and those that were only nearly."""
        said = [
            f"{place_name(one.path)}: {preview(one.value)} is not in the {self._counted()}"
            for one in sought
            if one.find is None
        ]
        said += [
            f"{place_name(one.path)}: {preview(one.value)} is there as {preview(one.text)}"
            for one in sought
            if one.find is not None and one.find.how == "fuzzy"
        ]
        more = len(said) - _SAID
        listed = [cut(one, 2 * _SHOWN_TEXT) for one in said[:_SAID]]
        return ("; ".join(listed) + (f"; and {more:,} more" if more > 0 else "")) or None

    def _counted(self) -> str:
        return "text" if self.documents == 1 else f"{self.documents:,} texts"

    def _failed(self, name: str, problem: Problem) -> EvaluatorResult:
        score = problem.score(0.0)
        return self._result(name, score, problem.status, problem.reason, {"support": 0})

    def _result(
        self, name: str, score: float | None, status: Status, comment: str | None, more: Mapping[str, Any]
    ) -> EvaluatorResult:
        name, note = utf8_name(name), None if comment is None else utf8(cut(comment, _COMMENT))
        extra: dict[str, Any] = {
            "status": status,
            "path": "$" if name == AGGREGATE else name,
            "passed": score is not None and score >= self.threshold,
            "threshold": self.threshold,
            **utf8_json(more),
        }
        if status != "graded":
            extra["reason"] = note
        if self.ledger:
            extra["parse"] = {side: list(words) for side, words in self.ledger.items()}
        return {
            "key": f"{self.name}:{name}",
            "score": score,
            "comment": note,
            "metadata": extra,
            "extra": extra,
        }
