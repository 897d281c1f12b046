"""Options that several functions take, said once: types, defaults and words.

A `TypedDict` has their types, and under `Attributes:` in its docstring what each means; a `Shared` adds
their defaults. A function takes them as `**name: Unpack[...]`, which type checkers check, and is decorated
with `.named`: its signature then has every one of them by name, before `feedback_key` where it has that,
and its docstring has their words where it says `name: …` under `Args:`. What a docstring says of an option
itself stands there instead. The function stays the one it is, so a call costs nothing more.
"""

from __future__ import annotations

import re
from inspect import Parameter, cleandoc, signature
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

F = TypeVar("F", bound="Callable[..., Any]")
T = TypeVar("T")

_ENTRY: Final = re.compile(r"^    (\w+): .*(?:\n {5,}.*)*", re.MULTILINE)


class Shared(Generic[T]):
    """Options of a `TypedDict`, with their defaults.

    Args:
        kind: the `TypedDict`.
        defaults: its own members to their defaults.
        bases: what its bases are, in their order, where they are shared as well.

    >>> from typing import TypedDict, Unpack
    >>> class Size(TypedDict, total=False):
    ...     '''How large it is.
    ...
    ...     Attributes:
    ...         width: from left to right.
    ...     '''
    ...
    ...     width: int
    >>> SIZE = Shared(Size, {"width": 80})
    >>> @SIZE.named
    ... def page(title: str, **size: Unpack[Size]) -> Size:
    ...     return SIZE.complete(size)
    >>> page("home"), signature(page).parameters["width"].default
    ({'width': 80}, 80)
    """

    def __init__(self, kind: type[T], defaults: T, *bases: Shared[Any]) -> None:
        own = cast("Mapping[str, Any]", defaults)
        self._name = kind.__name__
        self.defaults: dict[str, Any] = {name: one for base in bases for name, one in base.defaults.items()}
        self.defaults.update(own)
        self.words: dict[str, str] = {name: one for base in bases for name, one in base.words.items()}
        described = cleandoc(kind.__doc__ or "").partition("Attributes:\n")[2]
        self.words.update({found[1]: found[0] for found in _ENTRY.finditer(described)})
        self._parameters = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=self.defaults[name], annotation=_as_written(one))
            for name, one in kind.__annotations__.items()
        ]

    def complete(self, given: Mapping[str, Any]) -> T:
        """Return what was given, and defaults for the rest.

        Raises:
            TypeError: for an option that is none of these.
        """
        for name in given:
            if name not in self.defaults:
                raise TypeError(f"{self._name} has no option {name!r}")
        return cast("T", {**self.defaults, **given})

    def named(self, function: F) -> F:
        """Have a function, whose `**name` these are, show each by its name."""
        own = signature(function)
        *others, rest = own.parameters.values()
        at = next((at for at, one in enumerate(others) if one.name == "feedback_key"), len(others))
        shown: Any = function
        shown.__signature__ = own.replace(parameters=[*others[:at], *self._parameters, *others[at:]])
        if function.__doc__:
            shown.__doc__ = self._described(function.__doc__, rest.name)
        return function

    def _described(self, doc: str, name: str) -> str:
        """A docstring with the words of each option in place of `name: …`."""
        entry = re.search(rf"^( +){name}: .*\n(?:\1 +.*\n)*", doc, re.MULTILINE)
        if entry is None:
            return doc
        indent = entry[1]
        said = set(re.findall(rf"^{indent}(\w+): ", doc, re.MULTILINE))
        lines = [
            f"{indent}{line[4:]}\n"
            for option, text in self.words.items()
            if option not in said
            for line in text.split("\n")
        ]
        return doc[: entry.start()] + "".join(lines) + doc[entry.end() :]


def _as_written(annotation: Any) -> Any:
    """An annotation as a function has it whose module postpones them."""
    return getattr(annotation, "__forward_arg__", annotation)
