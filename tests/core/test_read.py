"""From what a framework hands over to two documents: text, keys, the wrapper, and whose fault it is."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from fieldwise._types import MISSING
from fieldwise.core.equality import equal
from fieldwise.core.read import Documents, Problem, Reader, misfit
from fieldwise.core.select import compile_path
from tests.core.documents import VALUES

PLAIN = Reader()


def keyed(outputs: str | None = None, reference: str | None = None, **options: Any) -> Reader:
    return Reader(
        outputs_key=None if outputs is None else compile_path(outputs),
        correct_answer_key=None if reference is None else compile_path(reference),
        **options,
    )


def sides(found: Documents) -> tuple[Any, Any]:
    assert found.problem is None, found.problem
    return found.expected, found.actual


# ------------------------------------------------------------------------------------------- text


TEXTS: list[tuple[str, Any, Any]] = [
    ("object", '{"a": 1}', {"a": 1}),
    ("array", "[1, 2]", [1, 2]),
    ("fenced", '```json\n{"a": 1}\n```', {"a": 1}),
    ("plain text", "hello", "hello"),
    ("text of a number", "12", "12"),
    ("text of null", "null", "null"),
    ("quoted text", '"a"', '"a"'),
    ("empty text", "", ""),
    ("object", {"a": '{"b": 1}'}, {"a": '{"b": 1}'}),
    ("bytes are no text", b'{"a": 1}', "eyJhIjogMX0="),
    ("null", None, None),
]


@pytest.mark.parametrize(("given", "read"), [pytest.param(*row[1:], id=row[0]) for row in TEXTS])
def test_text_that_holds_an_object_or_array_is_parsed(given: Any, read: Any) -> None:
    assert sides(PLAIN.read(None, given, given)) == (read, read)


def test_the_ledger_says_what_it_took_on_which_side() -> None:
    found = PLAIN.read(None, "```\n{'a': 1,}\n```", '{"a": 1, "a": 2}')
    assert found.ledger == {
        "outputs": ["fenced", "python_literal", "trailing_comma"],
        "reference_outputs": ["duplicate_keys"],
    }
    assert sides(found) == ({"a": 2}, {"a": 1})


@pytest.mark.parametrize(
    ("mode", "text", "read"),
    [
        ("lenient", "{'a': 1}", {"a": 1}),
        ("strict", '{"a": 1}', {"a": 1}),
        ("off", '{"a": 1}', '{"a": 1}'),
        ("off", "{'a'", "{'a'"),
    ],
)
def test_parse_modes(mode: Any, text: str, read: Any) -> None:
    assert sides(Reader(parse=mode).read(None, text, {}))[1] == read


def test_strict_refuses_what_lenient_repairs() -> None:
    found = Reader(parse="strict").read(None, "{'a': 1}", {"a": 1})
    assert found.problem is not None
    assert found.problem.status == "invalid_output"
    assert found.problem.reason.startswith("outputs: not strict JSON at line 1, column 2: ")


@pytest.mark.parametrize(
    ("options", "text", "read"),
    [
        ({"multiple_json": "first"}, '{"a": 1} {"a": 2}', {"a": 1}),
        ({"multiple_json": "last"}, '{"a": 1} {"a": 2}', {"a": 2}),
        ({"truncated": "closed_fields"}, '{"a": 1, "b": [2', {"a": 1}),
    ],
)
def test_options_of_the_parser_arrive(options: Any, text: str, read: Any) -> None:
    assert sides(Reader(**options).read(None, text, {}))[1] == read


# ----------------------------------------------------------------------------------- whose fault


BROKEN = '{"a": 1, "b'


@pytest.mark.parametrize(
    ("outputs", "reference", "status", "begins"),
    [
        (BROKEN, {"a": 1}, "invalid_output", "outputs: "),
        ({"a": 1}, BROKEN, "invalid_reference", "reference_outputs: "),
        (BROKEN, BROKEN, "invalid_reference", "reference_outputs: "),
        ({"a": object()}, {}, "invalid_output", "outputs: object at a has no JSON form"),
        (
            object(),
            {1: 2, "1": 3},
            "invalid_reference",
            "reference_outputs: two members of $ are both named '1'",
        ),
        ({"a": 1}, MISSING, "invalid_reference", "no reference_outputs were given"),
        (BROKEN, {"output": BROKEN}, "invalid_reference", "reference_outputs: "),
    ],
)
def test_the_reference_is_at_fault_first(outputs: Any, reference: Any, status: str, begins: str) -> None:
    problem = PLAIN.read(None, outputs, reference).problem
    assert problem is not None
    assert problem.status == status
    assert problem.reason.startswith(begins)


def test_an_unreadable_output_leaves_the_reference_read() -> None:
    found = PLAIN.read(None, BROKEN, {"output": [{"a": 1}]})
    assert found.problem is not None
    assert found.expected == [{"a": 1}]
    assert found.actual is MISSING


def test_no_output_is_no_problem_of_reading() -> None:
    assert sides(PLAIN.read(None, MISSING, {"a": 1})) == ({"a": 1}, MISSING)
    assert sides(keyed("a").read(None, MISSING, {"a": 1})) == ({"a": 1}, MISSING)


def test_json_null_is_a_value() -> None:
    assert sides(PLAIN.read(None, None, None)) == (None, None)


def test_text_that_unfolds_into_too_much_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.core.values.MAX_CONTAINERS", 100)
    problem = PLAIN.read(None, "[" + "[],".join([""] * 200) + "[]]", []).problem
    assert problem == Problem(
        "invalid_output", "outputs: the document refers to itself, or holds more than 2,000,000 containers"
    )


@pytest.mark.parametrize(
    ("expected", "actual", "reason"),
    [
        ({}, {}, None),
        ([], [], None),
        (1, {}, None),
        ("a", [], None),
        (1, MISSING, "no outputs were given"),
        ({}, MISSING, "no outputs were given"),
        ({}, [], "expected an object, got an array"),
        ([], {}, "expected an array, got an object"),
        ({}, "x", "expected an object, got text"),
        ({}, None, "expected an object, got null"),
        ([], True, "expected an array, got true"),
        ([], False, "expected an array, got false"),
        ({}, 1.5, "expected an object, got a number"),
        ({}, Decimal(1), "expected an object, got a number"),
    ],
)
def test_misfit(expected: Any, actual: Any, reason: str | None) -> None:
    assert misfit(expected, actual) == (None if reason is None else Problem("invalid_output", reason))


# ------------------------------------------------------------------------------------------- keys


KEYED: list[tuple[str, Reader, Any, Any, Any, Any]] = [
    ("both", keyed("answer", "gold"), {}, {"answer": 1, "x": 0}, {"gold": 2}, (2, 1)),
    ("text inside is parsed", keyed("answer"), {}, {"answer": '{"a": 1}'}, {"a": 1}, ({"a": 1}, {"a": 1})),
    ("inside text", keyed("a.b"), {}, '{"a": {"b": 5}}', 5, (5, 5)),
    ("literal first", keyed("a.b"), {}, {"a.b": 1, "a": {"b": 2}}, 1, (1, 1)),
    ("wildcard", keyed("rows[*].v"), {}, {"rows": [{"v": 1}, {"v": 2}]}, [1, 2], ([1, 2], [1, 2])),
    ("wildcard, one match", keyed("rows[*].v"), {}, {"rows": [{"v": 1}]}, 1, (1, 1)),
    ("from the inputs", keyed(None, "gold"), {"gold": 7}, 7, {"other": 1}, (7, 7)),
    ("from the inputs alone", keyed(None, "gold"), {"gold": 7}, 7, MISSING, (7, 7)),
    ("reference before inputs", keyed(None, "gold"), {"gold": 7}, 8, {"gold": 8}, (8, 8)),
    ("null is found", keyed("a", "a"), {"a": 1}, {"a": None}, {"a": None}, (None, None)),
    ("from inputs that are text", keyed(None, "gold"), '{"gold": 7}', 7, MISSING, (7, 7)),
    ("wrapper named", keyed("output", "output"), {}, {"output": [1]}, {"output": [1]}, ([1], [1])),
    ("one key named", keyed(None, "gold"), {}, {"output": 1}, {"gold": 1}, (1, {"output": 1})),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reader", "inputs", "outputs", "reference", "expected"),
    [pytest.param(*row[1:], id=row[0]) for row in KEYED],
)
def test_named_keys(reader: Reader, inputs: Any, outputs: Any, reference: Any, expected: Any) -> None:
    assert sides(reader.read(inputs, outputs, reference)) == expected


MANY = [f"c{number:02}" for number in range(30)]
COLUMNS = "reference_outputs has no key 'gold'; its keys: 'golden', 'x'; did you mean 'golden'?"
ABSENT: list[tuple[str, Reader, Any, Any, Any, Problem]] = [
    (
        "reference column",
        keyed(None, "gold"), None, {}, {"x": 0, "golden": 1},
        Problem("invalid_reference", COLUMNS),
    ),
    (
        "reference and inputs",
        keyed(None, "gold"), {"q": 1}, {}, {"x": 0, "golden": 1},
        Problem("invalid_reference", COLUMNS + "; inputs has no key 'gold'; its keys: 'q'"),
    ),
    (
        "inputs alone",
        keyed(None, "gold"), {"q": 1}, {}, MISSING,
        Problem("invalid_reference", "inputs has no key 'gold'; its keys: 'q'"),
    ),
    (
        "no reference at all",
        keyed(None, "gold"), None, {}, MISSING,
        Problem("invalid_reference", "no reference_outputs were given"),
    ),
    (
        "inputs cannot be read",
        keyed(None, "gold"), {"q": object()}, {}, {},
        Problem("invalid_reference", "reference_outputs has no key 'gold'; its keys: none"),
    ),
    (
        "reference is no object",
        keyed(None, "gold"), None, {}, None,
        Problem("invalid_reference", "reference_outputs is null, so it has no key 'gold'"),
    ),
    (
        "output column",
        keyed("answer"), None, {"answr": 1}, 1,
        Problem("invalid_reference", "outputs has no key 'answer'; its keys: 'answr'; did you mean 'answr'?"),
    ),
    (
        "key in the model's text",
        keyed("answer"), None, '{"x": 1}', 1,
        Problem("invalid_output", "outputs has no key 'answer'; its keys: 'x'"),
    ),
    (
        "output is no object",
        keyed("answer"), None, None, 1,
        Problem("invalid_output", "outputs is null, so it has no key 'answer'"),
    ),
    (
        "output is plain text",
        keyed("answer"), None, "sorry", 1,
        Problem("invalid_output", "outputs is text, so it has no key 'answer'"),
    ),
    (
        "many columns",
        keyed("zz"), None, dict.fromkeys(MANY, 0), 1,
        Problem(
            "invalid_reference",
            f"outputs has no key 'zz'; its keys: {', '.join(f'{column!r}' for column in MANY[:20])}, …",
        ),
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reader", "inputs", "outputs", "reference", "problem"),
    [pytest.param(*row[1:], id=row[0]) for row in ABSENT],
)
def test_missing_keys_name_what_there_is(
    reader: Reader, inputs: Any, outputs: Any, reference: Any, problem: Problem
) -> None:
    assert reader.read(inputs, outputs, reference).problem == problem


def test_an_unreadable_reference_is_not_looked_for_in_the_inputs() -> None:
    problem = keyed(None, "gold").read({"gold": 1}, 1, BROKEN).problem
    assert problem is not None
    assert problem.reason.startswith("reference_outputs: ")


def test_text_under_a_key_adds_to_the_ledger() -> None:
    found = keyed("a").read(None, "{'a': '[1,]'}", [1])
    assert sides(found) == ([1], [1])
    assert found.ledger == {"outputs": ["python_literal", "trailing_comma"]}


# ---------------------------------------------------------------------------------------- wrapper


ROWS = [{"a": 1}]
WRAPPED: list[tuple[str, Any, Any, Any]] = [
    ("output only, list", {"output": ROWS}, ROWS, (ROWS, ROWS)),
    ("reference only, list", ROWS, {"output": ROWS}, (ROWS, ROWS)),
    ("output only, text of an object", {"output": '{"a": 1}'}, {"a": 1}, ({"a": 1}, {"a": 1})),
    ("output only, plain text", {"output": "hi"}, "hi", ("hi", "hi")),
    ("output only, null", {"output": None}, {"a": 1}, ({"a": 1}, None)),
    ("both, lists of objects", {"output": ROWS}, {"output": ROWS}, (ROWS, ROWS)),
    ("both, an empty list", {"output": []}, {"output": ROWS}, (ROWS, [])),
    ("both, a failed target", {"output": None}, {"output": ROWS}, (ROWS, None)),
    ("both, text of lists", {"output": '[{"a": 1}]'}, {"output": ROWS}, (ROWS, ROWS)),
    ("both, text of objects", {"output": '{"a":1}'}, {"output": '{"a": 1}'}, ({"a": 1}, {"a": 1})),
    ("both, plain text", {"output": "x"}, {"output": "y"}, ({"output": "y"}, {"output": "x"})),
    ("both, numbers", {"output": 1}, {"output": 2}, ({"output": 2}, {"output": 1})),
    ("both, lists of numbers", {"output": [1]}, {"output": [2]}, ({"output": [2]}, {"output": [1]})),
    ("an object is no wrapper", {"output": {"a": 1}}, {"a": 1}, ({"a": 1}, {"output": {"a": 1}})),
    ("two keys are no wrapper", {"output": 1, "x": 2}, 1, (1, {"output": 1, "x": 2})),
    ("object against wrapper", {"output": {"a": 1}}, {"output": ROWS}, (ROWS, {"output": {"a": 1}})),
]


@pytest.mark.parametrize(
    ("outputs", "reference", "expected"), [pytest.param(*row[1:], id=row[0]) for row in WRAPPED]
)
def test_wrapper(outputs: Any, reference: Any, expected: Any) -> None:
    assert sides(PLAIN.read(None, outputs, reference)) == expected


def test_broken_text_on_both_sides_that_stays_wrapped_is_a_value() -> None:
    document = {"output": BROKEN}
    found = PLAIN.read(None, document, copy.deepcopy(document))
    assert sides(found) == (document, document)
    assert found.ledger == {}


def test_broken_text_in_a_wrapper_that_comes_off_is_a_problem() -> None:
    found = PLAIN.read(None, {"output": BROKEN}, {"output": ROWS})
    assert found.problem is not None
    assert (found.problem.status, found.expected, found.actual) == ("invalid_output", ROWS, MISSING)
    assert found.ledger == {"outputs": ["truncated"]}


@given(VALUES)
def test_reading_the_same_twice_gives_the_same(value: Any) -> None:
    found = PLAIN.read(None, value, copy.deepcopy(value))
    if found.problem is None:
        assert equal(found.expected, found.actual)  # type: ignore[arg-type]
    else:
        assert isinstance(value, str)


def test_the_wrapper_stays_on_where_it_is_not_wanted() -> None:
    assert sides(Reader(unwrap=False).read(None, {"output": 1}, 1)) == (1, {"output": 1})


@pytest.mark.parametrize(
    ("outputs", "reference", "expected"),
    [
        ({"a": 1}, {"gold": {"a": 1}}, {"a": 1}),
        ({"a": 1}, {"gold": '{"a": 1}'}, {"a": 1}),
        ({"a": 1}, {"other": "plain"}, "plain"),
        ({"gold": 1}, {"gold": 1}, {"gold": 1}),
        ({"a": 1}, {"gold": 1, "x": 2}, {"gold": 1, "x": 2}),
        ("text", {"gold": None}, None),
        ("text", "gold", "gold"),
    ],
)
def test_envelopes_of_the_reference_are_opened(outputs: Any, reference: Any, expected: Any) -> None:
    assert sides(Reader(envelopes=("gold", "other")).read(None, outputs, reference)) == (expected, outputs)


# -------------------------------------------------------------------------------- normal forms


def test_coerce_and_null_policy_are_applied_to_both_sides() -> None:
    reader = Reader(coerce=True, null_policy="null_equals_missing")
    assert sides(reader.read(None, {"a": "1", "b": {"c": None}}, {"a": 1, "b": {}})) == (
        {"a": 1, "b": {}},
        {"a": 1, "b": {}},
    )
    assert sides(reader.read(None, MISSING, {"a": "1"})) == ({"a": 1}, MISSING)


@pytest.mark.parametrize(
    ("outputs", "reference", "expected"),
    [
        ({}, None, (None, None)),
        ("", None, (None, None)),
        ({}, {"a": 1}, ({"a": 1}, {})),
        ([{}], [{"a": ""}], ([{"a": None}], [{}])),
    ],
)
def test_empty_documents_are_null_beside_null(outputs: Any, reference: Any, expected: Any) -> None:
    assert sides(Reader(null_policy="empty_equals_null").read(None, outputs, reference)) == expected
