"""Every Python block of the README runs, and its table of departures is the one the tests check."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.strip().splitlines()[-1][:50])
def test_block_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102
    assert "assert" in block


def test_departures_are_those_of_the_tests() -> None:
    cases = json.loads((ROOT / "tests/cases/departures.json").read_text(encoding="utf-8"))
    wanted = [f"| {row['kind']} | {row['openevals']} | {row['ours']} | {row['law']} |" for row in cases["rows"]]
    section = README.split("<!-- departures -->\n")[1].split("<!-- /departures -->")[0]
    assert section.splitlines()[2:] == wanted
