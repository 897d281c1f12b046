"""What an accessibility checker looks for: names, ids, the order of focus, and the contrast of colours.

The contrast of the colours is counted from the style sheet, so also where there is no browser.
"""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import product
from typing import Any

import pytest

from tests.report.html_pages import PHONE

Palette = dict[str, tuple[int, int, int]]

BASE = files("fieldwise.report.html").joinpath("assets", "base.css").read_text(encoding="utf-8")
GROUNDS = ("ground", "surface", "raised")
VERDICTS = ("pass", "partial", "fail", "open")


def palettes() -> dict[str, Palette]:
    """The colours of both schemes, as the style sheet has them."""
    light, dark = (
        dict(re.findall(r"--([a-z-]+): #([0-9a-f]{6});", part)) for part in BASE.split("@media", 2)[:2]
    )
    return {"light": _read(light), "dark": _read(light | dark)}


def _read(found: dict[str, str]) -> Palette:
    return {name: (int(hex_[:2], 16), int(hex_[2:4], 16), int(hex_[4:], 16)) for name, hex_ in found.items()}


def luminance(colour: tuple[int, int, int]) -> float:
    """The relative luminance of WCAG 2.2."""
    red, green, blue = (
        x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in (one / 255 for one in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_counted_as_wcag_does() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == 21
    assert round(contrast((0x76, 0x76, 0x76), (255, 255, 255)), 2) == 4.54


TEXT = [
    *product(("ink", "quiet", "accent", *VERDICTS), GROUNDS),
    *((name, f"{name}-ground") for name in VERDICTS),
    *product(("ink",), ("minus", "plus", "fail-ground", "pass-ground")),
]
GRAPHICS = [
    *product(("edge", "accent", *VERDICTS), ("ground", "surface")),
    ("accent", "track"),
    ("ink", "track"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (GRAPHICS, 3.0)], ids=["text", "graphics"])
def test_the_palette_can_be_told_from_its_ground(scheme: str, pairs: Any, least: float) -> None:
    palette = palettes()[scheme]
    found = {(one, other): round(contrast(palette[one], palette[other]), 2) for one, other in pairs}
    assert {pair: ratio for pair, ratio in found.items() if ratio < least} == {}


# ----------------------------------------------------------------------------------------- in a browser

FAULTS = """
(() => {
  const all = [...document.querySelectorAll("*")];
  const found = [];
  const ids = all.map((one) => one.id).filter(Boolean);
  for (const [at, id] of ids.entries()) if (ids.indexOf(id) < at) found.push(`id twice: ${id}`);
  if (!document.documentElement.lang) found.push("html has no lang");
  if (!document.title.trim()) found.push("no title");
  const zoom = document.querySelector("meta[name=viewport]").content;
  if (/user-scalable|maximum-scale/.test(zoom)) found.push(`zoom is limited: ${zoom}`);
  for (const node of all) {
    if (!node.checkVisibility()) continue;
    const told = node.cloneNode(false).outerHTML.slice(0, 120);
    const is = (selector, fault) => { if (node.matches(selector)) found.push(`${fault}: ${told}`); };
    if (Number(node.getAttribute("tabindex")) > 0) found.push(`an order of its own: ${told}`);
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "for"])
      for (const id of (node.getAttribute(name) ?? "").split(" "))
        if (id && !document.getElementById(id)) found.push(`${name} names nothing: ${told}`);
    if (node.closest("[aria-hidden=true]") && node.tabIndex >= 0) found.push(`hidden and focusable: ${told}`);
    is("svg:not([aria-hidden=true]):not([aria-label])", "a picture of what");
    is("th:not([scope])", "a heading of what");
    is("dl > div > :not(dt, dd), ul > :not(li), ol > :not(li)", "not of a list");
    is("button:not([type])", "a button that submits");
    const style = getComputedStyle(node);
    const slides = /auto|scroll/.test(style.overflowX) && node.scrollWidth > node.clientWidth + 1;
    if (slides && node.tabIndex < 0 && !node.querySelector("a, button, input"))
      found.push(`scrolls and takes no focus: ${told}`);
  }
  for (const kind of ["main", "h1", "footer"])
    if (document.querySelectorAll(kind).length !== 1) found.push(`not one ${kind}`);
  return found;
})()
"""
NAMED = frozenset(
    {"button", "link", "checkbox", "combobox", "dialog", "image", "img", "navigation", "region", "search"}
    | {"searchbox", "spinbutton", "table", "textbox"}
)


def nameless(page: Any) -> list[str]:
    """What has no name, as the browser tells a screen reader."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    roles = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]
    assert {"button", "link", "table", "main"} & {role for role, _ in roles}
    return [role for role, name in roles if role in NAMED and not name.strip()]


STATES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": PHONE,
}


@pytest.mark.parametrize("name", ["one", "two", "empty", "repeated"])
@pytest.mark.parametrize("state", STATES)
def test_a_checker_finds_nothing(visit: Any, name: str, state: str) -> None:
    page = visit(name, reduced_motion="reduce", **STATES[state])
    assert page.evaluate(FAULTS) == []
    assert nameless(page) == []
    if name != "empty":
        page.locator("#table .open").first.click()
        assert page.evaluate(FAULTS) == []
        assert nameless(page) == []


def test_a_checker_finds_what_is_wrong(visit: Any) -> None:
    page = visit("one")
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', "
        '\'<i id="items"></i><button></button><svg></svg><b tabindex="3"></b><p aria-labelledby="x"></p>\')'
    )
    assert [one.partition(":")[0] for one in page.evaluate(FAULTS)] == [
        "id twice",
        "a button that submits",
        "a picture of what",
        "an order of its own",
        "aria-labelledby names nothing",
    ]
    assert nameless(page) == ["button"]


STEP = """
() => {
  const { before, stops = new Set() } = window;
  const now = document.activeElement;
  const back = before && (before.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_PRECEDING);
  const again = stops.has(now);
  Object.assign(window, { before: now, stops: stops.add(now) });
  return [now === document.body || again, Boolean(back), now.outerHTML.slice(0, 80)];
}
"""


@pytest.mark.parametrize("opened", [False, True])
def test_focus_goes_as_one_reads(visit: Any, opened: bool) -> None:
    page = visit("two", reduced_motion="reduce")
    if opened:
        page.locator("#table .open").first.click()
        page.evaluate("document.querySelector('dialog').focus()")
    stops = 0
    for _ in range(80):
        page.keyboard.press("Tab")
        ended, back, told = page.evaluate(STEP)
        if ended:
            break
        assert not back, told
        stops += 1
    assert stops > (4 if opened else 20)
