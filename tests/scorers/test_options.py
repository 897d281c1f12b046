"""Options: what passes, copied; what does not, with the whole message."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import pytest

from fieldwise.core.align import by_key
from fieldwise.core.read import Reader
from fieldwise.core.select import compile_path
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options

Size = Literal["small", "large"]
Check = Callable[..., Any]


def one_of(option: str, value: Any) -> Any:
    return options.one_of(option, value, Size)


def one_of_these(option: str, value: Any) -> Any:
    return options.one_of(option, value, (None, "average", "all"))


PASSES: list[tuple[Check, Any, Any]] = [
    (one_of, "small", "small"),
    (one_of_these, None, None),
    (one_of_these, "all", "all"),
    (options.list_mode, "subset", "subset"),
    (options.flag, False, False),
    (options.mapping, None, {}),
    (options.mapping, MappingProxyType({"a": 1}), {"a": 1}),
    (options.names, None, []),
    (options.names, ("b", "a"), ["b", "a"]),
    (options.names, {"b", "a"}, ["a", "b"]),
    (options.texts, {"a": "same"}, {"a": "same"}),
    (options.weights, {"a": 0, "b": 2.5}, {"a": 0.0, "b": 2.5}),
    (options.weights, {"a": np.float64(1.5)}, {"a": 1.5}),
    (options.threshold, 1, 1.0),
    (options.threshold, 0.001, 0.001),
    (options.text, "name", "name"),
]


@pytest.mark.parametrize(("check", "value", "found"), PASSES)
def test_passes(check: Check, value: Any, found: Any) -> None:
    assert check("opt", value) == found


@pytest.mark.parametrize("check", [options.mapping, options.texts, options.weights])
def test_mappings_are_copied(check: Check) -> None:
    value: dict[str, Any] = {"a": "x"} if check is not options.weights else {"a": 1.0}
    found = check("opt", value)
    value["b"] = value["a"]
    assert list(found) == ["a"]


def test_lists_are_copied() -> None:
    value = ["a"]
    found = options.names("opt", value)
    value.append("b")
    assert found == ["a"]


def test_a_list_mode_may_be_a_key() -> None:
    key = by_key("sku")
    assert options.list_mode("lists['a']", key) is key


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError


MODES = "'ordered', 'same_elements', 'subset', 'superset'"
NULLS = "'distinct', 'null_equals_missing', 'empty_equals_null'"
FINITE = "must be a finite number of at least 0"
ABOVE = "must be a number above 0 and at most 1"
REFUSES: list[tuple[Check, Any, str]] = [
    (one_of, "smal", "opt='smal': must be one of 'small', 'large'; did you mean 'small'?"),
    (one_of, "zzz", "opt='zzz': must be one of 'small', 'large'"),
    (one_of, None, "opt=None: must be one of 'small', 'large'"),
    (one_of, ["small"], "opt=['small']: must be one of 'small', 'large'"),
    (one_of, NoRepr(), "opt=a NoRepr: must be one of 'small', 'large'"),
    (one_of, "x" * 500, f"opt='{'x' * 78}…: must be one of 'small', 'large'"),
    (one_of_these, "averge", "opt='averge': must be one of None, 'average', 'all'; did you mean 'average'?"),
    (options.list_mode, "order", f"opt='order': must be one of {MODES}; did you mean 'ordered'?"),
    (options.flag, 1, "opt=1: must be True or False"),
    (options.flag, "True", "opt='True': must be True or False"),
    (options.flag, None, "opt=None: must be True or False"),
    (options.mapping, ["a"], "opt=['a']: must be a mapping from path to value, {'a.b': …}"),
    (options.mapping, "a", "opt='a': must be a mapping from path to value, {'a.b': …}"),
    (options.mapping, {1: 2}, "opt: the key 1 must be text, a key or a path"),
    (options.names, "a", "opt='a': must be a list of keys or paths, for one write ['a']"),
    (options.names, 3, "opt=3: must be a list of keys or paths, for one write [3]"),
    (options.names, {"a": 1}, "opt={'a': 1}: must be a list of keys or paths, for one write [{'a': 1}]"),
    (options.names, ["a", 1], "opt: 1 must be text, a key or a path"),
    (options.texts, {"a": 1}, "opt['a']=1: must be text saying what makes it right"),
    (options.texts, {"a": "  "}, "opt['a']='  ': must be text saying what makes it right"),
    (options.weights, {"a": -1}, f"opt['a']=-1: {FINITE}"),
    (options.weights, {"a": math.inf}, f"opt['a']=inf: {FINITE}"),
    (options.weights, {"a": math.nan}, f"opt['a']=nan: {FINITE}"),
    (options.weights, {"a": True}, f"opt['a']=True: {FINITE}"),
    (options.weights, {"a": "1"}, f"opt['a']='1': {FINITE}"),
    (options.weights, {"a": 10**400}, f"opt['a']=1{'0' * 78}…: {FINITE}"),
    (options.threshold, 0, f"opt=0: {ABOVE}"),
    (options.threshold, -0.5, f"opt=-0.5: {ABOVE}"),
    (options.threshold, 1.01, f"opt=1.01: {ABOVE}"),
    (options.threshold, True, f"opt=True: {ABOVE}"),
    (options.threshold, math.nan, f"opt=nan: {ABOVE}"),
    (options.threshold, None, f"opt=None: {ABOVE}"),
    (options.text, "", "opt='': must be text, and not empty"),
    (options.text, 3, "opt=3: must be text, and not empty"),
]


@pytest.mark.parametrize(
    ("check", "value", "message"), REFUSES, ids=[f"{row[0].__name__}-{at}" for at, row in enumerate(REFUSES)]
)
def test_refuses(check: Check, value: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check("opt", value)
    assert str(caught.value) == message


def reader(**changes: Any) -> Reader:
    given: dict[str, Any] = {
        "outputs_key": None,
        "correct_answer_key": None,
        "parse": "lenient",
        "multiple_json": "error",
        "truncated": "error",
        "coerce": False,
        "null_policy": "distinct",
    }
    return options.reader(**given | changes)


def test_a_reader_with_the_defaults_is_the_default_reader() -> None:
    assert reader() == Reader()


def test_keys_of_a_reader_are_paths() -> None:
    assert reader(outputs_key="a.b", correct_answer_key="/gold") == Reader(
        outputs_key=compile_path("a.b"), correct_answer_key=compile_path("/gold")
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"outputs_key": "a..b"},
            "outputs_key: path 'a..b': a name is missing at position 2; did you mean 'a.b'?",
        ),
        ({"correct_answer_key": 3}, "correct_answer_key: path '3': a path is text, not int at position 0"),
        (
            {"parse": "strictly"},
            "parse='strictly': must be one of 'lenient', 'strict', 'off'; did you mean 'strict'?",
        ),
        ({"multiple_json": None}, "multiple_json=None: must be one of 'error', 'first', 'last'"),
        ({"truncated": True}, "truncated=True: must be one of 'error', 'closed_fields'"),
        ({"coerce": "yes"}, "coerce='yes': must be True or False"),
        (
            {"null_policy": "null_equal_missing"},
            f"null_policy='null_equal_missing': must be one of {NULLS}; did you mean 'null_equals_missing'?",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_reader_names_the_wrong_option(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        reader(**changes)
    assert str(caught.value) == message
    assert not isinstance(caught.value, PathError)


@pytest.mark.parametrize(
    ("judge", "model", "asked", "message"),
    [
        (None, None, True, "rubric is given without a judge: pass judge= (a callable) or model= as well"),
        (len, None, False, "judge is given without a rubric: say what it judges, rubric={…}"),
        (None, "m", False, "model is given without a rubric: say what it judges, rubric={…}"),
        (len, "m", True, "judge and model are both given: pass one of them"),
    ],
)
def test_a_judge_is_given_exactly_when_asked(judge: Any, model: Any, asked: bool, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        options.judged_as_asked(judge, model, asked=asked, given="rubric", fix="rubric={…}")
    assert str(caught.value) == message


def test_a_judge_for_a_rubric_and_none_for_none_are_fine() -> None:
    for judge, model, asked in ((len, None, True), (None, "m", True), (None, None, False)):
        options.judged_as_asked(judge, model, asked=asked, given="rubric", fix="")
    with pytest.raises(ConfigError):
        options.judged_as_asked(None, None, asked=True, given="rubric", fix="")
