"""New evaluators: their names, their files, their specs, and what happens when they are written again."""

from __future__ import annotations

import json
import keyword
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.code.loading import custom_evaluator, load_class, make_custom
from fieldwise.evalsets.code.names import LONGEST, read_name
from fieldwise.evalsets.code.registration import register_evaluator
from fieldwise.evalsets.code.scaffold import add_evaluator
from fieldwise.evalsets.load import load_spec


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, the working directory."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


CUSTOM = Path("evaluations", "evaluators", "custom")
SPECS = Path("evaluations", "evaluators")


def put(text: str, name: str = "mine.py") -> Path:
    CUSTOM.mkdir(parents=True, exist_ok=True)
    file = CUSTOM / name
    file.write_text(textwrap.dedent(text), encoding="utf-8")
    return file


def registered(file: str, root: str | Path = ".", **more: Any) -> Path:
    return register_evaluator(file, root, **more).path


def spec_of(file: str = "mine.py", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(registered(file, **more).read_text(encoding="utf-8"))
    return found


def refused(call: Callable[[], object], kind: type[Exception] = InputError) -> str:
    with pytest.raises(kind) as raised:
        call()
    return str(raised.value)


def score(spec: Path, outputs: Any, criteria: Any) -> Any:
    """The result of a spec's evaluator, read from its file."""
    read = load_spec(spec, allow_code=True)
    evaluate: Any = custom_evaluator(read, Path("evaluations"), allow_code=True)
    return evaluate(inputs={}, outputs=outputs, reference_outputs=criteria)


# ------------------------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("name", "file", "evaluator"),
    [
        ("MyMetric", "my_metric", "MyMetricEvaluator"),
        ("my-metric", "my_metric", "MyMetricEvaluator"),
        ("my_metric", "my_metric", "MyMetricEvaluator"),
        ("my metric", "my_metric", "MyMetricEvaluator"),
        ("  my__metric- ", "my_metric", "MyMetricEvaluator"),
        ("myMetric", "my_metric", "MyMetricEvaluator"),
        ("MY_METRIC", "my_metric", "MYMETRICEvaluator"),
        ("my_metric.py", "my_metric", "MyMetricEvaluator"),
        ("LLMScore", "llm_score", "LLMScoreEvaluator"),
        ("scoreLLM", "score_llm", "ScoreLLMEvaluator"),
        ("F1", "f1", "F1Evaluator"),
        ("bleu4", "bleu4", "Bleu4Evaluator"),
        ("MyEvaluator", "my_evaluator", "MyEvaluator"),
        ("my-evaluator", "my_evaluator", "MyEvaluator"),
        ("evaluator", "evaluator", "Evaluator"),
        ("class", "class", "ClassEvaluator"),
        ("None", "none", "NoneEvaluator"),
        ("import", "import", "ImportEvaluator"),
        ("x", "x", "XEvaluator"),
        ("a" * LONGEST, "a" * LONGEST, f"A{'a' * (LONGEST - 1)}Evaluator"),
    ],
)
def test_names(name: str, file: str, evaluator: str) -> None:
    found = read_name(name)
    assert (found.file, found.evaluator) == (file, evaluator)


