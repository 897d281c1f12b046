"""The two spellings of a key: files are written in camelCase, Python in snake_case."""

from __future__ import annotations

import re
from typing import Final

_HUMP: Final = re.compile(r"(?<=[a-z0-9])([A-Z])")


def snake(key: str) -> str:
    """Return a key as Python writes it.

    >>> snake("targetOutputKey"), snake("f_value")
    ('target_output_key', 'f_value')
    """
    return _HUMP.sub(r"_\1", key).lower()


def camel(key: str) -> str:
    """Return a key as files write it.

    >>> camel("target_output_key"), camel("fValue")
    ('targetOutputKey', 'fValue')
    """
    first, *rest = key.split("_")
    return "".join([first, *(word[:1].upper() + word[1:] for word in rest)])
