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
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import fieldwise
from tests.release import sizes as long_code
from tests.release.environments import ROOT, UV, WORK, Environment, interpreter, run

if TYPE_CHECKING:
    from collections.abc import Callable

BIN: Final = Path(sys.executable).parent
DIST: Final = WORK / "dist"
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: Final = tuple(re.findall(r"\w+", PROJECT["optional-dependencies"]["all"][0]))[1:]
_VERSION: Final = "Programming Language :: Python :: "
NOT_IN_SDIST: Final = {".ci/run"}
TESTED: Final = {
    "click": ("tests/cli/test_commands.py", "tests/cli/test_listing.py"),
    "distributed": ("tests/run/test_dask.py",),
    "jinja2": ("tests/report/test_html.py",),
    "json-repair": ("tests/core/parse/test_parse.py",),
    "jsonpath-ng, jsonpath-rfc9535, regex": ("tests/core/jsonpath", "tests/core/test_select.py"),
    "jsonschema": ("tests/scorers/test_json_schema.py",),
    "langchain": ("tests/integrations/test_langchain.py", "tests/integrations/test_langchain_classes.py"),
    "langsmith": ("tests/integrations/test_langsmith_offline.py", "tests/integrations/test_langsmith.py"),
    "numpy, scipy": ("tests/core/align/test_assign.py", "tests/core/statistics"),
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
    """The site builds without a warning, loads nothing from elsewhere, shows every option of factories."""
    site = ROOT / "build" / "docs"
    run(BIN / "mkdocs", "build", "--strict", "--quiet", NO_MKDOCS_2_WARNING="1")
    loaded = re.compile(
        r'<(?:script|img|iframe|source)[^>]*\ssrc="(?:https?:)?//|<link[^>]*\shref="(?:https?:)?//'
    )
    pages = {page: page.read_text("utf-8") for page in sorted(site.rglob("*.html"))}
    outside = [str(page) for page, text in pages.items() if loaded.search(text)]
    assert outside == [], outside
    shown = "\n".join(text for page, text in pages.items() if page.parent.name == "reference")
    unshown = [
        one for name in fieldwise.__all__ if name.startswith("create_") for one in _unshown(name, shown)
    ]
    assert unshown == [], unshown
    return f"{len(pages)} pages"


def _unshown(factory: str, reference: str) -> list[str]:
    """The options of a factory that its part of the reference does not name."""
    _, _, after = reference.partition(f'.{factory}" class="doc doc-heading">')
    part = re.sub(r"<[^>]*>", "", after.partition("<h2 ")[0])
    options = signature(getattr(fieldwise, factory)).parameters
    return [f"{factory}({one})" for one in options if not re.search(rf"^ *{one}: ", part, re.MULTILINE)]


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
    """The wheel holds what `src` holds, the sdist what git keeps; neither holds anything else."""
    with zipfile.ZipFile(wheel()) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        (entries,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        points = archive.read(entries).decode()
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    tracked = {name for name in listed if (ROOT / name).is_file()} - NOT_IN_SDIST
    source = {name.removeprefix("src/") for name in tracked if name.startswith("src/")}
    assert held == source, sorted(held ^ source)
    assert "fieldwise/py.typed" in held
    assert "fieldwise = fieldwise.__main__:main" in points
    assert "fieldwise = fieldwise.testing.plugin" in points
    with tarfile.open(sdist()) as archive:
        names = {one.name.partition("/")[2] for one in archive.getmembers() if one.isfile()}
    assert names == tracked | {"PKG-INFO"}, sorted(names ^ (tracked | {"PKG-INFO"}))
    return f"{len(held)} files in the wheel, {len(names)} in the sdist"


def metadata() -> str:
    """What an index checks on upload, and shows: the page's links lead somewhere, its pictures are there."""
    from readme_renderer.markdown import render

    said = run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", wheel(), sdist())
    with zipfile.ZipFile(wheel()) as archive:
        (at,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        fields = message_from_string(archive.read(at).decode())
    assert (fields["Name"], fields["Version"]) == (PROJECT["name"], PROJECT["version"])
    assert set(fields.get_all("Provides-Extra") or ()) == set(PROJECT["optional-dependencies"])
    page = render(str(fields.get_payload()))
    assert page is not None, "the README does not render"
    lost = re.findall(r'(?:href|src)="(?!https?:|mailto:|#)[^"]*"', page)
    assert lost == [], lost
    anchors, known = (
        set(re.findall(f'{name}="{mark}([^"]+)"', page)) for name, mark in (("href", "#"), ("id", ""))
    )
    assert anchors <= known, anchors - known
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## [{PROJECT['version']}]" in changes, "CHANGELOG.md has no section for this version"
    return said.strip().splitlines()[-1]


def minimal() -> str:
    """The wheel, with what it requires and no more."""
    here = Environment.new("minimal")
    here.pip_install(wheel())
    return here.smoke()


def from_sdist() -> str:
    """The sdist, installed as where no wheel is; its tests pass where it is unpacked."""
    here = Environment.new("from-sdist")
    here.pip_install(f"{sdist()}[dev]")
    unpacked = WORK / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(sdist()) as archive:
        archive.extractall(unpacked, filter="data")
    (where,) = unpacked.iterdir()
    return here.smoke() + "\n" + _summary(here.tests(where=where))


def newest() -> str:
    """The wheel with all extras, and the newest of everything."""
    return _newest("newest", sys.executable)


def pythons() -> str:
    """The same on every other Python that is declared, where this machine has it."""
    declared = [one.removeprefix(_VERSION) for one in PROJECT["classifiers"] if one.startswith(_VERSION)]
    said = []
    for version in declared:
        if "." in version and version != f"{sys.version_info.major}.{sys.version_info.minor}":
            found = interpreter(version)
            said.append(f"{version}: {_newest(version, found) if found else 'not on this machine'}")
    return "\n".join(said)


def _newest(name: str, python: str) -> str:
    here = Environment.new(name, python)
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
    """The package by pyright, and user code against the installed wheel by mypy and pyright, both strict."""
    here = Environment.new("types")
    here.uv_install(f"{wheel()}[all]")
    code = WORK / "user_code.py"
    shutil.copy(ROOT / "tests" / "typing" / "user_code.py", code)
    (WORK / "pyrightconfig.json").write_text("{}", "utf-8")  # not pyproject.toml's: it would read `src`
    cache = WORK / "mypy"
    asked = ("--strict", "--config-file=", "--python-executable", here.python, "--cache-dir", cache)
    by_mypy = run(BIN / "mypy", *asked, code, where=WORK)
    by_pyright = run(BIN / "pyright", "--pythonpath", here.python, code, where=WORK)
    here.uv_install(f"{wheel()}[all,dev]")  # stubs, and pytest
    package = run(BIN / "pyright", "--pythonpath", here.python, ROOT / "src" / "fieldwise")
    told = (one.strip().splitlines()[-1] for one in (package, by_mypy, by_pyright))
    return "package: {}; user code: mypy: {}; pyright: {}".format(*told)


def _summary(output: str) -> str:
    """The line in which pytest counts."""
    return [line for line in output.splitlines() if re.search(r"\d+ passed", line)][-1]


STEPS: Final[dict[str, Callable[[], str]]] = {
    step.__name__: step
    for step in (sizes, docs, build, contents, metadata, minimal, from_sdist, types, newest, lowest, pythons)
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
