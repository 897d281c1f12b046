"""Which Python type has which JSON form: one table, the first row that fits decides.

A row says how to recognise a type, what kind of JSON it is, and how to get at it:

| kind | the row's function returns |
|---|---|
| ATOM | text, a number or null, ready |
| AGAIN | another Python object, to be looked up in the table in its turn |
| OBJECT | a mapping |
| ARRAY, SET | an iterable |

Types of other packages are recognised by name or by what their class defines, so nothing is imported
for them. Attributes are looked for on the class: a mock has every attribute one asks of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from enum import Enum
from typing import Any, Final, TypeAlias

from fieldwise.core.values import NAN, PLAIN, UnorderedList, number


class Kind(Enum):
    """What kind of JSON a row of the table makes."""

    ATOM = "atom"
    AGAIN = "again"
    OBJECT = "object"
    ARRAY = "array"
    SET = "set"


ATOM: Final = Kind.ATOM
AGAIN: Final = Kind.AGAIN
OBJECT: Final = Kind.OBJECT
ARRAY: Final = Kind.ARRAY
SET: Final = Kind.SET

Row: TypeAlias = tuple[Callable[[Any], bool], Kind, Callable[[Any], Any]]

_MOST_TURNS: Final = 16
_WIDE: Final = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN)


def shape(value: Any) -> tuple[Kind | None, Any]:
    """Return the kind of JSON a value is, never AGAIN, and its plain form; None when it has none.

    >>> shape({1, 2})[0], shape(3.5), shape(object())
    (<Kind.SET: 'set'>, (<Kind.ATOM: 'atom'>, 3.5), (None, None))
    """
    for _ in range(_MOST_TURNS):
        if type(value) in PLAIN:
            return ATOM, value
        row = next((row for row in _ROWS if row[0](value)), None)
        if row is None:
            return None, None
        _, kind, plain = row
        value = plain(value)
        if kind is not AGAIN:
            return kind, value
    return None, None


def _is(*kinds: Any) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


def _has(*names: str) -> Callable[[object], bool]:
    return lambda value: all(hasattr(type(value), name) for name in names)


def _named(*names: str) -> Callable[[object], bool]:
    """Match by module and class name anywhere in the class tree."""
    wanted = frozenset(names)
    return lambda value: any(
        f"{base.__module__}.{base.__qualname__}" in wanted for base in type(value).__mro__
    )


def _float(value: float) -> float:
    return float.__float__(value) if value == value else NAN  # noqa: PLR0124


def _fraction(value: Any) -> Any:
    """The nearest float, or a decimal of 50 digits where a float would overflow or vanish."""
    if value.denominator == 1:
        return value.numerator
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        nearest = 0.0
    if nearest:
        return nearest
    return number(_WIDE.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _fields(value: Any) -> dict[str, Any]:
    import dataclasses

    names = [field.name for field in dataclasses.fields(value)]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _attrs(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in type(value).__attrs_attrs__}


def _base64(value: Any) -> str:
    import base64

    return base64.b64encode(bytes(value)).decode("ascii")


def _numpy(value: Any) -> Any:
    """The plain form of a numpy scalar or array, of a tensor, of a pandas Series."""
    dtype = getattr(value.dtype, "kind", "")
    if dtype in ("M", "m") and type(value).__module__.partition(".")[0] == "numpy":
        return _numpy_time(value, dtype)
    plain = value.tolist()
    if type(plain) is type(value):  # a long double stays what it is
        return Decimal(str(value))
    return plain


def _numpy_time(value: Any, dtype: str) -> Any:
    """Dates and durations; finer units than Python's own come as integers from `tolist`."""
    if value.ndim:
        return list(value)
    plain = value.tolist()
    if type(plain) is not int:
        return plain
    if dtype == "M":
        whole, _, part = str(value).partition(".")
        part = part.rstrip("0")
        return f"{whole}.{part:0<6}" if part else whole
    import numpy as np

    unit, count = np.datetime_data(value.dtype)
    if unit not in _SUBSECONDS:
        raise ValueError(f"a duration in units of {unit!r} has no length in seconds")
    return Decimal(plain * count).scaleb(_SUBSECONDS[unit], _WIDE)


_SUBSECONDS: Final = {"ns": -9, "ps": -12, "fs": -15, "as": -18}


_ROWS: Final[tuple[Row, ...]] = (
    (lambda value: type(value) is float, ATOM, _float),
    (lambda value: type(value) is dict, OBJECT, lambda value: value),
    (_is(UnorderedList), SET, lambda value: value),
    (_named("pandas._libs.missing.C_NAType", "pandas._libs.tslibs.nattype._NaT"), ATOM, lambda _: None),
    (_is(Enum), AGAIN, lambda value: value.value),
    (_has("tolist", "dtype"), AGAIN, _numpy),
    (_is(str), ATOM, str.__str__),
    (_is(int), ATOM, int.__int__),
    (_is(float), ATOM, _float),
    (_is(Decimal), ATOM, number),
    (_named("fractions.Fraction"), ATOM, _fraction),
    (_has("model_dump", "__pydantic_fields__"), AGAIN, lambda value: value.model_dump(warnings=False)),
    (_named("pydantic.v1.main.BaseModel"), AGAIN, lambda value: value.dict()),
    (_is(Mapping, dict), OBJECT, lambda value: value),
    (_is(list, tuple), ARRAY, lambda value: value),
    (_is(AbstractSet), SET, lambda value: value),
    (_has("model_dump"), AGAIN, lambda value: value.model_dump()),
    (_has("__dataclass_fields__"), OBJECT, _fields),
    (_has("__attrs_attrs__"), OBJECT, _attrs),
    (_named("datetime.date", "datetime.time"), ATOM, lambda value: value.isoformat()),
    (_named("datetime.timedelta"), AGAIN, lambda value: value.total_seconds()),
    (_named("uuid.UUID", "pathlib.PurePath", "pathlib._local.PurePath"), ATOM, str),
    (_named("ipaddress._IPAddressBase", "collections.UserString"), ATOM, str),
    (_named("pydantic.networks._BaseUrl", "pydantic_core._pydantic_core.Url"), ATOM, str),
    (_is(bytes, bytearray, memoryview), ATOM, _base64),
    (_is(Sequence), ARRAY, lambda value: value),
)
