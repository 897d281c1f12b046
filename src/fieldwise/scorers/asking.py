"""How a judge of whole documents is asked: the prompt, our own or the user's, and the model's settings.

A prompt of the user's is a template that may name `{{ExpectedOutput}}` and `{{ActualOutput}}`, or
`{reference_outputs}` and `{outputs}`; a LangChain prompt of those names; or a callable, which is given
`outputs` and `reference_outputs` as they are and returns messages. Of the two sides, what a prompt does not
name is added at its end. Names that nobody knows are refused when the evaluator is created.
"""

from __future__ import annotations

from dataclasses import dataclass
from sys import float_info
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core._say import said, shown
from fieldwise.core.prompts import Prompt, check_template, encode, prompt_of, unknown_names
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from fieldwise.core.prompts import TemplateFormat

_EXPECTED: Final = ("ExpectedOutput", "reference_outputs")
_ACTUAL: Final = ("ActualOutput", "outputs")
_JUDGE: Final = "You are a careful judge. You compare what a system produced with what was expected of it."
_DEFAULTS: Final[dict[str, Any]] = {"temperature": 0.0, "max_tokens": 4096}
"""What a judge is created with unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The words in which a judge of documents is asked.

    Attributes:
        prompt: a template, LangChain prompt or callable.
        system: a system message before it.
        template_format: of a template.
        required: the names of the sides that the prompt does not name itself.
        listed: see `Prompt`.
    """

    prompt: Any
    system: str | None
    template_format: TemplateFormat
    required: tuple[str, ...]
    listed: bool

    def render(self, expected: Any, actual: Any) -> Prompt | str:
        """Return the messages with the documents in them, or why there are none."""
        sides = dict.fromkeys(_EXPECTED, encode(expected)) | dict.fromkeys(_ACTUAL, encode(actual))
        try:
            made = prompt_of(
                self.prompt,
                sides,
                given={"outputs": actual, "reference_outputs": expected},
                system=self.system,
                required=self.required,
                template_format=self.template_format,
            )
        except Exception as error:  # noqa: BLE001 - whatever a user's prompt raises is a status
            return f"the prompt could not be made: {said(error)}"
        return Prompt(made.messages, listed=self.listed)


def asking(prompt: Any, otherwise: str, template_format: TemplateFormat, *, listed: bool = False) -> Asking:
    """Check the prompt of an evaluator; `otherwise` is the evaluator's own.

    Raises:
        ConfigError: for what is no prompt, or asks for what nobody knows.
    """
    known = (*_EXPECTED, *_ACTUAL)
    check_template("prompt", prompt, known, template_format)
    system = _JUDGE if prompt is None else None
    if prompt is None:
        prompt, template_format = otherwise, "plain"
    if isinstance(prompt, str):
        named = set(unknown_names(prompt, (), template_format))
    elif hasattr(prompt, "input_variables"):
        named = set(prompt.input_variables)
        unknown = ", ".join(sorted(named - set(known)))
        if unknown:
            raise ConfigError(
                f"prompt asks for {unknown}, which is not known: it may ask for {', '.join(sorted(known))}"
            )
    elif callable(prompt) or hasattr(prompt, "invoke"):
        named = set(known)
    else:
        raise ConfigError(
            f"prompt={shown(prompt)}: must be text, a LangChain prompt or a callable that returns messages"
        )
    required = tuple(names[0] for names in (_EXPECTED, _ACTUAL) if named.isdisjoint(names))
    return Asking(prompt, system, template_format, required, listed)


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
    if max_tokens is not None and not (whole and max_tokens >= 1):
        raise ConfigError(
            f"max_tokens={shown(max_tokens)}: must be a whole number from 1 up, or None for no limit"
        )
    given = {"temperature": temperature, "max_tokens": max_tokens}
    return {name: value for name, value in given.items() if value != _DEFAULTS[name]}
