"""The base class of custom evaluators.

A custom evaluator is a class: criteria that each test case brings, a configuration it is set up with, and
`evaluate`, which gets a run of an agent and the criteria. `calling` makes an ordinary evaluator of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar, cast, get_args, get_origin

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.evalsets.custom.models import BaseEvaluationCriteria, BaseEvaluatorConfig, read_model

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from typing_extensions import TypeVar as DefaultedTypeVar

    from fieldwise.evalsets.custom.results import Returned
    from fieldwise.scorers.agents.execution import AgentExecution

    C = DefaultedTypeVar("C", bound=BaseEvaluationCriteria)
    Config = DefaultedTypeVar("Config", bound=BaseEvaluatorConfig[Any], default=BaseEvaluatorConfig[Any])
    Justification = DefaultedTypeVar("Justification", default=None)
else:
    C = TypeVar("C")
    Config = TypeVar("Config")
    Justification = TypeVar("Justification")

_PARAMETERS = 3


class BaseEvaluator(ABC, Generic[C, Config, Justification]):
    """A custom evaluator: derive from `BaseEvaluator[Criteria, Config]` and write `evaluate`.

    A third type, of a justification, may be named and means nothing here. Without a config type it is
    `BaseEvaluatorConfig[Criteria]`.

    Attributes:
        id: of the evaluator.
        evaluator_config: how it is set up.

    Args:
        config: the configuration: an instance, a mapping as in a file, or None for the defaults.
        id: of the evaluator; None: what `get_evaluator_id` says.

    Raises:
        ConfigError: the configuration is wrong.

    Example:
        >>> from fieldwise.evalsets.custom import BaseEvaluationCriteria, as_evaluator
        >>> class AtMost(BaseEvaluationCriteria):
        ...     max_length: int = 10
        >>> class Length(BaseEvaluator[AtMost]):
        ...     async def evaluate(self, agent_execution, criteria):
        ...         return len(agent_execution.agent_output) <= criteria.max_length
        >>> evaluate = as_evaluator(Length, {"maxLength": 3})
        >>> evaluate(outputs="four")["score"]
        0.0
    """

    criteria_type: ClassVar[type[BaseEvaluationCriteria]] = BaseEvaluationCriteria
    config_type: ClassVar[type[BaseEvaluatorConfig[Any]]] = BaseEvaluatorConfig

    def __class_getitem__(cls, given: Any) -> Any:
        types = given if isinstance(given, tuple) else (given,)
        missing = len(getattr(cls, "__parameters__", ())) - len(types)
        if cls is BaseEvaluator and 0 < missing < _PARAMETERS:
            config = BaseEvaluatorConfig[types[0]]  # type: ignore[valid-type]
            types = (*types, *(config, type(None))[-missing:])
        return super().__class_getitem__(types)  # type: ignore[misc]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for base in cls.__dict__.get("__orig_bases__", ()):
            origin = get_origin(base)
            if isinstance(origin, type) and issubclass(origin, BaseEvaluator):
                _note_types(cls, get_args(base))

    def __init__(self, config: Config | Mapping[str, Any] | None = None, *, id: str | None = None) -> None:  # noqa: A002 - what files call it
        what = f"{type(self).__name__}: evaluatorConfig"
        read = read_model(self.config_type, {} if config is None else config, what)
        self.evaluator_config = cast("Config", read)
        self.id = self.get_evaluator_id() if id is None else id

    @classmethod
    def get_evaluator_id(cls) -> str:
        """Return the id of evaluators of this class, its name unless overridden."""
        return cls.__name__

    @property
    def name(self) -> str:
        """What its results are called."""
        return self.evaluator_config.name or self.id

    @abstractmethod
    def evaluate(
        self, agent_execution: AgentExecution, evaluation_criteria: C, /
    ) -> Awaitable[Returned] | Returned:
        """Evaluate a run of an agent; `async` or not.

        Args:
            agent_execution: the run; its `agent_trace` is sorted by start.
            evaluation_criteria: what the test case asks.

        Returns:
            A `NumericEvaluationResult`, `BooleanEvaluationResult` or `ErrorEvaluationResult`; or a bare
            score. What it raises becomes a result without score.
        """


_KINDS: Final[tuple[tuple[str, type[Any]], ...]] = (
    ("criteria_type", BaseEvaluationCriteria),
    ("config_type", BaseEvaluatorConfig),
)


def _note_types(cls: type[BaseEvaluator[Any, Any, Any]], types: tuple[Any, ...]) -> None:
    """Note which criteria and which configuration a class was derived with."""
    for (attribute, kind), given in zip(_KINDS, types, strict=False):
        if isinstance(given, TypeVar):
            continue
        if not (isinstance(given, type) and issubclass(given, kind)):
            raise ConfigError(
                f"{cls.__name__}: BaseEvaluator[Criteria, Config] takes a class derived from "
                f"{kind.__name__}, not {shown(given)}"
            )
        setattr(cls, attribute, given)
