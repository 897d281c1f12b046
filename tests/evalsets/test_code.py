"""Code that evaluation sets name: what is loaded, what is refused, and what is said of it."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.errors import InputError
from fieldwise.evalsets.code.loading import (
    async_custom_evaluator,
    custom_evaluator,
    load_class,
    make_custom,
)
from fieldwise.evalsets.code.modules import load_module, read_file
from fieldwise.evalsets.code.references import read_reference
from fieldwise.evalsets.custom import BaseEvaluator
from fieldwise.evalsets.model import Spec
from fieldwise.scorers.agents.execution import AgentExecution

GOOD = """
from __future__ import annotations

import asyncio

from fieldwise import AgentExecution, BaseEvaluationCriteria, BaseEvaluator, BaseEvaluatorConfig


class Wanted(BaseEvaluationCriteria):
    expected_value: str = ""
    at_2nd: int | None = None


class Setup(BaseEvaluatorConfig[Wanted]):
    name: str = "Same"
    ignore_case: bool = False
    at_2nd: int = 0


class Same(BaseEvaluator[Wanted, Setup]):
    async def evaluate(self, agent_execution: AgentExecution, criteria: Wanted) -> float:
        await asyncio.sleep(0)
        wanted, got = criteria.expected_value, str(agent_execution.agent_output)
        if self.evaluator_config.ignore_case:
            wanted, got = wanted.lower(), got.lower()
        return 1.0 if wanted == got else 0.0


class Plain(BaseEvaluator[Wanted]):
    def evaluate(self, agent_execution: AgentExecution, criteria: Wanted) -> bool:
        return agent_execution.agent_output == criteria.expected_value
