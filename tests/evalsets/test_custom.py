"""Custom evaluators: what they derive from, what they are given, what becomes of what they return."""

from __future__ import annotations

import asyncio
import json
import re
import textwrap
import threading
import time
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langsmith import tracing_context
from pydantic import ValidationError

import fieldwise
from fieldwise import MISSING, aevaluate_records, evaluate_records
from fieldwise.errors import ConfigError
from fieldwise.evalsets.custom import (
    BaseEvaluationCriteria,
    BaseEvaluator,
    BaseEvaluatorConfig,
    BooleanEvaluationResult,
    ErrorEvaluationResult,
    NumericEvaluationResult,
    as_async_evaluator,
    as_evaluator,
    check_criteria_class,
)
from fieldwise.evalsets.custom.results import read_result
from fieldwise.integrations.opentelemetry import capture_spans, traced
from fieldwise.scorers.agents.execution import AgentExecution

_SHAPE = {"key", "score", "comment", "metadata", "extra"}


class Criteria(BaseEvaluationCriteria):
    expected_value: Any = None
    max_ms: float = 100.0


class Config(BaseEvaluatorConfig[Criteria]):
    name: str = "Custom"
    strict_mode: bool = False


class Returns(BaseEvaluator[Criteria, Config, str]):
    """Returns what the criteria say."""

    async def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
        await asyncio.sleep(0)
        return criteria.expected_value


class PlainReturns(BaseEvaluator[Criteria, Config, None]):
    def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
        return criteria.expected_value


class Raises(BaseEvaluator[Criteria]):
    async def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
        raise criteria.expected_value


class Sees(BaseEvaluator[Criteria]):
    """Keeps what it was called with."""

    def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
        self.seen = agent_execution, criteria
        return 1.0


def evaluate(evaluator: Any, criteria: Any = None, *, outputs: Any = "x", **more: Any) -> dict[str, Any]:
    """The result, sync and async the same, its shape checked."""
    result: Any = as_evaluator(evaluator, criteria)(outputs=outputs, **more)
    awaited: Any = as_async_evaluator(evaluator, criteria)
    assert asyncio.run(awaited(outputs=outputs, **more)) == result
    assert result.keys() == _SHAPE
    status, score = result["extra"]["status"], result["score"]
    assert (score is None) == (status not in {"graded", "invalid_output"})
    assert score is None or (type(score) is float and 0 <= score <= 1)
    json.dumps(result, allow_nan=False).encode()
    return dict(result)


def told(returned: Any, evaluator: Any = Returns) -> tuple[Any, str, Any]:
    """Score, status and comment for what an evaluator returns."""
    result = evaluate(evaluator, {"expected_value": returned})
    return result["score"], result["extra"]["status"], result["comment"]


# -------------------------------------------------------------------------------------------- the seed

SEED = Path(__file__).resolve().parents[3] / "shared" / "seeds" / "001_a65084119b617c44.txt"
EVALUATE = """
async def evaluate(self, agent_execution, criteria):
    spans = agent_execution.agent_trace
    named = [s for s in spans if s.name == "operation"]
    if not named:
        return NumericEvaluationResult(score=0.5, details="no such span")
    took = (named[0].end_time - named[0].start_time) / 1_000_000
    return NumericEvaluationResult(score=1.0 if took <= criteria.max_ms else 0.0, details=f"{took:.2f}ms")
"""


def duration_evaluator(method: str) -> type[BaseEvaluator[Any, Any, Any]]:
    """A class with this method, and with the criteria it names."""
    scope: dict[str, Any] = {
        "BaseEvaluationCriteria": BaseEvaluationCriteria,
        "BaseEvaluator": BaseEvaluator,
        "NumericEvaluationResult": NumericEvaluationResult,
    }
    source = (
        "class DurationCriteria(BaseEvaluationCriteria):\n    max_ms: float = 100.0\n\n"
        "class DurationEvaluator(BaseEvaluator[DurationCriteria]):\n" + textwrap.indent(method, "    ")
    )
    exec(source, scope)  # noqa: S102 - a block of documentation is to run as it is written
    made: type[BaseEvaluator[Any, Any, Any]] = scope["DurationEvaluator"]
    return made


