"""Field match: what it finds in the output, and what it takes for expected."""

from __future__ import annotations

from typing import Any, Final

import pytest

import fieldwise
from fieldwise import MISSING


def field_match(outputs: Any, reference: Any = MISSING, inputs: Any = None, **options: Any) -> Any:
    with pytest.warns(DeprecationWarning, match="field_match") as caught:
        sync: Any = fieldwise.create_field_match_evaluator(**options)
    field_name = options["json_field"]
    (warning,) = caught
    assert str(warning.message) == f"field_match is deprecated: use multi_field, fields=[{field_name!r}]"
    assert warning.filename == __file__
    return sync(inputs=inputs, outputs=outputs, reference_outputs=reference)


FIELDS: Final = [
    ({"city": "Paris"}, "Paris", "city", True, None),
    ('Sure: ```json\n{"city": "Paris"}\n```', "Paris", "city", True, None),
    ({"output": '{"city": "Paris"}'}, "Paris", "city", True, None),
    ({"city": "Paris"}, "London", "city", False, 'city: expected "London", got "Paris"'),
    ({"town": "Paris"}, None, "city", False, "city: expected null, missing"),
    ({"n": True}, 1, "n", False, "n: expected 1, got true"),
    ({"n": 1}, 1.0, "n", True, None),
    ({"a": {"b": 1}}, 1, "a.b", True, None),
    ({"a.b": 1, "a": {"b": 2}}, 1, "a.b", True, None),
    ({"a": {"b": 1}}, 1, "/a/b", True, None),
    ({"a": [{"b": 1}, {"b": 2}]}, [1, 2], "$.a[*].b", True, None),
    ({"$x": 1}, 1, "$x", True, None),
    ({"": 1}, 1, "", True, None),
    ({"output": 1}, 1, "output", True, None),
    ({"city": "Paris"}, {"city": "Paris", "zip": "7"}, "city", True, None),
    ({"city": "Paris"}, {"answer": "Paris"}, "city", True, None),
    ({"n": {"a": 1}}, '{"a": 1}', "n", False, 'n: expected "{\\"a\\": 1}", got {"a":1}'),
    ("I do not know", "Paris", "city", False, "outputs: no JSON object or array in the text"),
    (None, "Paris", "city", False, "expected an object, got null"),
    ({"city": "Paris"}, MISSING, "city", None, "no reference_outputs were given"),
    ({"city": "Paris"}, {"a": 1, "b": 2}, "city", None,
     "reference_outputs has several columns and none is named: 'a', 'b'; name one with correct_answer_key"),
    ("no", {"a": 1, "b": 2}, "city", None,
     "reference_outputs has several columns and none is named: 'a', 'b'; name one with correct_answer_key"),
]  # fmt: skip


@pytest.mark.parametrize(("outputs", "reference", "name", "right", "comment"), FIELDS)
def test_field_match(outputs: Any, reference: Any, name: str, right: Any, comment: str | None) -> None:
    result = field_match(outputs, reference, json_field=name)
    assert (result["score"], result["comment"]) == (right, comment)
    assert result["extra"]["path"] == (name if reference is not MISSING else "$")


def test_field_match_keeps_what_exists_working() -> None:
    options = {"json_field": "city", "correct_answer_key": "correct_answer"}
    inputs = {"country": "FR", "correct_answer": "Paris"}
    assert field_match('{"city": "Paris"}', inputs=inputs, **options)["score"] is True
    assert (
        field_match({"city": "Paris"}, inputs={"correct_answer": {"city": "Paris"}}, **options)["score"]
        is False
    )


def test_field_match_says_how_the_output_was_read() -> None:
    assert field_match("{'city': 'Paris'}", "Paris", json_field="city")["extra"]["parse"] == {
        "outputs": ["python_literal"]
    }
    strict = field_match("{'city': 'Paris'}", "Paris", json_field="city", parse="strict")
    assert (strict["score"], strict["extra"]["status"]) == (False, "invalid_output")
