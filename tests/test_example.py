"""`Example`: its eight fields, what they may be, and that it keeps what it was given."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.errors import InputError
from fieldwise.example import CAMEL, FIELDS, Example

TEXTS = st.lists(st.text(max_size=5), max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=3)
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "text": st.text(max_size=8),
    "a list of texts": TEXTS,
    "a dict with text keys": OBJECTS,
}
FIELD_VALUES = {name: st.one_of([KINDS[kind] for kind in kinds]) for name, kinds in FIELDS.items()}
EXAMPLES = st.fixed_dictionaries({}, optional=FIELD_VALUES).map(lambda fields: Example(**fields))


def test_the_fields_are_those_of_the_documents() -> None:
    assert [one.name for one in dataclasses.fields(Example)] == list(FIELDS)
    assert FIELDS == {
        "input": ("text", "a dict with text keys"),
        "actual_output": ("text", "a list of texts"),
        "expected_output": ("text", "a list of texts"),
        "retrieval_context": ("a list of texts",),
        "context": ("a list of texts",),
        "tools_called": ("a list of texts",),
        "expected_tools": ("a list of texts",),
        "additional_metadata": ("a dict with text keys",),
    }


def test_nothing_has_to_be_given() -> None:
    assert Example().to_dict() == {}
    assert repr(Example()) == "Example()"


def test_repr_shows_what_is_set_and_cuts_it() -> None:
    example = Example(input="x" * 100, tools_called=["a", "b", "c", "d"], additional_metadata={"a": {}})
    shown = f"{'x' * 27}...{'x' * 28}"
    assert repr(example) == (
        f"Example(input='{shown}', tools_called=['a', 'b', 'c', ...], additional_metadata={{'a': {{}}}})"
    )


def test_it_is_frozen_and_not_hashable() -> None:
    example = Example(input="a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        example.input = "b"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        object.__setattr__(example, "inputs", "b")
    with pytest.raises(TypeError, match="unhashable type: 'Example'"):
        hash(example)


def test_fields_are_given_by_keyword() -> None:
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        Example("a")  # type: ignore[call-arg]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"input": 3}, "input=3: must be text or a dict with text keys, not a number"),
    ({"input": ["a"]}, "input=['a']: must be text or a dict with text keys, not a list"),
    ({"input": {1: 2}}, "input: the key 1 is a number; keys must be text"),
    (
        {"actual_output": {"a": 1}},
        (
            "actual_output={'a': 1}: must be text or a list of texts, not a dict; "
            "pass a structured answer as text, json.dumps(…)"
        ),
    ),
    ({"expected_output": ["a", None]}, "expected_output[1]=None: must be text, not None"),
    ({"expected_output": True}, "expected_output=True: must be text or a list of texts, not a bool"),
    (
        {"tools_called": "search"},
        "tools_called='search': must be a list of texts, not text; for one write ['search']",
    ),
    ({"context": [1]}, "context[0]=1: must be text, not a number"),
    ({"retrieval_context": {"a"}}, "retrieval_context={'a'}: must be a list of texts, not a set"),
    ({"additional_metadata": []}, "additional_metadata=[]: must be a dict with text keys, not a list"),
    ({"actual_outptu": "x"}, "Example has no field 'actual_outptu'; did you mean 'actual_output'?"),
    ({"zz": "x"}, f"Example has no field 'zz'; its fields: {', '.join(FIELDS)}"),
]


@pytest.mark.parametrize(("fields", "message"), WRONG, ids=lambda one: str(one)[:40])
def test_what_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        Example(**fields)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "an Example is made of a mapping from field to value, not of a list"),
        ({"toolsCaled": []}, "Example has no field 'toolsCaled'; did you mean 'toolsCalled'?"),
        ({1: []}, f"Example has no field 1; its fields: {', '.join(FIELDS)}"),
        (
            {"toolsCalled": [], "tools_called": []},
            "tools_called is given in both spellings: leave one out",
        ),
    ],
    ids=repr,
)
def test_what_is_no_dict_of_an_example(given: Any, message: str) -> None:
    with pytest.raises(InputError) as raised:
        Example.from_dict(given)
    assert str(raised.value) == message


def test_a_value_whose_repr_fails_is_still_named() -> None:
    class Sly:
        def __repr__(self) -> str:
            raise RuntimeError

    with pytest.raises(InputError, match=r"^input=<Sly instance at 0x[0-9a-f]+>: must be text or"):
        Example(input=Sly())  # type: ignore[arg-type]


def test_text_is_plain_text_whatever_its_class() -> None:
    class Text(str):
        __slots__ = ()

    example = Example(input=Text("a"), context=[Text("b")])
    assert type(example.input) is str
    assert type((example.context or [])[0]) is str


def test_what_refuses_to_be_read_is_refused() -> None:
    class Hidden:
        def __instance(self) -> Any:
            raise RuntimeError

        __class__ = property(__instance)

    with pytest.raises(InputError) as raised:
        Example(context=Hidden())  # type: ignore[arg-type]
    assert str(raised.value) == "context: cannot be read: it raises RuntimeError"


def test_later_changes_do_not_leak() -> None:
    tools, metadata = ["a"], {"deep": [{"x": 1}]}
    example = Example(tools_called=tools, additional_metadata=metadata)
    tools.append("b")
    metadata["deep"][0]["x"] = 2
    dumped = example.to_dict()
    dumped["tools_called"].append("c")
    dumped["additional_metadata"]["deep"].clear()
    assert example == Example(tools_called=["a"], additional_metadata={"deep": [{"x": 1}]})


def test_tuples_are_lists() -> None:
    assert Example(context=("a", "b")).context == ["a", "b"]  # type: ignore[arg-type]


def test_metadata_may_be_anything() -> None:
    cyclic: dict[str, Any] = {"n": 1}
    cyclic["self"] = cyclic
    deep: Any = "end"
    for _ in range(100_000):
        deep = [deep]
    held = (one for one in "ab")  # copy.deepcopy refuses it
    example = Example(additional_metadata={"cyclic": cyclic, "deep": deep, "gen": held})
    metadata: Any = example.additional_metadata
    assert metadata["cyclic"]["self"] is metadata["cyclic"] is not cyclic
    assert metadata["gen"] is held
    while isinstance(metadata["deep"], list):
        metadata["deep"] = metadata["deep"][0]
    assert metadata["deep"] == "end"


@given(EXAMPLES)
def test_round_trips(example: Example) -> None:
    camel = {name: spelled for spelled, name in CAMEL.items()}
    spelled = {camel.get(name, name): value for name, value in example.to_dict().items()}
    assert Example.from_dict(example.to_dict()) == example
    assert Example.from_dict(json.loads(json.dumps(spelled))) == example
    assert pickle.loads(pickle.dumps(example)) == example  # noqa: S301 - our own
    assert copy.deepcopy(example) == example == dataclasses.replace(example)


def test_the_signature_shows_the_fields() -> None:
    shown = inspect.signature(Example).parameters
    assert list(shown) == list(FIELDS)
    assert {one.kind for one in shown.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert {one.default for one in shown.values()} == {None}
