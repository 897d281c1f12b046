"""Which two values an evaluator of text looks at: columns, LangSmith's wrapper, the target.

1. An evaluator of one value (all but exact_match and the contains family, which take an output whole)
   takes a sole column by itself; of several columns one has to be named. What is looked for, where it
   comes from the reference, is one value always.
2. LangSmith's wrapper `{"output": …}` is taken off either side, unless a key or a target names a part.
3. A value that one side has at the target, and the other has not, is never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import one_line, shown
from fieldwise.core.equality import preview
from fieldwise.core.read import WRAPPER, Problem
from fieldwise.errors import PathError
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import Json, Status
    from fieldwise.core.read import Documents, Reader
    from fieldwise.scorers.target import Target

_COLUMNS: Final = 300
"""How many characters of column names a message lists."""


class Unfit(Exception):
    """A side without the value an evaluator needs; it carries the grade, which negation leaves alone.

    `expected` is what the reference has, where only the output lacks something.
    """

    def __init__(self, reason: str, status: Status = "graded", expected: Any = MISSING) -> None:
        super().__init__(reason)
        self.expected = expected
        score = False if status in {"graded", "invalid_output"} else None
        self.grade = Grade(score, reason, status)


def unwrapped(value: Any) -> Any:
    """Return what is in LangSmith's wrapper, or a value that is in none itself."""
    if isinstance(value, dict) and value.keys() == {WRAPPER} and not isinstance(value[WRAPPER], dict):
        return value[WRAPPER]
    return value


@dataclass(frozen=True, slots=True)
class Sides:
    """Which two values an evaluator looks at.

    Attributes:
        reader: how both sides are read.
        target: where in them, None for the whole.
        wanted: what is looked for, or MISSING: the reference says.
        one_value: whether the output is one value, not a document.
        mirrored: whether the reference is a document like the output, not something to look for.
    """

    reader: Reader
    target: Target | None = None
    wanted: Any = MISSING
    one_value: bool = True
    mirrored: bool = False

    @property
    def place(self) -> str:
        """The path of what it looks at."""
        return "$" if self.target is None or self.target.many else self.target.selectors[0].text

    def take(self, documents: Documents) -> tuple[Any, Any]:
        """Return what is wanted and what came.

        Raises:
            Unfit: when there is no such thing.
        """
        expected: Any = None if self.wanted is not MISSING else documents.expected
        actual: Any = documents.actual
        if self.target is not None:
            expected, actual = _aimed(self.target, self, expected, actual)
        elif self.mirrored:
            actual = self._like(expected, actual)
        else:
            expected, actual = self._reference(expected), self._output(actual)
        return expected if self.wanted is MISSING else self.wanted, actual

    def _like(self, expected: Any, actual: Any) -> Any:
        """The output without a wrapper that a reference named by its key has not."""
        named = self.reader.outputs_key is None and self.reader.correct_answer_key is not None
        return unwrapped(actual) if named and unwrapped(expected) is expected else actual

    def _output(self, actual: Any) -> Any:
        if self.reader.outputs_key is not None or not isinstance(actual, dict):
            return actual
        if self.one_value:
            return _column("outputs", actual, "outputs_key or target_output_key")
        return unwrapped(actual)

    def _reference(self, expected: Any) -> Any:
        if self.reader.correct_answer_key is not None or not isinstance(expected, dict):
            return expected
        return _column("reference_outputs", expected, "correct_answer_key")


def _column(side: str, value: dict[str, Json], key: str) -> Json:
    """The value of the sole column."""
    if len(value) == 1:
        return next(iter(value.values()))
    if value:
        raise Unfit(
            f"{side} has several columns and none is named: {_listed(value)}; name one with {key}",
            "invalid_reference",
        )
    if side == "outputs":
        raise Unfit("outputs is empty: there is no text in it", "invalid_output")
    raise Unfit(f"{side} has no columns", "invalid_reference")


def _aimed(target: Target, sides: Sides, expected: Any, actual: Any) -> tuple[Any, Any]:
    """Both sides at a target; the reference may be in LangSmith's wrapper."""
    try:
        found = target.take(expected, actual)
        if isinstance(found, Problem) and unwrapped(expected) is not expected:
            found = target.take(expected := unwrapped(expected), actual)
    except PathError as error:
        raise Unfit(str(error), "not_evaluated") from None
    if isinstance(found, Problem):
        raise Unfit(found.reason, found.status)
    wanted, came = found
    if came is MISSING:
        told = f"expected {preview(wanted)}, " if sides.wanted is MISSING else ""
        raise Unfit(f"{sides.place}: {told}missing", expected=wanted)
    if target.many:
        paths = {one.text for one in target.selectors}
        _complete(set(wanted) if isinstance(expected, dict) else paths, came)  # type: ignore[arg-type]
    return wanted, came


def _complete(names: set[str], came: Any) -> None:
    """Refuse two sides of which one lacks a part that the other has."""
    lost, surplus = names - came.keys(), came.keys() - names
    if lost:
        raise Unfit(f"missing in the output: {_listed(lost)}")
    if surplus:
        reason = f"the reference has no {_listed(surplus)}, which the output has"
        raise Unfit(reason, "invalid_reference")


def _listed(names: Iterable[str]) -> str:
    return one_line(", ".join(map(shown, sorted(names))), _COLUMNS)