def slow(name: str, seconds: float) -> AgentExecution:
    with capture_spans() as run:
        traced(name="after")(lambda: traced(name=name)(time.sleep)(seconds))()
    return AgentExecution({}, None, run.spans)


def test_a_duration_evaluator() -> None:
    evaluator = duration_evaluator(EVALUATE)
    run = slow("operation", 0.02)
    quick = evaluate(evaluator, {"maxMs": 10_000}, outputs=run)
    assert (quick["score"], quick["key"]) == (1.0, "DurationEvaluator")
    assert re.fullmatch(r"\d+\.\d\dms", quick["comment"])
    assert evaluate(evaluator, {"maxMs": 1}, outputs=run)["score"] == 0.0
    assert evaluate(evaluator, {"maxMs": 1}, outputs=AgentExecution())["comment"] == "no such span"


@pytest.mark.skipif(not SEED.exists(), reason=f"the reference document is not at {SEED}")
def test_the_documented_duration_evaluator_runs_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fieldwise, "traced", traced, raising=False)
    section = SEED.read_text(encoding="utf-8").partition("### Evaluating trace spans")[2]
    agent, method = re.findall(r"```python\n(.*?)```", section, re.DOTALL)[:2]
    scope: dict[str, Any] = {}
    agent = agent.replace("from uipath.tracing import traced", "from fieldwise import traced")
    exec(agent, scope)  # noqa: S102 - as above
    evaluator = duration_evaluator(method)
    with capture_spans() as run:
        traced(name="outer")(scope["my_function"])("x")
    execution = AgentExecution({}, None, run.spans)
    assert evaluate(evaluator, {"maxMs": 10_000}, outputs=execution)["score"] == 1.0
    assert evaluate(evaluator, {"maxMs": 0}, outputs=execution)["score"] == 0.0
    missing = evaluate(evaluator, {"maxMs": 1}, outputs=AgentExecution())
    assert (missing["score"], missing["comment"]) == (0.0, "span not found")


def test_the_trace_is_sorted_by_start() -> None:
    spans = [SimpleNamespace(name=str(at), start_time=at, attributes={}) for at in (3, 1, 2)]
    evaluator = Sees()
    for outputs in (AgentExecution({"a": 1}, "out", spans), spans):
        evaluate(evaluator, {"max_ms": 1}, outputs=outputs, inputs={"a": 1})
        execution, criteria = evaluator.seen
        assert [span.name for span in execution.agent_trace] == ["1", "2", "3"]
        assert execution.agent_input == {"a": 1}
        assert criteria.max_ms == 1


def test_what_is_no_execution_becomes_one() -> None:
    evaluator = Sees()
    evaluate(evaluator, {}, outputs={"result": 2}, inputs={"q": "1+1"})
    assert evaluator.seen[0] == AgentExecution({"q": "1+1"}, {"result": 2}, [])
    assert evaluator.seen[0].workload_output == {"result": 2}


@pytest.mark.parametrize(
    "trace", [None, [SimpleNamespace(start_time="x"), SimpleNamespace(start_time=1)], [3]]
)
def test_a_trace_that_has_no_order_is_left_as_it_is(trace: Any) -> None:
    evaluator = Sees()
    evaluate(evaluator, {}, outputs=AgentExecution(None, 1, trace))
    assert evaluator.seen[0].agent_trace == (trace or [])


