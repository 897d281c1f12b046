"""RFC 9535 once more, for tests: the slow and obvious reading of a query tree, and random trees.

It shares the tree with the engines and nothing else: no engine, no comparison, no equality of theirs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from fieldwise.core.jsonpath import tree

COMPARED: tuple[tree.Operator, ...] = ("==", "!=", "<", "<=", ">", ">=")
Node = tuple[tuple[str | int, ...], Any]
NOTHING = object()


def nodes(query: tree.Query, start: Any, document: Any) -> list[Node]:
    found: list[Node] = [((), document if query.absolute else start)]
    for segment in query.segments:
        if segment.deep:
            found = [below for node in found for below in descend(node)]
        found = [
            one
            for node in found
            for selector in segment.selectors
            for one in select(selector, node, document)
        ]
    return found


def descend(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from descend(child)


def children(node: Node) -> list[Node]:
    path, value = node
    if isinstance(value, dict):
        return [((*path, name), item) for name, item in value.items()]
    return [((*path, at), item) for at, item in enumerate(value)] if isinstance(value, list) else []


def select(selector: tree.Selector, node: Node, document: Any) -> list[Node]:
    path, value = node
    match selector:
        case tree.Name(name):
            return [((*path, name), value[name])] if isinstance(value, dict) and name in value else []
        case tree.Index(index):
            at = index + len(value) if isinstance(value, list) and index < 0 else index
            return [((*path, at), value[at])] if isinstance(value, list) and 0 <= at < len(value) else []
        case tree.Slice(start, end, step):
            if not isinstance(value, list):
                return []
            return [
                ((*path, at), value[at]) for at in bounds(start, end, 1 if step is None else step, len(value))
            ]
        case tree.Wild():
            return children(node)
        case tree.Filter(condition):
            return [child for child in children(node) if holds(condition, child[1], document)]


def bounds(start: int | None, end: int | None, step: int, size: int) -> list[int]:
    """The indices of a slice, as section 2.3.4.2.2 computes them."""
    if step == 0:
        return []

    def normal(index: int) -> int:
        return index if index >= 0 else size + index

    first, last = (0, size) if step > 0 else (size - 1, -size - 1)
    first, last = normal(first if start is None else start), normal(last if end is None else end)
    found = []
    if step > 0:
        at, stop = min(max(first, 0), size), min(max(last, 0), size)
        while at < stop:
            found.append(at)
            at += step
    else:
        at, stop = min(max(first, -1), size - 1), min(max(last, -1), size - 1)
        while at > stop:
            found.append(at)
            at += step
    return found


def holds(condition: tree.Condition, here: Any, document: Any) -> bool:
    match condition:
        case tree.Every(conditions):
            return all(holds(one, here, document) for one in conditions)
        case tree.Some(conditions):
            return any(holds(one, here, document) for one in conditions)
        case tree.Not(inner):
            return not holds(inner, here, document)
        case tree.Holds(subject):
            assert isinstance(subject, tree.Query)
            return nodes(subject, here, document) != []
        case tree.Comparison(left, operator, right):
            return compare(value_of(left, here, document), operator, value_of(right, here, document))


def value_of(operand: tree.Operand, here: Any, document: Any) -> Any:
    match operand:
        case tree.Literal(value):
            return value
        case tree.Query():
            found = nodes(operand, here, document)
            return found[0][1] if found else NOTHING
        case tree.Call("length", (argument,)):
            value = value_of(argument, here, document)
            return len(value) if isinstance(value, str | list | dict) else NOTHING
        case tree.Call(function, (argument,)):
            assert isinstance(argument, tree.Query)
            found = nodes(argument, here, document)
            if function == "count":
                return len(found)
            return found[0][1] if len(found) == 1 else NOTHING
    raise AssertionError(operand)


def compare(left: Any, operator: str, right: Any) -> bool:
    equal = typed(left) == typed(right)
    strings = isinstance(left, str) and isinstance(right, str)
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (left, right))
    ordered = strings or numbers
    outcomes: dict[str, bool] = {
        "==": equal,
        "!=": not equal,
        "<": ordered and left < right,
        "<=": equal or (ordered and left < right),
        ">": ordered and left > right,
        ">=": equal or (ordered and left > right),
    }
    return outcomes[operator]


def typed(value: Any) -> Any:
    """A value that Python compares as JSON does: booleans are no numbers."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return [typed(item) for item in value]
    return {name: typed(item) for name, item in value.items()} if isinstance(value, dict) else value


