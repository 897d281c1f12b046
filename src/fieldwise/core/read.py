"""From what a framework hands over to two JSON documents.

In this order, the same for both sides: Python objects become JSON values, text holding an object or an
array is parsed, the named key is taken, the reference's envelope is opened, LangSmith's wrapper is taken
off, `coerce` and `null_policy` are applied. What cannot be read becomes a `Problem`: the reference's
fault or the output's, never an exception.

LangSmith's wrapper is a sole key `output` whose value is not an object. It is taken off when only one
side has it, or when both have it and either holds a list with objects in it, as such or as text.
Naming the keys switches that off.

An envelope is what some evaluation sets put a reference into: `{"expectedOutput": 8}`. It is one only as
the reference's sole key, and only when the output has no such key itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.display import kind_of, nearest, shown
from fieldwise.core.normalise import normalise, settle
from fieldwise.core.select import side_by_side
from fieldwise.core.values import PLAIN, Unconvertible
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Json, Missing, MultipleJson, NullPolicy, ParseMode, Status, Truncated
    from fieldwise.core.select import Match, Selector

T = TypeVar("T", bound="float | bool")

_MESSAGES: Final = "langchain_core.messages"
"""Whose message objects are read for what they say, not for how they are built."""
WRAPPER: Final = "output"
NO_REFERENCE: Final = "no reference_outputs were given"
_COLUMNS: Final = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a document cannot be read, as a status and a reason."""

    status: Status
    reason: str

    def score(self, worst: T) -> T | None:
        """Return the score that this leaves: the worst one for a fault of the output, else none."""
        return worst if self.status == "invalid_output" else None


@dataclass(slots=True)
class Documents:
    """Both documents, or what is wrong with them, and what was done to read them."""

    expected: Json | Missing = MISSING
    actual: Json | Missing = MISSING
    problem: Problem | None = None
    ledger: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, side: str, reason: str, status: Status | None = None) -> None:
        """Note that a side cannot be read; the first fault counts, the reference's before any other."""
        status = status or ("invalid_output" if side == "outputs" else "invalid_reference")
        if self.problem is None or (self.problem.status == "invalid_output" and status != "invalid_output"):
            self.problem = Problem(status, reason)


@dataclass(frozen=True, slots=True)
class Reader:
    """How to read both sides; see the module.

    `scalars`: every text has to be JSON, a number or a literal alone included. `envelopes`: the names of
    envelopes. `unwrap`: whether LangSmith's wrapper is taken off.
    """

    outputs_key: Selector | None = None
    correct_answer_key: Selector | None = None
    parse: ParseMode = "lenient"
    multiple_json: MultipleJson = "error"
    truncated: Truncated = "error"
    coerce: bool = False
    null_policy: NullPolicy = "distinct"
    scalars: bool = False
    envelopes: tuple[str, ...] = ()
    unwrap: bool = True

    def read(self, inputs: Any, outputs: Any, reference_outputs: Any) -> Documents:
        """Read both sides; `Documents.problem` names the first side that could not be read.

        A reference that cannot be read comes first: without it nothing can be said of the output.
        """
        found = Documents()
        expected = self._expected(found, inputs, reference_outputs)
        if found.problem is not None:
            return found
        actual = self._side(found, "outputs", outputs)
        if self.outputs_key is not None:
            actual = self._picked_output(found, actual, self.outputs_key, given=outputs)
        outer = expected
        if self.envelopes:
            expected = self._opened(found, expected, actual)
        if self.unwrap and self.outputs_key is None and self.correct_answer_key is None:
            expected, actual = self._unwrapped(found, expected, actual, opened=expected is not outer)
        if self.coerce or self.null_policy != "distinct":
            expected, actual = self._normal(expected), self._normal(actual)
            if self.null_policy == "empty_equals_null":
                expected, actual = settle(expected, actual)
        found.expected, found.actual = expected, actual
        return found

    def _opened(self, found: Documents, expected: Any, actual: Any) -> Any:
        """Take the reference out of its envelope, if it is in one."""
        for name in self.envelopes:
            if isinstance(expected, dict) and expected.keys() == {name}:
                if isinstance(actual, dict) and name in actual:
                    return expected
                inner = expected[name]
                return self._text(found, "reference_outputs", inner) if isinstance(inner, str) else inner
        return expected

    def _expected(self, found: Documents, inputs: Any, reference: Any) -> Any:
        """The reference: the reference outputs, or what the key names in them, else in the inputs."""
        key = self.correct_answer_key
        if key is None:
            if reference is MISSING:
                found.fault("reference_outputs", NO_REFERENCE)
            return self._side(found, "reference_outputs", reference)
        absent = []
        for side, given in (("reference_outputs", reference), ("inputs", inputs)):
            here = Documents()
            value = self._side(here, side, given)
            matches = _find(here, side, key, value)
            if matches:
                found.ledger.update(here.ledger)
                return self._value(found, side, matches)
            if here.problem is not None and side == "reference_outputs":
                found.problem = here.problem
                return MISSING
            if value is not MISSING and (value is not None or side == "reference_outputs"):
                absent.append(_absent(side, key.text, value))
        found.fault("reference_outputs", "; ".join(absent) or NO_REFERENCE)
        return MISSING

    def _picked_output(self, found: Documents, value: Any, key: Selector, *, given: Any) -> Any:
        """What the key names in the outputs.

        A column that is not there is a fault of the data; a key that a model's text lacks, or an output
        that has no keys at all, is a fault of the output.
        """
        if value is MISSING:
            return MISSING
        matches = _find(found, "outputs", key, value)
        if matches:
            return self._value(found, "outputs", matches)
        if found.problem is not None:
            return MISSING
        answered = isinstance(given, str) or not isinstance(value, dict)
        status: Status = "invalid_output" if answered else "invalid_reference"
        found.fault("outputs", _absent("outputs", key.text, value), status)
        return MISSING

    def _value(self, found: Documents, side: str, matches: Sequence[Match]) -> Any:
        if len(matches) > 1:
            return [match.value for match in matches]
        value = matches[0].value
        return self._text(found, side, value) if isinstance(value, str) else value

    def _side(self, found: Documents, side: str, value: Any) -> Any:
        if value is MISSING:
            return MISSING
        document = _json(found, side, _content(value))
        return self._text(found, side, document) if type(document) is str else document

    def _text(self, found: Documents, side: str, text: str) -> Any:
        """Parse text that holds an object or an array; other text is a plain string, or no JSON."""
        if self.parse == "off":
            return text
        from fieldwise.core.parse import Parsed, parse

        read = parse(
            text,
            mode=self.parse,
            multiple=self.multiple_json,
            truncated=self.truncated,
            scalars=self.scalars,
        )
        if read.ledger:
            found.ledger[side] = sorted({*found.ledger.get(side, ()), *read.ledger})
        if isinstance(read, Parsed):
            return _json(found, side, read.value)
        if read.structured or self.scalars:
            found.fault(side, f"{side}: {read.reason}")
            return MISSING
        return text

    def _unwrapped(self, found: Documents, expected: Any, actual: Any, *, opened: bool) -> tuple[Any, Any]:
        """Take LangSmith's wrapper off, if it is one; what was `opened` is in no wrapper."""
        wanted, came = _wrapped(expected), _wrapped(actual)
        if opened and wanted:
            return expected, actual
        if not wanted and not came:
            return expected, actual
        inside = Documents()
        inner_expected = self._inner(inside, "reference_outputs", expected) if wanted else expected
        inner_actual = self._inner(inside, "outputs", actual) if came else actual
        if wanted and came and not (_structured(inner_expected) or _structured(inner_actual)):
            return expected, actual
        if inside.problem is not None:
            found.fault("", inside.problem.reason, inside.problem.status)
        for side, notes in inside.ledger.items():
            found.ledger[side] = sorted({*found.ledger.get(side, ()), *notes})
        return inner_expected, inner_actual

    def _inner(self, found: Documents, side: str, value: Any) -> Any:
        inner = value[WRAPPER]
        return self._text(found, side, inner) if isinstance(inner, str) else inner

    def _normal(self, document: Any) -> Any:
        if document is MISSING:
            return MISSING
        return normalise(document, coerce=self.coerce, null_policy=self.null_policy)


