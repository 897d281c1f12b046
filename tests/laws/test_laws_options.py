"""Law: a value that no option takes is refused by the name of its option, whatever its methods do.

So every check looks at the type before it compares, hashes, counts or iterates.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import fieldwise
from fieldwise import check_judge, comparators, evaluate_records
from fieldwise.comparators import COMPARATORS
from fieldwise.core.flow import JudgeRequest
from fieldwise.errors import ConfigError


def _refuses(*_: Any) -> Any:
    raise RuntimeError("no")


class NoEquality:
    __eq__ = _refuses
    __hash__ = None  # type: ignore[assignment]


class NoHash:
    __hash__ = _refuses


class NoTruth:
    __bool__ = _refuses


class NoLength:
    __len__ = _refuses


class NoText:
    __repr__ = _refuses


class NoOrder:
    __lt__ = __gt__ = __le__ = __ge__ = _refuses


HOSTILE: Final[tuple[Any, ...]] = (
    np.array([1, 2]), np.array([]), np.array(1), np.array([["a"]]),
    NoEquality(), NoHash(), NoTruth(), NoLength(), NoText(), NoOrder(),
    [NoEquality()], {"a": NoEquality()}, [np.array([1, 2])], {"a": [np.array([1, 2])]},
)  # fmt: skip


def judge(request: JudgeRequest) -> dict[str, Any]:
    return dict.fromkeys((one.id for one in request.questions), True)


NEEDED: Final[dict[str, dict[str, Any]]] = {
    "llm_as_judge": {"prompt": "{outputs}"},
    "contains_any": {"substrings": ["a"]},
    "contains_all": {"substrings": ["a"]},
    "regex_match": {"pattern": "a"},
    "field_match": {"json_field": "a"},
    "multi_field": {"fields": ["a"]},
    "json_schema": {"schema": {}},
    "latency_budget": {"max_ms": 1},
    "binary_classification": {"positive_class": "a"},
    "multiclass_classification": {"classes": ["a", "b"]},
}
ASKED: Final = ("llm_as_judge", "llm_judge_")
RECORD: Final = {"outputs": {"a": 1}, "reference_outputs": {"a": 1}, "labels": {"a": True}}


def _evaluators() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    found = {}
    for made in fieldwise.__all__:
        name = made.removeprefix("create_").removesuffix("_evaluator")
        if not made.startswith("create_") or "async_" in name or made == "create_judge":
            continue
        needed = NEEDED.get(name.removesuffix("_string").removesuffix("_summary"), {})
        asks = {"judge": judge} if name.startswith(ASKED) else {}
        found[made] = (getattr(fieldwise, made), {**needed, **asks})
    return found


def _comparators() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    needed = {"regex": {"pattern": "a"}}
    names = [name for name in COMPARATORS if name not in {"embedding", "quantity", "phone"}]
    return {name: (getattr(comparators, name), needed.get(name, {})) for name in names}


MADE: Final[dict[str, tuple[Callable[..., Any], dict[str, Any]]]] = {
    **_evaluators(),
    **_comparators(),
    "Field": (fieldwise.Field, {"path": "a"}),
    "evaluate_records": (
        evaluate_records,
        {"records": [RECORD], "evaluators": fieldwise.create_json_match_evaluator()},
    ),
    "check_judge": (check_judge, {"records": [RECORD], "judge": judge, "rubric": "alike"}),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", MADE)
def test_a_hostile_value_is_refused_by_the_name_of_its_option(name: str) -> None:
    create, needed = MADE[name]
    faults = []
    for option in inspect.signature(create).parameters.keys() - {"records"}:
        for value in HOSTILE:
            try:
                create(**{**needed, option: value})
            except ConfigError as error:
                told = str(error)
                if option not in told or "the options cannot be read" in told:
                    faults.append(f"{option}: {told}")
            except Exception as error:  # noqa: BLE001 - any other is a fault
                faults.append(f"{option}: {type(error).__name__}: {error}")
    assert not faults
