"""The items of an evaluation set, and what they ask of its evaluators."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.criteria import expected_of
from fieldwise.evalsets.files.faults import close_to
from fieldwise.evalsets.load.packed import PackedItems
from fieldwise.evalsets.load.specs import criteria_of_kind
from fieldwise.evalsets.model import Item
from fieldwise.evalsets.registry.kinds import kind_of
from fieldwise.evalsets.registry.plans import folder_of
from fieldwise.evalsets.schemas.checking import check, renamed
from fieldwise.evalsets.schemas.shapes import ITEM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import Path
    from fieldwise.evalsets.files.documents import Document
    from fieldwise.evalsets.model import Chosen
    from fieldwise.evalsets.registry.kinds import Kind


def read_items(
    listed: Any, chosen: Sequence[Chosen] | None, document: Document, *, allow_code: bool = False
) -> PackedItems:
    """Return the items of a set; what is wrong with them is among the faults of its document.

    `chosen` are the evaluators of the set; None: they could not be read, so that no item names a wrong one.
    """
    asked = (
        None
        if chosen is None
        else {one.spec.id: _CriteriaReader.of(one, allow_code=allow_code) for one in chosen}
    )
    places: dict[str, int] = {}
    items = PackedItems()
    for at, one in enumerate(listed if isinstance(listed, list) else ()):
        path: Path = ("evaluations", at)
        value, twice = renamed(one, ITEM)
        listed[at] = None  # a large set is not kept twice
        faults = [*twice, *check(value, ITEM)]
        document.note(faults, path)
        if not isinstance(value, dict):
            continue
        id_ = value.get("id")
        first = places.setdefault(id_, at) if isinstance(id_, str) else at
        if first != at:
            document.fault((*path, "id"), _twice(id_, first, document))
        expected = _expecting(value, path, document)
        criterias = _criterias(value.get("evaluationCriterias"), asked, expected, path, document)
        if not faults:
            items.append(replace(expected, criterias=criterias))
    return items


def _twice(id_: Any, first: int, document: Document) -> str:
    line = document.line(("evaluations", first))
    where = f"evaluations[{first}]" + (f" in line {line}" if line else "")
    return f"{id_!r} is also the id of {where}; ids are unique"


@dataclass(frozen=True, slots=True)
class _CriteriaReader:
    """What the criteria of an evaluator are checked by: its kind, or the class of criteria of its code."""

    kind: Kind | None = None
    model: type[Any] | None = None

    @classmethod
    def of(cls, chosen: Chosen, *, allow_code: bool) -> _CriteriaReader:
        """Of an evaluator; one that could not be read checks nothing, its own faults are told."""
        spec = chosen.spec
        try:
            if spec.code is None:
                return cls(kind_of(spec.type_id))
            from fieldwise.evalsets.code.loading import load_class

            code = load_class(spec.code, folder_of(spec), allow_code=allow_code, code=spec.loaded)
        except (ConfigError, InputError):
            return cls()
        return cls(model=code.criteria_type)

    def read(self, criteria: Any, item: Item) -> tuple[Any, Sequence[tuple[Path, str]]]:
        """The criteria with their keys in camelCase, and what is wrong with them."""
        if self.kind is not None:
            key = self.kind.criteria
            found, faults = criteria_of_kind(self.kind, criteria)
            lacks = not faults and key not in found and not expected_of(item, key)
            return found, [((), f"needs {key!r}")] if lacks else faults
        if self.model is not None:
            from fieldwise.evalsets.custom import read_model

            try:
                read_model(self.model, criteria, "")
            except ConfigError as error:
                return criteria, [((), str(error).removeprefix(": "))]
        return criteria, []


def _expecting(value: dict[str, Any], path: Path, document: Document) -> Item:
    """An item without its criteria."""
    mocking = value.get("mockingStrategy")
    prompt = mocking.get("prompt", "") if isinstance(mocking, dict) else ""
    return Item(
        id=value.get("id", ""),
        name=value.get("name") or value.get("id", ""),
        inputs=value.get("inputs", {}),
        criterias={},
        expected_output=value.get("expectedOutput", MISSING),
        expected_agent_behavior=value.get("expectedAgentBehavior", ""),
        simulation_instructions=prompt,
        line=document.line(path),
    )


def _criterias(
    stated: Any, asked: Mapping[str, _CriteriaReader] | None, item: Item, path: Path, document: Document
) -> dict[str, Any]:
    """What an item asks of each evaluator."""
    found = {}
    for id_, criteria in stated.items() if isinstance(stated, dict) else ():
        place = (*path, "evaluationCriterias", id_)
        found[id_] = criteria
        if asked is not None and id_ not in asked:
            document.fault(place, _not_named(id_, asked))
        elif asked is not None and criteria and isinstance(criteria, dict):
            found[id_], faults = asked[id_].read(criteria, item)
            document.note(faults, place)
    return found


def _not_named(id_: str, known: Mapping[str, Any]) -> str:
    close = close_to(id_, known)
    fix = f"did you mean {close!r}?" if close else "name it in evaluatorRefs, or leave it out"
    return f"the set names no evaluator {id_!r}; {fix}"
