"""Random data, all of it from one seed: documents, what models say, paths, lists, Python objects.

Three sources: pools of odd corners, values grown from them, and the inputs in `tests/cases`, changed here and
there. The second side of a pair is often the first with a few changes, so that there is something to pair.
"""

from __future__ import annotations

import datetime as dt
import functools
import json
import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from tests.laws.strategies import NUMBERS, ODD_KEYS, TEXTS, Hostile, Opaque, Thing, as_text

CASES: Final = Path(__file__).resolve().parents[1] / "cases"
FEW: Final[Sequence[Any]] = [None, True, False, 0, 1, 1.0, 2, "1", "x", "y", "2026-03-04", "EUR 4.50", ""]
NAMES: Final = ["a", "b", "c", "id", "name", "items", "a.b", "output", "messages", "tool_calls", "args"]
PATHS: Final = [
    "a", "a.b", "a[0]", "a[*].b", "[*]", "[*].a", "$", "$.a", "$..a", "$['a.b']", "$.a[?@.b > 1]", "/a/0",
    "/", "", "$[", "a[", "a..b", "*", "$.a[::2]", "items[*].name", "/a~1b", "$.a[?length(@.b) > 1]", "\x00",
    "[" * 20_000, "a[" * 5_000, "a[0]" * 3_000, "$" + "[*]" * 2_000, "$" + "..*" * 500, "$[?" * 2_000,
    "$[?" + "(" * 3_000, "$[?@" + ".a" * 3_000 + "]", "$[" + "0," * 3_000 + "0]", "/" * 9_000,
    "a" * 3000, "$[?match(@.a, '(a*)*b')]", "$..*", "0", "-1", "a.0.b", "[0]", "$[-1]", "p#2", "$schema",
]  # fmt: skip
CRITERIA: Final = [
    "expectedOutput", "searchText", "expectedClass", "toolCallsOrder", "toolCalls", "toolCallsCount",
    "toolOutputs", "expectedAgentBehavior", "expected_output",
]  # fmt: skip
DEEPEST: Final = 20_000


@functools.cache
def corpus() -> tuple[Any, ...]:
    """Values of inputs in `tests/cases`, of every domain there."""
    found: list[Any] = []
    for file in sorted(CASES.glob("*.json")):
        pending = [json.loads(file.read_text("utf-8"))]
        while pending:
            value = pending.pop()
            if isinstance(value, dict):
                found += [
                    one for key, one in value.items() if key not in {"note", "law"} and len(str(one)) < 3000
                ]
            pending += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return tuple(found)


