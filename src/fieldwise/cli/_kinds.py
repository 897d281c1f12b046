"""What kinds of options are made from: `click.ParamType`, with its type for type checkers.

click takes that type at run time from 8.4 on; nothing else here needs more than 8.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    NumberType = click.ParamType[float]
    TextType = click.ParamType[str]
else:
    NumberType = TextType = click.ParamType
