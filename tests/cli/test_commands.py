"""The table of commands, what asking for help costs, and what a shell is told."""

from __future__ import annotations

import ast
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import fieldwise
from fieldwise.cli import command, run
from fieldwise.cli.commands import COMMANDS, VARIABLE
from fieldwise.cli.completion import SHELLS

FIELDWISE = [sys.executable, "-m", "fieldwise"]
CONTEXT = click.Context(command)


def answer(words: str, incomplete: str = "") -> list[str]:
    """What a shell is offered after these words."""
    from click.shell_completion import ShellComplete

    shell = ShellComplete(command, {}, "fieldwise", VARIABLE)
    return [str(item.value) for item in shell.get_completions(words.split(), incomplete)]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_row_is_what_the_command_says_of_itself(name: str) -> None:
    found = command.get_command(CONTEXT, name)
    assert found is not None
    assert found.name == name
    assert str(found.help).startswith(COMMANDS[name][1].rstrip("."))


def test_rows_are_sorted_and_every_command_module_has_one() -> None:
    assert list(COMMANDS) == sorted(COMMANDS)
    folder = Path(fieldwise.__file__).parent / "cli"
    places = (
        path.relative_to(folder) for path in folder.rglob("*.py") if "\n@click.command(" in path.read_text()
    )
    defining = {".".join(place.with_suffix("").parts) for place in places}
    assert defining <= {module for module, _ in COMMANDS.values()}


def test_a_command_there_is_not() -> None:
    err = io.StringIO()
    assert run(["scrore"], io.StringIO(), io.StringIO(), err) == 2
    assert "No such command 'scrore'" in err.getvalue()


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_command(option: str) -> None:
    code = (
        f"import sys; from fieldwise.cli import run; assert run([{option!r}]) == 0; print(list(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ast.literal_eval(done.stdout.splitlines()[-1]))
    layers = ("comparators", "evaluators", "run", "scorers")
    assert loaded.isdisjoint(f"fieldwise.cli.{module}" for module, _ in COMMANDS.values())
    assert loaded.isdisjoint(f"fieldwise.{layer}" for layer in layers)
    assert loaded.isdisjoint({"langchain_core", "numpy", "rich", "scipy"})


def test_version() -> None:
    out = io.StringIO()
    assert run(["--version"], io.StringIO(), out, io.StringIO()) == 0
    assert out.getvalue() == f"fieldwise, version {fieldwise.__version__}\n"


COMPLETIONS = [
    ("", "comp", ["compare", "completion"]),
    ("score records.jsonl --evaluator", "json_s", ["json_schema", "json_similarity"]),
    ("list", "tool_call_c", ["tool_call_count"]),
    ("list", "number", ["number", "number_text"]),
    ("list", "cont", ["contains", "contains_all", "contains_any", "contains_json"]),
    ("score records.jsonl --evaluator json_match --option", "agg", ["aggregator="]),
    (
        "score records.jsonl --evaluator json_match --option",
        "comparators.total=num",
        ["comparators.total=number", "comparators.total=numeric_diff", "comparators.total=number_text"],
    ),
    ("score records.jsonl --evaluator json_match --option", "aggregator=av", ["aggregator=average"]),
    ("score records.jsonl --evaluator json_match --option", "coerce=", ["coerce=true", "coerce=false"]),
    ("score records.jsonl --evaluator json_match --option", "threshold=", []),
    ("score records.jsonl --evaluator json_match --option", "agregator=", []),
    ("score records.jsonl --option", "agg", []),
    ("score records.jsonl --format", "c", ["csv"]),
    ("score", "rec", ["rec"]),
    ("score records.jsonl", "--min", ["--min-coverage"]),
    ("completion", "", list(SHELLS)),
    ("", "--v", ["--version"]),
]


@pytest.mark.parametrize(("words", "incomplete", "offered"), COMPLETIONS)
def test_completions(words: str, incomplete: str, offered: list[str]) -> None:
    assert answer(words, incomplete) == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_the_one_click_makes(shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("click asks bash for its version, and there is none")
    out = io.StringIO()
    assert run(["completion", shell], io.StringIO(), out, io.StringIO()) == 0
    asked = {**os.environ, VARIABLE: f"{shell}_source"}
    entry = "import sys; sys.argv[0] = 'fieldwise'; from fieldwise.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", entry], env=asked, capture_output=True, text=True, check=True
    )
    assert out.getvalue().strip() == done.stdout.strip()