_RULE = "must be of the letters a to z, digits and _, and begin with a letter"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "name='': must be a name such as my_metric"),
        ("  ", "name='  ': must be a name such as my_metric"),
        (None, "name=None: must be a name such as my_metric"),
        ("3way", f"name='3way': {_RULE}; write for example metric_3way"),
        ("_private", f"name='_private': {_RULE}; write for example private"),
        ("größe", f"name='größe': {_RULE}; write for example grosse"),
        ("métrique", f"name='métrique': {_RULE}; write for example metrique"),
        ("指标", f"name='指标': {_RULE}"),
        ("../up", f"name='../up': {_RULE}; write for example up"),
        ("a/b", f"name='a/b': {_RULE}; write for example a_b"),
        ("a\\b", f"name='a\\\\b': {_RULE}; write for example a_b"),
        ("C:x", f"name='C:x': {_RULE}; write for example c_x"),
        ("a.b", f"name='a.b': {_RULE}; write for example a_b"),
        ("a\0b", f"name='a\\x00b': {_RULE}; write for example a_b"),
        ("a\nb", f"name='a\\nb': {_RULE}; write for example a_b"),
        ("x'; drop", f'name="x\'; drop": {_RULE}; write for example x_drop'),
        ("${name}", f"name='${{name}}': {_RULE}; write for example name"),
        ("-", f"name='-': {_RULE}"),
        ("a" * 51, f"name='{'a' * 51}': has 51 characters; 50 are the most"),
        ("aB" * 25, f"name='{'aB' * 25}': has 75 characters in snake_case; 50 are the most"),
        ("base", "name='base': is taken; write for example base_metric"),
        ("BaseEvaluator", "name='BaseEvaluator': is taken; write for example base_evaluator_metric"),
        ("nul", "name='nul': is taken; write for example nul_metric"),
    ],
)
def test_names_that_will_not_do(name: Any, reason: str) -> None:
    assert refused(lambda: read_name(name), ConfigError) == reason


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=60), st.from_regex(r"[A-Za-z][A-Za-z0-9 _-]{0,55}", fullmatch=True)))
def test_any_name_is_a_name_in_both_spellings_or_refused(name: str) -> None:
    try:
        found = read_name(name)
    except ConfigError as error:
        near = str(error).rpartition("; write for example ")
        if near[1]:
            read_name(near[2])  # what it proposes will do
        return
    assert found.file.isascii()
    assert found.file == found.file.lower()
    assert found.file.isidentifier()
    assert found.evaluator.isidentifier()
    assert read_name(found.file).file == found.file


# --------------------------------------------------------------------------------------------- the scaffold


def test_from_nothing(root: Path) -> None:
    file = add_evaluator("MyMetric")
    assert file == CUSTOM / "my_metric.py"
    assert [one.relative_to(root).as_posix() for one in root.rglob("*") if one.is_file()] == [file.as_posix()]
    assert file.stat().st_mode & 0o111 == 0


@pytest.mark.parametrize("name", ["my_metric", "evaluator", "class", "LLMScore", "a" * LONGEST])
def test_the_scaffold_runs_unedited(root: Path, name: str) -> None:
    spec = registered(add_evaluator(name).name)
    assert score(spec, {"result": "x"}, {"expectedValue": "x"})["score"] == 1.0
    assert score(spec, "x", {"expectedValue": "x"})["score"] == 1.0
    wrong = score(spec, {"result": "X"}, {"expectedValue": "x"})
    assert (wrong["score"], wrong["comment"]) == (0.0, "expected 'x', got 'X'")
    for criteria in (None, dict[str, str]()):
        unasked = score(spec, "x", criteria)
        assert (unasked["score"], unasked["extra"]["status"]) == (None, "not_evaluated")


@pytest.mark.parametrize("outputs", [None, 3, [], {}, {"other": 1}, ["x"]])
def test_the_scaffold_takes_any_output(root: Path, outputs: Any) -> None:
    spec = registered(add_evaluator("my_metric").name)
    result = score(spec, outputs, {"expectedValue": "x"})
    assert (result["score"], result["extra"]["status"]) == (0.0, "graded")


def test_the_scaffold_s_options_count(root: Path) -> None:
    spec = registered(add_evaluator("my_metric").name)
    edited = json.loads(spec.read_text())
    edited["evaluatorConfig"] |= {"ignoreCase": True, "outputKey": "answer"}
    edited["evaluatorConfig"]["defaultEvaluationCriteria"] = {"expectedValue": "x"}
    spec.write_text(json.dumps(edited))
    assert score(spec, {"answer": "X"}, None)["score"] == 1.0
    assert score(spec, {"answer": "X"}, {"expectedValue": "y"})["score"] == 0.0


