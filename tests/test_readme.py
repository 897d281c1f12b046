"""Every Python block of the README runs, and the table of departures is the one the tests check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import departures_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.strip().splitlines()[-1][:50])
def test_block_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102
    assert "assert" in block


def test_departures_are_those_of_the_tests() -> None:
    assert departures_table.PAGE.read_text(encoding="utf-8") == departures_table.page()
    rows = departures_table.rows()
    assert all(row["theirs"] and row["ours"] and row["law"] for row in rows)
    assert {row["product"] for row in rows} <= set(departures_table.PRODUCTS)
