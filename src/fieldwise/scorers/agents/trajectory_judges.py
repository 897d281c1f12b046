"""LLM judges of what an agent did: how well its run meets an expectation, in the eyes of a model.

The judge is asked for a number from 0 to 100, which is divided by 100, as `llm_judge_output` is. What it is
shown, and where each part is taken from, is `judged_run`; the form of the history is `history`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Unpack

from fieldwise.core.shared_options import Shared
from fieldwise.scorers import options
from fieldwise.scorers.agents.history import MAX_TOKENS
from fieldwise.scorers.agents.history.judged_run import SIDES, JudgedRun, limits
from fieldwise.scorers.agents.planning import agent_plan, columns
from fieldwise.scorers.asking import JUDGING, JudgeOptions, Judging, asking, judged_by

if TYPE_CHECKING:
    from fieldwise.scorers.agents.history.shortening import Count
    from fieldwise.scorers.plan import Plan

_JUDGE: Final = "You are a careful judge. You compare what an agent did with what was expected of it."
_SCALE: Final = """\
100: all that was expected, in whatever way the expectation leaves open, and nothing that goes against it.
0: nothing that was expected, or the opposite.
In between: the share that was done, and done right, less for what was wrong, needless or harmful."""
_INPUT: Final = """\
What the agent was given (null: see its messages):
<UserOrSyntheticInput>
{{UserOrSyntheticInput}}
</UserOrSyntheticInput>"""
_REST: Final = """\
What was expected of it:
<ExpectedAgentBehavior>
{{ExpectedAgentBehavior}}
</ExpectedAgentBehavior>

What it did, one step a line, in order. `turn` is a message, and `calls` the tool calls in it; `call` is a
tool call by itself. Calls with the same `group` were made at once, so that their order means nothing.
`answers` names the call whose output a tool's message is. `final_answer` is what came out in the end. A
member whose name ends in `_cut` was too long to be shown whole, and `left_out` is what is not shown.
<AgentRunHistory>
{{AgentRunHistory}}
</AgentRunHistory>"""
_PROMPT: Final = f"""\
How well did an agent do what was expected of it?

{_SCALE}

{_INPUT}

{_REST}"""
_SIMULATED: Final = f"""\
How well did an agent do what was expected of it, in a simulation? Its tools were simulated, and perhaps its
user: what they gave back was made up by the instructions below. Judge what the agent did with that, and do
not hold against it what the simulation gave it.

{_SCALE}

{_INPUT}

What the simulation was told (null: nothing is known of it):
<SimulationInstructions>
{{{{SimulationInstructions}}}}
</SimulationInstructions>

