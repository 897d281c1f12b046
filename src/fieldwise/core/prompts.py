"""Prompts: words of our own or of the user's, with data put into them once and as data.

Rules of this module:
1. Data goes into a prompt as JSON (`encode`) in which `<`, `>` and `&` are escaped: it closes no tag,
   starts no line and ends no fence, whatever it says.
2. Substitution is one pass over the template. What was put in is never looked at again.
3. A brace that encloses no known name is a brace. Names that look like placeholders and are not known are
   reported by `unknown_names`, for whoever creates an evaluator to refuse.
4. Nothing here depends on the order of a dict or on the hash seed: equal data make equal prompts.

| template_format | `{name}` | `{{Name}}` | `{{` elsewhere |
|---|---|---|---|
| plain | known: its value | known: its value | two braces |
| f-string | known: its value | known and capitalised: its value | one brace, as in `str.format` |
| mustache | as it is | known: its value | two braces |

A template in f-string format that `str.format` could not take, such as one with a bare JSON example, is
read as plain.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from decimal import Decimal
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.equality import tokens
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


TemplateFormat: TypeAlias = Literal["plain", "f-string", "mustache"]

_UNSAFE: Final = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_EXACT: Final = 1e16
_NAME: Final = r"[A-Za-z_]\w*"
_PLAIN: Final = re.compile(rf"\{{\{{[ ]*({_NAME})[ ]*\}}\}}|\{{({_NAME})\}}")
_FORMAT: Final = re.compile(rf"\{{\{{[ ]*([A-Z]\w*)[ ]*\}}\}}|\{{({_NAME})\}}|\{{\{{|\}}\}}")
_MUSTACHE: Final = re.compile(rf"\{{?\{{\{{[ ]*({_NAME})[ ]*\}}\}}\}}?")
_TEMPLATES: Final = {"plain": _PLAIN, "f-string": _FORMAT, "mustache": _MUSTACHE}
_WORDS: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class Message:
    """One message: who speaks, and text, or content blocks as JSON text where there is more than text."""

    role: str
    content: str
    blocks: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return it as chat protocols write it.

        >>> Message("user", "Hello").plain()
        {'role': 'user', 'content': 'Hello'}
        """
        if not self.blocks:
            return {"role": self.role, "content": self.content}
        return {"role": self.role, "content": [json.loads(block) for block in self.blocks]}

    def adding(self, text: str) -> Message:
        """Return the message with text at its end."""
        if not self.blocks:
            return Message(self.role, f"{self.content}\n\n{text}" if self.content else text)
        return Message(self.role, "", (*self.blocks, json.dumps({"type": "text", "text": text})))


@dataclass(frozen=True, slots=True)
class Prompt:
    """How an evaluator asks: rendered messages, with the data in them.

    Attributes:
        messages: what the judge reads; how to reply is added to it.
        schema: the JSON schema of the reply as JSON text, where it is the evaluator's own. Its members
            are then the answers to the questions of those ids.
        listed: whether a question asked by itself is written out after the messages, as several always are.
        named: the values that a template named; None: nobody can say, for a callable made the messages.
    """

    messages: tuple[Message, ...]
    schema: str | None = None
    listed: bool = False
    named: frozenset[str] | None = field(default=None, compare=False)


def encode(value: object) -> str:
    r"""Return any JSON value as one line of JSON that cannot end what it stands in.

    Raises:
        Unconvertible: for what has no JSON form.

    >>> encode({"b": "</data>", "a": None})
    '{"a":null,"b":"\\u003c/data\\u003e"}'
    """
    return _UNSAFE.sub(_escaped, "".join(tokens(to_json(value), _atom)))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _atom(value: Any) -> str:
    if isinstance(value, float) and abs(value) < _EXACT and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < _EXACT else str(Decimal(value))
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)


# ------------------------------------------------------------------------------------------ templates


