"""Custom evaluators from files: reading code, which means running it.

Nothing runs without consent: `allow_code`, or a command that names the file. Which file a spec may name is in
`references`, how it is run in `modules`.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import said
from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.code.modules import check_class, find_class, load_module, read_file
from fieldwise.evalsets.code.references import find_code, read_reference
from fieldwise.evalsets.custom import as_async_evaluator, as_evaluator
from fieldwise.evalsets.files.spelling import camel, snake
from fieldwise.evalsets.isolation import is_interruption, raised
from fieldwise.evalsets.schemas.shapes import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from pydantic.fields import FieldInfo

    from fieldwise._types import AsyncEvaluator, Evaluator
    from fieldwise.evalsets.code.modules import AnyEvaluator
    from fieldwise.evalsets.model import Code, Spec

    OnLoad: TypeAlias = Callable[[Path, str], object]

_DEFAULT: Final = snake(DEFAULT)


def load_class(
    schema: str,
    evaluations: Path,
    *,
    allow_code: bool = False,
    on_load: OnLoad | None = None,
    where: str = "evaluatorSchema",
    code: Code | None = None,
) -> type[AnyEvaluator]:
    """Load the class of a custom evaluator, which runs its file.

    Args:
        schema: "file://<name>.py:<ClassName>".
        evaluations: the evaluations folder; the file is in its `evaluators/custom` or `evaluators`.
        allow_code: whether the file may be run.
        on_load: told the file and the class before anything runs.
        where: where the schema is written, for messages.
        code: the file, if it was read before; it is not looked at again.

    Returns:
        The class, whose criteria class has fields.

    Raises:
        InputError: code is not allowed, the file is not inside the folder, fails, or has no such evaluator.
    """
    if code is None or not allow_code:
        code = read_code(schema, evaluations, allow_code=allow_code, where=where)
    name, file = read_reference(schema, where).class_name, Path(code.file)
    if on_load is not None:
        on_load(file, name)
    found = find_class(load_module(code), name, file)
    check_class(found, file)
    return found


def read_code(
    schema: str, evaluations: Path, *, allow_code: bool = False, where: str = "evaluatorSchema"
) -> Code:
    """Read the file of a custom evaluator, and run nothing; arguments and errors as those of `load_class`."""
    reference = read_reference(schema, where)
    file = find_code(reference.path, evaluations, f"{where}={schema!r}")
    if not allow_code:
        raise InputError(f"{where}={schema!r} names code, {file}; read it, then pass --allow-code to run it")
    return read_file(file)


def custom_evaluator(
    spec: Spec, evaluations: Path, *, allow_code: bool = False, on_load: OnLoad | None = None
) -> Evaluator:
    """Make an ordinary evaluator of a spec that names code.

    It is called with `inputs`, `outputs` (the agent's answer, or its `AgentExecution`) and, as
    `reference_outputs`, the item's criteria: a mapping in either spelling, or None for the spec's default.

    Args:
        spec: the spec; its id becomes the feedback key.
        evaluations: the evaluations folder.
        allow_code: whether its file may be run.
        on_load: told the file and the class before anything runs.

    Raises:
        InputError: as `load_class`; or the configuration does not fit the class.
    """
    made = make_custom(spec, evaluations, allow_code=allow_code, on_load=on_load)
    return as_evaluator(made, feedback_key=spec.id)


def async_custom_evaluator(
    spec: Spec, evaluations: Path, *, allow_code: bool = False, on_load: OnLoad | None = None
) -> AsyncEvaluator:
    """As `custom_evaluator`, awaited."""
    made = make_custom(spec, evaluations, allow_code=allow_code, on_load=on_load)
    return as_async_evaluator(made, feedback_key=spec.id)


def make_custom(
    spec: Spec, evaluations: Path, *, allow_code: bool = False, on_load: OnLoad | None = None
) -> AnyEvaluator:
    """Return the custom evaluator of a spec, set up as the spec says.

    Raises:
        InputError: as `custom_evaluator`.
    """
    where = f"{spec.file}: evaluatorSchema" if spec.file else "evaluatorSchema"
    schema: Any = spec.code
    found = load_class(
        schema, evaluations, allow_code=allow_code, on_load=on_load, where=where, code=spec.loaded
    )
    return make(
        found, _config(spec, found.config_type.model_fields), spec.file or str(spec.code), id_=spec.id
    )


def _config(spec: Spec, fields: Mapping[str, FieldInfo]) -> dict[str, Any]:
    """The configuration that a spec states, its keys as the class knows them, else in camelCase."""
    aliases = [one.alias or name for name, one in fields.items()]
    known = dict(zip([*fields, *map(snake, aliases), *aliases], 3 * aliases, strict=True))
    config = {known.get(key) or camel(key): value for key, value in spec.options.items()}
    default = spec.default
    if (
        default == {}
        and fields[_DEFAULT].get_default(call_default_factory=True, validated_data={}) is not None
    ):
        default = None  # the class has its own, and {} stands for it
    given = {"name": spec.name, "description": spec.description, DEFAULT: default}
    given = {key: value for key, value in given.items() if value not in ("", None)}
    return {key: value for key, value in config.items() if camel(key) not in given} | given


def make(found: type[AnyEvaluator], config: Any, file: str, id_: str | None = None) -> AnyEvaluator:
    """Make an evaluator of a checked class.

    Raises:
        InputError: the configuration is wrong, or the class raises.
    """
    try:
        made = found(config)
    except ConfigError as error:
        raise InputError(f"{file}: {error}") from None
    except BaseException as error:
        if is_interruption(error):
            raise
        why = said(error) if isinstance(error, Exception) else f"it {raised(error)}"
        raise InputError(f"{file}: {found.__name__} cannot be made: {why}") from None
    try:
        inspect.signature(made.evaluate).bind(None, None)
    except TypeError:
        raise InputError(
            f"{file}: {found.__name__}.evaluate must take (self, agent_execution, evaluation_criteria)"
        ) from None
    if id_ is not None:
        made.id = id_
    return made
