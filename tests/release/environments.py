"""Environments that hold a built distribution and nothing of the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
WORK: Final = ROOT / "build" / "release"
UV: Final = str(Path(sys.executable).parent / "uv")
TEST_TOOLS: Final = ("pytest>=8.4", "pytest-timeout", "pytest-xdist", "hypothesis")


def run(*argv: object, where: Path = ROOT, **environment: str) -> str:
    """Run a program; return its output, or fail with all of it."""
    told = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(
        [str(one) for one in argv],
        cwd=where,
        env=told | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, argv))}: exit {done.returncode}\n{done.stdout[-20_000:]}")
    return done.stdout


def interpreter(version: str) -> str | None:
    """Return a Python of that version on this machine, one of pyenv included; None: there is none."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for one in (shutil.which(f"python{version}"), *kept):
        if one and not subprocess.run([one, "-c", ""], capture_output=True, check=False).returncode:
            return str(one)
    return None


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment below `build/release`, made anew."""

    folder: Path

    @classmethod
    def new(cls, name: str, interpreter: str = sys.executable) -> Environment:
        """Make an empty one, with pip."""
        folder = WORK / name
        shutil.rmtree(folder, ignore_errors=True)
        run(interpreter, "-m", "venv", folder)
        return cls(folder)

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def pip_install(self, *requirements: object) -> None:
        """Install as a user does."""
        run(self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)

    def uv_install(self, *arguments: object) -> None:
        """Install with uv, which can be asked for the lowest versions."""
        run(UV, "pip", "install", "--quiet", "--python", self.python, *arguments)

    def smoke(self, *extras: str) -> str:
        """Run the smoke test in it, from a folder that is not the checkout."""
        script = Path(__file__).with_name("smoke.py")
        return run(self.python, "-I", script, *extras, where=WORK).strip().splitlines()[-1]

    def tests(self, *arguments: str, where: Path = ROOT) -> str:
        """Run tests against what is installed in it; the warnings of other versions are not ours.

        What they print is kept in `tests.txt` in its folder.
        """
        self.uv_install(*TEST_TOOLS)
        lenient = ("-W", "default", "-p", "no:cacheprovider", "-q", "-n", "2", "--durations", "40")
        argv = (self.python, "-m", "pytest", *lenient, *arguments)
        said = run(*argv, where=where, PYTHONDONTWRITEBYTECODE="1")
        (self.folder / "tests.txt").write_text(said, "utf-8")
        return said
