"""Two documents to records and fields: names, what is folded, what is left out, and lists of records."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.comparators import number
from fieldwise.core.aggregate import Score, score_record
from fieldwise.core.align import by_key
from fieldwise.core.compare import Comparator, Outcome
from fieldwise.core.fields import Compared, Comparison, Fields
from fieldwise.core.policy import Policy, entry
from tests.core.documents import NAMES, VALUES

HALF = Comparator("half", lambda _expected, _actual: 0.5)


def compared(expected: Any, actual: Any, mode: Any = "same_elements", **options: Any) -> Compared:
    """Compare; options by path besides `deep` and `null_is_missing`: `weight={"a": 2.0}`."""
    flags = {name: options.pop(name) for name in ("deep", "null_is_missing") if name in options}
    entries = [entry(path, aspect, word) for aspect, some in options.items() for path, word in some.items()]  # type: ignore[arg-type]
    return Fields(Policy(entries), mode, **flags).compare(expected, actual)


def shown(found: Compared) -> list[tuple[list[str], list[tuple[str, float | None]]]]:
    """Each record's equal names, and the names and scores of the others."""
    return [
        (sorted(record.equal * record.times), [(one.name, one.score) for one in record.outcomes])
        for record in found.records
    ]


RECORDS: list[tuple[str, Any, Any, dict[str, Any], list[Any]]] = [
    ("members", {"a": 1, "b": [1]}, {"a": 1, "b": [2], "c": 3}, {}, [(["a"], [("b", 0), ("c", 0)])]),
    ("missing member", {"a": 1, "b": None}, {"a": 1}, {}, [(["a"], [("b", 0)])]),
    ("null is missing", {"a": 1, "b": None}, {"a": 1, "c": None}, {"null_is_missing": True},
     [(["a", "b", "c"], [])]),
    ("1 and 1.0 and true", {"a": 1, "b": 1}, {"a": 1.0, "b": True}, {}, [(["a"], [("b", 0)])]),
    ("empty", {}, {}, {}, [([], [])]),
    ("odd names stay", {"a.b": 1, "": 2}, {"a.b": 1, "": 3}, {}, [(["a.b"], [("", 0)])]),
    ("leaves", {"a": {"b": 1, "c": 2}, "d": []}, {"a": {"b": 1, "c": 3}, "d": []}, {"deep": True},
     [(["a.b", "d"], [("a.c", 0)])]),
    ("leaves of odd names", {"a.b": {"": 1}}, {"a.b": {"": 2}}, {"deep": True}, [([], [("['a.b']['']", 0)])]),
    ("excluded", {"a": 1, "b": {"c": 1, "d": 2}}, {"a": 2, "b": {"c": 1, "d": 3}},
     {"exclude": {"a": True, "b.d": True}}, [(["b"], [])]),
    ("all excluded", {"a": 1}, {"a": 2}, {"exclude": {"a": True}}, [([], [])]),
    ("comparator on a member", {"a": 1, "b": 1}, {"a": 2, "b": 2}, {"comparator": {"a": HALF}},
     [([], [("a", 0.5), ("b", 0)])]),
    ("comparator for all", {"a": 1, "b": {"c": 1}}, {"a": 2, "b": {"c": 2}}, {"comparator": {"$": HALF}},
     [([], [("a", 0.5), ("b", 0.5)])]),
    ("mean of the leaves", {"a": {"b": 1, "c": 1}}, {"a": {"b": 1, "c": 2}}, {"comparator": {"a": HALF}},
     [([], [("a", 0.75)])]),
    ("weighted mean of the leaves", {"a": {"b": 1, "c": 1}}, {"a": {"b": 1, "c": 2}},
     {"comparator": {"a": HALF}, "weight": {"a.b": 0.0}}, [([], [("a", 0.5)])]),
    ("comparator below", {"a": {"b": 1, "c": 1}}, {"a": {"b": 2, "c": 2}}, {"comparator": {"a.b": HALF}},
     [([], [("a", 0.25)])]),
    ("list inside", {"a": [1, 2]}, {"a": [2, 1]}, {"lists": {"a": "same_elements"}}, [(["a"], [])]),
    ("list inside, one other", {"a": [1, 2]}, {"a": [2, 3]}, {"lists": {"a": "same_elements"}},
     [([], [("a", 0)])]),
    ("leaves of a list inside", {"a": [1, 2]}, {"a": [2, 3]}, {"deep": True, "lists": {"a": "same_elements"}},
     [(["a[*]"], [("a[*]", 0)])]),
    ("wildcard over members", {"a": 1, "b": 1}, {"a": 2, "b": 2}, {"comparator": {"$.*": HALF}},
     [([], [("a", 0.5), ("b", 0.5)])]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "actual", "options", "records"), [pytest.param(*row[1:], id=row[0]) for row in RECORDS]
)
def test_records(expected: Any, actual: Any, options: Any, records: Any) -> None:
    found = compared(expected, actual, **options)
    assert shown(found) == records
    assert found.alignment is None


