"""What the README and the guides show is true: every block of Python and every command runs.

The table of departures is the one the tests check, and what the pages link to is there.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fieldwise.cli import run
from tests import departures_table

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}


def blocks(language: str) -> list[tuple[str, str]]:
    """Every block of a language, with its page."""
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [(page, block) for page, text in TEXTS.items() for block in pattern.findall(text)]


PYTHON = blocks("python")
COMMANDS = [
    (page, line.partition("#")[0].strip())
    for page, block in blocks("sh")
    for line in block.splitlines()
    if line.startswith("fieldwise ")
]
CODES = {
    "fieldwise score records.jsonl": (1,),  # one field of two is wrong
    "fieldwise judge-check": (1, 2),  # the model does not answer, or its package is absent
    "fieldwise eval evaluations/eval-sets/tickets.json --outputs": (1,),  # 0.811 is below 0.9
}
"""What a command ends with that does not end with 0."""


@pytest.mark.parametrize(
    ("page", "block"), PYTHON, ids=[f"{page}-{at}" for at, (page, _) in enumerate(PYTHON)]
)
def test_a_block_runs(page: str, block: str) -> None:
    names: dict[str, object] = {"__name__": "shown"}
    exec(compile(block, page, "exec"), names)  # noqa: S102
    for name, value in names.items():
        if name.startswith("test_"):
            with pytest.raises(AssertionError, match=r"2 of 6 values not right, score 0\.333"):
                value()  # type: ignore[operator]
    assert "assert" in block


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the example, with the files that the pages name."""
    folder = tmp_path_factory.mktemp("shown") / "evaluation_set"
    shutil.copytree(ROOT / "examples" / "evaluation_set", folder)
    shown = dict(blocks("json"))
    (folder / "records.jsonl").write_text(shown["README.md"], encoding="utf-8")
    mine = folder / "evaluations/eval-sets/my-set.json"
    mine.write_text(shown["docs/evaluation-sets.md"], encoding="utf-8")
    label = {"outputs": {"title": "a"}, "reference_outputs": {"title": "b"}, "labels": {"title": True}}
    (folder / "labelled.jsonl").write_text(json.dumps(label), encoding="utf-8")
    return folder


@pytest.fixture
def inside(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    modules = set(sys.modules)
    monkeypatch.chdir(project)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield project
    for name in set(sys.modules) - modules:
        if name == "agent":
            del sys.modules[name]


def test_the_commands_run_in_their_order(inside: Path) -> None:
    for page, line in COMMANDS:
        out, err = io.StringIO(), io.StringIO()
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)]
        code = run(words[1:], io.StringIO(), out, err)
        expected = next((code for start, code in CODES.items() if line.startswith(start)), (0,))
        assert code in expected, (page, line, out.getvalue()[-500:], err.getvalue()[-500:])
        if "--out results.jsonl" in line:
            for name in ("before.jsonl", "answers.jsonl"):
                shutil.copy("results.jsonl", name)


def test_what_the_pages_link_to_is_there() -> None:
    for page, text in TEXTS.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
            if "://" in target:
                continue
            file, _, anchor = target.partition("#")
            path = (ROOT / page).parent / file if file else ROOT / page
            assert path.exists(), (page, target)
            if anchor:
                headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
                assert anchor in {re.sub(r"[^\w]+", "-", one.lower()).strip("-") for one in headings}


def test_departures_are_those_of_the_tests() -> None:
    assert departures_table.PAGE.read_text(encoding="utf-8") == departures_table.page()
    rows = departures_table.rows()
    assert all(row["theirs"] and row["ours"] and row["law"] for row in rows)
    assert {row["product"] for row in rows} <= set(departures_table.PRODUCTS)
