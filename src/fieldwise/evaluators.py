"""Plans lifted to evaluators: what users create and frameworks call.

Three lifts make every public factory out of one declaration in `fieldwise.scorers`; signature, types and
docs survive. An evaluator is a plain closure: LangSmith drops objects whose `__call__` is async.
"""

from __future__ import annotations

import functools
from contextlib import closing
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from fieldwise._types import MISSING
from fieldwise.core.flow import adrive, drive, drive_many
from fieldwise.integrations.langsmith import EvaluationRun, wanted
from fieldwise.judges import as_async_judge, as_judge
from fieldwise.scorers.contains import contains, contains_all, contains_any
from fieldwise.scorers.contains_json import contains_json
from fieldwise.scorers.edges import ends_with, starts_with
from fieldwise.scorers.exact_match import exact_match
from fieldwise.scorers.extraction import summarise
from fieldwise.scorers.field_match import field_match
from fieldwise.scorers.json_checks import json_edit_distance, json_equality, json_validity
from fieldwise.scorers.json_diff import json_diff
from fieldwise.scorers.json_schema import json_schema
from fieldwise.scorers.json_similarity import json_similarity
from fieldwise.scorers.judged import llm_judge_output
from fieldwise.scorers.llm_as_judge import llm_as_judge
from fieldwise.scorers.multi_field import multi_field
from fieldwise.scorers.regex_match import regex_match
from fieldwise.scorers.strict_json import llm_judge_strict_json
from fieldwise.scorers.string_similarity import string_similarity
from fieldwise.scorers.structured import json_match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from openevals.types import SimpleAsyncEvaluator, SimpleEvaluator

    from fieldwise._types import (
        EvaluatorResult,
        StringEvaluator,
        StringResult,
        SummaryEvaluator,
        SummaryResult,
    )
    from fieldwise.scorers.plan import Card, Plan

    Results = list[EvaluatorResult]
    Returned = Results | EvaluatorResult

P = ParamSpec("P")
F = TypeVar("F")
PLAN = "__fieldwise_plan__"
"""The attribute of an evaluator that holds its plan."""


def evaluator(declare: Callable[P, Plan], *, after: str = "_evaluator") -> Callable[P, SimpleEvaluator]:
    """Lift a declaration to a factory of evaluators; `after` ends its name."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> SimpleEvaluator:
        plan = declare(*args, **kwargs)
        judge = as_judge(plan.judge, plan.model, plan.settings)

        def evaluate(
            *, inputs: Any = None, outputs: Any = MISSING, reference_outputs: Any = MISSING, **more: Any
        ) -> Returned:
            flow = plan.flow(inputs, outputs, reference_outputs, **(more if plan.takes_more else {}))
            if not wanted():
                found = drive(flow, judge).results()
            else:
                with EvaluationRun(plan.name, inputs, outputs, reference_outputs) as run:
                    found = run.record(drive(flow, judge).results())
            return found[0] if plan.single else found

        return cast("SimpleEvaluator", _named(evaluate, plan))

    return _documented(create, declare, "", after)


def async_evaluator(
    declare: Callable[P, Plan], *, after: str = "_evaluator"
) -> Callable[P, SimpleAsyncEvaluator]:
    """Lift a declaration to a factory of async evaluators; `after` ends its name."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> SimpleAsyncEvaluator:
        plan = declare(*args, **kwargs)
        judge = as_async_judge(plan.judge, plan.model, plan.settings)

        async def evaluate(
            *, inputs: Any = None, outputs: Any = MISSING, reference_outputs: Any = MISSING, **more: Any
        ) -> Returned:
            flow = plan.flow(inputs, outputs, reference_outputs, **(more if plan.takes_more else {}))
            if not wanted():
                found = (await adrive(flow, judge)).results()
            else:
                with EvaluationRun(plan.name, inputs, outputs, reference_outputs) as run:
                    found = run.record((await adrive(flow, judge)).results())
            return found[0] if plan.single else found

        return cast("SimpleAsyncEvaluator", _named(evaluate, plan))

    return _documented(create, declare, "async_", after)


