"""What the options say about each place of a document, as one tree.

Options name places by path; the walk meets places one step at a time. `Policy` holds the options by
path and hands the walk a tree of `Node`s for the documents at hand: a literal top-level key first, then
the path, dotted paths read literally first (see `core.select`). The tree is made once and kept as long
as the readings do not change, which is nearly always.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.equality import arrange
from fieldwise.core.select import Selector, Wildcard, compile_path, resolve, try_find
from fieldwise.core.values import UnorderedList
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, ListMode, Missing, Path, Step
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Comparator
    from fieldwise.core.select import PathStep

    Places: TypeAlias = tuple[tuple[PathStep, ...], ...]

Aspect: TypeAlias = Literal["exclude", "rubric", "comparator", "lists", "weight", "fields"]


@dataclass(slots=True)
class Node:
    """What is said about one place, and about the places below it."""

    exclude: bool = False
    rubric: str | None = None
    comparator: Comparator | None = None
    lists: ListMode | ByKey | None = None
    weight: float | None = None
    members: dict[Step, Node] = field(default_factory=dict)
    every: Node | None = None

    def child(self, step: Step, size: int = 0) -> Node | None:
        """Return what is said about a member or element; the wildcard's word where none is its own.

        `size` is the length of the list an element is in: with it, `[-1]` is the last one.
        """
        node = self.members.get(step)
        if node is None and isinstance(step, int):
            node = self.members.get(str(step)) or self.members.get(step - size)
        return self.every if node is None else node

    def says(self, aspect: Aspect) -> bool:
        """Whether this place or any place below it has a word on `aspect`, whatever documents hold."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            word = getattr(node, aspect)
            if word is not None and word is not False:
                return True
            stack.extend(node.members.values())
            if node.every is not None:
                stack.append(node.every)
        return False

    def compares(self, *values: Json | Missing) -> bool:
        """Whether a comparator is named for a place that one of some values has: for itself, or below it."""
        stack: list[tuple[Node, Any]] = [(self, value) for value in values if value is not MISSING]
        while stack:
            node, value = stack.pop()
            if node.comparator is not None:
                return True
            if isinstance(value, dict | list) and node.says("comparator"):
                stack += _open_places(value, node)
        return False


def _open_places(value: Any, node: Node) -> list[tuple[Node, Any]]:
    """The places in a container that something is said about, with what stands there."""
    size = 0 if isinstance(value, dict) else len(value)
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = ((node.child(step, size), item) for step, item in items)
    return [(child, item) for child, item in found if child is not None]


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
        self._open = any(_is_open(one) for one in self.entries)
        self._readings: tuple[Places, ...] = tuple((_steps(one),) for one in self.entries)
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
    return any(values_of(one, document) for document in documents)


def values_of(one: Entry, document: Json | Missing) -> list[Json]:
    """Return what an option's key names in a document: a member of that very name, else what the path finds.

    >>> values_of(entry("a.b", "weight", 1.0), {"a": {"b": 1}})
    [1]
    """
    if isinstance(document, dict) and one.key in document:
        return [document[one.key]]
    if one.selector is None or document is MISSING:
        return []
    return [match.value for match in try_find(one.selector, document)]


def prune(document: Json, node: Node | None) -> Json:
    """Return the document without the places `node` excludes; unchanged parts are shared."""
    if node is None:
        return document
    holder: list[Any] = [document]
    stack: list[tuple[Any, Any, Node]] = [(holder, 0, node)]
    sets: list[UnorderedList] = []
    while stack:
        into, at, node = stack.pop()
        value = into[at]
        if not isinstance(value, dict | list) or not node.says("exclude"):
            continue
        kept, open_places = _kept(value, node)
        into[at] = kept
        stack += [(kept, key, child) for key, child in open_places]
        if type(kept) is UnorderedList:
            sets.append(kept)
    for one in reversed(sets):  # those inside others come first
        arrange(one)
    return holder[0]  # type: ignore[no-any-return]


def _kept(value: Any, node: Node) -> tuple[Any, list[tuple[Step, Node]]]:
    """A copy of a container without its excluded places, and the places in it to look into."""
    items = list(value.items() if isinstance(value, dict) else enumerate(value))
    words = [
        (key, item, node.child(key, 0 if isinstance(value, dict) else len(items))) for key, item in items
    ]
    left = [(key, item, word) for key, item, word in words if word is None or not word.exclude]
    if isinstance(value, dict):
        return {key: item for key, item, _ in left}, [
            (key, word) for key, _, word in left if word is not None
        ]
    kept = type(value)(item for _, item, _ in left)
    return kept, [(index, word) for index, (_, _, word) in enumerate(left) if word is not None]


def _is_open(one: Entry) -> bool:
    """Whether the key can be read in more ways than one, so that the documents have to be asked."""
    queries = one.selector is not None and one.selector.query is not None
    return queries or len(_steps(one)) > 1 or _steps(one) != (one.key,)


def _steps(one: Entry) -> tuple[PathStep, ...]:
    return (one.key,) if one.selector is None else one.selector.steps


def _reading(one: Entry, documents: Sequence[Json | Missing]) -> Places:
    """The places an option's key names in these documents: one, or what a query finds in any of them."""
    if any(isinstance(document, dict) and one.key in document for document in documents):
        return ((one.key,),)
    if one.selector is None:
        return ((one.key,),)
    if one.selector.query is None:
        return (resolve(one.selector, documents),)
    found: dict[Path, None] = {}
    for document in documents:
        if document is not MISSING:
            found.update(dict.fromkeys(match.path for match in try_find(one.selector, document)))
    return tuple(found)


def _build(entries: tuple[Entry, ...], readings: tuple[Places, ...]) -> Node | None:
    if not entries:
        return None
    root = Node()
    for one, places in zip(entries, readings, strict=True):
        for steps in places:
            node = root
            for step in steps:
                node = _descend(node, step)
            setattr(node, one.aspect, one.value)
    _share_wildcards(root)
    return root


def _descend(node: Node, step: PathStep) -> Node:
    if isinstance(step, Wildcard):
        node.every = node.every or Node()
        return node.every
    return node.members.setdefault(step, Node())


def _share_wildcards(root: Node) -> None:
    """Give each named place what is said beside it and it does not say itself.

    That is the word of the wildcard, and for an index that of the same digits as a name.
    """
    stack = [root]
    while stack:
        node = stack.pop()
        for step, child in node.members.items():
            if isinstance(step, int) and str(step) in node.members:
                _merge(child, node.members[str(step)])
            if node.every is not None:
                _merge(child, node.every)
        stack.extend(node.members.values())
        if node.every is not None:
            stack.append(node.every)


def _merge(into: Node, other: Node) -> None:
    """Add what `other` and the places below it say where `into` says nothing."""
    stack = [(into, other)]
    while stack:
        into, other = stack.pop()
        into.exclude = into.exclude or other.exclude
        into.rubric = other.rubric if into.rubric is None else into.rubric
        into.comparator = into.comparator or other.comparator
        into.lists = into.lists or other.lists
        into.weight = other.weight if into.weight is None else into.weight
        stack += [(into.members.setdefault(step, Node()), child) for step, child in other.members.items()]
        if other.every is not None:
            into.every = into.every or Node()
            stack.append((into.every, other.every))
