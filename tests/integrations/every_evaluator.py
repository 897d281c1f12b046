"""Every public evaluator beside records of every shape that LangSmith knows, for tests that run all on all.

`EVALUATORS` has the options that an evaluator needs, `RECORDS` what a target returns for an example. Each
evaluator grades at least one of the records; on the others it says why not.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from langsmith.schemas import Example

import fieldwise
from fieldwise import MISSING, JudgeRequest


def judge(request: JudgeRequest) -> dict[str, Any]:
    """Answer whatever is asked, on its scale."""
    scales: dict[str, Any] = {"percent": 90, "verdict": "same", "unit": 1.0, "choice": 1.0}
    return {
        one.id: {"score": scales.get(one.scale, True), "reasoning": "as expected"}
        for one in request.questions
    }


async def ajudge(request: JudgeRequest) -> dict[str, Any]:
    return judge(request)


JUDGED: dict[str, dict[str, Any]] = {
    "llm_as_judge": {"prompt": "Is it right? {outputs}"},
    "llm_judge_graph_trajectory": {},
    "llm_judge_output": {},
    "llm_judge_strict_json": {},
    "llm_judge_trajectory": {},
    "llm_judge_trajectory_simulation": {},
}
EVALUATORS: dict[str, dict[str, Any]] = {
    "binary_classification": {"positive_class": "yes", "classes": ["yes", "no"]},
    "contains": {"search_text": "ada"},
    "contains_all": {"substrings": ["ada", "pm"]},
    "contains_any": {"substrings": ["ada", "bob"]},
    "contains_json": {},
    "ends_with": {"suffix": "pm"},
    "error_budget": {"max_errors": 0},
    "exact_match": {},
    "field_match": {"json_field": "name"},
    "graph_trajectory_match": {},
    "grounded_fields": {"context_key": "question"},
    "json_diff": {},
    "json_edit_distance": {},
    "json_equality": {},
    "json_match": {"rubric": {"name": "the same person"}, "judge": judge},
    "json_schema": {"schema": {"required": ["name"]}},
    "json_similarity": {},
    "json_validity": {},
    "latency_budget": {"max_ms": 5},
    "multi_field": {"fields": ["name", "age"]},
    "multiclass_classification": {"classes": ["yes", "no", "perhaps"]},
    "regex_match": {"pattern": r"\d pm"},
    "span_order": {"order": ["search", "answer"]},
    "starts_with": {"prefix": "hello"},
    "string_similarity": {},
    "token_budget": {"max_tokens": 100},
    "tool_call_args": {},
    "tool_call_count": {},
    "tool_call_order": {},
    "tool_call_output": {},
    "trajectory_match": {},
    **{name: {**options, "judge": judge} for name, options in JUDGED.items()},
}


def call(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "args": {"q": "llamas"}, **more}


@dataclass(frozen=True)
class Returned:
    """What a target does with an example: return this, or raise it."""

    what: Any
    reference: dict[str, Any] | None

    @property
    def seen(self) -> dict[str, Any]:
        """The outputs that LangSmith makes of it."""
        if isinstance(self.what, Exception):
            return {"output": None}
        return self.what if isinstance(self.what, dict) else {"output": self.what}

    @property
    def given(self) -> dict[str, Any]:
        """What an evaluator gets: nothing of a target that raised, nor of an example without outputs."""
        raised = isinstance(self.what, Exception)
        return {
            "outputs": MISSING if raised else self.seen,
            "reference_outputs": MISSING if self.reference is None else self.reference,
        }


ADA = {"name": "Ada", "age": 36}
RECORDS: dict[str, Returned] = {
    "object": Returned(ADA, ADA),
    "columns": Returned({"name": "Bob", "note": None}, {**ADA, "note": "x", "expectedOutput": "Ada"}),
    "text": Returned("hello ada, it is 5 pm", {"output": "hello Ada, it is 5 pm"}),
    "json-text": Returned('```json\n{"name": "Ada"}\n```', {"name": "Ada"}),
    "field": Returned({"name": "Ada"}, {"output": "Ada"}),
    "list": Returned([{"a": 2}, {"a": 1}], {"output": [{"a": 1}, {"a": 2}]}),
    "none": Returned(None, ADA),
    "raises": Returned(TimeoutError("the model took too long"), ADA),
    "raises-null": Returned(TimeoutError("the model took too long"), {"output": None}),
    "unlabelled": Returned(ADA, None),
    "label": Returned("yes", {"expectedClass": "yes"}),
    "calls": Returned(
        [call("search", output="{}")],
        {
            "toolCalls": [call("search")],
            "toolCallsOrder": ["search"],
            "toolOutputs": [{"name": "search", "output": "{}"}],
            "expectedAgentBehavior": "It searches.",
        },
    ),
    "counts": Returned([call("search")], {"search": ["=", 1]}),
    "messages": Returned(
        {"messages": [{"role": "assistant", "tool_calls": [call("search")], "usage": {"total_tokens": 9}}]},
        {"messages": [{"role": "assistant", "tool_calls": [call("search")]}]},
    ),
    "outputs": Returned([call("search", output="{}")], {"toolOutputs": [{"name": "search", "output": "{}"}]}),
    "order": Returned([call("search")], {"toolCallsOrder": ["search"]}),
    "behaviour": Returned([call("search")], {"expectedAgentBehavior": "It searches."}),
    "args": Returned([call("search")], {"toolCalls": [call("search")]}),
    "graph": Returned(
        {"steps": [["__start__", "agent"]], "results": [{"a": 2}]}, {"steps": [["__start__", "agent"]]}
    ),
    "spans": Returned(
        [
            {"name": "search", "start_time": 1, "end_time": 2, "attributes": {}},
            {"name": "answer", "start_time": 3, "end_time": 4, "attributes": {}},
        ],
        {"answer": "x"},
    ),
}
NAMES = list(RECORDS)


def factory(name: str, form: str = "") -> Any:
    """The factory of an evaluator; `form` is "" or "async_"."""
    long = f"create_{form}{name}_evaluator"
    return getattr(fieldwise, long if long in fieldwise.__all__ else f"create_{form}{name}")


def examples(dataset_id: Any = None) -> list[Example]:
    """An example for each record."""
    return [
        Example(
            id=uuid.uuid4(),
            inputs={"n": n, "question": "Who is Ada, 36?"},
            outputs=RECORDS[name].reference,
            **({} if dataset_id is None else {"dataset_id": dataset_id}),
        )
        for n, name in enumerate(NAMES)
    ]


def target(inputs: dict[str, Any]) -> Any:
    what = RECORDS[NAMES[inputs["n"]]].what
    if isinstance(what, Exception):
        raise what
    return what


async def atarget(inputs: dict[str, Any]) -> Any:
    return target(inputs)
