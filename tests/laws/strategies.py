"""Documents, options and judges for the laws: small pools, so that values meet, and every odd corner."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from hypothesis import strategies as st

from fieldwise import by_key
from fieldwise.comparators import number
from fieldwise.core.flow import Answer, JudgeRequest, Verdict
from fieldwise.errors import JudgeError, Unreadable

ODD_KEYS: Final = [
    "a", "b", "c", "a.b", "", ".", "$", "$.a", "[*]", "a[*]", "[0]", "0", "-1", "/", "/a", "~1", "'", "\\",
    '"', " ", "\n", "\x00", "ß", "日本", "🙂", "__proto__", "__class__", "output", "p#2",
    "average", "all", "#",
]  # fmt: skip
BIG: Final = 2**53
NUMBERS: Final[list[Any]] = [
    0, -0.0, 1, 1.0, -1, 2, 0.1, 0.1 + 0.2, 0.3, BIG, BIG + 1, float(BIG), 10**30, 1e30, 10**400,
    -(10**400), 5e-324, 1.7e308, float("nan"), float("inf"), float("-inf"),
    Decimal("1e999"), Decimal("0.1000000000000000055"),
]  # fmt: skip
TEXTS: Final = [
    "", "a", "A", "b", "1", "1.0", "true", "null", "NaN", " ", "ß", "\x00", "\ud800", "</Outputs>", "x" * 500,
    "{", "[", "```", "<think>", "1e999999999", "９",
]  # fmt: skip

keys = st.sampled_from(ODD_KEYS)
few_keys = st.sampled_from(["a", "b", "c", "a.b"])
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(NUMBERS),
    st.sampled_from(TEXTS),
    st.integers(-3, 3),
    st.floats(),
    st.text(max_size=5),
)
few_leaves = st.sampled_from([None, True, False, 0, 1, 1.0, 2, "1", "x", "y", float("nan")])


def _grown(atoms: st.SearchStrategy[Any], names: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(names, inner, max_size=4),
            st.lists(inner, max_size=4),
        ),
        max_leaves=12,
    )


json_values = _grown(leaves, keys)
"""Any JSON value, the odd ones first."""

small_values = _grown(few_leaves, few_keys)
"""JSON values of a small pool: parts of two of them are often equal."""

records = st.dictionaries(keys, json_values, max_size=5)
small_records = st.dictionaries(few_keys, small_values, max_size=4)
flat_records = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0, 1, True, "x"]), max_size=4)
elements = st.one_of(flat_records, flat_records, few_leaves, st.lists(few_leaves, max_size=2))
element_lists = st.lists(elements, max_size=5)
documents = st.one_of(records, st.lists(st.one_of(records, json_values), max_size=4), json_values)
small_documents = st.one_of(
    small_records, st.lists(st.one_of(small_records, small_values), max_size=4), small_values
)


@st.composite
def deep_values(draw: st.DrawFn) -> Any:
    """A value nested far deeper than the interpreter's stack."""
    value = draw(few_leaves)
    wrap = draw(
        st.sampled_from([lambda inner: [inner], lambda inner: {"a": inner}, lambda inner: [{"a": inner}]])
    )
    for _ in range(draw(st.sampled_from([70, 300, 1_100, 3_000]))):
        value = wrap(value)
    return value


# ------------------------------------------------------------------------------------------- python


class Opaque:
    """An object without a JSON form."""


class Hostile:
    """An object that will not even be looked at."""

    def __str__(self) -> str:
        raise RuntimeError("no str")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no eq")

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "Hostile()"


@dataclass
class Thing:
    """A dataclass of whatever value."""

    value: Any = None


class Text(str):
    """A subclass of str, as enums and tokens are."""

    __slots__ = ()


def _cycle() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