{_REST}"""


class TrajectoryOptions(JudgeOptions, options.Keys, total=False):
    """Who judges, how it is asked, and what it is shown.

    Attributes:
        expected_agent_behavior: what is expected where a record does not say it in words: where there is no
            reference, or one of names or calls of tools, such as the `expected_tools` of an `Example`.
        max_history_tokens: the most tokens of the history, 100 or more. Long contents are cut in their middle
            first, then steps left out; never the name of a call.
        count_tokens: how many tokens a text has; by default one for every three bytes of UTF-8.
    """

    expected_agent_behavior: str | None
    max_history_tokens: int
    count_tokens: Count | None


TRAJECTORY: Final = Shared[TrajectoryOptions](
    TrajectoryOptions,
    {"expected_agent_behavior": None, "max_history_tokens": MAX_TOKENS, "count_tokens": None},
    JUDGING,
    options.KEYS,
)


@dataclass(frozen=True, slots=True)
class _Told(Judging):
    """What a judge is told; see `TrajectoryOptions`."""

    outputs_key: str | None
    correct_answer_key: str | None
    expected_agent_behavior: str | None
    max_history_tokens: int
    count_tokens: Count | None


@TRAJECTORY.named
def llm_judge_trajectory(
    *,
    feedback_key: str = "llm_judge_trajectory",
    threshold: float = 0.7,
    **given: Unpack[TrajectoryOptions],
) -> Plan:
    """Have a model say how well an agent did what was expected of it, in words.

    The outputs are whatever an agent leaves behind: messages, a state, calls, spans, a run, an
    `AgentExecution`. The reference is text, or an object with `expectedAgentBehavior` (or
    `expected_agent_behavior`). A callable judge answers the question `trajectory` with a number from 0 to
    100. What the evaluator is called with as `context=`, `retrieval_context=` and `simulation_instructions=`
    is for the judge as well.

    Args:
        prompt: words of your own; see `asking`. It may name `{{AgentRunHistory}}`,
            `{{ExpectedAgentBehavior}}`, `{{UserOrSyntheticInput}}`, `{{SimulationInstructions}}`,
            `{{Context}}` and `{{RetrievalContext}}`, or the same in snake case, `{agent_run_history}`. The
            first two, and a context that is given, are added at its end where it leaves them out.
        given: who judges what; see `TrajectoryOptions`.
        feedback_key: replaces `llm_judge_trajectory` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1; None where it could not be judged. `extra["history"]` says how many
        tokens the history has, and whether anything was cut.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_llm_judge_trajectory_evaluator(
        ...     judge=lambda request: {"trajectory": {"score": 90, "reasoning": "One call too many."}}
        ... )
        >>> result = evaluate(
        ...     inputs="5 + 3?",
        ...     outputs=[{"name": "add", "args": {"a": 5, "b": 3}}],
        ...     reference_outputs={"expectedAgentBehavior": "It adds the numbers with its tool, once."},
        ... )
        >>> result["score"], result["comment"]
        (0.9, 'One call too many.')
    """
    return _judging("llm_judge_trajectory", _PROMPT, given, feedback_key=feedback_key, threshold=threshold)


@TRAJECTORY.named
def llm_judge_trajectory_simulation(
    *,
    simulation_instructions: str | None = None,
    feedback_key: str = "llm_judge_trajectory_simulation",
    threshold: float = 0.7,
    **given: Unpack[TrajectoryOptions],
) -> Plan:
    """Have a model say how well an agent did what was expected of it, its tools being simulated.

    As `llm_judge_trajectory`, with words for a simulation. How the tools were simulated is told by
    `simulation_instructions=` when the evaluator is called, by a reference that is an object, by an
    `AgentExecution`, or by the option.

    Args:
        prompt: words of your own, as in `llm_judge_trajectory`.
        simulation_instructions: how the tools were simulated where a record does not say it.
        given: who judges what; see `TrajectoryOptions`.
        feedback_key: replaces `llm_judge_trajectory_simulation` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1; None where it could not be judged.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_llm_judge_trajectory_simulation_evaluator(
        ...     judge=lambda request: {"trajectory": 100}
        ... )
        >>> result = evaluate(
        ...     outputs=[{"name": "search", "args": {"q": "kettle"}}, {"name": "compare", "args": {}}],
        ...     reference_outputs="It searches, compares prices, and names the cheapest.",
        ...     simulation_instructions="search finds two kettles, at 20 and 30 EUR",
        ... )
        >>> result["key"], result["score"]
        ('llm_judge_trajectory_simulation', 1.0)
    """
    return _judging(
        "llm_judge_trajectory_simulation",
        _SIMULATED,
        given,
        feedback_key=feedback_key,
        threshold=threshold,
        simulated=simulation_instructions,
    )


def _judging(
    name: str,
    words: str,
    given: TrajectoryOptions,
    *,
    feedback_key: str,
    threshold: float,
    simulated: str | None = None,
) -> Plan:
    told = _Told(**TRAJECTORY.complete(given))
    options.judge_given(name, told.judge, told.model)
    judged = JudgedRun(
        asking(told.prompt, words, told.template_format, sides=SIDES, system=_JUDGE),
        _said("expected_agent_behavior", told.expected_agent_behavior),
        _said("simulation_instructions", simulated),
        *limits(told.max_history_tokens, told.count_tokens),
        use_reasoning=options.flag("use_reasoning", told.use_reasoning),
    )
    plan = agent_plan(
        name,
        judged.check,
        columns(outputs_key=told.outputs_key, correct_answer_key=told.correct_answer_key),
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        requires_reference=False,
        criteria=judged.expected,
        takes_more=True,
    )
    return judged_by(plan, told)


def _said(option: str, value: str | None) -> str | None:
    return None if value is None else options.text(option, value)
