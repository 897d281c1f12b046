"""JSON diff: the share of leaves that are equal at the same path.

Both documents are flattened to leaves by path, and each path scores 1 or 0. An empty object or array is
a leaf; null equals null; leaves are equal as JSON is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from fieldwise.core.policy import Policy
from fieldwise.scorers import options
from fieldwise.scorers.differences import differences
from fieldwise.scorers.leaves import list_entries
from fieldwise.scorers.rewrite import rewritten
from fieldwise.scorers.single import Grade, single

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fieldwise._types import ListMode
    from fieldwise.core.align import ByKey
    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan


@options.READING.named
def json_diff(
    *,
    compare_schema_only: bool = False,
    predict_keys: bool = False,
    case_insensitive_keys: bool = False,
    lists: Mapping[str, ListMode | ByKey] | None = None,
    feedback_key: str = "json_diff",
    threshold: float = 0.5,
    **reading: Unpack[options.Reading],
) -> Plan:
    """Compare two documents leaf by leaf: the share of paths at which both have the same value.

    The leaves are values that are no containers, and empty containers. A path of one side alone is wrong.
    `extra["differences"]` lists the first 50 differences: path, kind (`missing`, `unexpected`, `type` or
    `value`), expected, got. With sides of which both are empty the score is 1.0 and the support 0.

    Args:
        compare_schema_only: whether leaves are right when their JSON type is, whatever their value. JSON has
            one type of number.
        predict_keys: True: only the paths of the reference count. False: the paths of both sides.
        case_insensitive_keys: whether names are compared casefolded; paths are then shown so. Names of one
            object that fold to the same text are told in `extra["collisions"]`: the folded spelling takes
            the name, else the first in sorted order, and the others keep theirs.
        lists: path to how a list pairs: "ordered", by index, unless stated; "same_elements", "superset"
            (outputs may hold more), "subset" (outputs may hold less), or `by_key`; `$` for a top-level list.
        reading: how both sides are read; see `options.Reading`.
        feedback_key: replaces `json_diff` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1; None where the reference cannot be read.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_json_diff_evaluator()
        >>> result = evaluate(outputs={"a": 1, "b": 2}, reference_outputs={"a": 1, "b": 3})
        >>> result["score"], result["comment"]
        (0.5, '1 of 2 leaves not right: b: expected 3, got 2')
    """
    fold = options.flag("case_insensitive_keys", case_insensitive_keys)
    policy = Policy(list_entries(lists, fold=fold))
    reader = options.reader(**reading)
    diff = _Diff(
        policy,
        schema=options.flag("compare_schema_only", compare_schema_only),
        reference_only=options.flag("predict_keys", predict_keys),
        fold=fold,
        drop=reader.null_policy == "null_equals_missing",
    )
    return single(
        "json_diff",
        diff.check,
        reader,
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        shaped=True,
        entries=() if fold else policy.entries,
    )


@dataclass(frozen=True, slots=True)
class _Diff:
    """The checked options, and the check of one record."""

    policy: Policy
    schema: bool
    reference_only: bool
    fold: bool
    drop: bool

    def check(self, documents: Documents) -> Grade:
        notes: list[str] = []
        expected, actual = (
            rewritten(side, fold=self.fold, kinds=self.schema, drop=self.drop, notes=notes)  # type: ignore[arg-type]
            for side in (documents.expected, documents.actual)
        )
        tree = self.policy.tree((expected, actual))
        found = differences(expected, actual, tree, reference_only=self.reference_only)
        nothing = isinstance(expected, dict | list) and not expected and not found.wrong
        extra: dict[str, Any] = {
            "support": 0 if nothing else found.total,
            "leaves": {"right": found.right, "total": found.total},
            "differences": found.listed(),
        }
        if found.pairings:
            extra["pairing"] = found.pairings
        if notes:
            extra["collisions"] = notes
        comment = "nothing to compare" if nothing else found.comment()
        return Grade(found.right / found.total if found.total else 1.0, comment, extra=extra)
