"""What spans call the things that matter here: the attributes of each convention, in the order tried.

| | OpenInference, UiPath | OpenTelemetry GenAI | LangSmith's export |
|---|---|---|---|
| kind | `openinference.span.kind` | `gen_ai.operation.name` | `langsmith.span.kind` |
| tool | `tool.name` | `gen_ai.tool.name` | `gen_ai.tool.name`, `langsmith.trace.name` |
| its call | `tool.id`, `tool_call.id` | `gen_ai.tool.call.id` | `gen_ai.tool.call.id` |
| arguments | `input.value` | `gen_ai.tool.call.arguments` | `gen_ai.prompt` |
| output | `output.value` | `gen_ai.tool.call.result` | `gen_ai.completion` |
| requests | `llm.output_messages.N.message.…` | `gen_ai.output.messages` | `gen_ai.completion` |

An attribute that names a tool makes a span a tool's, whatever else it says it is, unless it is a model's.
UiPath's `tool.synthesized` says that no tool ran.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["tool", "llm", "other"]

KINDS: Final[tuple[tuple[str, dict[str, Kind]], ...]] = (
    ("openinference.span.kind", {"tool": "tool", "llm": "llm"}),
    ("langsmith.span.kind", {"tool": "tool", "llm": "llm"}),
    (
        "gen_ai.operation.name",
        {"execute_tool": "tool", "chat": "llm", "generate_content": "llm", "text_completion": "llm"},
    ),
)
"""The first of these attributes that a span has decides what it is."""

TOOL: Final = ("tool.name", "gen_ai.tool.name")
TOOL_BY_KIND: Final = ("langsmith.trace.name",)
"""Names a tool where the kind says that it is one; failing that, the span's own name."""

SYNTHESIZED: Final = "tool.synthesized"
CALL_ID: Final = ("tool.id", "tool_call.id", "gen_ai.tool.call.id")
ARGUMENTS: Final = (
    "gen_ai.tool.call.arguments",
    "tool_call.function.arguments",
    "input.value",
    "gen_ai.prompt",
)
OUTPUT: Final = ("gen_ai.tool.call.result", "output.value", "gen_ai.completion")
OUTPUT_TYPE: Final = "output.mime_type"
PARAMETERS: Final = ("tool.parameters", "tool.json_schema")
ERROR: Final = "error.type"

REPLIES: Final = ("gen_ai.output.messages", "gen_ai.completion", "output.value")
TOLD: Final = ("input.value", "gen_ai.input.messages", "gen_ai.prompt")
RETURNED: Final = ("output.value", "gen_ai.completion", "gen_ai.output.messages")

REPLY: Final = "llm.output_messages"
PROMPT: Final = "llm.input_messages"
DECLARED: Final = "llm.tools"
DEFINITIONS: Final = "gen_ai.tool.definitions"

LANGSMITH: Final = frozenset({"gen_ai.prompt", "gen_ai.completion"})
"""Hold a run's inputs and outputs: a value that is no object stands under `input` or `output`."""
