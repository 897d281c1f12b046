"""What is wrong in files, all of it at once: a place and a fix for each fault.

A fault reads `file:line: path: what; fix`. A file is read to its end before anything is raised, and so are
the files it names, so that one run shows everything there is to mend.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import nearest, one_line, shown
from fieldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Path

_PLAIN: Final = re.compile(r"[^\W\d][\w-]*|\$schema")
_MOST_TOLD: Final = 200
_MOST_KEYS: Final = 40


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a file.

    Attributes:
        file: its name.
        line: where, from 1; None: of the file as a whole.
        path: what is wrong, `evaluations[0].id`, or "column 7" where the text cannot be read; "" for the
            file as a whole.
        what: what is wrong with it, and the fix.
    """

    file: str
    line: int | None
    path: str
    what: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return one_line(": ".join(part for part in (place, self.path, self.what) if part), 2_000)


class FileErrors(InputError):
    """Everything that is wrong with some files; a line each.

    Attributes:
        faults: all of them, file by file and line by line.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: Sequence[Fault] = tuple(faults)
        lines = [str(one) for one in self.faults[:_MOST_TOLD]]
        if len(self.faults) > _MOST_TOLD:
            lines.append(f"and {len(self.faults) - _MOST_TOLD:,} more")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.faults,)


def spelled(path: Path) -> str:
    """Return a place in a file for people; the whole is "".

    >>> spelled(("evaluations", 0, "inputs", "a.b"))
    "evaluations[0].inputs['a.b']"
    """
    text = ""
    for step in path:
        if isinstance(step, str) and _PLAIN.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{shown(step)}]"
    return text


def close_to(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was meant: but for case and underscores the same, else the nearest.

    >>> close_to("Targetoutputkey", ["targetOutputKey", "name"])
    'targetOutputKey'
    """
    names = list(known)
    plain = _plain(name)
    same = (one for one in names if _plain(one) == plain)
    return next(same, None) or nearest(name, names)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def meant(name: str, known: Iterable[str], what: str) -> str:
    """Return which of the known names was meant, or which there are.

    >>> meant("scor", ["score", "key"], "keys")
    "did you mean 'score'?"
    >>> meant("x", ["score", "key"], "keys")
    "the keys are 'score', 'key'"
    """
    names = list(known)
    close = close_to(name, names)
    if close is not None:
        return f"did you mean {close!r}?"
    if not names:
        return f"there are no {what}"
    listed = ", ".join(map(shown, names[:_MOST_KEYS]))
    more = f" and {len(names) - _MOST_KEYS:,} more" if len(names) > _MOST_KEYS else ""
    return f"the {what} are {listed}{more}" if len(names) > 1 else f"there is {listed} only"
