"""Prompts: what braces mean, one pass, and data that stays data."""

from __future__ import annotations

import json
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate

from fieldwise.core.conversion import to_json
from fieldwise.core.equality import equal
from fieldwise.core.prompts import (
    Message,
    Prompt,
    add_to_user,
    check_template,
    encode,
    messages_of,
    prompt_of,
    render,
    unknown_names,
)
from fieldwise.core.values import number
from fieldwise.errors import ConfigError
from tests.laws.strategies import documents

VALUES = {"outputs": "<<{inputs}>>", "inputs": "<<{{outputs}}>>", "ActualOutput": "<<A>>"}

TEMPLATES: tuple[tuple[str, Any, str, str, tuple[str, ...]], ...] = (
    ("one-pass", "plain", "{outputs}{inputs}", "<<{inputs}>><<{{outputs}}>>", ()),
    ("double", "plain", "{{outputs}} {{ ActualOutput }}", "<<{inputs}>> <<A>>", ()),
    ("json-passes", "plain", 'Reply like {"score": {"a": 1}}', 'Reply like {"score": {"a": 1}}', ()),
    ("empty-braces", "plain", "{} {{}} { outputs }", "{} {{}} { outputs }", ()),
    (
        "unknown",
        "plain",
        "{output} {{Rubric}} {output}",
        "{output} {{Rubric}} {output}",
        ("output", "Rubric"),
    ),
    ("tripled", "plain", "{{{outputs}}}", "{<<{inputs}>>}", ()),
    ("f-string", "f-string", 'Like {{"score": 1}} of {outputs}', 'Like {"score": 1} of <<{inputs}>>', ()),
    ("f-string-escape", "f-string", "{{outputs}}", "{outputs}", ()),
    ("f-string-seed", "f-string", "{{ActualOutput}}", "<<A>>", ()),
    ("f-string-bare-json", "f-string", '{"a": {"b": 1}} {outputs}', '{"a": {"b": 1}} <<{inputs}>>', ()),
    ("f-string-unknown", "f-string", "{output} {{Rubric}}", "{output} {Rubric}", ("output",)),
    ("f-string-format", "f-string", "{outputs:>3}", "{outputs:>3}", ()),
    ("f-string-broken", "f-string", "} {outputs}", "} <<{inputs}>>", ()),
    (
        "mustache",
        "mustache",
        "{{outputs}} {{{outputs}}} {outputs}",
        "<<{inputs}>> <<{inputs}>> {outputs}",
        (),
    ),
    ("mustache-unknown", "mustache", "{{ output }}", "{{ output }}", ("output",)),
)


@pytest.mark.parametrize(
    ("form", "template", "rendered", "unknown"), [pytest.param(*row[1:], id=row[0]) for row in TEMPLATES]
)
def test_templates(form: Any, template: str, rendered: str, unknown: tuple[str, ...]) -> None:
    assert render(template, VALUES, template_format=form) == rendered
    assert unknown_names(template, VALUES, form) == unknown


def test_a_required_value_that_is_not_named_is_added() -> None:
    rendered = render("Grade.", {"ActualOutput": "1", "outputs": "2"}, required=("ActualOutput", "outputs"))
    assert rendered == (
        "Grade.\n\n## Actual Output\n<ActualOutput>\n1\n</ActualOutput>"
        "\n\n## Outputs\n<outputs>\n2\n</outputs>"
    )


def test_a_required_value_counts_as_named_only_where_the_template_names_it() -> None:
    assert "## Outputs" in render("{inputs}", {"inputs": "{outputs}", "outputs": "1"}, required=("outputs",))