"""


@pytest.fixture
def evaluations(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / "evaluations"
    (folder / "evaluators" / "custom").mkdir(parents=True)
    return folder


def put(evaluations: Path, text: str, name: str = "custom/same.py") -> Path:
    file = evaluations / "evaluators" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text), encoding="utf-8")
    return file


def load(
    evaluations: Path, schema: Any = "file://same.py:Same", **more: Any
) -> type[BaseEvaluator[Any, Any, Any]]:
    return load_class(schema, evaluations, **{"allow_code": True, **more})


def refused(evaluations: Path, schema: Any = "file://same.py:Same", **more: Any) -> str:
    """Why it cannot be loaded, the evaluations folder left out."""
    with pytest.raises(InputError) as raised:
        load(evaluations, schema, **more)
    return str(raised.value).replace(f"{evaluations}/", "").replace(str(evaluations), "the folder")


# ---------------------------------------------------------------------------------------------- consent


def test_nothing_runs_without_consent(evaluations: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(evaluations, GOOD + "print('ran')\n")
    assert refused(evaluations, allow_code=False) == (
        "evaluatorSchema='file://same.py:Same' names code, evaluators/custom/same.py; "
        "read it, then pass --allow-code to run it"
    )
    assert capsys.readouterr().out == ""
    load(evaluations)
    assert capsys.readouterr().out == "ran\n"


def test_what_is_loaded_is_told_before_it_runs(evaluations: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = put(evaluations, GOOD + "print('ran')\n")
    told: list[tuple[Path, str, str]] = []
    load(evaluations, on_load=lambda path, name: told.append((path, name, capsys.readouterr().out)))
    assert told == [(file, "Same", "")]


# ------------------------------------------------------------------------------------------- where it may be

_FIX = "write file://<name>.py:<ClassName>, a file of evaluators/custom in the evaluations folder"
TRAVERSALS = [
    ("file://../same.py:Same", "has a step that is no name, such as .."),
    ("file://../../../outside.py:Same", "has a step that is no name, such as .."),
    ("file://custom/../../../outside.py:Same", "has a step that is no name, such as .."),
    ("file://custom/..:Same", "has a step that is no name, such as .."),
    ("file://./same.py:Same", "has a step that is no name, such as .."),
    ("file://custom//same.py:Same", "has a step that is no name, such as .."),
    ("file://same.py/:Same", "has a step that is no name, such as .."),
    ("file://:Same", "has a step that is no name, such as .."),
    ("file:///etc/passwd:Same", "is an absolute path"),
    ("file:///same.py:Same", "is an absolute path"),
    ("file:////server/share/same.py:Same", "is an absolute path"),
    ("file://\\\\server\\share\\same.py:Same", "is an absolute path"),
    ("file://C:/same.py:Same", "names a drive"),
    ("file:///C:/same.py:Same", "names a drive"),
    ("file://c:same.py:Same", "names a drive"),
    ("file://c:\\same.py:Same", "names a drive"),
    ("file://custom\\same.py:Same", "has a backslash"),
    ("file://..\\same.py:Same", "has a backslash"),
    ("file://%2e%2e/same.py:Same", "has a %, and nothing is decoded"),
    ("file://..%2fsame.py:Same", "has a %, and nothing is decoded"),
    ("file://%252e%252e%252fsame.py:Same", "has a %, and nothing is decoded"),
    ("file://~/same.py:Same", "begins with ~, and there is no home here"),
    ("file://$HOME/same.py:Same", "has a character that no name has"),
    ("file://same.py?x:Same", "has a character that no name has"),
    ("file://same.py#x:Same", "has a character that no name has"),
    ("file://same.py::$DATA:Same", "has a character that no name has"),
    ("file://*.py:Same", "has a character that no name has"),
    ("file://user:secret@host/same.py:Same", "has a character that no name has"),
    ("file://same.py\0.txt:Same", "has characters that do not print"),
    ("file://same.py\n:Same", "has characters that do not print"),
    ("file://\u202esame.py:Same", "has characters that do not print"),
    ("file://same.pyc:Same", "is no .py file"),
    ("file://same.so:Same", "is no .py file"),
    ("file://same:Same", "is no .py file"),
    (f"file://{'x' * 500}.py:Same", "is longer than 500 characters"),
    ("http://host/same.py:Same", "is no file://"),
    ("FILE://same.py:Same", "is no file://"),
    ("same.py:Same", "is no file://"),
    ("", "is no file://"),
    (None, "is no file://"),
    (["file://same.py:Same"], "is no file://"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "fault"), [pytest.param(*row, id=repr(row[0])[:60]) for row in TRAVERSALS]
)
def test_only_plain_names_are_followed(evaluations: Path, schema: Any, fault: str) -> None:
    put(evaluations, GOOD)
    outside = evaluations.parent / "outside.py"
    outside.write_text("raise SystemExit")
    text = refused(evaluations, schema)
    assert text.startswith("evaluatorSchema=")
    assert text.endswith(f": {fault}; {_FIX}")


@pytest.mark.parametrize("class_name", ["", "My-Class", "a.b", "1x", "X()", "X Y", "__import__('os')"])
def test_the_class_is_a_name(evaluations: Path, class_name: str) -> None:
    put(evaluations, GOOD)
    text = refused(evaluations, f"file://same.py:{class_name}")
    assert text.endswith(": names no class; add it, as in file://same.py:MyEvaluator")


def test_a_schema_without_class(evaluations: Path) -> None:
    assert refused(evaluations, "file://same.py", where="x.json: evaluatorSchema") == (
        "x.json: evaluatorSchema='file://same.py': names no class; add it, as in file://same.py:MyEvaluator"
    )


@pytest.mark.parametrize("where", ["custom/same.py", "same.py", "custom/deep/same.py", "deep/same.py"])
def test_where_it_may_be(evaluations: Path, where: str) -> None:
    put(evaluations, GOOD, where)
    path = where.removeprefix("custom/")
    assert load(evaluations, f"file://{path}:Same").__name__ == "Same"


def test_custom_comes_first(evaluations: Path) -> None:
    put(evaluations, GOOD.replace("Same", "Other"), "same.py")
    put(evaluations, GOOD)
    assert load(evaluations).__name__ == "Same"


def link_outside(evaluations: Path) -> Path:
    outside = evaluations.parent / "outside"
    outside.mkdir()
    (outside / "same.py").write_text("raise SystemExit('ran')")
    return outside


@pytest.mark.parametrize("link", ["file", "chain", "folder", "custom", "dangling", "circle"])
def test_links_out_of_the_folder_are_refused(evaluations: Path, link: str) -> None:
    outside, custom = link_outside(evaluations), evaluations / "evaluators" / "custom"
    schema = "file://same.py:Same"
    if link == "file":
        (custom / "same.py").symlink_to(outside / "same.py")
    elif link == "chain":
        (custom / "same.py").symlink_to(custom / "other.py")
        (custom / "other.py").symlink_to("../../../outside/same.py")
    elif link == "folder":
        (custom / "deep").symlink_to(outside)
        schema = "file://deep/same.py:Same"
    elif link == "custom":
        custom.rmdir()
        custom.symlink_to(outside)
    elif link == "dangling":
        (custom / "same.py").symlink_to("/nowhere/same.py")
    else:
        (custom / "same.py").symlink_to(custom / "same.py")
    text = refused(evaluations, schema)
    if link == "circle":
        assert "evaluators/custom/same.py" in text
    else:
        assert text.endswith("leads out of the folder; put the file itself there instead of a link")


def test_links_within_the_folder_are_followed(evaluations: Path) -> None:
    file = put(evaluations, GOOD, "custom/shared.py")
    file.with_name("same.py").symlink_to(file)
    assert load(evaluations).__name__ == "Same"


def test_a_folder_that_is_itself_a_link(evaluations: Path) -> None:
    put(evaluations, GOOD)
    link = evaluations.with_name("linked")
    link.symlink_to(evaluations)
    assert load(link).__name__ == "Same"


def test_what_is_not_there(evaluations: Path) -> None:
    said = (
        "evaluatorSchema='file://same.py:Same': there is no same.py in evaluators/custom nor in evaluators; "
    )
    assert refused(evaluations) == f"{said}write it to evaluators/custom/same.py"
    put(evaluations, GOOD, "custom/sane.py")
    assert refused(evaluations) == f"{said}did you mean 'sane.py'?"


def test_what_is_no_file(evaluations: Path) -> None:
    (evaluations / "evaluators" / "custom" / "same.py").mkdir()
    assert refused(evaluations).endswith(
        "evaluators/custom/same.py is no file; put the evaluator's code there"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_no_file(evaluations: Path) -> None:
    os.mkfifo(evaluations / "evaluators" / "custom" / "same.py")
    assert refused(evaluations).endswith(
        "evaluators/custom/same.py is no file; put the evaluator's code there"
    )


@given(st.one_of(st.text(), st.text(alphabet="./\\:%~ axfile\0", max_size=20).map("file://{}".format)))
def test_no_text_leads_out(schema: str) -> None:
    try:
        reference = read_reference(schema)
    except InputError:
        return
    steps = reference.path.split("/")
    assert not {"", ".", ".."} & set(steps)
    assert reference.class_name.isidentifier()
    assert str(reference) == schema


# ------------------------------------------------------------------------------------------------- modules


def test_a_file_is_run_once_for_each_text(evaluations: Path) -> None:
    file = put(evaluations, GOOD)
    same, plain = load(evaluations), load(evaluations, "file://same.py:Plain")
    assert sys.modules[same.__module__] is sys.modules[plain.__module__]
    assert load(evaluations) is same
    file.write_text(GOOD + "\nNEW = 1\n")
    again = load(evaluations)
    assert again is not same
    assert vars(sys.modules[again.__module__])["NEW"] == 1


def test_files_of_one_name_are_two_modules(evaluations: Path) -> None:
    put(evaluations, GOOD)
    put(evaluations, GOOD, "custom/deep/same.py")
    assert load(evaluations) is not load(evaluations, "file://deep/same.py:Same")


def test_compiled_files_are_neither_read_nor_written(evaluations: Path) -> None:
    file = put(evaluations, GOOD)
    load(evaluations)
    assert [one.name for one in file.parent.iterdir()] == ["same.py"]


def test_a_module_knows_where_it_stands(evaluations: Path) -> None:
    file = put(evaluations, "here = __file__, __name__, __package__\n")
    module = load_module(read_file(file))
    assert vars(module)["here"] == (str(file.resolve()), module.__name__, "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1\n\n1 / 0\n", "evaluators/custom/same.py:3: ZeroDivisionError: division by zero"),
        ("def f():\n    return {}['a']\n\nf()\n", "evaluators/custom/same.py:2: KeyError: 'a'"),
        ("import json\njson.loads('{')\n",
         "evaluators/custom/same.py:2: JSONDecodeError: Expecting property name enclosed in double quotes: "  # noqa: ISC004
         "line 1 column 2 (char 1)"),
        ("x = 1\nraise SystemExit(0)\n",
         "evaluators/custom/same.py:2: ends the program when it is loaded; move that into a function"),
        ("import no_such_module_anywhere\n",
         "evaluators/custom/same.py:1: ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
        ("from fieldwise import BaseEvaluatr\n",
         "evaluators/custom/same.py:1: ImportError: cannot import name 'BaseEvaluatr' from 'fieldwise' "  # noqa: ISC004
         f"({Path(sys.modules['fieldwise'].__file__ or '')})"),
        ("from fieldwise import BaseEvaluator\n\nclass Same(BaseEvaluator[int]): ...\n",
         "evaluators/custom/same.py:3: ConfigError: Same: BaseEvaluator[Criteria, Config] takes a class "  # noqa: ISC004
         "derived from BaseEvaluationCriteria, not <class 'int'>"),
    ],
)  # fmt: skip
def test_what_running_it_raises(evaluations: Path, text: str, reason: str) -> None:
    put(evaluations, text)
    modules = set(sys.modules)
    assert refused(evaluations) == reason
    assert [name for name in set(sys.modules) - modules if name.startswith("fieldwise_custom")] == []


@pytest.mark.parametrize(
    ("text", "line"), [(b"x = 1\ny = (\n", 2), (b"x = 1\n\tdef", 2), (b"x = '\xff'\n", 1), (b"a\0b", None)]
)
def test_what_does_not_parse(evaluations: Path, text: bytes, line: int | None) -> None:
    put(evaluations, "").write_bytes(text)
    place = "evaluators/custom/same.py" + (f":{line}: " if line else "")
    assert refused(evaluations).startswith(place)


@pytest.mark.parametrize(
    "text", ["from .helper import x\n", "from . import helper\n", "import helper\n", "from helper import x\n"]
)
def test_neighbours_are_not_imported(evaluations: Path, text: str) -> None:
    put(evaluations, "x = 1\n", "custom/helper.py")
    put(evaluations, text)
    reason = refused(evaluations)
    assert reason.startswith("evaluators/custom/same.py:1: ")
    assert reason.endswith(
        "; an evaluator's file stands alone and cannot import its neighbours; "
        "install what they share as a package"
    )


def test_an_interruption_passes(evaluations: Path) -> None:
    put(evaluations, "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        load(evaluations)


def test_a_file_that_cannot_be_read(evaluations: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(evaluations, GOOD)

    def fails(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", fails)
    assert refused(evaluations) == "evaluators/custom/same.py: cannot be read: Permission denied"


# ------------------------------------------------------------------------------------------------- classes

_IMPORT = "from fieldwise import BaseEvaluationCriteria, BaseEvaluator, BaseEvaluatorConfig\n"
_METHOD = "    def evaluate(self, run, criteria): return 1.0\n"
_FIELD = 'give it one with a default, as `expected_value: str = ""`'
_THEIRS = """
from types import new_class
Base = new_class("BaseEvaluator")
Base.__module__ = "uipath.eval"
class Same(Base): ...
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("class Sames(BaseEvaluator): ...\n", "has no class Same; did you mean 'Sames'?"),
        ("x = 1\n", "has no class Same; there are no evaluators in it"),
        ("Same = 1\n", "Same is no evaluator; derive a class from fieldwise.BaseEvaluator[Criteria]"),
        ("class Same: ...\n",
         "Same is no evaluator; derive a class from fieldwise.BaseEvaluator[Criteria]"),
        ("def Same(): ...\n",
         "Same is no evaluator; derive a class from fieldwise.BaseEvaluator[Criteria]"),
        (_THEIRS,
         "Same is no evaluator; its BaseEvaluator is that of uipath.eval: import it from fieldwise"),
        ("class Same(BaseEvaluator): ...\n", "Same has no method evaluate; write it"),
        (f"class C(BaseEvaluationCriteria):\n    pass\nclass Same(BaseEvaluator[C]):\n{_METHOD}",
         f"No evaluation criteria provided: C has no fields; {_FIELD}"),
        (f"class Same(BaseEvaluator):\n{_METHOD}",
         f"No evaluation criteria provided: BaseEvaluationCriteria has no fields; {_FIELD}"),
    ],
)  # fmt: skip
def test_what_is_no_evaluator(evaluations: Path, text: str, reason: str) -> None:
    put(evaluations, _IMPORT + text)
    assert refused(evaluations) == f"evaluators/custom/same.py: {reason}"


