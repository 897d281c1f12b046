"""Numbers no float holds, as options: refused by name. And keys that are none, where nothing reads them."""

from __future__ import annotations

from typing import Any, Final

import pytest

import fieldwise

SECONDS: Final = "must be the seconds a match may take, above 0, at most 86,400"
TOLERANCE: Final = "must be a finite number of at least 0, 0.01 for 1 % of the expected one"
TEMPERATURE: Final = "must be a number from 0 up, or None for the model's own"
BAD: Final[list[tuple[str, str, str]]] = [
    ("regex_match", "timeout", SECONDS),
    ("json_similarity", "number_tolerance", TOLERANCE),
    ("llm_judge_output", "temperature", TEMPERATURE),
    ("llm_judge_strict_json", "temperature", TEMPERATURE),
]


@pytest.mark.parametrize(("name", "option", "fix"), BAD)
def test_a_huge_number_is_refused(name: str, option: str, fix: str) -> None:
    needed = {"judge": lambda _: {}, "prompt": "{outputs}"} if name.startswith("llm") else {}
    with pytest.raises(fieldwise.ConfigError) as caught:
        getattr(fieldwise, f"create_{name}_evaluator")(**{**needed, option: 10**400})
    assert str(caught.value) == f"{option}=1{'0' * 78}…: {fix}"


@pytest.mark.parametrize("key", [3, float("nan"), object()], ids=["number", "nan", "object"])
def test_a_key_of_the_answer_is_checked_beside_a_schema(key: Any) -> None:
    with pytest.raises(fieldwise.ConfigError, match=r"^correct_answer_key: path .* a path is text, not "):
        fieldwise.create_json_schema_evaluator(schema={}, correct_answer_key=key)