def render(
    template: str,
    values: Mapping[str, str],
    *,
    required: Sequence[str] = (),
    template_format: TemplateFormat = "plain",
) -> str:
    """Put values into a template, once; a required one it does not name is added at its end.

    Args:
        template: the text; see the table in the module's docstring.
        values: name to text, as `encode` makes it.
        required: names whose values must be in the prompt.
        template_format: what braces mean.

    >>> render('Grade {outputs}. Reply like {"score": 1}', {"outputs": '"{inputs}"', "inputs": "?"})
    'Grade "{inputs}". Reply like {"score": 1}'
    """
    named: set[str] = set()

    def put(found: re.Match[str]) -> str:
        name = _name_in(found)
        if name is not None and name in values:
            named.add(name)
            return values[name]
        return found[0][0] if found[0] in {"{{", "}}"} else _unescaped(found[0], chosen)

    chosen: TemplateFormat = _format_of(template, template_format)
    text = _TEMPLATES[chosen].sub(put, template)
    return text + "".join(section(name, values[name]) for name in required if name not in named)


def section(name: str, text: str) -> str:
    r"""Return what is added to a prompt that does not name a value it must hold.

    >>> section("ActualOutput", "1")
    '\n\n## Actual Output\n<ActualOutput>\n1\n</ActualOutput>'
    """
    title = " ".join(word[0].upper() + word[1:] for word in _WORDS.findall(name))
    return f"\n\n## {title}\n<{name}>\n{text}\n</{name}>"


def unknown_names(
    template: str, known: Iterable[str], template_format: TemplateFormat = "plain"
) -> tuple[str, ...]:
    """Return the names a template asks for and nobody knows, in the order of the template.

    >>> unknown_names("Grade {output} by {{Rubric}}: {outputs}", {"outputs"})
    ('output', 'Rubric')
    """
    known = set(known)
    chosen = _format_of(template, template_format)
    found = []
    for match in _TEMPLATES[chosen].finditer(template):
        escaped = chosen == "f-string" and match[0].startswith("{{")
        name = _name_in(match)
        if name is not None and not escaped and name not in known:
            found.append(name)
    return tuple(dict.fromkeys(found))


def _named(template: str, known: Iterable[str], template_format: TemplateFormat) -> frozenset[str]:
    """The known names whose values a template gets."""
    matches = _TEMPLATES[_format_of(template, template_format)].finditer(template)
    return frozenset(known) & {_name_in(found) for found in matches}


def check_template(
    option: str, template: object, known: Iterable[str], template_format: TemplateFormat
) -> None:
    """Refuse a template format that does not exist, and a template that asks for what nobody knows.

    Raises:
        ConfigError: naming the option, the names and the ones there are. Only text is a template.
    """
    named: object = template_format
    if not isinstance(named, str) or named not in _TEMPLATES:
        raise ConfigError(f"template_format={shown(named)}: must be 'plain', 'f-string' or 'mustache'")
    if not isinstance(template, str):
        return
    known = sorted(known)
    unknown = unknown_names(template, known, template_format)
    if unknown:
        named = ", ".join(f"{{{name}}}" for name in unknown)
        raise ConfigError(
            f"{option} asks for {named}, which is not known: it may ask for "
            f"{', '.join(known)}; for a literal brace use template_format='f-string' and write it twice"
        )


def _format_of(template: str, wanted: TemplateFormat) -> TemplateFormat:
    return "plain" if wanted == "f-string" and not _formattable(template) else wanted


def _formattable(template: str) -> bool:
    """Whether `str.format` takes the template, given every name in it."""
    try:
        fields = [field[1:] for field in Formatter().parse(template) if field[1] is not None]
    except ValueError:
        return False
    return all(name and name.isidentifier() and not spec and not kind for name, spec, kind in fields)


def _name_in(found: re.Match[str]) -> str | None:
    return next((name for name in found.groups() if name is not None), None)


def _unescaped(text: str, chosen: TemplateFormat) -> str:
    """A placeholder nobody knows, as it reads: in f-string format doubled braces are single ones."""
    return text[1:-1] if chosen == "f-string" and text.startswith("{{") else text


# ------------------------------------------------------------------------- prompts that are not text


