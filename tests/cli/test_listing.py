"""`fieldwise list` and `fieldwise schema`: what the registry has, printed."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fieldwise.cli.common.comparators import COMPARATORS
from fieldwise.cli.common.evaluators import EVALUATORS
from fieldwise.cli.described import feedback_keys
from fieldwise.evalsets.registry.kinds import GUIDE, UIPATH, kinds
from fieldwise.evalsets.registry.signatures import factories
from fieldwise.evalsets.schemas.json_schema import json_schema
from tests.cli.calls import Terminal, call


def test_list_prints_the_guide_and_every_evaluator_in_one_line_each() -> None:
    code, out, err = call("list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Evaluators of Python and of `fieldwise score --evaluator`"
    assert [line.split()[0] for line in lines[3 : 3 + len(EVALUATORS)]] == sorted(EVALUATORS)
    compared = lines.index("Comparators of `--option comparators.PATH=NAME`") + 3
    assert [line.split()[0] for line in lines[compared : compared + len(COMPARATORS)]] == [*COMPARATORS]
    assert "…" not in out
    guide = lines.index("Evaluator selection guide") + 3
    assert [line.split("  ")[0] for line in lines[guide : guide + len(GUIDE)]] == [row.agent for row in GUIDE]
    start = lines.index("Built-in evaluators") + 3
    built_in = [line.split() for line in lines[start : start + len(UIPATH)]]
    assert built_in == [[kind.type_id, kind.title, *kind.scoring.split()] for kind in UIPATH]
    others = lines.index("Other evaluators") + 3
    assert [line.split()[0] for line in lines[others:-2]] == [
        one.type_id for one in kinds().values() if one not in UIPATH
    ]
    assert lines[-1] == "`fieldwise list NAME` has the options of one."
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("columns", ["60", "120"])
def test_list_fits_a_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    code, out, _ = call("list", out=Terminal())
    assert code == 0
    assert max(map(len, out.splitlines())) <= int(columns)
    assert "Selection guide".casefold() in out.casefold()
    assert "\x1b" not in out


def test_list_as_json() -> None:
    code, out, _ = call("list", "--json")
    found = json.loads(out)
    assert code == 0
    assert [one["name"] for one in found["names"]] == sorted(EVALUATORS)
    assert all(one["about"] for one in found["names"])
    assert [one["name"] for one in found["comparators"]] == [*COMPARATORS]
    assert all(one["about"] for one in found["comparators"])
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


# ---------------------------------------------------------------------------------------------- one of them


@pytest.mark.parametrize("name", [*factories(), "uipath-json-similarity", "fieldwise-json-match"])
def test_the_options_of_an_evaluator_are_told(name: str) -> None:
    text = call("list", name)[1].partition(", a comparator: ")[0]
    evaluator = kinds()[name].evaluator if name in kinds() else name
    signature = inspect.signature(factories()[evaluator]).parameters
    told = re.findall(r"^  (\w+)  \((.+); (?:required|default (.+))\)$", text, re.MULTILINE)
    assert [option for option, _, _ in told] == list(signature)
    assert [default for _, _, default in told] == [
        "" if one.default is one.empty else repr(one.default) for one in signature.values()
    ]
    assert re.findall(r"^  (\w+)  \(.*\)\n(?!      )", text, re.MULTILINE) == []
    assert text.startswith(f"{evaluator}: ")
    assert "\nexample:\n  >>> " in text
    assert json.loads(call("list", name, "--json")[1])["name"] == evaluator


SAID = """\
contains_json: Accept an output that holds an object or an array, anywhere in its text.

There may be prose or fences around it. An output that is an object or array itself is accepted; to
look into the text of a column, name it. There is no reference.

in files: evaluatorTypeId fieldwise-contains-json, criteria expectedOutput

options (--option NAME=VALUE; in files camelCase, in evaluatorConfig):

  parse  (strict | lenient; default 'strict')
