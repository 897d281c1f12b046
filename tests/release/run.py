"""`make check-release`: the slow half of what a release must pass, step by step.

`python -m tests.release.run [STEP ...]` runs the named steps, else all. Each step is a function below; it
raises AssertionError with what is wrong, and what it returns is printed. A step after one that failed still
runs.
"""

from __future__ import annotations

import re
import shutil
import sys
import tarfile
import time
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.release import sizes as long_code
from tests.release.environments import ROOT, UV, WORK, Environment, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BIN: Final = Path(sys.executable).parent
DIST: Final = WORK / "dist"
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: Final = tuple(re.findall(r"\w+", PROJECT["optional-dependencies"]["all"][0]))[1:]
IN_SDIST: Final = (
    "tests/test_readme.py",
    "docs/departures.md",
    "examples/receipts/receipts.jsonl",
    "Makefile",
)
TESTED: Final = {
    "click": ("tests/test_cli_commands.py", "tests/test_cli_list.py"),
    "distributed": ("tests/run/test_dask.py",),
    "jinja2": ("tests/report/test_html.py",),
    "json-repair": ("tests/core/test_parse.py",),
    "jsonpath-ng, jsonpath-rfc9535, regex": ("tests/core/test_jsonpath.py", "tests/core/test_select.py"),
    "jsonschema": ("tests/scorers/test_json_schema.py",),
    "langchain": ("tests/integrations/test_langchain.py", "tests/integrations/test_langchain_classes.py"),
    "langsmith": ("tests/integrations/test_langsmith_offline.py", "tests/integrations/test_langsmith.py"),
    "numpy, scipy": ("tests/core/test_assign.py", "tests/core/statistics"),
    "openevals": ("tests/integrations/test_openevals.py", "tests/test_typing.py"),
    "opentelemetry": ("tests/integrations/test_opentelemetry.py",),
    "pandas": ("tests/core/test_values.py",),
    "pint, phonenumbers, rapidfuzz": ("tests/comparators",),
    "pydantic": ("tests/scorers/test_schema_fields.py", "tests/evalsets/test_custom.py"),
    "pyyaml": ("tests/evalsets/test_yaml_text.py",),
    "rich": ("tests/report/test_table.py",),
}
"""What is run against other versions: of each requirement, the tests that would notice."""
SUBSET: Final = tuple(path for paths in TESTED.values() for path in paths)


def sizes() -> str:
    """Nothing is long without a reason."""
    rows = long_code.found()
    assert all(excused for _, excused in rows), [one for one, excused in rows if not excused]
    return f"{len(rows)} long test modules, nothing else"


def docs() -> str:
    """The site builds without a warning, and loads nothing from elsewhere."""
    site = ROOT / "build" / "docs"
    run(BIN / "mkdocs", "build", "--strict", "--quiet", NO_MKDOCS_2_WARNING="1")
    loaded = re.compile(
        r'<(?:script|img|iframe|source)[^>]*\ssrc="(?:https?:)?//|<link[^>]*\shref="(?:https?:)?//'
    )
    pages = sorted(site.rglob("*.html"))
    outside = [str(page) for page in pages for link in loaded.findall(page.read_text("utf-8"))]
    assert outside == [], outside
    return f"{len(pages)} pages"