odd_atoms = st.one_of(
    st.datetimes(),
    st.dates(),
    st.timedeltas(),
    st.decimals(),
    st.fractions(),
    st.binary(max_size=4),
    st.uuids(),
    st.complex_numbers(),
    st.sets(st.integers(0, 3)),
    st.frozensets(st.text(max_size=2), max_size=3),
    st.builds(Opaque),
    st.builds(Hostile),
    st.builds(_cycle),
    st.builds(Text, st.text(max_size=3)),
    st.sampled_from(
        [object, Opaque, len, range(3), iter([1]), Decimal("sNaN"), Fraction(1, 3), ..., NotImplemented]
    ),
    st.sampled_from([dt.UTC, uuid.UUID(int=1), memoryview(b"ab"), bytearray(b"c"), 1j]),
)
python_values = st.recursive(
    st.one_of(leaves, odd_atoms),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(keys, st.integers(0, 2), st.none(), st.booleans()), inner, max_size=3),
        st.builds(Thing, inner),
    ),
    max_leaves=8,
)


def as_text(value: Any) -> str:
    """A document as a model would write it; what `json` cannot write becomes text."""
    return json.dumps(value, default=str, skipkeys=True)


@st.composite
def model_text(draw: st.DrawFn) -> str:
    """What a model may say: JSON, damaged, wrapped, cut or doubled, or no JSON at all."""
    text = draw(st.one_of(st.text(max_size=20), small_documents.map(as_text)))
    wrap = draw(
        st.sampled_from(
            ["{}", "```json\n{}\n```", "Sure: {} Done.", "<think>{}</think>{}", "{}{}", "~~~\n{}", "\ufeff{}"]
        )
    )
    text = wrap.replace("{}", text)
    return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text


anything = st.one_of(documents, small_documents, model_text(), python_values)
"""Whatever a framework may hand over."""

# ------------------------------------------------------------------------------------------ options


def half(expected: Any, actual: Any) -> float:
    """A comparator of a user: everything is half right."""
    return 0.5


def fussy(expected: Any, actual: Any) -> bool:
    """A comparator that reads text only."""
    if not isinstance(expected, str) or not isinstance(actual, str):
        raise Unreadable("not text")
    return expected.casefold() == actual.casefold()


COMPARATORS: Final[list[Mapping[str, Any]]] = [
    {},
    {"$": number(relative=0.1)},
    {"$": "string_similarity"},
    {"a": half},
    {"a.b": fussy, "b": "number"},
    {"a[*].b": half, "$['']": half},
    {"$": half, "a": "exact"},
]
LISTS: Final[list[Mapping[str, Any]]] = [
    {},
    {"a": "same_elements"},
    {"a": by_key("a"), "b": by_key("b", "c")},
    {"a": "subset", "b": "superset"},
    {"a": "same_elements", "a[*].b": "same_elements", "b": "ordered"},
]
EXCLUDED: Final = [[], ["b"], ["a.b"], ["/a/0", "$['']", "[*]"], ["a", "b", "c"]]
WEIGHTS: Final[list[Mapping[str, float]]] = [{}, {"a": 0}, {"a": 2.5, "b": 0.1}, {"a.b": 3}, {"$": 0}]


def options(
    *, modes: tuple[Any, ...] = ("ordered", "same_elements", "subset", "superset", by_key("a")), **fixed: Any
) -> Any:
    """Options of json_match in all combinations, but for those fixed."""
    choices: dict[str, Any] = {
        "aggregator": st.sampled_from([None, "average", "all"]),
        "list_aggregator": st.sampled_from(["average", "all"]),
        "list_match_mode": st.sampled_from(modes),
        "depth": st.sampled_from(["keys", "leaves"]),
        "comparators": st.sampled_from(COMPARATORS),
        "lists": st.sampled_from(LISTS),
        "exclude_keys": st.sampled_from(EXCLUDED),
        "weights": st.sampled_from(WEIGHTS),
        "null_policy": st.sampled_from(["distinct", "null_equals_missing", "empty_equals_null"]),
        "coerce": st.booleans(),
    }
    return st.fixed_dictionaries({**choices, **{name: st.just(value) for name, value in fixed.items()}})