# --------------------------------------------------------------------------------------------- results


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (NumericEvaluationResult(score=0.5, details="half"), (0.5, "graded", "half")),
        (NumericEvaluationResult(1), (1.0, "graded", None)),
        (NumericEvaluationResult(score=True), (1.0, "graded", None)),
        (NumericEvaluationResult(1 + 1e-12), (1.0, "graded", None)),
        (BooleanEvaluationResult(score=True), (1.0, "graded", None)),
        (BooleanEvaluationResult(score=False, details={"a": 1}), (0.0, "graded", '{"a":1}')),
        (ErrorEvaluationResult("no model"), (None, "not_evaluated", "no model")),
        (ErrorEvaluationResult(score=0.0, details="no model"), (None, "not_evaluated", "no model")),
        (ErrorEvaluationResult(),
         (None, "not_evaluated", "the evaluator gave an error without details")),
        (True, (1.0, "graded", None)),
        (False, (0.0, "graded", None)),
        (0.25, (0.25, "graded", None)),
        (Decimal("0.25"), (0.25, "graded", None)),
        ({"score": 1, "reasoning": "fine"}, (1.0, "graded", "fine")),
        ({"score": None, "comment": "no idea"}, (None, "not_evaluated", "no idea")),
        ({"score": None, "comment": "down", "extra": {"status": "judge_error"}},
         (None, "judge_error", "down")),
        ({"score": None, "extra": {"status": "graded"}},
         (None, "not_evaluated", "the evaluator gave no score")),
        (SimpleNamespace(score=0.5, details="theirs"), (0.5, "graded", "theirs")),
        (None, (None, "not_evaluated",
                "evaluate returned nothing; return a NumericEvaluationResult(score=…)")),
        ("good", (None, "not_evaluated",
                  "evaluate returned 'good', which is no result; return a NumericEvaluationResult(score=…)")),
        ([1.0], (None, "not_evaluated",
                 "evaluate returned [1.0], which is no result; return a NumericEvaluationResult(score=…)")),
        ({"a": 1}, (None, "not_evaluated", "evaluate returned an object without score: {'a': 1}; "  # noqa: ISC004
                    "return a NumericEvaluationResult(score=…)")),
        (NumericEvaluationResult(7.5),
         (None, "not_evaluated", "evaluate gave the score 7.5; a score is a number from 0 to 1")),
        (-0.1, (None, "not_evaluated", "evaluate gave the score -0.1; a score is a number from 0 to 1")),
        (float("nan"),
         (None, "not_evaluated", "evaluate gave the score nan; a score is a number from 0 to 1")),
        (NumericEvaluationResult(score="1"),  # type: ignore[arg-type]
         (None, "not_evaluated", "evaluate gave the score '1'; a score is a number from 0 to 1")),
        (10**400, (None, "not_evaluated", "evaluate gave the score "  # noqa: ISC004
                   f"1{'0' * 78}…; a score is a number from 0 to 1")),
    ],
)  # fmt: skip
def test_what_is_returned(returned: Any, expected: tuple[Any, str, Any]) -> None:
    assert told(returned) == expected
    assert told(returned, PlainReturns) == expected


def test_details_that_are_json_are_kept() -> None:
    result = evaluate(Returns, {"expectedValue": NumericEvaluationResult(1.0, {"a": [1]}, evaluation_time=2)})
    assert result["extra"] == {
        "status": "graded",
        "path": "$",
        "passed": True,
        "support": 1,
        "evaluation_time": 2.0,
        "details": {"a": [1]},
    }
    assert result["metadata"] == result["extra"]


def nested(levels: int) -> Any:
    made: Any = "x"
    for _ in range(levels):
        made = [made]
    return made


@pytest.mark.parametrize(
    ("details", "comment", "reason"),
    [
        (nested(5_000), "[" * 1_999 + "…", "ValueError: nested more than 100 levels deep"),
        ({"a": Decimal("1e-5000")}, '{"a":1E-5000}',
         "TypeError: Object of type Decimal is not JSON serializable"),
        ([object], "[<class 'object'>]", "Unconvertible: type at [0] has no JSON form; convert it first"),
    ],
    ids=["deep", "decimal", "no-json"],
)  # fmt: skip
def test_details_that_json_cannot_write_are_left_out(details: Any, comment: str, reason: str) -> None:
    class Says(BaseEvaluator[Criteria]):
        def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
            return NumericEvaluationResult(1.0, details)

    result = evaluate(Says, {"expectedValue": 1})
    assert (result["score"], result["comment"]) == (1.0, comment)
    assert "details" not in result["extra"]
    assert result["extra"]["details_left_out"] == reason


