"""What results say of their run: the set and its evaluators, and whether two runs are one.

A header says all that a report needs of the evaluators, so that results can be read without the set. Digests
tell whether items or options have changed since.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from fieldwise._types import MISSING
from fieldwise.evalsets.results.as_json import each_as_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

    from fieldwise.evalsets.model import Chosen, EvaluationSet, Item

MARK: Final = "fieldwise"
"""The key by which the line of a header is known."""

_DIGEST: Final = 16
_SORTED: Final = json.JSONEncoder(sort_keys=True, allow_nan=False)


@dataclass(frozen=True, slots=True)
class Header:
    """What a file of results says of its run.

    Attributes:
        run: names the run.
        set: the id of the evaluation set.
        name: its name.
        file: where it was read from.
        items: how many items it has.
        digest: of the items; it changes with any of them.
        evaluators: id to name, type, weight, threshold, and a digest that changes with its options.
        made_with: agent, judge, model and the like, as the command line has them.
        digests: those of them that come of a file to a digest of it.
        started: when, in ISO 8601.
        version: of this package.
    """

    run: str
    set: str
    name: str = ""
    file: str = ""
    items: int = 0
    digest: str = ""
    evaluators: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    made_with: Mapping[str, Any] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    started: str = ""
    version: str = ""

    @classmethod
    def of(
        cls,
        evaluation_set: EvaluationSet,
        made_with: Mapping[str, Any] | None = None,
        files: Mapping[str, Path | None] | None = None,
    ) -> Self:
        """Return the header of a new run; `files` are those that what it is made with comes of."""
        return cls(
            run=uuid4().hex[:12],
            set=evaluation_set.id,
            name=evaluation_set.name,
            file=evaluation_set.file,
            items=len(evaluation_set.items),
            digest=_digest(map(_item_parts, evaluation_set.items)),
            evaluators={one.spec.id: _described(one) for one in evaluation_set.evaluators},
            made_with={name: value for name, value in (made_with or {}).items() if value is not None},
            digests={name: found for name, file in (files or {}).items() if (found := _digest_of(file))},
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            version=version("fieldwise"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as the first line of a file."""
        found = asdict(self)
        return {MARK: found.pop("version"), **found}

    @classmethod
    def from_dict(cls, line: Mapping[str, Any]) -> Self:
        """Read what `to_dict` returned."""
        known = {name: line[name] for name in cls.__slots__ if name in line}
        return cls(**{"run": "", "set": "", **known, "version": str(line.get(MARK, ""))})

    def changed(self, other: Header) -> list[str]:
        """Return what both runs are made with and comes of a file that has changed between them."""
        return [name for name, digest in self.digests.items() if other.digests.get(name, digest) != digest]

    def differs(self, other: Header) -> str | None:
        """Say in what another run differs so that its results are no results of this one; None: in nothing.

        Weights and thresholds may: no result depends on them.
        """
        if self.set != other.set:
            return f"of the set {other.set!r}, this run is of {self.set!r}"
        if self.digest != other.digest:
            return f"of the set {other.set!r} with other items, {other.items:,} then and {self.items:,} now"
        changed = [
            name
            for name in sorted(self.evaluators.keys() | other.evaluators.keys())
            if _told(self.evaluators, name) != _told(other.evaluators, name)
        ]
        if changed:
            return "; ".join(_change(name, self.evaluators, other.evaluators) for name in changed[:3])
        for name in sorted(self.made_with.keys() | other.made_with.keys()):
            mine, theirs = self.made_with.get(name), other.made_with.get(name)
            if mine != theirs:
                return f"made with {name} {theirs!r}, this run has {mine!r}"
        return None


def _told(evaluators: Mapping[str, Mapping[str, Any]], name: str) -> Any:
    return evaluators.get(name, {}).get("digest")


def _change(name: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    if name not in mine:
        return f"also of the evaluator {name!r}, which this run has not"
    return f"without the evaluator {name!r}" if name not in theirs else f"of {name!r} with other options"


def _described(chosen: Chosen) -> dict[str, Any]:
    spec = chosen.spec
    parts = [spec.type_id, dict(spec.options), spec.default, spec.code, _code(chosen)]
    return {
        "name": spec.name,
        "type": spec.type_id,
        "weight": chosen.weight,
        "threshold": chosen.threshold,
        "digest": _digest([parts]),
    }


def _code(chosen: Chosen) -> str | None:
    """The code of a custom evaluator: as it was read, else as far as it is where files say."""
    spec = chosen.spec
    if spec.code is None:
        return None
    if spec.loaded is not None:
        return spec.loaded.text.hex()
    name = spec.code.removeprefix("file://").rpartition(":")[0]
    folder = Path(spec.file).parent
    for path in (folder / name, folder / "custom" / name):
        with suppress(OSError):
            return path.read_bytes().hex()
    return None


def _digest_of(file: Path | None) -> str | None:
    if file is None or not file.is_file():  # in an archive, gone, or a pipe that is read once
        return None
    with suppress(OSError), file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=_DIGEST)).hexdigest()
    return None


def _item_parts(item: Item) -> list[Any]:
    expected = [] if item.expected_output is MISSING else [item.expected_output]
    told = [item.expected_agent_behavior, item.simulation_instructions]
    return [item.id, dict(item.inputs), dict(item.criterias), expected, *told]


def _digest(parts: Iterable[list[Any]]) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for part in parts:
        try:
            text = _SORTED.encode(part)
        except (TypeError, ValueError, RecursionError):  # not read from a file
            text = _SORTED.encode(each_as_json(part))
        digest.update(text.encode() + b"\n")
    return digest.hexdigest()
