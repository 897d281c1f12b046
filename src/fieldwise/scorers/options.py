"""Checking options: wrong ones are ConfigErrors naming the option, the value and the fix."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypedDict, TypeVar, Unpack, get_args

from fieldwise._types import ListMode, MultipleJson, NullPolicy, ParseMode, Truncated
from fieldwise.core.align import ByKey
from fieldwise.core.display import nearest, shown, utf8
from fieldwise.core.read import Reader
from fieldwise.core.select import Selector, compile_path
from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError, PathError

T = TypeVar("T")

_MEANT: Final = {
    "same_elements": ("unordered", "any_order", "set", "multiset", "bag"),
    "ordered": ("strict", "index", "sequence"),
    "average": ("mean", "avg"),
    "all": ("min", "every", "and"),
}
"""What people write for a word, where its spelling is nowhere near."""
_GREATEST: Final = sys.float_info.max
BYTES: Final = bytes | bytearray | memoryview
"""Sequences to Python that are no lists of anything here."""


def one_of(option: str, value: T, allowed: Any) -> T:
    """Return the value if it is one of a Literal's; None is listed as `None`.

    Raises:
        ConfigError: naming the nearest allowed value.
    """
    values = tuple(allowed) if isinstance(allowed, tuple) else get_args(allowed)
    if any(value is one or (isinstance(value, str) and value == one) for one in values):
        return value
    words = [one for one in values if isinstance(one, str)]
    close = None
    if isinstance(value, str):
        close = next((one for one in words if value.lower() in _MEANT.get(one, ())), nearest(value, words))
    hint = f"; did you mean {close!r}?" if close else ""
    raise ConfigError(f"{option}={shown(value)}: must be one of {', '.join(map(repr, values))}{hint}")


def list_mode(option: str, value: Any) -> ListMode | ByKey:
    """Return how a list pairs: one of the four words, or what `by_key` made."""
    return value if isinstance(value, ByKey) else one_of(option, value, ListMode)


def flag(option: str, value: Any) -> bool:
    """Return a bool, and nothing that only looks like one."""
    if isinstance(value, bool):
        return value
    raise ConfigError(f"{option}={shown(value)}: must be True or False")


def mapping(option: str, value: Any) -> dict[str, Any]:
    """Return a copy of a mapping with text keys; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{option}={shown(value)}: must be a mapping from path to value, {{'a.b': …}}")
    for key in value:
        if not isinstance(key, str):
            raise ConfigError(f"{option}: the key {shown(key)} must be text, a key or a path")
    return dict(value)


def names(option: str, value: Any) -> list[str]:
    """Return a copy of a list of text; None is empty, and a bare string is refused."""
    if value is None:
        return []
    if isinstance(value, BYTES | str) or not isinstance(value, Sequence | set | frozenset):
        raise ConfigError(
            f"{option}={shown(value)}: must be a list of keys or paths, for one write [{shown(value)}]"
        )
    for one in value:
        if not isinstance(one, str):
            raise ConfigError(f"{option}: {shown(one)} must be text, a key or a path")
    plain = [str.__str__(one) for one in value]
    return sorted(plain) if isinstance(value, set | frozenset) else plain


def texts(option: str, value: Any) -> dict[str, str]:
    """Return a copy of a mapping from path to text."""
    return {key: criterion(f"{option}[{shown(key)}]", one) for key, one in mapping(option, value).items()}


def criterion(option: str, value: Any) -> str:
    """Return text that says what makes a value right."""
    if isinstance(value, str) and value.strip():
        return value
    raise ConfigError(f"{option}={shown(value)}: must be text saying what makes it right")


def weights(option: str, value: Any) -> dict[str, float]:
    """Return a copy of a mapping from path to a finite number of at least 0."""
    return {key: weight(f"{option}[{shown(key)}]", one) for key, one in mapping(option, value).items()}


def weight(option: str, value: Any) -> float:
    """Return a finite number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _GREATEST:
        raise ConfigError(f"{option}={shown(value)}: must be a finite number of at least 0")
    return float(value)


def threshold(option: str, value: Any) -> float:
    """Return a threshold in (0, 1]: at 0 everything would pass."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise ConfigError(f"{option}={shown(value)}: must be a number above 0 and at most 1")
    return float(value)


def text(option: str, value: Any) -> str:
    """Return text that is not empty, and that UTF-8 has."""
    if isinstance(value, str) and value and utf8(value) == value:
        return value
    held = isinstance(value, str) and value
    fix = "must not hold half a character" if held else "must be text, and not empty"
    raise ConfigError(f"{option}={shown(value)}: {fix}")


