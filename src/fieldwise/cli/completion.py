"""`fieldwise completion`: what a shell needs to complete commands, options and names.

The script is click's, mended in `shells`; it asks `fieldwise` itself for the words, so it never goes stale.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli.commands import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise.cli.common.streams import Streams

SHELLS: Final = ("bash", "zsh", "fish")
_EPILOG: Final = """
\b
Once, and then in a new shell:
  bash  echo 'eval "$(fieldwise completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(fieldwise completion zsh)"' >> ~/.zshrc
  fish  fieldwise completion fish > ~/.config/fish/completions/fieldwise.fish
"""


@click.command("completion", epilog=_EPILOG)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, /, shell: str) -> None:
    """Print what a shell needs to complete commands.

    It then completes commands, options, their choices, and the names of evaluators and comparators.
    """
    from click.shell_completion import get_completion_class

    from fieldwise.cli.shells import register

    register()
    streams: Streams = ctx.obj
    streams.print(script(get_completion_class(shell), ctx.find_root().command))


def script(shell: Any, command: click.Command) -> str:
    """Return the script of a shell, without asking the shell anything."""
    made = shell(command, {}, "fieldwise", VARIABLE)
    text: str = made.source_template % made.source_vars()
    return text if text.endswith("\n") else f"{text}\n"


def files(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Leave it to the shell, which knows the files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def folders(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[Any]:
    """Leave it to the shell, which knows the folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def evaluators(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of evaluators that begin so.

    >>> evaluators(None, None, "json_ma")
    ['json_match']
    """
    from fieldwise.cli.common.evaluators import EVALUATORS

    return [name for name in EVALUATORS if name.startswith(incomplete)]


def listed(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the names that begin so of what `fieldwise list` tells of.

    >>> listed(None, None, "number")
    ['number', 'number_text']
    """
    from fieldwise.cli.common.comparators import COMPARATORS
    from fieldwise.cli.common.evaluators import EVALUATORS

    return [name for name in sorted({*EVALUATORS, *COMPARATORS}) if name.startswith(incomplete)]


def options(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the options, each with its `=`, of the evaluator that the command line names.

    After the `=` of an option that takes one of some words, these; behind `comparators.PATH=` comparators.
    """
    from fieldwise.cli.common.evaluators import EVALUATORS
    from fieldwise.evalsets.registry.signatures import options as options_of

    name = ctx.params.get("evaluator")
    known = dict(options_of(name)) if name in EVALUATORS else {}
    known.pop("judge", None)  # named by --judge
    option, equals, _ = incomplete.partition("=")
    if equals and option.startswith("comparators."):
        from fieldwise.cli.common.comparators import COMPARATORS

        words = list(COMPARATORS)
    else:
        words = _words(known[option].schema or {}) if equals and option in known else []
    offered = [f"{option}={word}" for word in words] if equals else [f"{one}=" for one in known]
    return [one for one in offered if one.startswith(incomplete)]


def _words(schema: Mapping[str, Any]) -> list[str]:
    """The words that an option takes, by its JSON Schema."""
    if schema.get("type") == "boolean":
        return ["true", "false"]
    return [one for one in schema.get("enum", ()) if isinstance(one, str)]
