"""Files of code as modules: run from their text, with the evaluator classes in them.

Rules of this module:
1. What runs is the file as it was read: compiled from its text, never from `__pycache__`, and once for each
   text, so that all evaluators of a file share its module. Who has consented to a text runs that one, also in
   another process and though the file has changed since.
2. A file stands alone. It is no part of a package: it cannot import its neighbours, relatively or by name.
3. Whatever is wrong with it is an InputError that names the file, the line where it has one, and the fix.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.core.display import said
from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.custom import BaseEvaluator, check_criteria_class
from fieldwise.evalsets.files.faults import meant
from fieldwise.evalsets.isolation import is_interruption
from fieldwise.evalsets.model import Code

if TYPE_CHECKING:
    from types import CodeType, ModuleType

AnyEvaluator: TypeAlias = BaseEvaluator[Any, Any, Any]

DERIVE: Final = "derive a class from fieldwise.BaseEvaluator[Criteria]"
_LOADING: Final = RLock()
_ALONE: Final = (
    "an evaluator's file stands alone and cannot import its neighbours; install what they share as a package"
)


class _Text(SourceFileLoader):
    """A loader of one text, which neither reads nor writes compiled files."""

    def __init__(self, name: str, path: str, text: bytes) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        """Compile the text."""
        return compile(self._text, self.get_filename(fullname), "exec", dont_inherit=True)


def read_file(file: Path) -> Code:
    """Read a file of code, and run nothing.

    Raises:
        InputError: it cannot be read.
    """
    place = file.resolve()
    try:
        return Code(str(file), str(place), place.read_bytes())
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from None


def load_module(code: Code) -> ModuleType:
    """Run a file as a module of its own; the same text at the same place is run once.

    Raises:
        InputError: it raises.
    """
    digest = sha256(bytes(code.place, "utf-8", "surrogateescape") + b"\0" + code.text).hexdigest()
    name = f"fieldwise_custom_{digest[:24]}"
    with _LOADING:
        if name not in sys.modules:
            _run(_Text(name, code.place, code.text), Path(code.file))
        return sys.modules[name]


def _run(loader: _Text, file: Path) -> None:
    spec = importlib.util.spec_from_file_location(loader.name, loader.path, loader=loader)
    if spec is None:  # never, with a loader
        raise InputError(f"{file}: is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module  # before it runs: pydantic looks up the names of its annotations there
    try:
        loader.exec_module(module)
    except BaseException as error:
        del sys.modules[loader.name]
        if is_interruption(error):
            raise
        raise InputError(_failed(error, loader.path, file)) from None


def _failed(error: BaseException, path: str, file: Path) -> str:
    """What running a file raised, with the line in it."""
    line = line_in(error, path)
    place = f"{file}:{line}" if line else str(file)
    if isinstance(error, SystemExit):
        return f"{place}: ends the program when it is loaded; move that into a function"
    text = f"{place}: {said(error)}"
    return f"{text}; {_ALONE}" if _wants_neighbour(error, file) else text


def line_in(error: BaseException, path: str) -> int | None:
    """Return the last line of a file that an exception came through, or that does not parse."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    lines = [
        line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == path
    ]
    return lines[-1] if lines else None


def _wants_neighbour(error: BaseException, file: Path) -> bool:
    if not isinstance(error, ImportError):
        return False
    name = (error.name or "").partition(".")[0]
    neighbours = [file.with_name(f"{name}.py"), file.with_name(name)] if name.isidentifier() else []
    return "relative import" in str(error) or any(one.exists() for one in neighbours)


# --------------------------------------------------------------------------------------------- classes


def classes_in(module: ModuleType) -> list[type]:
    """Return the classes that a module defines itself, in its order."""
    found = dict.fromkeys(one for one in vars(module).values() if isinstance(one, type))
    return [one for one in found if one.__module__ == module.__name__]


def evaluators_in(module: ModuleType) -> list[type[AnyEvaluator]]:
    """Return those of them that are evaluators."""
    return [one for one in classes_in(module) if issubclass(one, BaseEvaluator)]


def find_class(module: ModuleType, name: str, file: Path) -> type[AnyEvaluator]:
    """Return the evaluator class of a name.

    Raises:
        InputError: there is none of that name, or it is no evaluator.
    """
    found = vars(module).get(name)
    if found is None:
        known = [one.__name__ for one in evaluators_in(module)]
        raise InputError(f"{file}: has no class {name}; {meant(name, known, 'evaluators in it')}")
    if not isinstance(found, type) or not issubclass(found, BaseEvaluator):
        raise InputError(f"{file}: {name} is no evaluator; {from_elsewhere(found) or DERIVE}")
    return found


def from_elsewhere(found: Any) -> str | None:
    """Say of an evaluator of another library how it becomes one of ours; None if it is none."""
    bases = found.__mro__[1:] if isinstance(found, type) else ()
    theirs = next((one for one in bases if one.__name__ == BaseEvaluator.__name__), None)
    return (
        None
        if theirs is None
        else f"its BaseEvaluator is that of {theirs.__module__}: import it from fieldwise"
    )


def check_class(found: type[AnyEvaluator], file: Path) -> None:
    """Raise InputError for an evaluator class that could evaluate nothing."""
    missing = sorted(getattr(found, "__abstractmethods__", ()))
    if missing:
        raise InputError(f"{file}: {found.__name__} has no method {missing[0]}; write it")
    try:
        check_criteria_class(found.criteria_type)
    except ConfigError as error:
        raise InputError(f"{file}: {error}") from None
