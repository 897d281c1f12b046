"""The notebooks: each runs from top to bottom, with warnings as errors, and is kept without outputs."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"

# Notebook to where it runs, as editors differ in that, and the cells that draw.
NOTEBOOKS = {
    "1_first_evaluation": (FOLDER, ["fields", "records-worst", "forgiving", "enough"]),
    "2_lists_alignment_comparators": (ROOT, ["shuffle", "pairing", "modes", "comparators", "fields"]),
    "3_judges_agreement_cost": (FOLDER, ["failing", "agreement", "votes", "ceiling"]),
}

# What the kernel does first: what holds for every test holds there, loopback only among it.
SETUP = """
import sys, warnings
sys.path.insert(0, {root!r})
import tests.conftest
sys.path.remove({root!r})
warnings.simplefilter("error")
warnings.filterwarnings("ignore", module="ipykernel")  # what the kernel thinks of itself
"""


def notebook(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]


def test_every_notebook_is_tested() -> None:
    assert sorted(NOTEBOOKS) == sorted(file.stem for file in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_is_kept_without_outputs(name: str) -> None:
    found = notebook(name)
    nbformat.validate(found)
    kept = {
        cell.id: (cell.outputs, cell.execution_count, cell.metadata)
        for cell in found.cells
        if cell.cell_type == "code"
    }
    assert kept == dict.fromkeys(kept, ([], None, {}))
    assert sorted(found.metadata) == ["kernelspec", "language_info"]
    assert found.metadata.language_info == {"name": "python"}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_its_cells_have_names_of_their_own(name: str) -> None:
    ids = [cell.id for cell in notebook(name).cells]
    assert [id_ for id_ in ids if not re.fullmatch(r"[a-z]+(-[a-z]+)*", id_)] == []
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs_and_draws(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, drawing = NOTEBOOKS[name]
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    found = notebook(name)
    found.cells.insert(0, nbformat.v4.new_code_cell(SETUP.format(root=str(ROOT)), id="first"))  # type: ignore[no-untyped-call]
    client = NotebookClient(found, timeout=60, resources={"metadata": {"path": str(folder)}})
    environment = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
    client.execute(env={**environment, "IPYTHONDIR": str(tmp_path)})
    outputs = [(cell.id, one) for cell in found.cells for one in cell.get("outputs", [])]
    assert [(id_, one.text) for id_, one in outputs if one.get("name") == "stderr"] == []
    assert [id_ for id_, one in outputs if "image/png" in one.get("data", {})] == drawing
    assert [
        cell.id for cell in found.cells if cell.cell_type == "code" and cell.execution_count is None
    ] == []
