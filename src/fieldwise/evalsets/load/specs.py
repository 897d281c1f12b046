"""Evaluator files: one evaluator each, checked as far as that is possible without a run.

1. Shape first (`schemas`), then the options, by making the evaluator of them: what the
   factory refuses is a fault of the key that it names, and the rest is tried without that key.
2. A judge is a model in the file, or is given by the run.
3. Code is loaded here, if it may be, so that its criteria and its configuration are checked as well.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import said
from fieldwise.errors import ConfigError, InputError, PathError
from fieldwise.evalsets.code.references import SCHEME
from fieldwise.evalsets.files.documents import Document, document_of, read_document
from fieldwise.evalsets.files.spelling import camel, snake
from fieldwise.evalsets.model import Spec
from fieldwise.evalsets.registry.kinds import EXPECTED_BEHAVIOR, Kind, kind_of
from fieldwise.evalsets.registry.plans import asks, folder_of, make_plan
from fieldwise.evalsets.schemas.checking import check, renamed
from fieldwise.evalsets.schemas.evaluator_shapes import config_schema, criteria_schema
from fieldwise.evalsets.schemas.shapes import CONFIG, DEFAULT, SPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fieldwise._types import Path

_LEGACY: Final = frozenset({"category", "type", "fileName", "createdAt"})
_NOT_OPTIONS: Final = frozenset({"name", "description", DEFAULT, "lineByLineEvaluator", "lineDelimiter"})
_REFUSED: Final = re.compile(
    r"(?P<option>\w+)(?P<key>\[[^\]]*\])?(?:=(?P<value>.*?))?: (?P<what>.*)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What a run brings: a judge, and whether code may be run.

    Attributes:
        judge: what answers evaluators that ask, instead of a model of their own.
        allow_code: whether code that files name may be run.
        on_load: told each file of code and its class before it runs.
    """

    judge: Any = None
    allow_code: bool = False
    on_load: Callable[[File, str], object] | None = None


def load_spec(source: str | File | Mapping[str, Any], *, judge: Any = None, allow_code: bool = False) -> Spec:
    """Read an evaluator.

    Args:
        source: a file, JSON or YAML, or what one would hold.
        judge: what answers it, if it asks and names no model.
        allow_code: whether code that it names may be run.

    Raises:
        FileErrors: everything that is wrong with it, each with its line and the fix.

    Example:
        >>> spec = load_spec({"version": "1.0", "id": "Exact", "evaluatorTypeId": "uipath-exact-match"})
        >>> spec.id, spec.type_id
        ('Exact', 'uipath-exact-match')
    """
    if isinstance(source, str | File):
        document = read_document(File(source))
    else:
        document = document_of(dict(source), "evaluator")
    spec = read_spec(document, LoadOptions(judge, allow_code))
    document.check()
    return spec


def read_spec(document: Document, options: LoadOptions) -> Spec:
    """Return the evaluator that a document describes, as far as it does; the rest is among its faults."""
    nothing = Spec("", "", "", file=document.name)
    if not document.readable:
        return nothing
    if _is_legacy(document.value):
        document.fault((), 'is in the legacy format; write version "1.0" with an evaluatorTypeId')
        return nothing
    value, twice = renamed(document.value, SPEC)
    document.note(twice)
    document.note(check(value, SPEC))
    if not isinstance(value, dict) or not all(
        isinstance(value.get(key), str) for key in ("id", "evaluatorTypeId")
    ):
        return nothing
    config = value.get(CONFIG, {})
    config = config if isinstance(config, dict) else {}
    spec = Spec(
        id=value["id"],
        type_id=value["evaluatorTypeId"],
        name=_text(value.get("name")) or _text(config.get("name")) or value["id"],
        description=_text(value.get("description")) or _text(config.get("description")),
        file=document.name,
    )
    return _typed(spec, value.get("evaluatorSchema"), config, document, options)


def _typed(spec: Spec, code: Any, config: dict[str, Any], document: Document, options: LoadOptions) -> Spec:
    """An evaluator with what its type says of it."""
    custom = spec.type_id.startswith("custom-")
    if isinstance(code, str) and (code.startswith(SCHEME) or custom):
        return _custom(replace(spec, code=code), config, document, options)
    if custom:
        document.fault((), "needs 'evaluatorSchema': file://<name>.py:<ClassName>, the code of the evaluator")
        return spec
    try:
        kind = kind_of(spec.type_id)
    except ConfigError as error:
        document.fault(("evaluatorTypeId",), str(error))
        return spec
    if code is not None:
        document.fault(("evaluatorSchema",), f"{spec.type_id} is no code; leave it out")
    return _built_in(spec, kind, config, document, options)


def _is_legacy(value: Any) -> bool:
    """Whether a file is of the format before there were versions."""
    return isinstance(value, dict) and "version" not in value and len(value.keys() & _LEGACY) > 1


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


# ------------------------------------------------------------------------------------------- built in


