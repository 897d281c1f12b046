"""Python objects to JSON values: the one place that knows what a model, a date or a set looks like.

Rules of the package:

1. A value that is JSON already is returned as it is, not copied: the common case is one scan.
2. Every NaN becomes the one object `NAN`. Python's containers compare by identity first, so NaN
   equals NaN everywhere from here on.
3. What has no JSON form is refused with its type and place, never rendered with `str`. Which type has
   which is the table in `shapes`; `document` applies it, and is loaded when the first object needs it.
4. Nothing recurses, a document that refers to itself is refused, and so is one that unfolds into more
   than `MAX_CONTAINERS` containers.

| Python | JSON |
|---|---|
| pydantic model, dataclass, attrs class, mapping | object; keys of other types as `json.dumps` has them |
| list, tuple, other sequence | array |
| set, frozenset | `UnorderedList`: an array whose order never counts |
| Enum | its value |
| Decimal, Fraction | number, exact where a float holds it, else kept as Decimal |
| datetime, date, time | ISO 8601 text; timedelta: seconds |
| bytes | base64 text; UUID, path, URL, IP address: text |
| numpy scalar, array; pandas Series | number, array, and dates as above; NA and NaT: null |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fieldwise.core.values import is_json

if TYPE_CHECKING:
    from fieldwise._types import Json


def to_json(value: object) -> Json:
    """Return the JSON value of any supported object; the object itself when it is JSON already.

    Raises:
        Unconvertible: naming the type and the place of what has no JSON form, or a document that
            refers to itself.

    >>> from decimal import Decimal
    >>> to_json({"n": Decimal("1.50"), "who": ("Ada", None)})
    {'n': 1.5, 'who': ['Ada', None]}
    """
    if is_json(value):
        return cast("Json", value)
    from fieldwise.core.conversion.document import Conversion

    return Conversion().run(value)