def test_a_rubric_below_a_member_is_a_field_of_its_own() -> None:
    found = compared(
        {"a": {"t": "x", "n": 1}, "b": "same"},
        {"a": {"t": "y", "n": 1}, "b": "same"},
        rubric={"a.t": "alike", "b": "alike"},
    )
    assert shown(found) == [(["a", "b"], [("a.t", None)])]
    assert found.records[0].outcomes == [
        Outcome("a.t", None, "x", "y", comparator="judge", where=("a", "t"), criterion="alike")
    ]


def test_a_rubric_for_the_whole_record() -> None:
    found = compared({"a": 1}, {"a": 2}, rubric={"$": "alike"})
    assert shown(found) == [([], [("$", None)])]


ATOMS: list[tuple[str, Any, Any, dict[str, Any], list[Any]]] = [
    ("equal", 1, 1.0, {}, [(["$"], [])]),
    ("unequal", "a", None, {}, [([], [("$", 0)])]),
    ("granted", 100, 101, {"comparator": {"$": number(absolute=1)}}, [([], [("$", 1)])]),
    ("graded", 100, 101, {"comparator": {"$": HALF}}, [([], [("$", 0.5)])]),
    ("judged", "a", "b", {"rubric": {"$": "alike"}}, [([], [("$", None)])]),
    ("text against an object", "a", {"a": 1}, {}, [([], [("$", 0)])]),
]


@pytest.mark.parametrize(
    ("expected", "actual", "options", "records"), [pytest.param(*row[1:], id=row[0]) for row in ATOMS]
)
def test_any_other_value_is_the_field_of_the_root(
    expected: Any, actual: Any, options: Any, records: Any
) -> None:
    assert shown(compared(expected, actual, **options)) == records


A, B, C = {"k": 1, "v": 1}, {"k": 2, "v": 2}, {"k": 3, "v": 3}
LISTS: list[tuple[str, Any, Any, Any, list[Any]]] = [
    ("same elements", [A, B], [B, A], "same_elements", [(["k", "k", "v", "v"], [])]),
    ("one field wrong", [A, B], [{"k": 2, "v": 9}, A], "same_elements",
     [(["k", "v"], []), (["k"], [("v", 0)])]),
    ("ordered", [A, B], [B, A], "ordered", [([], [("k", 0), ("v", 0)])] * 2),
    ("missing record", [A, B], [A], "same_elements", [(["k", "v"], []), ([], [("k", 0), ("v", 0)])]),
    ("extra record", [A], [A, B], "same_elements", [(["k", "v"], []), ([], [("k", 0), ("v", 0)])]),
    ("subset", [A, B], [A], "subset", [(["k", "v"], [])]),
    ("superset", [A], [A, B], "superset", [(["k", "v"], [])]),
    ("by key", [A, B], [{"k": 2, "v": 9}, C], by_key("k"),
     [(["k"], [("v", 0)]), ([], [("k", 0), ("v", 0)]), ([], [("k", 0), ("v", 0)])]),
    ("both empty", [], [], "same_elements", []),
    ("atoms", [1, 2], [2, 3], "same_elements", [(["$"], []), ([], [("$", 0)])]),
    ("atom against record", [A], [5], "same_elements", [([], [("k", 0), ("v", 0)])]),
    ("record against atom", [5], [A], "same_elements", [([], [("$", 0)])]),
    ("empty record", [{}], [{}], "same_elements", [([], [])]),
    ("empty record missing", [{}], [], "same_elements", [([], [("$", 0)])]),
    ("empty record extra", [], [{}], "same_elements", [([], [("$", 0)])]),
    ("lists", [[1], [2]], [[2], [1]], "same_elements", [(["$"], []), (["$"], [])]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "actual", "mode", "records"), [pytest.param(*row[1:], id=row[0]) for row in LISTS]
)
def test_lists_of_records(expected: Any, actual: Any, mode: Any, records: Any) -> None:
    found = compared(expected, actual, mode)
    assert shown(found) == records
    assert found.alignment is not None