"""


def test_an_evaluator_is_told_in_full() -> None:
    text = call("list", "contains_json")[1]
    assert text.startswith(SAID)
    assert "\nfeedback keys:\n  contains_json\n\nreturns:\n  One result with score True or False." in text


TYPES: list[tuple[str, str, str]] = [
    ("json_match", "aggregator", "average | all | null"),
    ("json_match", "weights", "mapping to number | null"),
    ("json_match", "judge", "a Python value"),
    ("contains", "target_output_key", "text | list of text"),
    ("binary_classification", "classes", "list of (text | number) | null"),
    ("binary_classification", "zero_division", "0 | 1 | exclude"),
    ("tool_call_args", "comparators", "mapping to mapping to text | null"),
]


@pytest.mark.parametrize(("evaluator", "option", "type_"), TYPES)
def test_types_are_told_as_files_have_them(evaluator: str, option: str, type_: str) -> None:
    found = json.loads(call("list", evaluator, "--json")[1])
    assert {one["name"]: one["type"] for one in found["options"]}[option] == type_


DOCUMENTS: Any = {"outputs": {"a": 1}, "reference_outputs": {"a": 1}}
CALLS: Any = {"outputs": [{"role": "user", "content": "Hi"}], "reference_outputs": []}
KEYS: list[tuple[str, dict[str, Any], dict[str, Any], list[str]]] = [
    ("json_match", {}, DOCUMENTS, ["json_match:<field>"]),
    ("json_match", {"aggregator": "average"}, DOCUMENTS, ["json_match:average"]),
    ("json_match", {"aggregator": "all"}, DOCUMENTS, ["json_match:all"]),
    ("multi_field", {"fields": ["a"]}, DOCUMENTS, ["multi_field:<path>", "multi_field:aggregate_score"]),
    (
        "grounded_fields",
        {},
        {"outputs": {"a": "x"}, "retrieval_context": ["x"]},
        ["grounded_fields:<path>", "grounded_fields:aggregate_score"],
    ),
    ("trajectory_match", {"trajectory_match_mode": "subset"}, CALLS, ["trajectory_<mode>_match"]),
]


@pytest.mark.parametrize(("name", "options", "sides", "keys"), KEYS)
def test_feedback_keys_are_those_of_results(
    name: str, options: dict[str, Any], sides: dict[str, Any], keys: list[str]
) -> None:
    found = factories()[name](**options)(**sides)
    came = [one["key"] for one in (found if isinstance(found, list) else [found])]
    made = [key.replace("<field>", "a").replace("<path>", "a").replace("<mode>", "subset") for key in keys]
    assert came == made
    assert set(keys) <= set(feedback_keys(name))


def test_an_unknown_evaluator_is_not_told_of() -> None:
    code, out, err = call("list", "json_mach")
    assert (code, out) == (2, "")
    assert "there is no evaluator or comparator 'json_mach'; did you mean 'json_match'?" in err
    assert "there is no evaluator or comparator 'numbr'; did you mean 'number'?" in call("list", "numbr")[2]


# -------------------------------------------------------------------------------------------- comparators


NUMBER = """\
number, a comparator: Accept numbers that differ by at most max(absolute, relative * |expected|).

The difference is exact decimal arithmetic on the numbers as they are written, so 1.1 is within 0.1
of 1.0, and integers of any size never pass through a float. Numbers in text are not read: see
coerce.

options (--option comparators.PATH=number(NAME=VALUE, …)):

  absolute  (number; default 0)
      the greatest difference, at least 0.

  relative  (number; default 0)
      the greatest difference as a share of the expected value, at least 0. Not symmetric.

example:
  >>> number(absolute=0.1)(1.0, 1.1)
  1.0
  >>> number(relative=0.01)(100, 102)
  0.0