# ------------------------------------------------------------------------------------------ as text


def text(query: tree.Query) -> str:
    return ("$" if query.absolute else "@") + "".join(
        f"{'..' if segment.deep else ''}[{','.join(map(_selector, segment.selectors))}]"
        for segment in query.segments
    )


def _selector(selector: tree.Selector) -> str:
    match selector:
        case tree.Name(name):
            return json.dumps(name)
        case tree.Index(index):
            return str(index)
        case tree.Slice(start, end, step):
            return ":".join("" if bound is None else str(bound) for bound in (start, end, step))
        case tree.Wild():
            return "*"
        case tree.Filter(condition):
            return f"?{_condition(condition)}"


def _condition(condition: tree.Condition) -> str:
    match condition:
        case tree.Every(conditions):
            return " && ".join(f"({_condition(one)})" for one in conditions)
        case tree.Some(conditions):
            return " || ".join(f"({_condition(one)})" for one in conditions)
        case tree.Not(inner):
            return f"!({_condition(inner)})"
        case tree.Holds(subject):
            return _operand(subject)
        case tree.Comparison(left, operator, right):
            return f"{_operand(left)} {operator} {_operand(right)}"


def _operand(operand: tree.Operand) -> str:
    match operand:
        case tree.Query():
            return text(operand)
        case tree.Literal(value):
            return json.dumps(value)
        case tree.Call(function, arguments):
            return f"{function}({', '.join(map(_operand, arguments))})"


# ------------------------------------------------------------------------------------------- random

_NAMES = ("a", "b", "*", "0", "it's", 'say "b"', "\\", "☺", "")
_SCALARS = (None, True, False, 0, 1, 1.0, -2, 1.5, 2**60, "", "a", "b", "1")


class Dice(random.Random):
    """Random documents and queries, small enough to meet often."""

    def document(self, depth: int = 3) -> Any:
        kind = self.random() if depth else 0.0
        if kind < 0.3:
            return self.choice(_SCALARS)
        size = self.randint(0, 4)
        if kind < 0.65:
            return [self.document(depth - 1) for _ in range(size)]
        return {
            self.choice(_NAMES[:4] if self.random() < 0.8 else _NAMES): self.document(depth - 1)
            for _ in range(size)
        }

    def query(self, depth: int = 2, *, absolute: bool = True) -> tree.Query:
        return tree.Query(
            absolute, tuple(self.segment(depth) for _ in range(self.randint(0 if depth < 2 else 1, 2)))
        )

    def segment(self, depth: int) -> tree.Segment:
        selectors = tuple(self.selector(depth) for _ in range(self.choice((1, 1, 1, 2))))
        return tree.Segment(selectors, deep=self.random() < 0.3)

    def selector(self, depth: int) -> tree.Selector:
        kind = self.randrange(7 if depth else 4)
        if kind == 0:
            return tree.Slice(*(self.choice((None, self.randint(-4, 4))) for _ in range(3)))
        if kind == 1:
            return tree.Wild()
        return self.one() if kind < 4 else tree.Filter(self.condition(depth - 1))

    def one(self) -> tree.Name | tree.Index:
        return tree.Index(self.randint(-3, 3)) if self.random() < 0.4 else tree.Name(self.choice(_NAMES[:4]))

    def condition(self, depth: int) -> tree.Condition:
        kind = self.randrange(6)
        if kind == 0:
            return tree.Not(self.condition(depth))
        if kind in {1, 2}:
            parts = tuple(self.simple(depth) for _ in range(self.randint(2, 3)))
            return tree.Every(parts) if kind == 1 else tree.Some(parts)
        return self.simple(depth)

    def simple(self, depth: int) -> tree.Condition:
        if self.random() < 0.3:
            return tree.Holds(self.query(depth, absolute=self.random() < 0.2))
        return tree.Comparison(self.operand(depth), self.choice(COMPARED), self.operand(depth))

    def operand(self, depth: int) -> tree.Operand:
        kind = self.randrange(8)
        if kind < 2:
            return tree.Literal(self.choice(_SCALARS))
        if kind == 2:
            function = self.choice(("count", "value"))
            return tree.Call(function, (self.query(depth, absolute=self.random() < 0.2),), 0)
        steps = tuple(tree.Segment((self.one(),)) for _ in range(self.randint(0, 2)))
        single = tree.Query(self.random() < 0.2, steps)
        return tree.Call("length", (single,), 0) if kind == 3 else single
