"""llm_as_judge with a schema of the user's own: a result for each score in it."""

from __future__ import annotations

import json
import typing
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal

import pytest
import typing_extensions
from langchain_core._api import LangChainBetaWarning
from langchain_core.prompts.structured import StructuredPrompt
from pydantic import BaseModel, Field

import fieldwise
from tests.judges.fakes import FakeOpenAI, Step
from tests.judges.oai_server import strict_faults
from tests.scorers.judge_forms import PROMPT, judged, replying


class Grade(BaseModel):
    tone: int = Field(ge=1, le=5)
    tone_reason: str
    facts: float | None = None


class Equality(typing_extensions.TypedDict):
    equality_justification: str
    are_equal: bool


class OldEquality(typing.TypedDict, total=False):
    equality_justification: str
    are_equal: typing_extensions.Required[bool]


class Label(BaseModel):
    label: Literal["good", "bad"]


TONE: Final = {"tone": 4, "tone_reason": "Warm.", "facts": 0.5}
FLAT: Final = {"properties": {"tone": {"type": "integer"}, "facts": {"type": "number"}}}
OPENAI: Final = {"name": "grade", "strict": True, "schema": {"type": "object", **FLAT}}


def rows(found: Any) -> list[tuple[Any, ...]]:
    found = found if isinstance(found, list) else [found]
    for one in found:
        assert one.keys() == {"key", "score", "comment", "metadata", "extra"}
    return [(one["key"], one["score"], one["comment"]) for one in found]


