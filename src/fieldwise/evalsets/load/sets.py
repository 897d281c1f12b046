"""Evaluation sets from files: the set, the evaluators it names, and everything that is wrong with them.

    evaluations/eval-sets/smoke.json     a set
    evaluations/evaluators/*.json        evaluators, known by their ids; the names of files mean nothing

Rules of this module:
1. Everything that is wrong is raised at once, file by file: nothing is evaluated by a set that is half right.
2. Only evaluators that the set names are checked. Of the others the id is read, and no more.
3. An evaluator's file is inside the evaluations folder, links followed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, Final

from fieldwise.evalsets.files.documents import ENDINGS, Document, in_order, read_document
from fieldwise.evalsets.files.faults import Fault, FileErrors, close_to
from fieldwise.evalsets.load.items import read_items
from fieldwise.evalsets.load.specs import LoadOptions, read_spec
from fieldwise.evalsets.model import Chosen, EvaluationSet, Spec
from fieldwise.evalsets.registry.kinds import kind_meant
from fieldwise.evalsets.schemas.checking import check, renamed
from fieldwise.evalsets.schemas.shapes import SET

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fieldwise._types import Path

_LEGACY: Final = frozenset({"fileName", "evalSetId", "createdAt", "updatedAt", "batchSize", "timeoutMinutes"})
_TYPE: Final = frozenset({"evaluatorTypeId", "evaluator_type_id"})
_SHELL: Final[dict[str, Any]] = {
    **SET,
    "properties": {**SET["properties"], "evaluations": {"type": "array", "description": "its items"}},
}


def load_set(
    path: str | File,
    *,
    evaluators: str | File | None = None,
    allow_code: bool = False,
    judge: Any = None,
    on_load: Callable[[File, str], object] | None = None,
) -> EvaluationSet:
    """Read an evaluation set and the evaluators it names.

    Args:
        path: the set, JSON or YAML.
        evaluators: the folder of the evaluators' files; None: `evaluators` beside the folder of the set,
            else beside the set, else the folder of the set itself.
        allow_code: whether code that evaluators name may be run.
        judge: what answers evaluators that ask, instead of the models they name.
        on_load: told each file of code and its class before it runs.

    Returns:
        The set: its evaluators in the order in which it names them, its items in the order of the file.

    Raises:
        FileErrors: everything that is wrong, each with its file, line and fix.
    """
    document = read_document(File(path))
    shell = _shell(document)
    if shell is None:
        raise FileErrors(in_order(document.faults))
    folder = _Folder.of(File(path), None if evaluators is None else File(evaluators))
    chosen = folder.choose(_named(shell, document), document, LoadOptions(judge, allow_code, on_load))
    known = chosen if _names_evaluators(document) else None
    items = read_items(shell.get("evaluations"), known, document, allow_code=allow_code)
    faults = [*in_order(document.faults), *folder.faults]
    if faults:
        raise FileErrors(faults)
    return EvaluationSet(shell["id"], shell.get("name") or shell["id"], tuple(chosen), items, str(path))


def _shell(document: Document) -> dict[str, Any] | None:
    """A set with its keys checked, but for its items; None where there is no going on."""
    value = document.value
    if not document.readable:
        return None
    if isinstance(value, dict) and "version" not in value and len(value.keys() & _LEGACY) > 1:
        document.fault((), 'is in the legacy format; write version "1.0" with evaluatorRefs and evaluations')
        return None
    if isinstance(value, dict) and value.keys() & _TYPE:
        document.fault((), "is an evaluator, no evaluation set; name a file of eval-sets")
        return None
    shell, twice = renamed(value, _SHELL)
    document.note(twice)
    document.note(check(shell, _SHELL))
    if not isinstance(shell, dict):
        return None
    if _names_evaluators(document) and not shell.keys() & {"evaluatorRefs", "evaluatorConfigs"}:
        document.fault((), "needs 'evaluatorRefs': the ids of the evaluators of the set")
    return shell


def _names_evaluators(document: Document) -> bool:
    """Whether nothing is wrong with how the set names its evaluators, though one may not exist."""
    places = ("evaluator", "needs 'evaluatorRefs'")
    told = [
        fault.path or fault.what for fault in document.faults if "there is no evaluator " not in fault.what
    ]
    return not any(one.startswith(places) for one in told)


@dataclass(frozen=True, slots=True)
class _Ref:
    """An evaluator that a set names: where, and what it says of it."""

    ref: str
    path: Path
    weight: float = 1.0
    threshold: float | None = None


def _named(shell: Mapping[str, Any], document: Document) -> list[_Ref]:
    """The evaluators a set names, each once."""
    key = "evaluatorConfigs" if shell.get("evaluatorConfigs") else "evaluatorRefs"
    listed = shell.get(key)
    found: dict[str, _Ref] = {}
    for at, one in enumerate(listed if isinstance(listed, list) else ()):
        named = _one_named(one, (key, at))
        if named is None:
            continue
        if named.ref in found:
            document.fault(named.path, f"names {named.ref!r} again; name each evaluator once")
        found.setdefault(named.ref, named)
    return list(found.values())


def _one_named(one: Any, path: Path) -> _Ref | None:
    """What was read right of one entry; what was not has been noted."""
    if isinstance(one, str):
        return _Ref(one, path)
    if path[0] == "evaluatorRefs" or not isinstance(one, dict) or not isinstance(one.get("ref"), str):
        return None
    weight, threshold = one.get("weight", 1.0), one.get("threshold")
    numbers = [value if isinstance(value, int | float) else None for value in (weight, threshold)]
    return _Ref(one["ref"], (*path, "ref"), float(numbers[0] or 0), numbers[1])


# --------------------------------------------------------------------------------------- the evaluators


@dataclass(slots=True)
class _Folder:
    """A folder of evaluators' files, by their ids."""

    place: File
    root: File
    documents: dict[str, list[Document]] = field(default_factory=lambda: defaultdict(list))
    nameless: list[Document] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @classmethod
    def of(cls, path: File, given: File | None) -> _Folder:
        """The folder of the evaluators of a set."""
        if given is not None:
            found = cls(given, given)
        else:
            places = [path.parent.parent / "evaluators", path.parent / "evaluators"]
            place = next((one for one in places if one.is_dir()), path.parent)
            found = cls(place, place.parent if place != path.parent else place)
        found._read(path)
        return found

    def _read(self, own: File) -> None:
        try:
            files = sorted(one for one in self.place.iterdir() if one.suffix.lower() in ENDINGS)
        except OSError as error:
            what = f"cannot be read: {error.strerror or error}; name the folder of the evaluators"
            self.faults.append(Fault(str(self.place), None, "", what))
            return
        for file in files:
            if file.is_dir() or (self.place == own.parent and file.name == own.name):
                continue
            self._add(_inside(file, self.root))

    def _add(self, document: Document) -> None:
        value = document.value
        id_ = value.get("id") if isinstance(value, dict) else None
        if self.place == self.root and not (isinstance(value, dict) and value.keys() & _TYPE):
            return  # beside a set there may be other files
        if isinstance(id_, str) and id_.strip():
            self.documents[id_].append(document)
        else:
            self.nameless.append(document)

    def choose(self, named: list[_Ref], document: Document, options: LoadOptions) -> list[Chosen]:
        """The evaluators a set names, read; what is wrong with them is noted in their files and ours."""
        chosen = []
        lacking = False
        for one in named:
            found = self.documents.get(one.ref, [])
            lacking = lacking or not found
            if not found:
                document.fault(one.path, self._unknown(one.ref))
                chosen.append(Chosen(Spec(one.ref, "", one.ref), one.weight, one.threshold))
                continue
            if len(found) > 1:
                others = ", ".join(other.name for other in found[1:])
                found[0].fault(("id",), f"{one.ref!r} is also the id of {others}; ids are unique")
            spec = replace(read_spec(found[0], options), id=one.ref)
            chosen.append(Chosen(spec, one.weight, one.threshold))
            self.faults += in_order(found[0].faults)
        if lacking:
            for other in self.nameless:
                read_spec(other, options)
                self.faults += in_order(other.faults)
        return chosen

    def _unknown(self, ref: str) -> str:
        close = close_to(ref, self.documents)
        if close is not None:
            return f"there is no evaluator {ref!r} in {self.place}; did you mean {close!r}?"
        known = ", ".join(map(repr, list(self.documents)[:20])) or "none"
        return f"there is no evaluator {ref!r} in {self.place}; the ids there are: {known}{self._remedy(ref)}"

    def _remedy(self, ref: str) -> str:
        """The file that is not there, where an evaluator of ours is meant or people may not know of files."""
        kind = kind_meant(ref)
        if self.nameless or (kind is None and self.documents):
            return ""
        type_id = "uipath-exact-match" if kind is None else kind.type_id
        spec = {"version": "1.0", "id": ref, "evaluatorTypeId": type_id, "evaluatorConfig": {"name": ref}}
        return f"; write a file there such as {json.dumps(spec, ensure_ascii=False)}"


def _inside(file: File, root: File) -> Document:
    """An evaluator's file, unless it leads out of the folder of the evaluations."""
    try:
        inside = file.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # links in a circle
        inside = False
    if inside:
        return read_document(file)
    what = f"leads out of {root}; put the file itself there instead of a link"
    return Document(str(file), faults=[Fault(str(file), None, "", what)])
