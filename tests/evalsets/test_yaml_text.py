"""YAML: the same sets as in JSON, words as they are written, and what JSON does not have refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from hypothesis import given, settings

from fieldwise.evalsets.files.yaml_text import read_yaml
from fieldwise.evalsets.load import FileErrors, load_set, load_spec
from tests.evalsets.folders import eval_set, item, json_values, project, spec

WORDS: Final = (
    ("no", "no"), ("yes", "yes"), ("on", "on"), ("12:30", "12:30"), ("2024-05-01", "2024-05-01"),
    ("0x1F", 31), ("0o17", 15), ("007", 7), ("-0x1", "-0x1"), ("0x", "0x"), ("0o8", "0o8"),
    ("1_000", "1_000"), ("true", True), ("False", False), ("~", None), ("null", None),
    ("", None), ("1.0", 1.0), ("1", 1), ("-3", -3), ("+4", 4), ("1e3", 1000.0), (".5", 0.5), ("'1'", "1"),
    ('"true"', "true"), ("!!str 1", "1"), ("=", "="), ("010", 10),
)  # fmt: skip
FAULTS: Final = (
    ("a: .nan", [(("a",), 1, "must be a finite number, got .nan; give a number, null or text")]),
    ("a: -.inf", [(("a",), 1, "must be a finite number, got -.inf; give a number, null or text")]),
    ("a: 1e999", [(("a",), 1,
     "must be a finite number, got '1e999'; give a number that a float holds, or text in quotes")]),
    ("a: 1\nb: 2\na: 3", [(("a",), 3, "is given twice, first in line 1; keep one")]),
    ("a: !!python/object/apply:os.system [ls]", [(("a",), 1,
     "has the tag 'tag:yaml.org,2002:python/object/apply:os.system', which JSON has not; leave it out")]),
    ("a: !!set {x}", [(("a",), 1, "has the tag 'tag:yaml.org,2002:set', which JSON has not; leave it out")]),
    ("1: a", [((), 1, "has the key 1, which is no text; put it in quotes")]),
    ("a: &b\n  <<: *b", [(("a",), 2, "has the key <<, which is no text; write the members out")]),
    ("? [a]\n: 1", [((), 1, "has a key that is no text; write text")]),
    ("a: &x [*x]", [(("a", 0), 1, "an alias must not hold itself")]),
    ("a: [1\nb: 2", [("column 2", 2,
     "not YAML: while parsing a flow sequence, expected ',' or ']', but got ':'")]),
    ("a: 1\n---\nb: 2", [("column 1", 2,
     "not YAML: expected a single document in the stream, but found another document")]),
    ("", [("", 1, "is empty; write an object")]),
    ("[" * 2000, [("", 1, "is nested too deeply to be read as YAML; write it flatter, or as JSON")]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "value"), [pytest.param(*row, id=repr(row[0])) for row in WORDS])
def test_a_word_is_what_it_looks_like(text: str, value: Any) -> None:
    read = read_yaml(f"a: {text}")
    assert read.faults == []
    assert read.value == {"a": value}
    assert type(read.value["a"]) is type(value)


@pytest.mark.parametrize(("text", "faults"), [pytest.param(*row, id=repr(row[0][:20])) for row in FAULTS])
def test_what_json_has_not_is_a_fault(text: str, faults: Any) -> None:
    assert read_yaml(text).faults == faults


def test_aliases_share_a_value_and_cannot_blow_up() -> None:
    assert read_yaml("a: &x {b: 1}\nc: *x").value == {"a": {"b": 1}, "c": {"b": 1}}
    lines = ["l0: &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert read_yaml("\n".join(lines)).faults == [
        ("", 1, "its aliases stand for more than 5,000,000 values; write fewer")
    ]


@given(json_values())
@settings(max_examples=200, deadline=None)
def test_what_is_dumped_in_quotes_is_read_back(value: Any) -> None:
    text = yaml.safe_dump(value, default_style='"', allow_unicode=False)
    plain = yaml.compose(text, yaml.SafeLoader)
    if "!!" in text:  # the dumper tags numbers in quotes
        assert all("has the tag" in what for _, _, what in read_yaml(text).faults)
    elif plain is not None:
        assert read_yaml(text).value == value


def test_a_set_in_yaml_is_the_set_in_json(tmp_path: Path) -> None:
    the_set = eval_set(
        ["E", "C"],
        [item("a", {"E": {"expectedOutput": {"total": 1.5, "ok": True}}, "C": None}, expectedOutput="x: y"),
         item("b", {"C": {"searchText": "no"}})],
    )  # fmt: skip
    evaluators = (spec("uipath-json-similarity"), spec("uipath-contains", "C", caseSensitive=True))
    file = project(tmp_path, the_set, *evaluators)
    as_json = load_set(file)
    other = file.with_suffix(".yaml")
    other.write_text(yaml.safe_dump(the_set))
    for number, one in enumerate(evaluators):
        path = file.parent.parent / "evaluators" / f"e{number}"
        path.with_suffix(".json").unlink()
        path.with_suffix(".yml").write_text(yaml.safe_dump(one))
    as_yaml = load_set(other)
    assert [replace(one.spec, file="") for one in as_yaml.evaluators] == [
        replace(one.spec, file="") for one in as_json.evaluators
    ]
    assert [replace(one, line=0) for one in as_yaml.items] == [replace(one, line=0) for one in as_json.items]
    assert [one.line for one in as_yaml.items] == [2, 11]


def test_an_unquoted_version_is_told(tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text("id: E\nversion: 1.0\nevaluatorTypeId: uipath-contains\n")
    with pytest.raises(FileErrors) as caught:
        load_spec(file)
    assert str(caught.value) == (
        f'{file}:2: version: must be "1.0", got 1.0; the version of the format, the text "1.0" in quotes'
    )


def test_json_is_yaml(tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(json.dumps(spec()))
    assert load_spec(file).id == "E"