class NoJudge(ConfigError):
    """Something is to be judged, and nobody judges.

    Attributes:
        problem: what asks for a judge, in words.
    """

    def __init__(self, problem: str, fix: str = "") -> None:
        self.problem = problem
        super().__init__(f"{problem}{fix}")


class NoRubric(NoJudge):
    """The other way round: somebody judges, and nothing is to be judged."""


def judged_as_asked(judge: Any, model: Any, *, asked: bool, given: str, fix: str) -> None:
    """Check that there is a judge exactly when something is to be judged, and one only.

    Args:
        judge: the option of that name.
        model: the option of that name.
        asked: whether there is a rubric.
        given: what asks for a judge, for the message.
        fix: how to name what is judged, for the message.

    Raises:
        ConfigError: for a rubric without a judge, a judge without a rubric, or two judges.
    """
    if asked and judge is None and model is None:
        raise NoJudge(f"{given} is given without a judge", ": pass judge= (a callable) or model= as well")
    if not asked and (judge is not None or model is not None):
        named = "judge" if judge is not None else "model"
        raise NoRubric(f"{named} is given without a rubric: say what it judges", f", {fix}")
    if judge is not None and model is not None and not hasattr(judge, "chat"):  # a client of many models
        raise ConfigError("judge and model are both given: pass one of them")


def judge_given(name: str, judge: Any, model: Any) -> None:
    """Check that there is one judge for an evaluator that cannot do without.

    Raises:
        ConfigError: for none, and for two.
    """
    if judge is None and model is None:
        fix = ": pass judge= (a model, a client or a callable) or model='provider:name'"
        raise NoJudge(f"{name} needs a judge", fix)
    if judge is not None and model is not None and not hasattr(judge, "chat"):  # a client of many models
        raise ConfigError("judge and model are both given: pass one of them")


class Keys(TypedDict, total=False):
    """Which value of each side is meant.

    Attributes:
        outputs_key: the key or path of the value to look at in the outputs.
        correct_answer_key: the same for the reference outputs, else the inputs.
    """

    outputs_key: str | None
    correct_answer_key: str | None


class Parsing(Keys, total=False):
    """How text that holds JSON is read.

    Attributes:
        parse: "lenient" reads JSON in fences and prose and repairs slips; "strict" does not; "off" never.
        multiple_json: which value counts when a text holds several that differ.
        truncated: "closed_fields" credits what was closed before a text was cut off.
    """

    parse: ParseMode
    multiple_json: MultipleJson
    truncated: Truncated


class Target(TypedDict, total=False):
    """Where to look in both sides.

    Attributes:
        target_output_key: "*" for the whole, a path, or a list of paths; the same in a reference that is
            an object.
    """

    target_output_key: str | Sequence[str]


class Values(TypedDict, total=False):
    """How values are read, whatever they came from.

    Attributes:
        null_policy: whether null, no value and empty values are told apart.
        coerce: whether text that is a number or boolean is read as one.
    """

    null_policy: NullPolicy
    coerce: bool


class Reading(Parsing, Values, total=False):
    """How both sides are read."""


KEYS: Final = Shared[Keys](Keys, {"outputs_key": None, "correct_answer_key": None})
PARSING: Final = Shared[Parsing](
    Parsing, {"parse": "lenient", "multiple_json": "error", "truncated": "error"}, KEYS
)
TARGET: Final = Shared[Target](Target, {"target_output_key": "*"})
VALUES: Final = Shared[Values](Values, {"null_policy": "distinct", "coerce": False})
READING: Final = Shared[Reading](Reading, {}, PARSING, VALUES)


def selectors(outputs_key: Any, correct_answer_key: Any) -> tuple[Selector | None, Selector | None]:
    """Return what the two keys select, None for one that is not given."""
    found: list[Selector | None] = []
    for option, key in (("outputs_key", outputs_key), ("correct_answer_key", correct_answer_key)):
        try:
            found.append(None if key is None else compile_path(key))
        except PathError as error:
            raise ConfigError(f"{option}: {error}") from None
    return found[0], found[1]


def reader(**given: Unpack[Reading]) -> Reader:
    """Check the options that say how both sides are read."""
    reading: Any = READING.complete(given)
    outputs_key, correct_answer_key = selectors(reading["outputs_key"], reading["correct_answer_key"])
    return Reader(
        outputs_key=outputs_key,
        correct_answer_key=correct_answer_key,
        parse=one_of("parse", reading["parse"], ParseMode),
        multiple_json=one_of("multiple_json", reading["multiple_json"], MultipleJson),
        truncated=one_of("truncated", reading["truncated"], Truncated),
        coerce=flag("coerce", reading["coerce"]),
        null_policy=one_of("null_policy", reading["null_policy"], NullPolicy),
    )
