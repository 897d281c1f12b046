"""JSONPath on jsonpath-rfc9535, the engine of the extra `rfc9535`: a checked query becomes its objects.

It answers all 703 cases of the compliance suite. Beyond the suite, version 1 errs; each error is mended
by a subclass of the part that has it:

| it | here |
|---|---|
| takes `[true]` for `[1]`, orders no Decimal, recurses into values | `_Comparison`, on our equality |
| takes `@` for false where the value is 0, "" or false | `_Relative` |
| resolves `$` in a filter inside a filter to the value of the outer one | `_Relative`, `_Absolute` |
| raises below a depth of 100 for `..` | `_Descent`, a stack; `_Node`, paths built on demand |
| takes `a{10}` for no pattern, `[a&&b]` for an intersection, and never stops a pattern | `_Pattern` |
| visits without end | `visit` in `_run`, `_Node`, `_Descent`, `_Filter` |
| refuses `count(@[?@.a,0])`, raises for 1e400, rounds large integers | its parser is not used |

Version 2 is another program, for Python 3.12 on; the extra asks for version 1.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import regex
from jsonpath_rfc9535 import JSONPathEnvironment
from jsonpath_rfc9535 import filter_expressions as parts
from jsonpath_rfc9535 import selectors as chosen
from jsonpath_rfc9535.function_extensions import ExpressionType, FilterFunction
from jsonpath_rfc9535.node import JSONPathNode, JSONPathNodeList
from jsonpath_rfc9535.query import JSONPathQuery
from jsonpath_rfc9535.segments import JSONPathChildSegment, JSONPathRecursiveDescentSegment
from jsonpath_rfc9535.tokens import Token, TokenType

from fieldwise._types import MISSING
from fieldwise.core.jsonpath import tree
from fieldwise.core.jsonpath.comparison import COMPARE
from fieldwise.core.jsonpath.limits import path_of, visit
from fieldwise.core.jsonpath.patterns import check_size, finder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fieldwise._types import Json, Path, Step

_TOKEN: Final = Token(TokenType.ROOT, "", 0, "")
"""The engine's objects want the token they were read from, for messages that never come."""


def translate(query: tree.Query) -> Callable[[Json], list[tuple[Path, Json]]]:
    """Return the function that finds the nodes of a document which a query names, in order.

    The function raises `Unrunnable` for a pattern beyond the limits, `TooMuch` where it visits too many.

    Raises:
        Unrunnable: such a pattern is written in the query.
    """
    made = _query(query)

    def find(document: Json) -> list[tuple[Path, Any]]:
        nodes = _run(made, _Node(document, None, "", document))
        return [(node.location, node.value) for node in nodes]

    return find


def _run(query: JSONPathQuery, start: JSONPathNode) -> JSONPathNodeList:
    """Segment by segment: generators inside one another would end the stack."""
    nodes = [start]
    for segment in query.segments:
        visit(1 + len(nodes) * len(segment.selectors))
        nodes = list(segment.resolve(nodes))
    return JSONPathNodeList(nodes)


# ------------------------------------------------------------------------------------- the mended parts


class _Node(JSONPathNode):
    """A node that knows its parent and its last step, and says the whole path when asked.

    The path is kept: below a node that was found there may be thousands that are found too.
    """

    __slots__ = ("place", "step")

    def __init__(self, value: object, parent: JSONPathNode | None, step: Step, root: Any) -> None:
        self._value = value
        self.parent = parent
        self.step = step
        self.root = root
        self.place: Path | None = () if parent is None else None

    @property
    def location(self) -> Path:  # type: ignore[override]
        steps: list[Step] = []
        node: Any = self
        while node.place is None:
            steps.append(node.step)
            node = node.parent
        self.place = path_of(node.place, steps)
        return self.place

    def new_child(self, value: object, key: Step, parent: JSONPathNode | None) -> _Node:
        visit(1)
        return _Node(value, parent, key, self.root)


class _Descent(JSONPathRecursiveDescentSegment):
    """`..`, depth first, with a stack."""

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterator[JSONPathNode]:
        stack = list(nodes)[::-1]
        while stack:
            node = stack.pop()
            visit(len(self.selectors) + len(node.value) if isinstance(node.value, dict | list) else 1)
            for selector in self.selectors:
                yield from selector.resolve(node)
            inside = [node.new_child(value, step, node) for step, value in _containers(node.value)]
            stack.extend(reversed(inside))


