"""What an expected argument may say instead of a value.

| written | means |
|---|---|
| `{"$any": true}` | any value, but there has to be one |
| `{"$any_of": [x, y]}` | x or y; they may hold markers themselves |
| `{"$literal": x}` | x as it is, whatever it looks like |

They may stand for an argument, for all of them, or for anything within one. An object that only begins like a
marker, `{"$anyof": [x]}`, is a slip that `misspelt` finds, not a value. Alternatives are written out,
at most `MAX_ALTERNATIVES` for one call; the others are settled against the arguments that came. Depth is
bounded: below `MAX_DEPTH` nothing is a marker.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import nearest
from fieldwise.core.equality import preview

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise._types import Json

MAX_ALTERNATIVES: Final = 100
MAX_DEPTH: Final = 40
_CONTAINERS: Final = (dict, list)
_ANY: Final = "$any"
_ANY_OF: Final = "$any_of"
_LITERAL: Final = "$literal"
_BEGINNINGS: Final = (_ANY, _LITERAL)
_FORMS: Final = {_ANY: '{"$any": true}', _ANY_OF: '{"$any_of": [x, y]}', _LITERAL: '{"$literal": x}'}
_AROUND: Final = '{"$literal": …} around it'


class TooMany(Exception):
    """More alternatives than can be looked at."""


ANY: Any = {_ANY: True}
"""Any value; found again by identity."""


def has_marker(value: Json, depth: int = 0) -> bool:
    """Whether a value holds a marker.

    >>> has_marker({"q": {"$any": True}}), has_marker({"q": {"$any": 1, "b": 2}})
    (True, False)
    """
    if isinstance(value, dict):
        if len(value) == 1 and _marker(value) is not None:
            return True
        parts: Any = value.values()
    else:
        parts = value if isinstance(value, list) else ()
    for one in parts if depth < MAX_DEPTH else ():
        if isinstance(one, _CONTAINERS) and has_marker(one, depth + 1):
            return True
    return False


def misspelt(value: Json, depth: int = 0) -> str | None:
    """Return what is wrong with the first object that begins like a marker and is none; None: there is none.

    >>> misspelt({"q": {"$anyof": ["x"]}}).partition(" If it is the value")[0]
    '{"$anyof":["x"]} is no wildcard; did you mean "$any_of"?'
    """
    if depth > MAX_DEPTH or not isinstance(value, _CONTAINERS):
        return None
    if isinstance(value, dict):
        marker = _marker(value)
        if marker == _LITERAL:
            return None
        slip = (
            None if marker else next((name for name in value if name.lower().startswith(_BEGINNINGS)), None)
        )
        if slip is not None:
            return f"{preview(value)} is no wildcard; {_meant(slip)} If it is the value, write {_AROUND}"
    parts = value.values() if isinstance(value, dict) else value
    return next((slip for one in parts if (slip := misspelt(one, depth + 1)) is not None), None)


def _meant(name: str) -> str:
    if name in _FORMS:
        return f"write {_FORMS[name]} by itself."
    close = nearest(name, _FORMS)
    return f'did you mean "{close}"?' if close else f"there are {', '.join(_FORMS.values())}."


def alternatives(value: Json) -> list[Json]:
    """Write out a value that holds markers: each result has `ANY` and literals in it, no alternatives.

    Raises:
        TooMany: for more than `MAX_ALTERNATIVES`.

    >>> alternatives({"unit": {"$any_of": ["C", "F"]}})
    [{'unit': 'C'}, {'unit': 'F'}]
    """
    return _bounded(_written_out(value, 0))


def _written_out(value: Any, depth: int) -> Iterator[Any]:
    marker = _marker(value) if isinstance(value, dict) and depth <= MAX_DEPTH else None
    if marker == _ANY:
        yield ANY
    elif marker == _LITERAL:
        yield value[_LITERAL]
    elif marker == _ANY_OF:
        for one in value[_ANY_OF]:
            yield from _written_out(one, depth + 1)
    elif not has_marker(value, depth):
        yield value
    elif isinstance(value, dict):
        for items in product(*[_parts(one, depth) for one in value.values()]):
            yield dict(zip(value, items, strict=True))
    else:
        for items in product(*[_parts(one, depth) for one in value]):
            yield list(items)


def _parts(value: Any, depth: int) -> list[Any]:
    """The alternatives of a part, few enough to multiply."""
    return _bounded(_written_out(value, depth + 1))


def _bounded(found: Iterator[Any]) -> list[Any]:
    listed = list(islice(found, MAX_ALTERNATIVES + 1))
    if len(listed) > MAX_ALTERNATIVES:
        raise TooMany(f"more than {MAX_ALTERNATIVES} alternatives")
    return listed


def settled(expected: Any, actual: Any, depth: int = 0) -> Any:
    """Return an alternative with each `ANY` replaced by what came in its place, where something did."""
    if expected is ANY:
        return expected if actual is MISSING else actual
    if depth > MAX_DEPTH:
        return expected
    if isinstance(expected, dict):
        came: Any = actual if isinstance(actual, dict) else {}
        return {name: settled(one, came.get(name, MISSING), depth + 1) for name, one in expected.items()}
    if isinstance(expected, list):
        there = actual if isinstance(actual, list) else []
        rest = [MISSING] * (len(expected) - len(there))
        return [settled(one, came, depth + 1) for one, came in zip(expected, [*there, *rest], strict=False)]
    return expected


def _marker(value: dict[str, Any]) -> str | None:
    """Which marker an object is, or None."""
    if len(value) != 1:
        return None
    ((name, content),) = value.items()
    if name == _LITERAL or (name == _ANY and content is True):
        return name
    return name if name == _ANY_OF and isinstance(content, list) and content else None
