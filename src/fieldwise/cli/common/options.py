"""Options that several commands have, declared once.

Each is a decorator of a command; the command takes its values as keyword arguments of the names given here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from fieldwise.cli import completion
from fieldwise.cli.common.types import ExecutorName
from fieldwise.records import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

Command: TypeAlias = "Callable[..., Any]"

COLUMNS: Final = {"outputs": "outputs", "reference_outputs": "reference", "inputs": "inputs", "id": "id_"}
"""What a record has, and the parameter that names its column."""


def column_options(*parts: str) -> Callable[[Command], Command]:
    """Give a command an option for the column of each part of a record: a key of `COLUMNS`."""

    def added(command: Command) -> Command:
        for part in reversed(parts):
            what = "The name or path of the outputs in a record." if part == parts[0] else None
            option = f"--{COLUMNS[part].rstrip('_')}"
            text = what or f"The same for the {part.replace('_', ' ')}."
            command = click.option(option, COLUMNS[part], metavar="COLUMN", help=text)(command)
        return command

    return added


def named_columns(given: dict[str, Any]) -> dict[str, str | None]:
    """Take the columns out of a command's keyword arguments: part of a record to the name of its column.

    >>> given = {"outputs": "answer", "worst": 5}
    >>> named_columns(given), given
    ({'outputs': 'answer'}, {'worst': 5})
    """
    return {part: given.pop(name) for part, name in COLUMNS.items() if name in given}


def file_option(name: str, what: str) -> Callable[[Command], Command]:
    """Give a command an option that names a file, with what its help says."""
    return click.option(name, metavar="FILE", help=what, shell_complete=completion.files)


def folder_option(name: str, what: str, **settings: Any) -> Callable[[Command], Command]:
    """Give a command an option that names a folder, in the same way."""
    return click.option(name, metavar="DIR", help=what, shell_complete=completion.folders, **settings)


def format_option(what: str) -> Callable[[Command], Command]:
    """Give a command the option `--format`, of a file that its help calls so."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        help=f"What {what} is; else told from its suffix, without one or of standard input from its content.",
    )


concurrency_option: Final = click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    help="How many questions to the judge may be under way.",
)


def judge_options(judge: str, model: str) -> Callable[[Command], Command]:
    """Give a command `--judge` and `--model`, with what its help says of each."""

    def added(command: Command) -> Command:
        command = click.option("--model", metavar="PROVIDER:NAME", help=model)(command)
        return click.option("--judge", metavar="MODULE:OBJECT", help=judge)(command)

    return added


executor_option: Final = click.option(
    "--executor",
    type=ExecutorName(),
    metavar="NAME",
    help="Who does the work: `processes` for one on each core, `processes:4`, or `dask://host:port` for "
    'the workers of a Dask scheduler (pip install "fieldwise[dask]"). The numbers are the same.',
)
