"""What a shell completes: bash at a terminal, the others by what they are told."""

from __future__ import annotations

import os
import select
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

from fieldwise.cli import command
from fieldwise.cli.commands import VARIABLE
from fieldwise.cli.shells import Bash, register
from tests.cli.calls import call
from tests.processes import started

LINES = [
    ("--option agg\taverage", ["--option", "aggregator=average"]),
    ("--option aggregator=av\t", ["--option", "aggregator=average"]),
    ("--option=agg\tav\t", ["--option=aggregator=average"]),
    ("--evaluator=json_ma\t", ["--evaluator=json_match"]),
    ("--evaluator json_ma\t", ["--evaluator", "json_match"]),
    ("--option 'x y' --form\tcs\t", ["--option", "x y", "--format", "csv"]),
    ("--out=rec\t", ["--out=records.jsonl"]),
    ("--out rec\t", ["--out", "records.jsonl"]),
]
"""What is typed after `fieldwise score x --evaluator json_match`, and the words that come of it."""
PROGRAM = f"""#!/bin/sh
if [ -n "${VARIABLE}" ] || [ "$1" = completion ]; then exec "{sys.executable}" -m fieldwise "$@"; fi
printf '%s\\n' "$@" > words.new && mv words.new words
"""


class Terminal:
    """An interactive bash with the script, and a `fieldwise` that writes its words to a file."""

    def __init__(self, folder: Path) -> None:
        program = folder / "fieldwise"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        (folder / "records.jsonl").touch()
        self._words = folder / "words"
        self._main, self._child = os.openpty()
        env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"}
        pipes = {"stdin": self._child, "stdout": self._child, "stderr": self._child}
        bash = ["bash", "--norc", "--noprofile", "-i"]
        self.process = started(bash, cwd=folder, env=env, text=False, **pipes)

    def words(self, typed: str) -> list[str]:
        """Type a line, and return the words that came of it."""
        self._words.unlink(missing_ok=True)
        os.write(self._main, f"{typed}\n".encode())
        shown, deadline = b"", time.monotonic() + 60
        while not self._words.exists():
            assert time.monotonic() < deadline, shown
            if select.select([self._main], [], [], 0.05)[0]:
                shown += os.read(self._main, 4096)
        return self._words.read_text().splitlines()

    def close(self) -> None:
        os.close(self._main)
        os.close(self._child)


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    if shutil.which("bash") is None:
        pytest.skip("no bash")
    made = Terminal(tmp_path_factory.mktemp("shell"))
    try:
        with made.process:
            assert made.words('eval "$(fieldwise completion bash)"; fieldwise ready') == ["ready"]
            yield made
    finally:
        made.close()


@pytest.mark.parametrize(("typed", "words"), LINES)
def test_bash_completes_at_a_terminal(terminal: Terminal, typed: str, words: list[str]) -> None:
    told = terminal.words(f"fieldwise score x --evaluator json_match {typed} end")
    assert told == ["score", "x", "--evaluator", "json_match", *words, "end"]


@pytest.mark.parametrize(
    ("line", "args"),
    [
        ("fieldwise score 'a b' --ev", (["score", "a b"], "--ev")),
        ("fieldwise score ", (["score"], "")),
        ("fieldwise score 'a ", (["score"], "a ")),
        ("fieldwise", ([], "fieldwise")),
    ],
)
def test_the_words_of_a_line(line: str, args: tuple[list[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMP_LINE", line)
    assert Bash(None, {}, "fieldwise", VARIABLE).get_completion_args() == args  # type: ignore[arg-type]


ASKED = [
    ("zsh", "--option=agg", "plain\n--option=aggregator=\n_"),
    ("zsh", "--evaluator=json_ma", "plain\n--evaluator=json_match\n_"),
    ("fish", "--option=agg", "plain,--option=aggregator="),
    ("fish", "--evaluator=json_ma", "plain,--evaluator=json_match"),
]


@pytest.mark.parametrize(("shell", "word", "told"), ASKED)
def test_zsh_and_fish_are_told_whole_words(
    shell: str, word: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"fieldwise score x --evaluator json_match {word}"
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", "5" if shell == "zsh" else word)
    register()
    kind = get_completion_class(shell)
    assert kind is not None
    assert kind(command, {}, "fieldwise", VARIABLE).complete() == told


def test_zsh_puts_no_space_after_an_equals_sign() -> None:
    script = call("completion", "zsh").out
    assert "compadd -U -S '' -V unsorted -a begun" in script
    assert "compset -P '--*='; _path_files -f" in script
