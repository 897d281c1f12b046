"""What options say about places: literal or path, wildcards beside names, and what is left out."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.policy import Entry, Node, Policy, entry, matches, prune
from fieldwise.core.select import MAX_STEPS, compile_path
from fieldwise.core.values import UnorderedList
from tests.core.documents import nested_objects

SOME: dict[str, Any] = {"a": {"b": 1, "c": 2}, "l": [{"k": 1, "v": [1, 2]}, {"k": 2}, "x"]}


def tree(*documents: Any, **words: Any) -> Node:
    """The tree of some excluded paths: `tree(doc, exclude=["a"])`; `lists={"l": "subset"}`."""
    entries = [entry(key, "exclude", True) for key in words.pop("exclude", ())]
    for aspect, pairs in words.items():
        entries += [entry(key, aspect, value) for key, value in pairs.items()]  # type: ignore[arg-type]
    found = Policy(entries).tree(documents)
    assert found is not None
    return found


EXCLUDED: list[tuple[str, Any, list[str], Any]] = [
    ("member", SOME, ["a"], {"l": SOME["l"]}),
    ("nested", SOME, ["a.b"], {"a": {"c": 2}, "l": SOME["l"]}),
    ("pointer", SOME, ["/a/b"], {"a": {"c": 2}, "l": SOME["l"]}),
    ("JSONPath", SOME, ["$.a.b"], {"a": {"c": 2}, "l": SOME["l"]}),
    ("wildcard", SOME, ["l[*].k"], {"a": SOME["a"], "l": [{"v": [1, 2]}, {}, "x"]}),
    ("wildcard over members", SOME, ["$.a.*"], {"a": {}, "l": SOME["l"]}),
    ("index", SOME, ["l[0].k"], {"a": SOME["a"], "l": [{"v": [1, 2]}, {"k": 2}, "x"]}),
    ("digits", SOME, ["l.0.k"], {"a": SOME["a"], "l": [{"v": [1, 2]}, {"k": 2}, "x"]}),
    ("whole element", SOME, ["l[1]"], {"a": SOME["a"], "l": [SOME["l"][0], "x"]}),
    ("last element", SOME, ["l[-1]"], {"a": SOME["a"], "l": SOME["l"][:2]}),
    ("last element's member", SOME, ["l[-2].k"], {"a": SOME["a"], "l": [SOME["l"][0], {}, "x"]}),
    ("index after a dropped one", SOME, ["l[0]", "l[1].k"], {"a": SOME["a"], "l": [{}, "x"]}),
    ("every element", SOME, ["l[*]"], {"a": SOME["a"], "l": []}),
    ("list in a list", SOME, ["l[*].v[0]"], {"a": SOME["a"], "l": [{"k": 1, "v": [2]}, {"k": 2}, "x"]}),
    ("wildcard and index", SOME, ["l[*].v", "l[0].k"], {"a": SOME["a"], "l": [{}, {"k": 2}, "x"]}),
    ("nowhere", SOME, ["nope", "a.nope", "l[9]", "a.b.c"], SOME),
    ("literal", {"a.b": 1, "a": {"b": 2}}, ["a.b"], {"a": {"b": 2}}),
    ("no path at all", {"a..b": 1, "c": 2}, ["a..b"], {"c": 2}),
    ("literal pointer", {"/a": 1, "a": 2}, ["/a"], {"a": 2}),
    ("literal dollar", {"$": 1, "a": 2}, ["$"], {"a": 2}),
    ("literal empty name", {"": 1, "a": 2}, [""], {"a": 2}),
    ("root list", [{"k": 1, "v": 2}], ["[*].k"], [{"v": 2}]),
    ("atom", 5, ["a"], 5),
]


@pytest.mark.parametrize(
    ("document", "paths", "expected"), [pytest.param(*row[1:], id=row[0]) for row in EXCLUDED]
)
def test_prune(document: Any, paths: list[str], expected: Any) -> None:
    before = copy.deepcopy(document)
    assert prune(document, tree(document, exclude=paths)) == expected
    assert document == before


def test_prune_shares_what_it_does_not_change() -> None:
    document: Any = {"a": {"b": 1}, "c": [1]}
    found: Any = prune(document, tree(document, exclude=["a.b"]))
    assert found["c"] is document["c"]
    assert prune(document, None) is document
    assert prune(document, tree(document, weight={"a": 2.0})) is document


def test_prune_keeps_sets_in_order() -> None:
    document = to_json({"s": {("b", 1), ("a", 2)}})
    found: Any = prune(document, tree(document, exclude=["s[*][0]"]))
    assert found == {"s": [[1], [2]]}
    assert type(found["s"]) is UnorderedList


def test_the_longest_path_prunes_without_recursion() -> None:
    path = ".".join(["a"] * MAX_STEPS)
    wild = "$" + ".*" * MAX_STEPS
    document = nested_objects(MAX_STEPS + 500, leaf=1)
    expected = nested_objects(MAX_STEPS - 1, leaf={})
    for paths in ([path], [wild], [path, wild]):
        assert prune(document, tree(document, exclude=paths)) == expected


@pytest.mark.parametrize(
    ("path", "documents", "steps"),
    [
        ("a.b", ({"a.b": 1}, {"a": {"b": 1}}), ["a.b"]),
        ("a.b", ({"a": {"b": 1}}, {"a.b": 1}), ["a.b"]),
        ("a.b", ({"a": {"b": 1}}, MISSING), ["a", "b"]),
        ("x.a.b", ({"x": {"a.b": 1}}, {"x": {"a": {"b": 1}}}), ["x", "a.b"]),
        ("$.a", ({"$.a": 1}, {"a": 1}), ["$.a"]),
        ("/a", ({"a": 1}, {"/a": 1}), ["/a"]),
        ("a[0]", ({"a[0]": 1}, {"a": [1]}), ["a[0]"]),
        ("a..b", ({}, {}), ["a..b"]),
        ("a", ({}, {}), ["a"]),
    ],
)
def test_literal_or_path_is_decided_once_for_both_sides(path: str, documents: Any, steps: list[str]) -> None:
    node: Node = tree(*documents, weight={path: 2.0})
    for step in steps:
        assert list(node.members) == [step]
        node = node.members[step]
    assert node.weight == 2.0


def test_nothing_said_is_no_tree() -> None:
    assert Policy([]).tree(({},)) is None


def test_a_tree_is_kept_while_the_readings_stay() -> None:
    policy = Policy([entry("a.b", "weight", 2.0)])
    plain = policy.tree(({"a": {"b": 1}},))
    assert policy.tree(({"a": {"b": 5}}, {"a": {}})) is plain
    assert policy.tree(({"a.b": 1},)) is not plain
    assert policy.tree(({"a": {"b": 1}},)) is plain


def test_named_places_have_the_word_of_the_wildcard_beside_them() -> None:
    root = tree(
        {},
        exclude=["l[*].x"],
        lists={"l[0].tags": "subset", "l[*].tags": "superset"},
        weight={"l[*]": 3.0, "l[0]": 0.0},
        rubric={"l[*].a.b": "good", "l[0].a.c": "fine"},
    )
    first, other = root.members["l"].child(0), root.members["l"].child(7)
    assert first is not None
    assert other is not None
    assert (first.weight, other.weight) == (0.0, 3.0)
    assert (first.members["tags"].lists, other.members["tags"].lists) == ("subset", "superset")
    assert first.members["x"].exclude
    assert (first.members["a"].members["b"].rubric, first.members["a"].members["c"].rubric) == (
        "good",
        "fine",
    )
    assert list(other.members["a"].members) == ["b"]


def test_nested_wildcards_merge() -> None:
    root = tree({}, weight={"a[*].b[*].c": 2.0, "a[0].b[1].d": 5.0, "$.a.*.b[*].e": 7.0})
    place = root.members["a"].child(0)
    assert place is not None
    element = place.members["b"].child(1)
    assert element is not None
    assert {name: node.weight for name, node in element.members.items()} == {"d": 5.0, "c": 2.0, "e": 7.0}


def test_an_index_has_the_word_of_its_digits() -> None:
    root = tree({}, weight={"l.0.a": 2.0, "l[0].b": 3.0})
    element = root.members["l"].child(0)
    assert element is not None
    assert {name: node.weight for name, node in element.members.items()} == {"b": 3.0, "a": 2.0}
    by_name = root.members["l"].child("0")
    assert by_name is not None
    assert list(by_name.members) == ["a"]


def test_child_counts_from_the_end_where_the_length_is_known() -> None:
    root = tree({}, weight={"l[-1]": 2.0}).members["l"]
    assert root.child(2) is None
    last = root.child(2, 3)
    assert last is not None
    assert last.weight == 2.0
    assert root.child(1, 3) is None


def test_says_looks_below() -> None:
    root = tree({}, weight={"a[*].b": 0.0})
    assert root.says("weight")
    assert not root.says("exclude")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.b", True),
        ("a.x", False),
        ("l[*].k", True),
        ("l[9]", False),
        ("c..d", True),
        ("x..y", False),
        ("$", True),
    ],
)
def test_matches(path: str, found: bool) -> None:
    one = entry(path, "weight", 1.0)
    assert matches(one, (MISSING, {**SOME, "c..d": 1})) is found
    assert not matches(one, (MISSING,))


def test_text_that_is_no_path_is_a_literal_key() -> None:
    assert entry("a..b", "weight", 1.0) == Entry("a..b", None, "weight", 1.0)
    assert entry("a.b", "weight", 1.0).selector == compile_path("a.b")


def test_a_query_names_what_it_finds_in_any_document() -> None:
    policy = Policy([entry("$..price", "exclude", value=True)])
    documents: tuple[Any, ...] = (
        {"items": [{"price": 1, "sku": "a"}], "price": 3},
        {"items": [{"sku": "a"}, {"price": 2, "sku": "b"}]},
    )
    tree = policy.tree(documents)
    assert [prune(document, tree) for document in documents] == [
        {"items": [{"sku": "a"}]},
        {"items": [{"sku": "a"}, {"sku": "b"}]},
    ]
