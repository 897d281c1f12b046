"""LLM judge of a graph trajectory: did a graph run through the right nodes, in the eyes of a model?

What belongs here: the words in which it is asked, the options, and the flow over one record. The asking
itself is `llm_as_judge`, given the thread as one more variable of its prompt. `graph` knows the shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise._types import MISSING
from fieldwise.core.equality import equal
from fieldwise.core.prompts import unknown_names
from fieldwise.core.read import Problem
from fieldwise.core.shared_options import Shared
from fieldwise.scorers import options
from fieldwise.scorers.agents.graph import read_graph
from fieldwise.scorers.agents.planning import NO_OUTPUTS, unread
from fieldwise.scorers.asking import MODEL, Model, ModelOptions, settings
from fieldwise.scorers.llm_as_judge import llm_as_judge
from fieldwise.scorers.single import Grade, SingleCard

if TYPE_CHECKING:
    from fieldwise._types import Json
    from fieldwise.core.flow import Flow
    from fieldwise.core.read import Reader
    from fieldwise.scorers.plan import Card, Plan

_PROMPT: Final = """\
A graph of nodes works through a user's requests. Judge whether the nodes it ran through are right.

Right means that each step follows from the one before, that the steps lead to the result, and that none
is plainly needless; the shortest way is not asked for.

Each run has what it was given, the nodes it ran through in order, and what it came to. "__start__" is where a
run begins, "__interrupt__" where it stopped to ask a person, and the input "__resuming__" is that person's
answer.

<thread>
{thread}
</thread>"""
_WITH_REFERENCE: Final = """

This is a thread known to be right. Another that does the same by comparable steps is right as well.

<reference_thread>
{reference_outputs}
</reference_thread>"""


class GraphOptions(ModelOptions, options.Keys, total=False):
    """Who judges, and which value of each side is the trajectory."""


GRAPH: Final = Shared[GraphOptions](GraphOptions, {}, MODEL, options.KEYS)


@GRAPH.named
def llm_judge_graph_trajectory(
    *,
    prompt: Any = None,
    system: str | None = None,
    continuous: bool = False,
    choices: list[float] | None = None,
    use_reasoning: bool = True,
    few_shot_examples: list[Any] | None = None,
    feedback_key: str = "llm_judge_graph_trajectory",
    **given: Unpack[GraphOptions],
) -> Plan:
    """Have a model say whether a graph ran through the right nodes; a reference helps and is not needed.

    A thread that equals the reference is right and, with the prompt it comes with, not sent.

    Args:
        prompt: words of your own, as those of `create_llm_as_judge`. `{thread}` is the list of runs, each
            with `input`, `steps` and `result`; `{reference_outputs}` the same of the reference, null without
            one; `{inputs}`, `{outputs}` and whatever else the evaluator is called with are as given. Text
            that names neither the thread nor the outputs gets the thread at its end.
        system: a system message before a prompt that is text.
        continuous: whether the score is a number from 0 to 1, not a boolean.
        choices: the numbers that the score may be.
        use_reasoning: whether the model is to explain itself; the explanation is the comment.
        few_shot_examples: examples, each with `inputs` and `outputs`, and perhaps `reasoning` and `score`.
        given: who judges what; see `GraphOptions`.
        feedback_key: replaces `llm_judge_graph_trajectory` as the key.

    Returns:
        One result: True or False, or a number where the options say so; None where it could not be judged.
        What is no graph trajectory is `invalid_output`, with the lowest score, or `invalid_reference`, None.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_llm_judge_graph_trajectory_evaluator(
        ...     judge=lambda request: {one.id: {"score": True} for one in request.questions}
        ... )
        >>> evaluate(outputs={"steps": [["__start__", "agent"]], "results": [{"answer": 2}]})["score"]
        True
    """
    told = GRAPH.complete(given)
    by = Model(**MODEL.pick(told))
    options.judge_given("llm_judge_graph_trajectory", by.judge, by.model)
    plans = [
        llm_as_judge(
            prompt=words,
            feedback_key=feedback_key,
            judge=by.judge,
            model=by.model,
            system=system,
            continuous=continuous,
            choices=choices,
            use_reasoning=use_reasoning,
            few_shot_examples=few_shot_examples,
        )
        for words in _prompts(prompt)
    ]
    judging = _Judging(
        feedback_key,
        options.reader(**options.KEYS.pick(told)),
        plans,
        worst=False if not continuous and not choices else float(min(choices or (0.0,))),
        best=True if not continuous and not choices else float(max(choices or (1.0,))),
        own=prompt is None,
    )
    return replace(
        plans[0],
        name="llm_judge_graph_trajectory",
        flow=judging.flow,
        settings=settings(by.temperature, by.max_tokens),
    )


def _prompts(prompt: Any) -> tuple[Any, Any]:
    """What is asked without a reference, and with one."""
    if prompt is None:
        return _PROMPT, _PROMPT + _WITH_REFERENCE
    if isinstance(prompt, str) and not {"thread", "outputs"} & {*unknown_names(prompt, (), "f-string")}:
        prompt += "\n\n<thread>\n{thread}\n</thread>"
    return prompt, prompt


@dataclass(frozen=True, slots=True)
class _Judging:
    """The checked options, and the flow over one record."""

    key: str
    reader: Reader
    plans: list[Plan]
    worst: float | bool
    best: float | bool
    own: bool

    def flow(self, inputs: Any, outputs: Any, reference_outputs: Any, **more: Any) -> Flow[Card]:
        """Read both sides, and have the thread judged."""
        sides = self._read(inputs, outputs, reference_outputs)
        if isinstance(sides, Problem):
            return self._card(unread(sides, worst=self.worst))
        thread, reference = sides
        if self.own and reference is not None and equal(thread, reference):
            return self._card(Grade(self.best, extra={"usage": {"judge_calls": 0}}))
        asking = self.plans[reference is not None].flow
        return (yield from asking(inputs, outputs, reference, **more | {"thread": thread}))

    def _card(self, grade: Grade) -> Card:
        return SingleCard(self.key, grade, {}, grade.score == self.best)

    def _read(self, inputs: Any, outputs: Any, reference: Any) -> tuple[list[Json], Any] | Problem:
        """The thread, and the reference's, None without one."""
        without = reference is MISSING and self.reader.correct_answer_key is None
        documents = self.reader.read(inputs, outputs, None if without else reference)
        if documents.problem is not None:
            return documents.problem
        if documents.actual is MISSING:
            return NO_OUTPUTS
        expected = None
        if documents.expected is not None:
            wanted = read_graph(documents.expected, "reference_outputs")
            if isinstance(wanted, Problem):
                return wanted
            expected = wanted.thread()
        came = read_graph(documents.actual, "outputs", inputs=inputs)
        return came if isinstance(came, Problem) else (came.thread(), expected)
