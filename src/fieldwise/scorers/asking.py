"""How a judge of whole documents is asked: the prompt, our own or the user's, and the model's settings.

What is judged has sides, a table of them for each evaluator: `OUTPUTS` here, others where they are used. A
prompt of the user's is a template that names sides, `{{ExpectedOutput}}` or `{reference_outputs}`; a
LangChain prompt of those names; or a callable, which is given the sides as they are, by keyword, and returns
messages: those that are required, and the others that it has parameters for. Names that nobody knows are
refused when the evaluator is created.

| a side that | and that the prompt does not name |
|---|---|
| is required | is added at its end, as a section of its own |
| only some records have, `CONTEXT` | is added where the record has it |
| is offered | is left out |

A prompt that names what a record has not is not made. `context` and `retrieval_context` are given when the
evaluator is called; null is none.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from sys import float_info
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypedDict

from fieldwise._types import MISSING
from fieldwise.core.display import said, shown
from fieldwise.core.prompts import (
    Prompt,
    TemplateFormat,
    add_to_user,
    check_template,
    encode,
    prompt_of,
    section,
    unknown_names,
)
from fieldwise.core.shared_options import Shared
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fieldwise.core.flow import Judge
    from fieldwise.scorers.plan import Plan


class ModelOptions(TypedDict, total=False):
    """Who judges.

    Attributes:
        judge: what judges: a LangChain model, an OpenAI client beside `model`, what `create_judge` made, or a
            callable.
        model: the name of a model, "openai:gpt-…", instead of `judge` or for a client.
        temperature: of a model given by name, or of an OpenAI client.
        max_tokens: the most tokens of its reply.
    """

    judge: Judge | Any | None
    model: str | None
    temperature: float | None
    max_tokens: int | None


class JudgeOptions(ModelOptions, total=False):
    """Who judges, and how it is asked.

    Attributes:
        prompt: words of your own; see `asking`.
        template_format: of a prompt that is text: "plain", "f-string" or "mustache".
        use_reasoning: whether the model is to explain itself; the explanation is the comment.
    """

    prompt: Any
    template_format: TemplateFormat
    use_reasoning: bool


MODEL: Final = Shared[ModelOptions](
    ModelOptions, {"judge": None, "model": None, "temperature": 0.0, "max_tokens": 4096}
)
JUDGING: Final = Shared[JudgeOptions](
    JudgeOptions, {"prompt": None, "template_format": "plain", "use_reasoning": True}, MODEL
)
JUDGE: Final = "You are a careful judge. You compare what a system produced with what was expected of it."
_MOST_TOKENS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Model:
    """Who judges; see `ModelOptions`."""

    judge: Judge | Any | None
    model: str | None
    temperature: float | None
    max_tokens: int | None


@dataclass(frozen=True, slots=True)
class Judging(Model):
    """Who judges, and how it is asked; see `JudgeOptions`."""

    prompt: Any
    template_format: TemplateFormat
    use_reasoning: bool


Use: TypeAlias = Literal["required", "where_given", "offered"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the values that a judge may be shown.

    Attributes:
        keyword: what callables are given it as.
        names: what templates call it; the first names the section that is added.
        use: what happens where a prompt does not name it; see the module.
    """

    keyword: str
    names: tuple[str, ...]
    use: Use = "required"


OUTPUTS: Final = (
    Side("reference_outputs", ("ExpectedOutput", "reference_outputs")),
    Side("outputs", ("ActualOutput", "outputs")),
)
CONTEXT: Final = (
    Side("context", ("Context", "context"), "where_given"),
    Side("retrieval_context", ("RetrievalContext", "retrieval_context"), "where_given"),
)


