"""The laws of json_match as properties, each over its options in all combinations.

1. A document is right against itself. Nothing to compare is one result, 1.0 with support 0.
2. Scores stay in range; sync equals async; the order of members never counts, that of list elements
   only where it is declared.
3. JSON equality: true is not 1, 1 is 1.0, integers are exact, NaN is NaN.
4. Missing is not null, unless `null_policy` says so.
5. Unordered lists pair one to one and optimally; a pair with nothing equal is never matched.
6. Paths work wherever a key does.
7. JSON in text counts as what it holds; see also the tests of the parser.
8. Nothing is too deep or too large to be answered for.
9. Every judged key is answered by a boolean, asked about once more, or a judge_error.
10. What is judged is data; see also the tests of departures.
"""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import fieldwise
from fieldwise.core.select import compile_path, join
from tests.laws import oracle
from tests.laws import strategies as some
from tests.scorers.forms import check_shape, evaluate, named

UNORDERED = ("same_elements", "subset", "superset")


def results_of(outputs: Any, reference: Any, **options: Any) -> list[Any]:
    """The results of the sync evaluator alone, their shape checked."""
    sync: Any = fieldwise.create_json_match_evaluator(**options)
    results: list[Any] = sync(outputs=outputs, reference_outputs=reference)
    check_shape(results)
    return results