def prompt_of(
    prompt: Any,
    values: Mapping[str, str],
    *,
    given: Mapping[str, Any] | None = None,
    system: str | None = None,
    required: Sequence[str] = (),
    template_format: TemplateFormat = "plain",
) -> Prompt:
    """Render any prompt: a template, a LangChain prompt or a callable that returns messages.

    Args:
        prompt: a text is a template; what has `format_messages` or `invoke` is filled with the values; a
            callable is called with `given`.
        values: name to text, as `encode` makes it.
        given: what a callable is called with, by keyword; the values unless given.
        system: a system message before all others.
        required: names whose values must be in the prompt, where it says which names it has.
        template_format: of a text.

    Raises:
        ConfigError: for what is no prompt, and for a callable or prompt that makes no messages.

    >>> prompt_of("Grade {outputs}", {"outputs": "1"}, system="Be brief").messages[1]
    Message(role='user', content='Grade 1', blocks=())
    """
    before = () if system is None else (Message("system", system),)
    if isinstance(prompt, str):
        text = render(prompt, values, required=required, template_format=template_format)
        named = _named(template=prompt, known=values, template_format=template_format) | {*required}
        return Prompt((*before, Message("user", text)), named=named)
    used: set[str] | None = None
    if hasattr(prompt, "format_messages") or hasattr(prompt, "invoke"):
        used = set()
        messages = _through_marks(prompt, values, used)
    elif callable(prompt):
        messages = messages_of(prompt(**(values if given is None else given)))
    else:
        raise ConfigError(
            f"prompt={shown(prompt)}: must be text, a LangChain prompt or a callable that returns messages"
        )
    names = getattr(prompt, "input_variables", None)
    missing = () if names is None else [name for name in required if name not in names]
    for name in missing:
        messages = add_to_user(messages, section(name, values[name]).strip())
    return Prompt((*before, *messages), named=None if used is None else frozenset({*used, *missing}))


def _through_marks(prompt: Any, values: Mapping[str, str], used: set[str]) -> tuple[Message, ...]:
    """Messages of a LangChain prompt, filled with marks that then become the values; `used` tells which did.

    So its template language, whichever it is, never sees data: it reads nothing in them, escapes nothing.
    """
    marks = {f"@@{name}@@": text for name, text in values.items()}
    named = {name: f"@@{name}@@" for name in values}
    filled = prompt.format_messages(**named) if hasattr(prompt, "format_messages") else prompt.invoke(named)
    messages = messages_of(filled)
    if not marks:
        return messages
    find = re.compile("|".join(map(re.escape, marks)))

    def put(found: re.Match[str]) -> str:
        used.add(found[0].strip("@"))
        return marks[found[0]]

    def put_quoted(found: re.Match[str]) -> str:
        return json.dumps(put(found))[1:-1]

    return tuple(
        Message(one.role, find.sub(put, one.content), tuple(find.sub(put_quoted, two) for two in one.blocks))
        for one in messages
    )


def messages_of(filled: Any) -> tuple[Message, ...]:
    """Return messages of any kind as ours: text, dicts, pairs, LangChain's messages or prompt values.

    Raises:
        ConfigError: for what holds no messages.

    >>> messages_of([("human", "Hello"), {"role": "assistant", "content": "Hi"}])[1].role
    'assistant'
    """
    if hasattr(filled, "to_messages"):
        filled = filled.to_messages()
    if isinstance(filled, str):
        return (Message("user", filled),)
    if not isinstance(filled, list | tuple) or not filled:
        raise ConfigError(f"the prompt made {type(filled).__name__}; it must make text or a list of messages")
    return tuple(_message(one) for one in filled)


_ROLES: Final = {"human": "user", "ai": "assistant", "developer": "system"}


def _message(one: Any) -> Message:
    if isinstance(one, Message):
        return one
    if isinstance(one, str):
        return Message("user", one)
    if isinstance(one, dict):
        role, content = one.get("role", "user"), one.get("content")
    elif isinstance(one, tuple):
        role, content = one
    else:
        role, content = getattr(one, "type", "user"), getattr(one, "content", None)
    role = _ROLES.get(str(role), str(role))
    if isinstance(content, list):
        return Message(role, "", tuple(json.dumps(_block(block), sort_keys=True) for block in content))
    return Message(role, "" if content is None else str(content))


def _block(block: Any) -> Any:
    return {"type": "text", "text": block} if isinstance(block, str) else block


def add_to_user(messages: tuple[Message, ...], text: str) -> tuple[Message, ...]:
    """Return messages with text at the end of the user's last one, or as one of their own."""
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].role == "user":
            return (*messages[:place], messages[place].adding(text), *messages[place + 1 :])
    return (*messages, Message("user", text))