# ----------------------------------------------------------------------------------------------- instances


def spec(name: str = "Same", **more: Any) -> Spec:
    given = {"id": name, "type_id": "custom-same", "name": name, "code": f"file://same.py:{name}", **more}
    return Spec(**given)


def both(evaluations: Path, what: Spec) -> Any:
    """The evaluator of a spec, sync and async the same."""
    sync: Any = custom_evaluator(what, evaluations, allow_code=True)
    awaited: Any = async_custom_evaluator(what, evaluations, allow_code=True)

    def evaluate(outputs: Any, criteria: Any = None) -> Any:
        given = {"inputs": {}, "outputs": outputs, "reference_outputs": criteria}
        result = sync(**given)
        assert asyncio.run(awaited(**given)) == result
        return result

    return evaluate


@pytest.mark.parametrize("name", ["Same", "Plain"])
def test_async_and_plain_evaluators(evaluations: Path, name: str) -> None:
    put(evaluations, GOOD)
    evaluate = both(evaluations, spec(name, id="my-id"))
    result = evaluate("x", {"expectedValue": "x"})
    assert (result["key"], result["score"]) == ("my-id", 1.0)
    assert evaluate(AgentExecution({}, "y"), {"expected_value": "x"})["score"] == 0.0


@pytest.mark.parametrize(
    ("criteria", "default", "expected"),
    [
        ({"expectedValue": "x"}, None, (1.0, "graded")),
        ({"expectedValue": "x"}, {"expectedValue": "z"}, (1.0, "graded")),
        ({"expectedValue": "y"}, {"expectedValue": "x"}, (0.0, "graded")),
        ({"at2Nd": 1}, {"expectedValue": "x"}, (0.0, "graded")),  # replaced whole: expectedValue is "" again
        (None, {"expectedValue": "x"}, (1.0, "graded")),
        ({}, {"expectedValue": "x"}, (1.0, "graded")),
        (None, {"expected_value": "x"}, (1.0, "graded")),
        (None, {}, (0.0, "graded")),
        (None, None, (None, "not_evaluated")),
        ({}, None, (None, "not_evaluated")),
        ({"expectedVal": "x"}, None, (None, "invalid_reference")),
    ],
)
def test_criteria_and_defaults(
    evaluations: Path, criteria: Any, default: Any, expected: tuple[float | None, str]
) -> None:
    put(evaluations, GOOD)
    result = both(evaluations, spec(default=default))("x", criteria)
    assert (result["score"], result["extra"]["status"]) == expected
    if expected[1] == "not_evaluated":
        assert result["comment"] == "No evaluation criteria provided, and there is no default"


