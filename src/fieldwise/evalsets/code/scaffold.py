"""A new custom evaluator: its file, from a template that runs as it is.

Rules of this module:
1. What is there is never overwritten unless `force` is given, and nothing is written through a link that
   leads out of the evaluations folder.
2. A file is there whole or not at all.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from fieldwise.errors import InputError
from fieldwise.evalsets.code.names import read_name
from fieldwise.evalsets.code.references import PLACES, leads_inside

EVALUATIONS: Final = "evaluations"
_PARTS: Final = ("evaluators", "eval-sets")
"""What is in an evaluations folder, and in none of another kind with its name."""
_TEMPLATE: Final = "evaluator.py.txt"


def add_evaluator(name: str, root: str | Path = ".", *, force: bool = False) -> Path:
    """Write the file of a new evaluator, `evaluations/evaluators/custom/<name>.py`.

    Args:
        name: of the evaluator, such as "my_metric" or "MyMetric".
        root: the project's folder; the folders below it are made.
        force: whether a file of that name may be replaced.

    Returns:
        The file.

    Raises:
        ConfigError: the name will not do.
        InputError: there is such a file, or its folder leads elsewhere.
        OSError: it cannot be written.

    Example:
        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> add_evaluator("MyMetric", folder.name).name
        'my_metric.py'
        >>> folder.cleanup()
    """
    named = read_name(name)
    evaluations = evaluations_folder(root)
    file = evaluations.joinpath(*PLACES[0], f"{named.file}.py")
    template = Template(files("fieldwise.evalsets.code").joinpath(_TEMPLATE).read_text(encoding="utf-8"))
    title = named.file.replace("_", " ")
    text = template.substitute(title=title, file=file.name, base=named.base)
    write(file, text, evaluations, force=force)
    return file


def evaluations_folder(root: str | Path) -> Path:
    """Return the evaluations folder of a project, which need not be there yet; given that folder, it is that.

    Raises:
        InputError: the project's folder is not there.
    """
    folder = Path(root)
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; name the project's")
    inside = folder.resolve().name == EVALUATIONS and any((folder / one).is_dir() for one in _PARTS)
    if inside and not (folder / EVALUATIONS).exists():
        return folder
    return folder / EVALUATIONS


def write(file: Path, text: str, evaluations: Path, *, force: bool) -> None:
    """Write a file of the evaluations folder.

    Raises:
        InputError: it is there and `force` is not given; or it would be written elsewhere.
        OSError: it cannot be written.
    """
    check_target(file, evaluations)
    if not force and os.path.lexists(file):
        raise InputError(f"{file}: is there already; pass --force to replace it")
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        _settle(draft, file, force=force)
    finally:
        draft.unlink(missing_ok=True)


def check_target(file: Path, evaluations: Path) -> None:
    """Raise InputError for a file that is not where its name says: a link is on the way, or a file."""
    for folder in (evaluations, evaluations.parent):
        if not leads_inside(file.parent, folder):
            raise InputError(
                f"{file}: its folder leads out of {folder}; put a folder there instead of a link"
            )
    if file.is_dir():
        raise InputError(f"{file}: is a folder; move it away")


def _settle(draft: Path, file: Path, *, force: bool) -> None:
    """Give a finished file its name; without `force` never that of another, were it made a moment ago."""
    if force:
        draft.replace(file)
        return
    try:
        os.link(draft, file)
    except FileExistsError:
        raise InputError(f"{file}: is there already; pass --force to replace it") from None
    except OSError:  # a file system without links
        draft.replace(file)