def string_evaluator(declare: Callable[P, Plan]) -> Callable[P, StringEvaluator]:
    """Lift a declaration to a factory of string evaluators."""

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> StringEvaluator:
        return _StringEvaluator(declare(*args, **kwargs))

    return _documented(create, declare, "", "_string_evaluator")


def summary_evaluator(
    declare: Callable[P, Plan],
    summarise: Callable[[Results, Iterable[Results]], Results],
) -> Callable[P, SummaryEvaluator]:
    """Lift a declaration to a factory of evaluators over many records.

    `summarise` gets the results of no record at all, which name the keys there are, and those of each.
    """

    @functools.wraps(declare)
    def create(*args: P.args, **kwargs: P.kwargs) -> SummaryEvaluator:
        plan = declare(*args, **kwargs)
        judge = as_judge(plan.judge, plan.model, plan.settings)
        blank = drive(plan.flow(None, MISSING, MISSING), None).results()
        summarise(blank, ())  # raises for keys that would collide

        def evaluate(*, outputs: Any, reference_outputs: Any) -> SummaryResult:
            records = zip_longest(_listed(outputs), _listed(reference_outputs), fillvalue=MISSING)
            flows = (plan.flow(None, came, wanted) for came, wanted in records)
            with closing(drive_many(flows, judge)) as cards:
                return {"results": summarise(blank, (card.results() for card in cards))}

        evaluate.__name__ = evaluate.__qualname__ = f"{plan.name}_summary"
        return evaluate

    create.__doc__ = summarise.__doc__
    return _documented(create, declare, "", "_summary_evaluator")


def _listed(values: Any) -> list[Any]:
    """The records of one side; what is no list is one record."""
    return list(values) if isinstance(values, list | tuple) else [values]


