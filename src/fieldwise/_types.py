"""The vocabulary: JSON values, paths, results and the protocols others implement.

Nothing here computes. Everything to the right of this layer speaks in these names.
"""

from __future__ import annotations

from decimal import Decimal
from enum import Enum
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    Never,
    NotRequired,
    Protocol,
    TypeAlias,
    TypedDict,
    overload,
    runtime_checkable,
)

if TYPE_CHECKING:
    from openevals.types import EvaluatorResult as Returned

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | Decimal | None"
"""A JSON value. `Decimal` occurs only where a float cannot hold the number exactly."""

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]
"""A place in a document: member names and element indices from the root."""


class Missing(Enum):
    """The type of MISSING, so that type checkers can tell it from null."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing.MISSING
"""No value at all, as opposed to JSON null (`None`)."""

Status: TypeAlias = Literal[
    "graded",
    "invalid_output",
    "invalid_reference",
    "judge_error",
    "not_evaluated",
    "not_applicable",
    "path_not_found",
]
Aggregator: TypeAlias = Literal["average", "all"]
ListMode: TypeAlias = Literal["ordered", "same_elements", "subset", "superset"]
NullPolicy: TypeAlias = Literal["distinct", "null_equals_missing", "empty_equals_null"]
ParseMode: TypeAlias = Literal["lenient", "strict", "off"]
MultipleJson: TypeAlias = Literal["error", "first", "last"]
Truncated: TypeAlias = Literal["error", "closed_fields"]


class EvaluatorResult(TypedDict):
    """What an evaluator returns for one feedback key.

    `score` is a float in the evaluator's documented range, a bool where the evaluator is boolean by
    nature, or None: not graded. `metadata` and `extra` carry the same JSON, because LangSmith
    uploads only `extra`.
    """

    key: str
    score: float | bool | None
    comment: str | None
    metadata: dict[str, Any]
    extra: dict[str, Any]
    source_run_id: NotRequired[str]


class StringResult(TypedDict):
    """What a string evaluator returns: one aggregate, and the results it was made of."""

    score: float | bool | None
    reasoning: str | None
    metadata: dict[str, Any]
    results: list[EvaluatorResult]


class SummaryResult(TypedDict):
    """What a summary evaluator returns: results over many records."""

    results: list[EvaluatorResult]


class Evaluator(Protocol):
    """An evaluator, as OpenEvals declares one (`SimpleEvaluator`) and as LangSmith's `evaluate` takes one.

    LangSmith declares no evaluator that is called by name, though it calls all that take names so. The
    second form makes one fit: it says that a call by position, which raises TypeError, never returns.
    """

    @overload
    def __call__(
        self,
        *,
        inputs: Any | None = None,
        outputs: Any,
        reference_outputs: Any | None = None,
        **kwargs: Any,
    ) -> Returned | list[Returned]: ...
    @overload
    def __call__(self, run: object, example: object, /) -> Never: ...


class AsyncEvaluator(Protocol):
    """An evaluator to await: `SimpleAsyncEvaluator` of OpenEvals; LangSmith takes it as any other."""

    @overload
    async def __call__(
        self,
        *,
        inputs: Any | None = None,
        outputs: Any,
        reference_outputs: Any | None = None,
        **kwargs: Any,
    ) -> Returned | list[Returned]: ...
    @overload
    def __call__(self, run: object, example: object, /) -> Never: ...


class SummaryEvaluator(Protocol):
    """An evaluator over many records, with exactly the parameters that LangSmith fills; see `Evaluator`."""

    @overload
    def __call__(self, *, outputs: Any, reference_outputs: Any) -> SummaryResult: ...
    @overload
    def __call__(self, runs: object, examples: object, /) -> Never: ...


class CompareCallable(Protocol):
    """Anything that compares two values: 1 or True is right, 0 or False is wrong.

    Raise `fieldwise.errors.Unreadable` for a value that cannot be read. Never called on equal
    values: those score 1 by definition.
    """

    def __call__(self, expected: Any, actual: Any, /) -> float | bool: ...


Results: TypeAlias = list[EvaluatorResult]


@runtime_checkable
class StringEvaluator(Protocol):
    """The LangChain string evaluator interface, structurally."""

    @property
    def evaluation_name(self) -> str: ...
    @property
    def requires_input(self) -> bool: ...
    @property
    def requires_reference(self) -> bool: ...
    def evaluate_strings(
        self, *, prediction: str, reference: str | None = None, input: str | None = None, **kwargs: Any
    ) -> StringResult: ...
    async def aevaluate_strings(
        self, *, prediction: str, reference: str | None = None, input: str | None = None, **kwargs: Any
    ) -> StringResult: ...
