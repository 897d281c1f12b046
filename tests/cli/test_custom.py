"""`fieldwise add evaluator` and `fieldwise register evaluator`, and the way from nothing to a verdict."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import call

SEED = Path(__file__).resolve().parents[3] / "shared" / "seeds" / "001_a65084119b617c44.txt"
CUSTOM = Path("evaluations", "evaluators", "custom")
SPECS = Path("evaluations", "evaluators")


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, the working directory; modules of other projects are forgotten."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_agent", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(*argv: str) -> str:
    """What a command prints that ends well."""
    code, out, err = call(*argv)
    assert code == 0, err
    return out


def edit(file: Path, name: str, new: str) -> None:
    """Replace one class or function of a file, as somebody would who edits it."""
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    found = next(one for one in ast.walk(tree) if getattr(one, "name", None) == name)
    assert isinstance(found, ast.ClassDef | ast.AsyncFunctionDef)
    lines = text.splitlines(keepends=True)
    block = textwrap.indent(textwrap.dedent(new).strip("\n") + "\n", " " * found.col_offset)
    lines[found.lineno - 1 : found.end_lineno] = [block]
    file.write_text("".join(lines), encoding="utf-8")


AGENT = """
from fieldwise import traced

@traced(name="my-operation")
def work(param):
    return {"result": param}

def answer(param):
    return work(param)
"""


def wire(evaluator: str, *criterias: Any, absent: bool = False) -> Path:
    """Write an evaluation set, an item for each criteria, and an agent."""
    items = [
        {"id": f"test-{at}", "name": f"test-{at}", "inputs": {"param": "value"},
         "evaluationCriterias": {evaluator: one}}
        for at, one in enumerate(criterias, start=1)
    ]  # fmt: skip
    if absent:
        items.append({"id": "absent", "name": "absent", "inputs": {"param": "x"}, "evaluationCriterias": {}})
    whole = {"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": [evaluator], "evaluations": items}
    return wire_text(json.dumps(whole))


def wire_text(text: str) -> Path:
    file = Path("evaluations", "eval-sets", "my-eval-set.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    Path("my_agent.py").write_text(AGENT, encoding="utf-8")
    return file


def evaluate(eval_set: Path, *argv: str) -> dict[str, Any]:
    """The one result of each item, by the item's id; None for an item that skips the evaluator."""
    code, _, err = call("eval", str(eval_set), "--agent", "my_agent:answer", "--out", "out.jsonl", *argv)
    assert code in {0, 1}, err
    lines = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    items = [line for line in lines if "item" in line]
    return {one["item"]: next(iter(one["results"].values()), [None])[0] for one in items}


def default(spec: Path, criteria: Any) -> None:
    found = json.loads(spec.read_text(encoding="utf-8"))
    found["evaluatorConfig"]["defaultEvaluationCriteria"] = criteria
    spec.write_text(json.dumps(found), encoding="utf-8")


# --------------------------------------------------------------------------------------- what is printed


def test_add() -> None:
    assert done("add", "evaluator", "MyMetric") == (
        "wrote evaluations/evaluators/custom/my_metric.py\n"
        "next: edit it, then: fieldwise register evaluator my_metric.py\n"
    )
    assert (CUSTOM / "my_metric.py").exists()


def test_register() -> None:
    done("add", "evaluator", "MyMetric")
    code, out, err = call("register", "evaluator", "my_metric.py")
    assert (code, err) == (0, "running evaluations/evaluators/custom/my_metric.py\n")
    assert out == (
        "wrote evaluations/evaluators/my_metric-evaluator.json\n"
        'next: in an evaluation set, name "MyMetricEvaluator" in evaluatorRefs and in each item\'s '
        "evaluationCriterias:\n"
        '  "MyMetricEvaluator": {"expectedValue": ""}\n'
        "  or null, for the defaultEvaluationCriteria of the spec (there are none yet: set them)\n"
        "then: fieldwise eval evaluations/eval-sets/SET.json --agent module:function --allow-code\n"
    )
    default(SPECS / "my_metric-evaluator.json", {"expectedValue": "é"})
    assert '(now {"expectedValue": "é"})' in done("register", "evaluator", "my_metric.py")


