"""What people reported of field-by-field evaluators, each with its right value."""

from __future__ import annotations

from typing import Any, Final

import pytest

import fieldwise
from fieldwise import Field
from fieldwise.comparators import number
from tests.scorers.field_forms import evaluate, scores, summary


def alike(outputs: Any, reference: Any, fields: list[Any], **options: Any) -> set[Any]:
    return set(scores(outputs, reference, fields, **options).values())


def test_d01_a_slash_in_a_key() -> None:
    document = {"@acme/kind": "A"}
    assert alike(document, document, ["$['@acme/kind']", "/@acme~1kind"]) == {1.0}
    assert alike({"@acme/kind": "B"}, document, ["$['@acme/kind']", "/@acme~1kind"]) == {0.0}
    with pytest.raises(fieldwise.PathError) as caught:
        fieldwise.create_multi_field_evaluator(fields=["$.@acme/kind"])
    assert caught.value.position == 2
    assert caught.value.hint == "$['@acme/kind']"


@pytest.mark.parametrize("path", ["$['o.next']", "o.next"])
def test_d02_a_dot_in_a_key(path: str) -> None:
    assert alike({"o.next": "p2", "o": {"next": "WRONG"}}, {"o.next": "p2"}, [path]) == {1.0}


def test_d03_unusual_keys() -> None:
    document = {
        "m": {"41": {"u": "x"}, "sp ace": {"u": "y"}, "it's": {"u": "z"}, "é": {"u": "w"}, "": {"u": "v"}}
    }
    fields = ["$.m['41'].u", "$.m['sp ace'].u", "$.m['it\\'s'].u", "$.m['é'].u", "$.m[''].u"]
    assert alike(document, document, fields) == {1.0}
    assert alike({"m": {name: {"u": "!"} for name in document["m"]}}, document, fields) == {0.0}


def test_d05_a_negative_index_out_of_range() -> None:
    (found, _) = evaluate({"r": ["only"]}, {"r": ["only", "two"]}, ["$.r[-2]"])
    assert (found["score"], found["comment"]) == (0.0, 'r[0]: expected "only", missing')


def test_d06_pointer_escapes() -> None:
    document = {"a/b": {"c~d": 1, "~1": 2}}
    assert alike(document, document, ["/a~1b/c~0d", "/a~1b/~01"]) == {1.0}
    assert alike({"a/b": {"c~d": 9, "~1": 9}}, document, ["/a~1b/c~0d", "/a~1b/~01"]) == {0.0}


def test_d07_a_path_that_leads_nowhere_asks_no_judge() -> None:
    def judge(request: Any) -> Any:
        raise AssertionError(request)

    document = {"content": {"summary": "S"}}
    field = Field("$.content.sumary", rubric="a good summary")
    (found, _) = evaluate(document, document, [field], judge=judge)
    assert (found["score"], found["extra"]["status"]) == (None, "path_not_found")
    assert found["comment"] == "$.content.sumary: on neither side; did you mean 'content.summary'?"


def test_d09_a_score_for_each_of_many_fields() -> None:
    outputs, reference = (
        {"name": "Ada", "mail": "a@x.test", "tel": "1"},
        {"name": "Ada", "mail": "a@x.test", "tel": "2"},
    )
    found = scores(outputs, reference, ["name", "mail", "tel"])
    assert found == {"name": 1.0, "mail": 1.0, "tel": 0.0, "aggregate_score": 2 / 3}


def test_l11_l13_l19_lists_by_field() -> None:
    outputs, reference = [{"k": 1, "v": "A"}, {"k": 2, "v": "B"}], [{"k": 2, "v": "b"}, {"k": 1, "v": "a"}]
    (k, v, _) = evaluate(outputs, reference, ["[*].k", "[*].v"], lists={"$": "same_elements"})
    assert (k["score"], v["score"]) == (1.0, 0.0)
    assert k["extra"]["pairing"]["$"]["elements"] == [["matched", 1, 0], ["matched", 0, 1]]
    cal = [{"cal": [{"d": [{"id": "p", "at": at}]}]} for at in (111, 222)]
    assert (
        scores(cal[0], cal[1], ["cal[*].d[*].id"], lists={"cal": "same_elements"})["aggregate_score"] == 1.0
    )
    rows = [{"items": [{"d": "A", "r": 1.0}, {"d": "B", "r": last}]} for last in (2.5, 2.0)]
    assert scores(rows[0], rows[1], ["items[*].d", "items[*].r"]) == {
        "items[*].d": 1.0,
        "items[*].r": 0.5,
        "aggregate_score": 0.75,
    }


