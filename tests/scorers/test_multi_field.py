"""multi_field: scores, statuses, outcomes, options, explanations; and its laws as properties."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fieldwise
from fieldwise import Field, by_key
from fieldwise.comparators import number
from fieldwise.core.conversion import to_json
from fieldwise.core.flow import JudgeRequest
from tests.laws import strategies as some
from tests.scorers.field_forms import evaluate, named, scores

ITEMS: Final = {"items": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}, {"sku": "c", "n": 3}]}


def one(outputs: Any, reference: Any, field: Any, **options: Any) -> Any:
    """The result of a single field."""
    return evaluate(outputs, reference, [field], **options)[0]


# ------------------------------------------------------------------------------------------ outcomes


@pytest.mark.parametrize(
    ("outputs", "reference", "score", "outcome", "comment"),
    [
        ({"a": 1}, {"a": 1.0}, 1.0, "true_positive", None),
        ({"a": 1}, {"a": 2}, 0.0, "false_discovery", "a: expected 2, got 1"),
        ({}, {"a": 2}, 0.0, "false_negative", "a: expected 2, missing"),
        ({"a": None}, {"a": 2}, 0.0, "false_negative", "a: expected 2, got null"),
        ({"a": 1}, {}, 0.0, "false_alarm", "a: got 1, not expected"),
        ({"a": 1}, {"a": None}, 0.0, "false_alarm", "a: expected null, got 1"),
        ({"a": None}, {"a": None}, 1.0, "true_negative", None),
        ({"a": None}, {}, 0.0, "true_negative", "a: got null, not expected"),
        ({"a": ""}, {"a": ""}, 1.0, "true_positive", None),
        ({"b": 1}, {"b": 1}, None, "true_negative", "a: on neither side"),
    ],
)
def test_score_and_outcome(outputs: Any, reference: Any, score: Any, outcome: str, comment: Any) -> None:
    found = one(outputs, reference, "a")
    assert (found["score"], found["comment"]) == (score, comment)
    extra = found["extra"]
    assert (extra["outcome"], extra["outcomes"]) == (outcome, {outcome: 1})
    assert extra["status"] == ("path_not_found" if score is None else "graded")
    assert extra["passed"] is (score == 1.0)


def test_what_a_field_result_holds() -> None:
    (found, total) = evaluate(
        {"a": 1.05}, {"a": 1}, [Field("a", number(relative=0.1), weight=2, threshold=0.5)]
    )
    assert found["extra"] == {
        "status": "graded",
        "path": "a",
        "comparator": "number",
        "passed": True,
        "support": 1,
        "threshold": 0.5,
        "weight": 2.0,
        "outcome": "true_positive",
        "outcomes": {"true_positive": 1},
    }
    assert total["extra"] == {
        "status": "graded",
        "path": "$",
        "passed": True,
        "support": 1,
        "coverage": 1.0,
        "threshold": 1.0,
        "outcomes": {"true_positive": 1},
    }


def test_null_policies() -> None:
    assert one({"a": None}, {}, "a", null_policy="null_equals_missing")["score"] == 1.0
    assert one({"a": {"b": None}}, {"a": {}}, "a.b", null_policy="null_equals_missing")["score"] == 1.0
    assert one({"a": {}}, {"a": {}}, "a.b", null_policy="null_equals_missing")["score"] is None
    assert one({"a": ""}, {"a": None}, "a", null_policy="empty_equals_null")["score"] == 1.0
    assert one({"a": ""}, {"a": None}, "a")["score"] == 0.0


def test_coerce() -> None:
    assert one({"a": "1"}, {"a": 1}, "a")["score"] == 0.0
    assert one({"a": "1"}, {"a": 1}, "a", coerce=True)["score"] == 1.0


# ------------------------------------------------------------------------------------- the aggregate


def test_the_aggregate_is_the_weighted_mean_over_graded() -> None:
    fields = [Field("a", weight=3), "b", Field("c", weight=0), "typo"]
    found = evaluate({"a": 1, "b": 2, "c": 9}, {"a": 1, "b": 3, "c": 8}, fields)
    assert named(found) == {"a": 1.0, "b": 0.0, "c": 0.0, "typo": None, "aggregate_score": 0.75}
    assert found[-1]["comment"] == "2 of 3 fields not right: b: expected 3, got 2; c: expected 8, got 9"
    assert found[-1]["extra"]["support"] == 2


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1.0, 1.7e308])
def test_weights_of_any_size(weight: float) -> None:
    fields = [Field("a", weight=weight), Field("b", weight=weight), Field("c", weight=weight)]
    assert scores({"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 1, "c": 2}, fields)[
        "aggregate_score"
    ] == pytest.approx(2 / 3)


def test_thresholds_set_passed_and_never_the_score() -> None:
    fields = [Field("a", "string_similarity", threshold=0.8)]
    found = evaluate({"a": "Kivi Oy"}, {"a": "Kivi Oyj"}, fields, threshold=0.9)
    assert [each["score"] for each in found] == [0.875, 0.875]
    assert [each["extra"]["passed"] for each in found] == [True, False]
    assert [each["extra"]["outcomes"] for each in found] == [{"true_positive": 1}] * 2
    assert found[0]["comment"] == 'a: expected "Kivi Oyj", got "Kivi Oy" [string_similarity 0.875]'


@pytest.mark.parametrize(
    ("outputs", "passed"), [({"a": 1, "b": 2}, True), ({"a": 2, "b": 2}, False), ({"b": 2}, False)]
)
def test_a_record_passes_only_if_its_required_fields_do(outputs: Any, passed: bool) -> None:
    found = evaluate(outputs, {"a": 1, "b": 2}, [Field("a", required=True), "b"], threshold=0.5)
    assert found[-1]["extra"]["passed"] is passed
    assert found[0]["extra"]["required"] is True
    assert evaluate(outputs, {"a": 1, "b": 2}, ["a", "b"], threshold=0.5)[-1]["extra"]["passed"] is True


def test_a_required_field_that_is_nowhere_has_not_passed() -> None:
    assert evaluate({"b": 2}, {"b": 2}, [Field("a", required=True), "b"])[-1]["extra"]["passed"] is False


@pytest.mark.parametrize(
    ("outputs", "reference", "score", "status"),
    [
        ({}, {}, 1.0, "graded"),
        ([], [], 1.0, "graded"),
        ({"b": 1}, {"b": 1}, 1.0, "graded"),
        ([{}], [{}], 1.0, "graded"),
        ({"b": 1}, {"b": 2}, None, "path_not_found"),
        ({}, {"b": 2}, None, "path_not_found"),
        ([{"b": 1}], [{}], None, "path_not_found"),
    ],
)
def test_every_field_on_neither_side(outputs: Any, reference: Any, score: Any, status: str) -> None:
    (field, total) = evaluate(outputs, reference, ["a"])
    assert (field["score"], field["extra"]["status"]) == (None, "path_not_found")
    assert (total["score"], total["extra"]["status"]) == (score, status)
    assert (total["extra"]["support"], total["extra"]["coverage"]) == (0, 1.0)
    assert total["comment"] == "nothing to compare: every field is on neither side"


@pytest.mark.parametrize(
    ("outputs", "reference", "score", "status"),
    [
        ({"id": 1}, {"id": 1}, 1.0, "graded"),
        ({"id": 1}, {"id": 2}, None, "not_applicable"),
        ({"id": 1, "note": "a"}, {"id": 1, "note": "b"}, None, "not_applicable"),
        ({"id": 1, "total": 1}, {"id": 2, "total": 1}, 1.0, "graded"),
    ],
)
def test_fields_that_weigh_nothing_say_nothing_of_the_record(
    outputs: Any, reference: Any, score: Any, status: str
) -> None:
    """Else right records would count and wrong ones would not, and the mean of all be too high."""
    total = evaluate(outputs, reference, [Field("id", weight=0), "total"])[-1]
    assert (total["score"], total["extra"]["status"]) == (score, status)


@pytest.mark.parametrize(
    ("path", "comment"),
    [
        ("nmae", "nmae: on neither side; did you mean 'name'?"),
        ("/nmae", "/nmae: on neither side; did you mean 'name'?"),
        ("$.user.emial", "$.user.emial: on neither side; did you mean 'user.email'?"),
        ("items[*].skuu", "items[*].skuu: on neither side; did you mean 'items[*].sku'?"),
        ("zzz", "zzz: on neither side"),
    ],
)
def test_a_path_on_neither_side_names_the_nearest(path: str, comment: str) -> None:
    document = {"name": 1, "user": {"email": 2}, **ITEMS}
    assert one(document, document, path)["comment"] == comment


# -------------------------------------------------------------------------------------- bad documents


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        ('{"a": 1', "outputs: "),
        ([], "expected an object, got an array"),
        ("no JSON here", "expected an object, got text"),
        (None, "expected an object, got null"),
        (5, "expected an object, got a number"),
        (fieldwise.MISSING, "no outputs were given"),
        ({"a": object()}, "outputs: "),
    ],
)
def test_an_output_that_cannot_be_read(outputs: Any, reason: str) -> None:
    found = evaluate(outputs, {"a": 1, "n": None}, ["a", "n", "typo"])
    assert named(found) == {"a": 0.0, "n": 0.0, "typo": 0.0, "aggregate_score": 0.0}
    for each in found:
        assert each["extra"]["status"] == "invalid_output"
        assert each["extra"]["reason"].startswith(reason)
        assert each["extra"]["passed"] is False
    assert [each["extra"]["outcomes"] for each in found] == [
        {"false_negative": 1},
        {"true_negative": 1},
        {"true_negative": 1},
        {"false_negative": 1, "true_negative": 2},
    ]


def test_an_unread_output_omits_every_place() -> None:
    fields = ["items[*].sku", Field("$", rubric="means the same")]
    found = evaluate("[", ITEMS, fields, judge=lambda _: {})
    assert [each["extra"]["outcomes"] for each in found[:2]] == [{"false_negative": 3}, {"false_negative": 1}]


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        (fieldwise.MISSING, "no reference_outputs were given"),
        (None, "reference_outputs: null is no object or array, so it has no fields"),
        (5, "reference_outputs: 5 is no object or array, so it has no fields"),
        ("N/A", 'reference_outputs: "N/A" is no object or array, so it has no fields'),
    ],
)
def test_a_reference_without_fields(reference: Any, reason: str) -> None:
    found = evaluate({"a": 1}, reference, ["a"])
    assert named(found) == {"a": None, "aggregate_score": None}
    for each in found:
        assert (each["extra"]["status"], each["extra"]["reason"]) == ("invalid_reference", reason)
        assert "outcomes" not in each["extra"]


def test_a_reference_that_cannot_be_read() -> None:
    (found, _) = evaluate({"a": 1}, '{"a": ', ["a"])
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")


@pytest.mark.parametrize("document", [5, None, "text", True, [1], {"a": 1}])
def test_the_whole_document_may_be_a_field(document: Any) -> None:
    assert scores(document, document, ["$"]) == {"$": 1.0, "aggregate_score": 1.0}
    assert scores("other", document, ["$"])["$"] == 0.0


def test_text_says_what_reading_it_took() -> None:
    (found, _) = evaluate('Here: ```json\n{"a": 1,}\n```', {"a": 1}, ["a"])
    assert found["score"] == 1.0
    assert found["extra"]["parse"] == {"outputs": ["fenced", "prose", "trailing_comma"]}
    strict = evaluate('{"a": 1,}', {"a": 1}, ["a"], parse="strict")
    assert named(strict) == {"a": 0.0, "aggregate_score": 0.0}


# ------------------------------------------------------------------------------------------- lists


def test_a_wildcard_is_one_field_over_many_places() -> None:
    outputs = {"items": [{"sku": "c", "n": 3}, {"sku": "a", "n": 9}, {"sku": "zz"}, {"sku": "y"}]}
    found = evaluate(outputs, ITEMS, ["items[*].sku", "$.items[*].n"], lists={"items": by_key("sku")})
    assert named(found) == {
        "items[*].sku": 2 / 5,
        "$.items[*].n": 1 / 3,
        "aggregate_score": pytest.approx(11 / 30),
    }
    extra = found[0]["extra"]
    assert extra["outcomes"] == {"false_alarm": 2, "false_negative": 1, "true_positive": 2}
    assert extra["outcome"] == "false_alarm"
    assert extra["pairing"] == {
        "items": {
            "mode": "by_key('sku')",
            "matched": 2,
            "missing": 1,
            "invented": 2,
            "elements": [
                ["matched", 1, 0],
                ["missing", None, 1],
                ["matched", 0, 2],
                ["invented", 2, None],
                ["invented", 3, None],
            ],
        }
    }
    assert found[1]["extra"]["pairing"] == extra["pairing"]
    assert found[0]["comment"] == (
        '3 of 5 places not right: items[1].sku: expected "b", missing; '
        'items[2].sku: got "zz", not expected; items[3].sku: got "y", not expected'
    )


def test_a_pair_with_nothing_right_is_no_match() -> None:
    extra = one({"l": [{"x": 1}]}, {"l": [{"x": 2}]}, "l[*].x", lists={"l": "same_elements"})["extra"]
    assert extra["pairing"]["l"]["elements"] == [["missing", None, 0], ["invented", 0, None]]
    assert extra["pairing"]["l"]["matched"] == 0


def test_keys_and_pairings_are_bounded() -> None:
    long = {"l": [{"x": at, "in": [{"y": at}]} for at in range(300)]}
    found = evaluate(long, long, ["l[*].x", "l[*].in[*].y"])
    assert named(found) == {"l[*].x": 1.0, "l[*].in[*].y": 1.0, "aggregate_score": 1.0}
    assert len(found[0]["extra"]["pairing"]["l"]["elements"]) == 100
    assert found[0]["extra"]["pairing"]["l"]["matched"] == 300
    assert len(found[1]["extra"]["pairing"]) == 10


def test_a_bounded_pairing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.core.walk.MAX_GRADES", 1)
    reference, outputs = (
        {"l": [{"t": first}, {"t": other}]} for first, other in (("ab", "cd"), ("ax", "cy"))
    )
    field = Field("l[*].t", "string_similarity")
    found = one(outputs, reference, field, lists={"l": "same_elements"})
    note = "t: paired by equality, too many values to compare each with each"
    assert found["extra"]["pairing"]["l"]["note"] == note
    assert note in found["comment"]


def test_a_field_that_is_a_list() -> None:
    outputs, reference = {"tags": ["y", "x"]}, {"tags": ["x", "y"]}
    assert scores(outputs, reference, ["tags"])["tags"] == 0.0
    assert scores(outputs, reference, [Field("tags", list_match_mode="same_elements")])["tags"] == 1.0
    assert scores(outputs, reference, ["tags"], lists={"/tags": "same_elements"})["tags"] == 1.0
    graded = Field("tags", "exact", list_match_mode="same_elements")
    assert scores({"tags": ["z", "x"]}, reference, [graded])["tags"] == 0.5
    assert (
        one({"tags": ["z", "x"]}, reference, graded)["comment"] == 'tags[1]: expected "y", got "z" [mean 0.5]'
    )


# ------------------------------------------------------------------------------------------ judging


def replies(**answers: Any) -> Any:
    def judge(request: JudgeRequest) -> dict[str, Any]:
        judge.asked.append(request)  # type: ignore[attr-defined]
        return {each.id: answers[each.id] for each in request.questions if each.id in answers}

    judge.asked = []  # type: ignore[attr-defined]
    return judge


def judged(outputs: Any, reference: Any, judge: Any, *fields: Any) -> Any:
    evaluator: Any = fieldwise.create_multi_field_evaluator(fields=list(fields), judge=judge)
    return evaluator(outputs=outputs, reference_outputs=reference)


def test_rubrics_are_asked_once_for_a_record_and_equal_values_never() -> None:
    judge = replies(d=True, e=False)
    fields = [Field(name, rubric="same meaning") for name in "cde"]
    outputs, reference = {"c": "same", "d": "x", "e": "u"}, {"c": "same", "d": "y", "e": "v"}
    found = judged(outputs, reference, judge, *fields)
    assert named(found) == {"c": 1.0, "d": 1.0, "e": 0.0, "aggregate_score": 2 / 3}
    assert [[each.id for each in request.questions] for request in judge.asked] == [["d", "e"]]
    assert found[0]["extra"]["usage"] == {"judge_calls": 1}
    awaited: Any = fieldwise.create_async_multi_field_evaluator(fields=fields, judge=judge)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == found


def test_a_field_the_judge_leaves_out_withholds_the_aggregate() -> None:
    judge = replies()
    found = judged({"a": 1, "d": "x"}, {"a": 1, "d": "y"}, judge, "a", Field("d", rubric="same"))
    assert named(found) == {"a": 1.0, "d": None, "aggregate_score": None}
    assert [each["extra"]["status"] for each in found] == ["graded", "judge_error", "judge_error"]
    assert found[-1]["extra"]["coverage"] == 0.5
    assert found[-1]["extra"]["reason"] == "not answered"
    assert found[1]["extra"]["outcomes"] == {}
    assert found[1]["extra"]["outcome"] is None


def test_a_judged_field_without_weight_withholds_nothing() -> None:
    judge = replies()
    found = judged({"a": 1, "d": "x"}, {"a": 1, "d": "y"}, judge, "a", Field("d", rubric="same", weight=0))
    assert found[-1]["score"] == 1.0


def test_places_of_a_judged_wildcard_are_asked_one_by_one() -> None:
    judge = replies(**{"l[*].t": True, "l[*].t#2": False})
    field = Field("l[*].t", rubric="same meaning")
    found = judged({"l": [{"t": "a"}, {"t": "b"}]}, {"l": [{"t": "x"}, {"t": "y"}]}, judge, field)
    assert found[0]["score"] == 0.5
    assert found[0]["extra"]["outcomes"] == {"false_discovery": 1, "true_positive": 1}
    assert found[0]["extra"]["pairing"]["l"]["matched"] == 1


# ------------------------------------------------------------------------------------------ options


WRONG_FIELDS: Final[list[tuple[Any, str]]] = [
    ("a", "fields='a': must be a list of paths or Fields, ['name', 'a.b']"),
    (None, "fields=None: must be a list of paths or Fields, ['name', 'a.b']"),
    ({"a": 1}, "fields={'a': 1}: must be a list of paths or Fields, ['name', 'a.b']"),
    ([], "fields=[]: name at least one field"),
    (["a", 1], "fields[1]=1: must be a path or a Field"),
    (["a", Field("a")], "fields[1]='a': is named twice; name each field once"),
    (
        ["aggregate_score"],
        "fields: 'aggregate_score' is the key of the aggregate; write it as '/aggregate_score'",
    ),
    (["$schema"], "path '$schema': expected '.' or '[' at position 1; did you mean '/$schema'?"),
    (["a..b"], "path 'a..b': a name is missing at position 2; did you mean 'a.b'?"),
    (
        [Field("/~a")],
        "path '/~a': '~' must be followed by 0 or 1 at position 1; did you mean '/~0a'?",
    ),
    (
        [Field("a", "numbre")],
        "Field('a').comparator='numbre': there is no such comparator; did you mean 'number'?",
    ),
    ([Field("a", weight=-1)], "Field('a').weight=-1: must be a finite number of at least 0"),
    ([Field("a", threshold=0)], "Field('a').threshold=0: must be a number above 0 and at most 1"),
    ([Field("a", required=1)], "Field('a').required=1: must be True or False"),  # type: ignore[arg-type]
    (
        [Field("a", list_match_mode="any")],  # type: ignore[arg-type]
        "Field('a').list_match_mode='any': must be one of 'ordered', 'same_elements', 'subset', 'superset'",
    ),
    ([Field("a", rubric=" ")], "Field('a').rubric=' ': must be text saying what makes it right"),
    (
        [Field("a", "exact", rubric="same")],
        "Field('a'): comparator and rubric are both given: pass one of them",
    ),
]
WRONG: Final[list[tuple[dict[str, Any], str]]] = [
    (
        {"fields": [Field("a", rubric="same")], "judge": None},
        "Field(rubric=…) is given without a judge: pass judge= (a callable) or model= as well",
    ),
    (
        {"judge": print},
        "judge is given without a rubric: say what it judges, fields=[Field('path', rubric='…')]",
    ),
    (
        {"lists": {"a..b": "ordered"}},
        "lists['a..b']: path 'a..b': a name is missing at position 2; did you mean 'a.b'?",
    ),
    (
        {"lists": {"a": "any"}},
        "lists['a']='any': must be one of 'ordered', 'same_elements', 'subset', 'superset'",
    ),
    ({"threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
    ({"feedback_key": ""}, "feedback_key='': must be text, and not empty"),
    ({"use_reasoning": 1}, "use_reasoning=1: must be True or False"),
    (
        {"null_policy": "nul"},
        "null_policy='nul': must be one of 'distinct', 'null_equals_missing', 'empty_equals_null'",
    ),
    *[
        ({"fields": fields, "judge": print if "rubric" in message else None}, message)
        for fields, message in WRONG_FIELDS
    ],
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    for create in (
        fieldwise.create_multi_field_evaluator,
        fieldwise.create_async_multi_field_evaluator,
        fieldwise.create_multi_field_string_evaluator,
        fieldwise.create_multi_field_summary_evaluator,
    ):
        with pytest.raises(fieldwise.ConfigError) as caught:
            create(**{"fields": ["a"], **options})
        assert str(caught.value) == message


def test_a_path_error_tells_position_and_hint() -> None:
    with pytest.raises(fieldwise.PathError) as caught:
        fieldwise.create_multi_field_evaluator(fields=["name", "$schema"])
    assert (caught.value.text, caught.value.position, caught.value.hint) == ("$schema", 1, "/$schema")


def test_options_are_copied() -> None:
    fields, lists = ["a"], {"a": "same_elements"}
    evaluator: Any = fieldwise.create_multi_field_evaluator(fields=fields, lists=lists)  # type: ignore[arg-type]
    fields.append("b")
    lists["a"] = "ordered"
    found = evaluator(outputs={"a": [1, 2], "b": 1}, reference_outputs={"a": [2, 1], "b": 2})
    assert named(found) == {"a": 1.0, "aggregate_score": 1.0}


def test_feedback_key_and_any_keyword() -> None:
    evaluator: Any = fieldwise.create_multi_field_evaluator(fields=iter(["a"]), feedback_key="fields")  # type: ignore[arg-type]
    found = evaluator(inputs={"q": 1}, outputs={"a": 1}, reference_outputs={"a": 1}, run_name="r", scorer=7)
    assert [each["key"] for each in found] == ["fields:a", "fields:aggregate_score"]
    assert evaluator.__name__ == "multi_field"


@pytest.mark.parametrize(
    "name",
    [
        "create_multi_field_evaluator",
        "create_async_multi_field_evaluator",
        "create_multi_field_string_evaluator",
        "create_multi_field_summary_evaluator",
    ],
)
def test_factories_keep_the_signature_and_say_what_they_do(name: str) -> None:
    factory = getattr(fieldwise, name)
    parameters = inspect.signature(factory).parameters
    assert list(parameters)[:2] == ["fields", "lists"]
    assert {one.kind for one in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert factory.__name__ == name
    assert "Raises:" in (factory.__doc__ or "")


def test_paths_that_match_no_record_are_in_the_report_of_a_run() -> None:
    evaluator = fieldwise.create_multi_field_evaluator(fields=["name", "nmae"], lists={"itmes": "ordered"})
    record = {"outputs": {"name": 1, "items": []}, "reference_outputs": {"name": 1, "items": []}}
    report = fieldwise.evaluate_records([record], evaluator)
    assert [(row["option"], row["path"], row["nearest"]) for row in report.paths.unmatched()] == [
        ("fields", "nmae", "name"),
        ("lists", "itmes", "items"),
    ]


# ------------------------------------------------------------------------------------------- laws

PATHS: Final = ["a", "b", "a.b", "$.a", "/a/0", "[*].a", "a[*]", "a[*].b", "$..b", "$.*", "$", "a[-1]"]
field_lists = st.lists(st.sampled_from(PATHS), min_size=1, max_size=4, unique=True)
modes = st.sampled_from(["ordered", "same_elements", "subset", "superset"])
said: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{}, {"comparator": "string_similarity"}, {"comparator": some.half, "threshold": 0.5}, {"weight": 0}]
)


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    fields = [
        Field(path, **draw(said), list_match_mode=draw(st.sampled_from([None, "subset"])))
        for path in draw(field_lists)
    ]
    return {
        "fields": fields,
        "lists": draw(st.dictionaries(st.sampled_from(["a", "$", "a[*].b"]), modes, max_size=2)),
        "null_policy": draw(st.sampled_from(["distinct", "null_equals_missing", "empty_equals_null"])),
        "coerce": draw(st.booleans()),
    }


@given(some.anything, some.anything, options())
def test_anything_gives_results(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    """Sync equals async equals string; scores in range, plain JSON, the same keys; nothing raises."""
    found = evaluate(outputs, reference, **options)
    assert [each["extra"]["path"] for each in found[:-1]] == [each.path for each in options["fields"]]
    total = found[-1]["extra"].get("outcomes")
    if total is not None:
        words: dict[str, int] = {}
        for each in found[:-1]:
            for word, count in each["extra"]["outcomes"].items():
                words[word] = words.get(word, 0) + count
        assert words == total


@given(some.documents, options())
def test_a_document_is_right_against_itself(document: Any, options: dict[str, Any]) -> None:
    found = evaluate(document, copy.deepcopy(document), **options)
    assert {each["score"] for each in found[:-1]} <= {1.0, None}
    for each in found[:-1]:
        assert each["extra"]["status"] in {"graded", "path_not_found", "invalid_reference"}
    if found[-1]["extra"]["status"] != "invalid_reference":
        assert found[-1]["score"] == 1.0
    else:
        assert not isinstance(to_json(document), dict | list)


@settings(max_examples=20)  # a query compares what it finds at every depth
@given(some.deep_values(), options())
def test_deep_values(value: Any, options: dict[str, Any]) -> None:
    for document in ({"a": value}, {"a": [value]}, [{"a": value}]):
        assert {each["score"] for each in evaluate(document, document, **options)} <= {1.0, None}


@given(some.small_documents, some.small_documents, options(), st.randoms(use_true_random=False))
def test_the_order_of_members_never_counts(
    outputs: Any, reference: Any, options: dict[str, Any], random: Any
) -> None:
    before = scores(outputs, reference, **options)
    assert scores(_shuffled(outputs, random), _shuffled(reference, random), **options) == before


def _shuffled(value: Any, random: Any) -> Any:
    if isinstance(value, dict):
        names = list(value)
        random.shuffle(names)
        return {name: _shuffled(value[name], random) for name in names}
    return [_shuffled(item, random) for item in value] if isinstance(value, list) else value


flat = st.dictionaries(st.sampled_from("ab"), st.sampled_from([0, 1, True, "x", "xy", None]), max_size=2)


@given(
    st.lists(flat, max_size=5),
    st.lists(flat, max_size=5),
    st.sampled_from(["same_elements", "subset", "superset"]),
    st.randoms(use_true_random=False),
    said,
)
def test_the_order_of_elements_never_counts_where_it_is_not_to(
    outputs: Any, reference: Any, mode: Any, random: Any, say: dict[str, Any]
) -> None:
    fields = [Field("l[*].a", **say), Field("l[*].b"), Field("l", list_match_mode=mode)]
    before = scores({"l": outputs}, {"l": reference}, fields, lists={"l": mode})
    for side in (outputs, reference):
        random.shuffle(side)
    assert scores({"l": outputs}, {"l": reference}, fields, lists={"l": mode}) == before


@given(
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0, 1, "x", None]), min_size=1),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0, 1, "x", None])),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0.5, 1, 7]), min_size=4),
    st.data(),
)
def test_one_more_wrong_field_never_raises_the_aggregate(
    reference: Any, outputs: Any, weights: dict[str, float], data: st.DataObject
) -> None:
    fields = [Field(name, weight=weight) for name, weight in weights.items()]
    before = scores(outputs, reference, fields)["aggregate_score"]
    name = data.draw(st.sampled_from(sorted(reference)))
    wrong = (
        {**outputs, name: "wrong"}
        if data.draw(st.booleans())
        else {k: v for k, v in outputs.items() if k != name}
    )
    assert scores(wrong, reference, fields)["aggregate_score"] <= before + 1e-12


@given(some.small_documents, some.small_documents, options())
def test_json_text_counts_as_what_it_holds(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    assume(isinstance(outputs, dict | list) and isinstance(reference, dict | list))
    texts = json.dumps(outputs), json.dumps(reference)
    assume("NaN" not in texts[0] + texts[1])
    assert scores(*texts, **options) == scores(outputs, reference, **options)


@given(some.small_documents, some.small_documents, st.sampled_from(PATHS))
def test_every_place_comes_out_one_way(outputs: Any, reference: Any, path: str) -> None:
    found = one(outputs, reference, path)
    if "outcomes" in found["extra"]:
        assert sum(found["extra"]["outcomes"].values()) == max(1, found["extra"]["support"]) or (
            found["extra"]["status"] == "invalid_output"
        )
