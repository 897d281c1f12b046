"""The options of the text evaluators: what they mean, and which are refused."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

import fieldwise
from tests.scorers.single_forms import evaluate, score

SECONDS: Final = "must be the seconds a match may take, above 0, at most 86,400"
TEXT: Final = (
    "exact_match", "contains", "contains_any", "contains_all", "starts_with", "ends_with", "regex_match",
    "string_similarity", "contains_json",
)  # fmt: skip
LOOKED_FOR: Final = {
    "contains": "search_text",
    "contains_any": "substrings",
    "contains_all": "substrings",
    "starts_with": "prefix",
    "ends_with": "suffix",
    "regex_match": "pattern",
}
LISTED: Final = ("contains_any", "contains_all")


@pytest.mark.parametrize(("name", "option"), LOOKED_FOR.items())
def test_what_to_look_for_is_an_option_or_the_reference(name: str, option: str) -> None:
    wanted = ["x"] if name in LISTED else "x"
    stated = getattr(fieldwise, f"create_{name}_string_evaluator")(**{option: wanted})
    told = getattr(fieldwise, f"create_{name}_string_evaluator")()
    assert (stated.requires_reference, told.requires_reference) == (False, True)
    assert stated.evaluate_strings(prediction="x")["score"] is True
    assert told.evaluate_strings(prediction="x", reference=wanted)["score"] is True
    assert (
        score(name, {"a": 1, "b": "x"}, {"c": 1, "d": 2}, target_output_key="b", **{option: wanted}) is True
    )
    empty: Any = [""] if name in LISTED else ""
    with pytest.raises(fieldwise.ConfigError) as caught:
        getattr(fieldwise, f"create_{name}_evaluator")(**{option: empty})
    place = f"{option}[0]" if name in LISTED else option
    assert str(caught.value) == f"{place}='': an empty text is found everywhere; say what to look for"
    with pytest.raises(fieldwise.ConfigError) as caught:
        getattr(fieldwise, f"create_{name}_evaluator")(**{option: wanted, "correct_answer_key": "a"})
    assert str(caught.value) == f"{option} and correct_answer_key are both given: pass one of them"


def test_options_are_copied() -> None:
    wanted = ["x"]
    sync: Any = fieldwise.create_contains_all_evaluator(substrings=wanted)
    wanted.append("y")
    assert sync(outputs="x")["score"] is True


@pytest.mark.parametrize("name", TEXT)
def test_the_feedback_key_replaces_the_name(name: str) -> None:
    assert evaluate(name, "x", "x", feedback_key="mine")["key"] == "mine"


REFUSED: Final = [
    ("exact_match", {"ignore_case": True, "case_sensitive": True},
     "ignore_case=True and case_sensitive=True contradict each other: pass one of them"),
    ("contains", {"ignore_case": False, "case_sensitive": False},
     "ignore_case=False and case_sensitive=False contradict each other: pass one of them"),
    ("contains", {"ignore_case": 1}, "ignore_case=1: must be True or False"),
    ("ends_with", {"case_sensitive": "yes"}, "case_sensitive='yes': must be True or False"),
    ("starts_with", {"negated": None}, "negated=None: must be True or False"),
    ("starts_with", {"prefix": 5}, "prefix=5: must be text"),
    ("contains_any", {"substrings": "a,b"},
     "substrings='a,b': must be a list of texts, for one write ['a,b']"),
    ("contains_all", {"substrings": []}, "substrings=[]: name at least one text to look for"),
    ("contains_all", {"substrings": ["a", 5]}, "substrings[1]=5: must be text"),
    ("contains", {"target_output_key": 5}, "target_output_key=5: must be '*', a path, or a list of paths"),
    ("exact_match", {"target_output_key": []},
     "target_output_key=[]: name at least one path, or '*' for the whole output"),
    ("exact_match", {"target_output_key": "$schema"},
     "target_output_key: path '$schema': expected '.' or '[' at position 1; did you mean '/$schema'?"),
    ("exact_match", {"null_policy": "none"},
     "null_policy='none': must be one of 'distinct', 'null_equals_missing', 'empty_equals_null'"),
    ("regex_match", {"pattern": "("}, "pattern='(': pattern \"(\" does not parse: missing ) at position 1"),
    ("regex_match", {"mode": "full"},
     "mode='full': must be one of 'search', 'match', 'fullmatch'; did you mean 'fullmatch'?"),
    ("regex_match", {"flags": re.LOCALE},
     ("flags=re.LOCALE: must be 0 or a combination of re.ASCII, IGNORECASE, MULTILINE, DOTALL, "
      "UNICODE and VERBOSE")),
    ("regex_match", {"timeout": 0}, f"timeout=0: {SECONDS}"),
    ("regex_match", {"timeout": float("nan")}, f"timeout=nan: {SECONDS}"),
    ("string_similarity", {"threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
    ("contains_json", {"parse": "off"}, "parse='off': must be one of 'strict', 'lenient'"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "message"), REFUSED, ids=str)
def test_wrong_options(name: str, options: dict[str, Any], message: str) -> None:
    for form in ("create_{}_evaluator", "create_async_{}_evaluator", "create_{}_string_evaluator"):
        with pytest.raises(fieldwise.ConfigError) as caught:
            getattr(fieldwise, form.format(name))(**options)
        assert str(caught.value) == message


def test_an_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(fieldwise.ConfigError, match=r"did you mean 'jaro_winkler'\?$"):
        fieldwise.create_string_similarity_evaluator(metric="jaro_winckler")


def test_a_threshold_decides_what_passed_and_never_the_score() -> None:
    for threshold, passed in ((0.5, True), (0.6, False)):
        result = evaluate("string_similarity", "kitten", "sitting", threshold=threshold)
        assert result["score"] == pytest.approx(4 / 7)
        assert result["extra"]["passed"] is passed