def test_l16_a_pair_with_nothing_alike_is_never_a_match() -> None:
    field = Field("tags", "exact", list_match_mode="same_elements")
    assert scores({"tags": ["X"]}, {"tags": ["A"]}, [field])["tags"] == 0.0
    with pytest.raises(fieldwise.ConfigError, match=r"must be a number above 0 and at most 1"):
        fieldwise.create_multi_field_evaluator(fields=[Field("tags", threshold=0.0)])


def test_l22_the_threshold_is_shown() -> None:
    (found, _) = evaluate(
        {"a": "Kivi Oy"}, {"a": "Kivi Oyj"}, [Field("a", "string_similarity", threshold=0.8)]
    )
    shown = {name: found["extra"][name] for name in ("path", "comparator", "threshold", "passed")}
    assert shown == {"path": "a", "comparator": "string_similarity", "threshold": 0.8, "passed": True}
    assert found["score"] == 0.875


SPARSE: Final = list("abcdefghij")


def test_s02_equal_nulls_are_right_but_nothing_was_extracted() -> None:
    """By the laws null is a value, and equal; the rates tell that nothing was found."""
    outputs = {"a": "Blue Pine Ltd", **dict.fromkeys("bcde")}
    reference = {"a": "Red Oak Inc", **dict.fromkeys("bcde")}
    found = evaluate(outputs, reference, list("abcde"))
    assert found[0]["score"] == 0.0
    assert found[-1]["extra"]["outcomes"] == {"false_discovery": 1, "true_negative": 4}
    rates = summary([outputs], [reference], list("abcde"))
    assert (rates["micro:precision"], rates["micro:recall"], rates["micro:f1"]) == (0.0, 0.0, 0.0)
    assert rates["micro:invention_rate"] == 0.0


def test_s02_absent_on_both_sides_is_neutral() -> None:
    found = evaluate({"a": "Blue Pine Ltd"}, {"a": "Red Oak Inc"}, list("abcde"))
    assert (found[-1]["score"], found[-1]["extra"]["support"]) == (0.0, 1)
    assert found[-1]["extra"]["outcomes"] == {"false_discovery": 1, "true_negative": 4}
    (*_, nothing) = evaluate({"x": 1}, {"x": 1}, list("abcde"))
    assert (nothing["score"], nothing["extra"]["support"]) == (1.0, 0)


def test_s03_nothing_extracted_is_no_success() -> None:
    reference = {"a": "Oslo", "b": "Bergen"}
    found = evaluate({}, reference, SPARSE)
    assert (found[-1]["score"], found[-1]["extra"]["passed"]) == (0.0, False)
    assert found[-1]["extra"]["outcomes"] == {"false_negative": 2, "true_negative": 8}
    rates = summary([{}], [reference], SPARSE)
    assert (rates["micro:recall"], rates["micro:omission_rate"], rates["micro:precision"]) == (0.0, 1.0, None)


def test_m04_several_rates_from_one_summary() -> None:
    rates = summary([{"a": "y"}, {"a": "n"}], [{"a": "y"}, {"a": "y"}], ["a"])
    assert {name: rates[f"a:{name}"] for name in ("precision", "recall", "f1")} == dict.fromkeys(
        ("precision", "recall", "f1"), 0.5
    )


@pytest.mark.parametrize(("field", "score"), [("f", 0.0), (Field("f", number(relative=0.001)), 1.0)])
def test_s07_s27_tolerance_is_by_field_and_said(field: Any, score: float) -> None:
    assert scores({"f": 100.05}, {"f": 100.0}, [field])["f"] == score


def test_s28_an_id_earns_no_credit_for_likeness() -> None:
    outputs, reference = {"ref": "DOC-50018"}, {"ref": "DOC-50019"}
    assert scores(outputs, reference, ["ref"])["ref"] == 0.0
    assert scores(outputs, reference, [Field("ref", "id")])["ref"] == 0.0
    assert scores(outputs, reference, [Field("ref", "string_similarity")])["ref"] == pytest.approx(8 / 9)
