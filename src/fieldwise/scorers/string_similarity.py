"""String similarity: how alike the output and the reference read, by any metric of RapidFuzz.

Equal values are 1 whatever the metric. `"5"` is not `5`: text beside a value that is no text is 0. Two
values that are both no text are compared by their canonical JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.comparators.ratios import SCORERS, fuzzy
from fieldwise.comparators.similarity import METRICS
from fieldwise.comparators.similarity import string_similarity as by_distance
from fieldwise.core.equality import canonical, equal, preview
from fieldwise.errors import Unreadable
from fieldwise.scorers import options
from fieldwise.scorers.distances import LEVENSHTEIN_CELLS, levenshtein, note
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade
from fieldwise.scorers.text_checks import TEXT, Common, folded, ignoring_case

if TYPE_CHECKING:
    from fieldwise.core.compare import Comparator
    from fieldwise.scorers.plan import Plan
    from fieldwise.scorers.text_checks import TextOptions

_METRICS: Final = (*METRICS, *SCORERS)


@TEXT.named
def string_similarity(
    *,
    metric: str = "levenshtein",
    feedback_key: str = "string_similarity",
    threshold: float = 0.5,
    **looking: Unpack[TextOptions],
) -> Plan:
    """Grade how alike the output and the reference read, from 0 to 1.

    Each side is one value: the text itself, `{"expectedOutput": text}` as reference, or a sole column.
    By "levenshtein", texts beyond 100,000 characters are compared in pieces, which the comment tells: the
    score is then at most too low.

    Args:
        metric: "levenshtein" (1 - edits / length of the longer text), "damerau_levenshtein", "osa",
            "indel", "jaro", "jaro_winkler", "lcs", "hamming", "prefix", "postfix", or a scorer of
            `rapidfuzz.fuzz` by its name, divided by 100: "ratio", "partial_ratio", "token_sort_ratio",
            "token_set_ratio", "token_ratio", "partial_token_sort_ratio", "partial_token_set_ratio",
            "partial_token_ratio", "WRatio", "QRatio".
        negated: grade how unlike they are, 1 - similarity. An output without a value at the target is 0
            either way.
        looking: how text is looked at; see `text_checks.TextOptions`.
        feedback_key: replaces `string_similarity` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1; None where there is no reference, where a side has several columns
        and none is named, and (not_evaluated) where texts are too long for the metric.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_string_similarity_evaluator()
        >>> evaluate(outputs="kitten", reference_outputs="sitting")["score"]
        0.5714285714285714
    """
    options.one_of("metric", metric, _METRICS)
    made = fuzzy(scorer=metric, clean=False) if metric in SCORERS else by_distance(metric)
    common = Common(
        looking,
        envelopes=("expectedOutput", "expected_output"),
    )
    return common.plan(
        "string_similarity",
        _Likeness(metric, made, ignore_case=ignoring_case(looking)),
        feedback_key,
        threshold=options.threshold("threshold", threshold),
        worst=0.0,
    )


@dataclass(frozen=True, slots=True)
class _Likeness:
    """Grades two values by a comparator of texts."""

    metric: str
    comparator: Comparator
    ignore_case: bool

    def __call__(self, expected: Any, actual: Any) -> Grade:
        try:
            score, bound = self._score(expected, actual)
        except Unreadable as error:
            raise Unfit(str(error), "not_evaluated") from None
        said = f"{self.metric} {score:.4g}{f', {bound}' if bound else ''}"
        comment = f"expected {preview(expected)}, got {preview(actual)} [{said}]"
        return Grade(score, comment, extra={"comparator": self.metric})

    def _score(self, expected: Any, actual: Any) -> tuple[float, str]:
        """The similarity of two values, and how the comparison was bounded, if it was."""
        if equal(expected, actual):
            return 1.0, ""
        if isinstance(expected, str) is not isinstance(actual, str) or expected is None or actual is None:
            return 0.0, ""
        wanted, came = (
            folded(one if isinstance(one, str) else canonical(one), ignore_case=self.ignore_case)
            for one in (expected, actual)
        )
        if self.metric == "levenshtein":
            return levenshtein(wanted, came), note(wanted, came, LEVENSHTEIN_CELLS) or ""
        return 1.0 if wanted == came else min(1.0, float(self.comparator.grade(wanted, came))), ""