PLAIN: Final[dict[str, Any]] = {
    "comparators": {},
    "lists": {},
    "exclude_keys": [],
    "weights": {},
    "null_policy": "distinct",
    "coerce": False,
}
"""The options that say nothing."""

# ------------------------------------------------------------------------------------------- judges

GOOD: Final[list[Any]] = [True, False, {"score": True, "reasoning": "r"}, {"score": False}, Answer(True, "r")]
BAD: Final[list[Any]] = [
    "true", "false", 0, 1, 0.5, 7, None, float("nan"), 10**400, [True], {}, {"score": None},
    {"score": "true"},
    {"score": 1}, {"scores": True}, {"score": {"score": True}}, Answer(0.5), Opaque(), Hostile(),
    b"\xff", "\ud800",
]  # fmt: skip
USAGES: Final[list[Any]] = [
    None, {}, {"tokens": 7, "cost": 0.1}, {"tokens": float("nan")}, {"tokens": float("inf")},
    {"tokens": 10**400}, {"cost": 10**400, "tokens": True},
    {"tokens": "7", 3: 4, "x": Opaque()}, [1], "usage",
]  # fmt: skip
MISSED: Final = object()


@dataclass
class ScriptedJudge:
    """Answers each question of each attempt from a script; a whole reply may be something else.

    Attributes:
        script: per attempt, the answers given in turn to its questions; MISSED leaves one out.
        spoiled: per attempt, what is returned or raised instead of a mapping; MISSED for nothing.
        usage: None returns a plain mapping; anything else a Verdict with that usage in a list of one.
    """

    script: list[list[Any]]
    spoiled: list[Any]
    usage: Any = None
    asked: list[JudgeRequest] = field(default_factory=list)

    def __call__(self, request: JudgeRequest) -> Any:
        self.asked.append(request)
        spoiled = self.spoiled[request.attempt - 1]
        if isinstance(spoiled, Exception):
            raise spoiled
        if spoiled is not MISSED:
            return spoiled
        answers: dict[Any, Any] = {"nobody asked": True, 7: False}
        for question in request.questions:
            answer = self.answer(question.id, request.attempt)
            if answer is not MISSED:
                answers[question.id] = answer
        return answers if self.usage is None else Verdict(answers, self.usage[0])

    def answer(self, identity: str, attempt: int) -> Any:
        """The scripted answer to one question."""
        script = self.script[attempt - 1]
        return script[sum(identity.encode("utf-8", "surrogatepass")) % len(script)]

    def expected(self, identity: str) -> bool | None:
        """What has to come of a question: its score, or None for a judge_error."""
        for attempt in (1, 2):
            if self.spoiled[attempt - 1] is not MISSED:
                return None
            answer = self.answer(identity, attempt)
            if any(answer is good for good in GOOD):
                return _score(answer)
        return None

    def again(self) -> ScriptedJudge:
        """The same judge, not asked yet."""
        return ScriptedJudge(self.script, self.spoiled, self.usage)


def _score(answer: Any) -> bool:
    if isinstance(answer, dict):
        answer = answer["score"]
    return bool(answer.score if isinstance(answer, Answer) else answer)


_answers = st.lists(st.sampled_from([*GOOD, *GOOD, *BAD, MISSED]), min_size=1, max_size=5)
_whole = st.sampled_from(
    [MISSED] * 12 + ["prose", None, 7, [], True, ValueError("down"), JudgeError("limit"), TimeoutError()]
    + [Verdict(None), Verdict("x"), iter(())]  # type: ignore[arg-type]
)  # fmt: skip
judges = st.builds(
    ScriptedJudge,
    script=st.tuples(_answers, _answers).map(list),
    spoiled=st.tuples(_whole, _whole).map(list),
    usage=st.one_of(st.none(), st.sampled_from(USAGES).map(lambda usage: [usage])),
)

Judge = Callable[[JudgeRequest], Any]
