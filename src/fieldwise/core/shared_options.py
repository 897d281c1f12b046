"""Options that several functions take, said once: types, defaults and words.

A `TypedDict` has their types, and under `Attributes:` in its docstring what each means; a `Shared` adds
their defaults. A function takes them as `**name: Unpack[...]`, which type checkers check, and is decorated
with `.named`: its signature then has every one of them by name, before `feedback_key` where it has that,
and its docstring has their words where it says `name: …` under `Args:`, or its own of an option, if it says
any. The function stays the one it is, so a call costs nothing more.

To a type checker, an option of such a `TypedDict` may be missing even when `complete` has put all of them
there. So they are read from a dataclass, `Given(**OPTIONS.complete(options))`, or are the keywords of a
function: both checkers hold names and types against the `TypedDict`.
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

    def complete(self, given: Mapping[str, Any], caller: str = "") -> T:
        """Return what was given, and defaults for the rest.

        Args:
            given: the options, by name.
            caller: the function that was given them, where it is to be named as Python does.

        Raises:
            TypeError: for an option that is none of these.
        """
        for name in given:
            if name not in self.defaults:
                told = f"{caller}() got an unexpected keyword argument" if caller else ""
                raise TypeError(f"{told or f'{self._name} has no option'} {name!r}")
        return cast("T", {**self.defaults, **given})

    def pick(self, given: Mapping[str, Any]) -> T:
        """Return those of these options that were given among others, and defaults for the rest."""
        return cast("T", {name: given.get(name, default) for name, default in self.defaults.items()})

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
        """A docstring with the words of each option in place of `name: …`, its own where it has any."""
        place = re.search(rf"^( +){name}: ", doc, re.MULTILINE)
        if place is None:
            return doc
        indent = place[1]
        words = {
            one: f"{indent}{text[4:]}\n".replace("\n    ", f"\n{indent}") for one, text in self.words.items()
        }

        def keep(entry: re.Match[str]) -> str:
            if entry[1] in words:
                words[entry[1]] = entry[0]
                return ""
            return entry[0]

        doc = re.sub(rf"^{indent}(\w+): .*\n(?:{indent} +.*\n)*", keep, doc, flags=re.MULTILINE)
        entry = rf"^{indent}{name}: .*\n(?:{indent} +.*\n)*"
        return re.sub(entry, lambda _: "".join(words.values()), doc, count=1, flags=re.MULTILINE)


def _as_written(annotation: Any) -> Any:
    """An annotation as a function has it whose module postpones them."""
    return getattr(annotation, "__forward_arg__", annotation)