def test_a_project_elsewhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = root / "project"
    place.mkdir()
    out = done("add", "evaluator", "mine", "--root", "project")
    assert out.endswith("fieldwise register evaluator mine.py --root project\n")
    assert done("register", "evaluator", "mine.py", "--root", "project").startswith(f"wrote project/{SPECS}/")


def test_several_classes() -> None:
    done("add", "evaluator", "mine")
    file = CUSTOM / "mine.py"
    file.write_text(file.read_text() + "\n\nclass Other(MineEvaluator):\n    pass\n")
    assert "mine-evaluator.json" in done("register", "evaluator", "mine.py", "--class", "Other")


def test_force() -> None:
    done("add", "evaluator", "mine")
    done("register", "evaluator", "mine.py")
    assert call("add", "evaluator", "mine")[::2] == (
        2, "fieldwise: evaluations/evaluators/custom/mine.py: is there already; pass --force to replace it\n",
    )  # fmt: skip
    done("add", "evaluator", "mine", "--force")
    spec = SPECS / "mine-evaluator.json"
    spec.write_text(spec.read_text().replace('"result"', '"answer"'))
    code, _, err = call("register", "evaluator", "mine.py")
    assert code == 2
    assert err == (
        "running evaluations/evaluators/custom/mine.py\n"
        f"fieldwise: {spec}: evaluatorConfig.outputKey is 'answer', and the class says 'result'; "
        "pass --force to overwrite what was edited\n"
    )
    done("register", "evaluator", "mine.py", "--force")


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (("add", "evaluator", "../x"), "fieldwise: name='../x': must be of the letters a to z, digits and _"),
        (("add", "evaluator", "x", "--root", "no"), "fieldwise: no: is no folder; name the project's"),
        (("add", "evaluator"), "Missing argument 'NAME'"),
        (("add", "evaluators", "x"), "No such command 'evaluators'"),
        (("register", "evaluator", "x.py"), "there is no x.py in evaluations/evaluators/custom"),
        (("register", "evaluator", "/etc/passwd"), "fieldwise: '/etc/passwd': is an absolute path"),
        (("register", "evaluator"), "Missing argument 'FILE.py'"),
    ],
)
def test_what_is_refused(argv: tuple[str, ...], text: str) -> None:
    code, out, err = call(*argv)
    assert (code, out) == (2, "")
    assert text in err
    assert not Path("evaluations").exists()


@pytest.mark.parametrize("argv", [("add", "evaluator", "x"), ("register", "evaluator", "x.py")])
def test_what_cannot_be_written(argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    if argv[0] == "register":
        done("add", "evaluator", "x")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "evaluations/x")

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(Path, "replace", full)
    code, out, err = call(*argv)
    assert (code, out) == (2, "")
    assert err.endswith("fieldwise: evaluations/x: cannot be written: No space left on device\n")


def test_names_of_others_do_not_reach_the_terminal_as_they_are() -> None:
    done("add", "evaluator", "mine")
    file = CUSTOM / "mine.py"
    clears = '    @classmethod\n    def get_evaluator_id(cls):\n        return "\\x1b[2J"\n'
    file.write_text(file.read_text() + "\n\nclass Mine(MineEvaluator):\n" + clears)
    _, out, err = call("register", "evaluator", "mine.py", "--class", "Mine")
    assert "\x1b" not in out + err
    assert json.loads((SPECS / "mine-evaluator.json").read_text())["id"] == "\x1b[2J"


def test_help_shows_the_steps() -> None:
    for group in ("add", "register"):
        text = done(group, "evaluator", "--help")
        steps = re.findall(r"^ {4}(?:fieldwise (\w+)|\()", text, re.MULTILINE)
        assert steps == ["add", "", "register", "", "eval"]


# ------------------------------------------------------------------------------- from nothing to a verdict


def test_unedited_from_nothing_to_a_verdict() -> None:
    done("add", "evaluator", "MyEvaluator")
    done("register", "evaluator", "my_evaluator.py")
    eval_set = wire("MyEvaluator", {"expectedValue": "value"}, {"expectedValue": "other"})
    found = evaluate(eval_set, "--allow-code")
    assert {item: one["score"] for item, one in found.items()} == {"test-1": 1.0, "test-2": 0.0}
    assert found["test-2"]["comment"] == "expected 'other', got 'value'"


