"""LLM as judge: a prompt of the user's own, asked of a model, as OpenEvals' evaluator of that name.

What belongs here: the options, the scales, and the flow over one record. How the prompt is made is
`llm_prompt`; what becomes of an `output_schema` is `llm_schema`.

| options | score |
|---|---|
| neither of those below | True or False |
| `continuous=True` | a number from 0 to 1 |
| `choices=[…]` | one of them |
| `output_schema=…` | each member that is a number or boolean, as it is |

A reply off its scale is asked for once more, then a judge_error. A reference is needed only where the prompt
asks for one. Results have passed at True, 1, the highest choice, the maximum that a schema states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Number
from sys import float_info
from typing import TYPE_CHECKING, Any, Final, Literal

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.flow import Question
from fieldwise.core.read import Problem
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.judging import ask
from fieldwise.scorers.llm_prompt import Wording, wording
from fieldwise.scorers.llm_schema import OutputSchema, plain
from fieldwise.scorers.llm_schema import output_schema as read_schema
from fieldwise.scorers.plan import Plan
from fieldwise.scorers.single import Grade, SingleCard

if TYPE_CHECKING:
    from fieldwise._types import EvaluatorResult, Status
    from fieldwise.core.flow import Flow
    from fieldwise.scorers.judging import Judged
    from fieldwise.scorers.plan import Card

_KEY: Final = "score"


def llm_as_judge(
    *,
    prompt: Any,
    feedback_key: str = "score",
    judge: Any | None = None,
    model: str | None = None,
    system: str | None = None,
    continuous: bool = False,
    choices: list[float] | None = None,
    use_reasoning: bool = True,
    few_shot_examples: list[Any] | None = None,
    output_schema: Any | None = None,
    structured_output_kwargs: dict[str, Any] | None = None,
) -> Plan:
    """Have a model judge by a prompt of your own.

    The evaluator takes `inputs`, `outputs`, `reference_outputs`, `attachments` and any further variable of
    the prompt as keyword arguments. What the prompt does not name is not shown to the model, `context` and
    `retrieval_context` included: a prompt that is to judge by them names them.

    Args:
        prompt: text that names variables, `{outputs}`; a LangChain prompt; or a callable that takes them by
            keyword and returns messages. In text and LangChain prompts a variable is written as JSON.
        feedback_key: the key of the result.
        judge: what judges: a LangChain model, an OpenAI client beside `model`, what `create_judge` made, or a
            callable.
        model: the name of a model, "openai:gpt-…", instead of `judge` or for a client.
        system: a system message before a prompt that is text.
        continuous: whether the score is a number from 0 to 1, not a boolean.
        choices: the numbers that the score may be.
        use_reasoning: whether the model is to explain itself; the explanation is the comment.
        few_shot_examples: examples, each with `inputs` and `outputs`, and perhaps `reasoning` and `score`,
            added to the end of the prompt.
        output_schema: what the model is to reply instead: a TypedDict, a pydantic model, a JSON schema of an
            object. Each member that is a number or boolean becomes a result under its own name (behind
            `feedback_key` and a colon, where that is given); text becomes the comment;
            `extra["output"]` of the first result is the whole reply.
        structured_output_kwargs: passed to `with_structured_output` of a chat model.

    Returns:
        One result; a list of them for an `output_schema` with several scores. A score is None where it
        could not be judged.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_llm_as_judge(
        ...     prompt="Is this short? {outputs}",
        ...     feedback_key="short",
        ...     judge=lambda request: {"short": {"score": True, "reasoning": "One word."}},
        ... )
        >>> result = evaluate(outputs="Yes")
        >>> result["key"], result["score"], result["comment"]
        ('short', True, 'One word.')
    """
    options.text("feedback_key", feedback_key)
    options.judge_given("create_llm_as_judge", judge, model)
    schema = _schema(prompt, output_schema, continuous=continuous, choices=choices)
    use_reasoning = options.flag("use_reasoning", use_reasoning)
    scale: _One | _Members
    if schema is None:
        picked = _choices(choices, continuous=options.flag("continuous", continuous))
        scale = _One(feedback_key, "unit" if continuous else "choice" if picked else "boolean", picked)
    else:
        scale = _Members(feedback_key, schema)
    words = wording(prompt, system, few_shot_examples)
    name = "llm_as_judge" if feedback_key == _KEY else f"llm_as_{feedback_key}_judge"
    return Plan(
        name,
        _Judging(words, scale, use_reasoning=use_reasoning).flow,
        judge,
        model,
        requires_reference=False,
        single=scale.single,
        takes_more=True,
        settings=_settings(structured_output_kwargs),
    )


def _schema(prompt: Any, given: Any, *, continuous: Any, choices: Any) -> OutputSchema | None:
    held = getattr(prompt, "schema_", None)
    if given is not None and held is not None:
        raise ConfigError("output_schema is given with a prompt that has a schema of its own: leave one out")
    found = held if given is None else given
    if found is None:
        return None
    for name, value in (("continuous", continuous), ("choices", choices)):
        if value:
            raise ConfigError(
                f"{name}={shown(value)} is given with an output schema, which says what the scores are: "
                "leave one out"
            )
    return read_schema(found)


def _choices(given: Any, *, continuous: bool) -> tuple[float, ...]:
    if given is None:
        return ()
    if continuous:
        raise ConfigError("continuous and choices are both given: pass one of them")
    numbers = (
        isinstance(given, Sequence) and not isinstance(given, options.BYTES) and all(map(_is_score, given))
    )
    if not numbers or not given:
        raise ConfigError(f"choices={shown(given)}: must be a list of numbers, [0.0, 0.5, 1.0]")
    twice = next((one for place, one in enumerate(given) if one in given[:place]), None)
    if twice is not None:
        raise ConfigError(f"choices={shown(given)}: holds {shown(twice)} twice; name each score once")
    return tuple(given)


def _is_score(one: Any) -> bool:
    """Whether a number is one that a score may be: a finite float holds it."""
    return isinstance(one, int | float) and not isinstance(one, bool) and abs(one) <= float_info.max


def _settings(structured: Any) -> dict[str, Any]:
    if structured is None:
        return {}
    found = options.mapping("structured_output_kwargs", structured)
    return {"structured_output_kwargs": found} if found else {}


# ---------------------------------------------------------------------------------------------- scales


@dataclass(frozen=True, slots=True)
class _One:
    """One verdict under one key."""

    key: str
    scale: Literal["boolean", "unit", "choice"]
    choices: tuple[float, ...] = ()
    single = True
    schema = None

    def questions(self, criterion: str, expected: Any, actual: Any) -> list[Question]:
        return [Question(self.key, self.key, criterion, expected, actual, self.scale, self.choices)]

    def card(self, judged: Judged, *, use_reasoning: bool) -> Card:
        extra = {"comparator": "judge", "usage": judged.usage}
        answer = judged.answers.get(self.key)
        if answer is None:
            return self._shown(Grade(None, judged.reasons[self.key], judged.status, extra))
        score = answer.score if self.scale == "boolean" else self._number(answer.score)
        return self._shown(Grade(score, answer.reasoning if use_reasoning else None, extra=extra))

    def failed(self, problem: Problem) -> Card:
        lowest: Any = False if self.scale == "boolean" else float(min(self.choices, default=0.0))
        score = problem.score(lowest)
        return self._shown(Grade(score, problem.reason, problem.status))

    def _number(self, score: Any) -> float:
        return float(next((one for one in self.choices if one == score), score))

    def _shown(self, grade: Grade) -> Card:
        passed = grade.score is not None and grade.score >= max(self.choices, default=1)
        return SingleCard(self.key, grade, {}, passed)


@dataclass(frozen=True, slots=True)
class _Members:
    """A verdict for each score of a schema."""

    key: str
    schema: OutputSchema

    @property
    def single(self) -> bool:
        """Whether there is one result."""
        return len(self.schema.scores) < 2  # noqa: PLR2004 - none and one make one result

    def questions(self, criterion: str, expected: Any, actual: Any) -> list[Question]:
        check = self.schema.check
        return [
            Question(name, name, f"{name}: {criterion}", expected, actual, "schema", schema=check)
            for name in self.schema.members
        ]

    def card(self, judged: Judged, *, use_reasoning: bool) -> Card:
        output = {name: plain(_score(answer.score)) for name, answer in judged.answers.items()}
        texts = {name: text for name, text in output.items() if isinstance(text, str) and use_reasoning}
        extra = {"comparator": "judge", "usage": judged.usage, "output": output}
        if not self.schema.scores:
            reason = self.schema.comment("", texts) or "the output schema has no score"
            return SingleCard(self.key, Grade(None, reason, "not_applicable", extra), {}, passed=False)
        found = []
        for name in self.schema.scores:
            grade = self._grade(name, judged, self.schema.comment(name, texts))
            grade.extra, extra = {**extra, **grade.extra}, {"comparator": "judge"}
            found.append(self._result(name, grade))
        return _MembersCard(found)

    def _grade(self, name: str, judged: Judged, comment: str | None) -> Grade:
        answer = judged.answers.get(name)
        if answer is None:
            return Grade(None, judged.reasons[name], judged.status, path=name)
        if answer.score is None:
            return Grade(None, comment or "the judge gave no score", "not_applicable", path=name)
        return Grade(_score(answer.score), comment, path=name)

    def failed(self, problem: Problem) -> Card:
        status: Status = "not_evaluated" if problem.status == "invalid_output" else problem.status
        grade = Grade(None, problem.reason, status)
        names = self.schema.scores or {self.key: 1.0}
        return _MembersCard([self._result(name, replace(grade, path=name)) for name in names])

    def _result(self, name: str, grade: Grade) -> EvaluatorResult:
        passed = grade.score is not None and grade.score >= self.schema.scores.get(name, 1.0)
        return SingleCard(self._key(name), grade, {}, passed).summary()

    def _key(self, name: str) -> str:
        if self.key == _KEY:
            return name if self.schema.scores else self.key
        return self.key if self.single else f"{self.key}:{name}"


def _score(value: Any) -> float | bool:
    """A number as results have it: one of another class, `Decimal`, `Fraction`, as a float."""
    return float(value) if isinstance(value, Number) and not isinstance(value, bool | int | float) else value  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _MembersCard:
    """A record scored as several results."""

    found: list[EvaluatorResult]

    def results(self) -> list[EvaluatorResult]:
        """Return a result for each score."""
        return self.found

    def summary(self) -> EvaluatorResult:
        """Return the first."""
        return self.found[0]


# ------------------------------------------------------------------------------------------------ flow


@dataclass(frozen=True, slots=True)
class _Judging:
    """The checked options, and the flow over one record."""

    words: Wording
    scale: _One | _Members
    use_reasoning: bool

    def flow(self, inputs: Any, outputs: Any, reference_outputs: Any, **more: Any) -> Flow[Card]:
        """Make the prompt, ask, and read the answers."""
        sides = {"inputs": MISSING if inputs is None else inputs, "outputs": outputs}
        sides["reference_outputs"] = reference_outputs
        given = {name: value for name, value in sides.items() if value is not MISSING} | more
        if not given:
            return self.scale.failed(
                Problem("not_evaluated", "the evaluator was called without anything to judge")
            )
        made = self.words.render(given)
        if isinstance(made, Problem):
            return self.scale.failed(made)
        prompt, values = made
        schema = self.scale.schema
        questions = self.scale.questions(
            self._criterion(), values.get("reference_outputs"), values.get("outputs")
        )
        judged = yield from ask(
            questions,
            reasoning=self.use_reasoning,
            prompt=prompt if schema is None else replace(prompt, schema=schema.shown),
        )
        return self.scale.card(judged, use_reasoning=self.use_reasoning)

    def _criterion(self) -> str:
        prompt = self.words.prompt
        return prompt if isinstance(prompt, str) else "as the prompt says"