def scores_of(outputs: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return named(results_of(outputs, reference, **options))


def score_of(outputs: Any, reference: Any, **options: Any) -> float:
    (one,) = scores_of(outputs, reference, aggregator="average", list_aggregator="average", **options).values()
    assert isinstance(one, float)
    return one


def roughly(scores: dict[str, Any]) -> Any:
    """Equal but for the rounding of a sum taken in another order."""
    return pytest.approx(scores, rel=1e-9, abs=1e-12)


# ----------------------------------------------------------------------------------- 1: full marks


@given(some.documents, some.options())
def test_1_a_document_is_right_against_itself(document: Any, options: dict[str, Any]) -> None:
    results = results_of(document, copy.deepcopy(document), **options)
    assert {one["score"] for one in results} == {1.0}
    assert {one["extra"]["status"] for one in results} == {"graded"}
    assert {one["extra"]["passed"] for one in results} == {True}


@given(st.sampled_from([{}, [], [{}], [{}, {}], {"a": 1}, [{"a": 1}]]), some.options(exclude_keys=["a"]))
def test_1_nothing_to_compare_is_one_result(empty: Any, options: dict[str, Any]) -> None:
    (one,) = results_of(empty, empty, **options)
    assert one["key"] == f"json_match:{options['aggregator'] or '$'}"
    assert (one["score"], one["extra"]["status"], one["extra"]["support"]) == (1.0, "graded", 0)


# ------------------------------------------------------------------------- 2: range, forms and order


@given(some.anything, some.anything, some.options())
@example(some.Hostile(), {"a": 1}, {})
@example({"a": some.Hostile()}, {"a": 1}, {})
@example("[" * 100_000, {"a": 1}, {})
def test_2_any_data_is_answered_for_in_every_form(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    evaluate(outputs, reference, **options)


@given(some.anything, some.options())
def test_2_a_missing_side_is_answered_for(value: Any, options: dict[str, Any]) -> None:
    (no_reference,) = results_of(value, fieldwise.MISSING, **options)
    assert no_reference["score"] is None
    assert no_reference["extra"]["status"] == "invalid_reference"
    for one in results_of(fieldwise.MISSING, value, **options):
        assert one["extra"]["status"] in {"invalid_output", "invalid_reference"}


@given(some.small_documents, some.small_documents, some.options())
def test_2_the_order_of_members_never_counts(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    before = scores_of(outputs, reference, **options)
    assert scores_of(_turned(outputs), _turned(reference), **options) == roughly(before)


@given(some.element_lists, some.element_lists, some.options(modes=UNORDERED), st.randoms(use_true_random=False))
def test_2_order_never_counts_in_a_list_declared_unordered(
    outputs: list[Any], reference: list[Any], options: dict[str, Any], source: Any
) -> None:
    before = scores_of(outputs, reference, **options)
    shuffled = source.sample(outputs, len(outputs)), source.sample(reference, len(reference))
    assert scores_of(*shuffled, **options) == roughly(before)


@given(
    some.element_lists,
    some.element_lists,
    st.sampled_from(UNORDERED),
    some.options(lists={}, comparators={}, exclude_keys=[]),
    st.randoms(use_true_random=False),
)
def test_2_the_same_for_a_list_inside(
    outputs: list[Any], reference: list[Any], mode: str, options: dict[str, Any], source: Any
) -> None:
    options["lists"] = {"l": mode}
    before = scores_of({"l": outputs, "k": 1}, {"l": reference, "k": 2}, **options)
    shuffled = source.sample(outputs, len(outputs)), source.sample(reference, len(reference))
    after = scores_of({"l": shuffled[0], "k": 1}, {"l": shuffled[1], "k": 2}, **options)
    assert after == roughly(before)


@given(st.lists(some.elements, min_size=2, max_size=5), some.options(list_match_mode="ordered", **some.PLAIN))
def test_2_order_always_counts_elsewhere(elements: list[Any], options: dict[str, Any]) -> None:
    turned = elements[::-1]
    assume(not oracle.same(turned, elements))
    options["aggregator"], options["list_aggregator"] = "all", "all"
    assert set(scores_of(turned, elements, **options).values()) == {0.0}
    assert set(scores_of({"l": turned}, {"l": elements}, **options).values()) == {0.0}


def _turned(value: Any) -> Any:
    """The same value, the members of every object in reverse."""
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return [_turned(one) for one in value] if isinstance(value, list) else value


# -------------------------------------------------------------------------- 3, 4: equality and null


@given(some.small_values, some.small_values)
@example([True, 1], [1, True])
@example(2**53 + 1, float(2**53))
@example({"x": float("nan")}, {"x": float("nan")})
def test_3_json_equality(left: Any, right: Any) -> None:
    equal = float(oracle.same(left, right))
    assert scores_of({"k": left}, {"k": right}) == {"k": equal}
    assert scores_of({"k": right}, {"k": left}) == {"k": equal}
    assert scores_of([left, [0]], [[0], right], list_match_mode="ordered", aggregator="all") == {"all": 0.0} or (
        oracle.same([left, [0]], [[0], right])
    )


@given(some.keys, some.options(depth="keys", aggregator=None, comparators={}, exclude_keys=[], lists={}))
def test_4_missing_is_not_null(name: str, options: dict[str, Any]) -> None:
    alike = options["null_policy"] == "null_equals_missing"
    other = {"other": 1}
    assume(name != "other")
    for outputs, reference in (({name: None}, {}), ({}, {name: None})):
        found = scores_of({**outputs, **other}, {**reference, **other}, **options)
        assert found == {name: float(alike), "other": 1.0}
    empty_is_null = options["null_policy"] == "empty_equals_null"
    for empty in ("", [], {}):
        found = scores_of({name: None, **other}, {name: empty, **other}, **options)
        assert found == {name: float(empty_is_null), "other": 1.0}


# ---------------------------------------------------------------------------------------- 5: pairing


@given(some.element_lists, some.element_lists, some.options(depth="keys", **some.PLAIN))
def test_5_lists_score_as_trying_every_pairing(
    outputs: list[Any], reference: list[Any], options: dict[str, Any]
) -> None:
    told = {name: options[name] for name in ("aggregator", "list_aggregator", "list_match_mode")}
    answers = oracle.acceptable(outputs, reference, **told)
    found = scores_of(outputs, reference, **options)
    assert oracle.agrees(found, answers), (found, answers)


@given(
    st.lists(some.elements, min_size=1, max_size=5),
    st.lists(some.elements, min_size=1, max_size=5),
    st.sampled_from(UNORDERED),
)
def test_5_pairs_reach_the_greatest_total(outputs: list[Any], reference: list[Any], mode: str) -> None:
    results = results_of(outputs, reference, list_match_mode=mode)
    pairing = results[0]["extra"]["pairing"]
    pairs = pairing["pairs"]
    assert len(pairs) == min(len(outputs), len(reference))
    assert all(len({pair[side] for pair in pairs}) == len(pairs) for side in (0, 1))
    hits = [oracle.hits(reference[at], outputs[came]) for came, at in pairs]
    assert sum(hits) == oracle.most_hits(outputs, reference)
    assert pairing["matched"] == sum(hit > 0 for hit in hits)


@given(some.element_lists, some.element_lists)
def test_5_a_list_inside_is_a_multiset_where_declared(outputs: list[Any], reference: list[Any]) -> None:
    left, right = list(map(_mark, outputs)), list(map(_mark, reference))
    within = all(left.count(one) <= right.count(one) for one in left)
    covers = all(right.count(one) <= left.count(one) for one in right)
    ordered = oracle.same(outputs, reference)
    wanted = {"same_elements": within and covers, "subset": within, "superset": covers, "ordered": ordered}
    for mode, right_score in wanted.items():
        found = scores_of({"l": outputs}, {"l": reference}, lists={"l": mode})
        assert found == {"l": float(right_score)}, mode
    assert scores_of({"l": outputs}, {"l": reference}) == {"l": float(ordered)}


def _mark(value: Any) -> str:
    """Text that is the same for equal elements of the small pool."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{','.join(map(_mark, value))}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{_mark(value[name])}" for name in sorted(value)) + "}"
    return str(float(value))


# ------------------------------------------------------------------------------------------ 6: paths


def _places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place below the root."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for step, item in inside for place in ((*above, step), *_places(item, (*above, step)))]


def _with(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy of the document with another value at a place."""
    changed = copy.deepcopy(document)
    holder = changed
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    return changed


def _escaped(name: str) -> str:
    """A name as JSONPath has it between single quotes."""
    return json.dumps(name)[1:-1].replace("'", "\\'").replace('\\"', '"')


def _spellings(place: tuple[Any, ...]) -> dict[str, str]:
    """The three forms of a path to one place."""
    escaped = [str(step).replace("~", "~0").replace("/", "~1") for step in place]
    quoted = [
        f"[{step}]" if isinstance(step, int) else f"['{_escaped(step)}']" for step in place
    ]
    dotted = ""
    for step in place:
        dotted = join(dotted, step) if isinstance(step, str) else f"{dotted}[{step}]"
    return {"pointer": "/" + "/".join(escaped), "jsonpath": "$" + "".join(quoted), "dotted": dotted}


@given(
    st.dictionaries(some.keys, some.json_values, min_size=1, max_size=4),
    st.data(),
    some.options(exclude_keys=[], weights={}, comparators={}, null_policy="distinct", coerce=False),
)
def test_6_a_path_in_any_form_names_its_place(document: Any, data: st.DataObject, options: dict[str, Any]) -> None:
    document = {"top": 1, **document}
    place = data.draw(st.sampled_from(_places(document)))
    wrong = _with(document, place, "nothing else reads so")
    options["aggregator"], options["list_aggregator"] = "all", "all"
    options["lists"] = {}
    assert set(scores_of(wrong, document, **options).values()) == {0.0}
    for form, path in _spellings(place).items():
        assume(path not in document)  # a literal top-level key would win
        assert any(match.path == place for match in compile_path(path).find(document)), form
        options["exclude_keys"] = [path]
        assert set(scores_of(wrong, document, **options).values()) == {1.0}, form
        options["exclude_keys"] = []


@given(some.records, some.records)
def test_6_printed_paths_parse_back(outputs: Any, reference: Any) -> None:
    assume(set(outputs) | set(reference) != {"output"})
    for key in scores_of(outputs, reference, depth="leaves"):
        if outputs or reference:
            found = [match for side in (outputs, reference) for match in compile_path(key).find(side)]
            assert found or key in outputs or key in reference, key


@given(st.lists(some.small_records, min_size=1, max_size=6), some.options(aggregator=None, exclude_keys=[]))
def test_6_keys_are_bounded(elements: list[Any], options: dict[str, Any]) -> None:
    """A longer list adds no keys; indices never show."""
    once = scores_of({"l": elements}, {"l": elements}, **options)
    thrice = scores_of({"l": elements * 3}, {"l": elements * 3}, **options)
    assert thrice.keys() == once.keys()


# ----------------------------------------------------------------------------------- 7, 8: text, size


@given(some.small_documents, some.small_documents, some.options())
def test_7_json_text_counts_as_what_it_holds(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    assume(isinstance(outputs, dict | list) and isinstance(reference, dict | list))
    before = results_of(outputs, reference, **options)
    nan_free = _without_nan(outputs) and _without_nan(reference)
    assume(nan_free)
    assert results_of(json.dumps(outputs), json.dumps(reference), **options) == before


def _without_nan(value: Any) -> bool:
    return "NaN" not in json.dumps(value)


@given(some.deep_values(), some.options())
def test_8_deep_values_are_answered_for(value: Any, options: dict[str, Any]) -> None:
    for document in (value, {"k": value}, [value, {"k": value}]):
        for one in results_of(document, document, **options):
            refused = one["extra"]["status"] != "graded"
            assert one["score"] == 1.0 or (refused and "deep" in one["extra"]["reason"])


@given(some.deep_values(), some.deep_values(), some.options())
def test_8_deep_values_that_differ(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    results_of(outputs, reference, **options)
    results_of({"a": outputs, "b": 1}, {"a": reference, "b": 1}, **options)


# ----------------------------------------------------------------------------------- more wrong, less


@given(some.small_records, st.data(), st.sampled_from(["keys", "leaves"]), st.sampled_from(some.WEIGHTS))
def test_one_more_wrong_field_never_raises_the_score(
    document: Any, data: st.DataObject, depth: str, weights: dict[str, float]
) -> None:
    outputs: Any = copy.deepcopy(document)
    before = score_of(outputs, document, depth=depth, weights=weights)
    assert before == 1.0
    for turn in range(data.draw(st.integers(1, 4))):
        places = [
            place for place in _places(document) if _at(document, place) not in ({}, []) and _there(outputs, place)
        ]
        if not places:
            break
        outputs = _spoiled(outputs, data.draw(st.sampled_from(places)), document, f"wrong {turn}")
        after = score_of(outputs, document, depth=depth, weights=weights)
        assert after <= before + 1e-12
        before = after


@given(some.small_records, some.small_records, st.sampled_from(["keys", "leaves"]))
def test_a_field_nobody_expects_never_raises_the_score(outputs: Any, reference: Any, depth: str) -> None:
    before = score_of(outputs, reference, depth=depth)
    assert score_of({**outputs, "surplus": 1}, reference, depth=depth) <= before


def _at(document: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        document = document[step]
    return document


def _there(document: Any, place: tuple[Any, ...]) -> bool:
    try:
        _at(document, place)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _spoiled(outputs: Any, place: tuple[Any, ...], document: Any, value: str) -> Any:
    """The outputs with one more place wrong: a member taken away, anything else replaced."""
    if isinstance(place[-1], str) and isinstance(_at(document, place), dict | list):
        changed = copy.deepcopy(outputs)
        del _at(changed, place[:-1])[place[-1]]
        return changed
    return _with(outputs, place, value)


# ------------------------------------------------------------------------------------------ 9: judges

JUDGED_KEYS = st.dictionaries(some.keys, st.sampled_from(["equal", "differs", "missing", "surplus"]), min_size=1)


def _sides(fields: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    outputs = {name: f"{name} 1" for name, kind in fields.items() if kind != "missing"}
    reference = {
        name: f"{name} 1" if kind == "equal" else f"{name} 2" for name, kind in fields.items() if kind != "surplus"
    }
    return outputs, reference


def _both(outputs: Any, reference: Any, judge: some.ScriptedJudge, **options: Any) -> list[Any]:
    """Results with a judge, sync and async the same."""
    other = judge.again()
    awaited: Any = fieldwise.create_async_json_match_evaluator(judge=other, **options)
    results = results_of(outputs, reference, judge=judge, **options)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == results
    assert other.asked == judge.asked
    return results


@given(JUDGED_KEYS, some.judges, st.sampled_from([None, "average", "all"]), st.booleans())
def test_9_every_judged_key_is_answered_or_a_judge_error(
    fields: dict[str, str], judge: some.ScriptedJudge, aggregator: str | None, plain: bool
) -> None:
    assume(fields.keys() != {"output"})
    rubric = dict.fromkeys(fields, "same meaning")
    outputs, reference = _sides({**fields, "exact": "equal"})
    results = _both(outputs, reference, judge, rubric=rubric, aggregator=aggregator, use_reasoning=plain)
    wanted: dict[str, float | None] = {"exact": 1.0}
    for name, kind in fields.items():
        answer = judge.expected(name) if kind == "differs" else kind == "equal"
        wanted[name] = None if answer is None else float(answer)
    if aggregator is None:
        assert named(results) == wanted
        for one in results:
            assert one["extra"]["status"] == ("judge_error" if one["score"] is None else "graded")
        return
    (whole,) = results
    if None in wanted.values():
        assert (whole["score"], whole["extra"]["status"]) == (None, "judge_error")
        graded = [score for score in wanted.values() if score is not None]
        assert whole["extra"]["coverage"] == len(graded) / len(wanted)
        return
    given = [score for score in wanted.values() if score is not None]
    mean = sum(given) / len(given)
    assert whole["score"] == pytest.approx(mean if aggregator == "average" else float(mean == 1.0))


@given(JUDGED_KEYS, some.judges)
def test_9_only_open_questions_are_asked_and_at_most_twice(
    fields: dict[str, str], judge: some.ScriptedJudge
) -> None:
    assume(fields.keys() != {"output"})
    outputs, reference = _sides(fields)
    results_of(outputs, reference, rubric=dict.fromkeys(fields, "same meaning"), judge=judge)
    differing = [name for name, kind in fields.items() if kind == "differs"]
    asked = [sorted(question.id for question in request.questions) for request in judge.asked]
    assert asked[:1] == ([sorted(differing)] if differing else [])
    assert len(asked) <= 2
    if len(asked) == 2:
        assert set(asked[1]) <= set(asked[0])
        assert asked[1] == sorted(judge.asked[1].problems)


RUBRIC = {"a": "same meaning", "b": "same meaning", "a#2": "same meaning"}
TEXT_RECORDS = st.lists(
    st.dictionaries(st.sampled_from(["a", "b", "a#2", "c"]), st.sampled_from(["one", "two", "three"]), max_size=4),
    max_size=4,
)


@given(TEXT_RECORDS, TEXT_RECORDS, some.judges, some.options(comparators={}, exclude_keys=[]))
def test_9_lists_are_judged_place_by_place(
    outputs: Any, reference: Any, judge: some.ScriptedJudge, options: dict[str, Any]
) -> None:
    results = _both(outputs, reference, judge, rubric=RUBRIC, **options)
    for request in judge.asked:
        assert len({question.id for question in request.questions}) == len(request.questions)
    failed = any(judge.expected(one.id) is None for request in judge.asked for one in request.questions)
    if options["weights"] == {} and options["aggregator"] is not None:
        assert (results[0]["score"] is None) == failed
    if not judge.asked:
        assert all(one["score"] is not None for one in results)


@given(TEXT_RECORDS, TEXT_RECORDS, st.booleans(), st.sampled_from(["average", "all"]))
def test_9_what_the_judge_says_is_what_counts(
    outputs: Any, reference: Any, verdict: bool, across: str
) -> None:
    """With a judge that always says yes, a judged field is right wherever both sides have it."""

    def judge(request: Any) -> dict[str, bool]:
        return {question.id: verdict for question in request.questions}

    found = scores_of(
        outputs, reference, rubric=RUBRIC, judge=judge, list_match_mode="ordered", list_aggregator=across
    )
    records = [
        (outputs[at] if at < len(outputs) else {}, reference[at] if at < len(reference) else {})
        for at in range(max(len(outputs), len(reference)))
    ]
    for name in RUBRIC:
        scores = [
            float(name in came and name in wanted and (verdict or came[name] == wanted[name]))
            for came, wanted in records
            if name in came or name in wanted
        ]
        if scores:
            mean = sum(scores) / len(scores)
            assert found[name] == pytest.approx(mean if across == "average" else float(mean == 1.0))
