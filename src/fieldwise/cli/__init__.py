"""The command `fieldwise`: a thin shell over `fieldwise.run`.

`main` ends the process; `run(argv, stdin, stdout, stderr)` does the work and returns the exit code, one of
`common.codes`.

What a run finds goes to standard output, everything else to standard error: bad lines, notes, and on a
terminal the progress.

| module | what it holds |
|---|---|
| `commands` | the table of the commands |
| `score`, `compare`, `judge_check` | files of records and of results |
| `evaluate`, `history` | evaluation sets, and the runs that were kept |
| `listing`, `described`, `schema`, `custom` | which evaluators there are; those of one's own |
| `completion`, `shells` | what a shell needs |
| `common` | what several commands share |
"""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

import click

from fieldwise.cli.commands import VARIABLE, Lazy
from fieldwise.cli.common.codes import INTERRUPTED, UNUSABLE
from fieldwise.cli.common.streams import Streams, close_quietly
from fieldwise.errors import FieldwiseError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

__all__ = ["main", "run"]


def main() -> None:
    """Run the command on the process's arguments and streams, and exit.

    A fault of ours leaves its traceback, and the code of what is unusable: 1 would be a verdict.
    """
    try:
        code = run(sys.argv[1:])
    except Exception:  # noqa: BLE001 - whatever it is
        traceback.print_exc()
        code = UNUSABLE
    if sys.stdout is not None:
        close_quietly(sys.stdout)
    sys.exit(code)


def run(
    argv: Sequence[str],
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
) -> int:
    """Run the command and return its exit code; streams default to those of the process.

    >>> import io
    >>> out = io.StringIO()
    >>> lines = io.StringIO('{"outputs": {"a": 1}, "reference_outputs": {"a": 1}}')
    >>> run(["score", "-", "--evaluator", "json_match", "--quiet"], lines, out, io.StringIO())
    0
    """
    nowhere = StringIO()  # for a stream the process was started without
    if VARIABLE in os.environ:
        from fieldwise.cli.shells import register

        register()
    streams = Streams(stdin or sys.stdin, stdout or sys.stdout or nowhere, stderr or sys.stderr or nowhere)
    with redirect_stdout(streams.stdout), redirect_stderr(streams.stderr):
        try:
            code = command.main(list(argv), prog_name="fieldwise", standalone_mode=False, obj=streams)
        except click.ClickException as error:
            error.show(streams.stderr)
            return UNUSABLE
        except FieldwiseError as error:
            for line in str(error).splitlines():
                streams.complain(line)
            return UNUSABLE
        except click.Abort:
            return INTERRUPTED
        except BrokenPipeError:
            return UNUSABLE
    return code if isinstance(code, int) else 0


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fieldwise", prog_name="fieldwise")
def command() -> None:
    """Say how right structured answers are, field by field."""
