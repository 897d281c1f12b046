r"""The parts of a JSONPath query (RFC 9535), as the grammar reads them and the engines translate them.

What belongs here: frozen records and two questions about them. No text, no document, no engine.

| record | in text | | record | in text |
|---|---|---|---|---|
| `Name` | `.a`, `['a']` | | `Query` | `$…`, `@…` |
| `Index` | `[0]`, `[-1]` | | `Literal` | `'a'`, `1.5`, `true`, `null` |
| `Slice` | `[1:5:2]` | | `Call` | `length(@.a)` |
| `Wild` | `.*`, `[*]` | | `Comparison` | `@.a == 1` |
| `Filter` | `[?@.a]` | | `Holds` | `@.a`, `match(@.a, 'x')` |
| `Segment` | `['a', 0]`, `..a` | | `Not`, `Every`, `Some` | `!…`, `&&`, `\|\|` |
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias
from typing import Literal as Word

if TYPE_CHECKING:
    from fieldwise._types import Json

Operator: TypeAlias = Word["==", "!=", "<", "<=", ">", ">="]
Kind: TypeAlias = Word["value", "nodes", "logical"]


@dataclass(frozen=True, slots=True)
class Name:
    """The member of an object that has this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """The element of an array at this index; a negative one counts from the end."""

    index: int


@dataclass(frozen=True, slots=True)
class Slice:
    """The elements `start:end:step` of an array; None where the text leaves one out."""

    start: int | None
    end: int | None
    step: int | None


@dataclass(frozen=True, slots=True)
class Wild:
    """Every member or element."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Every member or element for which the condition holds."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Segment:
    """One step of a query: its selectors, applied to each node or (`deep`) also to all below it."""

    selectors: tuple[Selector, ...]
    deep: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Segments from the document (`$`, absolute) or from the value a filter looks at (`@`)."""

    absolute: bool
    segments: tuple[Segment, ...]

    @property
    def singular(self) -> bool:
        """Whether it names at most one node: names and indices only."""
        return all(
            not segment.deep
            and len(segment.selectors) == 1
            and isinstance(segment.selectors[0], Name | Index)
            for segment in self.segments
        )


@dataclass(frozen=True, slots=True)
class Literal:
    """A value written in the query."""

    value: Json


@dataclass(frozen=True, slots=True)
class Call:
    """A function applied to its arguments; `at` is where it stands in the text."""

    function: str
    arguments: tuple[Operand, ...]
    at: int = field(compare=False)

    @property
    def result(self) -> Kind:
        """What the function returns."""
        return SIGNATURES[self.function][1]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two operands compared."""

    left: Operand
    operator: Operator
    right: Operand


@dataclass(frozen=True, slots=True)
class Holds:
    """A query finds something, or a function says yes."""

    subject: Query | Call


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Every:
    """All of two or more conditions hold."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of two or more conditions holds."""

    conditions: tuple[Condition, ...]


Selector: TypeAlias = Name | Index | Slice | Wild | Filter
Operand: TypeAlias = Query | Literal | Call
Condition: TypeAlias = Comparison | Holds | Not | Every | Some

SIGNATURES: Final[dict[str, tuple[tuple[Kind, ...], Kind]]] = {
    "count": (("nodes",), "value"),
    "length": (("value",), "value"),
    "match": (("value", "value"), "logical"),
    "search": (("value", "value"), "logical"),
    "value": (("nodes",), "value"),
}
"""The functions of RFC 9535 section 2.4: the kinds of their arguments, the kind of their result."""
