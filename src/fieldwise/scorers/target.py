"""`target_output_key`: which part of both documents an evaluator looks at.

`"*"` is the whole document, a path one place, a list of paths an object with a member for each. The same
path is followed in the reference where that is an object; any other reference is what is expected there.
A dotted path is read the same way on both sides.

| the path is | then |
|---|---|
| in the reference, not in the output | the output has nothing there: MISSING, graded 0 |
| in the output, not in the reference | invalid_reference; of a list of paths it is left out |
| in neither | path_not_found; of a list of paths it is left out |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.core.display import one_line, shown
from fieldwise.core.read import Problem
from fieldwise.core.select import compile_path, find_in_all, side_by_side
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.rewrite import rewritten

if TYPE_CHECKING:
    from fieldwise._types import Json, Missing, Step
    from fieldwise.core.read import Documents, Reader
    from fieldwise.core.select import Match, Selector

WHOLE = "*"


@dataclass(frozen=True, slots=True)
class Target:
    """A compiled `target_output_key` that is not `"*"`; `many`: it was a list."""

    selectors: tuple[Selector, ...]
    many: bool

    def take(self, expected: Json, actual: Json) -> tuple[Json | Missing, Json | Missing] | Problem:
        """Return both sides at the target, the output's MISSING where it has nothing there."""
        if not self.many:
            (only,) = self.selectors
            wanted, came = _at(only, expected, actual)
            return _problem([only], came) if wanted is MISSING else (wanted, came)
        parts = {one.text: _at(one, expected, actual) for one in self.selectors}
        wanted_parts: dict[str, Any] = {
            name: wanted for name, (wanted, _) in parts.items() if wanted is not MISSING
        }
        came_parts: dict[str, Any] = {name: came for name, (_, came) in parts.items() if came is not MISSING}
        if not isinstance(expected, dict):
            return expected, came_parts
        return (wanted_parts, came_parts) if wanted_parts else _problem(self.selectors, came_parts or MISSING)


def target(option: str, value: Any) -> Target | None:
    """Check a `target_output_key`; None for `"*"`.

    Raises:
        ConfigError: for anything but `"*"`, a path or a list of paths, at least one.
    """
    if isinstance(value, str) and value == WHOLE:
        return None
    many = not isinstance(value, str)
    if many and (isinstance(value, options.BYTES) or not isinstance(value, Sequence)):
        raise ConfigError(f"{option}={shown(value)}: must be '*', a path, or a list of paths")
    paths = list(value) if many else [value]
    if not paths:
        raise ConfigError(f"{option}=[]: name at least one path, or '*' for the whole output")
    try:
        return Target(tuple(compile_path(path) for path in paths), many)
    except PathError as error:
        raise ConfigError(f"{option}: {error}") from None


@dataclass(frozen=True, slots=True)
class Aim:
    """What an evaluator of whole documents compares.

    Attributes:
        target: where in them, None for the whole.
        reader: how text there is read: as that of a whole document.
    """

    target: Target | None
    reader: Reader

    def take(self, documents: Documents) -> tuple[Any, Any] | Problem:
        """Return both sides, without members that are null where null is no value."""
        found = self._found(documents)
        if isinstance(found, Problem) or self.reader.null_policy != "null_equals_missing":
            return found
        expected, actual = found
        return rewritten(expected, drop=True), rewritten(actual, drop=True)

    def _found(self, documents: Documents) -> tuple[Any, Any] | Problem:
        if self.target is None:
            return documents.expected, documents.actual
        try:
            found = self.target.take(documents.expected, documents.actual)  # type: ignore[arg-type]
        except PathError as error:  # what a query meets in a document may be beyond it
            return Problem("not_evaluated", str(error))
        if isinstance(found, Problem):
            return found
        wanted, came = found
        read = self.reader.read(None, came, wanted)
        return (read.expected, read.actual) if read.problem is None else read.problem


def aim(option: str, value: Any, reader: Reader) -> Aim:
    """Check a `target_output_key`; text there is read as `reader` reads a whole document.

    Raises:
        ConfigError: as `target`.
    """
    inner = replace(reader, outputs_key=None, correct_answer_key=None, unwrap=False)
    return Aim(target(option, value), inner)


def _at(selector: Selector, expected: Json, actual: Json) -> tuple[Json | Missing, Json | Missing]:
    """What a path names on both sides; a reference that is no object is the value itself."""
    both = (expected, actual)
    found = zip(both, find_in_all(selector, both), strict=True)
    wanted, came = (_one(side_by_side(selector, *one)) for one in found)
    return (wanted if isinstance(expected, dict) else expected), came


def _one(matches: list[Match]) -> Json | Missing:
    """What was found; of several places a list, in an order that the order of members does not change."""
    if len(matches) > 1:
        return [match.value for match in sorted(matches, key=_by_path)]
    return matches[0].value if matches else MISSING


def _by_path(match: Match) -> list[tuple[bool, Step]]:
    return [(isinstance(step, str), step) for step in match.path]


def _problem(selectors: Sequence[Selector], came: object) -> Problem:
    names = one_line(", ".join(repr(one.text) for one in selectors), 200)
    if came is MISSING:
        return Problem("path_not_found", f"neither side has {names}")
    return Problem("invalid_reference", f"the reference has no {names}, which the output has")
