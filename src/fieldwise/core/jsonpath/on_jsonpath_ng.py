"""JSONPath on jsonpath-ng: a checked query becomes jsonpath-ng objects, never text for its parser.

What goes through jsonpath-ng: names, indices, slices, wildcards, descendants (walked with a stack, in
the order of the RFC), filters, `&&`, `||`, `!`, existence tests, length(). What is done here, and why:

| here | because jsonpath-ng |
|---|---|
| the loop over segments and selectors | nests them, and its union is private |
| comparisons (`compare`) | orders no Decimal, and finds NaN unequal to itself |
| `$` inside filters | climbs to the root by recursion: a deep document ends the stack |
| count(), value(), constants | has none |
| paths of the nodes found | builds them by recursion |
| the count of nodes visited (`_Counted`) | has no bound |

match() and search() are refused: jsonpath-ng has no I-Regexp, and Python's `re` reads some of those
patterns otherwise. Whether a query is refused depends on the query alone, never on a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from jsonpath_ng import (
    Child,
    DatumInContext,
    Descendants,
    Fields,
    Index,
    JSONPath,
    Root,
    Slice,
    This,
    Wildcard,
)
from jsonpath_ng.ext.filter import And, Expression, Filter, Or
from jsonpath_ng.ext.iterable import Len
from jsonpath_ng.ext.parser import parse

from fieldwise._types import MISSING
from fieldwise.core.jsonpath import tree
from fieldwise.core.jsonpath.comparison import COMPARE
from fieldwise.core.jsonpath.limits import path_of, visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json, Path, Step


class Unsupported(Exception):
    """A valid query that this engine does not answer.

    Attributes:
        function: the function it cannot run.
        position: where it stands.
    """

    def __init__(self, function: str, position: int) -> None:
        super().__init__(function)
        self.function = function
        self.position = position


def translate(query: tree.Query) -> Callable[[Json], list[tuple[Path, Json]]]:
    """Return the function that finds the nodes of a document which a query names, in order.

    The function raises `TooMuch` where it visits too many.

    Raises:
        Unsupported: the query uses match() or search().
    """
    steps = [(segment.deep, [_selector(one) for one in segment.selectors]) for segment in query.segments]

    def find(document: Json) -> list[tuple[Path, Json]]:
        nodes = [DatumInContext(document)]
        for deep, selectors in steps:
            if deep:
                nodes = [below for node in nodes for below in _AND_ALL_BELOW.find(node)]
            nodes = [found for node in nodes for selector in selectors for found in selector.find(node)]
        return [(_place(node), node.value) for node in nodes]

    return find


def _place(node: DatumInContext) -> Path:
    """The concrete path of a node: from each step up to the document."""
    steps: list[Step] = []
    while node.context is not None:
        path = node.path
        if isinstance(path, Index):
            steps.append(path.indices[0] % len(node.context.value))
        else:
            steps.append(cast("Fields", path).fields[0])
        node = node.context
    return path_of((), steps)


# ---------------------------------------------------------------------------------------- translation


def _selector(selector: tree.Selector) -> JSONPath:
    return _Counted(_SELECTORS[type(selector)](selector))


def _name(selector: tree.Name) -> JSONPath:
    if selector.name == "*":
        return parse("'*'")  # Fields("*") is a deprecated wildcard; the parser knows the other way
    return Fields(selector.name)


_SELECTORS: Final[dict[type, Callable[[Any], JSONPath]]] = {
    tree.Name: _name,
    tree.Index: lambda selector: Index(selector.index),
    # A step of 1 is spelt out: Slice() without bounds is a deprecated wildcard.
    tree.Slice: lambda selector: Slice(
        selector.start, selector.end, 1 if selector.step is None else selector.step
    ),
    tree.Wild: lambda _: Wildcard(),
    tree.Filter: lambda selector: Filter([_condition(selector.condition)]),
}


def _condition(condition: tree.Condition) -> JSONPath:
    return _CONDITIONS[type(condition)](condition)


def _test(condition: tree.Holds) -> JSONPath:
    return Expression(_operand(condition.subject), None, None)


def _comparison(condition: tree.Comparison) -> JSONPath:
    return _Comparison(_operand(condition.left), condition.operator, _operand(condition.right))


_CONDITIONS: Final[dict[type, Callable[[Any], JSONPath]]] = {
    tree.Holds: _test,
    tree.Comparison: _comparison,
    tree.Not: lambda condition: Expression(_condition(condition.condition), "!", None),
    tree.Every: lambda condition: And([_condition(one) for one in condition.conditions]),
    tree.Some: lambda condition: Or([_condition(one) for one in condition.conditions]),
}


def _operand(operand: tree.Operand) -> JSONPath:
    if isinstance(operand, tree.Literal):
        return _Constant(operand.value)
    if isinstance(operand, tree.Query):
        return _query(operand)
    if operand.function not in _FUNCTIONS:
        raise Unsupported(operand.function, operand.at)
    return _FUNCTIONS[operand.function](_operand(operand.arguments[0]))


def _query(query: tree.Query) -> JSONPath:
    """A query inside a filter, as one object."""
    steps: list[JSONPath] = [_Document() if query.absolute else This()]
    for segment in query.segments:
        if segment.deep:
            steps.append(_AND_ALL_BELOW)
        steps.append(_halved([_selector(one) for one in segment.selectors], _Both))
    return _halved(steps, Child)


def _halved(parts: list[JSONPath], join: Callable[[JSONPath, JSONPath], JSONPath]) -> JSONPath:
    """Join in halves: the depth of the result is the logarithm of the number of parts."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return join(_halved(parts[:middle], join), _halved(parts[middle:], join))


