"""What the options say about each place of a document, as one tree.

Options name places by path; the walk meets places one step at a time. `Policy` holds the options by
path and hands the walk a tree of `Node`s for the documents at hand: a literal top-level key first, then
the path, dotted paths read literally first (see `core.select`). The tree is made once and kept as long
as the readings do not change, which is nearly always.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fieldwise.core.select import WILD, Selector, compile_path, resolve
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, ListMode, Missing, Step
    from fieldwise.core.compare import Comparator
    from fieldwise.core.select import PathStep

Aspect: TypeAlias = Literal["exclude", "rubric", "comparator", "lists", "weight"]


@dataclass(slots=True)
class Node:
    """What is said about one place, and about the places below it."""

    exclude: bool = False
    rubric: str | None = None
    comparator: Comparator | None = None
    lists: ListMode | None = None
    weight: float | None = None
    members: dict[Step, Node] = field(default_factory=dict)
    every: Node | None = None

    def child(self, step: Step) -> Node | None:
        """Return what is said about a member or element; the wildcard's word where none is its own."""
        node = self.members.get(step)
        if node is None and isinstance(step, int):
            node = self.members.get(str(step))
        return self.every if node is None else node

    def says(self, aspect: Aspect) -> bool:
        """Whether this place or any place below it has a word on `aspect`."""
        stack = [self]
        while stack:
            node = stack.pop()
            if getattr(node, aspect) not in (None, False):
                return True
            stack.extend(node.members.values())
            if node.every is not None:
                stack.append(node.every)
        return False


@dataclass(frozen=True, slots=True)
class Entry:
    """One option for one path: the key as written, its selector (None: a literal key only), its word."""

    key: str
    selector: Selector | None
    aspect: Aspect
    value: Any


class Policy:
    """The options of one evaluator, by path.

    >>> policy = Policy([entry("a.b", "weight", 2.0)])
    >>> policy.tree(({"a": {"b": 1}},)).members["a"].members["b"].weight
    2.0
    """

    __slots__ = ("_kept", "_open", "_readings", "entries")

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Keep the entries; those whose key can be read in two ways stay open until documents come."""
        self.entries = tuple(entries)
        self._open = any(len(_steps(one)) > 1 or one.selector is None for one in self.entries)
        self._readings = tuple(_steps(one) for one in self.entries)
        self._kept = _build(self.entries, self._readings)

    def tree(self, documents: Sequence[Json | Missing]) -> Node | None:
        """Return the tree for these documents, read once for all of them; None when nothing is said."""
        if not self._open:
            return self._kept
        readings = tuple(_reading(one, documents) for one in self.entries)
        if readings == self._readings:
            return self._kept
        return _build(self.entries, readings)


def entry(key: str, aspect: Aspect, value: Any) -> Entry:
    """Make an entry of an option's key; text that parses as no path is only a literal key."""
    try:
        selector = compile_path(key)
    except PathError:
        selector = None
    return Entry(key, selector, aspect, value)


def matches(one: Entry, documents: Sequence[Json | Missing]) -> bool:
    """Whether an option's key names anything in any of the documents.

    >>> matches(entry("a.b", "weight", 1.0), ({"a": {"c": 1}},))
    False
    """
    for document in documents:
        if isinstance(document, dict) and one.key in document:
            return True
        if one.selector is not None and one.selector.find(document):  # type: ignore[arg-type]
            return True
    return False


def prune(document: Json, node: Node | None) -> Json:
    """Return the document without the places `node` excludes; unchanged parts are shared."""
    if node is None or not node.says("exclude"):
        return document
    if isinstance(document, dict):
        kept: dict[str, Json] = {}
        for name, value in document.items():
            child = node.child(name)
            if child is None:
                kept[name] = value
            elif not child.exclude:
                kept[name] = prune(value, child)
        return kept
    if isinstance(document, list):
        words = [(value, node.child(index)) for index, value in enumerate(document)]
        return [prune(value, child) for value, child in words if child is None or not child.exclude]
    return document


def _steps(one: Entry) -> tuple[PathStep, ...]:
    return (one.key,) if one.selector is None else one.selector.steps


def _reading(one: Entry, documents: Sequence[Json | Missing]) -> tuple[PathStep, ...]:
    if any(isinstance(document, dict) and one.key in document for document in documents):
        return (one.key,)
    return (one.key,) if one.selector is None else resolve(one.selector, documents)


def _build(entries: tuple[Entry, ...], readings: tuple[tuple[PathStep, ...], ...]) -> Node | None:
    if not entries:
        return None
    root = Node()
    for one, steps in zip(entries, readings, strict=True):
        node = root
        for step in steps:
            node = _descend(node, step)
        setattr(node, one.aspect, one.value)
    _share_wildcards(root)
    return root


def _descend(node: Node, step: PathStep) -> Node:
    if step is WILD:
        node.every = node.every or Node()
        return node.every
    return node.members.setdefault(step, Node())  # type: ignore[arg-type]


def _share_wildcards(root: Node) -> None:
    """Give each named place what the wildcard beside it says and it does not say itself."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.every is not None:
            for child in node.members.values():
                _merge(child, node.every)
            stack.append(node.every)
        stack.extend(node.members.values())


def _merge(into: Node, other: Node) -> None:
    into.exclude = into.exclude or other.exclude
    into.rubric = other.rubric if into.rubric is None else into.rubric
    into.comparator = into.comparator or other.comparator
    into.lists = into.lists or other.lists
    into.weight = other.weight if into.weight is None else into.weight
    for step, child in other.members.items():
        _merge(into.members.setdefault(step, Node()), child)
    if other.every is not None:
        into.every = into.every or Node()
        _merge(into.every, other.every)
