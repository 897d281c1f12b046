"""What a reader of source cannot see: the factories that a lift made of a declaration.

`create_json_diff_evaluator = evaluator(json_diff)` is to griffe a variable without documentation. This
extension puts a function in its place: the options and the words of the declaration `json_diff`, and the type
that the lift returns. The words stand with the first form only; the others refer to it.

Examples in docstrings are doctests; they are fenced, to be shown as the code they are.
"""

from __future__ import annotations

import re
from typing import Any, Final

import griffe

RETURNS: Final = {
    "evaluator": "SimpleEvaluator",
    "async_evaluator": "SimpleAsyncEvaluator",
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
        for module in pkg["evaluators"].modules.values():
            for name, value in list(module.attributes.items()):
                call = value.value
                if isinstance(call, griffe.ExprCall) and str(call.function) in RETURNS:
                    module.set_member(name, _function(pkg, module, name, call))


def _function(pkg: griffe.Module, module: griffe.Module, name: str, call: griffe.ExprCall) -> griffe.Function:
    lift = str(call.function)
    declared = _found(pkg, module, call.arguments[0])
    made = griffe.Function(
        name,
        lineno=module.attributes[name].lineno,
        parameters=declared.parameters,
        returns=griffe.ExprName(RETURNS[lift], parent=module),
    )
    made.parent = module
    made.docstring = griffe.Docstring(_words(pkg, module, name, call), parent=made, parser="google")
    return made


def _words(pkg: griffe.Module, module: griffe.Module, name: str, call: griffe.ExprCall) -> str:
    lift = str(call.function)
    if lift in OTHER_FORMS:
        first = name.replace("_async_", "_").replace("_string_evaluator", "_evaluator")
        return OTHER_FORMS[lift].format(first=first, home=module.path)
    described = _found(pkg, module, call.arguments[-1 if lift == "summary_evaluator" else 0])
    return described.docstring.value if described.docstring else ""


def _fence(one: griffe.Object) -> None:
    if one.docstring:
        text = re.sub(r"^Examples:$", "Example:", one.docstring.value, flags=re.MULTILINE)
        one.docstring.value = _DOCTEST.sub(_fenced, text)
    for member in one.members.values():
        if isinstance(member, griffe.Object):
            _fence(member)


def _fenced(found: re.Match[str]) -> str:
    indent = found["indent"]
    return f"{indent}```pycon\n{found[0]}\n{indent}```"


def _found(pkg: griffe.Module, module: griffe.Module, expression: Any) -> Any:
    """What a name, or an attribute of one, stands for in a module."""
    first, *rest = str(expression).split(".")
    home = module[first].target_path if module[first].is_alias else module[first].path
    return pkg[".".join([*home.split(".")[1:], *rest])]
