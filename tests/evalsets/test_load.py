"""Evaluation sets from files: what they mean once they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from fieldwise._types import MISSING
from fieldwise.evalsets.criteria import NOT_SET, SKIP, criteria_of, why_not_set
from fieldwise.evalsets.files.spelling import snake
from fieldwise.evalsets.load import FileErrors, load_set, load_spec
from fieldwise.evalsets.model import Chosen, EvaluationSet, Item, Spec
from tests.evalsets.folders import eval_set, item, project, spec

CUSTOM: Final = """
from fieldwise.evalsets.custom import BaseEvaluationCriteria, BaseEvaluator, BaseEvaluatorConfig

class Words(BaseEvaluationCriteria):
    at_least: int = 1

class Config(BaseEvaluatorConfig[Words]):
    fold: bool = False

class Wordy(BaseEvaluator[Words, Config, str]):
    def evaluate(self, agent_execution, criteria):
        return len(agent_execution.agent_output.split()) >= criteria.at_least
"""


def custom(**more: Any) -> dict[str, Any]:
    return {**spec("custom-wordy", "W"), "evaluatorSchema": "file://wordy.py:Wordy", **more}


def judge(request: Any) -> dict[str, Any]:
    return {one.id: {"score": 80, "reasoning": "near"} for one in request.questions}


# ------------------------------------------------------------------------------------------- the file


def test_a_set_is_read_whole(tmp_path: Path) -> None:
    items = [
        item(
            "a",
            {"E": {"expectedOutput": 1}},
            name="A",
            inputs={"q": 1},
            expectedOutput={"x": 1},
            expectedAgentBehavior="It adds.",
            mockingStrategy={
                "type": "llm",
                "prompt": "Two kettles.",
                "toolsToSimulate": [{"name": "search"}],
            },
            inputMockingStrategy={"prompt": "Any."},
        ),
        item("b"),
    ]
    file = project(
        tmp_path, eval_set(["E"], items, name="Set", modelSettings=[], agentMemoryEnabled=False), spec()
    )
    evaluator = str(tmp_path / "evaluations/evaluators/e0.json")
    assert load_set(file) == EvaluationSet(
        "set",
        "Set",
        (Chosen(Spec("E", "uipath-exact-match", "E", file=evaluator)),),
        (
            Item("a", "A", {"q": 1}, {"E": {"expectedOutput": 1}}, {"x": 1}, "It adds.", "Two kettles.", 1),
            Item("b", "b", {}, {}, MISSING, "", "", 1),
        ),
        str(file),
    )


def test_items_know_their_lines(tmp_path: Path) -> None:
    text = '{"version": "1.0", "id": "s", "evaluatorRefs": [],\n"evaluations": [\n%s]}'
    one = '{"id": "a", "inputs":\n{}, "evaluationCriterias": {}}'
    items = ",\n\n".join(one.replace('"a"', f'"{name}"') for name in "abc")
    loaded = load_set(project(tmp_path, text % items))
    assert [(one.id, one.line) for one in loaded.items] == [("a", 3), ("b", 6), ("c", 9)]


def test_weights_and_thresholds(tmp_path: Path) -> None:
    configs = [{"ref": "E", "weight": 2, "threshold": 0.5}, "C", {"ref": "D", "weight": 0}]
    the_set = eval_set(["Nobody"], [], evaluatorConfigs=configs)
    evaluators = (spec(), spec("uipath-contains", "C"), spec("fieldwise-json-match", "D"))
    loaded = load_set(project(tmp_path, the_set, *evaluators))
    assert [(one.spec.id, one.weight, one.threshold) for one in loaded.evaluators] == [
        ("E", 2.0, 0.5), ("C", 1.0, None), ("D", 0.0, None)
    ]  # fmt: skip


def test_no_configs_leave_the_refs(tmp_path: Path) -> None:
    loaded = load_set(project(tmp_path, eval_set(["E"], [], evaluatorConfigs=[]), spec()))
    assert [one.spec.id for one in loaded.evaluators] == ["E"]


def test_evaluators_come_in_the_order_of_the_set(tmp_path: Path) -> None:
    ids = ["d", "a", "c", "b"]
    loaded = load_set(project(tmp_path, eval_set(ids, []), *(spec("uipath-contains", one) for one in "abcd")))
    assert [one.spec.id for one in loaded.evaluators] == ids


def snaked(value: Any) -> Any:
    if isinstance(value, list):
        return [snaked(one) for one in value]
    if isinstance(value, dict):
        return {snake(key) if key not in {"E", "C"} else key: snaked(one) for key, one in value.items()}
    return value


def test_both_spellings_mean_the_same(tmp_path: Path) -> None:
    the_set = eval_set(
        [],
        [
            item("a", {"E": {"expectedOutput": 1}}, expectedAgentBehavior="x"),
            item("b", {"C": {"searchText": "s"}}),
        ],
        evaluatorConfigs=[{"ref": "E", "weight": 2}, "C"],
    )
    evaluators = (
        spec(targetOutputKey="a.b", ignoreCase=True, defaultEvaluationCriteria={"expectedOutput": 2}),
        spec("uipath-contains", "C", caseSensitive=True),
    )
    camel = load_set(project(tmp_path, the_set, *evaluators))
    assert load_set(project(tmp_path, snaked(the_set), *map(snaked, evaluators))) == camel
    assert camel.evaluators[0].spec.options == {"target_output_key": "a.b", "ignore_case": True}
    assert camel.evaluators[0].spec.default == {"expectedOutput": 2}


@pytest.mark.parametrize(
    ("where", "evaluators"),
    [
        pytest.param("evaluations/eval-sets", None, id="seed"),
        pytest.param("evaluations", None, id="beside-the-set"),
        pytest.param("evaluations/evaluators", None, id="same-folder"),
        pytest.param("elsewhere", "evaluations/evaluators", id="named"),
    ],
)
def test_where_evaluators_are_found(where: str, evaluators: str | None, tmp_path: Path) -> None:
    file = project(tmp_path, eval_set(["E"], []), spec())
    (tmp_path / where).mkdir(exist_ok=True)
    (tmp_path / where / "other.json").write_text('{"not": "of ours"}')
    moved = file.rename(tmp_path / where / "set.json")
    loaded = load_set(moved, evaluators=None if evaluators is None else tmp_path / evaluators)
    assert [one.spec.id for one in loaded.evaluators] == ["E"]


def test_a_folder_of_evaluators_that_is_not_there(tmp_path: Path) -> None:
    file = project(tmp_path, eval_set([], []))
    with pytest.raises(FileErrors) as caught:
        load_set(file, evaluators=tmp_path / "no")
    assert str(caught.value) == (
        f"{tmp_path / 'no'}: cannot be read: No such file or directory; name the folder of the evaluators"
    )


def test_names_and_descriptions_come_from_the_top_or_from_the_config() -> None:
    top = {**spec(name="in", description="inner"), "name": "out"}
    assert [load_spec(top).name, load_spec(top).description] == ["out", "inner"]
    assert load_spec(spec(name="in")).name == "in"
    assert load_spec(spec()).name == "E"


# ------------------------------------------------------------------------------------------ criteria

OUTPUT: Final = Chosen(Spec("E", "uipath-exact-match", "E", default={"expectedOutput": "default"}))
BARE: Final = Chosen(Spec("E", "uipath-exact-match", "E"))
NEEDS_NONE: Final = Chosen(Spec("E", "fieldwise-json-validity", "E", default={}))
BEHAVIOR: Final = Chosen(Spec("E", "uipath-llm-judge-trajectory-similarity", "E"))
CODE: Final = Chosen(Spec("E", "custom-x", "E", default={"atLeast": 1}, code="file://x.py:X"))
CLASS: Final = Chosen(Spec("E", "uipath-binary-classification", "E"))
CRITERIA: Final[tuple[tuple[str, Chosen, dict[str, Any], dict[str, Any], Any], ...]] = (
    ("stated", OUTPUT, {"E": {"expectedOutput": 1}}, {}, {"expectedOutput": 1}),
    ("null", OUTPUT, {"E": None}, {}, {"expectedOutput": "default"}),
    ("empty", OUTPUT, {"E": {}}, {}, {"expectedOutput": "default"}),
    ("absent", OUTPUT, {}, {}, SKIP),
    ("null-without-default", BARE, {"E": None}, {}, NOT_SET),
    ("empty-without-default", BARE, {"E": {}}, {}, NOT_SET),
    ("whole-beats-default", OUTPUT, {"E": None}, {"expected_output": 7}, {"expectedOutput": 7}),
    ("whole-may-be-null", OUTPUT, {"E": None}, {"expected_output": None}, {"expectedOutput": None}),
    ("stated-beats-whole", OUTPUT, {"E": {"expectedOutput": 1}}, {"expected_output": 7},
     {"expectedOutput": 1}),
    ("whole-does-not-undo-absent", OUTPUT, {}, {"expected_output": 7}, SKIP),
    ("needs-none", NEEDS_NONE, {"E": None}, {}, {}),
    ("behavior", BEHAVIOR, {"E": None}, {"expected_agent_behavior": "x"}, {"expectedAgentBehavior": "x"}),
    ("no-behavior", BEHAVIOR, {"E": None}, {"expected_output": 7}, NOT_SET),
    ("completed", BEHAVIOR, {"E": {"simulationInstructions": "s"}}, {"expected_agent_behavior": "x"},
     {"expectedAgentBehavior": "x", "simulationInstructions": "s"}),
    ("code-default", CODE, {"E": None}, {"expected_output": 7}, {"atLeast": 1}),
    ("code-stated", CODE, {"E": {"atLeast": 2}}, {}, {"atLeast": 2}),
    ("class-takes-no-output", CLASS, {"E": None}, {"expected_output": "spam"}, NOT_SET),
)  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "criterias", "more", "expected"), [pytest.param(*row[1:], id=row[0]) for row in CRITERIA]
)
def test_criteria(chosen: Chosen, criterias: Any, more: Any, expected: Any) -> None:
    assert criteria_of(Item("i", "i", {}, criterias, **more), chosen) == expected


def test_why_there_are_none() -> None:
    assert why_not_set(Item("i", "i", {}, {}), BARE) == (
        "No evaluation criteria provided: item 'i' states none for 'E', "
        "which has no defaultEvaluationCriteria"
    )


@pytest.mark.parametrize(
    ("type_id", "config", "default"),
    [
        ("uipath-exact-match", {}, None),
        ("uipath-contains", {}, None),
        ("uipath-contains", {"searchText": "a"}, {}),
        (
            "uipath-contains",
            {"searchText": "a", "defaultEvaluationCriteria": {"searchText": "b"}},
            {"searchText": "b"},
        ),
        ("uipath-contains", {"defaultEvaluationCriteria": {}}, None),
        ("uipath-contains", {"defaultEvaluationCriteria": None}, None),
        ("uipath-tool-call-count", {"counts": {"a": 1}}, {}),
        ("uipath-llm-judge-trajectory-similarity", {"model": "openai:m"}, None),
        ("uipath-llm-judge-trajectory-similarity", {"model": "openai:m", "expectedAgentBehavior": "x"}, {}),
        ("fieldwise-json-validity", {}, {}),
        ("fieldwise-json-match", {}, None),
        ("fieldwise-latency-budget", {"maxMs": 5}, {}),
    ],
)
def test_who_needs_criteria(type_id: str, config: Any, default: Any) -> None:
    assert load_spec(spec(type_id, **config)).default == default


def test_an_item_may_leave_criteria_to_what_it_expects(tmp_path: Path) -> None:
    evaluator = spec("uipath-llm-judge-trajectory-simulation", model="openai:m")
    stated = {"E": {"simulationInstructions": "s"}}
    file = project(tmp_path, eval_set(["E"], [item("a", stated, expectedAgentBehavior="x")]), evaluator)
    assert load_set(file).items[0].criterias == stated
    with pytest.raises(FileErrors) as caught:
        load_set(project(tmp_path, eval_set(["E"], [item("a", stated)]), evaluator))
    assert str(caught.value) == (
        f"{file}:1: evaluations[0].evaluationCriterias.E: needs 'expectedAgentBehavior'"
    )


# -------------------------------------------------------------------------------------------- judges


def test_a_judge_of_the_run_stands_in_for_the_model(tmp_path: Path) -> None:
    evaluator = spec("uipath-llm-judge-output-semantic-similarity", model="", temperature=0.5)
    file = project(tmp_path, eval_set(["E"], []), evaluator)
    assert load_set(file, judge=judge).evaluators[0].spec.options == {"model": "", "temperature": 0.5}
    with pytest.raises(FileErrors, match=r"evaluatorConfig\.model: must not be empty"):
        load_set(file)


# ---------------------------------------------------------------------------------------------- code


def test_code_runs_only_when_it_may(tmp_path: Path) -> None:
    file = project(tmp_path, eval_set(["W"], []), custom(), custom={"wordy.py": CUSTOM})
    with pytest.raises(FileErrors) as caught:
        load_set(file)
    where = tmp_path / "evaluations/evaluators"
    assert str(caught.value) == (
        f"{where / 'e0.json'}:1: evaluatorSchema: 'file://wordy.py:Wordy' names code, "
        f"{where / 'custom/wordy.py'}; read it, then pass --allow-code to run it"
    )
    told: list[tuple[str, str]] = []
    loaded = load_set(file, allow_code=True, on_load=lambda code, name: told.append((code.name, name)))
    assert loaded.evaluators[0].spec.code == "file://wordy.py:Wordy"
    assert told == [("wordy.py", "Wordy")]


def test_the_config_of_code_is_checked_by_its_class(tmp_path: Path) -> None:
    good = custom(evaluatorConfig={"name": "W", "fold": True, "defaultEvaluationCriteria": {"atLeast": 2}})
    file = project(tmp_path, eval_set(["W"], [item("a", {"W": None})]), good, custom={"wordy.py": CUSTOM})
    loaded = load_set(file, allow_code=True)
    assert (loaded.evaluators[0].spec.options, loaded.evaluators[0].spec.default) == (
        {"fold": True},
        {"atLeast": 2},
    )
    assert criteria_of(loaded.items[0], loaded.evaluators[0]) == {"atLeast": 2}
    project(tmp_path, eval_set(["W"], []), custom(evaluatorConfig={"fald": True}))
    with pytest.raises(FileErrors, match=r"e0\.json:1: evaluatorConfig: .*fald.*did you mean 'fold'\?"):
        load_set(file, allow_code=True)


def test_criteria_for_code_are_checked_by_its_class(tmp_path: Path) -> None:
    items = [
        item("a", {"W": {"atLeast": 2}}),
        item("b", {"W": {"at_leest": 2}}),
        item("c", {"W": {"atLeast": "x"}}),
    ]
    file = project(tmp_path, eval_set(["W"], items), custom(), custom={"wordy.py": CUSTOM})
    with pytest.raises(FileErrors) as caught:
        load_set(file, allow_code=True)
    place = "{}:1: evaluations[{}].evaluationCriterias.W: {}"
    invalid = "Input should be a valid integer, unable to parse string as an integer"
    assert str(caught.value).splitlines() == [
        place.format(file, 1, "at_leest=2: there is no such key; did you mean 'at_least'?"),
        place.format(file, 2, f"atLeast='x': {invalid}"),
    ]