# ------------------------------------------------------------------------- what jsonpath-ng does not have


class _Document(Root):
    """`$`, climbing in a loop."""

    def find(self, data: Any) -> list[DatumInContext]:
        node = DatumInContext.wrap(data)
        while node.context is not None:
            node = node.context
        return [node]


class _Constant(JSONPath):
    """A literal, as the one node it is."""

    def __init__(self, value: Json) -> None:
        self.node = DatumInContext(value)

    def find(self, data: Any) -> list[DatumInContext]:  # noqa: ARG002 - the same for every node
        return [self.node]


class _Counted(JSONPath):
    """A selector whose visits are counted: one for itself, for each node it finds, for each it tests."""

    def __init__(self, left: JSONPath) -> None:
        self.left = left.expressions[0] if isinstance(left, Filter) else left  # where Filter looks for a `$`
        self.selector = left

    def find(self, data: Any) -> list[DatumInContext]:
        if isinstance(self.selector, Filter):
            value = DatumInContext.wrap(data).value
            visit(len(value) if isinstance(value, dict | list) else 0)
        found: list[DatumInContext] = self.selector.find(data)
        visit(1 + len(found))
        return found


_AND_ALL_BELOW: Final = _Counted(Descendants(This(), This()))


class _Both(JSONPath):
    """The nodes of one selector, then those of another."""

    def __init__(self, left: JSONPath, right: JSONPath) -> None:
        self.left = left
        self.right = right

    def find(self, data: Any) -> list[DatumInContext]:
        return self.left.find(data) + self.right.find(data)


class _Comparison(Expression):
    """Two operands of at most one node each, compared as JSON."""

    def find(self, datum: Any) -> list[DatumInContext]:
        node = DatumInContext.wrap(datum)
        left, right = self.target.find(node), self.value.find(node)
        holds = COMPARE[self.op](left[0].value if left else MISSING, right[0].value if right else MISSING)
        return [node] if holds else []


class _Count(JSONPath):
    """count(): how many nodes."""

    def __init__(self, left: JSONPath) -> None:
        self.left = left  # where Filter looks for a `$`

    def find(self, data: Any) -> list[DatumInContext]:
        return [DatumInContext(len(self.left.find(data)))]


class _Only(_Count):
    """value(): the node, if it is the only one."""

    def find(self, data: Any) -> list[DatumInContext]:
        nodes = self.left.find(data)
        return nodes if len(nodes) == 1 else []


_FUNCTIONS: Final[dict[str, Callable[[JSONPath], JSONPath]]] = {
    "length": lambda argument: Child(argument, Len()),
    "count": _Count,
    "value": _Only,
}