def test_details_of_five_thousand_digits_are_left_out() -> None:
    result = evaluate(PlainReturns, {"expectedValue": {"score": 0.5, "details": 10**5000}})
    assert (result["score"], result["comment"]) == (0.5, f"{hex(10**5000)[:1_999]}…")
    assert result["extra"]["details_left_out"].startswith("ValueError: Exceeds the limit")


def test_criteria_that_cannot_be_copied() -> None:
    result: Any = as_evaluator(Returns)(outputs=1, reference_outputs={"expectedValue": nested(5_000)})
    assert (result["score"], result["extra"]["status"], result["comment"]) == (
        None,
        "invalid_reference",
        "evaluation criteria: cannot be copied: RecursionError: maximum recursion depth exceeded",
    )
    with pytest.raises(ConfigError, match=r"^criteria: cannot be copied: RecursionError: "):
        as_evaluator(Returns, {"expectedValue": nested(5_000)})


class Refuses(Mapping[str, Any]):
    """A mapping that refuses to say anything."""

    def __getitem__(self, _: str) -> Any:
        raise RuntimeError("no")

    def __iter__(self) -> Any:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")


def test_a_reference_that_refuses_to_be_read() -> None:
    result = evaluate(Returns, reference_outputs=Refuses())
    assert (result["score"], result["extra"]["status"], result["comment"]) == (
        None,
        "invalid_reference",
        "evaluation criteria: cannot be read: RuntimeError: no",
    )


class Unlookable:
    @property
    def score(self) -> float:
        raise ZeroDivisionError("no")


def test_a_result_that_cannot_be_looked_at() -> None:
    assert told(Unlookable()) == (
        None,
        "not_evaluated",
        "the result cannot be read: ZeroDivisionError: no",
    )


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["score", "details", "comment", "extra"]), inner, max_size=3),
    max_leaves=6,
))  # fmt: skip
def test_whatever_is_returned_there_is_one_grade(returned: Any) -> None:
    grade = read_result(returned)
    assert (grade.score is None) == (grade.status != "graded")
    assert grade.score is None or 0 <= grade.score <= 1


ROWS = json.loads((Path(__file__).parents[1] / "cases" / "departures_custom.json").read_text("utf-8"))["rows"]


class Departs(BaseEvaluator[Criteria]):
    """Does what a row of the table says."""

    async def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
        acts: dict[str, Any] = {
            "error": lambda: ErrorEvaluationResult("no model"),
            "true": lambda: BooleanEvaluationResult(score=True),
            "7.5": lambda: NumericEvaluationResult(7.5),
            "0.5": lambda: 0.5,
            "trace": lambda: agent_execution.agent_trace == agent_execution.workload_trace,
        }
        return acts[criteria.expected_value]()


@pytest.mark.parametrize("row", [pytest.param(row, id=row["kind"]) for row in ROWS])
def test_departures(row: dict[str, Any]) -> None:
    asked = row.get("criteria", {"expectedValue": row.get("returned")})
    result = evaluate(Departs, reference_outputs=asked)
    assert [result["score"], result["extra"]["status"]] == row["result"]


# ---------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("no digits"), "evaluator raised ValueError: no digits"),
        (KeyError("x"), "evaluator raised KeyError: 'x'"),
        (StopIteration(), "evaluator raised RuntimeError: coroutine raised StopIteration"),
        (asyncio.CancelledError(), "evaluator raised CancelledError"),
        (ErrorEvaluationResult, None),
    ],
)  # fmt: skip
def test_what_is_raised_is_no_low_score(error: Any, reason: str | None) -> None:
    result = evaluate(Raises, {"expectedValue": error})
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert reason is None or result["comment"] == reason


class Panic(BaseException):
    """What some libraries raise that is no Exception."""


