"""What evaluators there are and what options each takes, read off their factories.

Factories are found in the modules of `fieldwise.evaluators`, an evaluator's name is what stands between
`create_` and `_evaluator`, and its options are those of its declaration: their names, defaults and types from
its signature, their meaning from its docstring. So nothing that is read off here can say another thing than
Python does.
"""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from fieldwise import evaluators
from fieldwise.evalsets.registry.annotations import form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_NAME: Final = re.compile(r"create_(?!async_)(?P<name>\w+?)_evaluator")
_FORMS: Final = ("_string", "_summary")
_MORE: Final = {"create_llm_as_judge": "llm_as_judge"}
_ENTRY: Final = re.compile(r"^    (?P<name>\*{0,2}\w+): ", re.MULTILINE)
_SECTION: Final = re.compile(r"^(?:Args|Returns|Raises|Example|Examples):$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of an evaluator.

    Attributes:
        name: in snake_case.
        about: what it means, in one line.
        default: its default; `inspect.Parameter.empty`: it has to be given.
        schema: the JSON Schema of its values; None: no JSON is one.
    """

    name: str
    about: str
    default: Any
    schema: Mapping[str, Any] | None

    @property
    def required(self) -> bool:
        """Whether it has to be given."""
        return self.default is inspect.Parameter.empty


@cache
def factories() -> Mapping[str, Callable[..., Any]]:
    """Return the factory of each evaluator, by its name.

    >>> factories()["json_match"].__name__
    'create_json_match_evaluator'
    """
    found = {}
    for module in pkgutil.iter_modules(evaluators.__path__):
        if module.name.startswith("_"):
            continue
        for made, factory in vars(import_module(f"{evaluators.__name__}.{module.name}")).items():
            match = _NAME.fullmatch(made)
            name = match["name"] if match else _MORE.get(made)
            if name is not None and not name.endswith(_FORMS):
                found[name] = factory
    return dict(sorted(found.items()))


@cache
def options(name: str) -> Mapping[str, Option]:
    """Return the options of an evaluator, in the order of its signature.

    >>> options("exact_match")["negated"].schema
    {'type': 'boolean'}
    """
    return options_of(factories()[name])


def options_of(factory: Callable[..., Any]) -> Mapping[str, Option]:
    """Return the options of a factory, of an evaluator or a comparator, in the order of its signature."""
    known = about_options(factory)
    names = _names_of(inspect.unwrap(factory))
    return {
        option: Option(option, known.get(option, ""), one.default, form(str(one.annotation), names))
        for option, one in inspect.signature(factory).parameters.items()
    }


def _names_of(declare: Callable[..., Any]) -> dict[str, Any]:
    """What the annotations of a declaration may name: also what its module imports for type checkers only.

    Options that it shares are annotated in a module it imports from, with names of that module.
    """
    module = inspect.getmodule(declare)
    if module is None:
        return {}
    found, shared = dict(vars(module)), {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("fieldwise."):
            source = import_module(str(node.module))
            shared.update(vars(source))
            for alias in node.names:
                value = found.setdefault(alias.asname or alias.name, getattr(source, alias.name, None))
                if inspect.ismodule(value):
                    shared.update(vars(value))
    return {**shared, **found}


# --------------------------------------------------------------------------------------- docstrings


def summary(factory: Callable[..., Any]) -> str:
    """Return the first sentences of a factory's docstring."""
    return (inspect.getdoc(factory) or "").partition("\n\n")[0].replace("\n", " ")


def section(factory: Callable[..., Any], name: str) -> str:
    """Return a section of a factory's docstring, "Returns" or "Example", without its indent; "" for none."""
    found = re.search(rf"^{name}:\n(?P<text>(?:    .*\n?|\n)+)", inspect.getdoc(factory) or "", re.MULTILINE)
    return inspect.cleandoc(found["text"]) if found else ""


def about_options(factory: Callable[..., Any]) -> dict[str, str]:
    """Return what a factory's docstring says of each option, in one line each."""
    rest = (inspect.getdoc(factory) or "").partition("Args:\n")[2]
    return dict(_entries(_SECTION.split(rest)[0]))


def _entries(arguments: str) -> Iterator[tuple[str, str]]:
    heads = list(_ENTRY.finditer(arguments))
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(arguments)
        yield head["name"].lstrip("*"), " ".join(arguments[head.end() : end].split())