@pytest.mark.parametrize("key", ["at_2nd", "at2Nd", "at2_nd"])
def test_options_with_digits(evaluations: Path, key: str) -> None:
    put(evaluations, GOOD)
    made = make_custom(spec(options={key: 3}), evaluations, allow_code=True)
    assert made.evaluator_config.at_2nd == 3


@pytest.mark.parametrize(
    ("default", "score"), [(None, 1.0), ({}, 1.0), ({"expectedValue": "y"}, 0.0), ({"at2Nd": 1}, 0.0)]
)
def test_a_default_that_the_class_has(evaluations: Path, default: Any, score: float) -> None:
    own = '    default_evaluation_criteria: Wanted | None = Wanted(expected_value="x")\n'
    put(evaluations, GOOD.replace('    name: str = "Same"\n', own))
    assert both(evaluations, spec(default=default))("x")["score"] == score


@pytest.mark.parametrize("key", ["ignoreCase", "ignore_case"])
def test_options_in_either_spelling(evaluations: Path, key: str) -> None:
    put(evaluations, GOOD)
    assert both(evaluations, spec(options={key: True}))("X", {"expectedValue": "x"})["score"] == 1.0
    assert both(evaluations, spec(options={key: False}))("X", {"expectedValue": "x"})["score"] == 0.0