class RaisesAtOnce(BaseEvaluator[Criteria]):
    def evaluate(self, agent_execution: Any, criteria: Criteria) -> Any:
        raise criteria.expected_value


ENDS = (
    (SystemExit(0), "evaluator called sys.exit(0)"),
    (SystemExit(), "evaluator called sys.exit()"),
    (SystemExit("bye"), "evaluator called sys.exit('bye')"),
    (GeneratorExit(), "evaluator raised GeneratorExit"),
    (Panic("rust"), "evaluator raised Panic: rust"),
)


@pytest.mark.parametrize(("error", "reason"), [pytest.param(*row, id=row[1]) for row in ENDS])
@pytest.mark.parametrize("kind", [Raises, RaisesAtOnce])
def test_what_would_end_the_program_is_no_low_score(kind: Any, error: BaseException, reason: str) -> None:
    result = evaluate(kind, {"expectedValue": error})
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert result["comment"] == reason
    assert evaluate(Returns, {"expectedValue": 1})["score"] == 1.0  # the loop is still there


def test_an_interruption_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        as_evaluator(Raises, {"expectedValue": KeyboardInterrupt()})(outputs=1)
    assert evaluate(Returns, {"expectedValue": 1})["score"] == 1.0


def test_a_class_that_ends_the_program_when_it_is_made() -> None:
    class Ends(BaseEvaluator[Criteria]):
        def __init__(self, *_: Any) -> None:
            raise SystemExit(0)

        def evaluate(self, agent_execution: Any, criteria: Criteria) -> Any:
            return 1

    with pytest.raises(ConfigError, match=r"^Ends cannot be made: it called sys\.exit\(0\)$"):
        as_evaluator(Ends)


def test_outputs_that_are_missing() -> None:
    result: Any = as_evaluator(Returns, {"expectedValue": 1})(inputs={})  # type: ignore[call-overload]
    assert (result["score"], result["extra"]["status"]) == (0.0, "invalid_output")
    assert result["comment"] == "no outputs were given"


# ---------------------------------------------------------------------------------------------- criteria


@pytest.mark.parametrize("none", [MISSING, None, {}])
def test_without_criteria_the_default_counts(none: Any) -> None:
    evaluator: Any = as_evaluator(Returns, config={"defaultEvaluationCriteria": {"expectedValue": 0.5}})
    assert evaluator(outputs=1, reference_outputs=none)["score"] == 0.5


@pytest.mark.parametrize("none", [MISSING, None, {}])
def test_without_criteria_and_default_nothing_is_evaluated(none: Any) -> None:
    result = evaluate(Returns, reference_outputs=none)
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert result["comment"] == "No evaluation criteria provided, and there is no default"


def test_criteria_of_a_call_replace_the_default_whole() -> None:
    evaluator = Sees({"defaultEvaluationCriteria": {"expectedValue": "x", "maxMs": 5}})
    evaluate(evaluator, reference_outputs={"expected_value": "y"})
    assert evaluator.seen[1] == Criteria(expected_value="y", max_ms=100.0)
    evaluate(evaluator, reference_outputs=Criteria(max_ms=7))
    assert evaluator.seen[1] == Criteria(max_ms=7)


def test_criteria_given_once_leave_the_reference_alone() -> None:
    evaluator = Sees()
    evaluate(evaluator, {"maxMs": 5}, reference_outputs={"answer": 3})
    assert evaluator.seen[1].max_ms == 5


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ({"maxMss": 5}, "evaluation criteria: maxMss=5: there is no such key; did you mean 'maxMs'?"),
        ({"maxMs": "fast", "zz": 1},
         "evaluation criteria: maxMs='fast': Input should be a valid number, unable to parse string as a "  # noqa: ISC004
         "number; zz=1: there is no such key; the keys are 'expectedValue', 'maxMs'"),
        ([1], "evaluation criteria=[1]: must be an object or a Criteria"),
        ({1: 2}, "evaluation criteria: 1=1: Keys should be strings"),
    ],
)  # fmt: skip
def test_wrong_criteria_are_the_reference_s_fault(reference: Any, reason: str) -> None:
    result = evaluate(Returns, reference_outputs=reference)
    assert (result["score"], result["extra"]["status"]) == (None, "invalid_reference")
    assert result["comment"] == reason


