"""The command `fieldwise`: a thin shell over `fieldwise.run`.

`main` ends the process; `run(argv, stdin, stdout, stderr)` does the work and returns the exit code:

| code | when |
|---|---|
| 0 | something was graded, and score and coverage reach their bars |
| 1 | below a bar, or nothing graded |
| 2 | unusable: options, the file, a judge that cannot be imported, output that cannot be written |
| 130 | interrupted; what was scored until then is reported and kept |

What a run finds goes to standard output, everything else to standard error: bad lines, notes, and on a
terminal the progress. Evaluators are known by their names in one table, `EVALUATORS`: every public factory.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

import click

from fieldwise.cli._commands import Lazy
from fieldwise.cli._streams import Streams, close_quietly
from fieldwise.errors import FieldwiseError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

__all__ = ["main", "run"]


def main() -> None:
    """Run the command on the process's arguments and streams, and exit."""
    code = run(sys.argv[1:])
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
    streams = Streams(stdin or sys.stdin, stdout or sys.stdout or nowhere, stderr or sys.stderr or nowhere)
    with redirect_stdout(streams.stdout), redirect_stderr(streams.stderr):
        try:
            code = command.main(list(argv), prog_name="fieldwise", standalone_mode=False, obj=streams)
        except click.ClickException as error:
            error.show(streams.stderr)
            return 2
        except FieldwiseError as error:
            for line in str(error).splitlines():
                streams.complain(line)
            return 2
        except click.Abort:
            return 130
        except BrokenPipeError:
            return 2
    return code if isinstance(code, int) else 0


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fieldwise", prog_name="fieldwise")
def command() -> None:
    """Say how right structured answers are, field by field."""
