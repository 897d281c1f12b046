"""The rubric of `fieldwise judge-check`: criteria by path, or one criterion in words for every place.

A text that begins with `{` is JSON; the name of a file is that file; any other text is a criterion.
"""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fieldwise.errors import ConfigError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_rubric(texts: Sequence[str]) -> dict[str, Any] | str | None:
    """Return the rubric that the options say; several files or objects become one.

    Raises:
        ConfigError: for what is no rubric, or a criterion in words beside others.
        InputError: for a file that cannot be read.

    >>> read_rubric(['{"name": "the same person"}', '{"total": "the same amount"}'])
    {'name': 'the same person', 'total': 'the same amount'}
    >>> read_rubric(["means the same"])
    'means the same'
    """
    found: dict[str, Any] = {}
    for text in texts:
        one = _one_rubric(text)
        if isinstance(one, str):
            if len(texts) > 1:
                raise ConfigError(f"--rubric {text!r}: is for every place; give it alone, or as JSON by path")
            return one
        twice = next((path for path in one if path in found), None)
        if twice is not None:
            raise ConfigError(f"--rubric: {twice!r} is given twice")
        found.update(one)
    return found or None


def _one_rubric(text: str) -> dict[str, Any] | str:
    name, source = f"--rubric {text!r}", text
    if not text.lstrip().startswith("{"):
        if not text.endswith(".json") and not os.path.isfile(text):  # noqa: PTH113 - never raises
            return text
        name = f"--rubric {text}"
        try:
            source = Path(text).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None
        except ValueError as error:
            raise InputError(f"{name}: is no UTF-8 text: {error}") from None
    try:
        found = json.loads(source, object_pairs_hook=partial(_object, name))
    except ConfigError:
        raise
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: is no JSON: {error}") from None
    if not isinstance(found, dict) or not found:
        raise ConfigError(f"{name}: must be a JSON object of path to criterion")
    return found


def _object(name: str, members: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object that names nothing twice: which of two criteria is meant, nobody can say."""
    found = dict(members)
    if len(found) < len(members):
        twice = next(key for at, (key, _) in enumerate(members) if key in dict(members[:at]))
        raise ConfigError(f"{name}: {twice!r} is given twice")
    return found
