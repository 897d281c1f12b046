"""One record explained: its tree agrees with its score, shows what it should, and stays bounded and safe."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import fieldwise
from fieldwise import Field, by_key
from fieldwise.core.compare import Comparator
from fieldwise.report import explain, explained
from fieldwise.report.branches import tree_of
from fieldwise.report.tree import Twig
from fieldwise.run import examine
from tests.core.documents import NAMES, VALUES, nested_lists, nested_objects

HALF = Comparator("half", lambda _expected, _actual: 0.5)
OUTPUTS = {
    "store": "Kiosk 7",
    "total": 12.05,
    "items": [{"sku": "B", "qty": 2, "name": "Bolt"}, {"sku": "A", "qty": 1, "name": "Nuts"}, {"sku": "Z"}],
    "note": "deliver soon",
}
REFERENCE = {
    "store": "Kiosk 7",
    "total": 12.5,
    "items": [{"sku": "A", "qty": 1, "name": "Nut"}, {"sku": "B", "qty": 3, "name": "Bolt"}],
    "vat": "1",
    "note": "deliver at once",
}


def agrees(request: Any) -> dict[str, Any]:
    return {one.id: {"score": True, "reasoning": "both ask for haste"} for one in request.questions}


def examined(outputs: Any, reference: Any, evaluator: Any = None, **options: Any) -> Any:
    record = {"id": "one", "outputs": outputs, "reference_outputs": reference}
    return examine(record, evaluator or fieldwise.create_json_match_evaluator(**options))


def leaves(tree: Twig) -> list[tuple[str, str, str]]:
    """Label, verdict and how of each leaf, in order."""
    return [(one.label, one.verdict, one.how) for _, one in tree.rows() if one.verdict]


JSON_MATCH = """\
record one: json_match

result            score
json_match:items  0.679  failed  items[1].qty: expected 3, got 2 [mean 0.6786]
json_match:note   1.000  passed  note: expected "deliver at once", got "deliver soon" (both ask for haste)
json_match:store  1.000  passed
json_match:total  0.964  failed  total: expected 12.5, got 12.05 [numeric_diff 0.964]

outputs read with: fenced

not compared: vat

judging used: judge_calls 1

   field          expected           got
   store          "Kiosk 7"          "Kiosk 7"        right
~  total          12.5               12.05            partly right, numeric_diff 0.964
   items                                              by_key('sku'): 2 paired, 1 invented
     [0] got [1]
       sku        "A"                "A"              right
       qty        1                  1                right
~      name       "Nut"              "Nuts"           partly right, string_similarity 0.750
     [1] got [0]
       sku        "B"                "B"              right
!      qty        3                  2                wrong
       name       "Bolt"             "Bolt"           right
     got [2]                         {"sku":"Z"}
+      sku                           "Z"              not expected
   note           "deliver at once"  "deliver soon"   right, judged: both ask for haste

6 right, 2 partly right, 1 wrong, 1 not expected
"""

MULTI_FIELD = """\
   field          expected   got
   store          "Kiosk 7"  "Kiosk 7"  right
!  total          12.5       12.05      wrong
   items                                same_elements: 2 paired, 1 invented
     [0] got [1]
       sku        "A"        "A"        right
       name       "Nut"      "Nuts"     right, string_similarity 0.750, threshold 0.7
     [1] got [0]
       sku        "B"        "B"        right
       name       "Bolt"     "Bolt"     right
     got [2]
