"""Python objects to JSON values: the one place that knows what a model, a date or a set looks like.

Rules of the module:

1. A value that is JSON already is returned as it is, not copied: the common case is one scan.
2. Every NaN becomes the one object `NAN`. Python's containers compare by identity first, so NaN
   equals NaN everywhere from here on.
3. What has no JSON form is refused with its type and place, never rendered with `str`.

| Python | JSON |
|---|---|
| pydantic model, dataclass, attrs class, mapping | object |
| list, tuple, other sequence | array |
| set, frozenset | `UnorderedList`: an array whose order never counts |
| Enum | its value |
| Decimal, Fraction | number, exact where a float holds it, else kept as Decimal |
| datetime, date, time | ISO 8601 text; timedelta: seconds |
| bytes | base64 text; UUID, path: text |
| numpy scalar, array | number, array |
"""

from __future__ import annotations

import math
from decimal import Decimal
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fieldwise._types import Json

NAN: Final = math.nan
MAX_CONTAINERS: Final = 2_000_000
MAX_EXPONENT: Final = 4_000
_PLAIN: Final = frozenset({str, int, bool, NoneType})


class UnorderedList(list[Any]):
    """A JSON array that came from a set: compared without regard to order."""

    __slots__ = ()


class Unconvertible(ValueError):
    """A Python object with no JSON form; its text says which and where."""


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
    try:
        return _convert(value, "$")
    except RecursionError:
        msg = "nested too deep for a value that is not plain JSON"
        raise Unconvertible(msg) from None


def is_json(root: object) -> bool:
    """Whether a value consists of plain JSON types only, each NaN being `NAN` itself."""
    kind = type(root)
    if kind in _PLAIN or (kind is float and (root == root or root is NAN)):  # noqa: PLR0124
        return True
    if kind is not dict and kind is not list:
        return False
    stack: list[Any] = [root]
    seen = 0
    while stack:
        container = stack.pop()
        seen += 1
        if seen > MAX_CONTAINERS:
            msg = f"refers to itself, or holds more than {MAX_CONTAINERS:,} containers"
            raise Unconvertible(msg)
        if type(container) is dict:
            for name in container:
                if type(name) is not str:
                    return False
            container = container.values()
        for item in container:
            kind = type(item)
            if kind in _PLAIN:
                continue
            if kind is float:
                if item != item and item is not NAN:  # noqa: PLR0124
                    return False
            elif kind is dict or kind is list:
                stack.append(item)
            else:
                return False
    return True


def number(value: Decimal) -> Json:
    """Return an exact decimal as int or float where one holds it exactly, else unchanged."""
    if value.is_nan():
        return NAN
    if value.is_infinite():
        return math.inf if value > 0 else -math.inf
    if abs(value.adjusted()) > MAX_EXPONENT:
        return value if value else 0
    if value == value.to_integral_value():
        return int(value)
    nearest = float(value)
    return nearest if Decimal(repr(nearest)) == value else value


def _convert(value: Any, where: str) -> Json:
    kind = type(value)
    if kind in _PLAIN:
        return cast("Json", value)
    if kind is float:
        return value if value == value else NAN  # noqa: PLR0124
    for test, convert in _RULES:
        if test(value):
            return convert(value, where)
    msg = f"{kind.__module__}.{kind.__qualname__} at {where} has no JSON form; convert it first"
    raise Unconvertible(msg)


def _mapping(value: Any, where: str) -> Json:
    members: dict[str, Json] = {}
    for key, item in value.items():
        name = key if type(key) is str else _name(key, where)
        if name in members:
            msg = f"two members of {where} are both named {name!r} in JSON"
            raise Unconvertible(msg)
        members[name] = _convert(item, f"{where}.{name}")
    return members


def _name(key: object, where: str) -> str:
    value = _convert(key, f"a key of {where}")
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        msg = f"a key of {where} is a {type(key).__qualname__}; JSON names are text"
        raise Unconvertible(msg)
    import json

    return json.dumps(value, default=str)


def _sequence(value: Iterable[Any], where: str) -> Json:
    return [_convert(item, f"{where}[{index}]") for index, item in enumerate(value)]


def _set(value: Any, where: str) -> Json:
    from fieldwise.core.equality import canonical

    return UnorderedList(sorted((_convert(item, where) for item in value), key=canonical))


def _fields(value: Any, where: str) -> Json:
    import dataclasses

    names = (field.name for field in dataclasses.fields(value))
    return _mapping({name: getattr(value, name) for name in names}, where)


def _attrs(value: Any, where: str) -> Json:
    return _mapping({field.name: getattr(value, field.name) for field in value.__attrs_attrs__}, where)


def _numpy(value: Any, where: str) -> Json:
    plain = value.tolist()
    if type(plain) is type(value):
        msg = f"{type(value).__module__}.{type(value).__qualname__} at {where} has no JSON form"
        raise Unconvertible(msg)
    return _convert(plain, where)


def _base64(value: Any, _where: str) -> Json:
    import base64

    return base64.b64encode(bytes(value)).decode("ascii")


def _fraction(value: Any, _where: str) -> Json:
    return int(value) if value.denominator == 1 else value.numerator / value.denominator


def _kind_named(*names: str) -> Callable[[object], bool]:
    """Match by module and class name anywhere in the class tree: nothing has to be imported for it."""
    wanted = frozenset(names)

    def test(value: object) -> bool:
        return any(f"{base.__module__}.{base.__qualname__}" in wanted for base in type(value).__mro__)

    return test


_RULES: Final[tuple[tuple[Callable[[Any], bool], Callable[[Any, str], Json]], ...]] = (
    (_kind_named("enum.Enum"), lambda value, where: _convert(value.value, where)),
    (lambda value: hasattr(value, "tolist") and hasattr(value, "dtype"), _numpy),
    (lambda value: isinstance(value, str), lambda value, _: str.__str__(value)),
    (lambda value: isinstance(value, int), lambda value, _: int(value)),
    (lambda value: isinstance(value, float), lambda value, where: _convert(float(value), where)),
    (lambda value: isinstance(value, Decimal), lambda value, _: number(value)),
    (_kind_named("fractions.Fraction"), _fraction),
    (_kind_named("collections.abc.Mapping", "builtins.dict"), _mapping),
    (lambda value: isinstance(value, list | tuple), _sequence),
    (lambda value: isinstance(value, set | frozenset), _set),
    (lambda value: hasattr(type(value), "model_dump"), lambda value, where: _convert(value.model_dump(), where)),
    (lambda value: hasattr(type(value), "__dataclass_fields__"), _fields),
    (lambda value: hasattr(type(value), "__attrs_attrs__"), _attrs),
    (_kind_named("datetime.date", "datetime.time"), lambda value, _: value.isoformat()),
    (_kind_named("datetime.timedelta"), lambda value, where: _convert(value.total_seconds(), where)),
    (_kind_named("uuid.UUID", "pathlib.PurePath"), lambda value, _: str(value)),
    (lambda value: isinstance(value, bytes | bytearray | memoryview), _base64),
    (_kind_named("collections.abc.Sequence", "collections.deque", "collections.abc.Set"), _sequence),
)
