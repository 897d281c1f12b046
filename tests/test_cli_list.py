"""`fieldwise list` and `fieldwise schema`: what the registry has, printed."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fieldwise import cli
from fieldwise.cli._list import list_command
from fieldwise.cli._schema import schema_command
from fieldwise.evalsets.kinds import GUIDE, UIPATH, kinds
from fieldwise.evalsets.schema import json_schema


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (list_command, schema_command):
        monkeypatch.setitem(cli.command.commands, str(command.name), command)


def ran(*argv: str, out: Any = None) -> tuple[int, str, str]:
    out, err = out or io.StringIO(), io.StringIO()
    code = cli.run(argv, io.StringIO(), out, err)
    return code, out.getvalue(), err.getvalue()


def test_list_prints_the_guide_and_every_evaluator_in_one_line_each() -> None:
    code, out, err = ran("list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Evaluator selection guide"
    assert [line.split("  ")[0] for line in lines[3 : 3 + len(GUIDE)]] == [row.agent for row in GUIDE]
    start = lines.index("Built-in evaluators") + 3
    built_in = [line.split() for line in lines[start : start + len(UIPATH)]]
    assert built_in == [[kind.type_id, kind.title, *kind.scoring.split()] for kind in UIPATH]
    others = lines.index("Other evaluators") + 3
    assert [line.split()[0] for line in lines[others:-2]] == [
        one.type_id for one in kinds().values() if one not in UIPATH
    ]
    assert lines[-1] == "`fieldwise schema evaluator` has the options of each."
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("columns", ["60", "120"])
def test_list_fits_a_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    code, out, _ = ran("list", out=Terminal())
    assert code == 0
    assert max(map(len, out.splitlines())) <= int(columns)
    assert "Selection guide".casefold() in out.casefold()
    assert "\x1b" not in out


def test_list_as_json() -> None:
    code, out, _ = ran("list", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["guide"][0] == {
        "agentType": "Calculator/Deterministic", "primary": "Exact Match", "secondary": "-",
        "notes": "Binary pass/fail",
    }  # fmt: skip
    assert [one["evaluatorTypeId"] for one in found["evaluators"]] == [*kinds()]
    assert found["evaluators"][0] == {
        "evaluatorTypeId": "uipath-exact-match",
        "evaluator": "ExactMatchEvaluator",
        "scoring": "Binary (0/1)",
        "criteria": "expectedOutput",
        "builtIn": True,
    }


@pytest.mark.parametrize("kind", ["evaluator", "eval-set"])
def test_schema_prints_the_schema(kind: Any) -> None:
    code, out, err = ran("schema", kind)
    assert (code, err) == (0, "")
    assert json.loads(out) == json_schema(kind)
    Draft202012Validator.check_schema(json.loads(out))


def test_schema_is_of_evaluators_unless_said() -> None:
    assert ran("schema")[1] == ran("schema", "evaluator")[1]


def test_schema_of_what_has_none() -> None:
    code, out, err = ran("schema", "report")
    assert (code, out) == (2, "")
    assert "'report' is not one of 'evaluator', 'eval-set'" in err