def context_of(more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sides of `CONTEXT` among what else an evaluator was called with.

    >>> context_of({"context": ["It rains."], "retrieval_context": None, "run": 7})
    {'context': ['It rains.']}
    """
    found = {side.keyword: more.get(side.keyword) for side in CONTEXT}
    return {name: value for name, value in found.items() if value is not None and value is not MISSING}


@dataclass(frozen=True, slots=True)
class Asking:
    """The words in which a judge of documents is asked.

    Attributes:
        prompt: a template, LangChain prompt or callable.
        system: a system message before it.
        template_format: of a template.
        sides: all there are.
        named: the keywords of those that the prompt names itself.
        listed: see `Prompt`.
    """

    prompt: Any
    system: str | None
    template_format: TemplateFormat
    sides: tuple[Side, ...]
    named: frozenset[str]
    listed: bool

    def render(self, given: Mapping[str, Any], written: Mapping[str, str] | None = None) -> Prompt | str:
        """Return the messages with the sides in them, or why there are none.

        Args:
            given: keyword to value; all that are required or offered, and what else the record has.
            written: keyword to text, of those that go into the prompt in another form than as one JSON value.
        """
        has = given.keys()
        lost = [side.names[0] for side in self.sides if side.keyword in self.named - has]
        if lost and not _is_function(self.prompt):
            named = ", ".join(f"{{{name}}}" for name in lost)
            return f"the prompt asks for {named}, not passed to the evaluator"
        added = [
            side
            for side in self.sides
            if side.use != "offered" and side.keyword in has and side.keyword not in self.named
        ]
        put = [] if _is_function(self.prompt) else [side for side in self.sides if side.keyword in self.named]
        texts: dict[str, str] = {}
        for side in (*put, *added):
            try:
                text = (written or {}).get(side.keyword) or encode(given[side.keyword])
            except Unconvertible as error:
                return f"{side.names[-1]}: {error}"
            texts |= dict.fromkeys(side.names, text)
        try:
            return self._made(given, texts, added)
        except Exception as error:  # noqa: BLE001 - whatever a user's prompt raises is a status
            return f"the prompt could not be made: {said(error)}"

    def _made(self, given: Mapping[str, Any], texts: Mapping[str, str], added: Sequence[Side]) -> Prompt:
        made = prompt_of(
            self.prompt,
            texts,
            given={name: value for name, value in given.items() if name in self.named},
            system=self.system,
            required=[side.names[0] for side in added],
            template_format=self.template_format,
        )
        messages = made.messages
        if not isinstance(self.prompt, str) and not hasattr(self.prompt, "input_variables"):
            for side in added:
                if not {*side.names} & (made.named or frozenset()):
                    name = side.names[0]
                    messages = add_to_user(messages, section(name, texts[name]).strip())
        return Prompt(messages, listed=self.listed)


def asking(
    prompt: Any,
    otherwise: str,
    template_format: TemplateFormat,
    *,
    sides: Sequence[Side] = OUTPUTS,
    system: str = JUDGE,
    listed: bool = False,
) -> Asking:
    """Check the prompt of an evaluator.

    Args:
        prompt: the option; None: the evaluator's own.
        otherwise: the evaluator's own.
        template_format: of a prompt that is text.
        sides: what it may name, beside `CONTEXT`.
        system: the system message before the evaluator's own.
        listed: see `Prompt`.

    Raises:
        ConfigError: for what is no prompt, or asks for what nobody knows.
    """
    sides = (*sides, *CONTEXT)
    known = [name for side in sides for name in side.names]
    check_template("prompt", prompt, known, template_format)
    if prompt is None:
        return Asking(otherwise, system, "plain", sides, _naming(otherwise, sides, "plain"), listed)
    if not isinstance(prompt, str) and hasattr(prompt, "input_variables"):
        unknown = ", ".join(sorted({*prompt.input_variables} - {*known}))
        if unknown:
            raise ConfigError(
                f"prompt asks for {unknown}, which is not known: it may ask for {', '.join(sorted(known))}"
            )
    elif not isinstance(prompt, str) and not callable(prompt) and not hasattr(prompt, "invoke"):
        raise ConfigError(
            f"prompt={shown(prompt)}: must be text, a LangChain prompt or a callable that returns messages"
        )
    return Asking(prompt, None, template_format, sides, _naming(prompt, sides, template_format), listed)


def _naming(prompt: Any, sides: Sequence[Side], template_format: TemplateFormat) -> frozenset[str]:
    """The keywords of the sides that a prompt names; all of them, where nobody can say."""
    if isinstance(prompt, str):
        names = {*unknown_names(prompt, (), template_format)}
    elif hasattr(prompt, "input_variables"):
        names = {*prompt.input_variables}
    elif _is_function(prompt):
        return frozenset(one.keyword for one in sides if one.use == "required" or _takes(prompt, one))
    else:
        return frozenset(one.keyword for one in sides if one.use != "where_given")
    return frozenset(one.keyword for one in sides if not names.isdisjoint(one.names))


def _is_function(prompt: Any) -> bool:
    """Whether a prompt is called with the sides as they are; see `prompt_of`."""
    filled = isinstance(prompt, str) or hasattr(prompt, "format_messages") or hasattr(prompt, "invoke")
    return not filled and callable(prompt)


def _takes(function: Callable[..., Any], side: Side) -> bool:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # nobody can say what it takes
        return False
    return side.keyword in parameters or any(one.kind is one.VAR_KEYWORD for one in parameters.values())


def judged_by(plan: Plan, told: Model) -> Plan:
    """Return a plan with its judge, as the options say.

    Raises:
        ConfigError: as `settings`.
    """
    model = settings(told.temperature, told.max_tokens)
    return replace(plan, judge=told.judge, model=told.model, settings=model)


def settings(temperature: Any, max_tokens: Any) -> dict[str, Any]:
    """Check the settings of a model; return those that are not a judge's own.

    Raises:
        ConfigError: for a temperature that is no number from 0 up, a limit that is no whole number from 1 up.
    """
    number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if temperature is not None and not (number and 0 <= temperature <= float_info.max):
        raise ConfigError(
            f"temperature={shown(temperature)}: must be a number from 0 up, or None for the model's own"
        )
    whole = isinstance(max_tokens, int) and not isinstance(max_tokens, bool)
    if max_tokens is not None and not (whole and 1 <= max_tokens <= _MOST_TOKENS):
        fits = "from 1 up" if not whole or max_tokens < 1 else f"of at most {_MOST_TOKENS:,}"
        raise ConfigError(
            f"max_tokens={shown(max_tokens)}: must be a whole number {fits}, or None for no limit"
        )
    given = {"temperature": temperature, "max_tokens": max_tokens}
    return {name: value for name, value in given.items() if value != MODEL.defaults[name]}
