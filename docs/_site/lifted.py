"""What a reader of source cannot see: options taken by `**`, and the factories that a lift made.

`create_json_diff_evaluator = evaluator(json_diff)` is to griffe a variable without documentation. This
extension puts a function in its place: the options and the words that the factory has where it runs, and the
type that the lift returns. Options that the declaration `json_diff` spells out keep griffe's links to types;
the others, which it takes by `**` and the lift spells out, do without. The words stand with the first form
only; the others refer to it.

Examples in docstrings are doctests; they are fenced, to be shown as the code they are.
"""

from __future__ import annotations

import re
from importlib import import_module
from inspect import Parameter, getdoc, signature
from typing import Any, Final

import griffe

from fieldwise._exports import HOMES

RETURNS: Final = {
    "evaluator": "Evaluator",
    "async_evaluator": "AsyncEvaluator",
    "string_evaluator": "StringEvaluator",
    "summary_evaluator": "SummaryEvaluator",
}
OTHER_FORMS: Final = {
    "async_evaluator": "The async form of [`{first}`][{home}.{first}]: the same options, "
    "an evaluator to await.",
    "string_evaluator": "The form of [`{first}`][{home}.{first}] for LangChain: the same options, "
    "an object with `evaluate_strings` and `aevaluate_strings`.",
}
_DOCTEST: Final = re.compile(r"^(?P<indent> *)>>> .*(?:\n(?P=indent)\S.*)*", re.MULTILINE)


class Lifted(griffe.Extension):
    """Makes functions of what the lifts made."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Replace the variables of `fieldwise.evaluators` by functions, and fence what is code."""
        if pkg.name != "fieldwise":
            return
        _fence(pkg)
        for name, home in HOMES.items():
            one = pkg[f"{home.removeprefix('fieldwise.')}.{name}"]
            if one.is_function and any("Unpack" in str(option.annotation) for option in one.parameters):
                _spell_out(one, getattr(import_module(home), name))
        for module in pkg["evaluators"].modules.values():
            for name, value in list(module.attributes.items()):
                call = value.value
                if isinstance(call, griffe.ExprCall) and str(call.function) in RETURNS:
                    module.set_member(name, _function(pkg, module, name, call))


def _spell_out(one: griffe.Function, running: Any) -> None:
    """Have a function, which takes options by `**`, show them as it does where it runs."""
    one.parameters = _parameters(running, one.parameters)
    if one.docstring:
        one.docstring.value = _fenced(getdoc(running) or "")


def _function(pkg: griffe.Module, module: griffe.Module, name: str, call: griffe.ExprCall) -> griffe.Function:
    lift = str(call.function)
    factory = getattr(import_module(module.path), name)
    made = griffe.Function(
        name,
        lineno=module.attributes[name].lineno,
        parameters=_parameters(factory, _found(pkg, module, call.arguments[0]).parameters),
        returns=griffe.ExprName(RETURNS[lift], parent=module),
    )
    made.parent = module
    made.docstring = griffe.Docstring(_words(module, name, lift, factory), parent=made, parser="google")
    return made


def _parameters(factory: Any, declared: griffe.Parameters) -> griffe.Parameters:
    """The parameters of a factory; of those that its declaration names, griffe's own."""
    options = signature(factory).parameters.values()
    return griffe.Parameters(
        *(declared[one.name] if one.name in declared else _parameter(one) for one in options)
    )


def _parameter(one: Parameter) -> griffe.Parameter:
    default = None if one.default is one.empty else repr(one.default)
    kind = griffe.ParameterKind(one.kind.description)
    return griffe.Parameter(one.name, annotation=str(one.annotation), kind=kind, default=default)


def _words(module: griffe.Module, name: str, lift: str, factory: Any) -> str:
    if lift in OTHER_FORMS:
        first = name.replace("_async_", "_").replace("_string_evaluator", "_evaluator")
        return OTHER_FORMS[lift].format(first=first, home=module.path)
    return _fenced(getdoc(factory) or "")


def _fence(one: griffe.Object) -> None:
    if one.docstring:
        one.docstring.value = _fenced(one.docstring.value)
    for member in one.members.values():
        if isinstance(member, griffe.Object):
            _fence(member)


def _fenced(text: str) -> str:
    """Return a docstring with its doctests in fences."""
    single = re.sub(r"^Examples:$", "Example:", text, flags=re.MULTILINE)
    return _DOCTEST.sub(lambda found: f"{found['indent']}```pycon\n{found[0]}\n{found['indent']}```", single)


def _found(pkg: griffe.Module, module: griffe.Module, expression: Any) -> Any:
    """What a name, or an attribute of one, stands for in a module."""
    first, *rest = str(expression).split(".")
    home = module[first].target_path if module[first].is_alias else module[first].path
    return pkg[".".join([*home.split(".")[1:], *rest])]