def build() -> str:
    """Build the sdist, and the wheel from the sdist."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    return f"{wheel().name}, {wheel().stat().st_size // 1024} KB; {sdist().name}"


def wheel() -> Path:
    """The wheel that was built."""
    (found,) = DIST.glob("*.whl")
    return found


def sdist() -> Path:
    """The sdist that was built."""
    (found,) = DIST.glob("*.tar.gz")
    return found


def contents() -> str:
    """The wheel holds what src holds and nothing else; the sdist holds what the tests need."""
    with zipfile.ZipFile(wheel()) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        (at,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        (entries,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        metadata = message_from_string(archive.read(at).decode())
        points = archive.read(entries).decode()
    source = {str(path.relative_to(ROOT / "src")) for path in _sources()}
    assert held == source, sorted(held ^ source)
    assert {"fieldwise/py.typed", "fieldwise/evalsets/evaluator.py.txt"} <= held
    assert {".css", ".html", ".js"} <= {Path(name).suffix for name in held}
    assert (metadata["Name"], metadata["Version"]) == (PROJECT["name"], PROJECT["version"])
    assert set(metadata.get_all("Provides-Extra") or ()) == set(PROJECT["optional-dependencies"])
    assert "fieldwise = fieldwise.cli:main" in points
    with tarfile.open(sdist()) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert set(IN_SDIST) <= names, set(IN_SDIST) - names
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## [{PROJECT['version']}]" in changes, "CHANGELOG.md has no section for this version"
    return f"{len(held)} files in the wheel, {len(names)} in the sdist"


def _sources() -> Iterator[Path]:
    for path in (ROOT / "src" / "fieldwise").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def metadata() -> str:
    """What an index checks on upload."""
    return run(sys.executable, "-m", "twine", "check", "--strict", wheel(), sdist()).strip().splitlines()[-1]


def minimal() -> str:
    """The wheel, with what it requires and no more."""
    here = Environment.new("minimal")
    here.pip_install(wheel())
    return here.smoke()


def from_sdist() -> str:
    """The sdist, installed as where no wheel is."""
    here = Environment.new("from-sdist")
    here.pip_install(sdist())
    return here.smoke()


def newest() -> str:
    """The wheel with all extras, and the newest of everything."""
    here = Environment.new("newest")
    here.uv_install("--upgrade", f"{wheel()}[all]")
    return here.smoke(*EXTRAS) + "\n" + _summary(here.tests(*SUBSET))


def lowest() -> str:
    """The wheel with all extras, and the lowest version of every requirement that pyproject.toml allows."""
    pinned = WORK / "lowest.txt"
    asked = ("--extra", "all", "--resolution", "lowest-direct", "--quiet", "--output-file", pinned)
    run(UV, "pip", "compile", "--python", sys.executable, *asked, ROOT / "pyproject.toml")
    here = Environment.new("lowest")
    here.uv_install("--constraint", pinned, f"{wheel()}[all]")
    return here.smoke(*EXTRAS) + "\n" + _summary(here.tests(*SUBSET))


def types() -> str:
    """User code, checked against the installed wheel by mypy and by pyright, both strict."""
    here = Environment.new("types")
    here.uv_install(f"{wheel()}[all]")
    code = WORK / "user_code.py"
    shutil.copy(ROOT / "tests" / "typing" / "user_code.py", code)
    cache = WORK / "mypy"
    asked = ("--strict", "--config-file=", "--python-executable", here.python, "--cache-dir", cache)
    by_mypy = run(BIN / "mypy", *asked, code, where=WORK)
    by_pyright = run(BIN / "pyright", "--pythonpath", here.python, code, where=WORK)
    return f"mypy: {by_mypy.strip()}; pyright: {by_pyright.strip().splitlines()[-1]}"


def _summary(output: str) -> str:
    """The line in which pytest counts."""
    return [line for line in output.splitlines() if re.search(r"\d+ passed", line)][-1]


STEPS: Final[dict[str, Callable[[], str]]] = {
    step.__name__: step
    for step in (sizes, docs, build, contents, metadata, minimal, from_sdist, types, newest, lowest)
}


def main(chosen: list[str]) -> int:
    """Run steps, print a line for each, and return 1 when one failed."""
    WORK.mkdir(parents=True, exist_ok=True)
    failed: list[str] = []
    for name in chosen or STEPS:
        began = time.monotonic()
        try:
            said = " / ".join(STEPS[name]().strip().splitlines())
        except (AssertionError, ValueError) as error:
            failed.append(name)
            said = f"FAILED\n{error}"
        print(f"{name:<11}{time.monotonic() - began:5.0f} s  {said}", flush=True)
    print(f"check-release: {'FAILED: ' + ', '.join(failed) if failed else 'passed'}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
