"""One evaluator or comparator, as `fieldwise list NAME` tells of it: what it does, options, an example.

All of it is read off the factory, its signature and its docstring, so that it cannot say another thing than
Python does; only feedback keys that depend on options or records stand in a table.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from typing import TYPE_CHECKING, Any, Final

from fieldwise.cli.common.comparators import COMPARATORS
from fieldwise.evalsets.registry.signatures import options, options_of, section, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fieldwise.evalsets.registry.kinds import Kind
    from fieldwise.evalsets.registry.signatures import Option

_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "json_match": ("json_match:<field>", "json_match:average", "json_match:all"),
    "multi_field": ("multi_field:<path>", "multi_field:aggregate_score"),
    "grounded_fields": ("grounded_fields:<path>", "grounded_fields:aggregate_score"),
    "trajectory_match": ("trajectory_<mode>_match",),
    "binary_classification": ("binary_classification", "binary_classification:<metric>"),
    "multiclass_classification": ("multiclass_classification", "multiclass_classification:<metric>"),
}
"""Evaluator to its feedback keys, where they are more than its name."""
_TYPES: Final = {"string": "text", "boolean": "true | false", "object": "mapping", "array": "list"}
_LEAST: Final = 40
_REST: Final = re.compile(r"^(?:Args:|Raises:|Returns:|>>> )", re.MULTILINE)
"""Where a docstring ends saying what something does."""


def as_json(kind: Kind) -> dict[str, Any]:
    """Return what is known of an evaluator as JSON."""
    name = kind.evaluator
    return {
        "name": name,
        "evaluatorTypeId": kind.type_id,
        "about": summary(kind.factory),
        "scoring": kind.scoring,
        "criteria": kind.criteria,
        "feedbackKeys": list(feedback_keys(name)),
        "options": [_option_as_json(one) for one in options(name).values()],
        "example": section(kind.factory, "Example"),
    }


def _option_as_json(one: Option) -> dict[str, Any]:
    found = {"name": one.name, "type": type_of(one.schema), "required": one.required, "about": one.about}
    return found if one.required else {**found, "default": _plain(one.default)}


def _plain(value: Any) -> Any:
    """A default as JSON; what has no such form as text."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError):
        return repr(value)


def as_text(kind: Kind, width: int) -> str:
    """Return what is known of an evaluator as text, in lines of at most `width` columns."""
    name = kind.evaluator
    lines = [f"{name}: {_about(kind.factory)}", ""]
    lines += [f"in files: evaluatorTypeId {kind.type_id}, criteria {kind.criteria}", ""]
    lines += ["options (--option NAME=VALUE; in files camelCase, in evaluatorConfig):"]
    lines += _options_as_text(options(name).values(), width)
    lines += ["", "feedback keys:", *(f"  {key}" for key in feedback_keys(name))]
    lines += ["", "returns:", *_wrapped(section(kind.factory, "Returns"), width, 2)]
    example = section(kind.factory, "Example")
    if example:
        lines += ["", "example:", textwrap.indent(example, "  ")]
    return "\n".join(lines) + "\n"


def _about(factory: Callable[..., Any]) -> str:
    """What a factory's docstring says before it comes to options, errors and examples."""
    return _unmarked(_REST.split(inspect.getdoc(factory) or "", maxsplit=1)[0].strip())


def _options_as_text(some: Iterable[Option], width: int) -> Iterator[str]:
    for one in some:
        default = "required" if one.required else f"default {one.default!r}"
        yield from ("", f"  {one.name}  ({type_of(one.schema)}; {default})", *_wrapped(one.about, width, 6))


def comparator_as_json(name: str) -> dict[str, Any]:
    """Return what is known of a comparator as JSON."""
    factory = COMPARATORS[name]
    return {
        "name": name,
        "about": summary(factory),
        "options": [_option_as_json(one) for one in options_of(factory).values()],
        "example": _shown(factory),
    }


def comparator_as_text(name: str, width: int) -> str:
    """Return what is known of a comparator as text, in lines of at most `width` columns."""
    factory = COMPARATORS[name]
    some = options_of(factory)
    call = f"{name}({'NAME=VALUE, …' if some else ''})"
    lines = [f"{name}, a comparator: {_about(factory)}", ""]
    lines += [f"options (--option comparators.PATH={call}):" if some else "options: none"]
    lines += _options_as_text(some.values(), width)
    lines += ["", "example:", textwrap.indent(_shown(factory), "  ")]
    return "\n".join(lines) + "\n"


def _shown(factory: Callable[..., Any]) -> str:
    """The examples at the end of a docstring."""
    doc = inspect.getdoc(factory) or ""
    return doc[doc.index(">>> ") :]


def feedback_keys(name: str) -> tuple[str, ...]:
    """Return the feedback keys of an evaluator whose options are not given.

    >>> feedback_keys("exact_match"), feedback_keys("trajectory_match")
    (('exact_match',), ('trajectory_<mode>_match',))
    """
    return _KEYS.get(name) or (str(options(name)["feedback_key"].default),)


def type_of(schema: Mapping[str, Any] | None) -> str:
    """Return the JSON Schema of an option as people read it.

    >>> type_of({"type": ["array", "null"], "items": {"type": "string"}}), type_of({"enum": ["a", None]})
    ('list of text | null', 'a | null')
    """
    if schema is None or not schema:
        return "a Python value"
    if "anyOf" in schema:
        return " | ".join(map(type_of, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(one if isinstance(one, str) else json.dumps(one) for one in schema["enum"])
    named = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join(_one_type(one, schema) for one in named)


def _one_type(name: str, schema: Mapping[str, Any]) -> str:
    inner = schema.get({"array": "items", "object": "additionalProperties"}.get(name, ""))
    said = _TYPES.get(name, name)
    if not isinstance(inner, dict):
        return said
    kind = type_of(inner)
    return f"{said} {'of' if name == 'array' else 'to'} {f'({kind})' if '|' in kind else kind}"


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    plain = _unmarked(" ".join(text.split()))
    lines = textwrap.wrap(plain, max(width - indent, _LEAST), break_on_hyphens=False)
    return [" " * indent + line for line in lines]


def _unmarked(text: str) -> str:
    """Text without the marks of code."""
    return text.replace("`", "")