def test_the_scaffold_is_clean(root: Path) -> None:
    file = add_evaluator("my_metric")
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    assert ruff is not None
    for command in (["check"], ["format", "--check"]):
        run = subprocess.run(
            [ruff, *command, "--isolated", file], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout
    assert all(len(line) < 100 for line in file.read_text().splitlines())


def test_what_is_there_is_kept(root: Path) -> None:
    file = add_evaluator("my_metric")
    file.write_text("x = 1\n")
    reason = f"{file}: is there already; pass --force to replace it"
    assert refused(lambda: add_evaluator("MyMetric")) == reason
    assert file.read_text() == "x = 1\n"
    assert add_evaluator("MyMetric", force=True) == file
    assert "class MyMetricEvaluator" in file.read_text()


def test_a_link_to_nothing_is_something(root: Path) -> None:
    CUSTOM.mkdir(parents=True)
    (CUSTOM / "my_metric.py").symlink_to(root / "elsewhere.py")
    assert refused(lambda: add_evaluator("my_metric")).endswith(
        "is there already; pass --force to replace it"
    )
    add_evaluator("my_metric", force=True)  # replaces the link, and writes nothing through it
    assert not (root / "elsewhere.py").exists()
    assert not (CUSTOM / "my_metric.py").is_symlink()


@pytest.mark.parametrize("part", ["evaluations", "evaluations/evaluators", "evaluations/evaluators/custom"])
@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_written_through_links(root: Path, part: str, *, force: bool) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    link = root / part
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    reason = refused(lambda: add_evaluator("my_metric", force=force))
    assert reason.endswith("; put a folder there instead of a link")
    assert list(outside.iterdir()) == []


def test_a_folder_in_the_way(root: Path) -> None:
    (CUSTOM / "my_metric.py").mkdir(parents=True)
    reason = f"{CUSTOM / 'my_metric.py'}: is a folder; move it away"
    assert refused(lambda: add_evaluator("my_metric", force=True)) == reason


def test_a_project_that_is_not_there(root: Path) -> None:
    assert (
        refused(lambda: add_evaluator("x", root / "no")) == f"{root / 'no'}: is no folder; name the project's"
    )


@pytest.mark.skipif(os.name != "posix", reason="file permissions are those of POSIX")
def test_what_cannot_be_written_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(draft: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left on device"):
        add_evaluator("my_metric")
    assert list(CUSTOM.iterdir()) == []


# --------------------------------------------------------------------------------------------- registering

_HEAD = "from fieldwise import BaseEvaluationCriteria, BaseEvaluator, BaseEvaluatorConfig\n\n\n"
_MINE = f'''{_HEAD}class Wanted(BaseEvaluationCriteria):
    max_ms: float = 100.0
    of_which: list[str] = []


class Setup(BaseEvaluatorConfig[Wanted]):
    soft_limit: float = 0.5


class Mine(BaseEvaluator[Wanted, Setup]):
    """Whether it was quick.

    More of it.
    """

    def evaluate(self, agent_execution, criteria):
        return agent_execution.agent_output <= criteria.max_ms
'''


def test_the_spec(root: Path) -> None:
    put(_MINE)
    assert registered("mine.py") == SPECS / "mine-evaluator.json"
    text = (SPECS / "mine-evaluator.json").read_text()
    assert text == textwrap.dedent("""\
        {
          "version": "1.0",
          "id": "Mine",
          "evaluatorTypeId": "custom-mine",
          "evaluatorSchema": "file://mine.py:Mine",
          "description": "Whether it was quick.",
          "evaluatorConfig": {
            "name": "Mine",
            "softLimit": 0.5,
            "defaultEvaluationCriteria": null
          }
        }
        """)


@pytest.mark.parametrize(
    "named",
    ["mine.py", "mine", "Mine", "Mine.py", "evaluations/evaluators/custom/mine.py",
     "./evaluations/evaluators/custom/mine.py", "evaluations/../evaluations/evaluators/custom/mine.py"],
)  # fmt: skip
def test_ways_to_name_a_file(root: Path, named: str) -> None:
    put(_MINE)
    assert spec_of(named)["evaluatorSchema"] == "file://mine.py:Mine"
    assert spec_of(str(root / CUSTOM / "mine.py"))["evaluatorSchema"] == "file://mine.py:Mine"


def test_a_project_elsewhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(_MINE)
    monkeypatch.chdir(root.parent)
    assert registered("mine.py", "project") == "project" / SPECS / "mine-evaluator.json"
    assert registered(f"project/{CUSTOM}/mine.py", root).exists()


def test_it_says_what_it_runs(root: Path) -> None:
    file = put(_MINE)
    told: list[tuple[Path, str]] = []
    registered("mine.py", on_load=lambda *what: told.append(what))
    assert told == [(file, "")]


_NAME_ONE = "name a file of evaluations/evaluators/custom, as in my_metric.py"


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("/etc/passwd", f"'/etc/passwd': is an absolute path; {_NAME_ONE}"),
        ("../mine.py", f"'../mine.py': has a step that is no name, such as ..; {_NAME_ONE}"),
        ("custom/../../../mine.py",
         f"'custom/../../../mine.py': has a step that is no name, such as ..; {_NAME_ONE}"),
        ("%2e%2e/mine.py", f"'%2e%2e/mine.py': has a %, and nothing is decoded; {_NAME_ONE}"),
        ("mine.py\0", f"'mine.py\\x00': has characters that do not print; {_NAME_ONE}"),
        ("file://mine.py:Mine", f"'file://mine.py:Mine': has a character that no name has; {_NAME_ONE}"),
        ("mime.py", f"'mime.py': there is no mime.py in {CUSTOM} nor in {SPECS}; did you mean 'mine.py'?"),
        ("x" * 400, f"'{'x' * 78}…: there is no {'x' * 400}.py in {CUSTOM} nor in {SPECS}; "  # noqa: ISC004
                    "there is 'mine.py' only"),
    ],
)  # fmt: skip
def test_files_that_are_not_there(root: Path, file: str, reason: str) -> None:
    put(_MINE)
    Path("mine.py").write_text("raise SystemExit")
    assert refused(lambda: registered(file)) == reason