"""


def test_a_comparator_is_told_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert call("list", "number") == (0, NUMBER, "")


@pytest.mark.parametrize("name", COMPARATORS)
def test_the_options_of_a_comparator_are_told(name: str) -> None:
    text = call("list", name)[1].partition(f"{name}, a comparator: ")[2]
    signature = inspect.signature(COMPARATORS[name]).parameters
    told = re.findall(r"^  (\w+)  \((.+); (?:required|default (.+))\)$", text, re.MULTILINE)
    assert [(option, default) for option, _, default in told] == [
        (option, "" if one.default is one.empty else repr(one.default)) for option, one in signature.items()
    ]
    assert re.findall(r"^  (\w+)  \(.*\)\n(?!      )", text, re.MULTILINE) == []
    assert ("\noptions: none\n" in text) is not bool(signature)
    assert "\nexample:\n  >>> " in text
    assert "`" not in text


@pytest.mark.parametrize("name", COMPARATORS)
def test_a_comparator_as_json(name: str) -> None:
    found = json.loads(call("list", name, "--json")[1])
    found = found.get("comparator", found)
    assert (found["name"], sorted(found)) == (name, ["about", "example", "name", "options"])
    assert [one["name"] for one in found["options"]] == [*inspect.signature(COMPARATORS[name]).parameters]
    assert all(one["about"] for one in found["options"])


@pytest.mark.parametrize("name", sorted(EVALUATORS.keys() & COMPARATORS))
def test_a_name_of_both_is_told_as_both(name: str) -> None:
    text = call("list", name)[1]
    assert text.startswith(f"{name}: ")
    assert f"\n\n{name}, a comparator: " in text
    assert json.loads(call("list", name, "--json")[1])["evaluatorTypeId"]


def test_an_option_of_given_words_has_them_for_a_type() -> None:
    found = json.loads(call("list", "regex", "--json")[1])
    assert {one["name"]: one["type"] for one in found["options"]} == {
        "pattern": "text | null",
        "match": "full | search",
        "ignore_case": "true | false",
        "timeout": "number",
    }


# ---------------------------------------------------------------------------------------------- schemas


@pytest.mark.parametrize("kind", ["evaluator", "eval-set"])
def test_schema_prints_the_schema(kind: Any) -> None:
    code, out, err = call("schema", kind)
    assert (code, err) == (0, "")
    assert json.loads(out) == json_schema(kind)
    Draft202012Validator.check_schema(json.loads(out))


def test_schema_is_of_evaluators_unless_said() -> None:
    assert call("schema")[1] == call("schema", "evaluator")[1]


def test_schema_of_what_has_none() -> None:
    code, out, err = call("schema", "report")
    assert (code, out) == (2, "")
    assert "'report' is not one of 'evaluator', 'eval-set'" in err


def test_schema_of_some_evaluators_only() -> None:
    code, out, err = call("schema", "evaluator", "--only", "json_match", "--only", "uipath-contains")
    found = json.loads(out)
    assert (code, err) == (0, "")
    Draft202012Validator.check_schema(found)
    assert list(found["$defs"]) == ["fieldwise-json-match", "uipath-contains"]
    assert len(out) < len(call("schema")[1]) / 10
    spec = {
        "version": "1.0",
        "id": "a",
        "evaluatorTypeId": "uipath-contains",
        "evaluatorConfig": {"name": "a"},
    }
    valid = Draft202012Validator(found).is_valid
    assert (valid(spec), valid({**spec, "evaluatorTypeId": "uipath-exact-match"})) == (True, False)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ("eval-set", "--only", "contains"),
            "--only chooses evaluators, and eval-set has none; leave it out",
        ),
        (("--only", "contians"), "there is no evaluator 'contians'; did you mean 'contains'?"),
    ],
)
def test_only_chooses_evaluators(argv: tuple[str, ...], said: str) -> None:
    code, out, err = call("schema", *argv)
    assert (code, out) == (2, "")
    assert said in err