def test_code_runs_only_when_allowed() -> None:
    done("add", "evaluator", "MyEvaluator")
    done("register", "evaluator", "my_evaluator.py")
    file = CUSTOM / "my_evaluator.py"
    file.write_text(file.read_text() + "\nfrom pathlib import Path\nPath('ran').touch()\n")
    eval_set = str(wire("MyEvaluator", {"expectedValue": "value"}))
    code, out, err = call("eval", eval_set, "--agent", "my_agent:answer")
    assert (code, out, Path("ran").exists()) == (2, "", False)
    assert err == (
        "fieldwise: evaluations/evaluators/my_evaluator-evaluator.json:5: evaluatorSchema: "
        "'file://my_evaluator.py:MyEvaluator' names code, evaluations/evaluators/custom/my_evaluator.py; "
        "read it, then pass --allow-code to run it\n"
    )
    code, _, err = call("eval", eval_set, "--agent", "my_agent:answer", "--allow-code")
    assert (code, Path("ran").exists()) == (0, True)
    assert f"MyEvaluator in {file}" in err


@pytest.mark.parametrize(
    ("criteria", "by_default", "expected"),
    [
        ({"expectedValue": "value"}, None, (1.0, "graded")),
        ({"expected_value": "value"}, None, (1.0, "graded")),
        ({"expectedValue": "value"}, {"expectedValue": "x"}, (1.0, "graded")),
        ({"expectedValue": "x"}, {"expectedValue": "value"}, (0.0, "graded")),
        (None, {"expectedValue": "value"}, (1.0, "graded")),
        ({}, {"expectedValue": "value"}, (1.0, "graded")),
        (None, {"expected_value": "value"}, (1.0, "graded")),
        (None, None, (None, "not_evaluated")),
        ({}, None, (None, "not_evaluated")),
    ],
)
def test_criteria_of_items_and_defaults(
    criteria: Any, by_default: Any, expected: tuple[float | None, str]
) -> None:
    done("add", "evaluator", "MyEvaluator")
    done("register", "evaluator", "my_evaluator.py")
    default(SPECS / "my_evaluator-evaluator.json", by_default)
    found = evaluate(wire("MyEvaluator", criteria, absent=True), "--allow-code")
    assert (found["test-1"]["score"], found["test-1"]["extra"]["status"]) == expected
    if expected[0] is None:
        assert found["test-1"]["comment"].startswith("No evaluation criteria provided")
    assert found["absent"] is None


def test_criteria_without_fields_end_a_run_before_it_begins() -> None:
    done("add", "evaluator", "MyEvaluator")
    done("register", "evaluator", "my_evaluator.py")
    edit(CUSTOM / "my_evaluator.py", "MyEvaluationCriteria",
         "class MyEvaluationCriteria(BaseEvaluationCriteria):\n    pass")  # fmt: skip
    code, _, err = call("register", "evaluator", "my_evaluator.py")
    reason = "No evaluation criteria provided: MyEvaluationCriteria has no fields"
    assert code == 2
    assert reason in err
    eval_set = str(wire("MyEvaluator", {"expectedValue": "value"}))
    code, _, err = call("eval", eval_set, "--agent", "my_agent:answer", "--allow-code")
    assert code == 2
    assert reason in err


# -------------------------------------------------------------------------------- the reference document

needs_seed = pytest.mark.skipif(not SEED.exists(), reason=f"the reference document is not at {SEED}")


def blocks(language: str) -> list[str]:
    """The blocks of its section on custom evaluators."""
    text = SEED.read_text(encoding="utf-8")
    section = text.partition("## Custom Evaluators")[2].partition("## Field Naming Convention")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


@needs_seed
def test_its_steps_with_its_criteria_and_its_evaluation_set() -> None:
    """As written: `uip codedagent` is `fieldwise`; the fragment of a spec is merged into the spec."""
    names = {"<EVALUATOR_NAME>": "MyEvaluator", "uip codedagent ": ""}
    (steps,) = blocks("bash")
    for name, value in names.items():
        steps = steps.replace(name, value)
    add, register = [line.split() for line in steps.splitlines() if line and not line.startswith("#")]
    done(*add)
    criteria, *_ = blocks("python")
    edit(CUSTOM / "my_evaluator.py", "MyEvaluationCriteria", criteria)
    done(*register)
    fragment, whole = blocks("json")
    spec = SPECS / "my_evaluator-evaluator.json"
    merged = {**json.loads(spec.read_text()), **json.loads(f"{{{fragment}}}")}
    spec.write_text(json.dumps(merged), encoding="utf-8")
    found = evaluate(wire_text(whole), "--allow-code")
    assert {item: one["score"] for item, one in found.items()} == {"test-1": 1.0}


