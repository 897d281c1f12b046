"""The commands there are, each imported when it is called.

A command is `<name>_command` of its module, dashes as underscores. A new one is a module and a row of
`COMMANDS`; its line of help stands in the row too, so that `fieldwise --help` imports no command.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import click

from fieldwise.errors import FieldwiseError

VARIABLE: Final = "_FIELDWISE_COMPLETE"
"""What click reads to know that a shell asks."""
COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "add": ("custom", "Add an evaluator of your own to a project."),
    "compare": ("compare.command", "Compare two runs over the same items."),
    "completion": ("completion", "Print what a shell needs to complete commands."),
    "eval": (
        "evaluate.command",
        "Run an evaluation set: each item through an agent, its answer through the evaluators.",
    ),
    "history": ("history", "List the runs of a history, the last one at the end."),
    "judge-check": ("judge_check.command", "Compare a judge with people, and with itself."),
    "list": ("listing", "List the evaluators, which to choose, and the comparators; or the options of one."),
    "register": ("custom", "Make an evaluator of your own known to evaluation sets."),
    "schema": ("schema", "Print the JSON Schema of evaluator files or of evaluation sets."),
    "score": ("score.command", "Score a file of records: JSON Lines, JSON or CSV."),
}
"""Name to module and line of help."""


class Lazy(click.Group):
    """A group whose commands are rows of a table, beside those added to it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, sorted."""
        return sorted({*COMMANDS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        added = super().get_command(ctx, cmd_name)
        if added is not None or cmd_name not in COMMANDS:
            return added
        module = import_module(f"fieldwise.cli.{COMMANDS[cmd_name][0]}")
        found: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Call a command; where code of a judge or evaluator ends it, say so instead of ending with it.

        Raises:
            FieldwiseError: something called sys.exit, or raised what is no Exception.
        """
        try:
            return super().invoke(ctx)
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as error:
            from fieldwise.evalsets.isolation import place_of, raised

            where = place_of(error) or "a judge, a comparator or a worker"
            raise FieldwiseError(
                f"{where} {raised(error)}, which ended the run; raise an Exception instead"
            ) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table, and import nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._line(ctx, name)) for name in self.list_commands(ctx)])

    def _line(self, ctx: click.Context, name: str) -> str:
        added = super().get_command(ctx, name)
        return COMMANDS[name][1] if added is None else added.get_short_help_str()

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete the name of a command, and import nothing."""
        from click.shell_completion import CompletionItem

        if incomplete[:1] == "-":
            return click.Command.shell_complete(self, ctx, incomplete)
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [CompletionItem(name, help=self._line(ctx, name)) for name in names]
