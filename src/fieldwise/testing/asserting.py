"""Assertions on structured answers: they pass, or say place by place what is wrong.

Rules of this module:

1. Nothing passes that was not graded, whatever the reason.
2. A wrong option is a ConfigError, as everywhere; it is no failed assertion.
3. pytest shows the line of the test, not what is in here.
4. Whoever listens hears of the scores, whether the assertion passes or fails; inside a test that LangSmith
   tracks they are its feedback.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fieldwise.testing.listening import tell

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from fieldwise._types import Results
    from fieldwise.integrations.tracing import EvaluationRun
    from fieldwise.run import Examined
    from fieldwise.scorers.field import Field


def assert_matches(
    outputs: Any,
    reference: Any,
    fields: Sequence[str | Field] | None = None,
    *,
    inputs: Any = None,
    evaluator: Any = None,
    threshold: float | None = None,
    judge: Any = None,
    **options: Any,
) -> Results:
    """Assert that a structured output is right, field by field.

    Args:
        outputs: what came.
        reference: what was expected.
        fields: the fields to compare, as `create_multi_field_evaluator` takes them; without, all leaves of
            both documents are compared, as by `create_json_match_evaluator(depth="leaves",
            list_aggregator="average")`.
        inputs: what the system was given, for an evaluator that looks at it.
        evaluator: compares instead: any evaluator that `fieldwise.evaluate_records` takes.
        threshold: in (0, 1]: what the score of the whole has to reach, whatever single fields have; a field
            that is `required` has to be right all the same. Without, every field has to reach its own
            threshold, 1 unless the field or the evaluator says otherwise.
        judge: answers rubrics.
        options: those of the evaluator that compares.

    Returns:
        The results, all of them graded.

    Raises:
        AssertionError: something is not right, or was not graded; with a line for each place: its path, what
            was expected, what came, and how that was found.
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> from fieldwise.testing import assert_matches
        >>> [one["score"] for one in assert_matches('{"qty": 2}', {"qty": 2.0})]
        [1.0]
        >>> try:
        ...     assert_matches({"qty": 3, "unit": "kg"}, {"qty": 2, "unit": "kg"})
        ... except AssertionError as error:
        ...     print(error)
        json_match: 1 of 2 values not right, score 0.500
          path  expected  got
           qty         2    3  wrong, exact
    """
    __tracebackhide__ = True
    from fieldwise.evaluators.fields import create_multi_field_evaluator
    from fieldwise.evaluators.match import create_json_match_evaluator
    from fieldwise.run import examine

    makers = create_json_match_evaluator, create_multi_field_evaluator
    bar, evaluator = _checked(threshold), _chosen(evaluator, makers, fields, judge, options)
    record = {"inputs": inputs, "outputs": outputs, "reference_outputs": reference}
    with _traced(evaluator, record) as run:
        found = _recorded(examine(record, evaluator, judge=judge), run)
    return _settled(found, bar)


async def aassert_matches(
    outputs: Any,
    reference: Any,
    fields: Sequence[str | Field] | None = None,
    *,
    inputs: Any = None,
    evaluator: Any = None,
    threshold: float | None = None,
    judge: Any = None,
    **options: Any,
) -> Results:
    """As `assert_matches`, awaiting an async evaluator or judge; sync ones run in threads.

    Example:
        >>> import asyncio
        >>> from fieldwise.testing import aassert_matches
        >>> [one["key"] for one in asyncio.run(aassert_matches({"qty": 2}, {"qty": 2}, ["qty"]))]
        ['multi_field:qty', 'multi_field:aggregate_score']
    """
    __tracebackhide__ = True
    from fieldwise.evaluators.fields import create_async_multi_field_evaluator
    from fieldwise.evaluators.match import create_async_json_match_evaluator
    from fieldwise.run._examine import aexamine

    makers = create_async_json_match_evaluator, create_async_multi_field_evaluator
    bar, evaluator = _checked(threshold), _chosen(evaluator, makers, fields, judge, options)
    record = {"inputs": inputs, "outputs": outputs, "reference_outputs": reference}
    with _traced(evaluator, record) as run:
        found = _recorded(await aexamine(record, evaluator, judge=judge), run)
    return _settled(found, bar)


# ---------------------------------------------------------------------------------------- before


def _checked(threshold: Any) -> float | None:
    __tracebackhide__ = True
    from fieldwise.scorers import options

    return None if threshold is None else options.threshold("threshold", threshold)


def _chosen(evaluator: Any, makers: tuple[Any, Any], fields: Any, judge: Any, options: dict[str, Any]) -> Any:
    """The evaluator given, else one of all leaves or of the fields, which the two makers make."""
    __tracebackhide__ = True
    if evaluator is not None:
        _refuse(fields, options)
        return evaluator
    match, named = makers
    given = options if judge is None else {"judge": judge, **options}
    if fields is not None:
        return named(fields=fields, **given)
    return match(**{"depth": "leaves", "list_aggregator": "average", **given})


def _refuse(fields: Any, options: dict[str, Any]) -> None:
    """Refuse options that an evaluator given ready-made cannot have any more."""
    __tracebackhide__ = True
    from fieldwise.errors import ConfigError

    names = [*(["fields"] if fields is not None else []), *options]
    if names:
        raise ConfigError(
            f"evaluator and {', '.join(names)} are given: pass them where the evaluator is created"
        )


def _traced(evaluator: Any, record: dict[str, Any]) -> AbstractContextManager[EvaluationRun | None]:
    """The run of an evaluation, where LangSmith traces; an evaluator that is not ours sees to its own."""
    from fieldwise.evaluators._lifts import PLAN
    from fieldwise.integrations.tracing import EvaluationRun, wanted

    plan = getattr(evaluator, PLAN, None)
    if plan is None or not wanted():
        return nullcontext()
    return EvaluationRun(plan.name, *record.values())


# ----------------------------------------------------------------------------------------- after


def _recorded(found: Examined, run: EvaluationRun | None) -> Examined:
    """What was found, its results with the run that they are of."""
    return found if run is None else replace(found, results=run.record(found.results))


def _settled(found: Examined, bar: float | None) -> Results:
    """The results, told of; an AssertionError unless they pass."""
    __tracebackhide__ = True
    tell(found.results)
    failed = _failed(found, bar)
    if failed:
        from fieldwise.testing.diff import diff

        raise AssertionError(diff(found, failed, bar))
    return found.results


def _failed(found: Examined, bar: float | None) -> Results:
    """The results for which the assertion fails."""
    from fieldwise.scorers.field_cards import AGGREGATE
    from fieldwise.testing.diff import whole

    suffix = f":{AGGREGATE}"
    fields = [one for one in found.results if not one["key"].endswith(suffix)] or found.results
    wrong = [one for one in fields if not _passed(one)]
    if bar is None:
        return wrong
    owed = [one for one in wrong if one["score"] is None or one["extra"].get("required")]
    score, extra = whole(found)
    if score is None or (score > bar if extra.get("lower_is_better") else score < bar):
        return owed or wrong or fields
    return owed


def _passed(result: Any) -> bool:
    """Whether a result reached its own threshold: 1 for an evaluator that speaks of none."""
    score = result["score"]
    return score is not None and bool(result["extra"].get("passed", score >= 1))
