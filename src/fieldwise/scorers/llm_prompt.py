"""How `llm_as_judge` asks: whatever the evaluator is called with, put into the user's prompt.

| the prompt is | and gets |
|---|---|
| text | each variable as JSON, once; braces as in `str.format`, unless the text is none it could take |
| a LangChain prompt | the same texts by name |
| a callable | `inputs`, `outputs`, `reference_outputs` and whatever else was passed, as they are |

A variable that a prompt asks for and nobody passed is a status, naming it. What was passed and the prompt
does not name is left out, as by OpenEvals; also for a callable that takes no `context` or
`retrieval_context`, where OpenEvals raises: a run passes them on from every record that has them. Chat
messages among the variables become `{"role", "content"}`. Attachments stand where text says `{attachments}`,
else at the end; examples come last.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import said, shown
from fieldwise.core.prompts import Message, Prompt, add_to_user, encode, prompt_of, unknown_names
from fieldwise.core.read import Problem
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError
from fieldwise.scorers import options

if TYPE_CHECKING:
    from fieldwise._types import Json, Status

ATTACHMENTS: Final = "attachments"
_ALIASES: Final = {
    "ActualOutput": "outputs",
    "ExpectedOutput": "reference_outputs",
    "Context": "context",
    "RetrievalContext": "retrieval_context",
}
_OFFERED: Final = frozenset({"context", "retrieval_context"})
"""What a callable prompt is given only if it takes it: a run passes them on from records that have them."""

_FAULTS: Final[dict[str, Status]] = {"outputs": "invalid_output", "reference_outputs": "invalid_reference"}
_HERE: Final = "\0"
"""Stands for attachments while a template is filled; text written as JSON never holds it."""

_ROLES: Final = {"human": "user", "ai": "assistant"}
_EXAMPLE: Final = ("inputs", "outputs", "reasoning", "score")


@dataclass(frozen=True, slots=True)
class Wording:
    """A checked prompt.

    Attributes:
        prompt: text, a LangChain prompt or a callable.
        system: a system message before it.
        examples: what is added at its end.
    """

    prompt: Any
    system: str | None = None
    examples: str | None = None

    def render(self, variables: Mapping[str, Any]) -> tuple[Prompt, dict[str, Json]] | Problem:
        """Return the messages and the variables as JSON, or why there are none."""
        given = dict(variables)
        attachments = given.pop(ATTACHMENTS, None)
        values: dict[str, Json] = {}
        for name, value in given.items():
            try:
                values[name] = to_json(_spoken(value))
            except Unconvertible as error:
                return Problem(_FAULTS.get(name, "not_evaluated"), f"{name}: {error}")
        texts = {name: encode(value) for name, value in values.items()}
        texts |= {alias: texts[name] for alias, name in _ALIASES.items() if name in texts}
        lost = [
            name
            for name in self._asked()
            if name not in texts and (name != ATTACHMENTS or attachments is None)
        ]
        if lost:
            name = _ALIASES.get(lost[0], lost[0])
            named = ", ".join(f"{{{one}}}" for one in lost)
            return Problem(
                _FAULTS.get(name, "not_evaluated"),
                f"the prompt asks for {named}, not passed to the evaluator",
            )
        try:
            blocks = [_block(one) for one in _each(attachments)]
            messages = self._messages(texts, given, blocks)
        except Exception as error:  # noqa: BLE001 - whatever a user's prompt raises is a status
            return Problem("not_evaluated", f"the prompt could not be made: {said(error)}")
        if self.examples is not None:
            messages = add_to_user(messages, self.examples)
        return Prompt(messages), values

    def _asked(self) -> Sequence[str]:
        """The variables that the prompt names."""
        if not isinstance(self.prompt, str):
            return getattr(self.prompt, "input_variables", ())
        aliases = [name for name in _ALIASES if f"{{{{{name}}}}}" in self.prompt]
        return dict.fromkeys([*unknown_names(self.prompt, (), "f-string"), *aliases])  # type: ignore[return-value]

    def _takes(self, name: str) -> bool:
        """Whether a callable prompt has a parameter for what a record may have beside its sides."""
        try:
            parameters = inspect.signature(self.prompt).parameters
        except (TypeError, ValueError):  # text, or what nobody can say of
            return True
        return name in parameters or any(one.kind is one.VAR_KEYWORD for one in parameters.values())

    def _messages(
        self, texts: dict[str, str], given: Mapping[str, Any], blocks: list[str]
    ) -> tuple[Message, ...]:
        raw = {name: given.get(name) for name in ("inputs", "outputs", "reference_outputs")} | dict(given)
        raw = {name: value for name, value in raw.items() if name not in _OFFERED or self._takes(name)}
        filled = texts | {ATTACHMENTS: _HERE if blocks else ""}
        found = prompt_of(
            self.prompt, filled, given=raw, system=self.system, template_format="f-string"
        ).messages
        return _with_blocks(found, blocks) if blocks else found


def wording(prompt: Any, system: Any, few_shot_examples: Any) -> Wording:
    """Check a prompt and what goes with it.

    Raises:
        ConfigError: for what is no prompt, a system message beside what is no text, examples that are none.
    """
    if not isinstance(prompt, str) and not callable(prompt) and not hasattr(prompt, "invoke"):
        raise ConfigError(
            f"prompt={shown(prompt)}: must be text, a LangChain prompt or a callable that returns messages"
        )
    if isinstance(prompt, str) and not prompt.strip():
        raise ConfigError("prompt is empty: say what is to be judged, and of what, {outputs}")
    if system is not None and not isinstance(system, str):
        raise ConfigError(f"system={shown(system)}: must be text")
    if system is not None and not isinstance(prompt, str):
        raise ConfigError(
            "system is given with a prompt that is no text: put the system message into the prompt"
        )
    return Wording(prompt, system, _examples(few_shot_examples))


def _examples(given: Any) -> str | None:
    if given is None:
        return None
    if isinstance(given, options.BYTES | str | Mapping) or not isinstance(given, Sequence):
        raise ConfigError(
            f"few_shot_examples={shown(given)}: must be a list of examples, [{{'inputs': …, 'outputs': …}}]"
        )
    lines = [encode(_example(at, one)) for at, one in enumerate(given)]
    listed = "\n".join(lines)
    return f"Examples of how to judge, one a line:\n<examples>\n{listed}\n</examples>" if lines else None


def _example(at: int, one: Any) -> Json:
    if not isinstance(one, Mapping) or not {"inputs", "outputs"} <= one.keys() <= set(_EXAMPLE):
        raise ConfigError(
            f"few_shot_examples[{at}]={shown(one)}: must have inputs and outputs, and may have reasoning and "
            "score"
        )
    try:
        return to_json({name: _spoken(one[name]) for name in _EXAMPLE if one.get(name) is not None})
    except Unconvertible as error:
        raise ConfigError(f"few_shot_examples[{at}]: {error}") from None


# -------------------------------------------------------------------------------------------- messages


def _spoken(value: Any) -> Any:
    """A value with the chat messages in it as dicts: itself, or in a list, or in a member `messages`."""
    if isinstance(value, list | tuple):
        return [_said(one) for one in value]
    if isinstance(value, dict) and isinstance(value.get("messages"), list | tuple):
        return {**value, "messages": [_said(one) for one in value["messages"]]}
    return _said(value)


def _said(one: Any) -> Any:
    """A message of LangChain's as a dict, anything else as it is."""
    if not hasattr(one, "response_metadata") or not hasattr(one, "content"):
        return one
    kind = str(getattr(one, "type", "user"))
    found = {"role": _ROLES.get(kind, kind), "content": one.content}
    for name in ("tool_calls", "tool_call_id", "name"):
        if getattr(one, name, None):
            found[name] = getattr(one, name)
    return found


