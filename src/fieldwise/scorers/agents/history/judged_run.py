"""One run of an agent before a judge: what is shown of it, where each part is taken from, and the grade.

| what | is taken from the first that has it |
|---|---|
| the expected behaviour | the reference if it is in words, the execution, the option |
| the input | `inputs`, the execution |
| the simulation | the keyword the evaluator is called with, the reference, the execution, the option |

An execution is an `AgentExecution` or what looks like one. What came out in the end is shown where no message
says it: the output of an execution that was read from its spans, the outputs of a run, the
`structured_response` of a state, what stands beside `tool_calls`.

A reference is text; an object with `expectedAgentBehavior`, perhaps with `simulationInstructions`; or an
object with one column, which is text. null is none. An expectation that says nothing is an invalid reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.callables import misfit
from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, said, shown
from fieldwise.core.equality import preview
from fieldwise.core.flow import Question
from fieldwise.core.read import NO_REFERENCE
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError
from fieldwise.scorers.agents.execution import RESULTS, TRACES
from fieldwise.scorers.agents.history import history
from fieldwise.scorers.agents.history.shortening import estimate
from fieldwise.scorers.agents.reading.forms import get, has
from fieldwise.scorers.agents.reading.loose import unwrapped
from fieldwise.scorers.asking import Asking, Side, context_of
from fieldwise.scorers.judged import percent
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from fieldwise.core.flow import Flow
    from fieldwise.scorers.agents.history.shortening import Count
    from fieldwise.scorers.agents.planning import Given

SIDES: Final = (
    Side(
        "expected_agent_behavior", ("ExpectedAgentBehavior", "expected_agent_behavior", "reference_outputs")
    ),
    Side("agent_run_history", ("AgentRunHistory", "agent_run_history", "outputs")),
    Side("user_or_synthetic_input", ("UserOrSyntheticInput", "user_or_synthetic_input", "inputs"), "offered"),
    Side("simulation_instructions", ("SimulationInstructions", "simulation_instructions"), "offered"),
)
"""What the prompt of either judge may name."""

_BEHAVIOR: Final = ("expectedAgentBehavior", "expected_agent_behavior")
_SIMULATION: Final = ("simulationInstructions", "simulation_instructions")
_CRITERION: Final = "The agent did what it was expected to do."
_WANTED: Final = "what was expected of the agent"
_SAYING: Final = "pass expected_agent_behavior='…' when the evaluator is created"
_LEAST_TOKENS: Final = 100
_MOST_TOKENS: Final = 10**18
_LISTED: Final = 300
_STRUCTURED: Final = "structured_response"
_CALLS: Final = "tool_calls"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a run is judged by: the behaviour in words, and the simulation as the reference tells it."""

    behavior: str
    simulation: Any = None


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The checked options, and the check of one record."""

    asking: Asking
    behavior: str | None
    simulation: str | None
    max_tokens: int
    count_tokens: Count
    use_reasoning: bool

    def expected(self, outputs: Any, reference: Any) -> Expected:
        """Return what a record is judged by.

        Raises:
            Unfit: where nothing says what was expected, or says it in no words.
        """
        try:
            found, simulation = _read(None if reference is MISSING else to_json(reference))
        except Unconvertible as error:
            raise Unfit(f"reference_outputs: {error}", "invalid_reference") from None
        if not isinstance(found, str):
            found = _first(_words(outputs, "expected_agent_behavior"), self.behavior, found)
        if found is None:
            what = NO_REFERENCE if reference is MISSING else "reference_outputs is null"
            raise Unfit(f"{what}, and nothing else says {_WANTED}", "invalid_reference")
        if not isinstance(found, str):
            raise Unfit(_wordless(found), "invalid_reference")
        if not found.strip():
            raise Unfit("the expected behaviour is empty", "invalid_reference")
        return Expected(found, simulation)

    def check(self, given: Given) -> Grade | Flow[Grade]:
        """Write down the run and have it judged."""
        expected = given.reference
        try:
            told = history(
                given.trajectory,
                _answer(given),
                max_tokens=self.max_tokens,
                count_tokens=self.count_tokens,
            )
        except Unconvertible as error:
            return Grade(0.0, f"outputs: {error}", "invalid_output")
        except Exception as error:  # noqa: BLE001 - whatever the user's count raises is a status
            return Grade(None, f"count_tokens failed: {said(error)}", "not_evaluated")
        sides = {
            "expected_agent_behavior": expected.behavior,
            "agent_run_history": told.text,
            "user_or_synthetic_input": _first(given.inputs, _of_execution(given.outputs, "agent_input")),
            "simulation_instructions": _first(
                given.more.get("simulation_instructions"),
                expected.simulation,
                _words(given.outputs, "simulation_instructions"),
                self.simulation,
            ),
        }
        prompt = self.asking.render(sides | context_of(given.more), {"agent_run_history": told.text})
        if isinstance(prompt, str):
            return Grade(None, prompt, "not_evaluated")
        question = Question("trajectory", "$", _CRITERION, expected.behavior, told.text, "percent")
        return self._asked(question, prompt, given, {"tokens": told.tokens, "cut": told.cut})

    def _asked(
        self, question: Question, prompt: Any, given: Given, history: Mapping[str, Any]
    ) -> Flow[Grade]:
        called = one_line(", ".join(given.trajectory.names), _LISTED) or "nothing"
        grade = yield from percent(
            question,
            prompt,
            use_reasoning=self.use_reasoning,
            otherwise=f"expected {preview(question.expected)}, called {called}",
        )
        return replace(grade, extra={**grade.extra, "history": history})


def limits(max_history_tokens: Any, count_tokens: Any) -> tuple[int, Count]:
    """Check how long a history may be, and how that is counted.

    Raises:
        ConfigError: for no whole number from 100 up, and for what is no function.
    """
    whole = isinstance(max_history_tokens, int) and not isinstance(max_history_tokens, bool)
    if not whole or not _LEAST_TOKENS <= max_history_tokens <= _MOST_TOKENS:
        fits = (
            f"of at most {_MOST_TOKENS:,}"
            if whole and max_history_tokens >= _LEAST_TOKENS
            else f"from {_LEAST_TOKENS} up"
        )
        raise ConfigError(f"max_history_tokens={shown(max_history_tokens)}: must be a whole number {fits}")
    count: Count = estimate if count_tokens is None else count_tokens
    if count_tokens is not None:
        reason = misfit(count_tokens, 1) if callable(count_tokens) else ""
        if reason is not None:
            why = f"it does not take one text ({reason}); it " if reason else ""
            fix = "must be a function from a text to its number of tokens"
            raise ConfigError(f"count_tokens={shown(count_tokens)}: {why}{fix}")
    return max_history_tokens, count


def _of_execution(outputs: Any, *names: str) -> Any:
    """What an execution has under the first of these names that it has; None where there is none."""
    outputs = unwrapped(outputs)
    try:
        if any(has(outputs, name) for name in TRACES):
            return next((get(outputs, name) for name in names if has(outputs, name)), None)
    except Exception:  # noqa: BLE001 - whatever an object of someone else's raises, it has no such thing
        return None
    return None


def _words(outputs: Any, name: str) -> Any:
    """What an execution says under a name; None for an empty text."""
    found = _of_execution(outputs, name)
    return None if isinstance(found, str) and not found.strip() else found


def _first(*values: Any) -> Any:
    """The first value that is one; None otherwise."""
    return next((value for value in values if value is not None and value is not MISSING), None)


def _read(reference: Any) -> tuple[Any, Any]:
    """The behaviour and the simulation that a reference holds, None for what it has not."""
    if not isinstance(reference, Mapping):
        return reference, None
    simulation = _first(*(reference.get(name) for name in _SIMULATION))
    if not reference.keys().isdisjoint(_BEHAVIOR):
        return _first(*(reference.get(name) for name in _BEHAVIOR)), simulation
    columns = {name: value for name, value in reference.items() if name not in _SIMULATION}
    ((_, sole),) = columns.items() if len(columns) == 1 else ((None, None),)
    return sole if isinstance(sole, str) else columns or None, simulation


def _wordless(found: Any) -> str:
    """What is wrong with an expectation that is no text."""
    if not isinstance(found, Mapping):
        return f"reference_outputs is {shown(found)}, which does not say in words {_WANTED}; {_SAYING}"
    listed = one_line(", ".join(map(shown, found)), _LISTED)
    return (
        f"reference_outputs has no {_BEHAVIOR[0]}: {listed}; name the column with correct_answer_key, "
        f"or {_SAYING}"
    )


def _answer(given: Given) -> Any:
    """What came out in the end, where no message shows it; MISSING where there is no such thing."""
    outputs, trajectory = unwrapped(given.outputs), given.trajectory
    found = None
    if trajectory.source == "spans":
        found = _of_execution(outputs, *RESULTS)
    elif trajectory.source == "run" and trajectory.turns is None:
        found = get(outputs[0] if isinstance(outputs, list | tuple) else outputs, "outputs")
    if found is not None:
        return found
    if not isinstance(outputs, Mapping):
        return MISSING
    if trajectory.turns is not None:
        return outputs.get(_STRUCTURED, MISSING)
    rest = {name: value for name, value in outputs.items() if name != _CALLS}
    return rest if _CALLS in outputs and rest else MISSING