def test_a_link_out_of_the_folder(root: Path) -> None:
    CUSTOM.mkdir(parents=True)
    (root / "outside.py").write_text("raise SystemExit")
    (CUSTOM / "mine.py").symlink_to(root / "outside.py")
    assert refused(lambda: registered("mine.py")).endswith(
        "leads out of evaluations; put the file itself there instead of a link"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1\n", "has no evaluator; derive a class from fieldwise.BaseEvaluator[Criteria]"),
        ("1 / 0\n", None),
        (_HEAD + "class C(BaseEvaluationCriteria):\n    pass\n\nclass X(BaseEvaluator[C]):\n"
         "    def evaluate(self, run, criteria): return 1.0\n",
         "No evaluation criteria provided: C has no fields; give it one with a default, as "  # noqa: ISC004
         '`expected_value: str = ""`'),
        (_HEAD + "class X(BaseEvaluator): ...\n", "X has no method evaluate; write it"),
        (_MINE.replace("soft_limit: float = 0.5", "soft_limit: float"),
         "Setup has no default for soft_limit; give it one"),
        (_MINE.replace("0.5", 'float("nan")'),
         "a default of Setup is NaN or infinite, which JSON has not; give it a number"),
        (_MINE.replace("soft_limit: float = 0.5", "soft_limit: type = int"),
         "a default of Setup cannot be written and read again: PydanticSerializationError: "  # noqa: ISC004
         "Unable to serialize unknown type: <class 'type'>; give it one that JSON has"),
        (_MINE + "\n    @classmethod\n    def get_evaluator_id(cls):\n        return 3\n",
         "get_evaluator_id returned 3; return text"),
        (_MINE + "\n\nclass Other(Mine): ...\n", "has 2 evaluators, Mine, Other; pass --class Mine, say"),
        (_MINE.replace("agent_execution, criteria)", "agent_execution)"),
         "Mine.evaluate must take (self, agent_execution, evaluation_criteria)"),
    ],
)  # fmt: skip
def test_what_cannot_be_registered(root: Path, text: str, reason: str | None) -> None:
    file = put(text)
    said = refused(lambda: registered("mine.py"))
    assert said == (
        f"{file}:1: ZeroDivisionError: division by zero" if reason is None else f"{file}: {reason}"
    )
    assert [one.name for one in SPECS.iterdir()] == ["custom"]


KEYWORDS = {*keyword.kwlist, "name", "description"}


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{2}[a-z0-9]{0,3}(_[a-z0-9]{1,4}){0,2}", fullmatch=True),
        st.integers(-9, 9) | st.booleans() | st.text(max_size=4) | st.lists(st.integers(0, 9), max_size=2),
        max_size=4,
    )
)
def test_what_is_written_can_be_read(options: dict[str, Any]) -> None:
    fields = {name: value for name, value in options.items() if name not in KEYWORDS and "model" not in name}
    if len({name.replace("_", "") for name in fields}) < len(fields):
        return  # one key in camelCase for two fields
    lines = "".join(f"    {name}: {type(value).__name__} = {value!r}\n" for name, value in fields.items())
    text = _MINE.replace("    soft_limit: float = 0.5\n", lines or "    pass\n")
    with TemporaryDirectory() as folder:
        file = Path(folder) / CUSTOM / "mine.py"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        spec = load_spec(registered("mine.py", folder), allow_code=True)
        made = make_custom(spec, Path(folder) / "evaluations", allow_code=True)
    assert {name: getattr(made.evaluator_config, name) for name in fields} == fields


