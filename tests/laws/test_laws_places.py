"""Laws 6 to 8 of json_match, paths, text and size, and that more wrong never scores more."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fieldwise import by_key
from fieldwise.core.select import compile_path, join
from tests.laws import strategies as some
from tests.laws.law import places, results_of, score_of, scores_of, with_value

# ------------------------------------------------------------------------------------------ 6: paths


def _escaped(name: str) -> str:
    """A name as JSONPath has it between single quotes."""
    return json.dumps(name, ensure_ascii="\ud800" in name)[1:-1].replace("'", "\\'").replace('\\"', '"')


def _spellings(place: tuple[Any, ...]) -> dict[str, str]:
    """The three forms of a path to one place."""
    escaped = [str(step).replace("~", "~0").replace("/", "~1") for step in place]
    quoted = [f"[{step}]" if isinstance(step, int) else f"['{_escaped(step)}']" for step in place]
    dotted = ""
    for step in place:
        dotted = join(dotted, step) if isinstance(step, str) else f"{dotted}[{step}]"
    return {"pointer": "/" + "/".join(escaped), "jsonpath": "$" + "".join(quoted), "dotted": dotted}


@given(
    st.dictionaries(some.keys, some.json_values, min_size=1, max_size=4),
    st.data(),
    some.options(exclude_keys=[], weights={}, comparators={}, null_policy="distinct", coerce=False),
)
def test_6_a_path_in_any_form_names_its_place(
    document: Any, data: st.DataObject, options: dict[str, Any]
) -> None:
    document = {"top": 1, **document}
    place = data.draw(st.sampled_from(places(document)))
    wrong = with_value(document, place, "nothing else reads so")
    options["aggregator"], options["list_aggregator"] = "all", "all"
    options["lists"] = {}
    assert set(scores_of(wrong, document, **options).values()) == {0.0}
    for form, path in _spellings(place).items():
        assume(path not in document)  # a literal top-level key would win
        if form == "jsonpath" and "\\ud" in path:
            continue  # half a character cannot be written in JSONPath
        assert any(match.path == place for match in compile_path(path).find(document)), form
        options["exclude_keys"] = [path]
        assert set(scores_of(wrong, document, **options).values()) == {1.0}, form
        options["exclude_keys"] = []


@given(some.records, some.records)
def test_6_printed_paths_parse_back(outputs: Any, reference: Any) -> None:
    assume(set(outputs) | set(reference) != {"output"})
    assume(not any("[" in name for side in (outputs, reference) for name in side))  # may win as a literal
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


class Unprintable:
    """An object that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


HUGE = 10**6000
"""Python refuses to write an integer this long in decimal."""


@pytest.mark.parametrize(
    ("outputs", "reference", "score"),
    [
        ({"k": HUGE}, {"k": HUGE}, 1.0),
        ({"k": HUGE}, {"k": HUGE + 1}, 0.0),
        ({"k": [HUGE, {"l": -HUGE}]}, {"k": 1.5}, 0.0),
        ('{"k": 1' + "0" * 6000 + "}", {"k": HUGE}, 0.0),
        ('{"k": 1e999999}', {"k": 1}, 0.0),
        ({"k": Unprintable()}, {"k": 1}, 0.0),
        ({"k": 1}, {"k": Unprintable()}, None),
    ],
    ids=["equal", "one more", "inside", "text", "exponent", "unprintable", "unprintable reference"],
)
@pytest.mark.parametrize("comparator", [None, "number", "string_similarity", "exact"])
def test_8_hostile_values(outputs: Any, reference: Any, score: float | None, comparator: str | None) -> None:
    comparators = {} if comparator is None else {"$": comparator}
    for aggregator in (None, "average", "all"):
        (one,) = results_of(outputs, reference, comparators=comparators, aggregator=aggregator, coerce=True)
        assert one["score"] == score


@pytest.mark.parametrize(
    "answer", [HUGE, Unprintable(), {"score": HUGE}, {"score": Unprintable()}], ids=range(4)
)
def test_8_hostile_answers(answer: Any) -> None:
    (one,) = results_of({"k": 1}, {"k": 2}, rubric={"k": "same"}, judge=lambda request: {"k": answer})
    assert (one["score"], one["extra"]["status"]) == (None, "judge_error")


@pytest.mark.parametrize(
    "answer", [HUGE, Unprintable(), float("nan"), -0.1, 1.1, "1", None, RuntimeError], ids=range(8)
)
def test_8_hostile_comparators(answer: Any) -> None:
    """What a comparator may not answer is no score, and withholds the aggregate."""

    def grade(expected: Any, actual: Any) -> Any:
        if answer is RuntimeError:
            raise RuntimeError
        return answer

    for aggregator in (None, "average", "all"):
        results = results_of(
            {"k": 1, "l": 1}, {"k": 2, "l": 1}, comparators={"k": grade}, aggregator=aggregator
        )
        assert (results[0]["score"], results[0]["extra"]["status"]) == (None, "not_evaluated")


# ----------------------------------------------------------------------------------- more wrong, less


@given(some.small_records, st.data(), st.sampled_from(["keys", "leaves"]), st.sampled_from(some.WEIGHTS))
def test_one_more_wrong_field_never_raises_the_score(
    document: Any, data: st.DataObject, depth: str, weights: dict[str, float]
) -> None:
    outputs: Any = copy.deepcopy(document)
    before = score_of(outputs, document, depth=depth, weights=weights)
    assert before == 1.0
    for turn in range(data.draw(st.integers(1, 4))):
        open_places = [
            place
            for place in places(document)
            if _at(document, place) not in ({}, []) and _there(outputs, place)
        ]
        if not open_places:
            break
        outputs = _spoiled(outputs, data.draw(st.sampled_from(open_places)), document, f"wrong {turn}")
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
    """Whether the document has a member or element at a place; text is not looked into."""
    for step in place:
        inside = (
            document
            if isinstance(document, dict)
            else dict(enumerate(document if isinstance(document, list) else ()))
        )
        if step not in inside:
            return False
        document = inside[step]
    return True


def _spoiled(outputs: Any, place: tuple[Any, ...], document: Any, value: str) -> Any:
    """The outputs with one more place wrong: a member taken away, anything else replaced."""
    if isinstance(place[-1], str) and isinstance(_at(document, place), dict | list):
        changed = copy.deepcopy(outputs)
        del _at(changed, place[:-1])[place[-1]]
        return changed
    return with_value(outputs, place, value)


@pytest.mark.parametrize("path", ["inv.totl", "inv.lines[*].totl", "inv.*.totl", "/inv/lines/9", "totl"])
@pytest.mark.parametrize(
    ("option", "word"),
    [
        ("comparators", "number"),
        ("weights", 3.0),
        ("lists", "same_elements"),
        ("lists", by_key("sku")),
        ("exclude_keys", None),
    ],
    ids=str,
)
@pytest.mark.parametrize("depth", ["keys", "leaves"])
def test_a_path_that_names_nothing_changes_nothing(path: str, option: str, word: Any, depth: str) -> None:
    wanted = {"inv": {"total": 1, "vat": 2, "lines": [{"qty": 1}, {"qty": 2}]}, "id": 7}
    came = {"inv": {"total": 1, "vat": 3, "lines": [{"qty": 2}, {"qty": 2}]}, "id": 7}
    said: Any = {option: [path] if word is None else {path: word}}
    assert scores_of(came, wanted, depth=depth, **said) == scores_of(came, wanted, depth=depth)
