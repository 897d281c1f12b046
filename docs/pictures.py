"""The pictures of the README: `make pictures` writes them to `docs/pictures`.

| file | what it shows |
|---|---|
| `terminal.svg` | what `make demo` prints on a terminal of 112 columns, less the time it took |
| `page.png` | the top of the page that `fieldwise eval --html` writes of `examples/evaluation_set` |

The SVG is the same on every run, loads nothing and names generic fonts only; a test holds it to what the
demo prints now. The page needs Playwright and the system's Chromium (`apt-get install chromium`).
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Final
from unittest import mock

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "docs" / "pictures"
EVALUATION: Final = ROOT / "examples" / "evaluation_set"
COLUMNS: Final = 112
WIDTH, HEIGHT, SCALE = 1000, 1104, 1.75
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_SECONDS: Final = re.compile(r" in \d[\d.]* s\n")
_DEMO: Final = re.compile(r"^DEMO := \$\(BIN\)/fieldwise ((?:.*\\\n)*.*)$", re.MULTILINE)
_TEMPLATE: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{unique_id}">
<style>
.{unique_id}-matrix {{
  font-family: FONTS; font-size: {char_height}px; line-height: {line_height}px; white-space: pre;
}}
.{unique_id}-title {{ font: bold 16px system-ui, sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
""".replace("FONTS", FONTS)


class _Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def demo() -> list[str]:
    """Return the arguments of `make demo`, as the Makefile has them."""
    found = _DEMO.search((ROOT / "Makefile").read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit("docs/pictures.py: Makefile has no line DEMO := $(BIN)/fieldwise ...")
    return shlex.split(found[1].replace("\\\n", " "))


def command_line(argv: list[str]) -> str:
    """Return a command as one would type it, an option or two to a line."""
    lines = [["$ fieldwise"]]
    for one in argv:
        fits = len(" ".join([*lines[-1], one, "\\"])) <= COLUMNS - len("--option") - 1
        if one.startswith("--") and not fits:
            lines.append(["   "])
        lines[-1].append(shlex.quote(one))
    return " \\\n".join(" ".join(line) for line in lines) + "\n"


def ran(argv: list[str], folder: Path, **environment: str) -> str:
    """Run the command in a folder, on a terminal, and return what it printed.

    Raises:
        SystemExit: it could not be run.
    """
    from fieldwise.cli import run

    out, err, before = _Terminal(), io.StringIO(), Path.cwd()
    known = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, {**known, "TERM": "xterm-256color", **environment}, clear=True):
            code = run(argv, io.StringIO(), out, err)
    finally:
        os.chdir(before)
    if code not in (0, 1):
        raise SystemExit(
            f"docs/pictures.py: fieldwise {shlex.join(argv)}: exit code {code}: {err.getvalue()}"
        )
    return out.getvalue()


def terminal_svg() -> str:
    """Return the demo as SVG."""
    from rich.console import Console
    from rich.text import Text

    printed = _SECONDS.sub("\n", ran(demo(), ROOT, COLUMNS=str(COLUMNS)), count=1)
    console = Console(
        record=True,
        file=io.StringIO(),
        width=COLUMNS,
        force_terminal=True,
        color_system="standard",
        legacy_windows=False,
        _environ={},
    )
    console.print(Text(command_line(demo()), style="bold"))
    console.print(Text.from_ansi(printed))  # and a line below, for descenders
    made = console.export_svg(title="fieldwise", code_format=_TEMPLATE, unique_id="fieldwise")
    return "\n".join(line.rstrip() for line in made.splitlines() if line.strip()) + "\n"


def page_png(path: Path) -> None:
    """Write a screenshot of the page of the example's evaluation set.

    Raises:
        SystemExit: there is no Chromium, or no Playwright.
    """
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise SystemExit("docs/pictures.py: the page needs Playwright: pip install playwright") from None
    if chromium is None:
        raise SystemExit("docs/pictures.py: the page needs Chromium: apt-get install chromium")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "page.html"
        evaluation_set = "evaluations/eval-sets/tickets.json"
        ran(["eval", evaluation_set, "--agent", "agent:answer", "--html", str(page_file)], EVALUATION)
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"] if root else [])
        look: Any = {"viewport": {"width": WIDTH, "height": HEIGHT}, "device_scale_factor": SCALE}
        page = browser.new_context(color_scheme="light", reduced_motion="reduce", **look).new_page()
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        page.screenshot(path=path)
        browser.close()


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "terminal.svg").write_text(terminal_svg(), encoding="utf-8")
    page_png(FOLDER / "page.png")
    for name in ("terminal.svg", "page.png"):
        file = FOLDER / name
        sys.stdout.write(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
