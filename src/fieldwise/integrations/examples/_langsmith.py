"""Examples to and from LangSmith's.

`inputs` is the input, text under `input`; reference outputs have the expected output under `output`, which
evaluators take off where it is alone, and beside it `expected_tools`, `context` and `retrieval_context`. The
metadata is the additional metadata; what none of these can hold is in it under `fieldwise`, so that
`from_langsmith` gives back the very examples.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from fieldwise.errors import InputError
from fieldwise.example import Example
from fieldwise.integrations.examples._members import as_json, members

_OWN: Final = "fieldwise"
_BESIDE: Final = ("expected_tools", "context", "retrieval_context")
_SPLIT: Final = ("dataset_split", ["base"])
"""What LangSmith adds to the metadata of an example that is in no split."""


def to_langsmith(examples: Iterable[Example]) -> list[dict[str, Any]]:
    """Return examples as LangSmith stores them: the `examples` of `Client.create_examples`.

    Raises:
        InputError: for a value that JSON has not, with the number of its example.

    Example:
        >>> made = to_langsmith([Example(input="1+1", expected_output="2", tools_called=["add"])])
        >>> made[0]["inputs"], made[0]["metadata"]
        ({'input': '1+1'}, {'fieldwise': {'tools_called': ['add']}})

        `client.create_examples(dataset_id=dataset.id, examples=to_langsmith(examples))`
    """
    outputs = _outputs_name()
    made = []
    for number, example in enumerate(examples, start=1):
        given = as_json(f"example {number}", example.to_dict())
        metadata, rest = given.get("additional_metadata") or {}, {}
        if _OWN in metadata:
            raise InputError(f"example {number}: additional_metadata has the key {_OWN!r}; name it otherwise")
        if isinstance(given.get("input"), dict) and (not given["input"] or _is_text_input(given["input"])):
            rest["input"] = given["input"]
        if given.get("additional_metadata") == {}:
            rest["additional_metadata"] = {}
        rest |= {name: given[name] for name in ("actual_output", "tools_called") if name in given}
        expected = {"output": given["expected_output"]} if "expected_output" in given else {}
        expected |= {name: given[name] for name in _BESIDE if name in given}
        made.append(
            {
                "inputs": _inputs(given.get("input")),
                outputs: expected or None,
                "metadata": {**metadata, **({_OWN: rest} if rest else {})} or None,
            }
        )
    return made


def from_langsmith(examples: Iterable[Any]) -> list[Example]:
    """Make examples of LangSmith's, as `Client.list_examples` gives them, or of their dicts.

    Reference outputs that `to_langsmith` did not make are the expected output: a sole text as it is, anything
    else as JSON text.

    Raises:
        InputError: for what is none, with its number.

    >>> from_langsmith([{"inputs": {"input": "1+1"}, "outputs": {"answer": "2"}}])
    [Example(input='1+1', expected_output='2')]
    """
    return [_from_langsmith(number, one) for number, one in enumerate(examples, start=1)]


def _from_langsmith(number: int, example: Any) -> Example:
    given = members(example, "a LangSmith example", f"example {number}: ")
    inputs = given.get("inputs") or {}
    outputs = given.get("outputs") if given.get("outputs") is not None else given.get("reference_outputs")
    metadata = dict(given["metadata"]) if isinstance(given.get("metadata"), Mapping) else {}
    own = metadata.pop(_OWN, None)
    if metadata.get(_SPLIT[0]) == _SPLIT[1]:
        del metadata[_SPLIT[0]]
    fields: dict[str, Any] = {"input": inputs["input"] if _is_text_input(inputs) else (inputs or None)}
    fields |= _expected(number, outputs)
    fields["additional_metadata"] = metadata or None
    fields |= own if isinstance(own, Mapping) else {}
    try:
        return Example.from_dict(fields)
    except InputError as error:
        raise InputError(f"example {number}: {error}") from None


def _expected(number: int, outputs: Any) -> dict[str, Any]:
    """The fields that reference outputs hold."""
    given = outputs if isinstance(outputs, Mapping) else {} if outputs is None else {"output": outputs}
    found = {name: given[name] for name in _BESIDE if _is_texts(given.get(name))}
    rest = {name: value for name, value in given.items() if name not in found}
    if not rest:
        return found
    sole = next(iter(rest.values())) if len(rest) == 1 else None
    if not (isinstance(sole, str) or ("output" in rest and _is_texts(sole))):
        sole = json.dumps(as_json(f"example {number}", rest), ensure_ascii=False, default=float)
    return {**found, "expected_output": sole}


def _inputs(given: Any) -> dict[str, Any]:
    return {} if given is None else {"input": given} if isinstance(given, str) else given


def _is_text_input(inputs: Any) -> bool:
    return isinstance(inputs, Mapping) and inputs.keys() == {"input"} and isinstance(inputs["input"], str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _outputs_name() -> str:
    """What the installed langsmith calls the reference outputs of an example to create."""
    from langsmith.schemas import ExampleCreate

    return next(name for name in ("reference_outputs", "outputs") if name in ExampleCreate.model_fields)