+      sku                   "Z"        not expected
?  nope                                 not graded, on neither side
"""


def squeezed(text: str) -> list[str]:
    return [re.sub(r"(?<=\S) +", " ", line) for line in text.splitlines() if line]


def test_json_match_as_people_see_it() -> None:
    evaluator = fieldwise.create_json_match_evaluator(
        lists={"items": by_key("sku")},
        comparators={"items[*].name": "string_similarity", "total": "numeric_diff"},
        rubric={"note": "the same wish"},
        judge=agrees,
        exclude_keys=["vat"],
    )
    text = explain(examined(f"```json\n{json.dumps(OUTPUTS)}\n```", REFERENCE, evaluator))
    assert squeezed(text) == squeezed(JSON_MATCH)


def test_multi_field_as_people_see_it() -> None:
    name = Field("items[*].name", comparator="string_similarity", threshold=0.7)
    evaluator = fieldwise.create_multi_field_evaluator(
        fields=["store", "total", "items[*].sku", name, "nope"], lists={"items": "same_elements"}
    )
    text = explain(examined(OUTPUTS, REFERENCE, evaluator))
    tree = text[text.index("   field") : text.rindex("\n\n")]
    assert squeezed(tree) == squeezed(MULTI_FIELD)
    assert text.endswith("\n5 right, 1 wrong, 1 not expected, 1 not graded\n")


CASES: list[tuple[str, Any, Any, dict[str, Any], list[tuple[str, str, str]]]] = [
    ("atom", 1, 2, {}, [("$", "wrong", "")]),
    ("equal", {"a": 1}, {"a": 1.0}, {}, [("a", "right", "")]),
    ("granted", {"a": 1}, {"a": 2}, {"comparators": {"a": "number"}}, [("a", "wrong", "number 0.000")]),
    ("graded", {"a": 1}, {"a": 2}, {"comparators": {"$": HALF}}, [("a", "partly right", "half 0.500")]),
    ("unreadable", {"a": "x"}, {"a": 2}, {"comparators": {"a": "number"}},
     [("a", "wrong", 'number 0.000: number could not read it: "x" is not a number')]),
    ("missing, extra", {"b": 1}, {"a": 1}, {}, [("a", "missing", ""), ("b", "not expected", "")]),
    ("odd names", {"a b": 1, "": 2}, {"a b": 2, "": 2}, {},
     [("['a b']", "wrong", ""), ("['']", "right", "")]),
    ("null for a value", {"a": None}, {"a": 1}, {}, [("a", "wrong", "")]),
    ("null is missing", {}, {"a": None}, {"null_policy": "null_equals_missing"},
     [("a", "right", "")]),
    ("other shape inside", {"a": [1]}, {"a": {"b": 2}}, {}, [("b", "missing", "")]),
    ("subset", {"a": [2]}, {"a": [1, 2]}, {"lists": {"a": "subset"}},
     [("[0]", "not counted", "subset"), ("[1] got [0]", "right", "")]),
    ("superset", {"a": [2, 1]}, {"a": [2]}, {"lists": {"a": "superset"}},
     [("[0]", "right", ""), ("got [1]", "not counted", "superset")]),
    ("what is no list is not one that holds less", {"a": 5}, {"a": [1]}, {"lists": {"a": "subset"}},
     [("a", "wrong", "")]),
    ("empty list", {"a": [1]}, {"a": []}, {}, [("a", "wrong", "")]),
    ("empty list may hold more", {"a": [1]}, {"a": []}, {"lists": {"a": "superset"}}, [("a", "right", "")]),
    ("weight", {"a": 1}, {"a": 2}, {"weights": {"a": 3}}, [("a", "wrong", "weight 3")]),
    ("excluded", {"a": {"x": 1, "y": 2}}, {"a": {"x": 2, "y": 2}}, {"exclude_keys": ["a.x"]},
     [("y", "right", "")]),
    ("no match", [{"a": 1}], [{"a": 2}], {}, [("a", "wrong", "")]),
    ("list", [{"a": 2}, {"a": 1}], [{"a": 1}, {"a": 2}], {}, [("a", "right", ""), ("a", "right", "")]),
    ("list that may hold less", [{"a": 2}], [{"a": 1}, {"a": 2}], {"list_match_mode": "subset"},
     [("[0]", "not counted", "subset"), ("a", "right", "")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("outputs", "reference", "options", "wanted"), [pytest.param(*row[1:], id=row[0]) for row in CASES]
)
def test_leaves(outputs: Any, reference: Any, options: Any, wanted: Any) -> None:
    tree = tree_of(examined(outputs, reference, **options))
    found = leaves(tree) or ([("$", tree.verdict, tree.how)] if tree.verdict else [])
    assert found == wanted


def test_a_pair_with_nothing_in_common_is_no_match() -> None:
    tree = tree_of(examined([{"a": 1}, {"a": 5}], [{"a": 2}, {"a": 5}]))
    assert [(one.label, one.how) for one in tree.below.values()] == [
        ("[0]", "no match: nothing in common"),
        ("[1]", ""),
    ]


def test_fields_that_overlap_are_told_apart() -> None:
    evaluator = fieldwise.create_multi_field_evaluator(fields=["a", "a.b", Field("/a/b", weight=2)])
    tree = tree_of(examined({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, evaluator))
    assert leaves(tree) == [
        ("b", "right", ""),
        ("as a.b", "right", ""),
        ("as /a/b", "right", ""),
        ("c", "wrong", ""),
    ]


def test_a_judge_that_fails_leaves_a_place_open() -> None:
    def fails(request: Any) -> Any:
        raise OSError("down")

    found = examined({"a": "x"}, {"a": "y"}, rubric={"a": "alike"}, judge=fails)
    assert leaves(tree_of(found)) == [("a", "not graded", "judge_error: OSError: down")]


# ------------------------------------------------------------------------------- agrees with the score


def tallied(found: Any) -> Counter[str]:
    """How the outcomes of a json_match card came out."""
    count: Counter[str] = Counter()
    for record in found.card.compared.records:
        count["right"] += len(record.equal) * record.times + sum(one.score == 1 for one in record.outcomes)
        count["other"] += sum(one.score != 1 for one in record.outcomes)
    return +count


OPTIONS: list[dict[str, Any]] = [
    {},
    {"comparators": {"$": HALF}},
    {"comparators": {"a": HALF}, "lists": {"a": "same_elements", "b": "subset"}},
    {"lists": {"a": "superset", "$..a": "same_elements"}, "exclude_keys": ["b"]},
    {"null_policy": "null_equals_missing"},
]


RECORDS = st.dictionaries(NAMES, VALUES, max_size=3)
DOCUMENTS = RECORDS | st.lists(RECORDS | st.integers(0, 2), max_size=3)


@given(DOCUMENTS, DOCUMENTS, st.sampled_from(OPTIONS))
def test_a_leaf_is_right_in_the_tree_exactly_when_it_is_in_the_score(
    outputs: Any, reference: Any, options: Any
) -> None:
    found = examined(outputs, reference, depth="leaves", list_aggregator="average", **options)
    if found.card.problem is not None or outputs == reference:
        return
    tree = tree_of(found)
    counts = Counter(tree.counts())
    counts.pop("not counted", None)
    right = counts.pop("right", 0)
    wanted = tallied(found)
    empty = sum(one.expected == one.actual == {} for one in (tree, *tree.below.values()))
    assert right in (wanted["right"], wanted["right"] + empty)  # equal empty records have no field
    assert counts.total() == wanted["other"]


@given(VALUES, VALUES)
def test_whatever_is_equal_is_right_and_nothing_else_is(outputs: Any, reference: Any) -> None:
    found = examined(outputs, reference)
    tree = tree_of(found)
    if found.card.problem is None and found.results[0]["extra"]["support"]:
        everything = all(one["score"] == 1 for one in found.results)
        assert (set(tree.counts()) <= {"right"}) == everything


# --------------------------------------------------------------------------------- other evaluators


@pytest.mark.parametrize("name", ["json_diff", "json_similarity"])
def test_differences_that_results_list_are_the_tree(name: str) -> None:
    evaluator = getattr(fieldwise, f"create_{name}_evaluator")()
    found = examined({"a": "kitten", "b": 1}, {"a": "sitten", "b": 1, "c": [2]}, evaluator)
    verdict = "wrong" if name == "json_diff" else "partly right"
    assert [row[:2] for row in leaves(tree_of(found))] == [("a", verdict), ("c[0]", "missing")]


def test_an_evaluator_of_text_shows_both_sides() -> None:
    evaluator = fieldwise.create_contains_evaluator()
    text = explain(examined("a haystack", "needle", evaluator))
    assert text.endswith('\nexpected: "needle"\ngot: "a haystack"\n')


def test_an_output_that_cannot_be_read() -> None:
    text = explain(examined("no idea", {"a": 1}))
    assert text.splitlines()[3] == "json_match:a  0.000  invalid_output  expected an object, got text"
    assert text.endswith('\nexpected: {"a":1}\ngot: "no idea"\n')


def test_a_foreign_evaluator_and_a_record_that_is_none() -> None:
    def grade(outputs: Any, reference_outputs: Any) -> float:
        return 0.25

    assert "grade   0.250  failed" in explain(examined(1, 2, grade))
    text = explain(examine({"id": "x", "answer": 1}, fieldwise.create_json_match_evaluator()))
    assert "not_evaluated  the record has no outputs; its keys: 'id', 'answer'" in text


def test_as_json() -> None:
    found = explained(examined({"a": [1, {"b": float("inf")}]}, {"a": [2]}))
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text)["verdicts"] == {"wrong": 1, "not expected": 1}
    assert found["tree"][1] == {
        "depth": 1, "label": "[0]", "verdict": "wrong", "expected": "2", "got": "1", "how": None
    }  # fmt: skip


# ---------------------------------------------------------------------------------- bounded and safe


def test_many_leaves_leave_out_what_is_right() -> None:
    reference = {f"k{n}": {"v": n} for n in range(2_000)}
    outputs = {**reference, "k7": {"v": 0}, "k1500": {"v": 0}}
    text = explain(examined(outputs, reference, aggregator="average"))
    tree = text[text.index("   field") :].splitlines()
    assert [line.split()[:2] for line in tree[1:5]] == [["k7"], ["!", "v"], ["k1500"], ["!", "v"]]
    assert tree[5] == "(1,998 right not shown)"
    assert text.endswith("\n1,998 right, 2 wrong\n")


@pytest.mark.parametrize(
    ("outputs", "reference"),
    [
        ({"a": list(range(12_000))}, {"a": list(range(1, 12_001))}),
        ({f"k{n}": n for n in range(12_000)}, {f"k{n}": -n for n in range(12_000)}),
        ({"a": nested_lists(20_000)}, {"a": nested_lists(20_001)}),
        ({"a": nested_objects(20_000)}, {"a": nested_objects(20_001)}),
        ({"a": "x" * 3_000_000}, {"a": "y" * 3_000_000}),
    ],
    ids=["long list", "many members", "deep lists", "deep objects", "long text"],
)
def test_anything_large_is_bounded(outputs: Any, reference: Any) -> None:
    found = examined(outputs, reference, aggregator="average")
    text = explain(found)
    assert len(text) < 100_000
    assert max(map(cell_len, text.splitlines())) <= 120
    assert len(json.dumps(explained(found))) < 10_000_000


HOSTILE = ["[red]x[/red]", "\x1b[2J", "a\nb", "\ud800", "\u202etxt", "東京" * 60, "x" * 5_000, "", " "]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("colour", [False, True])
def test_data_prints_as_it_is_or_escaped(text: str, colour: bool) -> None:
    record = {"id": text, "outputs": {text: text}, "reference_outputs": {text: "y", "z": [text]}}
    shown = explain(examine(record, fieldwise.create_json_match_evaluator()), width=80, colour=colour)
    plain = re.sub(r"\x1b\[\d+m", "", shown) if colour else shown
    plain.encode()
    assert all(line.isprintable() for line in plain.splitlines())
    assert max(map(cell_len, plain.splitlines())) <= 80


def test_colours_change_nothing_but_colours() -> None:
    found = examined(OUTPUTS, REFERENCE, depth="leaves")
    coloured = explain(found, colour=True)
    assert "\x1b[31m!  total" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == explain(found)


@given(st.text(), VALUES, VALUES, st.integers(0, 150))
def test_any_record_renders(id_: str, outputs: Any, reference: Any, width: int) -> None:
    record = {"id": id_, "outputs": outputs, "reference_outputs": reference}
    fields = ["a", "a.b", "$.a[*].b", "$..b"]
    for evaluator in (
        fieldwise.create_json_match_evaluator(depth="leaves"),
        fieldwise.create_multi_field_evaluator(fields=fields, lists={"a": "same_elements"}),
        fieldwise.create_json_diff_evaluator(),
        fieldwise.create_string_similarity_evaluator(),
    ):
        found = examine(record, evaluator)
        text = explain(found, width=width)
        text.encode()
        assert max(map(cell_len, text.splitlines())) <= max(width, 60)
        json.dumps(explained(found), allow_nan=False)