@needs_seed
def test_its_evaluator_of_spans_with_its_agent() -> None:
    """As written, but for the import of `traced`, and the agent's `...`, which becomes its answer."""
    _, agent, method = blocks("python")
    done("add", "evaluator", "duration")
    file = CUSTOM / "duration.py"
    edit(file, "DurationEvaluationCriteria",
         "class DurationEvaluationCriteria(BaseEvaluationCriteria):\n    max_ms: float = 100.0")  # fmt: skip
    edit(file, "evaluate", method)
    done("register", "evaluator", "duration.py")
    eval_set = wire("DurationEvaluator", {"maxMs": 10_000}, {"maxMs": 0})
    agent = agent.replace("from uipath.tracing import traced", "from fieldwise import traced")
    agent = agent.replace("    ...\n", '    return {"result": input}\n')
    Path("my_agent.py").write_text(f"{agent}\n\ndef answer(param):\n    return my_function(param)\n")
    found = evaluate(eval_set, "--allow-code")
    assert {item: one["score"] for item, one in found.items()} == {"test-1": 1.0, "test-2": 0.0}
    assert all(re.fullmatch(r"\d+\.\d\dms", one["comment"]) for one in found.values())
    Path("my_agent.py").write_text("def answer(param):\n    return param\n")
    del sys.modules["my_agent"]
    missing = evaluate(eval_set, "--allow-code", "--overwrite")
    assert {one["comment"] for one in missing.values()} == {"span not found"}


# ----------------------------------------------------------------------------- from within, and endings


@pytest.mark.parametrize("folder", ["evaluators", "eval-sets"])
def test_within_the_evaluations_folder_that_folder_is_meant(
    root: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (root / "evaluations" / folder).mkdir(parents=True)
    monkeypatch.chdir(root / "evaluations")
    code, out, err = call("add", "evaluator", "within")
    assert (code, out.splitlines()[0], err) == (
        0,
        f"wrote {Path('evaluators', 'custom', 'within.py')}",
        "",
    )
    code, out, _ = call("register", "evaluator", "within.py")
    assert (code, out.splitlines()[0]) == (0, f"wrote {Path('evaluators', 'within-evaluator.json')}")
    assert not (root / "evaluations" / "evaluations").exists()


def test_a_folder_of_that_name_may_be_a_project(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "evaluations").mkdir()
    monkeypatch.chdir(root / "evaluations")
    code, out, _ = call("add", "evaluator", "within")
    assert (code, out.splitlines()[0]) == (0, f"wrote {CUSTOM / 'within.py'}")


ENDING = """
import sys
from fieldwise import BaseEvaluationCriteria, BaseEvaluator

class Criteria(BaseEvaluationCriteria):
    most: int = 3

class Ends(BaseEvaluator[Criteria]):
    {code}

    def evaluate(self, run, criteria):
        return 1
"""
ENDINGS = (
    ("def __init__(self, config=None): sys.exit(0)", "Ends cannot be made: it called sys.exit(0)"),
    ("def __init__(self, config=None): raise GeneratorExit", "Ends cannot be made: it raised GeneratorExit"),
    (
        "@classmethod\n    def get_evaluator_id(cls): sys.exit(0)",
        "Ends cannot be made: it called sys.exit(0)",
    ),
    ("sys.exit(0)", None),
)


@pytest.mark.parametrize(("code", "why"), [pytest.param(*row, id=row[0]) for row in ENDINGS])
def test_a_class_that_ends_the_program_is_not_registered(root: Path, code: str, why: str | None) -> None:
    (root / CUSTOM).mkdir(parents=True)
    file = CUSTOM / "ends.py"
    (root / file).write_text(ENDING.format(code=code), encoding="utf-8")
    ended, out, err = call("register", "evaluator", "ends.py")
    assert (ended, out) == (2, "")
    last = err.splitlines()[-1]
    if why is None:
        why = "ends the program when it is loaded; move that into a function"
        assert last == f"fieldwise: {file}:9: {why}"
    else:
        assert last == f"fieldwise: {file}: {why}"
