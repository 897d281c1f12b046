"""Which file of code an evaluator names, and whether it may: `file://<name>.py:<ClassName>`.

Rules of this module:
1. Nothing is executed here.
2. A name is taken as it is written: no percent-encoding, no query, no drive, no `..`, nothing absolute.
3. The file is in `evaluators/custom` or `evaluators` of the evaluations folder. It may be a link within that
   folder, never out of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.errors import InputError
from fieldwise.evalsets.files.faults import meant

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCHEME: Final = "file://"
PLACES: Final = (("evaluators", "custom"), ("evaluators",))
"""Where in an evaluations folder code may be, in the order in which it is looked for."""

_FORM: Final = "write file://<name>.py:<ClassName>, a file of evaluators/custom in the evaluations folder"
_LONGEST: Final = 500
_DRIVE: Final = re.compile(r"/*[A-Za-z]:")
_NO_NAME: Final = re.compile(r"(?:^|/)\.{1,2}(?:/|$)|//|/$|^$")

_FAULTS: Final[tuple[tuple[Callable[[str], object], str], ...]] = (
    (lambda path: len(path) > _LONGEST, f"is longer than {_LONGEST} characters"),
    (lambda path: not path.isprintable(), "has characters that do not print"),
    (_DRIVE.match, "names a drive"),
    (lambda path: path.startswith(("/", "\\")), "is an absolute path"),
    (lambda path: "\\" in path, "has a backslash"),
    (lambda path: "%" in path, "has a %, and nothing is decoded"),
    (lambda path: path.startswith("~"), "begins with ~, and there is no home here"),
    (re.compile(r"[:?#*|<>\"$]").search, "has a character that no name has"),
    (_NO_NAME.search, "has a step that is no name, such as .."),
    (lambda path: not path.endswith(".py"), "is no .py file"),
)


@dataclass(frozen=True, slots=True)
class CodeReference:
    """The file and the class that an evaluator names.

    Attributes:
        path: the file, from `evaluators/custom` or `evaluators` on, with `/` between folders.
        class_name: the class in it.
    """

    path: str
    class_name: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.path}:{self.class_name}"


def read_reference(schema: Any, where: str = "evaluatorSchema") -> CodeReference:
    """Read what an evaluator's spec says of its code.

    Args:
        schema: "file://<name>.py:<ClassName>".
        where: where it is written, for the message.

    Raises:
        InputError: it says something else, or names what is not inside the evaluations folder.

    >>> read_reference("file://my_metric.py:MyMetricEvaluator")
    CodeReference(path='my_metric.py', class_name='MyMetricEvaluator')
    >>> read_reference("file://../other.py:Other")
    Traceback (most recent call last):
    fieldwise.errors.InputError: evaluatorSchema='file://../other.py:Other': has a step that is no name, \
such as ..; write file://<name>.py:<ClassName>, a file of evaluators/custom in the evaluations folder
    """
    said = f"{where}={shown(schema)}"
    if not isinstance(schema, str) or not schema.startswith(SCHEME):
        raise InputError(f"{said}: is no {SCHEME}; {_FORM}")
    rest = schema.removeprefix(SCHEME)
    path, colon, class_name = rest.rpartition(":")
    if not colon or "/" in class_name:
        path, class_name = rest, ""
    check_path(path, said, _FORM)
    if not class_name.isidentifier():
        raise InputError(f"{said}: names no class; add it, as in {SCHEME}{path}:MyEvaluator")
    return CodeReference(path, class_name)


def check_path(path: str, said: str, fix: str) -> None:
    """Raise InputError for a path that is not plainly inside a folder; `said` and `fix` frame the message."""
    for wrong, fault in _FAULTS:
        if wrong(path):
            raise InputError(f"{said}: {fault}; {fix}")


def find_code(path: str, evaluations: Path, said: str) -> Path:
    """Return the file that a checked path names in an evaluations folder.

    Args:
        path: as in a reference.
        evaluations: the evaluations folder.
        said: what opens the message.

    Raises:
        InputError: there is none, or it leads out of the folder.
    """
    places = [evaluations.joinpath(*place) for place in PLACES]
    found = next((place / path for place in places if is_there(place / path)), None)
    if found is None:
        known = sorted({file.name for place in places if place.is_dir() for file in place.glob("*.py")})
        advice = meant(path, known, "files") if known else f"write it to {places[0] / path}"
        raise InputError(f"{said}: there is no {path} in {places[0]} nor in {places[1]}; {advice}")
    if not leads_inside(found, evaluations):
        raise InputError(
            f"{said}: {found} leads out of {evaluations}; put the file itself there instead of a link"
        )
    if not found.is_file():
        raise InputError(f"{said}: {found} is no file; put the evaluator's code there")
    return found


def is_there(path: Path) -> bool:
    """Whether something of that name is there, even a link to nothing."""
    try:
        return path.is_symlink() or path.exists()
    except (OSError, ValueError):  # no name that this system has
        return False


def leads_inside(path: Path, folder: Path) -> bool:
    """Whether a path, all links followed, is inside a folder."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # links in a circle
        return False
