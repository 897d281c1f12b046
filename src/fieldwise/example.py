"""`Example`: one unit of data to evaluate, in the eight fields that judgeval gives it.

What belongs here: the fields, their types, and the two spellings of their names. What other products make
of them is `integrations.examples`; how a run reads them as records is `run`.

Rules of this module:
1. Every field may be left out; None is left out.
2. An `Example` keeps copies of the containers it is given, and gives copies with `to_dict`. The lists and
   objects that its attributes hold are its own: it cannot be assigned to, and is not hashable.
3. A wrong type is an `InputError` when it is made, naming the field, the value and what is accepted.
   Values inside `input` and `additional_metadata` may be anything.
"""

from __future__ import annotations

import copy
import inspect
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final

from fieldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_SHOWN: Final = 60
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHOWN
_SHORT.maxlist = _SHORT.maxdict = _SHORT.maxtuple = 3
_SHORT.maxlevel = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Example:
    """One unit of data: what a system was given, what it answered, and what it should have.

    Attributes:
        input: what the system was given: text, or an object.
        actual_output: what it answered: text, or a list of texts. A structured answer is its JSON text.
        expected_output: what it should have answered.
        retrieval_context: the texts that it retrieved, from a vector database say.
        context: the texts that it was supplied with as ground truth.
        tools_called: the names of the tools that it called, in order.
        expected_tools: the names of the tools that it should have called.
        additional_metadata: anything else, by name.

    Raises:
        InputError: for a value of another type, or a field that does not exist, with the nearest name.

    Example:
        >>> example = Example(input="Capital of France?", actual_output="Paris", tools_called=["search"])
        >>> example
        Example(input='Capital of France?', actual_output='Paris', tools_called=['search'])
        >>> Example.from_dict(example.to_dict()) == example
        True
    """

    input: str | dict[str, Any] | None = None
    actual_output: str | list[str] | None = None
    expected_output: str | list[str] | None = None
    retrieval_context: list[str] | None = None
    context: list[str] | None = None
    tools_called: list[str] | None = None
    expected_tools: list[str] | None = None
    additional_metadata: dict[str, Any] | None = None

    __hash__: ClassVar[None] = None  # type: ignore[assignment]
    __signature__: ClassVar[inspect.Signature]

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuse fields that do not exist, before anything else is looked at."""
        for name in given:
            if name not in FIELDS:
                raise InputError(f"Example has no field {name!r}{_meant(name, FIELDS)}")
        return object.__new__(cls)

    def __post_init__(self) -> None:
        """Check each field, and keep a copy of it."""
        for name, kinds in FIELDS.items():
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _checked(name, value, kinds))

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Make an example of a mapping from field to value, in snake_case or camelCase.

        Raises:
            InputError: for what is no mapping, a field that does not exist or is given in both spellings,
                and a wrong type.

        >>> Example.from_dict({"actualOutput": "Paris"})
        Example(actual_output='Paris')
        """
        if not isinstance(fields, Mapping):
            raise InputError(f"an Example is made of a mapping from field to value, not of {_kind(fields)}")
        given: dict[str, Any] = {}
        for spelled, value in fields.items():
            name = CAMEL.get(spelled, spelled)
            if name not in FIELDS:
                raise InputError(f"Example has no field {spelled!r}{_meant(spelled, [*FIELDS, *CAMEL])}")
            if name in given:
                raise InputError(f"{name} is given in both spellings: leave one out")
            given[name] = value
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that are set, in snake_case, as copies.

        >>> Example(context=["a"]).to_dict()
        {'context': ['a']}
        """
        return {name: _copied(value) for name in FIELDS if (value := getattr(self, name)) is not None}

    def __repr__(self) -> str:
        """Show the fields that are set, long ones cut."""
        given = [(name, getattr(self, name)) for name in FIELDS]
        shown = ", ".join(f"{name}={_short(value)}" for name, value in given if value is not None)
        return f"{type(self).__name__}({shown})"


# ------------------------------------------------------------------------------------------- fields

_TEXT: Final = "text"
_TEXTS: Final = "a list of texts"
_OBJECT: Final = "a dict with text keys"

_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "input": (_TEXT, _OBJECT),
    "actual_output": (_TEXT, _TEXTS),
    "expected_output": (_TEXT, _TEXTS),
    "additional_metadata": (_OBJECT,),
}
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    one.name: _KINDS.get(one.name, (_TEXTS,)) for one in fields(Example)
}
"""Field to what it may be, in words."""

CAMEL: Final = {
    first + "".join(word.title() for word in rest): name
    for name in FIELDS
    for first, *rest in [name.split("_")]
    if rest
}
"""The camelCase names of the fields that have one, to the field."""

_INIT: Final = inspect.signature(Example.__init__)
Example.__signature__ = inspect.Signature([_INIT.parameters[name] for name in FIELDS])
# else that of `__new__`, which takes anything

PARTS: Final = {"inputs": "input", "outputs": "actual_output", "reference_outputs": "expected_output"}
"""A part of a record to the field that an example has it in."""


def spellings(name: str) -> tuple[str, ...]:
    """Return the names under which a field may stand in a mapping.

    >>> spellings("tools_called"), spellings("input")
    (('tools_called', 'toolsCalled'), ('input',))
    """
    return (name, *(camel for camel, one in CAMEL.items() if one == name))


# ------------------------------------------------------------------------------------------ checking


def _checked(name: str, value: Any, kinds: tuple[str, ...]) -> Any:
    """Return a field's value with its containers copied, and text as plain text."""
    try:
        return _read(name, value, kinds)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{name}: cannot be read: it raises {type(error).__name__}") from error


