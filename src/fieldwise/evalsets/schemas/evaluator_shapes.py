"""The shapes that depend on the evaluator: its criteria and its `evaluatorConfig`.

Options and what they mean are read off the factories. The tables here have what files add: criteria, options
that they must give, and keys of other runners that mean nothing here or cannot be honoured.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from fieldwise.evalsets.files.spelling import camel
from fieldwise.evalsets.schemas.shapes import ANY_OBJECT, DEFAULT, NAME, THRESHOLD, Schema, closed, said

if TYPE_CHECKING:
    from fieldwise.evalsets.registry.kinds import Kind
    from fieldwise.evalsets.registry.signatures import Option

_CALL: Final = {
    "name": said(NAME, "the name of the tool"),
    "id": {"type": ["string", "integer", "null"]},
}
_OPERATORS: Final = ["=", "==", "!=", ">", "<", ">=", "<="]
_COUNT: Final = {"type": "integer", "minimum": 0}
_PAIR: Final = {"type": "array", "minItems": 2, "maxItems": 2}
_CRITERIA: Final[dict[str, Schema]] = {
    "expectedOutput": said({}, "what the output is compared with"),
    "searchText": said({"type": "string"}, "what the output has to contain"),
    "expectedClass": said({"type": ["string", "number", "boolean"]}, "the right label"),
    "expectedAgentBehavior": said(NAME, "what the agent should have done, in words"),
    "toolCallsOrder": {
        "type": "array",
        "items": {"anyOf": [NAME, ANY_OBJECT]},
        "description": "the names of the tools, in order; {parallel: [names]} for those in any order",
    },
    "toolCalls": {
        "type": "array",
        "items": closed({**_CALL, "arguments": ANY_OBJECT, "args": ANY_OBJECT}, ("name",)),
        "description": "the calls, each with name and arguments",
    },
    "toolCallsCount": {
        "type": "object",
        "additionalProperties": {
            "anyOf": [
                {**_PAIR, "prefixItems": [{"enum": _OPERATORS}, _COUNT]},
                _COUNT,
            ]
        },
        "description": 'tool to how often it is called, ["=", 1]',
    },
    "toolOutputs": {
        "type": "array",
        "items": closed({**_CALL, "output": {"description": "what the call gave back"}}, ("name", "output")),
        "description": "the calls, each with name and output",
    },
    "maxMs": said({"type": "number"}, "the most milliseconds"),
    "maxErrors": said({"type": "integer", "minimum": 0}, "the most failures"),
    "maxTokens": said({"type": "integer", "minimum": 0}, "the most tokens"),
    "spanOrder": said({"type": "array", "items": NAME}, "the names of the spans, in order"),
    "substrings": said({"type": "array", "items": {"type": "string"}}, "the texts to look for"),
    "prefix": said({"type": "string"}, "what the output has to start with"),
    "suffix": said({"type": "string"}, "what the output has to end with"),
    "pattern": said({"type": "string"}, "the regular expression"),
}  # fmt: skip
_BESIDE: Final = {
    "expectedAgentBehavior": {
        "simulationInstructions": said({"type": "string"}, "what the simulation of the tools was told")
    }
}
_REQUIRED: Final = frozenset({"classes"})
"""Options that are optional in Python and not in files."""
_DEFAULTS: Final = {("exact_match", "ignore_case"): False, ("contains", "case_sensitive"): False}
_BY_LINE: Final[Schema] = {
    "lineByLineEvaluator": {
        "const": False,
        "description": "lines are not evaluated one by one: make an item of each, or expect a list of them",
    },
    "lineDelimiter": {"type": "string", "description": "without meaning where lines are not split"},
}
_NO_METRICS: Final[Schema] = {
    key: {"not": {}, "description": "exact match counts no classes: use uipath-multiclass-classification"}
    for key in ("classes", "aggregators")
}  # fmt: skip
_NOT_OURS: Final[Schema] = {
    "feedbackKey": {"not": {}, "description": "results are called by the id of the evaluator: leave it out"},
    "judge": {"not": {}, "description": "a run gives the judge: name a model here, or leave it out"},
}
_NARROWER: Final[dict[str, Schema]] = {
    "threshold": THRESHOLD,
    "temperature": {"type": ["number", "null"], "minimum": 0},
    "max_tokens": {"type": ["integer", "null"], "minimum": 1},
    "f_value": {"type": "number", "minimum": 0, "maximum": 1000},
    "prompt": {"type": ["string", "array", "null"]},
}


@cache
def criteria_schema(kind: Kind) -> Schema:
    """Return the schema of the criteria that an evaluator takes; `{}` are none.

    >>> from fieldwise.evalsets.registry.kinds import kind_of
    >>> criteria_schema(kind_of("uipath-contains"))["properties"]["searchText"]["type"]
    'string'
    """
    return closed({kind.criteria: _CRITERIA[kind.criteria], **_BESIDE.get(kind.criteria, {})})


@cache
def config_schema(kind: Kind) -> Schema:
    """Return the schema of the `evaluatorConfig` of an evaluator.

    >>> from fieldwise.evalsets.registry.kinds import kind_of
    >>> config_schema(kind_of("uipath-contains"))["properties"]["caseSensitive"]["default"]
    False
    """
    properties: Schema = {
        "name": said({"type": "string"}, "for people"),
        "description": said({"type": "string"}, "for people"),
        DEFAULT: {
            "anyOf": [criteria_schema(kind), {"type": "null"}],
            "description": "the criteria of items that state none",
        },
    }
    required = []
    for name, option in kind.options.items():
        properties[camel(name)] = _option(kind, option)
        if option.required or name in _REQUIRED:
            required.append(camel(name))
    if "target_output_key" in kind.options:
        properties |= _BY_LINE
    if kind.evaluator == "exact_match":
        properties |= _NO_METRICS
    return closed({**properties, **_NOT_OURS}, tuple(required))


def _option(kind: Kind, option: Option) -> Schema:
    """The schema of an option, with its default and what it means."""
    found = dict(_NARROWER.get(option.name) or option.schema or {})
    if option.name == "threshold" and kind.evaluator == "json_edit_distance":
        found = {"type": "number", "minimum": 0, "maximum": 1}
    default = _DEFAULTS.get((kind.evaluator, option.name), option.default)
    if not option.required and default is not None:
        found["default"] = default
    if option.about:
        found["description"] = option.about
    return found
