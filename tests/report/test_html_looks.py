"""The page in a browser by keyboard, for a screen reader, in the dark, on a phone and on paper."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from tests.report.html_pages import PHONE, focused, gets_focus, matches

OUTLINE = """
(({ outlineStyle, outlineWidth }) => `${outlineStyle} ${outlineWidth}`)(
  getComputedStyle(document.activeElement)
)
"""

# ------------------------------------------------------------------------- keyboard and screen reader


def test_the_keyboard_is_enough(visit: Any) -> None:
    page = visit("one")
    page.keyboard.press("Tab")
    gets_focus(page, "Skip to the items")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    gets_focus(page, "text")
    page.keyboard.type("inv-0000")
    assert matches(page) == "10 of 120 items"
    page.locator("thead button").last.focus()
    page.keyboard.press("Tab")
    gets_focus(page, "Invoice 1 of Brandt & Söhne")
    for key, name in (
        ("ArrowDown", 2),
        ("ArrowDown", 3),
        ("ArrowUp", 2),
        ("End", 10),
        ("Home", 1),
        ("PageDown", 10),
    ):
        page.keyboard.press(key)
        gets_focus(page, f"Invoice {name} of Brandt & Söhne")
    page.keyboard.press("Enter")
    assert page.get_by_role("dialog", name="Invoice 10 of Brandt & Söhne").is_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
        )
    page.keyboard.press("Escape")
    gets_focus(page, "Invoice 10 of Brandt & Söhne")


def test_focus_can_be_seen(visit: Any) -> None:
    page = visit("one")
    page.keyboard.press("Tab")
    stops = 0
    while focused(page) != "Invoice 1 of Brandt & Söhne":
        page.keyboard.press("Tab")
        stops += 1
        style = page.evaluate(OUTLINE)
        assert style in {"solid 2px", "auto 2px"}, page.evaluate(
            "document.activeElement.outerHTML.slice(0, 200)"
        )
    assert stops > 20


def test_screen_readers_find_their_way(visit: Any) -> None:
    page = visit("one")
    for role, name in (
        ("navigation", "Sections"), ("search", "Filter the items"), ("region", "Items"),
        ("region", "Summary"),
        ("table", "Items"), ("region", "Confusion matrix of kind"), ("searchbox", "Text"),
        ("combobox", "Evaluator"), ("combobox", "Result"), ("combobox", "Status"),
        ("spinbutton", "Score from"),
        ("spinbutton", "Score to"),
    ):  # fmt: skip
        assert page.get_by_role(role, name=name, exact=True).count() == 1, (role, name)
    assert page.get_by_role("main").count() == 1
    assert page.get_by_role("status").inner_text() == "120 items"
    assert page.get_by_role("img", name=re.compile("^fields: .*62 of 1$")).count() == 1
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map(one => Number(one.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    table = page.locator("#table")
    assert table.get_attribute("aria-rowcount") == "121"
    assert table.locator("tbody tr:not(.gap)").first.get_attribute("aria-rowindex") == "2"
    assert table.locator("tbody th[scope=row]").count() == table.locator("tbody tr:not(.gap)").count()
    assert page.locator("#table tbody .open[tabindex='0']").count() == 1


# -------------------------------------------------------------------------------- looks of all kinds

CONTRAST = """
(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((x) => x / 255)
    .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    .reduce((sum, x, at) => sum + x * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (node) => {
    for (; node !== null; node = node.parentElement) {
      const found = rgba(getComputedStyle(node).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255];
  };
  const low = new Set();
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== "");
    if (!own || node.closest("script, svg, .hidden, [disabled]") || node.offsetParent === null) continue;
    const [a, b] = [light(rgba(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.add(`${node.className}: ${node.innerText.slice(0, 30)}`);
  }
  return [...low];
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(visit: Any, scheme: str) -> None:
    page = visit("two", color_scheme=scheme, reduced_motion="reduce")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    assert dark == (scheme == "dark")
    assert page.evaluate(CONTRAST) == []
    page.click("[data-change=worse]")
    page.locator("#table .open").first.click()
    assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("name", ["one", "two", "empty"])
def test_a_phone_scrolls_in_one_direction(visit: Any, name: str) -> None:
    page = visit(name, **PHONE)

    def wide() -> Any:
        return page.evaluate(
            "[document.documentElement.scrollWidth, document.querySelector('dialog').scrollWidth]"
        )

    assert wide()[0] == 390
    if name != "empty":
        page.locator("#table .open").nth(2).click()
        assert wide() == [390, 390]
        assert page.locator(".detail-keys button").first.bounding_box()["width"] >= 24


def test_nothing_moves_where_that_is_not_wanted(visit: Any) -> None:
    page = visit("one", reduced_motion="reduce")
    page.locator("#table .open").first.click()
    assert page.evaluate("document.querySelector('dialog').getAnimations().length") == 0


def test_paper_has_all_rows_and_no_controls(visit: Any) -> None:
    page = visit("one")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#table tbody tr:not(.gap)").count() == 120
    assert not page.is_visible("#filters")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#table tbody tr:not(.gap)").count() < 120
