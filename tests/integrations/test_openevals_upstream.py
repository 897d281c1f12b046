"""OpenEvals' own tests, as published, on `fieldwise.integrations.openevals`: all pass but listed departures.

They are downloaded when the test runs, by pip, and kept in pytest's cache; without a network it is skipped.
OpenEvals publishes none for its trajectory match. Those of AgentEvals, where it comes from, stand for them.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path

import pytest
from langsmith import Client

from tests.departures_table import rows
from tests.integrations.ls_server import LangSmithServer

ROOT = Path(__file__).parents[2]
ARCHIVES = {
    "openevals-0.2.2": "d999b6d044f41f9f6c517cd83565d9be90df8571074f64c513841b74717c872b",
    "agentevals-0.0.9": "35131a5e4b60d2a6ac3203d3d15983aa5f9162b8acb1b8700f9b2c777df1150d",
}
FILES = {
    "openevals-0.2.2/tests/test_exact.py": 6,
    "openevals-0.2.2/tests/test_json.py": 49,
    "openevals-0.2.2/tests/test_json_async.py": 35,
    "openevals-0.2.2/tests/test_levenshtein.py": 6,
    "agentevals-0.0.9/tests/test_trajectory.py": 56,
    "agentevals-0.0.9/tests/test_trajectory_async.py": 56,
}
"""File to its number of tests."""

DEPARTURES = {
    f"{file}::test_json_match_{test}": kind
    for file in ("test_json.py", "test_json_async.py")
    for test, kind in {
        "rubric_without_reasoning": "comments",
        "list_mismatch_average_all": "order_dependent",
        "list_mismatch_average_average": "order_dependent",
    }.items()
}
"""Test to the kind of departure that it meets, a row of `cases/departures*.json`."""


@pytest.fixture(scope="module")
def upstream(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published sources, unpacked."""
    cache = getattr(request.config, "cache", None)
    kept = cache.mkdir("upstream") if cache is not None else tmp_path_factory.mktemp("upstream")
    folder = tmp_path_factory.mktemp("sources")
    for name, digest in ARCHIVES.items():
        archive = kept / f"{name}.tar.gz"
        if not archive.exists():
            _download(name, kept)
        assert hashlib.sha256(archive.read_bytes()).hexdigest() == digest, archive
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    return folder


def _download(name: str, folder: Path) -> None:
    command = ["download", "-q", "--no-deps", "--no-binary", ":all:", "--retries", "0", "--timeout", "10"]
    command += ["-d", str(folder), name.replace("-", "==")]
    run = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if run.returncode:
        pytest.skip(f"{name} could not be downloaded, so its tests were not run: {run.stderr.strip()[-200:]}")


def outcomes(upstream: Path, folder: Path) -> dict[str, tuple[str, str]]:
    """Test to its outcome, and why."""
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    asyncio\n", encoding="utf-8")
    found = folder / "outcomes.jsonl"
    with LangSmithServer() as server:
        _put_examples(server)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
            "PYTHONPATH": str(ROOT),
            "UPSTREAM_OUTCOMES": str(found),
            "LANGSMITH_ENDPOINT": server.url,
            "LANGSMITH_API_KEY": "test",
            "LANGSMITH_TRACING": "true",
        }
        plugins = ["-p", "tests.integrations.upstream_shim", "-p", "no:cacheprovider"]
        config = ["-q", "-c", str(folder / "pytest.ini"), "--rootdir", str(upstream)]
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *plugins, *config, *(str(upstream / file) for file in FILES)],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            timeout=240,
        )
    assert found.exists(), run.stdout + run.stderr
    lines = map(json.loads, found.read_text(encoding="utf-8").splitlines())
    return {line["test"]: (line["outcome"], line["why"]) for line in lines}


def _put_examples(server: LangSmithServer) -> None:
    """The data set that some tests evaluate."""
    dataset = Client(api_url=server.url, api_key="test", auto_batch_tracing=False).create_dataset("json")
    values = {"name": "Harrison Chase", "description": "CEO of LangChain"}
    server.put_examples(
        [
            {
                "id": f"00000000-0000-0000-0000-00000000000{number}",
                "dataset_id": str(dataset.id),
                "inputs": values,
                "outputs": {**values, "description": f"CEO of LangChain, {number}"},
            }
            for number in range(2)
        ]
    )


def test_departures_are_listed() -> None:
    listed = {row["kind"] for row in rows() if row["product"] == "OpenEvals"}
    assert set(DEPARTURES.values()) <= listed


@pytest.mark.timeout(600)
def test_upstreams_tests_pass(upstream: Path, tmp_path: Path) -> None:
    found = outcomes(upstream, tmp_path)
    failed = {test: why for test, (outcome, why) in found.items() if outcome != "passed"}
    assert {test: why for test, why in failed.items() if test not in DEPARTURES} == {}
    assert DEPARTURES.keys() == failed.keys()
    assert Counter(test.partition("::")[0] for test in found) == {
        file.rpartition("/")[2]: number for file, number in FILES.items()
    }
