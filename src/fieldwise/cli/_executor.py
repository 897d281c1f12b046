"""The option `--executor`, for every command that evaluates records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fieldwise.cli._kinds import TextType
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable


class ExecutorName(TextType):
    """`processes`, `processes:4` or `dask://host:port`."""

    name = "executor"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or fail with the forms there are."""
        from fieldwise.run._executors import check

        try:
            check(value)
        except ConfigError as error:
            self.fail(str(error), param, ctx)
        return str(value)


def executor_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--executor`, which it takes as `executor: str | None`."""
    return click.option(
        "--executor",
        type=ExecutorName(),
        metavar="NAME",
        help="Who does the work: `processes` for one on each core, `processes:4`, or `dask://host:port` for "
        'the workers of a Dask scheduler (pip install "fieldwise[dask]"). The numbers are the same.',
    )(command)
