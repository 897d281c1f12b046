"""From what a framework hands over to two JSON documents.

In this order, the same for both sides: Python objects become JSON values, text holding an object or an
array is parsed, the named key is taken, LangSmith's wrapper is taken off, `coerce` and `null_policy` are
applied. What cannot be read becomes a `Problem`: the reference's fault or the output's, never an
exception.

LangSmith's wrapper is a sole key `output` whose value is not an object. It is taken off when only one
side has it, or when both hold structured values that are to be compared as such. Naming the keys
switches that off.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.core.normalise import normalise
from fieldwise.core.select import compile_path, nearest
from fieldwise.core.values import Unconvertible, to_json

if TYPE_CHECKING:
    from fieldwise._types import Json, Missing, MultipleJson, NullPolicy, ParseMode, Status, Truncated
    from fieldwise.core.select import Selector

WRAPPER = "output"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a document cannot be read, as a status and a reason."""

    status: Status
    reason: str


@dataclass(slots=True)
class Documents:
    """Both documents, or what is wrong with them, and what was done to read them."""

    expected: Json | Missing = MISSING
    actual: Json | Missing = MISSING
    problem: Problem | None = None
    ledger: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reader:
    """How to read both sides; see the module."""

    outputs_key: Selector | None = None
    correct_answer_key: Selector | None = None
    parse: ParseMode = "lenient"
    multiple_json: MultipleJson = "error"
    truncated: Truncated = "error"
    coerce: bool = False
    null_policy: NullPolicy = "distinct"

    def read(self, inputs: Any, outputs: Any, reference_outputs: Any) -> Documents:
        """Read both sides; `Documents.problem` names the first side that could not be read.

        A reference that cannot be read comes first: without it nothing can be said of the output.
        """
        found = Documents()
        expected = self._expected(found, inputs, reference_outputs)
        if found.problem is not None:
            return found
        actual = self._side(found, "outputs", "invalid_output", outputs)
        actual = self._picked(found, actual, self.outputs_key, "invalid_output", "outputs")
        if self.outputs_key is None and self.correct_answer_key is None:
            expected, actual = self._unwrapped(found, expected, actual)
        if self.coerce or self.null_policy != "distinct":
            expected = self._normal(expected)
            actual = self._normal(actual)
        found.expected, found.actual = expected, actual
        return found

    def _expected(self, found: Documents, inputs: Any, reference: Any) -> Json | Missing:
        if reference is MISSING and (self.correct_answer_key is None or inputs is None):
            found.problem = Problem("invalid_reference", "no reference_outputs were given")
            return MISSING
        value = self._side(found, "reference_outputs", "invalid_reference", reference)
        key = self.correct_answer_key
        if key is None or found.problem is not None:
            return value
        if value is not MISSING and key.find(value):
            return self._picked(found, value, key, "invalid_reference", "reference_outputs")
        given = self._side(found, "inputs", "invalid_reference", inputs)
        if given is not MISSING and key.find(given):
            return self._picked(found, given, key, "invalid_reference", "inputs")
        return self._picked(found, value, key, "invalid_reference", "reference_outputs")

    def _side(self, found: Documents, side: str, status: Status, value: Any) -> Json | Missing:
        if value is MISSING:
            return MISSING
        try:
            document = to_json(value)
        except Unconvertible as error:
            found.problem = found.problem or Problem(status, f"{side}: {error}")
            return MISSING
        if isinstance(document, str):
            return self._text(found, side, status, document)
        return document

    def _text(self, found: Documents, side: str, status: Status, text: str) -> Json | Missing:
        """Parse text that holds an object or an array; other text is a plain string."""
        if self.parse == "off":
            return text
        from fieldwise.core.parse import Parsed, parse

        read = parse(text, mode=self.parse, multiple=self.multiple_json, truncated=self.truncated)
        if read.ledger:
            found.ledger[side] = list(read.ledger)
        if isinstance(read, Parsed):
            return to_json(read.value)
        if read.structured:
            found.problem = found.problem or Problem(status, f"{side}: {read.reason}")
            return MISSING
        return text

    def _picked(
        self, found: Documents, value: Json | Missing, key: Selector | None, status: Status, side: str
    ) -> Json | Missing:
        if key is None or value is MISSING:
            return value
        matches = key.find(value)
        if not matches:
            found.problem = found.problem or Problem(status, _absent(side, key.text, value))
            return MISSING
        picked = matches[0].value if len(matches) == 1 else [match.value for match in matches]
        return self._text(found, side, status, picked) if isinstance(picked, str) else picked

    def _unwrapped(
        self, found: Documents, expected: Json | Missing, actual: Json | Missing
    ) -> tuple[Json | Missing, Json | Missing]:
        wanted, came = _wrapped(expected), _wrapped(actual)
        if not wanted and not came:
            return expected, actual
        inner_expected = self._inner(found, "reference_outputs", "invalid_reference", expected, has=wanted)
        inner_actual = self._inner(found, "outputs", "invalid_output", actual, has=came)
        if wanted and came and not (_structured(inner_expected) or _structured(inner_actual)):
            return expected, actual
        return inner_expected, inner_actual

    def _inner(
        self, found: Documents, side: str, status: Status, value: Any, *, has: bool
    ) -> Json | Missing:
        if not has:
            return value  # type: ignore[no-any-return]
        inner = value[WRAPPER]
        return self._text(found, side, status, inner) if isinstance(inner, str) else inner

    def _normal(self, document: Json | Missing) -> Json | Missing:
        if document is MISSING:
            return MISSING
        return normalise(document, coerce=self.coerce, null_policy=self.null_policy)


def reader_key(option: str, value: str | None) -> Selector | None:
    """Compile the option that names a side's key.

    Raises:
        PathError: when it parses as no path.
    """
    _ = option
    return None if value is None else compile_path(value)


def _wrapped(value: Json | Missing) -> bool:
    return type(value) is dict and len(value) == 1 and WRAPPER in value and type(value[WRAPPER]) is not dict


def _structured(value: Json | Missing) -> bool:
    """Whether a value has fields: an object, or a list that holds one."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict) for one in value))


def _absent(side: str, key: str, value: Json) -> str:
    if not isinstance(value, dict):
        return f"{side} is no object, so it has no key {key!r}"
    columns = ", ".join(map(repr, sorted(value)[:20])) or "none"
    close = nearest(key, value)
    return f"{side} has no key {key!r}; its keys: {columns}" + (f"; did you mean {close!r}?" if close else "")
