"""Types of options: what is wrong with a value is said with the fix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    NumberType = click.ParamType[float]
    TextType = click.ParamType[str]
else:  # click takes that type at run time from 8.4 on; nothing else here needs more than 8.1
    NumberType = TextType = click.ParamType


class Between(NumberType):
    """A number from `low` to 1."""

    def __init__(self, low: int) -> None:
        self._low = low
        self.name = f"{low}..1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail with the fix."""
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is no number from {self._low} to 1", param, ctx)
        if not self._low <= number <= 1:
            percentage = self._low == 0 and 1 < number <= 100  # noqa: PLR2004
            hint = f"; write {number / 100:g}" if percentage else ""
            self.fail(f"{value!r} is not from {self._low} to 1{hint}", param, ctx)
        return number


SHARE: Final = Between(0)
KAPPA: Final = Between(-1)


class ExecutorName(TextType):
    """`processes`, `processes:4` or `dask://host:port`."""

    name = "executor"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or fail with the forms there are."""
        from fieldwise.run.executors.pools import check

        try:
            check(value)
        except ConfigError as error:
            self.fail(str(error), param, ctx)
        return str(value)
