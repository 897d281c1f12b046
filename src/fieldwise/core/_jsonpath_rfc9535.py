"""JSONPath on jsonpath-rfc9535, the engine of the extra `rfc9535`, with what its suite does not show mended.

It answers all 703 cases of the compliance suite. Beyond the suite, version 1 errs in six ways, each
mended by a subclass at the place it offers for that:

| it | mended by |
|---|---|
| takes `[true]` for `[1]`, orders no Decimal, recurses into values | `_Comparison`, on our equality |
| takes `@` for false where the value is 0, "" or false | `_Relative` |
| resolves `$` in a filter inside a filter to the value of the outer one | `_Relative`, `_Absolute` |
| raises below a depth of 100 for `..` | `_Descent`, a stack; `_Node`, paths built on demand |
| reads 1e400 as an error and 100000000000000000001 as a float | `_Parser`, with the numbers of our grammar |
| takes `[a&&b]` for an intersection in search() alone, and never stops a pattern | `_Pattern` |

Version 2 is another program, for Python 3.12 on; the extra asks for version 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import regex
from iregexp_check import check
from jsonpath_rfc9535 import JSONPathEnvironment
from jsonpath_rfc9535.filter_expressions import (
    NOTHING,
    ComparisonExpression,
    FloatLiteral,
    RelativeFilterQuery,
    RootFilterQuery,
)
from jsonpath_rfc9535.function_extensions import ExpressionType, FilterFunction
from jsonpath_rfc9535.function_extensions._pattern import map_re
from jsonpath_rfc9535.node import JSONPathNode, JSONPathNodeList
from jsonpath_rfc9535.parse import Parser
from jsonpath_rfc9535.segments import JSONPathRecursiveDescentSegment

from fieldwise._types import MISSING
from fieldwise.core._jsonpath_compare import COMPARE
from fieldwise.core._jsonpath_text import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jsonpath_rfc9535.filter_expressions import Expression, FilterContext
    from jsonpath_rfc9535.query import JSONPathQuery
    from jsonpath_rfc9535.segments import JSONPathSegment
    from jsonpath_rfc9535.tokens import TokenStream

    from fieldwise._types import Json, Path, Step

PATTERN_SECONDS: Final = 1.0


class Slow(Exception):
    """A pattern ran over its time.

    Attributes:
        pattern: the pattern.
    """

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.pattern = pattern


def translate(text: str) -> Callable[[Json], list[tuple[Path, Json]]]:
    """Return the function that finds the nodes of a document which a valid query names, in order.

    The function raises `Slow` for a pattern that runs over its time.
    """
    query = _ENVIRONMENT.compile(text)

    def find(document: Json) -> list[tuple[Path, Json]]:
        nodes: list[Any] = _run(query, _Node(document, None, "", document))
        return [(node.location, node.value) for node in nodes]

    return find


def _run(query: JSONPathQuery, start: JSONPathNode) -> JSONPathNodeList:
    """Segment by segment: generators inside one another would end the stack."""
    nodes = [start]
    for segment in query.segments:
        nodes = list(segment.resolve(nodes))
    return JSONPathNodeList(nodes)


class _Node(JSONPathNode):
    """A node that knows its parent and its last step, and says the whole path when asked."""

    __slots__ = ("step",)

    def __init__(self, value: object, parent: JSONPathNode | None, step: Step, root: Any) -> None:
        self._value = value
        self.parent = parent
        self.step = step
        self.root = root

    @property
    def location(self) -> Path:  # type: ignore[override]
        steps: list[Step] = []
        node: Any = self
        while node.parent is not None:
            steps.append(node.step)
            node = node.parent
        return tuple(reversed(steps))

    def new_child(self, value: object, key: Step, parent: JSONPathNode | None) -> _Node:
        return _Node(value, parent, key, self.root)


class _Descent(JSONPathRecursiveDescentSegment):
    """`..`, depth first, with a stack."""

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterator[JSONPathNode]:
        stack = list(nodes)[::-1]
        while stack:
            node = stack.pop()
            for selector in self.selectors:
                yield from selector.resolve(node)
            value: Any = node.value
            inside = value.items() if isinstance(value, dict) else enumerate(value)
            children = [
                node.new_child(item, step, node) for step, item in inside if isinstance(item, dict | list)
            ]
            stack.extend(reversed(children))


class _Relative(RelativeFilterQuery):
    """`@…`: always nodes, also for a scalar."""

    def evaluate(self, context: FilterContext) -> object:
        return _run(self.query, _Node(context.current, None, "", context.root))


class _Absolute(RootFilterQuery):
    """`$…`: from the document."""

    def evaluate(self, context: FilterContext) -> object:
        return _run(self.query, _Node(context.root, None, "", context.root))


class _Comparison(ComparisonExpression):
    """Two operands compared as JSON."""

    def evaluate(self, context: FilterContext) -> bool:
        left, right = _value(self.left.evaluate(context)), _value(self.right.evaluate(context))
        return COMPARE[self.operator](left, right)


def _value(result: object) -> object:
    """An operand's value; MISSING for nothing."""
    if isinstance(result, JSONPathNodeList):
        return result[0].value if result else MISSING
    return MISSING if result is NOTHING else result


class _Parser(Parser):
    """The engine's parser, making the parts above."""

    def parse_query(self, stream: TokenStream, *, in_filter: bool = False) -> Iterator[JSONPathSegment]:
        for segment in super().parse_query(stream, in_filter=in_filter):
            if isinstance(segment, JSONPathRecursiveDescentSegment):
                yield _Descent(env=segment.env, token=segment.token, selectors=segment.selectors)
            else:
                yield segment

    def parse_relative_query(self, stream: TokenStream) -> Expression:
        made: Any = super().parse_relative_query(stream)
        return _Relative(made.token, made.query)

    def parse_root_query(self, stream: TokenStream) -> Expression:
        made: Any = super().parse_root_query(stream)
        return _Absolute(made.token, made.query)

    def parse_infix_expression(self, stream: TokenStream, left: Expression) -> Expression:
        made = super().parse_infix_expression(stream, left)
        if isinstance(made, ComparisonExpression):
            return _Comparison(made.token, made.left, made.operator, made.right)
        return made

    def parse_integer_literal(self, stream: TokenStream) -> Expression:
        number: Any = Reader(stream.current.value).number()
        return FloatLiteral(stream.current, number)

    parse_float_literal = parse_integer_literal


class _Pattern(FilterFunction):
    """match() and search(): an I-Regexp on the regex module, whose engine can be stopped."""

    arg_types = [ExpressionType.VALUE, ExpressionType.VALUE]  # noqa: RUF012 - the engine declares it so
    return_type = ExpressionType.LOGICAL

    def __init__(self, find: Callable[..., object]) -> None:
        self.find = find

    def __call__(self, text: object, pattern: object) -> bool:
        if not (isinstance(text, str) and isinstance(pattern, str) and check(pattern)):
            return False
        try:
            return bool(self.find(map_re(pattern), text, regex.VERSION0, timeout=PATTERN_SECONDS))
        except TimeoutError:
            raise Slow(pattern) from None
        except regex.error:
            return False


class _Environment(JSONPathEnvironment):
    """The engine with its parser and its two pattern functions replaced."""

    parser_class = _Parser

    def setup_function_extensions(self) -> None:
        super().setup_function_extensions()
        self.function_extensions["match"] = _Pattern(regex.fullmatch)
        self.function_extensions["search"] = _Pattern(regex.search)


_ENVIRONMENT: Final = _Environment()
