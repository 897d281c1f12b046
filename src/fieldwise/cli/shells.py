"""What click's scripts for bash, zsh and fish lack: values after `=`.

All three get whole words, `--option=agg` as well as `agg`, and put no space after one that ends with `=`.
bash splits a line at each `=`, and puts what it is told in the place of the last piece alone: it sends the
line up to the cursor and that piece, and gets the rest of the word.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from click.shell_completion import (
    BashComplete,
    FishComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_BASH: Final = r"""%(complete_func)s() {
    local IFS=$'\n' found kind value
    COMPREPLY=()
    found=$(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_PIECE="$2" %(complete_var)s=bash_complete "$1")
    while IFS=',' read -r kind value; do
        if [[ $kind == 'dir' ]]; then
            compopt -o dirnames
        elif [[ $kind == 'file' ]]; then
            compopt -o default
        elif [[ $kind == 'plain' ]]; then
            COMPREPLY+=("$value")
            [[ $value == *= ]] && compopt -o nospace
        fi
    done <<< "$found"
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
_ZSH_ADDS: Final = "compadd -U -V unsorted -a completions"
_ZSH_PARTS: Final = """local -a begun=("${(@M)completions:#*=}") whole=("${(@)completions:#*=}")
        compadd -U -S '' -V unsorted -a begun
        compadd -U -V unsorted -a whole"""

_ZSH_FILES: Final = "_path_files -f"
_ZSH_NAMED: Final = f"compset -P '--*='; {_ZSH_FILES}"


def whole_word(incomplete: str, value: str) -> str:
    """Return the word that a value completes, with the option that stands before it.

    >>> whole_word("--option=agg", "aggregator="), whole_word("agg", "aggregator=")
    ('--option=aggregator=', 'aggregator=')
    """
    option, equals, _ = incomplete.partition("=")
    return f"{option}={value}" if equals and option.startswith("-") else value


class Bash(BashComplete):
    """Completion for bash."""

    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor's, and that."""
        line = os.environ.get("COMP_LINE", "")
        *before, last = split_arg_string(line) or [""]
        begins_anew = line[-1:].isspace() and not last.endswith(line[-1])
        return ([*before, last][1:], "") if begins_anew else (before[1:], last)

    def complete(self) -> str:
        """Return what each completion puts in the place of the piece that bash looks at."""
        args, incomplete = self.get_completion_args()
        known = max(len(incomplete) - len(os.environ.get("COMP_PIECE", "")), 0)
        items = self.get_completions(args, incomplete)
        return "\n".join(f"{one.type},{whole_word(incomplete, one.value)[known:]}" for one in items)


class Zsh(ZshComplete):
    """Completion for zsh."""

    source_template = ZshComplete.source_template.replace(_ZSH_ADDS, _ZSH_PARTS).replace(
        _ZSH_FILES, _ZSH_NAMED
    )

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        """Return whole words, which zsh puts in the place of what was typed."""
        return _whole(super().get_completions(args, incomplete), incomplete)


class Fish(FishComplete):
    """Completion for fish, which puts no space after `=` by itself."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        """Return whole words, among which fish looks for what was typed."""
        return _whole(super().get_completions(args, incomplete), incomplete)


def _whole(items: list[CompletionItem[Any]], incomplete: str) -> list[CompletionItem[Any]]:
    for one in items:
        one.value = whole_word(incomplete, one.value) if one.type == "plain" else one.value
    return items


def register() -> None:
    """Have click use these, also when a shell asks it."""
    for kind in (Bash, Zsh, Fish):
        add_completion_class(kind)