def test_options_that_are_said_twice_count_once(evaluations: Path) -> None:
    put(evaluations, GOOD)
    options = {"name": "Other", "defaultEvaluationCriteria": {"expectedValue": "y"}, "at2Nd": 3}
    evaluate = both(evaluations, spec(options=options, default={"expectedValue": "x"}))
    assert evaluate("x")["score"] == 1.0
    assert both(evaluations, spec(options=options))("y")["score"] == 1.0


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"options": {"ignoreCas": 1}}, "ignoreCas=1: there is no such key; did you mean 'ignoreCase'?"),
        ({"options": {"at2Nd": []}}, "at2Nd=[]: Input should be a valid integer"),
        ({"default": {"expected": "x"}},
         "defaultEvaluationCriteria.expected='x': there is no such key; did you mean 'expectedValue'?"),
    ],
)  # fmt: skip
def test_a_configuration_that_does_not_fit(evaluations: Path, given: dict[str, Any], reason: str) -> None:
    put(evaluations, GOOD)
    with pytest.raises(InputError) as raised:
        custom_evaluator(spec(file="evaluators/same-evaluator.json", **given), evaluations, allow_code=True)
    assert str(raised.value) == f"evaluators/same-evaluator.json: Same: evaluatorConfig: {reason}"


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("def __init__(self, config): raise OSError('no key')", "Same cannot be made: OSError: no key"),
        ("def __init__(self): super().__init__()",
         "Same cannot be made: TypeError: Same.__init__() takes 1 positional argument but 2 were given"),
        ("def evaluate(self, run): return 1.0",
         "Same.evaluate must take (self, agent_execution, evaluation_criteria)"),
        ("def evaluate(self, *, agent_execution, criteria): return 1.0",
         "Same.evaluate must take (self, agent_execution, evaluation_criteria)"),
    ],
)  # fmt: skip
def test_a_class_that_cannot_be_used(evaluations: Path, method: str, reason: str) -> None:
    text = "class C(BaseEvaluationCriteria):\n    a: int = 1\nclass Same(BaseEvaluator[C]):\n"
    other = "" if "def evaluate" in method else "    def evaluate(self, run, criteria): return 1.0\n"
    put(evaluations, f"{_IMPORT}{text}    {method}\n{other}")
    with pytest.raises(InputError) as raised:
        custom_evaluator(spec(), evaluations, allow_code=True)
    assert str(raised.value) == f"file://same.py:Same: {reason}"


def test_where_a_spec_stands_is_told(evaluations: Path) -> None:
    with pytest.raises(InputError) as raised:
        custom_evaluator(spec(file="e/x.json", code="file://../x.py:X"), evaluations, allow_code=True)
    assert str(raised.value) == (
        f"e/x.json: evaluatorSchema='file://../x.py:X': has a step that is no name, such as ..; {_FIX}"
    )