# ----------------------------------------------------------------------------------- registering again


def edit(**config: Any) -> Path:
    """Change the spec's configuration by hand."""
    spec = SPECS / "mine-evaluator.json"
    found = json.loads(spec.read_text())
    found["evaluatorConfig"] |= config
    spec.write_text(json.dumps(found))
    return spec


def test_the_same_again_changes_nothing(root: Path) -> None:
    put(_MINE)
    before = registered("mine.py").read_text()
    assert registered("mine.py").read_text() == before


@pytest.mark.parametrize("force", [False, True])
def test_default_criteria_are_kept(root: Path, *, force: bool) -> None:
    put(_MINE)
    registered("mine.py")
    edit(defaultEvaluationCriteria={"maxMs": 7})
    put(_MINE.replace("soft_limit", "hard: bool = True\n    soft_limit"))
    assert spec_of(force=force)["evaluatorConfig"] == {
        "name": "Mine",
        "hard": True,
        "softLimit": 0.5,
        "defaultEvaluationCriteria": {"maxMs": 7},
    }
    assert register_evaluator("mine.py").default == {"maxMs": 7}


def test_what_was_edited_is_not_overwritten_unasked(root: Path) -> None:
    put(_MINE)
    spec = registered("mine.py")
    text = edit(softLimit=0.7, extra=[1], name="Quick").read_text()
    assert refused(lambda: registered("mine.py")) == (
        f"{spec}: evaluatorConfig.name is 'Quick', and the class says 'Mine'; "
        "evaluatorConfig.softLimit is 0.7, and the class says 0.5; "
        "evaluatorConfig.extra is [1], and the class has no such option; "
        "pass --force to overwrite what was edited"
    )
    assert spec.read_text() == text
    assert spec_of(force=True)["evaluatorConfig"]["softLimit"] == 0.5


def test_default_criteria_that_no_longer_fit(root: Path) -> None:
    put(_MINE)
    spec = registered("mine.py")
    edit(defaultEvaluationCriteria={"maxMs": 7})
    put(_MINE.replace("max_ms", "max_mss"))
    assert refused(lambda: registered("mine.py")) == (
        f"{spec}: evaluatorConfig.defaultEvaluationCriteria: maxMs=7: there is no such key; did you mean "
        "'maxMss'?; mend it, or pass --force to drop it"
    )
    assert spec_of(force=True)["evaluatorConfig"]["defaultEvaluationCriteria"] is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"evaluatorConfig": 3}', '{"id": "x"}', "\xff"])
def test_a_file_that_is_no_spec(root: Path, text: str) -> None:
    put(_MINE)
    spec = SPECS / "mine-evaluator.json"
    spec.write_text(text, encoding="latin-1")
    assert refused(lambda: registered("mine.py")) == (
        f"{spec}: is no spec of an evaluator; move it away, or pass --force to overwrite it"
    )
    assert spec_of(force=True)["id"] == "Mine"


def test_an_id_that_is_taken(root: Path) -> None:
    put(_MINE)
    other = SPECS / "other.json"
    other.write_text('{"id": "Mine"}')
    assert refused(lambda: registered("mine.py")) == (
        f"{other}: has the id 'Mine' already; rename the class, or return another id from its "
        "get_evaluator_id"
    )


def test_several_evaluators_in_a_file(root: Path) -> None:
    put(_MINE + "\n\nclass OtherOne(Mine):\n    pass\n")
    assert registered("mine.py", class_name="Mine").name == "mine-evaluator.json"
    other = registered("mine.py", class_name="OtherOne")
    assert other.name == "mine-other_one-evaluator.json"
    assert registered("mine.py", class_name="OtherOne") == other
    assert json.loads(other.read_text())["evaluatorSchema"] == "file://mine.py:OtherOne"
    reason = f"{CUSTOM / 'mine.py'}: has no evaluator OtherOn; did you mean 'OtherOne'?"
    assert refused(lambda: registered("mine.py", class_name="OtherOn")) == reason


def test_a_class_that_was_renamed(root: Path) -> None:
    put(_MINE)
    spec = registered("mine.py")
    put(_MINE.replace("class Mine", "class Renamed"))
    assert "the class says 'Renamed'" in refused(lambda: registered("mine.py"))
    assert registered("mine.py", force=True) == spec