def _built_in(
    spec: Spec, kind: Kind, config: dict[str, Any], document: Document, options: LoadOptions
) -> Spec:
    schema = config_schema(kind)
    config, twice = renamed(config, schema)
    faults = [*twice, *check(config, schema)]
    document.note(faults, (CONFIG,))
    wrong = {path[0] for path, _ in faults if path}
    given = {
        snake(key): value
        for key, value in config.items()
        if key in schema["properties"] and key not in wrong | _NOT_OPTIONS
    }
    spec = replace(spec, options=given)
    lacking = {name for name, option in kind.options.items() if option.required} - given.keys()
    plan = None if lacking else _made(spec, kind, document, options)
    default = config.get(DEFAULT) if DEFAULT not in wrong else None
    if default:
        default, faults = criteria_of_kind(kind, default)
        document.note(faults, (CONFIG, DEFAULT))
    needs = plan is None or plan.requires_reference
    if kind.criteria == EXPECTED_BEHAVIOR:
        needs = not given.get("expected_agent_behavior")
    return replace(spec, default=default or (None if needs else {}))


def criteria_of_kind(kind: Kind, criteria: Any) -> tuple[Any, list[tuple[Path, str]]]:
    """Return criteria with their keys in camelCase, and what is wrong with them.

    >>> criteria_of_kind(kind_of("uipath-contains"), {"search_text": "a"})
    ({'searchText': 'a'}, [])
    """
    schema = criteria_schema(kind)
    found, twice = renamed(criteria, schema)
    return found, [*twice, *check(found, schema)]


def _made(spec: Spec, kind: Kind, document: Document, options: LoadOptions) -> Any:
    """The plan of an evaluator; each option that is refused is noted and left out."""
    judge = options.judge
    if judge is None and asks(kind, spec.options) and not spec.options.get("model"):
        document.fault((CONFIG, "model") if "model" in spec.options else (CONFIG,), _no_model(spec))
        judge = _nobody
    given = dict(spec.options)
    path: Path
    while True:
        try:
            return make_plan(replace(spec, options=given), judge)
        except ConfigError as error:
            path, what = _refused(str(error), given, is_path=isinstance(error, PathError))
        except Exception as error:  # noqa: BLE001 - an option may hold anything, a schema of somebody's own
            path, what = (), said(error)
        document.fault((CONFIG, *path), what)
        if not path or kind.options[snake(str(path[0]))].required:
            return None
        del given[snake(str(path[0]))]


def _no_model(spec: Spec) -> str:
    got = "must not be empty" if "model" in spec.options else "needs 'model'"
    judge = "give the run a judge (--judge, --model)"
    return f"{got}: {spec.type_id} asks a model; set one that is available, or {judge}"


def _nobody(_: Any) -> dict[str, Any]:
    """Stands for the judge that is not there, so that the other options are checked."""
    return {}


def _refused(text: str, given: Mapping[str, Any], *, is_path: bool) -> tuple[Path, str]:
    """Which option a factory refuses, and why."""
    match = _REFUSED.fullmatch(text)
    option = match["option"] if match else text.partition(" ")[0]
    if option not in given:
        return (("fields",), text) if is_path and "fields" in given else ((), text)
    if match is None or " and " in (match["value"] or ""):
        return (camel(option),), text
    key = _literal(match["key"])
    value = given[option]
    inner = key if isinstance(value, dict) and key in value else None
    what = match["what"] if match["value"] is None else _with_value(match["what"], match["value"])
    return ((camel(option), inner) if inner is not None else (camel(option),)), what


def _with_value(what: str, value: str) -> str:
    """Why a value is refused, with the value in it."""
    demand, semicolon, fix = what.partition(";")
    return f"{demand}, got {value}{semicolon}{fix}" if what.startswith("must") else f"{value}: {what}"


def _literal(key: str | None) -> Any:
    try:
        return None if key is None else ast.literal_eval(key)[0]
    except (ValueError, SyntaxError, TypeError):
        return None


# --------------------------------------------------------------------------------------------- custom


def _custom(spec: Spec, config: dict[str, Any], document: Document, options: LoadOptions) -> Spec:
    """An evaluator that is code; its class checks its configuration."""
    from fieldwise.evalsets.code.loading import make_custom, read_code

    default = config.get(DEFAULT, config.get(snake(DEFAULT)))
    kept = {key: one for key, one in config.items() if camel(key) not in {"name", "description", DEFAULT}}
    spec = replace(spec, options={snake(key): one for key, one in kept.items()}, default=default)
    where = f"{spec.file}: evaluatorSchema"
    try:
        code = read_code(str(spec.code), folder_of(spec), allow_code=options.allow_code, where=where)
        spec = replace(spec, loaded=code)
        made = make_custom(spec, folder_of(spec), allow_code=options.allow_code, on_load=options.on_load)
    except InputError as error:
        document.fault(*_of_code(str(error), spec))
        return spec
    if default is None and made.evaluator_config.default_evaluation_criteria is not None:
        return replace(spec, default={})
    return spec


def _of_code(text: str, spec: Spec) -> tuple[Path, str]:
    """Where what is wrong with code belongs, without the name of the file, which the fault has."""
    text = text.removeprefix(f"{spec.file}: ")
    if text.startswith(CONFIG) or ": evaluatorConfig: " in text[:200]:
        return (CONFIG,), text
    return ("evaluatorSchema",), text.removeprefix("evaluatorSchema=")
