"""What the README and the guides show is true: every block runs, and prints what stands below it.

The table of departures is the one the tests check, that of peers is what these return, and what the pages
link to is there.
"""

from __future__ import annotations

import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import fieldwise
from tests import departures_table
from tests.benchmarks import behaviour, peers
from tests.pages import COLUMNS, PAGES, ROOT, TEXTS, Block, anchor, blocks, run, shows, written_in

PEERS = {"README.md": "compared-with-others", "docs/peers.md": "what-they-answer"}
"""Where a page shows what `make peers` prints."""
WRITTEN = ("before.jsonl", "after.jsonl", "report.*", "politeness*", "my-set.json", "__pycache__")
"""What the commands of the pages write into the examples, where someone may have tried them."""


def below(block: Block) -> str:
    """What a page says the block prints: the text that is the next block of its heading."""
    for one, other in pairwise(blocks(block.page)):
        if one == block and other.language == "text" and other.heading == block.heading:
            return other.text
    return ""


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert {block.language for page in PAGES for block in blocks(page)} == {"python", "sh", "text"}
    shown = [block for page in PAGES for block in blocks(page) if below(block)]
    texts = [block for block in written_in("text") if PEERS.get(block.page) != block.heading]
    assert [below(block) for block in shown] == [block.text for block in texts]


# ------------------------------------------------------------------------------------------- Python


@pytest.mark.parametrize("block", written_in("python"), ids=str)
def test_a_block_runs(block: Block) -> None:
    names: dict[str, object] = {"__name__": "shown"}
    exec(compile(block.text, str(block), "exec"), names)  # noqa: S102
    assert re.search(r"\bassert", block.text)
    for name, value in names.items():
        if name.startswith("test_"):
            with pytest.raises(AssertionError) as caught:
                value()  # type: ignore[operator]
            said = [f"E{line[1:]}".rstrip() for line in f"        {caught.value}".splitlines()]
            said[0] = f"E       AssertionError: {said[0][1:].strip()}"
            assert [line.split() for line in said] == [line.split() for line in below(block).splitlines()]


# ----------------------------------------------------------------------------------------- commands


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The current folder is one with the examples, whose modules are forgotten afterwards."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns(*WRITTEN))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.usefixtures("clone")
@pytest.mark.parametrize("page", dict.fromkeys(block.page for block in written_in("sh")))
def test_the_commands_of_a_page_print_what_it_shows(page: str) -> None:
    for block in blocks(page):
        if block.language == "sh":
            printed, shown = run(block.text), below(block)
            assert not shown or shows(shown, printed), f"{block} prints\n{printed}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a in 1 s\nb\nc\n", True),
        ("a in 0.25 s\n…\n", True),
        ("…\nc\n", True),
        ("a in 1 s\nb\n", False),
        ("b\n", False),
        ("a in 1 s\nb\nc\n…\n", False),
        ("a in 1 s\nB\nc\n", False),
    ],
)
def test_a_page_shows_all_that_is_printed(text: str, *, shown: bool) -> None:
    assert shows(text, "a in 1 s\nb\nc\n") is shown


# -------------------------------------------------------------------------------------------- peers


def peers_on(page: str) -> str:
    (block,) = (block for block in written_in("text") if (block.page, block.heading) == (page, PEERS[page]))
    return block.text


def test_peers_return_what_their_page_says() -> None:
    answers, _, more = peers_on("docs/peers.md").partition("\n\n")
    versions, header, *shown = answers.splitlines()
    columns = re.split(r"  +", header)[1:]
    assert columns == list(behaviour.CONTESTANTS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(behaviour.lines())
    table = [re.split(r"  +", line) for line in shown]
    assert [row[0] for row in table] == [*(row[0] for row in found), behaviour.TIMED]
    same = [at for at, one in enumerate(versions.split(", ")) if one in behaviour.heading().split(", ")]
    assert 0 in same
    for at in same:  # what another version returns is for `make peers` to say
        told = {row[0]: row[at + 1] for row in table[:-1]}
        assert told == {row[0]: row[at + 1] for row in found}, columns[at]
    has = dict(line.split(maxsplit=1) for line in behaviour.elsewhere())
    for line in more.splitlines()[1:]:
        name, places = line.split(maxsplit=1)
        assert columns.index(name) not in same or places == has[name]


def test_the_readme_shows_what_peers_answer_but_for_the_times() -> None:
    answers, _, _ = peers_on("docs/peers.md").partition(f"{behaviour.TIMED}  ")
    assert peers_on("README.md") == f"{answers}…\n"


def test_what_only_a_peer_has_is_looked_for() -> None:
    absent = [name for name, (module, _) in behaviour.CONTESTANTS.items() if not peers.installed(module)]
    told = [line.split()[0] for line in behaviour.elsewhere()]
    assert told == [name for name in behaviour.ELSEWHERE if name not in absent]


# -------------------------------------------------------------------------------------------- tables


def test_all_evaluators_are_in_the_table() -> None:
    made = {
        found[1]
        for name in fieldwise.__all__
        if (found := re.fullmatch(r"create_(?!async_)(.+?)(?<!_string)(?<!_summary)_evaluator", name))
    }
    section = TEXTS["README.md"].partition("## All evaluators")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == made


def test_departures_are_those_of_the_tests() -> None:
    assert departures_table.PAGE.read_text(encoding="utf-8") == departures_table.page()
    rows = departures_table.rows()
    assert all(row["theirs"] and row["ours"] and row["law"] for row in rows)
    assert {row["product"] for row in rows} <= set(departures_table.PRODUCTS)


# --------------------------------------------------------------------------------------------- links


def links(page: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", TEXTS[page], flags=re.DOTALL))


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_links_to_is_there(page: str) -> None:
    for target in links(page):
        if "://" in target:
            continue
        file, _, place = target.partition("#")
        path = (ROOT / page).parent / file if file else ROOT / page
        assert path.exists(), target
        if place:
            headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert place in map(anchor, headings), target


def test_the_readme_leads_to_every_guide_and_shows_both_pictures() -> None:
    shown = set(links("README.md"))
    assert set(PAGES[1:]) | {"docs/pictures/terminal.svg", "docs/pictures/page.png"} <= shown
    assert "make test" in TEXTS["README.md"].partition("<!-- test-command -->")[2].partition("<!-- /test-")[0]
