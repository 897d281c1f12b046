"""Files of records."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import BAD, GOOD, jsonl


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return jsonl(tmp_path / "records.jsonl", GOOD, GOOD)


@pytest.fixture
def half(tmp_path: Path) -> Path:
    return jsonl(tmp_path / "records.jsonl", GOOD, BAD)
