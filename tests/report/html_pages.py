"""Pages in a real browser: Chromium as the system has it, headless, and every page watched.

None is downloaded (`apt-get install chromium`). An error in the console, a request that leaves the page, or
a script that was kept from running fails the test.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fieldwise.evalsets.model import ItemResult
from fieldwise.report.html import Run
from tests.report.html_runs import graded, sample

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MANY = 10_000
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
RUNS: dict[str, Callable[[], tuple[Run, Run | None]]] = {
    "one": lambda: (sample(120), None),
    "two": lambda: (sample(120, skill=0.85), sample(110, skill=0.75, title="Prompt v1", seed=8)),
    "many": lambda: (sample(MANY), None),
    "empty": lambda: (Run([], title="Nothing"), None),
    "repeated": lambda: (repeated(), None),
}


def repeated() -> Run:
    results = {"e": [graded("e", 1.0, "fine")]}
    return Run([ItemResult("a", "A", repeat=at, results=results) for at in range(3)], title="Three times")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; a test that asks for one is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    if CHROMIUM is None:
        pytest.skip("no chromium: apt-get install chromium")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if root else [])
        yield browser
        browser.close()


class Visits:
    """Pages that were opened, and all that went wrong in them."""

    def __init__(self, browser: Any) -> None:
        self.trouble: list[str] = []
        self._browser = browser
        self._contexts: list[Any] = []

    def open(self, path: Path, **options: Any) -> Any:
        """Open a page and wait until it is ready."""
        context = self._browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self._contexts.append(context)
        context.route(lambda url: url != path.as_uri(), self._refuse)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: self.trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        page.on("dialog", lambda alert: self.trouble.append(f"dialog: {alert.message}"))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        return page

    def close(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()

    def _refuse(self, call: Any) -> None:
        self.trouble.append(f"request: {call.request.url}")
        call.abort()


def focused(page: Any) -> str:
    """The text or id of what has the focus now."""
    return str(page.evaluate("document.activeElement.innerText || document.activeElement.id"))


def gets_focus(page: Any, name: str) -> None:
    """Wait for what has this text or id to have the focus: a dialog gives it back after it has closed."""
    page.wait_for_function(
        "name => name === (document.activeElement.innerText || document.activeElement.id)", arg=name
    )


def matches(page: Any) -> str:
    """How many items fit, as the page says."""
    return str(page.inner_text("#matches"))