def test_an_evaluator_that_changes_its_criteria_changes_them_for_one_call() -> None:
    class Greedy(BaseEvaluator[Criteria]):
        async def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
            criteria.expected_value.append(1)
            return len(criteria.expected_value) == 1

    evaluator: Any = as_evaluator(Greedy, {"expectedValue": []})
    assert [evaluator(outputs=1)["score"] for _ in range(2)] == [1.0, 1.0]


# ------------------------------------------------------------------------------------- classes and options


def test_models_take_both_spellings_and_name_what_they_do_not_know() -> None:
    assert (
        Criteria.model_validate({"maxMs": 1}) == Criteria(max_ms=1) == Criteria.model_validate({"max_ms": 1})
    )
    with pytest.raises(ValidationError) as raised:
        Criteria(max_msec=1)  # type: ignore[call-arg]
    assert [one["msg"] for one in raised.value.errors()] == ["there is no such key; did you mean 'max_ms'?"]


def test_keys_of_criteria_within_a_configuration_are_named_too() -> None:
    with pytest.raises(ConfigError) as raised:
        Returns({"nam": "x", "defaultEvaluationCriteria": {"maxM": 1}})
    assert str(raised.value) == (
        "Returns: evaluatorConfig: defaultEvaluationCriteria.maxM=1: there is no such key; did you mean "
        "'maxMs'?; nam='x': there is no such key; did you mean 'name'?"
    )


def test_ids_and_names() -> None:
    class Named(Returns):
        @classmethod
        def get_evaluator_id(cls) -> str:
            return "my-id"

    assert (Named().id, Named().name, Named({"name": ""}).name) == ("my-id", "Custom", "my-id")
    assert (Named(id="other").id, Raises().name, Returns({"name": "n"}).name) == ("other", "Raises", "n")
    assert Returns(Config(strict_mode=True)).evaluator_config.strict_mode
    made: Any = as_evaluator(Named, {"expectedValue": 1}, feedback_key="mine")
    assert (made.__name__, made(outputs=1)["key"]) == ("mine", "mine")


@pytest.mark.parametrize(
    ("cls", "criteria", "config"),
    [
        (Returns, Criteria, Config),
        (PlainReturns, Criteria, Config),
        (Raises, Criteria, BaseEvaluatorConfig[Criteria]),
    ],
)
def test_types_are_noted(cls: Any, criteria: Any, config: Any) -> None:
    assert (cls.criteria_type, cls.config_type) == (criteria, config)


def test_a_generic_class_between() -> None:
    from typing import Generic, TypeVar

    some = TypeVar("some", bound=BaseEvaluationCriteria)

    class Base(BaseEvaluator[some, Config, str], Generic[some]):
        def evaluate(self, agent_execution: AgentExecution, criteria: Any) -> Any:
            return 1.0

    class Made(Base[Criteria]):
        pass

    assert (Made.criteria_type, Made.config_type) == (Criteria, Config)


class Empty(BaseEvaluationCriteria):
    pass


class EmptyEvaluator(BaseEvaluator[Empty]):
    def evaluate(self, agent_execution: AgentExecution, criteria: Empty) -> Any:
        return 1.0


class Unfinished(BaseEvaluator[Criteria]):
    pass