class _StringEvaluator:
    """LangChain's string evaluator interface over a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._held = as_async_judge(
            plan.judge, plan.model, plan.settings
        )  # refused now, or made now and once
        setattr(self, PLAN, plan)

    @property
    def evaluation_name(self) -> str:
        return self._plan.name

    @property
    def requires_input(self) -> bool:
        return False

    @property
    def requires_reference(self) -> bool:
        return self._plan.requires_reference

    def evaluate_strings(
        self, *, prediction: Any, reference: Any = None, input: Any = None, **_: Any
    ) -> StringResult:
        judge = as_judge(self._plan.judge, self._plan.model, self._plan.settings)
        return _strings(drive(self._flow(prediction, reference, input), judge))

    async def aevaluate_strings(
        self, *, prediction: Any, reference: Any = None, input: Any = None, **_: Any
    ) -> StringResult:
        judge = as_async_judge(self._plan.judge, self._plan.model, self._plan.settings)
        return _strings(await adrive(self._flow(prediction, reference, input), judge))

    def _flow(self, prediction: Any, reference: Any, given: Any) -> Any:
        return self._plan.flow(given, prediction, MISSING if reference is None else reference)


def _strings(card: Card) -> StringResult:
    summary = card.summary()
    return {
        "score": summary["score"],
        "reasoning": summary["comment"],
        "metadata": {"key": summary["key"], **summary["metadata"]},
        "results": card.results(),
    }


def _named(function: Any, plan: Plan) -> Any:
    function.__name__ = function.__qualname__ = plan.name
    setattr(function, PLAN, plan)
    return function


def _documented(create: F, declare: Callable[..., Plan], before: str, after: str) -> F:
    named: Any = create
    named.__name__ = named.__qualname__ = f"create_{before}{declare.__name__}{after}"
    named.__module__ = __name__
    return create


create_json_match_evaluator = evaluator(json_match)
create_async_json_match_evaluator = async_evaluator(json_match)
create_json_match_string_evaluator = string_evaluator(json_match)

create_multi_field_evaluator = evaluator(multi_field)
create_async_multi_field_evaluator = async_evaluator(multi_field)
create_multi_field_string_evaluator = string_evaluator(multi_field)
create_multi_field_summary_evaluator = summary_evaluator(multi_field, summarise)

create_json_diff_evaluator = evaluator(json_diff)
create_async_json_diff_evaluator = async_evaluator(json_diff)
create_json_diff_string_evaluator = string_evaluator(json_diff)

create_json_similarity_evaluator = evaluator(json_similarity)
create_async_json_similarity_evaluator = async_evaluator(json_similarity)
create_json_similarity_string_evaluator = string_evaluator(json_similarity)

create_json_equality_evaluator = evaluator(json_equality)
create_async_json_equality_evaluator = async_evaluator(json_equality)
create_json_equality_string_evaluator = string_evaluator(json_equality)

create_json_validity_evaluator = evaluator(json_validity)
create_async_json_validity_evaluator = async_evaluator(json_validity)
create_json_validity_string_evaluator = string_evaluator(json_validity)

create_json_schema_evaluator = evaluator(json_schema)
create_async_json_schema_evaluator = async_evaluator(json_schema)
create_json_schema_string_evaluator = string_evaluator(json_schema)

create_json_edit_distance_evaluator = evaluator(json_edit_distance)
create_async_json_edit_distance_evaluator = async_evaluator(json_edit_distance)
create_json_edit_distance_string_evaluator = string_evaluator(json_edit_distance)

create_exact_match_evaluator = evaluator(exact_match)
create_async_exact_match_evaluator = async_evaluator(exact_match)
create_exact_match_string_evaluator = string_evaluator(exact_match)

create_contains_evaluator = evaluator(contains)
create_async_contains_evaluator = async_evaluator(contains)
create_contains_string_evaluator = string_evaluator(contains)

create_contains_any_evaluator = evaluator(contains_any)
create_async_contains_any_evaluator = async_evaluator(contains_any)
create_contains_any_string_evaluator = string_evaluator(contains_any)

create_contains_all_evaluator = evaluator(contains_all)
create_async_contains_all_evaluator = async_evaluator(contains_all)
create_contains_all_string_evaluator = string_evaluator(contains_all)

create_starts_with_evaluator = evaluator(starts_with)
create_async_starts_with_evaluator = async_evaluator(starts_with)
create_starts_with_string_evaluator = string_evaluator(starts_with)

create_ends_with_evaluator = evaluator(ends_with)
create_async_ends_with_evaluator = async_evaluator(ends_with)
create_ends_with_string_evaluator = string_evaluator(ends_with)

create_regex_match_evaluator = evaluator(regex_match)
create_async_regex_match_evaluator = async_evaluator(regex_match)
create_regex_match_string_evaluator = string_evaluator(regex_match)

create_string_similarity_evaluator = evaluator(string_similarity)
create_async_string_similarity_evaluator = async_evaluator(string_similarity)
create_string_similarity_string_evaluator = string_evaluator(string_similarity)

create_contains_json_evaluator = evaluator(contains_json)
create_async_contains_json_evaluator = async_evaluator(contains_json)
create_contains_json_string_evaluator = string_evaluator(contains_json)

create_field_match_evaluator = evaluator(field_match)
create_async_field_match_evaluator = async_evaluator(field_match)
create_field_match_string_evaluator = string_evaluator(field_match)

create_llm_judge_output_evaluator = evaluator(llm_judge_output)
create_async_llm_judge_output_evaluator = async_evaluator(llm_judge_output)
create_llm_judge_output_string_evaluator = string_evaluator(llm_judge_output)

create_llm_judge_strict_json_evaluator = evaluator(llm_judge_strict_json)
create_async_llm_judge_strict_json_evaluator = async_evaluator(llm_judge_strict_json)
create_llm_judge_strict_json_string_evaluator = string_evaluator(llm_judge_strict_json)

create_llm_as_judge = evaluator(llm_as_judge, after="")
create_async_llm_as_judge = async_evaluator(llm_as_judge, after="")
