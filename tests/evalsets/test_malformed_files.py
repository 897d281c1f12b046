"""Files with mistakes: every line that tells of them, and nothing that raises anything else."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldwise.errors import InputError
from fieldwise.evalsets.files.json_text import read_json
from fieldwise.evalsets.files.yaml_text import read_yaml
from fieldwise.evalsets.load import FileErrors, load_set, load_spec
from tests.evalsets.folders import EXACT, eval_set, item, json_values, project, spec

TABLE: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "cases" / "malformed_files.json").read_text("utf-8")
)
CASES: Final = [pytest.param(case, id=case["name"]) for case in TABLE["cases"]]


def faults(folder: Path, the_set: str, evaluator: str) -> list[str]:
    project(folder, the_set, evaluator)
    (folder / "evaluations/evaluators/e0.json").rename(folder / "evaluations/evaluators/exact.json")
    with pytest.raises(FileErrors) as caught:
        load_set("eval-sets/set.json")
    assert isinstance(caught.value, InputError)
    assert str(caught.value) == "\n".join(map(str, caught.value.faults))
    return str(caught.value).splitlines()


def test_the_corpus_is_large_and_its_other_files_are_right(tmp_path: Path) -> None:
    assert len(TABLE["cases"]) >= 140
    for the_set in (TABLE["set"], TABLE["set_for_evaluators"]):
        assert load_set(project(tmp_path, the_set, TABLE["evaluator"])).id == "smoke"


@pytest.mark.parametrize("case", CASES)
def test_every_mistake_is_told(case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evaluations").mkdir()
    monkeypatch.chdir(tmp_path / "evaluations")
    both = {
        "set": TABLE["set" if case["file"] == "set" else "set_for_evaluators"],
        "evaluator": TABLE["evaluator"],
    }
    both[case["file"]] = case["text"]
    assert faults(tmp_path, both["set"], both["evaluator"]) == case["errors"]


@pytest.mark.parametrize("case", CASES)
def test_every_fault_has_a_place_and_a_fix(case: Any) -> None:
    for line in case["errors"]:
        file, number, rest = line.split(":", 2)
        assert file in {"eval-sets/set.json", "evaluators/exact.json"}
        assert number.isdecimal()
        assert len(rest) > 15


BYTES: Final = (
    ("utf16", json.dumps(EXACT).encode("utf-16"), "{file}: is UTF-16; save it as UTF-8"),
    ("latin1", b'{\n"id": "caf\xe9"}', "{file}:2: byte 0xe9 is not UTF-8; save the file as UTF-8"),
    ("deep", b"[" * 1001, "{file}:1: column 1001: is nested deeper than 1,000 levels"),
    (
        "deep_objects",
        b'{"a": ' * 5000,
        "{file}:1: column 6001: is nested deeper than 1,000 levels",
    ),
)


@pytest.mark.parametrize(("data", "expected"), [pytest.param(*row[1:], id=row[0]) for row in BYTES])
def test_bytes_that_are_no_text(data: bytes, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "e.json"
    file.write_bytes(data)
    with pytest.raises(FileErrors) as caught:
        load_spec(file)
    assert str(caught.value) == expected.format(file=file)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "e.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(EXACT).encode())
    assert load_spec(file).id == "Exact"


def test_a_file_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "smoke.json").write_text("{}")
    with pytest.raises(FileErrors) as caught:
        load_set(tmp_path / "smok.json")
    assert str(caught.value) == f"{tmp_path / 'smok.json'}: there is no such file; did you mean 'smoke.json'?"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileErrors) as caught:
        load_set(tmp_path)
    assert str(caught.value) == f"{tmp_path}: cannot be read: Is a directory"


def test_ids_of_evaluators_are_unique(tmp_path: Path) -> None:
    file = project(tmp_path, eval_set(["E"], []), spec(), spec("uipath-contains"))
    with pytest.raises(FileErrors) as caught:
        load_set(file)
    folder = tmp_path / "evaluations/evaluators"
    assert str(caught.value) == (
        f"{folder / 'e0.json'}:1: id: 'E' is also the id of {folder / 'e1.json'}; ids are unique"
    )


def test_evaluators_that_the_set_does_not_name_may_be_wrong(tmp_path: Path) -> None:
    broken = {**spec("uipath-nope", "Other"), "colour": 1}
    loaded = load_set(project(tmp_path, eval_set(["E"], []), spec(), broken, "{"))
    assert [one.spec.id for one in loaded.evaluators] == ["E"]


def test_a_large_number_of_faults_is_cut_in_the_text_and_whole_beside_it(tmp_path: Path) -> None:
    items = [item(f"i{number}", {"No": None}) for number in range(300)]
    with pytest.raises(FileErrors) as caught:
        load_set(project(tmp_path, eval_set(["E"], items), spec()))
    assert len(caught.value.faults) == 300
    lines = str(caught.value).splitlines()
    assert (len(lines), lines[-1]) == (201, "and 100 more")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert again.faults == caught.value.faults


# ------------------------------------------------------------------------------- no file of an evaluator


@pytest.mark.parametrize(
    ("ref", "type_id"),
    [
        ("json_match", "fieldwise-json-match"),
        ("json_mach", "fieldwise-json-match"),
        ("fieldwise-json-match", "fieldwise-json-match"),
        ("ContainsEvaluator", "uipath-contains"),
        ("Grün", "uipath-exact-match"),
    ],
)
def test_the_file_that_is_not_there_is_shown_and_does(ref: str, type_id: str, tmp_path: Path) -> None:
    file = project(tmp_path, eval_set([ref], []))
    with pytest.raises(FileErrors) as caught:
        load_set(file)
    folder = tmp_path / "evaluations/evaluators"
    said, _, shown = str(caught.value).partition("; write a file there such as ")
    unknown = f"there is no evaluator {ref!r} in {folder}; the ids there are: none"
    assert said == f"{file}:1: evaluatorRefs[0]: {unknown}"
    (folder / "new.json").write_text(shown, encoding="utf-8")
    (chosen,) = load_set(file).evaluators
    assert (chosen.spec.id, chosen.spec.type_id, chosen.spec.name) == (ref, type_id, ref)


def test_an_evaluator_of_ours_is_shown_beside_others(tmp_path: Path) -> None:
    file = project(tmp_path, eval_set(["json_diff", "Zzz"], []), spec())
    with pytest.raises(FileErrors) as caught:
        load_set(file)
    ours, other = (str(one) for one in caught.value.faults)
    assert '; write a file there such as {"version": "1.0", "id": "json_diff",' in ours
    assert other.endswith("the ids there are: 'E'")


# ------------------------------------------------------------------------------------------ traversal


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    file = project(tmp_path, eval_set(["E"], []))
    outside = tmp_path / "e.json"
    outside.write_text(json.dumps(spec()))
    link = tmp_path / "evaluations/evaluators/e.json"
    link.symlink_to(outside)
    with pytest.raises(FileErrors) as caught:
        load_set(file)
    folder = tmp_path / "evaluations"
    unknown = f"there is no evaluator 'E' in {folder / 'evaluators'}; the ids there are: none"
    assert str(caught.value).splitlines() == [
        f"{file}:1: evaluatorRefs[0]: {unknown}",
        f"{link}: leads out of {folder}; put the file itself there instead of a link",
    ]


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    file = project(tmp_path, eval_set(["E"], []))
    inside = tmp_path / "evaluations/shared.json"
    inside.write_text(json.dumps(spec()))
    (tmp_path / "evaluations/evaluators/e.json").symlink_to(inside)
    assert load_set(file).evaluators[0].spec.id == "E"


def test_links_in_a_circle_are_told(tmp_path: Path) -> None:
    file = project(tmp_path, eval_set(["E"], []))
    link = tmp_path / "evaluations/evaluators/e.json"
    link.symlink_to(link)
    with pytest.raises(FileErrors) as caught:
        load_set(file)
    assert str(link) in str(caught.value)


# -------------------------------------------------------------------------------------------- any text


@given(st.text(alphabet="{}[]:,\"\\ \n\t0123456789eE+-.truefalsnN/#'x", max_size=60))
@settings(max_examples=400, deadline=None)
def test_a_text_is_read_as_json_reads_it_or_told(text: str) -> None:
    read = read_json(text)
    slow = read_json(text, shallow=False)
    assert (read.value, read.faults) == (slow.value, slow.faults)
    try:
        expected = json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    except ValueError:
        assert read.faults
    else:
        assert (read.value, read.faults) == (expected, []) or "finite" in read.faults[0][2]


def _refuse(token: str) -> Any:
    raise ValueError(token)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError(pairs)
    return dict(pairs)


@given(st.text(max_size=80))
@settings(max_examples=300, deadline=None)
def test_any_text_is_yaml_or_told(text: str) -> None:
    read = read_yaml(text)
    assert read.faults or read.lines


@given(json_values())
@settings(max_examples=300, deadline=None)
def test_whatever_json_a_file_holds_it_is_loaded_or_told(value: Any) -> None:
    body = {**EXACT, "evaluatorConfig": value}
    try:
        loaded = load_spec(body)
    except FileErrors as errors:
        assert errors.faults  # noqa: PT017 - either way is right
    else:
        assert loaded.id == "Exact"
