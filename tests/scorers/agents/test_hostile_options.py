"""Options that are nothing an evaluator expects: a ConfigError of bounded length that names them."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pytest

import fieldwise

HUGE: Final = 10**5000
INTEGER: Final = "an integer of 16,610 bits"


def deep(levels: int) -> Any:
    made: Any = {}
    for _ in range(levels):
        made = {"a": made}
    return made


def refuse(*_: Any) -> Any:
    raise RuntimeError("no")


class Trap(Mapping[str, Any]):
    """A mapping that refuses to say anything."""

    __getitem__ = __iter__ = __len__ = refuse


class Classless:
    __class__ = property(refuse)


async def judges(_: Any) -> Any:
    return {}


NEEDED: Final[dict[str, dict[str, Any]]] = {
    "latency_budget": {"max_ms": 1},
    "binary_classification": {"positive_class": "a"},
    "multiclass_classification": {"classes": ["a", "b"]},
    "llm_judge_trajectory": {"judge": lambda _: {}},
}
WRONG: Final[list[tuple[str, dict[str, Any], str]]] = [
    ("tool_call_order", {"rules": {"never": {"delete"}}},
     "rules.never: {'delete'} must be a list of names of tools"),
    ("tool_call_order", {"rules": {"at_most": {"a": HUGE}}},
     f"rules.at_most['a']: {hex(HUGE)[:79]}… must be a whole number from 0 to 1,000,000,000"),
    ("tool_call_count", {"counts": {"a": np.int64(3)}},
     "counts['a']: np.int64(3) must be a whole number from 0 to 1,000,000,000"),
    ("tool_call_count", {"counts": {"a"}},
     'counts: {\'a\'} must be an object of tools and counts, {"search": ["=", 1]}'),
    ("tool_call_count", {"counts": Trap()}, "counts: cannot be read: RuntimeError: no"),
    ("tool_call_args", {"tool_calls": dt.date(2020, 1, 2)},
     ("tool_calls=datetime.date(2020, 1, 2): no messages, calls, spans or run, but "
     "datetime.date(2020, 1, 2); write [{'name': 'tool', …}]")),
    ("tool_call_args", {"tool_calls": {1: 2, None: 3}},
     ("tool_calls={1: 2, None: 3}: no messages, calls, spans or run, but an object with the keys 1, None; "
     "write [{'name': 'tool', …}]")),
    ("tool_call_args", {"comparators": np.arange(3)},
     "comparators=array([0, 1, 2]): must be a mapping from tool, or '*' for any, {'*': …}"),
    ("tool_call_args", {"comparators": {"x" * 1_000: 1}},
     (f"comparators['{'x' * 78}…]=1: must be a mapping from argument to word; for an argument of any tool "
     "write comparators={'*': {'argument': …}}")),
    ("tool_call_args", {"optional": Trap()},
     "create_tool_call_args_evaluator: the options cannot be read: RuntimeError: no"),
    ("tool_call_args", {"schemas": b"ab"},
     "schemas=b'ab': must be a mapping from tool to schema, or a list of tools"),
    ("tool_call_output", {"tool_outputs": b"x"},
     "tool_outputs=b'x': no messages, calls, spans or run, but b'x'; write [{'name': 'tool', …}]"),
    ("tool_call_output", {"comparators": {HUGE: 1}},
     f"comparators: the key {INTEGER} must be the name of a tool, or '*'"),
    ("span_order", {"only": "[" * 20_000, "order": ["a"]},
     f"only='{'[' * 78}…: must be of at most 1,000 characters, is of 20,000"),
    ("error_budget", {"ignore": ["a", "[" * 1_001]},
     f"ignore='{'[' * 78}…: must be of at most 1,000 characters, is of 1,001"),
    ("latency_budget", {"span": "*" * 1_001},
     f"span='{'*' * 78}…: must be of at most 1,000 characters, is of 1,001"),
    ("error_budget", {"max_errors": HUGE},
     f"max_errors={INTEGER}: must be a whole number of at most 1,000,000,000,000,000,000"),
    ("latency_budget", {"max_ms": HUGE}, f"max_ms={INTEGER}: must be a finite number of at least 0"),
    ("grounded_fields", {"min_similarity": HUGE},
     f"min_similarity={INTEGER}: must be a number above 0.5 and at most 1"),
    ("grounded_fields", {"min_similarity": [deep(5_000)]},
     "min_similarity=[" + "{'a': " * 13 + "…: must be a number above 0.5 and at most 1"),
    ("grounded_fields", {"min_similarity": "x" * 10**6},
     f"min_similarity='{'x' * 78}…: must be a number above 0.5 and at most 1"),
    ("grounded_fields", {"exclude_keys": b""},
     "exclude_keys=b'': must be a list of keys or paths, for one write [b'']"),
    ("exact_match", {"target_output_key": np.array([1, 2])},
     "target_output_key=array([1, 2]): must be '*', a path, or a list of paths"),
    ("exact_match", {"null_policy": np.array([1, 2])},
     ("null_policy=array([1, 2]): must be one of 'distinct', 'null_equals_missing', 'empty_equals_null'")),
    ("binary_classification", {"zero_division": np.array([0, 1])},
     "zero_division=array([0, 1]): must be 0, 1 or 'exclude'"),
    ("binary_classification", {"positive_class": np.arange(2)},
     "positive_class=array([0, 1]): must be a label that is not blank"),
    ("multiclass_classification", {"classes": b"ab"},
     "classes=b'ab': must be a list of labels, at least one"),
    ("llm_judge_trajectory", {"template_format": ["plain"]},
     "template_format=['plain']: must be 'plain', 'f-string' or 'mustache'"),
    ("llm_judge_trajectory", {"template_format": HUGE},
     f"template_format={INTEGER}: must be 'plain', 'f-string' or 'mustache'"),
    ("llm_judge_trajectory", {"max_tokens": HUGE},
     f"max_tokens={INTEGER}: must be a whole number of at most 1,000,000,000, or None for no limit"),
    ("llm_judge_trajectory", {"max_history_tokens": HUGE},
     f"max_history_tokens={INTEGER}: must be a whole number of at most 1,000,000,000,000,000,000"),
    ("llm_judge_trajectory", {"judge": Classless()},
     f"judge=<{__name__}.Classless object>: cannot be read: RuntimeError: no"),
    ("llm_judge_trajectory", {"judge": ""},
     "judge='': must be the name of a model, 'provider:name', or for judge= something that judges"),
    ("llm_judge_trajectory", {"judge": None, "model": 3},
     "model=3: must be the name of a model, 'provider:name', or for judge= something that judges"),
    ("llm_as_judge", {"prompt": "{outputs}", "judge": lambda _: {}, "choices": b""},
     "choices=b'': must be a list of numbers, [0.0, 0.5, 1.0]"),
    ("llm_as_judge", {"prompt": "{outputs}", "judge": lambda _: {}, "choices": [HUGE]},
     "choices=[an integer of 16,610 bits]: must be a list of numbers, [0.0, 0.5, 1.0]"),
]  # fmt: skip


def create(name: str, **given: Any) -> Any:
    if name == "llm_as_judge":
        return fieldwise.create_llm_as_judge(**given)
    return getattr(fieldwise, f"create_{name}_evaluator")(**{**NEEDED.get(name, {}), **given})


@pytest.mark.parametrize(("name", "given", "message"), WRONG, ids=[message[:50] for *_, message in WRONG])
def test_what_is_wrong_is_named(name: str, given: dict[str, Any], message: str) -> None:
    start = time.process_time()
    with pytest.raises(fieldwise.ConfigError) as caught:
        create(name, **given)
    assert time.process_time() - start < 30  # it ends: `make bench` measures
    assert str(caught.value) == message


def test_an_async_function_as_model_is_named_so() -> None:
    with pytest.raises(fieldwise.ConfigError, match=r"^model=<function judges>: must be the name of a"):
        fieldwise.create_llm_judge_trajectory_evaluator(model=judges)  # type: ignore[arg-type]


class Word(str):
    __slots__ = ()
    __eq__ = refuse
    __hash__ = str.__hash__


class Number(int):
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = refuse
    __hash__ = int.__hash__


def test_text_and_numbers_count_by_their_class() -> None:
    evaluate = create("latency_budget", max_ms=Number(1), of=Word("sum"))
    assert (
        evaluate(outputs=[{"name": "a", "start_time": 0, "end_time": 1, "attributes": {}}])["score"] is True
    )
    judge: Any = fieldwise.create_multiclass_classification_evaluator(
        classes=["a", np.float64(2)], f_value=Number(1)
    )
    assert judge(outputs=2, reference_outputs=2)["score"] == 1.0


def test_depth_is_no_fault_where_any_value_is_right() -> None:
    made = [
        create("tool_call_args", tool_calls=[{"name": "a", "args": deep(5_000)}]),
        create("tool_call_args", ignore_if=deep(5_000), schemas={"a": {"properties": {"y": deep(5_000)}}}),
    ]
    assert [one.__name__ for one in made] == ["tool_call_args"] * 2


def test_a_call_that_python_refuses_stays_a_type_error() -> None:
    with pytest.raises(TypeError):
        fieldwise.create_latency_budget_evaluator(5)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", ["binary", "multiclass"])
def test_an_f_value_of_zero_is_precision(kind: str) -> None:
    options: dict[str, Any] = {"binary": {"positive_class": "a"}, "multiclass": {"classes": ["a", "b"]}}
    sums: Any = getattr(fieldwise, f"create_{kind}_classification_summary_evaluator")(
        f_value=0, **options[kind]
    )
    found = sums(outputs=["a", "a", "b"], reference_outputs=["a", "b", "a"])["results"]
    scores = {one["key"].partition(":")[2]: one["score"] for one in found}
    assert scores["f-score"] == scores["precision"]
