"""Criteria and configuration of custom evaluators, as pydantic models.

1. Files are written in camelCase and Python in snake_case; every model takes both.
2. An unknown key is an error that names the nearest known one: a misspelt bound bounds nothing, silently.
3. Criteria without fields could never be told from no criteria, so they are refused when they are loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import InitErrorDetails, PydanticCustomError

from fieldwise.core.display import nearest, one_line, shown
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from typing import LiteralString, Self

    from pydantic.functional_validators import ModelWrapValidatorHandler

_EXTRA = "extra_forbidden"


class Spelled(BaseModel):
    """A model that takes camelCase and snake_case, and names the nearest key of one it does not know."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _name_the_nearest(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError as error:
            found = error.errors(include_url=False)
            if not any(one["type"] == _EXTRA and len(one["loc"]) == 1 for one in found):
                raise
            told = [_told(cls, one) for one in found]
            raise ValidationError.from_exception_data(cls.__name__, told) from None


def _told(model: type[BaseModel], found: Any) -> InitErrorDetails:
    """One error again; of an unknown key of this very model, with the nearest one."""
    kind, words, place = found["type"], found["msg"], found["loc"]
    if kind == _EXTRA and len(place) == 1:
        words = _unknown(model, str(place[0]))
    as_written = cast("LiteralString", words)  # no template here: nothing is put into its braces
    return InitErrorDetails(type=PydanticCustomError(kind, as_written), loc=place, input=found["input"])


def _unknown(model: type[BaseModel], key: str) -> str:
    known = {name: field.alias or name for name, field in model.model_fields.items()}
    close = nearest(key, [*known.values(), *known])
    if close is not None:
        return f"there is no such key; did you mean {close!r}?"
    keys = ", ".join(repr(one) for one in known.values())
    return f"there is no such key; {f'the keys are {keys}' if keys else 'there are none'}"


class BaseEvaluationCriteria(Spelled):
    """What one test case asks of an evaluator; a subclass adds the fields, each with a default.

    Example:
        >>> class Duration(BaseEvaluationCriteria):
        ...     max_ms: float = 100.0
        >>> Duration.model_validate({"maxMs": 50}).max_ms, Duration(max_ms=60).max_ms
        (50.0, 60.0)
    """


C = TypeVar("C", bound=BaseEvaluationCriteria)
M = TypeVar("M", bound=BaseModel)


class BaseEvaluatorConfig(Spelled, Generic[C]):
    """How an evaluator is set up; a subclass adds its options.

    Attributes:
        name: what its results are called; "" for the evaluator's id.
        description: for people.
        default_evaluation_criteria: the criteria of test cases that bring none.

    Example:
        >>> class Duration(BaseEvaluationCriteria):
        ...     max_ms: float = 100.0
        >>> config = BaseEvaluatorConfig[Duration].model_validate(
        ...     {"name": "duration", "defaultEvaluationCriteria": {"maxMs": 50}}
        ... )
        >>> config.default_evaluation_criteria.max_ms
        50.0
    """

    name: str = ""
    description: str = ""
    default_evaluation_criteria: C | None = None


def check_criteria_class(criteria: Any) -> None:
    """Check that a class can hold criteria.

    Raises:
        ConfigError: it is no class of criteria, or has no fields.

    Example:
        >>> check_criteria_class(BaseEvaluationCriteria)
        Traceback (most recent call last):
        fieldwise.errors.ConfigError: No evaluation criteria provided: BaseEvaluationCriteria has no \
fields; give it one with a default, as `expected_value: str = ""`
    """
    if not isinstance(criteria, type) or not issubclass(criteria, BaseEvaluationCriteria):
        raise ConfigError(f"{shown(criteria)} is no class of criteria: derive it from BaseEvaluationCriteria")
    if not criteria.model_fields:
        raise ConfigError(
            f"No evaluation criteria provided: {criteria.__name__} has no fields; "
            'give it one with a default, as `expected_value: str = ""`'
        )


def read_model(model: type[M], given: Any, what: str) -> M:
    """Return a model of what was given: an instance as it is, else what a mapping holds.

    Args:
        model: the class.
        given: an instance, or a mapping with keys of either spelling.
        what: what it is, for the message.

    Raises:
        ConfigError: naming every key that is wrong.

    Example:
        >>> read_model(BaseEvaluatorConfig, {"nam": "x"}, "evaluatorConfig")
        Traceback (most recent call last):
        fieldwise.errors.ConfigError: evaluatorConfig: nam='x': there is no such key; did you mean 'name'?
    """
    if isinstance(given, model):
        return given
    if not isinstance(given, Mapping):
        raise ConfigError(f"{what}={shown(given)}: must be an object or a {model.__name__}")
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        wrong = [_problem(one) for one in error.errors(include_url=False)]
        raise ConfigError(f"{what}: {'; '.join(wrong)}") from None


def _problem(found: Any) -> str:
    place = ".".join(map(str, found["loc"]))
    value = "" if found["type"] == "missing" else f"={shown(found['input'])}"
    return one_line(f"{place}{value}: {found['msg']}" if place else found["msg"])
