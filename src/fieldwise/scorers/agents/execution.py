"""What a run of an agent left behind, as evaluation sets hand it to evaluators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TRACES: Final = ("agent_trace", "workload_trace")
RESULTS: Final = ("agent_output", "workload_output")
"""What the spans and the output go by, in older UiPath documents and in newer ones."""


@dataclass(frozen=True, slots=True)
class AgentExecution:
    """One run of an agent.

    Attributes:
        agent_input: what it was given, by name.
        agent_output: what it answered.
        agent_trace: its spans, OpenTelemetry `ReadableSpan`s, sorted by start.
        expected_agent_behavior: what it should have done, in words.
        simulation_instructions: how its tools were simulated, in words.

    Example:
        >>> AgentExecution({"q": "1+1"}, {"result": 2}).workload_output
        {'result': 2}
    """

    agent_input: Mapping[str, Any] | None = None
    agent_output: Any = None
    agent_trace: Sequence[Any] = ()
    expected_agent_behavior: str | None = None
    simulation_instructions: str = ""

    @property
    def workload_output(self) -> Any:
        """The output, under the name that newer UiPath documents use."""
        return self.agent_output

    @property
    def workload_trace(self) -> Sequence[Any]:
        """The spans, under the name that newer UiPath documents use."""
        return self.agent_trace
