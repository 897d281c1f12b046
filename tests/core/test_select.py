"""Paths: what parses to which steps, what does not and with which words, what is found, what is printed."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fieldwise
from fieldwise._types import MISSING
from fieldwise.core.display import nearest
from fieldwise.core.select import (
    MAX_STEPS,
    WILD,
    Match,
    compile_path,
    field_name,
    follow,
    join,
    resolve,
    side_by_side,
)
from fieldwise.errors import ConfigError, PathError
from tests.core.documents import NAMES, VALUES, nested_objects

CASES = Path(__file__).resolve().parent.parent / "cases"
RFC6901 = json.loads((CASES / "json_pointer_rfc6901.json").read_text(encoding="utf-8"))["cases"]

STEPS: list[tuple[str, str, tuple[Any, ...]]] = [
    ("a", "dotted", ("a",)),
    ("user.address.city", "dotted", ("user", "address", "city")),
    ("items.0.name", "dotted", ("items", "0", "name")),
    ("items[0].name", "dotted", ("items", 0, "name")),
    ("items[-1]", "dotted", ("items", -1)),
    ("items[*].sku", "dotted", ("items", WILD, "sku")),
    ("[0][*]", "dotted", (0, WILD)),
    ("a['b.c'].d", "dotted", ("a", "b.c", "d")),
    ('a["b"]', "dotted", ("a", "b")),
    (r"a['it\'s']", "dotted", ("a", "it's")),
    (r"a['\u0041\ud83d\ude00\n\/']", "dotted", ("a", "A\U0001f600\n/")),
    ("a['']", "dotted", ("a", "")),
    ("['\n']", "dotted", ("\n",)),
    ("unit price.$net", "dotted", ("unit price", "$net")),
    ("#x", "dotted", ("#x",)),
    ("", "pointer", ()),
    ("/", "pointer", ("",)),
    ("/a~1b/m~0n/0", "pointer", ("a/b", "m~n", "0")),
    ("/$schema", "pointer", ("$schema",)),
    ("#", "pointer", ()),
    ("#/a%20b/%C3%A9", "pointer", ("a b", "é")),
    ("#/m%7E0n", "pointer", ("m~n",)),
    ("$", "jsonpath", ()),
    ("$.a.b", "jsonpath", ("a", "b")),
    ("$.items[*].price", "jsonpath", ("items", WILD, "price")),
    ("$.*", "jsonpath", (WILD,)),
    ("$['a b'][0][-2]", "jsonpath", ("a b", 0, -2)),
    (r"$['\ud83d\ude00']", "jsonpath", ("\U0001f600",)),
    ("$.héllo_1", "jsonpath", ("héllo_1",)),
    ("$[ 'a' ] [0]", "jsonpath", ("a", 0)),
]


@pytest.mark.parametrize(("text", "syntax", "steps"), STEPS)
def test_parses(text: str, syntax: str, steps: tuple[Any, ...]) -> None:
    selector = compile_path(text)
    assert (selector.text, selector.syntax, selector.steps) == (text, syntax, steps)


BRACKET = "expected [*], [index] or ['name']; for filters and slices write a JSONPath, $…"
WRONG: list[tuple[Any, str]] = [
    (".a", "a name is missing at position 0; did you mean 'a'?"),
    ("a.", "a name is missing at position 2; did you mean 'a'?"),
    ("a..b", "a name is missing at position 2; did you mean 'a.b'?"),
    ("a.[0]", "a name is missing at position 2; did you mean 'a.[0]'?"),
    ("...", "a name is missing at position 0"),
    ("a[0]b", "expected '.' or '[' at position 4; did you mean 'a[0].b'?"),
    ("a[", BRACKET + " at position 1"),
    ("a[]", BRACKET + " at position 1"),
    ("a[b]", BRACKET + " at position 1; did you mean \"a['b']\"?"),
    ("a[1:2]", BRACKET + " at position 1; did you mean \"a['1:2']\"?"),
    ("a[01]", BRACKET + " at position 1; did you mean \"a['01']\"?"),
    ("a['b", BRACKET + " at position 1"),
    ("a['b\\", BRACKET + " at position 1"),
    (r"a['\q']", r"'\\q' is no escape at position 3"),
    ("a[-0]", "-0 is no index at position 2; did you mean 'a[0]'?"),
    ("a[9007199254740992]", "an index is at most 9007199254740991 at position 2"),
    ("/m~n", "'~' must be followed by 0 or 1 at position 2; did you mean '/m~0n'?"),
    ("/m~", "'~' must be followed by 0 or 1 at position 2; did you mean '/m~0'?"),
    ("#/m%7En", "'~' must be followed by 0 or 1 at position 3; did you mean '#/m~0n'?"),
    ("#/a%zz", "'%' must be followed by two hexadecimal digits at position 3; did you mean '#/a%25zz'?"),
    ("#/%ff", "the percent-encoded bytes are not UTF-8 at position 2"),
    (".".join(["a"] * 257), "a path has at most 256 steps at position 511"),
    ("/a" * 257, "a path has at most 256 steps at position 512"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[repr(text)[:24] for text, _ in WRONG])
def test_says_what_is_wrong_where_and_what_was_meant(text: Any, message: str) -> None:
    with pytest.raises(PathError) as caught:
        compile_path(text)
    assert str(caught.value) == f"path {text!r}: {message}"
    assert caught.value.text == text


def test_a_schema_key_is_pointed_to() -> None:
    with pytest.raises(ConfigError) as caught:
        compile_path("$schema")
    assert isinstance(caught.value, PathError)
    assert (caught.value.position, caught.value.hint) == (1, "/$schema")


@pytest.mark.parametrize("text", ["$['\n']", r"$['\ud800']", r"""$['\"']""", "$[-0]", "$.a-b", "$.a..b.[0]"])
def test_jsonpath_is_stricter_than_dotted_paths(text: str) -> None:
    with pytest.raises(PathError):
        compile_path(text)


def test_what_steps_cannot_say_is_a_query() -> None:
    selector = compile_path("$..sku")
    assert selector.query is not None
    assert [match.value for match in selector.find({"sku": 1, "a": [{"sku": 2}]})] == [1, 2]


def test_a_path_is_text() -> None:
    with pytest.raises(PathError) as caught:
        compile_path(3)  # type: ignore[arg-type]
    assert str(caught.value) == "path '3': a path is text, not int at position 0"


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in RFC6901])
def test_rfc_6901(case: dict[str, Any]) -> None:
    """A pointer without a slash is a dotted path here; every other error finds nothing or does not parse."""
    pointer = case["pointer"]
    if not case.get("error"):
        (match,) = compile_path(pointer).find(case["document"])
        assert match.value == case["expected"]
    elif case["why"] == "no leading slash":
        assert compile_path(pointer).syntax == "dotted"
    elif case["why"] == "bad escape":
        with pytest.raises(PathError):
            compile_path(pointer)
    else:
        assert compile_path(pointer).find(case["document"]) == []


DOCUMENT: dict[str, Any] = {
    "user": {"address": {"city": "Oslo"}, "a.b": {"c": 1}, "a": {"b": {"c": 2}}},
    "items": [{"sku": "A", "n": 1}, {"n": 2}, {"sku": None}, "x"],
    "0": "zero",
    "x.y": 1,
    "x": {"y": 2, "y.z": 3},
    "[0]": "odd",
    "empty": [],
}
FOUND: list[tuple[str, list[tuple[tuple[Any, ...], Any]]]] = [
    ("user.address.city", [(("user", "address", "city"), "Oslo")]),
    ("$.user.address.city", [(("user", "address", "city"), "Oslo")]),
    ("/user/address/city", [(("user", "address", "city"), "Oslo")]),
    ("user.a.b.c", [(("user", "a.b", "c"), 1)]),
    ("$.user.a.b.c", [(("user", "a", "b", "c"), 2)]),
    ("user['a'].b.c", [(("user", "a", "b", "c"), 2)]),
    ("items[*].sku", [(("items", 0, "sku"), "A"), (("items", 2, "sku"), None)]),
    ("items[-1]", [(("items", 3), "x")]),
    ("items[-4].n", [(("items", 0, "n"), 1)]),
    ("items[-5]", []),
    ("items[4]", []),
    ("items.1.n", [(("items", 1, "n"), 2)]),
    ("/items/1/n", [(("items", 1, "n"), 2)]),
    ("$.items['1'].n", []),
    ("items.01.n", []),
    ("items.-1", []),
    ("items.99999999999999999999", []),
    ("0", [(("0",), "zero")]),
    ("[0]", []),
    ("x.y", [(("x.y",), 1)]),
    ("x['y']", [(("x", "y"), 2)]),
    ("x.y.z", []),
    ("x['y.z']", [(("x", "y.z"), 3)]),
    ("user.address.city.more", []),
    ("empty[*]", []),
    ("user.*", []),
    ("$.user.address.*", [(("user", "address", "city"), "Oslo")]),
    ("nowhere.at.all", []),
    ("$", [((), DOCUMENT)]),
    ("", [((), DOCUMENT)]),
]


@pytest.mark.parametrize(("path", "expected"), FOUND, ids=[path or "empty" for path, _ in FOUND])
def test_finds(path: str, expected: list[tuple[tuple[Any, ...], Any]]) -> None:
    assert compile_path(path).find(DOCUMENT) == [Match(*found) for found in expected]


@pytest.mark.parametrize("document", [None, 0, "text", [], {}, True])
def test_finds_nothing_below_a_value_without_members(document: Any) -> None:
    for path in ("a.b", "$.a", "/a", "[0]", "$[*]"):
        assert compile_path(path).find(document) == []


def test_no_document_has_no_places() -> None:
    assert follow((), MISSING, names_index=True) == []


RESOLVED: list[tuple[str, tuple[Any, ...], tuple[Any, ...]]] = [
    ("a.b", ({"a": {"b": 1}}, {"a.b": 1}), ("a.b",)),
    ("a.b", ({"a": {"b": 1}}, {"a": {"b": 1}}), ("a", "b")),
    ("a.b", (MISSING, {"a.b": 1}), ("a.b",)),
    ("a.b.c", ({"a": {"b.c": 1}}, {"a": {"b": {"c": 1}}}), ("a", "b.c")),
    ("a.b.c", ({"a.b": {"c": 1}}, {"a.b.c": 1}), ("a.b.c",)),
    ("l.0.a.b", ({"l": [{"a.b": 1}]}, {}), ("l", "0", "a.b")),
    ("l[*].a.b", ({"l": [{"a": {"b": 0}}, {"a.b": 1}]}, {}), ("l", WILD, "a.b")),
    ("a.b[0].c.d", ({"a.b": [{"c.d": 1}]},), ("a.b", 0, "c.d")),
    ("a['b'].c", ({"a.b.c": 1, "a['b'].c": 2, "a": {"b.c": 3}},), ("a", "b", "c")),
    ("$.a.b", ({"a.b": 1},), ("a", "b")),
    ("/a/b", ({"a.b": 1},), ("a", "b")),
    ("a.b.c.d", ({}, 5), ("a", "b", "c", "d")),
]


@pytest.mark.parametrize(("path", "documents", "steps"), RESOLVED)
def test_literal_names_win_on_either_side_at_any_level(path: str, documents: Any, steps: Any) -> None:
    assert resolve(compile_path(path), documents) == steps
    assert resolve(compile_path(path), tuple(reversed(documents))) == steps


@given(st.lists(NAMES | st.just(WILD), max_size=6))
def test_printed_names_parse_back_to_the_same_steps(steps: list[Any]) -> None:
    name = field_name(steps)
    assert compile_path(name).steps == tuple(steps)
    assert field_name(compile_path(name).steps) == name


@given(VALUES, st.data())
def test_a_printed_place_finds_that_place(document: Any, data: st.DataObject) -> None:
    path: list[Any] = []
    value = document
    while isinstance(value, dict | list) and value and data.draw(st.booleans()):
        step = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        path.append(step)
        value = value[step]
    found = compile_path(field_name(path)).find(document)
    literal = any("." in str(step) for step in path)
    assert literal or any(match.path == tuple(path) for match in found)


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        ((), "$"),
        (("a", 3, "b"), "a[*].b"),
        (("a", WILD), "a[*]"),
        (("",), "['']"),
        (("a", "", "b"), "a[''].b"),
        (("unit price", "it's"), "['unit price']['it\\'s']"),
        (("$", "#", "*", "/"), "['$']['#']['*']['/']"),
        (("a\\",), "a\\"),
        (("a\u00a0b",), "['a\u00a0b']"),
        (("0",), "0"),
    ],
)
def test_field_name(steps: Any, name: str) -> None:
    assert field_name(steps) == name


def test_join_at_the_root_and_below() -> None:
    assert [join("", "a"), join("a", "b"), join("a", 0), join("", 0)] == ["a", "a.b", "a[*]", "[*]"]


@pytest.mark.parametrize(
    ("name", "candidates", "found"),
    [
        ("totl", ["total", "tax"], "total"),
        ("xyz", ["total", "tax"], None),
        ("x" * 101, ["x" * 100], None),
        ("x" * 100, ["x" * 101], None),
        ("b", ["a"] * 1_000 + ["b"], None),
    ],
    ids=["near", "far", "long name", "long candidates", "many candidates"],
)
def test_nearest(name: str, candidates: list[str], found: str | None) -> None:
    assert nearest(name, candidates) == found


HOSTILE = {
    "long name": "a" * 1_000_000,
    "many names": "a." * 500_000 + "a",
    "many dots": "." * 1_000_000,
    "brackets": "[0]" * 100_000,
    "open brackets": "[" * 100_000,
    "closed brackets": "a" + "]" * 100_000,
    "quotes": "['" * 50_000,
    "one long quote": "a['" + "\\'" * 500_000,
    "mixed quotes": "a['" + "\"'" * 100_000,
    "digits": "a[" + "9" * 1_000_000 + "]",
    "slashes": "/" * 1_000_000,
    "tildes": "/" + "~" * 1_000_000,
    "percents": "#/" + "%41" * 300_000,
    "wild cards": "$" + "[*]" * 100_000,
    "dollar": "$" * 1_000_000,
    "escapes": "$['" + "\\u0041" * 100_000 + "']",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HOSTILE.items()])
def test_hostile_paths_are_refused_or_read_at_once(text: str) -> None:
    start = time.process_time()
    for size in (1_000_000, 10_000, 9_999, 5_001):
        with contextlib.suppress(PathError):
            assert compile_path(text[:size]).find({"a": [1]}) == []
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize("first", ["a", "/", "$.a", "#/", "["])
def test_long_paths_are_refused(first: str) -> None:
    with pytest.raises(PathError) as caught:
        compile_path(first + "b" * 10_000)
    text = (first + "b" * 60)[:60] + "…"
    assert str(caught.value) == f"path {text!r}: longer than 10,000 characters at position 10000"


def test_the_longest_path_is_followed_and_resolved_quickly() -> None:
    selector = compile_path(".".join(["a"] * MAX_STEPS))
    document = nested_objects(MAX_STEPS)
    start = time.process_time()
    assert len(selector.find(document)) == 1
    assert time.process_time() - start < 1


# --------------------------------------------------------------------------------------- side by side


@pytest.mark.parametrize(
    ("path", "levels", "refused"),
    [("$..a", 200, False), ("$..a", 210, True), ("$[" + "'a'," * 99 + "'a']", 190, False),
     ("$[" + "'a'," * 99 + "'a']", 250, True)],
    ids=["inside", "too often inside", "again", "too often again"],
)  # fmt: skip
def test_places_in_one_another_are_not_put_side_by_side(path: str, levels: int, refused: bool) -> None:
    document: Any = {"a": 1}
    for _ in range(levels - 1):
        document = {"a": document}
    selector = compile_path(path)
    matches = selector.find(document)
    if not refused:
        assert side_by_side(selector, document, matches) is matches
        return
    with pytest.raises(PathError) as caught:
        side_by_side(selector, document, matches)
    why = f"names {len(matches)} places, whose values hold one another or are the same; it stands"
    assert str(caught.value) == f"path {path!r}: {why} at position 0"
    evaluate: Any = fieldwise.create_exact_match_evaluator(target_output_key=path)
    extra = evaluate(outputs=document, reference_outputs=document)["extra"]
    assert (extra["status"], extra["reason"]) == ("not_evaluated", str(caught.value))


def test_many_places_beside_one_another_are_many() -> None:
    rows: list[Any] = [{"a": {"b": [at]}} for at in range(30_000)]
    selector = compile_path("$..a")
    matches = selector.find(rows)
    assert len(side_by_side(selector, rows, matches)) == 30_000
