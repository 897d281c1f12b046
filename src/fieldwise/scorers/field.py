"""`Field`: one field to compare, as options and annotations name it."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from fieldwise._types import CompareCallable, ListMode
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Comparator

ANNOTATION: Final = "x-fieldwise"
"""The key of a JSON Schema that says how its place is compared."""

SHOWING: ContextVar[bool] = ContextVar("fieldwise.scorers.field.SHOWING", default=False)
"""Whether annotations show in the JSON Schema of a pydantic model; only while fields are read off one."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field to compare.

    As an annotation of a pydantic model's field (`Annotated[float, Field(comparator="number")]`, see
    `fields_from_schema`) it leaves out the path.

    Attributes:
        path: dotted, JSON Pointer or JSONPath; a wildcard names one field over many places. The empty path
            is the whole document.
        comparator: a comparator, its name, or a callable; JSON equality unless given. An object or list
            counts as the mean of its leaves.
        weight: its share in the aggregate, at least 0.
        threshold: what its score has to reach to have passed, in (0, 1]; the score stays as it is.
        rubric: what makes it right, in words; a judge decides, unless the values are equal.
        required: whether the record passes only if this field does.
        list_match_mode: how it pairs when it is a list: "ordered" (unless given), "same_elements",
            "subset", "superset" or `by_key`. Graded with a comparator, else all or nothing.

    >>> Field("total", comparator="number", weight=2).weight
    2
    """

    path: str = ""
    comparator: Comparator | CompareCallable | str | None = None
    weight: float = 1.0
    threshold: float = 1.0
    rubric: str | None = None
    required: bool = False
    list_match_mode: ListMode | ByKey | None = None

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        """Show this annotation in the schema that `fields_from_schema` reads, and in no other."""
        schema: dict[str, Any] = handler(core_schema)
        return {**schema, ANNOTATION: self} if SHOWING.get() else schema
