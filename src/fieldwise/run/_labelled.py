"""Records with people's verdicts, read into questions for a judge.

A record has `outputs`, `reference_outputs`, `labels` (path of a place to true or false; null: nobody said),
and, if it likes, a `rubric` of its own and an `id`. A rubric is a mapping of paths to criteria, of which the
first that covers a place counts, a record's own before the one for all; or text, the criterion of every
place.

A label is a question only where both sides have exactly one value at its path: elsewhere an evaluator would
not ask either. Places are the same in both documents, lists are not paired up. Equal values are questions
too. What is no question is skipped, with a reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core._say import shown
from fieldwise.core.flow import Question
from fieldwise.core.read import Reader
from fieldwise.core.select import compile_path, field_name, try_find
from fieldwise.errors import ConfigError, PathError
from fieldwise.run._records import record_id

if TYPE_CHECKING:
    from fieldwise.core.read import Documents
    from fieldwise.core.select import Match, Selector

_READER: Final = Reader()
_EVERY: Final = ""
"""The path of a criterion for every place."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """What makes a value right at the places that a path covers."""

    path: str
    text: str
    selector: Selector | None

    def covers(self, place: Match, documents: Documents) -> bool:
        """Whether this is the criterion of a place in either document."""
        if self.selector is None:
            return True
        sides = (documents.expected, documents.actual)
        return any(
            place.path == found.path
            for side in sides
            if side is not MISSING
            for found in try_find(self.selector, side)
        )


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
        return [Criterion(_EVERY, rubric, None)]
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
    for path, label in said.items():
        found = problem or _question(path, label, documents, known)
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


def _question(path: str, label: Any, documents: Documents, known: list[Criterion]) -> Labelled | str:
    """The question of one label, or why it is none."""
    if not isinstance(label, bool) and label not in (0, 1):
        return f"the label of {path!r} is {shown(label)}, not true or false"
    try:
        selector = compile_path(path)
        places = []
        for side, document in (("reference_outputs", documents.expected), ("outputs", documents.actual)):
            found = selector.find(document)  # type: ignore[arg-type]
            if len(found) != 1:
                lacking = f"{side} has nothing at {path!r}"
                return f"{path!r} names {len(found)} places in {side}; label each" if found else lacking
            places += found
        criterion = next((one for one in known if one.covers(places[0], documents)), None)
    except PathError as error:
        return str(error)
    if criterion is None:
        return f"no criterion covers {path!r}"
    expected, actual = (place.value for place in places)
    name = criterion.path or field_name(places[0].path)
    return Labelled(Question(path, path, criterion.text, expected, actual), bool(label), name)
