"""JSON schema: does an output fit a schema, and where not.

Formats are not asserted: JSON Schema has them as annotations, and which of them a validator knows depends
on what else is installed. References to other documents are never fetched.
"""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise._types import MISSING
from fieldwise.comparators._patterns import matches
from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, said, shown
from fieldwise.core.explain import PLACE_LIMIT, SHOWN
from fieldwise.core.select import place_name
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.json_checks import unwrapped
from fieldwise.scorers.single import Grade, single

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

MOST: Final = 1_000
"""Violations looked for, at most."""

LISTED: Final = 50
PATTERN_SECONDS: Final = 1.0
"""How long one pattern may search one text."""


_SHOWN: Final = 10
_WORDS: Final = """
$schema $id $ref $anchor $defs $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment
id definitions title description default examples deprecated readOnly writeOnly format
contentEncoding contentMediaType contentSchema
type enum const allOf anyOf oneOf not if then else disallow extends
properties patternProperties additionalProperties propertyNames required unevaluatedProperties
minProperties maxProperties dependencies dependentRequired dependentSchemas
items prefixItems additionalItems unevaluatedItems contains minContains maxContains
minItems maxItems uniqueItems
minimum maximum exclusiveMinimum exclusiveMaximum multipleOf divisibleBy minLength maxLength pattern
"""
_KEYWORDS: Final = frozenset(_WORDS.split())
"""The words of JSON Schema, of draft 3 to 2020-12."""


class BadSchema(ValueError):
    """A schema that is none; its text says where and why."""


@options.PARSING.named
def json_schema(
    *,
    schema: Any = None,
    feedback_key: str = "json_schema",
    **reading: Unpack[options.Parsing],
) -> Plan:
    """Check whether an output fits a JSON schema.

    `extra["violations"]` lists the first 50: path, keyword, message. A schema of any draft that
    `jsonschema` knows is read by its `$schema`, else as draft 2020-12.

    Args:
        schema: a dict, a bool, JSON text, or a pydantic model, whose JSON schema is used. Without it the
            reference is the schema, in the same forms.
        outputs_key: the key or path of the value to check in the outputs.
        correct_answer_key: the key of the schema in the reference outputs, else the inputs.
        reading: how JSON in text is read; see `options.Parsing`.
        feedback_key: replaces `json_schema` as the key.

    Returns:
        One result with a score of True or False; None where the reference is no schema, or the schema
        cannot be applied.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix; for a schema that is none.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_json_schema_evaluator(schema={"required": ["a"]})
        >>> evaluate(outputs={"b": 1})["comment"]
        "$: 'a' is a required property"
    """
    fixed = None
    if schema is not None:
        try:
            fixed = _validator(copy.deepcopy(_as_schema(schema)))
        except BadSchema as error:
            raise ConfigError(f"schema: {error}") from None
        except RecursionError:
            raise ConfigError("schema: it is nested too deep to be checked") from None

    reader = options.reader(**reading)

    def prepare(outputs: Any, reference: Any) -> tuple[Any, Any]:
        inner = unwrapped(outputs) if reader.outputs_key is None else outputs
        if inner is not outputs and not _has_output(fixed.schema if fixed is not None else reference):
            outputs = inner
        return outputs, None if fixed is not None else _reference(reference)

    def check(documents: Documents) -> Grade:
        if fixed is not None:
            return _checked(fixed, documents.actual, "not_evaluated")
        try:
            validator = _validator(_as_schema(documents.expected))
        except (BadSchema, RecursionError) as error:
            why = str(error) if isinstance(error, BadSchema) else "it is nested too deep to be checked"
            return Grade(None, f"the reference is no JSON schema: {why}", "invalid_reference")
        return _checked(validator, documents.actual, "invalid_reference")

    return single(
        "json_schema",
        check,
        replace(
            reader,
            unwrap=False,
            correct_answer_key=None if fixed is not None else reader.correct_answer_key,
        ),
        feedback_key=feedback_key,
        requires_reference=fixed is None,
        worst=False,
        prepare=prepare,
    )


# --------------------------------------------------------------------------------------- schemas


def _as_schema(value: Any) -> Any:
    """A schema as JSON: of a model its JSON schema, of text what it says."""
    try:
        made = getattr(value, "model_json_schema", None)
        found = to_json(made() if callable(made) else _read(value))
    except BadSchema:
        raise
    except Unconvertible as error:
        raise BadSchema(str(error)) from None
    except Exception as error:
        raise BadSchema(f"the model has no JSON schema: {said(error)}") from error
    if isinstance(found, dict) and found and _KEYWORDS.isdisjoint(found):
        keys = ", ".join(map(shown, islice(found, _SHOWN)))
        raise BadSchema(f"it has no keyword of JSON Schema, so anything would fit; its keys: {keys}")
    if isinstance(found, dict | bool):
        return found
    raise BadSchema(f"{shown(found)} is no schema; give an object, true or false, or a pydantic model")