class Source(random.Random):
    """A random source that makes data."""

    def often(self, share: float) -> bool:
        """Return True in that share of cases."""
        return self.random() < share

    def atom(self) -> Any:
        """Return a leaf."""
        return self.choice(self.choice((FEW, FEW, NUMBERS, TEXTS, ODD_KEYS)))

    def key(self) -> str:
        """Return the name of a member."""
        return self.choice(NAMES if self.often(0.8) else ODD_KEYS)

    def value(self, size: int = 12) -> Any:
        """Return a JSON value of about that many leaves."""
        if size <= 1 or self.often(0.15):
            return self.atom()
        parts = self.randint(0, 4)
        shares = [self.value(size // max(parts, 1)) for _ in range(parts)]
        return shares if self.often(0.4) else {self.key(): one for one in shares}

    def changed(self, value: Any) -> Any:
        """Return a copy in which a few places differ."""
        copy = self._copied(value, 0)
        return self.atom() if self.often(0.02) else copy

    def _copied(self, value: Any, depth: int) -> Any:
        if depth > 30 or self.often(0.06):
            return self.value(3)
        if isinstance(value, dict):
            items = [
                (key, self._copied(one, depth + 1)) for key, one in value.items() if not self.often(0.05)
            ]
            self.shuffle(items)
            return {self.key() if self.often(0.03) else key: one for key, one in items}
        if isinstance(value, list):
            copied = [self._copied(one, depth + 1) for one in value if not self.often(0.05)]
            if self.often(0.3):
                self.shuffle(copied)
            return copied
        return value

    def large(self) -> Any:
        """Return something deep, long or wide."""
        many = int(10 ** self.uniform(1.5, 3.7))
        deep = int(10 ** self.uniform(1.5, 4.3))
        return self.choice((self._nested, self._rows, self._text))(min(deep, DEEPEST), many)

    def _nested(self, deep: int, _: int) -> Any:
        value = self.atom()
        listed = self.often(0.5)
        for _level in range(deep):
            value = [value] if listed else {"a": value}
        return value

    def _rows(self, _: int, many: int) -> Any:
        rows = [{name: self.choice(FEW) for name in "abc"} for _row in range(min(many, 1_000))]
        return rows if self.often(0.5) else {"items": rows}

    def long_text(self) -> str:
        """Return a text of one thing over and over."""
        return self._text(0, self.randint(1, 10_000))

    def _text(self, _: int, many: int) -> str:
        return self.choice(("x", "ab", "{", '{"a":', "[", "a ", "\\", '"', "1", "é")) * many * 4

    def text(self) -> str:
        """Return what a model may say: JSON, damaged, wrapped, cut or doubled, or no JSON."""
        inner = as_text(self.value()) if self.often(0.7) else str(self.atom())
        wraps = (
            "{}",
            "```json\n{}\n```",
            "Sure: {} Done.",
            "<think>{}</think>{}",
            "{}{}",
            "~~~\n{}",
            "\ufeff{}",
        )
        text = self.choice(wraps).replace("{}", inner, 2)
        if self.often(0.4):
            text = text[: self.randint(0, len(text))]
        for _ in range(self.choice((0, 0, 1, 3, 10))):
            at = self.randint(0, len(text))
            text = text[:at] + self.choice(
                ('"', "{", "}", "[", "]", ",", ":", "\\", "'", "\n", "\x00", "1", "e", "/*")
            )
            text += text[at + self.randint(0, 2) :]
        return text

    def foreign(self) -> Any:
        """Return something that is no JSON: objects of Python and of frameworks."""
        from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

        made: list[Callable[[], Any]] = [
            Opaque,
            Hostile,
            lambda: Thing(self.value()),
            lambda: dt.datetime(2026, 3, 4, tzinfo=dt.UTC),
            lambda: Fraction(1, 3),
            lambda: Decimal("sNaN"),
            lambda: {1: self.value(), None: self.atom(), (1, 2): 3},
            lambda: (self.value(), {self.atom() for _ in range(2)}),
            lambda: b"\xff",
            lambda: iter([1]),
            self._cycle,
            lambda: [HumanMessage(str(self.atom())), AIMessage(self.text(), tool_calls=self._calls())],
            lambda: {
                "messages": [AIMessage("", tool_calls=self._calls()), ToolMessage("x", tool_call_id="1")]
            },
        ]
        return self.choice(made)()

    def _calls(self) -> list[Any]:
        return [
            {"name": self.key(), "args": {"a": self.value(3)}, "id": "1"} for _ in range(self.randint(0, 3))
        ]

    def _cycle(self) -> Any:
        value: dict[str, Any] = {"a": self.atom()}
        value["b"] = [value]
        return value

    def anything(self) -> Any:
        """Return whatever a framework may hand over."""
        kinds = (
            self.value,
            self.value,
            self._case,
            self._case,
            self.text,
            self.foreign,
            self.large,
            self.atom,
        )
        weights = (6, 6, 6, 6, 4, 2, 1, 1)
        return self.choices(kinds, weights)[0]()

    def _case(self) -> Any:
        return self.changed(self.choice(corpus()))

    def pair(self) -> tuple[Any, Any]:
        """Return two sides."""
        first = self.anything()
        second = self.changed(first) if self.often(0.7) else self.anything()
        if self.often(0.15):
            second = {self.choice(CRITERIA): second}
        return (as_text_or(first) if self.often(0.2) else first), second

    def reordered(self, value: Any) -> Any:
        """Return a copy in which the members of every object are in another order."""
        if isinstance(value, dict):
            return {key: self.reordered(value[key]) for key in self.sample(list(value), len(value))}
        return [self.reordered(one) for one in value] if isinstance(value, list) else value

    def path(self) -> str:
        """Return a path, mostly one that compiles."""
        text = self.choice(PATHS)
        if self.often(0.3):
            at = self.randint(0, len(text))
            text = (
                text[:at]
                + self.choice((".", "[", "]", "*", "$", "/", "'", '"', "?", "@", "0", "\\", " "))
                + text[at:]
            )
        return text


def as_text_or(value: Any) -> Any:
    """Return a value as JSON text, or itself where that cannot be."""
    try:
        return as_text(value)
    except (TypeError, ValueError, RecursionError, RuntimeError):
        return value