NO_FIELDS = (
    "No evaluation criteria provided: Empty has no fields; give it one with a default, "
    'as `expected_value: str = ""`'
)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: as_evaluator(EmptyEvaluator), NO_FIELDS),
        (lambda: as_async_evaluator(EmptyEvaluator), NO_FIELDS),
        (lambda: check_criteria_class(Empty), NO_FIELDS),
        (lambda: check_criteria_class(3), "3 is no class of criteria: derive it from BaseEvaluationCriteria"),
        (lambda: as_evaluator(len),  # type: ignore[arg-type]
         "evaluator=<built-in function len>: must be a BaseEvaluator, or a class derived from it"),
        (lambda: as_evaluator(Unfinished), "Unfinished cannot be made: Can't instantiate abstract class "  # noqa: ISC004
         "Unfinished with abstract method evaluate"),
        (lambda: as_evaluator(Returns(), config={"name": "x"}),
         "config is given with an instance, which has its own: pass the class instead"),
        (lambda: as_evaluator(Returns, {"maxMss": 1}),
         "criteria: maxMss=1: there is no such key; did you mean 'maxMs'?"),
        (lambda: as_evaluator(Returns, feedback_key=""), "feedback_key='': must be text, and not empty"),
        (lambda: type("X", (BaseEvaluator[Config, Criteria],), {}), None),  # type: ignore[type-var]
    ],
)  # fmt: skip
def test_wrong_options(make: Any, message: str | None) -> None:
    with pytest.raises((ConfigError, TypeError)) as raised:
        make()
    assert (
        message is None
        or str(raised.value)
        .replace("'evaluate'", "evaluate")
        .replace("without an implementation for", "with")
        == message
    )


def test_types_in_the_wrong_place_are_named() -> None:
    with pytest.raises(ConfigError) as raised:

        class Swapped(BaseEvaluator[Criteria, Criteria]):  # type: ignore[type-var]
            pass

    assert str(raised.value) == (
        "Swapped: BaseEvaluator[Criteria, Config] takes a class derived from BaseEvaluatorConfig, "
        f"not {Criteria!r}"
    )


# ------------------------------------------------------------------------------------------------ loops


def test_the_sync_form_works_inside_a_running_loop() -> None:
    async def inside() -> Any:
        return as_evaluator(Returns, {"expectedValue": 0.5})(outputs=1)

    assert asyncio.run(inside())["score"] == 0.5


def test_an_evaluator_that_calls_another_one_sync_does_not_wait_forever() -> None:
    inner: Any = as_evaluator(Returns, {"expectedValue": 0.5})

    class Outer(BaseEvaluator[Criteria]):
        async def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
            return inner(outputs=agent_execution.agent_output)

    assert evaluate(Outer, {"maxMs": 1})["score"] == 0.5


def test_one_loop_serves_all_sync_calls() -> None:
    loops = set()

    class Notes(BaseEvaluator[Criteria]):
        async def evaluate(self, agent_execution: AgentExecution, criteria: Criteria) -> Any:
            loops.add(asyncio.get_running_loop())
            return 1.0

    evaluator = as_evaluator(Notes, {"maxMs": 1})
    threads = [threading.Thread(target=lambda: evaluator(outputs=1)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(loops) == 1


# ------------------------------------------------------------------------------------------------- runs

RECORDS = [{"outputs": at, "reference_outputs": {"expectedValue": at / 10}} for at in range(5)]


@pytest.mark.parametrize("cls", [Returns, PlainReturns])
def test_a_run_takes_them_as_any_other(cls: Any) -> None:
    broken = {"outputs": 1, "reference_outputs": {"expectedVal": 1}}
    records = [*RECORDS, broken]
    report = evaluate_records(records, [as_evaluator(cls)])
    awaited = asyncio.run(aevaluate_records(records, [as_async_evaluator(cls)]))
    for one in (report, awaited):
        assert one.score == pytest.approx(0.2)
        assert one.coverage == 5 / 6
        assert one.overall.statuses == {"graded": 5, "invalid_reference": 1}
        assert one.records[1].results[0]["key"] == "Custom"


def test_a_traced_evaluation_names_its_run() -> None:
    with tracing_context(enabled="local"):
        result: Any = as_evaluator(Returns, {"expectedValue": 1})(outputs=1)
        awaited: Any = as_async_evaluator(Returns, {"expectedValue": 1})
        other = asyncio.run(awaited(outputs=1))
    assert result.keys() == other.keys() == {*_SHAPE, "source_run_id"}