def _content(value: Any) -> Any:
    """What a chat message says; any other value as it is."""
    kind = type(value)
    if kind in PLAIN or kind is dict or kind is list or not kind.__module__.startswith(_MESSAGES):
        return value
    content = getattr(value, "content", value)
    if isinstance(content, list) and all(
        isinstance(one, dict) and one.get("type") == "text" for one in content
    ):
        return "".join(str(one.get("text", "")) for one in content)
    return content


def _find(found: Documents, side: str, key: Selector, value: Any) -> list[Match]:
    """What the key names; a query that cannot be run to its end on this document grades nothing."""
    try:
        return side_by_side(key, value, key.find(value))
    except PathError as error:
        found.fault(side, f"{side}: {error}", "not_evaluated")
        return []


def _json(found: Documents, side: str, value: Any) -> Json | Missing:
    try:
        return to_json(value)
    except Unconvertible as error:
        found.fault(side, f"{side}: {error}")
        return MISSING


def misfit(expected: Json | Missing, actual: Json | Missing) -> Problem | None:
    """Return what is wrong with an output of another shape than the reference's.

    >>> misfit({}, [])
    Problem(status='invalid_output', reason='expected an object, got an array')
    """
    if actual is MISSING:
        return Problem("invalid_output", "no outputs were given")
    for kind in (dict, list):
        if isinstance(expected, kind) and not isinstance(actual, kind):
            return Problem("invalid_output", f"expected {kind_of(expected)}, got {kind_of(actual)}")
    return None


def _wrapped(value: Any) -> bool:
    return type(value) is dict and len(value) == 1 and WRAPPER in value and type(value[WRAPPER]) is not dict


def _structured(value: Any) -> bool:
    """Whether a value has fields: an object, or a list that holds one."""
    elements = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict) for one in elements)


def _absent(side: str, key: str, value: Json) -> str:
    if not isinstance(value, dict):
        return f"{side} is {kind_of(value)}, so it has no key {key!r}"
    columns = ", ".join(shown(name) for name in sorted(value)[:_COLUMNS]) or "none"
    more = ", …" if len(value) > _COLUMNS else ""
    close = nearest(key, value)
    hint = f"; did you mean {close!r}?" if close else ""
    return f"{side} has no key {key!r}; its keys: {columns}{more}{hint}"
