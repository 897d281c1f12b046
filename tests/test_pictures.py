"""The pictures of the README are those of the program as it is."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest

from docs.pictures import COLUMNS, FOLDER, command_line, demo, terminal_svg

SVG = FOLDER / "terminal.svg"


def test_the_terminal_is_what_the_demo_prints_now() -> None:
    made = terminal_svg()
    assert made == terminal_svg(), "not the same twice"
    assert SVG.read_text(encoding="utf-8") == made, "make pictures"


def test_the_terminal_loads_nothing_and_tells_no_time() -> None:
    text = SVG.read_text(encoding="utf-8")
    assert fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own file
    assert not re.findall(r"@font-face|@import|https?://(?!www\.w3\.org/2000/svg\")", text)
    assert set(re.findall(r"url\((.)", text)) == {"#"}
    assert not re.search(r"80&#160;records&#160;in", text)


@pytest.mark.parametrize("name", ["terminal.svg", "page.png"])
def test_a_picture_is_small(name: str) -> None:
    assert 10_000 < (FOLDER / name).stat().st_size < 200_000


def test_the_command_is_shown_as_it_can_be_typed() -> None:
    shown = command_line(demo())
    assert shown.replace(" \\\n", " ").split() == ["$", "fieldwise", *demo()]
    assert max(map(len, shown.splitlines())) <= COLUMNS


def test_the_options_of_the_demo_are_those_of_make() -> None:
    assert demo()[:4] == ["score", "examples/receipts/receipts.jsonl", "--evaluator", "json_match"]
    assert demo()[4::2] == ["--option"] * 3
