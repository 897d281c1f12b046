"""What a command line of `fieldwise eval` asks for, and what is wrong with it before anything runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from typing import Any, Final

import click

from fieldwise.cli.common.streams import OutputError
from fieldwise.errors import InputError

_REPORTS: Final = ("--junit", "--html")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalJob:
    """What the command line asked for."""

    eval_set: str
    agent: str | None = None
    outputs: str | None = None
    evaluators: str | None = None
    out: str | None = None
    resume: bool = False
    overwrite: bool = False
    retry_errors: bool = False
    store: str | None = None
    workers: int = 16
    timeout: float | None = None
    repeat: int = 1
    judge: str | None = None
    model: str | None = None
    allow_code: bool = False
    junit: str | None = None
    html: str | None = None
    as_json: bool = False
    fail_under: float | None = None
    min_coverage: float | None = None
    quiet: bool = False
    executor: str | None = None

    @property
    def made_with(self) -> dict[str, Any]:
        """What the results depend on, beside the set."""
        outputs = None if self.outputs is None else Path(self.outputs).name
        return {
            "agent": self.agent,
            "outputs": outputs,
            "judge": self.judge,
            "model": self.model,
            "repeat": self.repeat,
        }

    def check(self) -> None:
        """Refuse what cannot be run, before anything is.

        Raises:
            click.UsageError: options that need others, or exclude each other.
            InputError: what is read would be written over, or two things would be written to one file.
            OutputError: a report would have no folder.
        """
        if (self.agent is None) == (self.outputs is None):
            given = "neither was given" if self.agent is None else "both were given"
            raise click.UsageError(
                f"--agent or --outputs: {given}; say what is to be run, or what it answered"
            )
        if self.out is None and (self.resume or self.overwrite):
            option = "--resume" if self.resume else "--overwrite"
            raise click.UsageError(f"{option} needs --out, the file of results")
        if self.resume and self.overwrite:
            raise click.UsageError(
                "--resume goes on with the results of --out, --overwrite begins them anew: give one of them"
            )
        if self.retry_errors and not self.resume:
            raise click.UsageError(
                "--retry-errors needs --resume and --out, the file of results to go on with"
            )
        _check_files(self)


def _check_files(job: EvalJob) -> None:
    """Refuse to write over what is read, and to write two things to one file."""
    read = {"the evaluation set": job.eval_set, "--outputs": job.outputs}
    written = {"--out": job.out, "--store": job.store, "--junit": job.junit, "--html": job.html}
    known = {Path(path).resolve(): name for name, path in read.items() if path is not None}
    for name, path in written.items():
        if path is None:
            continue
        place = Path(path).resolve()
        if place in known and not _is_device(place):
            raise InputError(f"{name} {path}: is also {known[place]}; name another file")
        known[place] = name
        if name in _REPORTS and not place.parent.is_dir():  # known before the run, not after it
            raise OutputError.of(f"{name} {path}", FileNotFoundError(ENOENT, os.strerror(ENOENT), path))


def _is_device(place: Path) -> bool:
    return place.exists() and not place.is_file()