def _read(name: str, value: Any, kinds: tuple[str, ...]) -> Any:
    if _TEXT in kinds and isinstance(value, str):
        return str.__str__(value)
    if _OBJECT in kinds and isinstance(value, Mapping):
        wrong = next((key for key in value if not isinstance(key, str)), None)
        if wrong is not None:
            raise InputError(f"{name}: the key {_short(wrong)} is {_kind(wrong)}; keys must be text")
        return _copied(dict(value))
    if _TEXTS in kinds and isinstance(value, list | tuple):
        for at, one in enumerate(value):
            if not isinstance(one, str):
                raise InputError(f"{name}[{at}]={_short(one)}: must be text, not {_kind(one)}")
        return [str.__str__(one) for one in value]
    fix = _fix(name, value, kinds)
    raise InputError(f"{name}={_short(value)}: must be {' or '.join(kinds)}, not {_kind(value)}{fix}")


def _fix(name: str, value: Any, kinds: tuple[str, ...]) -> str:
    if isinstance(value, str) and _TEXTS in kinds:
        return f"; for one write [{_short(value)}]"
    if isinstance(value, Mapping) and name.endswith("output"):
        return "; pass a structured answer as text, json.dumps(…)"
    return ""


def _copied(value: Any) -> Any:
    """Copy dicts and lists, however deep and whatever refers to itself; other values by `copy.deepcopy`.

    What cannot be copied, such as a lock, is kept as it is.
    """
    done: dict[int, Any] = {}
    holder: list[Any] = [value]
    stack: list[Any] = [holder]
    while stack:
        into = stack.pop()
        for at, one in list(into.items() if isinstance(into, dict) else enumerate(into)):
            if type(one) is not dict and type(one) is not list:
                into[at] = one if isinstance(one, str | int | float) else _leaf(one)
                continue
            if id(one) not in done:
                done[id(one)] = one.copy()
                stack.append(done[id(one)])
            into[at] = done[id(one)]
    return holder[0]


def _leaf(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # noqa: BLE001 - whatever an object raises, it cannot be copied
        return value


def _short(value: Any) -> str:
    try:
        shown = _SHORT.repr(value)
    except Exception:  # noqa: BLE001 - a repr may raise anything
        shown = f"<{type(value).__name__}>"
    return shown.replace("\n", " ")


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    names = (
        (bool, "a bool"),
        (str, "text"),
        (Mapping, "a dict"),
        (list, "a list"),
        (int | float, "a number"),
    )
    return next((word for kind, word in names if isinstance(value, kind)), f"a {type(value).__name__}")


def _meant(name: object, known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(str(name)[:_SHOWN], known, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else f"; its fields: {', '.join(FIELDS)}"