@pytest.mark.parametrize(
    ("template", "form", "message"),
    [
        (
            "{output} {{Rubric}}",
            "plain",
            (
                "prompt asks for {output}, {Rubric}, which is not known: it may ask for inputs, outputs; "
                "for a literal brace use template_format='f-string' and write it twice"
            ),
        ),
        ("x", "jinja2", "template_format='jinja2': must be 'plain', 'f-string' or 'mustache'"),
    ],
)
def test_a_wrong_template_is_refused(template: str, form: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        check_template("prompt", template, ["outputs", "inputs"], form)
    assert str(raised.value) == message


# ------------------------------------------------------------------------------------------------ data


def exact(digits: str) -> Any:
    nearest, meant = float(digits), Decimal(digits)
    return nearest if Decimal(repr(nearest)) == meant else number(meant)


@given(documents)
def test_encoded_data_is_json_in_one_line_without_markup(document: Any) -> None:
    text = encode(document)
    assert not set(text) & set("<>&\n\r\u2028\u2029\x85")
    text.encode("utf-8")
    assert equal(to_json(json.loads(text, parse_float=exact)), to_json(document))


@given(st.text())
def test_encoded_text_reads_back(text: str) -> None:
    assert json.loads(encode(text)) == text


def test_equal_data_are_encoded_alike() -> None:
    assert encode({"b": 1.0, "a": [True]}) == encode({"a": [True], "b": 1}) == '{"a":[true],"b":1}'


def test_deep_data_are_encoded() -> None:
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    assert encode(deep) == "[" * 50_000 + "1" + "]" * 50_000


# ------------------------------------------------------------------------------------ other prompts

ASKED = {"outputs": '"{x}"', "inputs": "1"}
CHAT = ChatPromptTemplate([("system", "Be {inputs}"), ("human", "Grade {outputs}")])
OWN = ({"role": "developer", "content": "Be 1"}, ("human", 'Grade "{x}"'))
AS_MESSAGES = (Message("system", "Be 1"), Message("user", 'Grade "{x}"'))

PROMPTS: tuple[tuple[str, Any], ...] = (
    ("chat-template", CHAT),
    ("callable-dicts", lambda outputs, inputs: list(OWN)),
    ("callable-messages", lambda **_: [SystemMessage("Be 1"), HumanMessage('Grade "{x}"')]),
    ("callable-ours", lambda **_: AS_MESSAGES),
    ("runnable", SimpleNamespace(invoke=CHAT.invoke)),
)


@pytest.mark.parametrize("prompt", [pytest.param(prompt, id=name) for name, prompt in PROMPTS])
def test_prompts_that_are_no_text(prompt: Any) -> None:
    assert prompt_of(prompt, ASKED) == Prompt(AS_MESSAGES)


def test_a_text_template_of_langchain_makes_one_message() -> None:
    prompt = PromptTemplate.from_template("Grade {outputs}")
    assert prompt_of(prompt, ASKED).messages == (Message("user", 'Grade "{x}"'),)


def test_what_a_langchain_prompt_does_not_take_is_added() -> None:
    prompt = ChatPromptTemplate([("human", "Grade")])
    (message,) = prompt_of(prompt, ASKED, required=("outputs",)).messages
    assert message.content == 'Grade\n\n## Outputs\n<outputs>\n"{x}"\n</outputs>'


def test_a_callable_gets_what_it_is_given_as_it_is() -> None:
    prompt = prompt_of(lambda outputs: str(outputs + 1), {"outputs": "1"}, given={"outputs": 1})
    assert prompt.messages == (Message("user", "2"),)


def test_content_blocks_are_kept() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    (message,) = messages_of([{"role": "user", "content": ["See", image]}])
    assert message.plain() == {"role": "user", "content": [{"type": "text", "text": "See"}, image]}
    assert message.adding("Grade").plain()["content"][2] == {"type": "text", "text": "Grade"}


def test_prompts_are_equal_by_what_they_say() -> None:
    first, second = (prompt_of("Grade {outputs}", {"outputs": "1"}, system="s") for _ in range(2))
    assert (first, hash(first), repr(first)) == (second, hash(second), repr(second))


def test_text_without_a_user_message_to_stand_in_gets_one() -> None:
    assert add_to_user((Message("system", "s"),), "x") == (Message("system", "s"), Message("user", "x"))


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        (3, "prompt=3: must be text, a LangChain prompt or a callable that returns messages"),
        (lambda **_: None, "the prompt made NoneType; it must make text or a list of messages"),
        (lambda **_: [], "the prompt made list; it must make text or a list of messages"),
    ],
)
def test_what_is_no_prompt_is_refused(prompt: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        prompt_of(prompt, {})
    assert str(raised.value) == message