def test_a_base_of_one_s_own_is_no_second_evaluator(root: Path) -> None:
    base = "class Base(BaseEvaluator[Wanted, Setup]):\n    pass\n\n\nclass Mine(Base)"
    put(_MINE.replace("class Mine(BaseEvaluator[Wanted, Setup])", base))
    assert spec_of()["id"] == "Mine"


@pytest.mark.parametrize(
    ("criteria", "example"),
    [
        ('a: str = ""', {"a": ""}),
        ("max_ms: float", {"maxMs": "…"}),
        ("max_ms: float = float('inf')", {"maxMs": "…"}),
        ("names: list[str] = ['x']", {"names": ["x"]}),
        ("kind: type = int", {"kind": "…"}),
    ],
)
def test_criteria_by_example(root: Path, criteria: str, example: Any) -> None:
    put(
        _MINE.replace("    max_ms: float = 100.0\n", f"    {criteria}\n").replace(
            "    of_which: list[str] = []\n", ""
        )
    )
    assert register_evaluator("mine.py").criteria == example


@pytest.mark.parametrize("text", ["é", "\u202e", "\ud800"])
def test_any_text_can_be_written(root: Path, text: str) -> None:
    put(_MINE.replace("0.5", "0.5\n    said: str = " + ascii(text)))
    assert spec_of()["evaluatorConfig"]["said"] == text


# ---------------------------------------------------------------------------------------- departures


def runs() -> None:
    spec = registered(add_evaluator("my_metric").name)
    assert score(spec, "x", {"expectedValue": "x"})["score"] == 1.0


def capitals() -> None:
    assert "class MyMetricEvaluator(" in add_evaluator("MyMetric").read_text()
    assert "class MyEvaluator(" in add_evaluator("my_evaluator").read_text()


def of_annotations() -> None:
    put("from __future__ import annotations\n" + _MINE)
    assert score(registered("mine.py"), 3, {"maxMs": 5})["score"] == 1.0


def file_name() -> None:
    put(_MINE.replace("Mine", "LLMX"), "llmx.py")
    assert registered("llmx.py").name == "llmx-evaluator.json"


def of_type() -> None:
    put(_MINE)
    assert spec_of()["evaluatorTypeId"] == "custom-mine"
    assert {one.name for one in SPECS.rglob("*")} == {"custom", "mine.py", "mine-evaluator.json"}


def several() -> None:
    put(_MINE + "\n\nclass Other(Mine):\n    pass\n")
    assert spec_of(class_name="Other")["evaluatorSchema"] == "file://mine.py:Other"


def no_fields() -> None:
    put(_MINE)
    spec = registered("mine.py")
    put(_MINE.replace("    max_ms: float = 100.0\n    of_which: list[str] = []\n", "    pass\n"))
    for text in (
        refused(lambda: registered("mine.py")),
        refused(lambda: load_spec(spec, allow_code=True)),
    ):
        assert "No evaluation criteria provided: Wanted has no fields" in text


def inside() -> None:
    file = put(_MINE).resolve()
    here = Path("mine.py")
    here.write_text(_MINE)
    for path in (str(file), str(here.resolve()), "../mine.py"):
        text = refused(partial(load_class, f"file://{path}:Mine", Path("evaluations"), allow_code=True))
        assert "; write file://<name>.py:<ClassName>" in text


def consent() -> None:
    put(_MINE)
    spec = registered("mine.py")
    assert "pass --allow-code to run it" in refused(lambda: load_spec(spec))
    told: list[Any] = []
    load_class(
        "file://mine.py:Mine", Path("evaluations"), allow_code=True, on_load=lambda *one: told.append(one)
    )
    assert told == [(CUSTOM / "mine.py", "Mine")]


TOLD = (runs, capitals, of_annotations, file_name, of_type, several, no_fields, inside, consent)
SHOWS = {one.__name__: one for one in TOLD}
CASES = Path(__file__).parents[1] / "cases" / "departures_scaffold.json"
ROWS = json.loads(CASES.read_text(encoding="utf-8"))["rows"]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["kind"]) for row in ROWS])
def test_departures(root: Path, row: dict[str, Any]) -> None:
    SHOWS[row["shows"]]()


def test_every_departure_is_shown_once() -> None:
    assert sorted(row["shows"] for row in ROWS) == sorted(SHOWS)
