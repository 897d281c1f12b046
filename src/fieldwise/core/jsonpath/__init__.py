"""JSONPath, as RFC 9535 has it: the right nodes in the right order, or a `PathError`; never a wrong answer.

    text -> grammar (on mending, on reader) -> tree -> names, indices, wildcards: core.select
                 |                                  -> on_jsonpath_ng   jsonpath-ng
                 |                                  -> on_rfc9535       the extra
                 -> Flaw -> PathError with the nearest valid spelling

What belongs here: choosing the engine, and turning a flaw into a message. Rules:

1. Our own grammar decides what is JSONPath, whichever engine runs.
2. The engine is that of the extra `fieldwise[rfc9535]` where it is installed, else jsonpath-ng. Either is
   imported by the first query that needs it, and both compare with `comparison`, within `limits`.
3. jsonpath-ng runs everything but match() and search(), which are refused when the query is compiled.
4. `find` fails on no document, however deep. It stops with a `PathError` where a pattern of match() or
   search() is too large or runs over its time, and after `MAX_VISITS` visits to nodes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fieldwise.core.jsonpath import tree
from fieldwise.core.jsonpath.grammar import read
from fieldwise.core.jsonpath.limits import MAX_VISITS, TooMuch, begin
from fieldwise.core.jsonpath.reader import Flaw
from fieldwise.core.path_text import MAX_LENGTH, WILD
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json, Path
    from fieldwise.core.path_text import PathStep

Engine: TypeAlias = Literal["jsonpath-ng", "rfc9535"]
Find: TypeAlias = "Callable[[Json], list[tuple[Path, Json]]]"

_WIDE: Final = re.compile(r"\.\.|\*|\?")
_MAX_EDITS: Final = 8
_MAX_MENDED: Final = 200
_MAX_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Query:
    """A compiled JSONPath query.

    Attributes:
        text: the query as written.
        engine: what runs it.
    """

    text: str
    engine: Engine
    _find: Find = field(repr=False, compare=False)

    def find(self, document: Json) -> list[tuple[Path, Json]]:
        """Return the place and value of every node the query names, in the order of the RFC.

        A node named twice is returned twice.

        Raises:
            PathError: a pattern of match() or search() is too large or runs over its time, or the query
                visits more than `MAX_VISITS` nodes of this document.

        >>> compile_jsonpath("$.a[?@ > 1]").find({"a": [1, 2, 3]})
        [(('a', 1), 2), (('a', 2), 3)]
        """
        begin()
        try:
            return self._find(document)
        except TooMuch:
            problem = f"visits more than {MAX_VISITS:,} nodes of this document; its first wide step stands"
            wide = _WIDE.search(self.text)
            raise PathError(self.text, wide.start() if wide else 0, problem) from None


def compile_jsonpath(text: str, engine: Engine | None = None) -> Query:
    """Parse a JSONPath query and prepare it for an engine.

    Args:
        text: the query, from `$` on.
        engine: what shall run it; by default that of the extra where it is installed, else jsonpath-ng.

    Raises:
        PathError: the text is not JSONPath, with the position and the nearest valid spelling; or it
            needs the extra.

    >>> compile_jsonpath("$.items[?@.price = 2]")
    Traceback (most recent call last):
    ...
    fieldwise.errors.PathError: path '$.items[?@.price = 2]': '=' is no operator at position 17; \
did you mean '$.items[?@.price == 2]'?
    """
    query = _read(text)
    chosen = engine or ("rfc9535" if has_extra() else "jsonpath-ng")
    return Query(text, chosen, _ENGINES[chosen](text, query))


def plain_steps(text: str) -> tuple[PathStep, ...] | None:
    """Return the steps of a query of single names, indices and wildcards; None for any other query.

    Raises:
        PathError: the text is not JSONPath.

    >>> plain_steps("$.a['b c'][0]"), plain_steps("$..a")
    (('a', 'b c', 0), None)
    """
    steps: list[PathStep] = []
    for segment in _read(text).segments:
        selector = segment.selectors[0]
        if segment.deep or len(segment.selectors) > 1 or isinstance(selector, tree.Slice | tree.Filter):
            return None
        if isinstance(selector, tree.Wild):
            steps.append(WILD)
        else:
            steps.append(selector.name if isinstance(selector, tree.Name) else selector.index)
    return tuple(steps)


@lru_cache(maxsize=1)
def has_extra() -> bool:
    """Whether the engine of the extra can be imported."""
    try:
        from fieldwise.core.jsonpath import on_rfc9535  # noqa: F401
    except ImportError:
        return False
    return True


# -------------------------------------------------------------------------------------------- engines


def _on_jsonpath_ng(text: str, query: tree.Query) -> Find:
    from fieldwise.core.jsonpath.on_jsonpath_ng import Unsupported, translate

    try:
        return translate(query)
    except Unsupported as unsupported:
        problem = (
            f"{unsupported.function}() is valid RFC 9535, but needs the fully compliant engine"
            " (pip install 'fieldwise[rfc9535]'); it stands"
        )
        raise PathError(text, unsupported.position, problem) from None


def _on_rfc9535(text: str, query: tree.Query) -> Find:
    from fieldwise.core.jsonpath.on_rfc9535 import translate
    from fieldwise.core.jsonpath.patterns import Unrunnable

    def refused(reason: Unrunnable) -> PathError:
        return PathError(text, text.find("?"), f"{reason} in the filter")

    def find(document: Json) -> list[tuple[Path, Json]]:
        try:
            return run(document)
        except Unrunnable as reason:
            raise refused(reason) from None

    try:
        run = translate(query)
    except Unrunnable as reason:
        raise refused(reason) from None
    return find


_ENGINES: Final[dict[Engine, Callable[[str, tree.Query], Find]]] = {
    "jsonpath-ng": _on_jsonpath_ng,
    "rfc9535": _on_rfc9535,
}


# --------------------------------------------------------------------------------------------- errors


def _read(text: str) -> tree.Query:
    try:
        return read(text)
    except Flaw as flaw:
        shown = text if len(text) <= MAX_LENGTH else f"{text[:_MAX_SHOWN]}…"
        raise PathError(shown, flaw.position, flaw.problem, _nearest(text, flaw)) from None


def _nearest(text: str, flaw: Flaw) -> str | None:
    """The text with one flaw after the other mended, if that makes it JSONPath."""
    if flaw.literal:
        return "/" + text.replace(".", "/")
    for _ in range(_MAX_EDITS):
        if flaw.edit is None or len(text) > _MAX_MENDED:
            return None
        start, end, replacement = flaw.edit
        text = text[:start] + replacement + text[end:]
        remaining = _flaw(text)
        if remaining is None:
            return text
        flaw = remaining
    return None


def _flaw(text: str) -> Flaw | None:
    try:
        read(text)
    except Flaw as flaw:
        return flaw
    return None
