"""Texts of the command line as options of an evaluator.

A value is JSON where it parses as JSON, else text; `True`, `False` and `None` are read as people mean them.
`number(absolute=0.01)` and `by_key(sku, lot)` are calls of the comparators and of `by_key`. `key.path=value`
is one member of a mapping option. A list option takes one element each time it is given, or a JSON list;
a text option takes text as it is, so `prefix=1` is the text "1". `Field(path, threshold=0.9)` is an element
of `fields`.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from fieldwise.core.display import nearest
from fieldwise.errors import ConfigError
from fieldwise.evalsets.registry.calls import PYTHON_WORDS, value_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


def meant(name: str, known: Iterable[str]) -> str:
    """Say which of the known names was meant, or which there are.

    >>> meant("agregator", ["aggregator", "rubric"])
    "did you mean 'aggregator'?"
    """
    names = sorted(known)
    close = nearest(name, names)
    return f"did you mean {close!r}?" if close else f"known: {', '.join(names)}"


def evaluator_options(name: str, factory: Callable[..., Any], texts: Sequence[str]) -> dict[str, Any]:
    """Return keyword arguments for a factory.

    Raises:
        ConfigError: naming the text that is wrong, and the nearest known option.

    >>> from fieldwise import create_json_match_evaluator as create
    >>> evaluator_options("json_match", create, ["aggregator=all", "weights.a.b=2", "exclude_keys=id"])
    {'aggregator': 'all', 'weights': {'a.b': 2}, 'exclude_keys': ['id']}
    """
    known = inspect.signature(factory).parameters
    found: dict[str, Any] = {}
    alone: set[str] = set()
    for text in texts:
        key, equals, raw = text.partition("=")
        option, dot, path = key.partition(".")
        if not equals or not option or (dot and not path):
            raise ConfigError(f"--option {text!r}: write key=value, as in --option aggregator=average")
        if option not in known:
            raise ConfigError(f"--option {text!r}: {name} has no option {option!r}; {meant(option, known)}")
        if option == "judge":
            raise ConfigError(f"--option {text!r}: a judge is named by --judge module:function, or --model")
        kinds = _kinds(known[option].annotation)
        if dot:
            _merge(found, option, {path: _value(raw)}, text)
        elif any(kind.startswith(("list[", "Sequence[")) for kind in kinds):
            found.setdefault(option, []).extend(_elements(raw))
            if "str" in kinds:
                alone.add(option)
        elif kinds <= {"str", "None"} and raw not in PYTHON_WORDS:
            _merge(found, option, raw, text)
        else:
            _merge(found, option, _value(raw), text)
    return {
        option: value[0] if option in alone and len(value) == 1 else value for option, value in found.items()
    }


def _kinds(annotation: Any) -> set[str]:
    """The alternatives of an annotation, as text."""
    return {kind.strip() for kind in str(annotation).split("|")}


def _merge(found: dict[str, Any], option: str, value: Any, text: str) -> None:
    """Put a value in; two mappings become one."""
    old = found.get(option)
    if option not in found:
        found[option] = value
    elif isinstance(old, dict) and isinstance(value, dict) and not old.keys() & value.keys():
        old.update(value)
    else:
        raise ConfigError(f"--option {text!r}: given twice")


def _value(raw: str) -> Any:
    return value_of(raw, "--option ")


def _elements(raw: str) -> list[Any]:
    """The elements that a text stands for: those of a list, what a call makes, else itself."""
    value = _value(raw)
    if isinstance(value, list):
        return value
    return [raw if value is None or isinstance(value, str | bool | int | float | dict) else value]
