"""Records with people's verdicts, read into questions for a judge.

A record has `outputs`, `reference_outputs`, `labels` (path of a place to true or false; null: nobody said),
and, if it likes, a `rubric` of its own and an `id`. A rubric is a mapping of paths to criteria, of which the
first that covers a place counts, a record's own before the one for all; or text, the criterion of every
place.

A label is a question only where both sides have exactly one value at its path: elsewhere an evaluator would
not ask either. Places are the same in both documents, lists are not paired up; of two labels of one place the
first counts. Equal values are questions too. What is no question is skipped, with a reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.flow import Question
from fieldwise.core.read import Reader
from fieldwise.core.select import compile_path, field_name, find_in_all
from fieldwise.core.values import copied
from fieldwise.errors import ConfigError, PathError
from fieldwise.run._records import record_id

if TYPE_CHECKING:
    from fieldwise._types import Json, Missing, Path
    from fieldwise.core.select import Selector

_READER: Final = Reader()


@dataclass(frozen=True, slots=True)
class Criterion:
    """What makes a value right at the places that a path covers; no selector: at every place."""

    path: str
    text: str
    selector: Selector | None


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question, what people said, and under which name it is counted."""

    question: Question
    label: bool
    name: str


@dataclass(slots=True)
class Case:
    """The questions of one record, and why its other labels are none."""

    id: str
    questions: list[Labelled] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    labels: int = 0


@dataclass(frozen=True, slots=True)
class _Rubric:
    """The criteria of one record, and the places in its reference and outputs that each of them covers."""

    criteria: list[Criterion]
    sides: tuple[Json | Missing, Json | Missing]
    _covered: dict[int, frozenset[Path]] = field(default_factory=dict)

    def criterion(self, place: Path) -> Criterion | None:
        """The first criterion that covers a place in either document."""
        for at, one in enumerate(self.criteria):
            if one.selector is None or place in self._places(at, one.selector):
                return one
        return None

    def _places(self, at: int, selector: Selector) -> frozenset[Path]:
        if at not in self._covered:
            try:
                found = find_in_all(selector, self.sides)
            except PathError:
                found = []
            self._covered[at] = frozenset(one.path for side in found for one in side)
        return self._covered[at]


def criteria(rubric: Any) -> list[Criterion]:
    """Read a rubric.

    Raises:
        ConfigError: it is neither text nor a mapping of paths to criteria.

    >>> [one.text for one in criteria({"items[*].name": "the same thing"})]
    ['the same thing']
    """
    if rubric is None:
        return []
    if isinstance(rubric, str) and rubric.strip():
        return [Criterion("", rubric, None)]
    if not isinstance(rubric, Mapping) or not rubric:
        raise ConfigError(
            f"rubric={shown(rubric)}: pass a mapping of paths to criteria, or a criterion as text"
        )
    found = []
    for path, text in rubric.items():
        if not isinstance(text, str) or not text.strip():
            raise ConfigError(f"rubric[{path!r}]={shown(text)}: say in words what makes a value right")
        found.append(Criterion(path, text, compile_path(path)))
    return found


def read_case(row: Any, position: int, shared: list[Criterion]) -> Case:
    """Return the questions of one record; whatever is wrong with it is a reason."""
    if not isinstance(row, Mapping):
        return Case(str(position), skipped=[f"the record is {type(row).__name__}, not a mapping"])
    case = Case(record_id(row, position))
    labels = _decoded(row.get("labels"))
    if labels is None:
        case.skipped.append("the record has no labels")
        return case
    if not isinstance(labels, Mapping):
        case.skipped.append(f"labels is {shown(labels)}, not a mapping of paths to true or false")
        return case
    said = {str(path): label for path, label in labels.items() if label is not None}
    case.labels = len(said)
    documents = _READER.read(None, row.get("outputs", MISSING), row.get("reference_outputs", MISSING))
    problem = documents.problem.reason if documents.problem else None
    if problem is None and documents.actual is MISSING:
        problem = "no outputs were given"
    known = shared
    try:
        known = [*_own(row), *shared]
    except ConfigError as error:
        problem = str(error)
    rubric = _Rubric(known, (documents.expected, documents.actual))
    labelled: dict[Path, str] = {}
    for path, label in said.items():
        found = problem or _question(path, label, rubric, labelled)
        if isinstance(found, str):
            case.skipped.append(found)
        else:
            case.questions.append(found)
    return case


def _own(row: Mapping[str, Any]) -> list[Criterion]:
    """The record's own rubric; an empty one is none, as in a CSV cell."""
    return criteria(_decoded(row.get("rubric")) or None)


def _decoded(value: Any) -> Any:
    """A mapping that was written as JSON text, as in a CSV cell; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _question(path: str, label: Any, rubric: _Rubric, labelled: dict[Path, str]) -> Labelled | str:
    """The question of one label, or why it is none; `labelled` notes the places that have one."""
    verdict = _verdict(label)
    if verdict is None:
        return f"the label of {path!r} is {shown(label)}, not true or false"
    try:
        places = []
        sides = find_in_all(compile_path(path), rubric.sides)
        for side, found in zip(("reference_outputs", "outputs"), sides, strict=True):
            if len(found) != 1:
                lacking = f"{side} has nothing at {path!r}"
                return f"{path!r} names {len(found)} places in {side}; label each" if found else lacking
            places += found
    except PathError as error:
        return str(error)
    place = places[0].path
    if labelled.setdefault(place, path) != path:
        return f"{path!r} is the place of {labelled[place]!r}, which has a label"
    criterion = rubric.criterion(place)
    if criterion is None:
        return f"no criterion covers {path!r}"
    expected, actual = (copied(one.value) for one in places)
    name = field_name(place) if criterion.selector is None else criterion.path
    return Labelled(Question(path, path, criterion.text, expected, actual), verdict, name)


def _verdict(label: Any) -> bool | None:
    """What a label says: true or false, also as 1 or 0; None where it says neither."""
    if hasattr(type(label), "dtype"):  # numpy's own booleans and numbers
        label = getattr(label, "tolist", lambda: None)()
    return bool(label) if isinstance(label, bool | int | float | Decimal) and label in (0, 1) else None