def test_records_say_where_they_were_expected() -> None:
    found = compared([A, B], [{"k": 2, "v": 9}, A])
    (outcome,) = found.records[1].outcomes
    assert outcome.where == (1, "v")
    extra = compared([A], [A, B], deep=True).records[1].outcomes
    assert [(one.where, one.expected) for one in extra] == [((1, "k"), MISSING), ((1, "v"), MISSING)]


def test_options_look_into_records_of_a_list() -> None:
    found = compared(
        [{"k": 1, "t": "x", "s": 1}],
        [{"k": 1, "t": "y", "s": 2}],
        exclude={"s": True},
        comparator={"t": HALF},
    )
    assert shown(found) == [(["k"], [("t", 0.5)])]


def test_comparators_help_to_pair() -> None:
    near = number(absolute=0.1)
    found = compared(
        [{"p": 1.0, "n": "a"}, {"p": 2.0, "n": "b"}],
        [{"p": 2.01, "n": "x"}, {"p": 1.01, "n": "y"}],
        comparator={"p": near},
    )
    assert shown(found) == [([], [("p", 1), ("n", 0)])] * 2


def test_what_a_comparator_grants_is_right_under_its_name() -> None:
    within = {"comparator": {"p": number(absolute=1)}}
    (record,) = compared({"p": 1, "q": 2, "n": 3}, {"p": 2, "q": 2, "n": 3}, **within).records
    assert (sorted(record.equal), [(one.name, one.comparator) for one in record.outcomes]) == (
        ["n", "q"],
        [("p", "number")],
    )
    for how in ("average", "all"):
        assert score_record(record, how, None, None) == Score(1.0, 3)


@pytest.mark.parametrize("leaves", [{"a": 1, "b": 1}, {"b": 1, "a": 1}], ids=str)
def test_a_member_with_a_granted_leaf_has_its_comparators_name(leaves: Any) -> None:
    (record,) = compared(
        {"m": leaves}, {"m": {**leaves, "a": 2}}, comparator={"m": number(absolute=1)}
    ).records
    assert record.equal == []
    assert [(one.name, one.score, one.comparator) for one in record.outcomes] == [("m", 1.0, "number")]


def test_a_bound_on_grades_shows_in_the_alignment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.core.walk.MAX_GRADES", 3)
    found = compared([{"p": 1}, {"p": 2}], [{"p": 3}, {"p": 4}], comparator={"p": HALF})
    assert found.alignment is not None
    assert found.alignment.note == "p: paired by equality, too many values to compare each with each"


@given(VALUES, st.booleans())
def test_a_document_is_all_right_against_itself(document: Any, deep: bool) -> None:
    for options in ({}, {"comparator": {"$": HALF}}, {"weight": {"a": 0.0}}):
        found = compared(document, document, deep=deep, **options)
        assert all(not record.outcomes for record in found.records)


@given(st.dictionaries(NAMES, VALUES, max_size=4), st.dictionaries(NAMES, VALUES, max_size=4))
def test_every_member_is_one_field(expected: Any, actual: Any) -> None:
    plain = compared(expected, actual).records[0]
    assert sorted([*plain.equal, *(one.name for one in plain.outcomes)]) == sorted({*expected, *actual})
    # An option that concerns nothing changes nothing, though another way is gone.
    other = compared(expected, actual, weight={"no such name": 1.0}).records[0]
    assert sorted(plain.equal) == sorted(other.equal)
    assert [(one.name, one.score) for one in plain.outcomes] == [
        (one.name, one.score) for one in other.outcomes
    ]


def test_comparisons_start_empty() -> None:
    assert Comparison() == Comparison([], [], 1)
