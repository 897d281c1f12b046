"""Field match: one field of the output against one expected value. Superseded by multi_field.

The field is a member of the output by that very name, else what the path names. What is expected is the
bare value; a reference that is an object, with no key named, is asked for the same field, or for its sole
column. Only the output is parsed: the expected value is what it is.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.equality import equal, preview
from fieldwise.core.parse import Unparsed
from fieldwise.core.parse import parse as parse_text
from fieldwise.core.read import Problem
from fieldwise.core.select import compile_path
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.sides import Sides, Unfit, unwrapped
from fieldwise.scorers.single import Grade, single
from fieldwise.scorers.target import Target

if TYPE_CHECKING:
    from fieldwise.core.read import Documents, Reader
    from fieldwise.core.select import Selector
    from fieldwise.scorers.plan import Plan


@options.PARSING.named
def field_match(
    *,
    json_field: str,
    feedback_key: str = "field_match",
    **reading: Unpack[options.Parsing],
) -> Plan:
    """Accept an output whose field equals the expected value, as JSON is equal.

    Deprecated: `multi_field` compares several fields and grades each.

    Args:
        json_field: the member of the output, by its name at the top level, else a path.
        outputs_key: the key or path of the JSON to look into in the outputs.
        correct_answer_key: the key or path of the expected value in the reference outputs, else the
            inputs. Without it a reference that is an object is asked for the field, or its sole column.
        reading: how JSON in text is read; see `options.Parsing`.
        feedback_key: replaces `field_match` as the key.

    Returns:
        One result with score True or False; None where there is no expected value.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise, warnings
        >>> with warnings.catch_warnings(action="ignore"):
        ...     evaluate = fieldwise.create_field_match_evaluator(json_field="city")
        >>> evaluate(outputs='{"city": "Paris"}', reference_outputs="Paris")["score"]
        True
    """
    warnings.warn(
        f"field_match is deprecated: use multi_field, fields=[{shown(json_field)}]",
        DeprecationWarning,
        stacklevel=4,
    )
    if not isinstance(json_field, str):
        raise ConfigError(f"json_field={shown(json_field)}: must be text, a key or a path")
    reader = options.reader(**reading)
    sides = Sides(replace(reader, parse="off", unwrap=False), one_value=False)
    field = _Field(json_field, _selector(json_field), reader, sides)
    return single("field_match", field.check, sides.reader, feedback_key=feedback_key, worst=False)


def _selector(text: str) -> Selector | None:
    """The path a field may be; text that parses as no path is a name only."""
    try:
        return compile_path(text)
    except PathError:
        return None


@dataclass(frozen=True, slots=True)
class _Field:
    """One field, and how both sides are read."""

    name: str
    selector: Selector | None
    reader: Reader
    sides: Sides

    def check(self, documents: Documents) -> Grade:
        try:
            grade = self._grade(documents)
        except Unfit as unfit:
            grade = unfit.grade
        except PathError as error:
            grade = Unfit(str(error), "not_evaluated").grade
        return replace(grade, path=self.name)

    def _grade(self, documents: Documents) -> Grade:
        """Compare; a fault of the reference comes before one of the output."""
        fault: Unfit | None = None
        document: Any = None
        try:
            document = self._document(documents)
        except Unfit as unfit:
            fault = unfit
        expected, came = self._values(documents, document)
        if fault is not None:
            raise fault
        if came is MISSING:
            return Grade(score=False, comment=f"{self.name}: expected {preview(expected)}, missing")
        right = equal(expected, came)
        note = None if right else f"{self.name}: expected {preview(expected)}, got {preview(came)}"
        return Grade(score=right, comment=note)

    def _document(self, documents: Documents) -> Any:
        """The output to look into, parsed."""
        document = documents.actual
        if self.reader.outputs_key is None and not (isinstance(document, dict) and self.name in document):
            document = unwrapped(document)
        if isinstance(document, str) and self.reader.parse != "off":
            how = self.reader
            read = parse_text(document, mode=how.parse, multiple=how.multiple_json, truncated=how.truncated)  # type: ignore[arg-type]
            if read.ledger:
                documents.ledger["outputs"] = list(read.ledger)
            if isinstance(read, Unparsed):
                raise Unfit(f"outputs: {read.reason}", "invalid_output")
            document = read.value
        if isinstance(document, dict | list):
            return document
        raise Unfit(f"expected an object, got {preview(document)}", "invalid_output")

    def _values(self, documents: Documents, document: Any) -> tuple[Any, Any]:
        """The expected value and the one that came."""
        expected = documents.expected
        asked = self.reader.correct_answer_key is None and isinstance(expected, dict)
        aim = self._aim(expected if asked else None, document)
        found = aim.take(expected if asked else None, document)  # type: ignore[arg-type]
        if not isinstance(found, Problem):
            return found if asked else (expected, found[1])
        column, _ = self.sides.take(documents)
        came: Any = aim.take(None, document)
        return column, came[1]

    def _aim(self, expected: Any, actual: Any) -> Target:
        """Where to look: at the member of that name if either side has it, else along the path."""
        selector = self.selector
        if selector is None or any(isinstance(one, dict) and self.name in one for one in (expected, actual)):
            selector = compile_path("/" + self.name.replace("~", "~0").replace("/", "~1"))
        return Target((selector,), many=False)
