r"""Values and errors of others as text: in one bounded line, and in characters that UTF-8 has.

Half of a surrogate pair is a character to Python and to JSON (`"\ud800"`), and cannot be encoded. What is
rendered for people or for files shows it as that escape. Text of ASCII alone is told at once.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEPTH: Final = 16
_BRACKETS: Final[dict[type, tuple[str, str]]] = {list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}")}
_MAX_READ: Final = 100
_MAX_CANDIDATES: Final = 1_000
_KINDS: Final = ((dict, "an object"), (list, "an array"), (str, "text"))
_ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]+")


def shown(value: object, limit: int = 80) -> str:
    """Return the `repr` of any object in one line of at most `limit` characters, without addresses.

    Only so much is rendered as can be seen, and `_DEPTH` levels: neither the size of a container, nor what it
    holds several times, nor how deep the stack is already makes a difference.

    >>> shown([1, 2])
    '[1, 2]'
    """
    text = _rendered(value, limit)
    return text if len(text) <= limit and text.isprintable() else one_line(text, limit)


def _rendered(value: object, room: int, depth: int = _DEPTH) -> str:
    kind = type(value)
    if kind not in _BRACKETS:
        return _alone(value, room)
    left, right = _BRACKETS[kind]
    if not depth:
        return f"{left}…{right}"
    parts: list[str] = []
    for one in cast("Iterable[Any]", value):
        if room < 0:
            break
        name = "" if kind is not dict else f"{_alone(one, room)}: "
        inner = cast("dict[Any, Any]", value)[one] if name else one
        parts.append(name + _rendered(inner, max(room - len(name), 0), depth - 1))
        room -= len(parts[-1]) + 2  # what is said leaves less to say, however wide and deep the rest is
    comma = "," if kind is tuple and len(parts) == 1 else ""
    return f"{left}{', '.join(parts)}{comma}{right}"


def _alone(value: object, room: int) -> str:
    if type(value) is str and len(value) > room:
        return repr(value[: room + 1])
    try:
        return without_addresses(str.__str__(repr(value)))
    except Exception:  # noqa: BLE001 - whatever it raises, it cannot be shown
        return _unshown(value)


def _unshown(value: object) -> str:
    """What stands for an object without a `repr`: Python writes no integer of more digits than its limit."""
    if type(value) is int:
        return f"an integer of {value.bit_length():,} bits"
    return f"a {type(value).__qualname__}"


def kind_of(value: object) -> str:
    """Return in words what a JSON value is.

    >>> kind_of({}), kind_of(True), kind_of(1)
    ('an object', 'true', 'a number')
    """
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return next((word for kind, word in _KINDS if isinstance(value, kind)), "a number")


def said(error: BaseException, limit: int = 300) -> str:
    r"""Return the type and the text of an exception in one line, without addresses.

    >>> said(ValueError("no\n digits"))
    'ValueError: no digits'
    """
    name = type(error).__name__
    try:
        text = without_addresses(str(error))
    except Exception:  # noqa: BLE001 - as above
        text = ""
    return one_line(f"{name}: {text}" if text.strip() else name, limit)


def without_addresses(text: str) -> str:
    """Return text without the addresses of objects, which differ from run to run.

    >>> without_addresses("<Model object at 0x7f00c0ffee> is late")
    '<Model object> is late'
    """
    return _ADDRESS.sub("", text)


def one_line(text: str, limit: int = 300) -> str:
    """Return text with its white space folded, cut to `limit` characters."""
    line = utf8(" ".join(text[: 4 * limit].split()))
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1]}…"


def cut(text: str, limit: int) -> str:
    """Return text as it is, cut to `limit` characters.

    >>> cut("a  b", 4), cut("a  bc", 4)
    ('a  b', 'a  …')
    """
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def utf8(text: str) -> str:
    r"""Return text with the halves of surrogate pairs as escapes.

    >>> utf8("a\ud800")
    'a\\ud800'
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def utf8_name(name: str) -> str:
    r"""Return the name of a place; one that cannot be encoded quoted, so that it is like no other.

    >>> utf8_name("a\ud800"), utf8_name("\\ud800")
    ("['a\\ud800']", '\\ud800')
    """
    if name.isascii() or utf8(name) == name:
        return name
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{utf8(quoted)}']"


def utf8_json(value: Any, depth: int = 32) -> Any:
    """Return JSON with every text in it as `utf8` has it; what is deeper than `depth` stays as it is."""
    if isinstance(value, str):
        return utf8(value)
    if not depth or not isinstance(value, dict | list | tuple):
        return value
    if isinstance(value, dict):
        return {utf8_name(name): utf8_json(inner, depth - 1) for name, inner in value.items()}
    return [utf8_json(inner, depth - 1) for inner in value]


def unwritten(error: OSError) -> str:
    """Say why a file cannot be written; of one in a folder that is not there, which.

    >>> unwritten(FileNotFoundError(2, "No such file or directory", "gone/r.jsonl"))
    'there is no folder gone; make it first'
    """
    from pathlib import Path

    folder = Path(str(error.filename)).parent
    if isinstance(error, FileNotFoundError) and error.filename is not None and not folder.exists():
        return f"there is no folder {folder}; make it first"
    return str(error.strerror or error)


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that reads most like `name`, or None.

    Only so many candidates are read, and none that is long.
    """
    import difflib

    if len(name) > _MAX_READ:
        return None
    some = [one for one in islice(candidates, _MAX_CANDIDATES) if len(one) <= _MAX_READ]
    close = difflib.get_close_matches(name, some, n=1, cutoff=0.6)
    return close[0] if close else None
