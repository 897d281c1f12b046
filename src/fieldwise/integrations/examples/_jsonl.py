"""Examples to and from JSON Lines."""

from __future__ import annotations

import json
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fieldwise.errors import InputError
from fieldwise.example import Example
from fieldwise.integrations.examples._members import as_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager


def examples_to_jsonl(examples: Iterable[Example], file: str | PathLike[str] | IO[Any]) -> int:
    r"""Write examples as JSON Lines, UTF-8; return how many.

    Args:
        examples: the examples, written one by one as they come.
        file: a path, or a file open for writing text or bytes.

    Raises:
        InputError: for what is no `Example`, or holds what JSON has not, with its number.

    Example:
        >>> import io
        >>> file = io.StringIO()
        >>> examples_to_jsonl([Example(input="1+1", actual_output="2")], file)
        1
        >>> file.getvalue()
        '{"input": "1+1", "actual_output": "2"}\n'
    """
    count = 0
    with _opened(file, "wb") as handle:
        binary = not hasattr(handle, "encoding")
        for count, example in enumerate(examples, start=1):
            line = _dumped(count, example) + "\n"
            handle.write(line.encode() if binary else line)
    return count


def examples_from_jsonl(file: str | PathLike[str] | IO[Any]) -> list[Example]:
    """Read examples from JSON Lines, blank lines left out.

    Args:
        file: a path, or a file open for reading text or bytes.

    Raises:
        InputError: for a line that is no example, with its number; and for a file that cannot be opened.

    Example:
        >>> import io
        >>> examples_from_jsonl(io.StringIO('{"actualOutput": "2"}'))
        [Example(actual_output='2')]
    """
    with _opened(file, "rb") as handle:
        name = getattr(handle, "name", None) or "<examples>"
        return [
            _line(f"{name}:{number}", line) for number, line in enumerate(handle, start=1) if line.strip()
        ]


def _opened(file: Any, mode: str) -> AbstractContextManager[IO[Any]]:
    if not isinstance(file, str | PathLike):
        return nullcontext(file)
    try:
        return Path(file).open(mode)
    except OSError as error:
        raise InputError(f"{file}: cannot be opened: {error.strerror or error}") from None


def _dumped(number: int, example: Any) -> str:
    if not isinstance(example, Example):
        raise InputError(f"example {number} is {type(example).__name__}, not an Example")
    fields = as_json(f"example {number}", example.to_dict())
    try:
        line = json.dumps(fields, ensure_ascii=False, allow_nan=False, default=float)
        line.encode()
    except UnicodeEncodeError:  # half a character has no UTF-8, but an escape
        return json.dumps(fields, allow_nan=False, default=float)
    except ValueError as error:
        raise InputError(f"example {number}: {error}") from None
    return line


def _line(place: str, line: str | bytes) -> Example:
    try:
        text = line.decode("utf-8-sig") if isinstance(line, bytes) else line.removeprefix("\ufeff")
        return Example.from_dict(json.loads(text))
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: not JSON: {error}") from None
