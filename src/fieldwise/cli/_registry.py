"""The evaluators the command knows: every public factory, by the name between `create_` and `_evaluator`.

What an evaluator takes is read off its factory's signature and docstring, so it cannot say another thing
than Python does.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import TYPE_CHECKING, Any, Final

import click

import fieldwise
from fieldwise.cli._options import meant
from fieldwise.errors import ConfigError
from fieldwise.evalsets.signatures import about_options, summary
from fieldwise.report.words import clip, count

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME: Final = re.compile(r"create_(?!async_)(?P<name>\w+?)(?P<form>_string|_summary)?_evaluator")


def _known() -> dict[str, str]:
    found = {match["name"]: match[0] for one in fieldwise.__all__ if (match := _NAME.fullmatch(one))}
    return {name: f"create_{name}_evaluator" for name in sorted(found)}


EVALUATORS: Final[dict[str, str]] = {
    name: made for name, made in _known().items() if made in fieldwise.__all__
}
"""Name to the factory's name in `fieldwise`: what `--evaluator` knows."""


def check_known(name: str) -> None:
    """Refuse the name of no evaluator, with the one that was meant."""
    if name not in EVALUATORS:
        raise click.UsageError(f"there is no evaluator {name!r}; {meant(name, EVALUATORS)}")


def factory(name: str) -> Callable[..., Any]:
    """Return the factory of an evaluator.

    >>> factory("json_match").__name__
    'create_json_match_evaluator'
    """
    made: Callable[..., Any] = getattr(fieldwise, EVALUATORS[name])
    return made


def check_required(name: str, given: dict[str, Any]) -> None:
    """Refuse to make an evaluator without what it cannot do without.

    Raises:
        ConfigError: naming the option and the fix.
    """
    for option, one in inspect.signature(factory(name)).parameters.items():
        if one.default is one.empty and option not in given and one.kind is one.KEYWORD_ONLY:
            raise ConfigError(
                f"{name} needs {option}: --option {option}=…; `fieldwise evaluators {name}` says what it is"
            )


def listing(width: int) -> str:
    """Return the evaluators, a line each."""
    wide = max(map(len, EVALUATORS))
    lines = [clip(f"{name:<{wide}}  {summary(factory(name))}", width) for name in EVALUATORS]
    more = f"{count(len(lines), 'evaluator')}; `fieldwise evaluators NAME` lists the options of one"
    return "\n".join([*lines, "", more, ""])


def description(name: str, width: int) -> str:
    """Return what an evaluator does and what options it takes."""
    doc = inspect.getdoc(factory(name)) or ""
    about = doc.partition("Args:\n")[0]
    known = about_options(factory(name))
    lines = [f"{name}: {_unmarked(about.strip())}", "", "options (--option NAME=VALUE):"]
    for option, one in inspect.signature(factory(name)).parameters.items():
        default = "required" if one.default is one.empty else f"default {one.default!r}"
        lines += ["", f"  {option}  ({default})"]
        if option in known:
            lines += _wrapped(known[option], width, 6)
    returned = re.search(r"^Returns:\n(?P<text>(?:    .*\n?|\n)+)", doc, re.MULTILINE)
    if returned:
        lines += ["", "returns:", *_wrapped(returned["text"], width, 2)]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    lines = textwrap.wrap(_unmarked(" ".join(text.split())), max(width - indent, 40), break_on_hyphens=False)
    return [" " * indent + line for line in lines]


def _unmarked(text: str) -> str:
    """Text without the marks of code."""
    return text.replace("`", "")
