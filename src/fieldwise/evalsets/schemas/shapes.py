"""The shapes of evaluator files and evaluation sets, as far as they are the same for every evaluator."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from fieldwise.evalsets.schemas.checking import BLANK

Schema: TypeAlias = dict[str, Any]

CONFIG: Final = "evaluatorConfig"
DEFAULT: Final = "defaultEvaluationCriteria"

NAME: Final = {"type": "string", "pattern": BLANK}
ANY_OBJECT: Final = {"type": "object"}
THRESHOLD: Final = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}


def closed(properties: Schema, required: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object with these keys and no others."""
    found: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**found, "required": list(required)} if required else found


def said(schema: Schema, description: str) -> Schema:
    """Return a schema with what it says of itself."""
    return {**schema, "description": description}


VERSION: Final = {"const": "1.0", "description": 'the version of the format, the text "1.0" in quotes'}

SPEC: Final = closed(
    {
        "$schema": {"type": "string"},
        "version": VERSION,
        "id": said(NAME, "what evaluation sets call it, in evaluatorRefs and evaluationCriterias"),
        "evaluatorTypeId": said(NAME, "which evaluator it is, such as uipath-exact-match"),
        "evaluatorSchema": said({"type": "string"}, "of an evaluator of your own, file://<name>.py:<ClassName>"),
        "name": said({"type": "string"}, "for people"),
        "description": said({"type": "string"}, "for people"),
        CONFIG: said(ANY_OBJECT, "its options and its defaultEvaluationCriteria"),
    },
    ("version", "id", "evaluatorTypeId"),
)  # fmt: skip

_OF_THE_PLATFORM: Final = {"description": "of the platform that the agent runs on; without meaning here"}
_CHOSEN: Final = closed(
    {
        "ref": said(NAME, "the id of the evaluator"),
        "weight": {"type": "number", "minimum": 0, "default": 1, "description": "how much it counts"},
        "threshold": said(THRESHOLD, "what its score has to reach to have passed"),
    },
    ("ref",),
)
_MOCKING: Final = closed(
    {
        "type": {"enum": ["llm", "mockito"]},
        "prompt": said({"type": "string"}, "how the agent's tools are simulated, in words"),
        "toolsToSimulate": {"type": "array", "items": ANY_OBJECT},
        "model": {"type": ["object", "string", "null"]},
        "config": {"type": "array", "items": ANY_OBJECT},
    }
)
_INPUT_MOCKING: Final = closed(
    {"prompt": {"type": "string"}, "model": {"type": ["object", "string", "null"]}}
)

ITEM: Final = closed(
    {
        "id": said(NAME, "what the item is called, once in the set"),
        "name": said({"type": "string"}, "for people; its id unless given"),
        "inputs": said(ANY_OBJECT, "what the agent is given"),
        "evaluationCriterias": {
            "type": "object",
            "additionalProperties": {"type": ["object", "null"]},
            "description": "evaluator id to its criteria, null or {} for its default; others are skipped",
        },
        "expectedOutput": {"description": "what evaluators of the output compare with by default"},
        "expectedAgentBehavior": said(
            {"type": "string"}, "what judges of trajectories compare with by default"
        ),
        "mockingStrategy": said({**_MOCKING, "type": ["object", "null"]}, "how its tools are simulated"),
        "inputMockingStrategy": said(
            {**_INPUT_MOCKING, "type": ["object", "null"]}, "how its inputs are made up; without meaning here"
        ),
    },
    ("id", "inputs", "evaluationCriterias"),
)  # fmt: skip

SET: Final = closed(
    {
        "$schema": {"type": "string"},
        "version": VERSION,
        "id": said(NAME, "what the evaluation set is called"),
        "name": said({"type": "string"}, "for people; its id unless given"),
        "description": said({"type": "string"}, "for people"),
        "evaluatorRefs": {
            "type": "array",
            "items": said(NAME, "weights go into evaluatorConfigs, [{ref, weight, threshold}]"),
            "description": "the ids of the evaluators of the set",
        },
        "evaluatorConfigs": {
            "type": "array",
            "items": {"anyOf": [NAME, _CHOSEN]},
            "description": "the same with weights and thresholds; it replaces evaluatorRefs",
        },
        "evaluations": {"type": "array", "items": ITEM, "description": "its items"},
        "modelSettings": _OF_THE_PLATFORM,
        "agentMemoryEnabled": _OF_THE_PLATFORM,
        "agentMemorySettings": _OF_THE_PLATFORM,
    },
    ("version", "id", "evaluations"),
)  # fmt: skip