def _read(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    from fieldwise.core.parse import Parsed, parse

    read = parse(value, scalars=True)
    if isinstance(read, Parsed):
        return read.value
    raise BadSchema(read.reason)


def _reference(reference: Any) -> Any:
    """The reference as it was handed over, a model as its schema."""
    reference = unwrapped(reference)
    try:
        if not callable(getattr(reference, "model_json_schema", None)):
            return reference
        return _as_schema(reference)
    except Exception:  # noqa: BLE001 - no schema, or an object that refuses to be asked: said when it is read
        return reference


def _has_output(schema: Any) -> bool:
    """Whether a schema speaks of a member `output`, which is then no wrapper."""
    if schema is MISSING:
        return False
    try:
        found = _as_schema(unwrapped(schema))
    except (BadSchema, RecursionError):
        return False
    if isinstance(found, dict) and isinstance(found.get("$ref"), str) and found["$ref"].startswith("#/"):
        from fieldwise.core.select import compile_path

        found = next((match.value for match in compile_path(found["$ref"]).find(found)), None)
    members = found.get("properties") if isinstance(found, dict) else None
    return isinstance(members, dict) and "output" in members


def _validator(schema: Any) -> Any:
    """What validates by a schema; nothing is ever fetched for it."""
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft202012Validator, validator_for
    from jsonschema_specifications import REGISTRY

    draft = schema.get("$schema") if isinstance(schema, dict) else None
    if draft is not None and not isinstance(draft, str):
        raise BadSchema(f"$schema: {shown(draft)} is not text")
    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise BadSchema(f"{_place(error)}: {one_line(error.message)}") from None
    return _bounded(kind)(schema, registry=REGISTRY)


@lru_cache(maxsize=64)
def _validator_of(text: str) -> Any:
    return _validator(json.loads(text))


def check_schema(schema: Any) -> None:
    """Check that an object is a JSON schema.

    Raises:
        BadSchema: saying where it is none.
    """
    try:
        _validator(schema)
    except RecursionError:
        raise BadSchema("it is nested too deep to be checked") from None


# ------------------------------------------------------------------------------------- validation


def violation(schema: str, document: Any) -> str | None:
    """Return how a document first violates a schema, which is JSON text; None where it fits.

    >>> violation('{"properties": {"n": {"maximum": 5}}}', {"n": 7})
    'n: 7 is greater than the maximum of 5'
    """
    return _checked(_validator_of(schema), document, "not_evaluated").comment


def _checked(validator: Any, document: Any, otherwise: Any) -> Grade:
    """Whether a document fits, and the first violations; `otherwise`: the status when nobody can say."""
    try:
        found = list(islice(validator.iter_errors(document), MOST))
    except RecursionError:
        return Grade(None, "the output is nested too deep for its schema to be applied", "not_evaluated")
    except TimeoutError as error:
        return Grade(None, str(error), "not_evaluated")
    except Exception as error:  # noqa: BLE001 - hostile numbers, references that lead nowhere
        return Grade(None, f"the schema cannot be applied: {said(error)}", otherwise)
    if not found:
        return Grade(score=True)
    listed = sorted(
        (
            {"path": _place(one), "keyword": str(one.validator), "message": one_line(one.message)}
            for one in found
        ),
        key=_order,
    )
    lines = "; ".join(f"{one['path']}: {one['message']}" for one in listed[:SHOWN])
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    count = f"{len(found)} violations: " if len(found) > 1 else ""
    return Grade(
        score=False,
        comment=f"{count}{lines}{more}",
        extra={"violations": listed[:LISTED], "violated": len(found)},
    )


def _order(one: dict[str, str]) -> tuple[str, ...]:
    return tuple(one.values())


def _place(error: Any) -> str:
    return one_line(place_name(tuple(error.absolute_path)), PLACE_LIMIT)


@lru_cache(maxsize=16)
def _bounded(kind: Any) -> Any:
    """A draft's validator whose patterns have a time limit."""
    from jsonschema.validators import extend

    return extend(kind, {"pattern": _pattern, "patternProperties": _pattern_properties})


def _pattern(validator: Any, pattern: str, instance: Any, _: Any) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if validator.is_type(instance, "string") and not _search(pattern, instance):
        yield ValidationError(f"{shown(instance)} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: dict[str, Any], instance: Any, _: Any) -> Iterator[Any]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, inner in patterns.items():
        for name, value in instance.items():
            if _search(pattern, name):
                yield from validator.descend(value, inner, path=name, schema_path=pattern)


def _search(pattern: str, text: str) -> bool:
    return matches(pattern, text, full=False, ignore_case=False, timeout=PATTERN_SECONDS)
