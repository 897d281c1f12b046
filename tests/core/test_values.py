"""What each Python type becomes, what is refused and with which words, and what hostile objects do."""

from __future__ import annotations

import collections
import collections.abc
import copy
import dataclasses
import datetime as dt
import enum
import ipaddress
import math
import pathlib
import types
import uuid
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple
from unittest.mock import MagicMock

import attrs
import numpy as np
import pandas as pd
import pydantic
import pydantic.dataclasses
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from fieldwise.core import values
from fieldwise.core.conversion import to_json
from fieldwise.core.equality import arrange, equal
from fieldwise.core.values import NAN, Unconvertible, UnorderedList, is_json, number
from tests.core.documents import VALUES, dag_bomb, nested_lists, nested_objects


class Colour(enum.Enum):
    RED = "red"
    PAIR = (1, 2)


class Level(enum.IntEnum):
    HIGH = 3


class Mode(enum.StrEnum):
    FAST = "fast"


class Right(enum.Flag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Point:
    kind: ClassVar[str] = "point"
    x: int
    y: float = dataclasses.field(default=1.5, repr=False)


@dataclasses.dataclass(slots=True)
class Slotted:
    inner: Point
    late: int = dataclasses.field(init=False)


@attrs.define
class Part:
    sku: str
    tags: tuple[str, ...] = ()


class Pair(NamedTuple):
    left: int
    right: str


class Line(pydantic.BaseModel):
    price: Decimal
    when: dt.date | None = None


class Receipt(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(populate_by_name=True)
    total_price: Decimal = pydantic.Field(alias="totalPrice")
    lines: list[Line] = []
    seen: set[str] = set()
    site: pydantic.HttpUrl | None = None


class Tags(pydantic.RootModel[list[int]]):
    pass


@pydantic.dataclasses.dataclass
class Checked:
    n: int


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "not the text"


class Whole(int):
    def __int__(self) -> int:
        return 99


class Real(float):
    pass


class Words(collections.abc.Sequence[str]):
    def __getitem__(self, index: Any) -> Any:
        return ["a", "b"][index]

    def __len__(self) -> int:
        return 2


class Dumps:
    def model_dump(self) -> dict[str, Any]:
        return {"dumped": (1,)}


UTC = dt.UTC
CONVERTED: list[tuple[str, Any, Any]] = [
    ("tuple", (1, ("a", None)), [1, ["a", None]]),
    ("named tuple", Pair(1, "r"), [1, "r"]),
    ("deque", collections.deque([1, 2]), [1, 2]),
    ("range", range(3), [0, 1, 2]),
    ("own sequence", Words(), ["a", "b"]),
    ("set", {3, 1, 2}, [1, 2, 3]),
    ("frozenset in a tuple", (frozenset({"b", "a"}),), [["a", "b"]]),
    ("keys of a dict", {"b": 1, "a": 2}.keys(), ["a", "b"]),
    ("OrderedDict", collections.OrderedDict(b=1, a=(2,)), {"b": 1, "a": [2]}),
    ("defaultdict", collections.defaultdict(list, {"a": [1]}), {"a": [1]}),
    ("mapping proxy", types.MappingProxyType({"a": 1}), {"a": 1}),
    ("UserDict", collections.UserDict({"a": (1,)}), {"a": [1]}),
    ("UserString", collections.UserString("ab"), "ab"),
    ("Enum", Colour.RED, "red"),
    ("Enum of a tuple", Colour.PAIR, [1, 2]),
    ("IntEnum", Level.HIGH, 3),
    ("StrEnum", Mode.FAST, "fast"),
    ("Flag", Right.READ | Right.WRITE, 3),
    ("str subclass", Text("text"), "text"),
    ("int subclass", Whole(5), 5),
    ("float subclass", Real(2.5), 2.5),
    ("list subclass", UnorderedList([1]), [1]),
    ("Decimal", Decimal("1.50"), 1.5),
    ("whole Decimal", Decimal("1E+1"), 10),
    ("Decimal as binary", Decimal(0.1), 0.1),  # noqa: RUF032 - meant
    ("long Decimal", Decimal("0.12345678901234567890123"), Decimal("0.12345678901234567890123")),
    ("huge Decimal", Decimal("1E+999999"), Decimal("1E+999999")),
    ("huge zero", Decimal("0E+999999"), 0),
    ("Decimal infinity", Decimal("-Infinity"), -math.inf),
    ("Fraction", Fraction(1, 4), 0.25),
    ("whole Fraction", Fraction(6, 2), 3),
    (
        "huge Fraction",
        Fraction(10**5000, 3),
        Decimal("33333333333333333333333333333333333333333333333333E+4950"),
    ),
    ("tiny Fraction", Fraction(1, 10**400), Decimal("1E-400")),
    ("datetime", dt.datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), "2024-01-02T03:04:05+00:00"),
    ("date", dt.date(2024, 1, 2), "2024-01-02"),
    ("time", dt.time(3, 4), "03:04:00"),
    ("timedelta", dt.timedelta(minutes=1, milliseconds=500), 60.5),
    ("bytes", b"\x00\xff", "AP8="),
    ("memoryview", memoryview(b"ab"), "YWI="),
    ("UUID", uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ("path", pathlib.PurePosixPath("a/b"), "a/b"),
    ("IP address", ipaddress.ip_address("::1"), "::1"),
    ("dataclass", Point(1), {"x": 1, "y": 1.5}),
    ("dataclass with slots", Slotted(Point(2, 0.5)), {"inner": {"x": 2, "y": 0.5}}),
    ("attrs", Part("s", ("t",)), {"sku": "s", "tags": ["t"]}),
    ("own model_dump", Dumps(), {"dumped": [1]}),
    ("pydantic dataclass", Checked(1), {"n": 1}),
    ("pydantic root", Tags([1, 2]), [1, 2]),
    ("np.float64", np.float64(1.5), 1.5),
    ("np.float32", np.float32(0.5), 0.5),
    ("np.longdouble", np.longdouble(0.5), 0.5),
    ("np.int64", np.int64(7), 7),
    ("np.bool", np.bool_(True), True),
    ("np.str", np.str_("x"), "x"),
    ("np.bytes", np.bytes_(b"ab"), "YWI="),
    ("0-d array", np.array(3), 3),
    ("array", np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    ("array of objects", np.array([{"a": Decimal(1)}, None], dtype=object), [{"a": 1}, None]),
    ("datetime64 of days", np.datetime64("2024-01-02"), "2024-01-02"),
    ("datetime64 of seconds", np.datetime64("2024-01-02T03:04:05"), "2024-01-02T03:04:05"),
    ("datetime64 of nanoseconds", np.datetime64("2024-01-02T03:04:05", "ns"), "2024-01-02T03:04:05"),
    ("datetime64 with part", np.datetime64("2024-01-02T03:04:05.5", "ns"), "2024-01-02T03:04:05.500000"),
    ("NaT", np.datetime64("NaT"), None),
    ("array of datetime64", np.array(["2024-01-02"], dtype="datetime64[ns]"), ["2024-01-02T00:00:00"]),
    ("timedelta64", np.timedelta64(90, "s"), 90),
    ("timedelta64 of nanoseconds", np.timedelta64(1, "ns"), 1e-9),
    ("pd.Timestamp", pd.Timestamp("2024-01-02"), "2024-01-02T00:00:00"),
    ("pd.Timedelta", pd.Timedelta(minutes=1), 60),
    ("pd.NA", pd.NA, None),
    ("pd.NaT", pd.NaT, None),
    ("pd.Series", pd.Series([1, 2]), [1, 2]),
    ("other keys", {1: "a", 1.5: "b", None: "c"}, {"1": "a", "1.5": "b", "null": "c"}),
    ("bool key", {False: 1}, {"false": 1}),
    ("float key", {1.0: 1}, {"1.0": 1}),
    ("Enum and date keys", {Colour.RED: 1, dt.date(2024, 1, 2): 2}, {"red": 1, "2024-01-02": 2}),
    ("Decimal key", {Decimal("1E+5000"): 1}, {"0x1e5000": 1}),
    ("infinite key", {math.inf: 1}, {"Infinity": 1}),
]


@pytest.mark.parametrize(("value", "expected"), [pytest.param(*row[1:], id=row[0]) for row in CONVERTED])
def test_converts(value: Any, expected: Any) -> None:
    converted = to_json({"here": value})
    assert isinstance(converted, dict)
    assert equal(converted["here"], expected)
    if isinstance(expected, str | bool | Decimal | None):
        assert type(converted["here"]) is type(expected)


def test_pydantic_models_nest_and_keep_what_is_exact() -> None:
    receipt = Receipt(
        totalPrice=Decimal("12.50"),
        lines=[Line(price=Decimal("0.1"), when=dt.date(2024, 1, 2))],
        seen={"b", "a"},
        site=pydantic.HttpUrl("https://example.org/x"),
    )
    assert to_json(receipt) == {
        "total_price": 12.5,
        "lines": [{"price": 0.1, "when": "2024-01-02"}],
        "seen": ["a", "b"],
        "site": "https://example.org/x",
    }


@pytest.mark.skipif(
    "serialize_by_alias" not in pydantic.ConfigDict.__annotations__,
    reason="pydantic before 2.11 knows no such",
)
def test_pydantic_serializes_by_alias_where_it_is_told_to() -> None:
    class Aliased(Receipt):
        model_config = pydantic.ConfigDict(serialize_by_alias=True)

    assert to_json(Aliased(totalPrice=Decimal(1))) == {"totalPrice": 1, "lines": [], "seen": [], "site": None}


def test_pydantic_models_of_the_wrong_content_do_not_warn() -> None:
    assert to_json(Line.model_construct(price="not a number")) == {"price": "not a number", "when": None}


def test_langchain_messages_are_their_fields() -> None:
    message = to_json([HumanMessage("hi")])
    assert isinstance(message, list)
    assert isinstance(message[0], dict)
    assert (message[0]["content"], message[0]["type"]) == ("hi", "human")


def test_json_is_returned_as_it_is() -> None:
    document = {"a": [1, 2.5, "x", None, True, {"b": []}], "n": NAN}
    assert to_json(document) is document


@given(VALUES)
def test_conversion_changes_no_json_value(value: Any) -> None:
    before = copy.deepcopy(value)
    assert equal(to_json((value,)), [to_json(value)])
    assert equal(value, before)


@pytest.mark.parametrize(
    "value", [float("nan"), np.float64("nan"), Decimal("NaN"), Decimal("sNaN"), np.array(np.nan)]
)
def test_every_nan_is_the_one_nan(value: Any) -> None:
    for document in (to_json([value]), to_json({"a": value}), [to_json(value)]):
        found = document["a"] if isinstance(document, dict) else document[0]  # type: ignore[index]
        assert found is NAN


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ("x", True),
        (NAN, True),
        (float("nan"), False),
        ({"a": [NAN]}, True),
        ({"a": [float("nan")]}, False),
        ({1: 2}, False),
        ((1,), False),
        ([Text("x")], False),
        ([UnorderedList()], False),
        ([np.float64(1)], False),
        (Decimal(1), False),
    ],
    ids=repr,
)
def test_is_json(value: Any, plain: bool) -> None:
    assert is_json(value) is plain


class Raises:
    def model_dump(self) -> Any:
        raise RuntimeError("no\nlines")


class Endless:
    @property
    def value(self) -> Any:
        return self

    def model_dump(self) -> Any:
        return Endless()


def _generator() -> Any:
    yield 1


MONTHS = "a duration in units of 'M' has no length in seconds"
METACLASS = "pydantic._internal._model_construction.ModelMetaclass"
NO_FORM = " has no JSON form; convert it first"
REFUSED: list[tuple[str, Any, str]] = [
    ("object", {"a": [1, object()]}, "object at a[1]"),
    ("root", 3j, "complex at $"),
    ("generator", {"rows": _generator()}, "generator at rows"),
    ("function", [len], "builtin_function_or_method at [0]"),
    ("class", {"m": Line}, METACLASS + " at m"),
    ("mock", [MagicMock()], "unittest.mock.MagicMock at [0]"),
    ("secret", {"k": pydantic.SecretStr("x")}, "pydantic.types.SecretStr at k"),
    ("complex array", np.array([1j]), "complex at [0]"),
    ("odd name", {"a b": {"c'd": [1, 2j]}}, "complex at ['a b']['c\\'d'][1]"),
    ("raises", (Raises(),), "!tests.core.test_values.Raises at [0] cannot be read: RuntimeError: no lines"),
    ("never settles", [Endless()], "tests.core.test_values.Endless at [0]"),
    ("months", np.timedelta64(1, "M"), "!numpy.timedelta64 at $ cannot be read: ValueError: " + MONTHS),
    ("tuple as key", {"a": {(1, 2): 3}}, "!a key of a is a tuple; JSON names are text"),
    ("object as key", {object(): 3}, "object at $"),
    ("names collide", {"a": {1: 0, "1": 0}}, "!two members of a are both named '1' in JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "message"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_refuses_with_type_and_place(value: Any, message: str) -> None:
    with pytest.raises(Unconvertible) as caught:
        to_json(value)
    assert str(caught.value) == (message[1:] if message.startswith("!") else message + NO_FORM)


def _self_referring() -> list[Any]:
    plain: list[Any] = []
    plain.append({"a": plain})
    wide: list[Any] = []
    wide.extend([wide] * 1000)
    inner: list[Any] = []
    through_tuple = (inner,)
    inner.append(through_tuple)
    point = Point(1)
    point.x = [point]  # type: ignore[assignment]
    return [plain, wide, through_tuple, point]


@pytest.mark.parametrize("which", range(4))
def test_documents_that_refer_to_themselves_are_refused(which: int) -> None:
    with pytest.raises(Unconvertible) as caught:
        to_json(_self_referring()[which])
    assert str(caught.value) == "the document refers to itself, or holds more than 2,000,000 containers"


@pytest.mark.parametrize("which", range(2))
def test_that_is_seen_long_before_there_are_too_many(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MAX_CONTAINERS", 10**12)  # which takes hours to come to
    with pytest.raises(Unconvertible, match=r"^the document refers to itself"):
        to_json(_self_referring()[which])


def test_a_large_document_does_not_refer_to_itself() -> None:
    leaf: list[Any] = [1]
    document = {"rows": [[leaf] for _ in range(150_000)], "again": leaf}
    assert to_json(document) is document


def test_models_that_refer_to_themselves_are_refused() -> None:
    class Node(pydantic.BaseModel):
        next: Any = None

    node = Node()
    node.next = node
    with pytest.raises(Unconvertible, match=r"^the document refers to itself"):
        to_json(node)


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: (value,)], ids=["plain", "converted"])
def test_what_unfolds_without_end_is_refused(wrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MAX_CONTAINERS", 10_000)
    monkeypatch.setattr("fieldwise.core.conversion.document.MAX_CONTAINERS", 10_000)
    with pytest.raises(Unconvertible):
        to_json(wrap(dag_bomb(50)))
    assert to_json(wrap(dag_bomb(8)))


def test_sets_of_sets_do_not_sort_over_and_over() -> None:
    bomb: Any = frozenset({0})
    for level in range(40):
        bomb = frozenset({bomb, level})
    converted = to_json(bomb)
    assert type(converted) is UnorderedList
    assert equal(converted, to_json(bomb))


@pytest.mark.parametrize("build", [nested_lists, nested_objects])
def test_depth_is_no_limit(build: Any) -> None:
    assert is_json(build(40_000))
    converted = to_json(build(40_000, leaf=(Decimal("1E+1"),)))
    assert equal(converted, build(40_000, leaf=[10]))


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_are_exact(value: Decimal) -> None:
    converted = number(value)
    if isinstance(converted, float):
        assert value in (Decimal(repr(converted)), Decimal(converted))
    else:
        assert converted == value


def test_an_unordered_list_is_put_in_order_again_after_a_change() -> None:
    found = UnorderedList([3, 1, 2])
    arrange(found)
    assert found == [1, 2, 3]