SCHEMAS: Final[list[tuple[str, Any, dict[str, Any], Any, list[Any]]]] = [
    ("J20", FLAT, {}, {"tone": 4, "facts": 0.5}, [("tone", 4, None), ("facts", 0.5, None)]),
    ("openai-form", OPENAI, {}, {"tone": 4, "facts": 0.5}, [("tone", 4, None), ("facts", 0.5, None)]),
    (
        "openai-whole-form",
        {"type": "json_schema", "json_schema": OPENAI},
        {},
        {"tone": 4, "facts": 0.5},
        [("tone", 4, None), ("facts", 0.5, None)],
    ),
    ("pydantic", Grade, {}, TONE, [("tone", 4, "Warm."), ("facts", 0.5, None)]),
    ("null", Grade, {}, TONE | {"facts": None},
     [("tone", 4, "Warm."), ("facts", None, "the judge gave no score")]),
    ("typed-dict", Equality, {}, {"equality_justification": "Alike.", "are_equal": True},
     [("are_equal", True, "Alike.")]),
    ("old-typed-dict", OldEquality, {}, {"equality_justification": "Alike.", "are_equal": False},
     [("are_equal", False, "Alike.")]),
    ("key", FLAT, {"feedback_key": "style"}, {"tone": 4, "facts": 1},
     [("style:tone", 4, None), ("style:facts", 1, None)]),
    ("key-of-one", Equality, {"feedback_key": "same"},
     {"equality_justification": "Alike.", "are_equal": True}, [("same", True, "Alike.")]),
    ("label", Label, {}, {"label": "good"}, [("score", None, "good")]),
    ("label-without-reasoning", Label, {"use_reasoning": False}, {"label": "good"},
     [("score", None, "the output schema has no score")]),
    ("without-reasoning", Equality, {"use_reasoning": False},
     {"equality_justification": "A.", "are_equal": True}, [("are_equal", True, None)]),
    ("several-texts",
     {"properties": {"a": {"type": "string"}, "b": {"const": "x"}, "n": {"enum": [1, 2]}}}, {},
     {"a": "one", "b": "x", "n": 2}, [("n", 2, "a: one; b: x")]),
    ("member-named-score", {"properties": {"score": {"type": "number"}}}, {}, {"score": 7},
     [("score", 7, None)]),
    (
        "nested",
        {"properties": {"ok": {"type": "boolean"}, "parts": {"$ref": "#/$defs/P"}},
         "$defs": {"P": {"type": "object", "properties": {"score": {"type": "integer"}}}}},
        {},
        {"ok": True, "parts": {"score": 1}},
        [("ok", True, None)],
    ),
    ("referred", {"$ref": "#/$defs/G", "$defs": {"G": FLAT}}, {}, {"tone": 1, "facts": 0.1},
     [("tone", 1, None), ("facts", 0.1, None)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "options", "reply", "right"), [pytest.param(*row[1:], id=row[0]) for row in SCHEMAS]
)
def test_output_schemas(schema: Any, options: dict[str, Any], reply: Any, right: list[Any]) -> None:
    found = judged(replying(reply), output_schema=schema, **options)
    assert rows(found) == right
    assert isinstance(found, list) == (len(right) > 1)
    first = found[0] if isinstance(found, list) else found
    assert first["extra"]["output"] == reply
    assert first["extra"]["usage"]["judge_calls"] == 1
    assert all("usage" not in one["extra"] for one in (found[1:] if isinstance(found, list) else ()))


def test_what_a_score_has_to_reach_is_the_maximum_of_its_schema() -> None:
    tones, facts = zip(
        *(judged(replying(TONE | {"tone": tone}), output_schema=Grade) for tone in (4, 5)), strict=True
    )
    assert [one["extra"]["passed"] for one in tones] == [False, True]
    assert [one["extra"]["passed"] for one in facts] == [False, False]
    assert [one["extra"]["path"] for one in (tones[0], facts[0])] == ["tone", "facts"]


WRONG_REPLIES: Final[list[tuple[str, list[Any], list[Any], list[str]]]] = [
    ("range", [TONE | {"tone": 9}], [None, 0.5], ["judge_error", "graded"]),
    ("type", [TONE | {"tone": "4"}], [None, 0.5], ["judge_error", "graded"]),
    ("left-out", [{"tone": 4, "tone_reason": "r"}], [4, None], ["graded", "judge_error"]),
    ("mended", [TONE | {"tone": 9}, TONE], [4, 0.5], ["graded", "graded"]),
    ("no-text", [{"tone": 4, "facts": 1}], [4, 1], ["graded", "graded"]),
    ("prose", ["I like it."], [None, None], ["judge_error"] * 2),
    ("nan", ['{"tone": 4, "tone_reason": "r", "facts": NaN}'], [4, None], ["graded", "judge_error"]),
    ("infinite", ['{"tone": 4, "tone_reason": "r", "facts": 1e999}'], [4, None], ["graded", "judge_error"]),
]


@pytest.mark.parametrize(
    ("replies", "scores", "statuses"), [pytest.param(*row[1:], id=row[0]) for row in WRONG_REPLIES]
)
def test_replies_are_checked_by_the_schema(
    replies: list[Any], scores: list[Any], statuses: list[str]
) -> None:
    steps = replies if len(replies) == 2 else replies * 2
    model = replying(*steps)
    found = judged(model, output_schema=Grade)
    assert [one["score"] for one in found] == scores
    assert [one["extra"]["status"] for one in found] == statuses
    assert len(model.seen) == 4


def test_the_schema_that_is_sent_is_strict() -> None:
    client = FakeOpenAI(Step(say=TONE))
    judged(client, model="gpt-x", output_schema=Grade)
    schema = client.seen[0]["response_format"]["json_schema"]["schema"]
    assert list(strict_faults(schema)) == []
    assert schema["required"] == ["tone", "tone_reason", "facts"]
    assert "default" not in json.dumps(schema)


def test_what_could_not_be_asked_has_a_row_for_each_score() -> None:
    found = judged(replying(), {"inputs": 1}, output_schema=FLAT)
    assert [(one["key"], one["score"], one["extra"]["status"]) for one in found] == [
        ("tone", None, "not_evaluated"),
        ("facts", None, "not_evaluated"),
    ]


def test_a_prompt_with_a_schema_of_its_own() -> None:
    with pytest.warns(LangChainBetaWarning):
        prompt = StructuredPrompt([("human", "Grade {outputs}")], Grade)
    assert rows(judged(replying(TONE), prompt=prompt)) == [("tone", 4, "Warm."), ("facts", 0.5, None)]
    with pytest.raises(fieldwise.ConfigError) as caught:
        judged(replying(), prompt=prompt, output_schema=FLAT)
    assert str(caught.value) == (
        "output_schema is given with a prompt that has a schema of its own: leave one out"
    )


def test_a_function_answers_the_members_by_name() -> None:
    found = judged(lambda _: {"tone": 4, "facts": {"score": 0.5}}, output_schema=FLAT)
    assert rows(found) == [("tone", 4, None), ("facts", 0.5, None)]


def test_results_of_a_schema_go_to_langsmith_unchanged() -> None:
    """Report J20: the model's object is no feedback."""
    from uuid import uuid4

    from langsmith import Client, evaluate
    from langsmith.schemas import Example

    examples = [Example(id=uuid4(), inputs={"q": n}, outputs={"a": n}) for n in range(2)]
    sync: Any = fieldwise.create_llm_as_judge(prompt=PROMPT, judge=lambda _: TONE, output_schema=Grade)
    ran = evaluate(
        lambda inputs: {"a": inputs["q"]},
        data=examples,
        evaluators=[sync],
        upload_results=False,
        client=Client(auto_batch_tracing=False, api_key="none", api_url="http://127.0.0.1:9"),
    )
    given = [[(one.key, one.score) for one in row["evaluation_results"]["results"]] for row in ran]
    assert given == [[("tone", 4), ("facts", 0.5)]] * 2


def answered(value: Any) -> dict[str, Any]:
    schema = {"properties": {"score": {"type": "number"}}}
    evaluate = fieldwise.create_llm_as_judge(
        prompt=PROMPT, output_schema=schema, judge=lambda request: {"score": {"score": value}}
    )
    found: Any = evaluate(inputs=1, outputs=1, reference_outputs=1)
    return dict(found)


NO_DECIMALS: Final = ("NaN", "sNaN", "-Infinity", "1E+400")
NO_FLOATS: Final = [float("nan"), float("inf"), 10**400, *map(Decimal, NO_DECIMALS)]


@pytest.mark.parametrize("value", NO_FLOATS, ids=lambda value: str(value)[:9])
def test_a_number_that_no_finite_float_holds_is_no_score(value: Any) -> None:
    found = answered(value)
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")
    assert found["comment"].endswith(", which no finite float holds")


@pytest.mark.parametrize("half", [Decimal("0.5"), Fraction(1, 2)])
def test_a_number_of_another_class_is_a_float(half: Any) -> None:
    found = answered(half)
    assert (found["score"], found["comment"], found["extra"]["output"]) == (0.5, None, {"score": 0.5})