def _containers(value: Any) -> list[tuple[Step, Any]]:
    """The objects and arrays directly inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(step, item) for step, item in items if isinstance(item, dict | list)]


class _Filter(chosen.FilterSelector):
    """`?…`: every member or element tested is a visit."""

    def resolve(self, node: JSONPathNode) -> Iterable[JSONPathNode]:
        visit(len(node.value) if isinstance(node.value, dict | list) else 0)
        return super().resolve(node)


class _Relative(parts.RelativeFilterQuery):
    """`@…`: always nodes, also for a scalar."""

    def evaluate(self, context: parts.FilterContext) -> object:
        return _run(self.query, _Node(context.current, None, "", context.root))


class _Absolute(parts.RootFilterQuery):
    """`$…`: from the document."""

    def evaluate(self, context: parts.FilterContext) -> object:
        return _run(self.query, _Node(context.root, None, "", context.root))


class _Comparison(parts.ComparisonExpression):
    """Two operands compared as JSON."""

    def evaluate(self, context: parts.FilterContext) -> bool:
        left, right = _value(self.left.evaluate(context)), _value(self.right.evaluate(context))
        return COMPARE[self.operator](left, right)


def _value(result: object) -> object:
    """An operand's value; MISSING for nothing."""
    if isinstance(result, JSONPathNodeList):
        return result[0].value if result else MISSING
    return MISSING if result is parts.NOTHING else result


_TEXT_AND_PATTERN: Final = [ExpressionType.VALUE, ExpressionType.VALUE]


class _Pattern(FilterFunction):
    """match() and search(), on our reading of I-Regexp."""

    @property
    def arg_types(self) -> list[ExpressionType]:
        return _TEXT_AND_PATTERN

    @property
    def return_type(self) -> ExpressionType:
        return ExpressionType.LOGICAL

    def __init__(self, find: Callable[[object, object], bool]) -> None:
        self.find = find

    def __call__(self, text: object, pattern: object) -> bool:
        return self.find(text, pattern)


_ENVIRONMENT: Final = JSONPathEnvironment()
_ENVIRONMENT.function_extensions["match"] = _Pattern(finder(regex.fullmatch))
_ENVIRONMENT.function_extensions["search"] = _Pattern(finder(regex.search))


# ---------------------------------------------------------------------------------------- translation


def _query(query: tree.Query) -> JSONPathQuery:
    segments = tuple(
        (_Descent if segment.deep else JSONPathChildSegment)(
            env=_ENVIRONMENT,
            token=_TOKEN,
            selectors=tuple(_SELECTORS[type(one)](one) for one in segment.selectors),
        )
        for segment in query.segments
    )
    return JSONPathQuery(env=_ENVIRONMENT, segments=segments)


def _filter(selector: tree.Filter) -> chosen.JSONPathSelector:
    expression = parts.FilterExpression(_TOKEN, _condition(selector.condition))
    return _Filter(env=_ENVIRONMENT, token=_TOKEN, expression=expression)


_SELECTORS: Final[dict[type, Callable[[Any], chosen.JSONPathSelector]]] = {
    tree.Name: lambda one: chosen.NameSelector(env=_ENVIRONMENT, token=_TOKEN, name=one.name),
    tree.Index: lambda one: chosen.IndexSelector(env=_ENVIRONMENT, token=_TOKEN, index=one.index),
    tree.Slice: lambda one: chosen.SliceSelector(
        env=_ENVIRONMENT, token=_TOKEN, start=one.start, stop=one.end, step=one.step
    ),
    tree.Wild: lambda _: chosen.WildcardSelector(env=_ENVIRONMENT, token=_TOKEN),
    tree.Filter: _filter,
}


def _condition(condition: tree.Condition) -> parts.Expression:
    return _CONDITIONS[type(condition)](condition)


def _joined(conditions: tuple[tree.Condition, ...], operator: str) -> parts.Expression:
    def join(left: parts.Expression, right: parts.Expression) -> parts.Expression:
        return parts.LogicalExpression(_TOKEN, left, operator, right)

    return reduce(join, map(_condition, conditions))


def _comparison(one: tree.Comparison) -> parts.Expression:
    return _Comparison(_TOKEN, _operand(one.left), one.operator, _operand(one.right))


_CONDITIONS: Final[dict[type, Callable[[Any], parts.Expression]]] = {
    tree.Holds: lambda one: _operand(one.subject),
    tree.Comparison: _comparison,
    tree.Not: lambda one: parts.PrefixExpression(_TOKEN, "!", _condition(one.condition)),
    tree.Every: lambda one: _joined(one.conditions, "&&"),
    tree.Some: lambda one: _joined(one.conditions, "||"),
}


def _operand(operand: tree.Operand) -> parts.Expression:
    if isinstance(operand, tree.Literal):
        return parts.FilterExpressionLiteral(_TOKEN, operand.value)
    if isinstance(operand, tree.Query):
        return (_Absolute if operand.absolute else _Relative)(_TOKEN, _query(operand))
    if operand.result == "logical" and isinstance(operand.arguments[1], tree.Literal):
        check_size(str(operand.arguments[1].value))
    arguments = [_operand(argument) for argument in operand.arguments]
    return parts.FunctionExtension(_TOKEN, operand.function, arguments)
