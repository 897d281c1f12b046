"""RFC 9535 once more, for tests: the slow and obvious reading of a query tree, and random trees.

It shares the tree with the engines and nothing else: no engine, no comparison, no equality of theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from fieldwise.core import _jsonpath_tree as tree

Node = tuple[tuple[str | int, ...], Any]
NOTHING = object()


def nodes(query: tree.Query, start: Any, document: Any) -> list[Node]:
    found: list[Node] = [((), document if query.absolute else start)]
    for segment in query.segments:
        if segment.deep:
            found = [below for node in found for below in descend(node)]
        found = [one for node in found for selector in segment.selectors for one in select(selector, node, document)]
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
            return [((*path, at), value[at]) for at in bounds(start, end, 1 if step is None else step, len(value))]
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
            return all([holds(one, here, document) for one in conditions])
        case tree.Some(conditions):
            return any([holds(one, here, document) for one in conditions])
        case tree.Not(inner):
            return not holds(inner, here, document)
        case tree.Test(subject):
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
    return {
        "==": equal,
        "!=": not equal,
        "<": ordered and left < right,
        "<=": equal or (ordered and left < right),
        ">": ordered and left > right,
        ">=": equal or (ordered and left > right),
    }[operator]


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
        f"{'..' if segment.deep else ''}[{','.join(map(_selector, segment.selectors))}]" for segment in query.segments
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
        case tree.Test(subject):
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

NAMES = st.sampled_from(["a", "b", "*", "0", "it's", 'say "b"', "\\", "☺", ""])
SCALARS = st.sampled_from([None, True, False, 0, 1, 1.0, -2, 1.5, 2**60, "", "a", "b", "1"])
DOCUMENTS: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=14
)
_SMALL = st.none() | st.integers(-4, 4)
_PLAIN = st.one_of(
    NAMES.map(tree.Name),
    st.integers(-3, 3).map(tree.Index),
    st.builds(tree.Slice, _SMALL, _SMALL, _SMALL),
    st.just(tree.Wild()),
)
_ONE = st.one_of(NAMES.map(tree.Name), st.integers(-3, 3).map(tree.Index))
_SINGULAR = st.builds(
    tree.Query, st.booleans(), st.lists(_ONE.map(lambda one: tree.Segment((one,))), max_size=2).map(tuple)
)
_OPERATORS = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


def _queries(selectors: st.SearchStrategy[Any], absolute: st.SearchStrategy[bool]) -> st.SearchStrategy[tree.Query]:
    segments = st.builds(tree.Segment, st.lists(selectors, min_size=1, max_size=2).map(tuple), st.booleans())
    return st.builds(tree.Query, absolute, st.lists(segments, max_size=2).map(tuple))


def _filters(selectors: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inside = _queries(selectors, st.booleans())
    calls = st.one_of(
        st.builds(tree.Call, st.just("length"), st.tuples(_SINGULAR), st.just(0)),
        st.builds(tree.Call, st.sampled_from(["count", "value"]), st.tuples(inside), st.just(0)),
    )
    operands = st.one_of(_SINGULAR, SCALARS.map(tree.Literal), calls)
    simple = st.one_of(inside.map(tree.Test), st.builds(tree.Comparison, operands, _OPERATORS, operands))
    pairs = st.lists(simple, min_size=2, max_size=3).map(tuple)
    conditions = st.one_of(simple, simple.map(tree.Not), pairs.map(tree.Every), pairs.map(tree.Some))
    return st.one_of(selectors, conditions.map(tree.Filter))


QUERIES = _queries(_filters(_filters(_PLAIN)), st.just(True)).map(text)  # noqa: FBT003 - the value drawn
