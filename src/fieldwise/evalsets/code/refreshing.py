"""A spec that is written again over an edited one: what stays, and what stands in the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.core.equality import equal, preview
from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.custom import read_model
from fieldwise.evalsets.files.faults import spelled
from fieldwise.evalsets.files.spelling import camel
from fieldwise.evalsets.schemas.shapes import CONFIG, DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fieldwise._types import Path as Place
    from fieldwise.evalsets.code.modules import AnyEvaluator

_SHOWN: Final = 5
_FORCE: Final = "pass --force to overwrite what was edited"


def peek(file: Path) -> dict[str, Any]:
    """Return the object in a file of JSON, {} where there is none."""
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def check_id(folder: Path, spec: dict[str, Any], own: Path) -> None:
    """Raise InputError when another spec has the same id."""
    for file in sorted(folder.glob("*.json")):
        if file != own and peek(file).get("id") == spec["id"]:
            raise InputError(
                f"{file}: has the id {spec['id']!r} already; rename the class, or return another id from its "
                "get_evaluator_id"
            )


def refreshed(spec: dict[str, Any], file: Path, found: type[AnyEvaluator], *, force: bool) -> dict[str, Any]:
    """Return a spec with what people set in the one that is there.

    Args:
        spec: as made from the class.
        file: where it is to be written.
        found: the class.
        force: whether to overwrite what was edited. Default criteria stay even so, if they fit the class.

    Raises:
        InputError: without `force`, when the file is no spec of this code, has other values, or default
            criteria that no longer fit.
    """
    if not file.exists():
        return spec
    old = peek(file)
    config = old.get(CONFIG)
    if not old or not isinstance(config, dict):
        if force:
            return spec
        raise InputError(f"{file}: is no spec of an evaluator; move it away, or pass --force to overwrite it")
    edited = list(_edits(old, spec))
    if edited and not force:
        more = f" and {len(edited) - _SHOWN} more" if len(edited) > _SHOWN else ""
        raise InputError(f"{file}: {'; '.join(edited[:_SHOWN])}{more}; {_FORCE}")
    default = _default(config, found, file, force=force)
    return spec if default is None else {**spec, CONFIG: {**spec[CONFIG], DEFAULT: default}}


def _default(config: dict[str, Any], found: type[AnyEvaluator], file: Path, *, force: bool) -> Any:
    """The default criteria that were set; None for none, and with `force` for those that no longer fit."""
    default = next((value for key, value in config.items() if camel(key) == DEFAULT), None)
    if default is None:
        return None
    try:
        read_model(found.criteria_type, default, f"{CONFIG}.{DEFAULT}")
    except ConfigError as error:
        if force:
            return None
        raise InputError(f"{file}: {error}; mend it, or pass --force to drop it") from None
    return default


def _edits(old: dict[str, Any], new: dict[str, Any], path: Place = ()) -> Iterator[str]:
    """What a file says that the class does not, apart from the default criteria."""
    for key, value in old.items():
        name = camel(key)
        here = (*path, name)
        if here == (CONFIG, DEFAULT):
            continue
        if name not in new:
            yield f"{spelled((*path, key))} is {_brief(value)}, and the class has no such option"
        elif isinstance(value, dict) and isinstance(new[name], dict):
            yield from _edits(value, new[name], here)
        elif not equal(value, new[name]):
            yield f"{spelled(here)} is {_brief(value)}, and the class says {_brief(new[name])}"


def _brief(value: Any) -> str:
    return shown(value) if isinstance(value, str) else preview(value, 80)
