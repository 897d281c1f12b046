"""`fieldwise add evaluator` and `fieldwise register evaluator`: evaluators of one's own, step by step.

Each prints the file it wrote and the next step. To register a file is to run it, which is noted first.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import completion
from fieldwise.cli.common.options import folder_option
from fieldwise.cli.common.streams import OutputError
from fieldwise.report.words import safe

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fieldwise.cli.common.streams import Streams

_STEPS: Final = """
\b
From nothing to a verdict:
  fieldwise add evaluator my_metric          writes evaluations/evaluators/custom/my_metric.py
  (edit it)
  fieldwise register evaluator my_metric.py  writes evaluations/evaluators/my_metric-evaluator.json
  (name it in the evaluatorRefs and evaluationCriterias of an evaluation set)
  fieldwise eval evaluations/eval-sets/SET.json --agent module:function --allow-code

\b
Exit codes: 0 written, 2 not.
"""
_SHOWN: Final = 500

_root = folder_option("--root", "The project's folder, with `evaluations`.", default=".", show_default=True)


@click.group("add")
def add_command() -> None:
    """Add an evaluator of your own to a project."""


@add_command.command("evaluator", epilog=_STEPS)
@click.argument("name")
@click.option("--force", is_flag=True, help="Replace a file of that name.")
@_root
@click.pass_obj
def add_evaluator_command(streams: Streams, /, *, name: str, force: bool, root: str) -> int:
    """Write evaluations/evaluators/custom/<name>.py, an evaluator that runs as it is."""
    from fieldwise.evalsets.code.scaffold import add_evaluator

    file = _written(lambda: add_evaluator(name, root, force=force))
    elsewhere = "" if root == "." else f" --root {root}"
    lines = [f"wrote {file}", f"next: edit it, then: fieldwise register evaluator {file.name}{elsewhere}"]
    return _say(streams, lines)


@click.group("register")
def register_command() -> None:
    """Make an evaluator of your own known to evaluation sets."""


@register_command.command("evaluator", epilog=_STEPS)
@click.argument("file", metavar="FILE.py", shell_complete=completion.files)
@click.option("--class", "class_name", metavar="NAME", help="Which, of a file with several evaluators.")
@click.option("--force", is_flag=True, help="Overwrite what was edited in the spec; default criteria stay.")
@_root
@click.pass_obj
def register_evaluator_command(
    streams: Streams, /, *, file: str, class_name: str | None, force: bool, root: str
) -> int:
    """Run FILE.py of evaluations/evaluators/custom and write the spec of its evaluator."""
    from fieldwise.evalsets.code.registration import register_evaluator

    def note(path: Path, _: str) -> None:
        streams.note(f"running {path}")

    made = _written(lambda: register_evaluator(file, root, class_name=class_name, force=force, on_load=note))
    id_, item, default = (_json(one) for one in (made.id, made.criteria, made.default))
    which = "there are none yet: set them" if made.default is None else f"now {default}"
    lines = [
        f"wrote {made.path}",
        f"next: in an evaluation set, name {id_} in evaluatorRefs and in each item's evaluationCriterias:",
        f"  {id_}: {item}",
        f"  or null, for the defaultEvaluationCriteria of the spec ({which})",
        "then: fieldwise eval evaluations/eval-sets/SET.json --agent module:function --allow-code",
    ]
    return _say(streams, lines)


def _written(write: Callable[[], Any]) -> Any:
    try:
        return write()
    except OSError as error:
        raise OutputError.of(str(error.filename or "the file"), error) from None


def _say(streams: Streams, lines: list[str]) -> int:
    streams.print("".join(f"{safe(line)}\n" for line in lines))
    return 0


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
