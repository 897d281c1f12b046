"""Judges and agents by the names of what can be imported, `module:object`.

A module may be one of the working directory. To name code is to run it.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from fieldwise.cli.common.blocking import blocking
from fieldwise.cli.common.values import meant
from fieldwise.errors import ConfigError


def load_judge(spec: str) -> Any:
    """Import a judge, `module:object`, from the working directory or anywhere Python looks.

    One that is async is made one that blocks.

    Raises:
        ConfigError: it cannot be imported, or is neither a callable nor a model.
    """
    found = _imported("--judge", spec, "judges:same_meaning")
    if not any((callable(found), hasattr(found, "invoke"), hasattr(found, "chat"))):
        raise ConfigError(
            f"--judge {spec!r}: is {type(found).__name__}, not a callable that takes a JudgeRequest, "
            "nor a model or client"
        )
    return blocking(found)


def load_agent(spec: str) -> Any:
    """Import an agent in the same way.

    Raises:
        ConfigError: it cannot be imported, or is neither a callable nor a Runnable.
    """
    found = _imported("--agent", spec, "app:answer")
    if not callable(found) and not hasattr(found, "invoke"):
        kind = type(found).__name__
        raise ConfigError(f"--agent {spec!r}: is {kind}, not a function of the inputs, nor a Runnable")
    return found


def _imported(option: str, spec: str, example: str) -> Any:
    """Import `module:object`, where a module may be one of the working directory."""
    module_name, colon, attribute = spec.partition(":")
    if module_name.endswith(".py"):
        named = f"{_module_of(module_name)}:{attribute or example.partition(':')[2]}"
        raise ConfigError(f"{option} {spec!r}: name the module, not its file: {option} {named}")
    if not colon or not module_name or not attribute:
        raise ConfigError(f"{option} {spec!r}: write module:object, as in {option} {example}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise ConfigError(f"{option} {spec!r}: {type(error).__name__}: {error}") from None
    for name in attribute.split("."):
        if not hasattr(found, name):
            public = [one for one in dir(found) if not one.startswith("_")]
            raise ConfigError(f"{option} {spec!r}: there is no {name!r} in it; {meant(name, public)}")
        found = getattr(found, name)
    return found


def _module_of(file: str) -> str:
    """The name that a file is imported by from the working directory; of one that is elsewhere its own.

    >>> _module_of("judges.py"), _module_of("./tests/judges.py"), _module_of("/somewhere/judges.py")
    ('judges', 'tests.judges', 'judges')
    """
    path = Path(file).with_suffix("")
    here = Path.cwd()
    if path.is_absolute():
        path = path.relative_to(here) if path.is_relative_to(here) else Path(path.name)
    return ".".join(path.parts)
