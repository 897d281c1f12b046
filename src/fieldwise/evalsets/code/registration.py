"""The spec of a custom evaluator, written from its class: `evaluations/evaluators/<name>-evaluator.json`.

Rules of this module:
1. To register a file is to run it: who names it consents.
2. Registering again refreshes the spec. Its `defaultEvaluationCriteria` are people's and stay; anything else
   that was edited is never overwritten unless `force` is given.
3. What is written can be read: the class is made with it first.
"""

from __future__ import annotations

import inspect
import json
import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, said, shown, utf8
from fieldwise.errors import InputError
from fieldwise.evalsets.code.loading import make
from fieldwise.evalsets.code.modules import (
    DERIVE,
    check_class,
    classes_in,
    evaluators_in,
    from_elsewhere,
    load_module,
    read_file,
)
from fieldwise.evalsets.code.names import words_of
from fieldwise.evalsets.code.references import PLACES, SCHEME, check_path, find_code, is_there
from fieldwise.evalsets.code.refreshing import check_id, peek, refreshed
from fieldwise.evalsets.code.scaffold import check_target, evaluations_folder, write
from fieldwise.evalsets.files.faults import meant
from fieldwise.evalsets.isolation import is_interruption, raised
from fieldwise.evalsets.schemas.shapes import CONFIG, DEFAULT

if TYPE_CHECKING:
    from types import ModuleType

    from fieldwise.evalsets.code.loading import OnLoad
    from fieldwise.evalsets.code.modules import AnyEvaluator
    from fieldwise.evalsets.custom import BaseEvaluationCriteria

_FORM: Final = "name a file of evaluations/evaluators/custom, as in my_metric.py"
_LONGEST_DESCRIPTION: Final = 1_000


@dataclass(frozen=True, slots=True)
class Registered:
    """A spec that was written.

    Attributes:
        path: its file.
        id: of the evaluator, which evaluation sets name.
        criteria: what an item says, with the defaults of the criteria class.
        default: the criteria of items that say nothing; None for none.
    """

    path: Path
    id: str
    criteria: dict[str, Any]
    default: Any


def register_evaluator(
    file: str,
    root: str | Path = ".",
    *,
    class_name: str | None = None,
    force: bool = False,
    on_load: OnLoad | None = None,
) -> Registered:
    """Write the spec of the evaluator in a file, which runs the file.

    Args:
        file: its name, such as "my_metric.py", in `evaluations/evaluators/custom` or
            `evaluations/evaluators`; or its path.
        root: the project's folder.
        class_name: which class, of a file that has several evaluators.
        force: whether to overwrite what was edited in the spec.
        on_load: told the file and the class, or "" for whichever is in it, before it runs.

    Returns:
        The spec that was written.

    Raises:
        InputError: there is no such file, it fails, has no evaluator that can be set up without arguments,
            or the spec was edited.
        OSError: the spec cannot be written.
    """
    evaluations = evaluations_folder(root)
    path = _path(file, evaluations)
    code = find_code(path, evaluations, shown(file))
    if on_load is not None:
        on_load(code, class_name or "")
    module = load_module(read_file(code))
    found = _chosen(module, class_name, code)
    check_class(found, code)
    spec = spec_of(found, path, code)
    folder = evaluations / "evaluators"
    target = _target(folder, path, found, module)
    check_target(target, evaluations)
    check_id(folder, spec, target)
    spec = refreshed(spec, target, found, force=force)
    write(target, _text(spec), evaluations, force=force or target.exists())
    return Registered(target, spec["id"], _example(found.criteria_type), spec[CONFIG][DEFAULT])


def _path(file: str, evaluations: Path) -> str:
    """A file's path within the places for code, whichever way it was named."""
    given = _within(file, evaluations)
    given = given if given.endswith(".py") else f"{given}.py"
    check_path(given, shown(file), _FORM)
    written = "_".join(words_of(PurePath(given).stem)).lower() + ".py"  # of MyMetric, as `add` named it
    places = [evaluations.joinpath(*place) for place in PLACES]
    there = [name for name in (given, written) if any(is_there(place / name) for place in places)]
    return there[0] if there else given


def _within(file: str, evaluations: Path) -> str:
    for place in PLACES if file.isprintable() else ():
        folder, path = (os.path.abspath(one) for one in (evaluations.joinpath(*place), file))  # noqa: PTH100 - links stay
        if Path(path).is_relative_to(folder):
            return Path(path).relative_to(folder).as_posix()
    return PurePath(file).as_posix()