# ----------------------------------------------------------------------------------------- attachments


def _each(attachments: Any) -> Sequence[Any]:
    if attachments is None:
        return ()
    return attachments if isinstance(attachments, list | tuple) else (attachments,)


def _block(one: Any) -> str:
    """An attachment as a content block of a chat message, as JSON text."""
    if isinstance(one, str):
        return json.dumps({"type": "image_url", "image_url": {"url": one}})
    if not isinstance(one, Mapping):
        raise TypeError(
            f"an attachment is {type(one).__name__}: pass a URL, or a dict with mime_type and data"
        )
    kind, data = one.get("mime_type"), one.get("data")
    if isinstance(kind, str) and isinstance(data, str):
        return json.dumps(_media(kind.lower().strip(), data, one))
    if "type" in one:
        return json.dumps(dict(one))
    raise ValueError("an attachment has no mime_type and data, and is no content block with a type")


def _media(kind: str, data: str, one: Mapping[str, Any]) -> dict[str, Any]:
    if kind.startswith("image/"):
        return {"type": "image_url", "image_url": {"url": data}}
    if kind == "application/pdf":
        return {"type": "file", "file": {"filename": one.get("name", "attachment.pdf"), "file_data": data}}
    if kind.startswith("audio/"):
        form = kind.partition("/")[2]
        form = {"mpeg": "mp3", "wave": "wav", "x-wav": "wav"}.get(form, form)
        return {"type": "input_audio", "input_audio": {"data": data.rpartition(",")[2], "format": form}}
    raise ValueError(
        f"an attachment of type {kind!r} cannot be sent: only image/*, audio/* and application/pdf"
    )


def _with_blocks(messages: tuple[Message, ...], blocks: list[str]) -> tuple[Message, ...]:
    """Put content blocks where the first message with the mark has it, or at the end of the user's last."""
    for place, message in enumerate(messages):
        if _HERE in message.content:
            before, _, after = message.content.partition(_HERE)
            return (*messages[:place], _mixed(message.role, before, blocks, after), *messages[place + 1 :])
    last = max((place for place, one in enumerate(messages) if one.role == "user"), default=None)
    if last is None:
        return (*messages, Message("user", "", tuple(blocks)))
    message = messages[last]
    mixed = Message("user", "", (*(message.blocks or _text(message.content)), *blocks))
    return (*messages[:last], mixed, *messages[last + 1 :])


def _mixed(role: str, before: str, blocks: list[str], after: str) -> Message:
    return Message(role, "", (*_text(before), *blocks, *_text(after.replace(_HERE, ""))))


def _text(text: str) -> tuple[str, ...]:
    return (json.dumps({"type": "text", "text": text}),) if text else ()
