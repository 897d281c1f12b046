"""The README and the guides as what runs: their blocks, each by a name that stays, and the commands in them.

A block is named after its page and heading, with a number where a heading has several of one language. A
command runs as it is printed, in the current folder: `fieldwise` in this process, `make` not at all, anything
else in a shell. A page shows all that is printed, but for times; a line `…` stands for what it leaves out.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fieldwise import cli

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
TEXTS: Final = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
COLUMNS: Final = 110
_PART: Final = re.compile(
    r"^```(?P<language>\w*)\n(?P<text>[\s\S]*?)^```$|^#+ (?P<heading>.+)$", re.MULTILINE
)
_SECONDS: Final = re.compile(r" in \d[\d.]* s$", re.MULTILINE)
_LEFT_OUT: Final = "…\n"
_COMMAND: Final = re.compile(r"^cat > [\s\S]*?^END$|^(?:.*\\\n)*.+$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """What a page shows between fences."""

    page: str
    heading: str
    language: str
    text: str
    number: int

    def __str__(self) -> str:
        return f"{self.page}#{self.heading}" + (f"-{self.number}" if self.number else "")


def anchor(heading: str) -> str:
    """Return what a link to a heading names it.

    >>> anchor("What a result says")
    'what-a-result-says'
    """
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of a page, in their order."""
    heading, seen = "", Counter[tuple[str, str]]()
    for found in _PART.finditer(TEXTS[page]):
        if found["heading"]:
            heading = anchor(found["heading"])
            continue
        place = heading, found["language"]
        yield Block(page, *place, found["text"], seen[place])
        seen[place] += 1


def written_in(language: str) -> list[Block]:
    """Return the blocks of all pages that are in a language."""
    return [block for page in PAGES for block in blocks(page) if block.language == language]


def shows(text: str, printed: str) -> bool:
    r"""Return whether a text is what was printed, but for times and the lines it says it leaves out.

    >>> shows("2 records in 0.01 s\n…\nlast\n", "2 records in 0.4 s\n\none\nlast\n")
    True
    >>> shows("first\n", "first\nlast\n")
    False
    """
    lines = _SECONDS.sub("", text).splitlines(keepends=True)
    wanted = "".join(r"(?:.*\n)+" if line == _LEFT_OUT else re.escape(line) for line in lines)
    return re.fullmatch(wanted, _SECONDS.sub("", printed)) is not None


# ---------------------------------------------------------------------------------------- the shell


def run(block: str) -> str:
    """Run the commands of a block in the current folder, which `cd` changes; return what they print.

    Raises:
        AssertionError: a command failed whose exit code is not shown.
    """
    return "".join(map(_printed, _COMMAND.findall(block)))


def _printed(command: str) -> str:
    line, echo, _ = command.partition("; echo $?")
    match [] if line.startswith("cat ") else shlex.split(line.replace("\\\n", " ")):
        case ["cd", folder]:
            os.chdir(folder)
            return ""
        case ["make", target]:
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            return ""
        case ["fieldwise", *arguments]:
            out = io.StringIO()
            code = cli.run(arguments, io.StringIO(), out, out)
        case _:
            code, out = 0, io.StringIO(subprocess.check_output(["sh", "-c", line], text=True))  # noqa: S607
    assert echo or code == 0, (command, code, out.getvalue())
    return f"{out.getvalue()}{code}\n" if echo else out.getvalue()