def _chosen(module: ModuleType, name: str | None, file: Path) -> type[AnyEvaluator]:
    known = evaluators_in(module)
    ready = [one for one in known if not inspect.isabstract(one)] or known
    if name is not None:
        named = [one for one in known if one.__name__ == name]
        if not named:
            advice = meant(name, [one.__name__ for one in known], "evaluators in it")
            raise InputError(f"{file}: has no evaluator {name}; {advice}")
        return named[0]
    if len(ready) > 1:
        names = ", ".join(one.__name__ for one in ready)
        raise InputError(
            f"{file}: has {len(ready)} evaluators, {names}; pass --class {ready[0].__name__}, say"
        )
    if not ready:
        raise InputError(f"{file}: has no evaluator; {_advice(module)}")
    return ready[0]


def _advice(module: ModuleType) -> str:
    """How one of a module's own classes becomes an evaluator."""
    theirs = (words for one in classes_in(module) if (words := from_elsewhere(one)) is not None)
    return next(theirs, DERIVE)


def _target(folder: Path, path: str, found: type[AnyEvaluator], module: ModuleType) -> Path:
    """The file of a class's spec: named after its code, and where that is another class's, after both."""
    stem = PurePath(path).stem
    first = folder / f"{stem}-evaluator.json"
    others = {f"{SCHEME}{path}:{one.__name__}" for one in evaluators_in(module) if one is not found}
    if peek(first).get("evaluatorSchema") not in others:
        return first
    own = "_".join(words_of(found.__name__)).lower() or found.__name__
    return folder / f"{stem}-{own}-evaluator.json"


def _text(spec: dict[str, Any]) -> str:
    """A spec as the text of a file; half of a surrogate pair, which has no UTF-8, keeps it ASCII."""
    text = json.dumps(spec, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n" if utf8(text) == text else json.dumps(spec, indent=2, allow_nan=False) + "\n"


# ---------------------------------------------------------------------------------------------- the spec


def spec_of(found: type[AnyEvaluator], path: str, file: Path) -> dict[str, Any]:
    """Return the spec of a class as a file has it, in camelCase.

    Args:
        found: the class; its configuration has a default for every option.
        path: its file, as a spec names it.
        file: the same, for messages.

    Raises:
        InputError: an option has no default or none that JSON has, or the class cannot be set up.
    """
    lacking = [name for name, option in found.config_type.model_fields.items() if option.is_required()]
    if lacking:
        raise InputError(f"{file}: {found.config_type.__name__} has no default for {lacking[0]}; give it one")
    made = make(found, None, str(file))
    id_ = _asked_id(made, file)
    if not isinstance(id_, str) or not id_:
        raise InputError(f"{file}: get_evaluator_id returned {shown(id_)}; return text")
    config = _as_json(made.evaluator_config, file)
    described = config.pop("description", "") or inspect.cleandoc(found.__dict__.get("__doc__") or "")
    name = PurePath(path).stem
    return {
        "version": "1.0",
        "id": id_,
        "evaluatorTypeId": f"custom-{name}",
        "evaluatorSchema": f"{SCHEME}{path}:{found.__name__}",
        "description": one_line(described.partition("\n\n")[0], _LONGEST_DESCRIPTION),
        CONFIG: {"name": made.name, **{key: value for key, value in config.items() if key != "name"}},
    }


def _asked_id(made: AnyEvaluator, file: Path) -> object:
    try:
        return made.get_evaluator_id()
    except BaseException as error:
        if is_interruption(error):
            raise
        raise InputError(f"{file}: get_evaluator_id {raised(error)}; return text") from None


def _example(criteria: type[BaseEvaluationCriteria]) -> dict[str, Any]:
    """Criteria as an item states them: the defaults, and "…" for what has none that JSON has."""
    found: dict[str, Any] = {}
    for name, field in criteria.model_fields.items():
        try:
            value = to_json(field.get_default(call_default_factory=True, validated_data={}))
            json.dumps(value, allow_nan=False)
        except Exception:  # noqa: BLE001 - a factory is the user's
            value = "…"
        found[field.alias or name] = "…" if field.is_required() else value
    return found


def _as_json(config: Any, file: Path) -> dict[str, Any]:
    """A configuration as a file has it, the default criteria last."""
    name = type(config).__name__
    try:
        found: dict[str, Any] = config.model_dump(mode="json", by_alias=True)
        type(config).model_validate(found)
    except (PydanticSerializationError, ValidationError) as error:
        what = f"a default of {name} cannot be written and read again: {said(error)}"
        raise InputError(f"{file}: {what}; give it one that JSON has") from None
    try:
        json.dumps(found, allow_nan=False)
    except ValueError:
        raise InputError(
            f"{file}: a default of {name} is NaN or infinite, which JSON has not; give it a number"
        ) from None
    default = found.pop(DEFAULT)
    return {**found, DEFAULT: default}
