"""Classification: is the label right, and over a data set, how well is each class told from the others?

A label that is none of the classes is wrong and counts against the true class; a reference that is none of
them is invalid. Of a record the score is 1 or 0. What is asked of a classifier, precision, recall and
f-score, exists over a data set only: see `labels`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.display import nearest, shown
from fieldwise.core.equality import preview
from fieldwise.core.statistics.classes import Averaging, Metric, ZeroDivision
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.labels import Labels, classes_of, label_of, listed
from fieldwise.scorers.sides import Sides, Unfit
from fieldwise.scorers.single import Grade, single
from fieldwise.scorers.text_checks import Common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

_ENVELOPES: Final = ("expectedClass", "expected_class")


@options.KEYS.named
def binary_classification(
    *,
    positive_class: str | float,
    classes: Sequence[str | float] | None = None,
    metric_type: Metric = "precision",
    f_value: float = 1.0,
    zero_division: ZeroDivision = 0,
    target_output_key: str = "*",
    feedback_key: str = "binary_classification",
    **keys: Unpack[options.Keys],
) -> Plan:
    """Accept the right one of two labels.

    The reference is a label, `{"expectedClass": label}`, or a sole column that holds one.

    Args:
        positive_class: the label that precision and recall are of.
        classes: both labels; None: the positive class, and whatever else the references hold.
        metric_type: what a summary over records puts first: "precision", "recall" or "f-score".
        f_value: how many times recall counts as much as precision in the f-score, from
            0 to 1,000; 0 is precision alone.
        zero_division: what a metric counts as that divides by nothing: 0, 1, or "exclude": no score.
        target_output_key: "*" for the whole output, or the path of the label; the same in a reference that
            is an object.
        keys: which value of each side is looked at; see `options.Keys`.
        feedback_key: replaces `binary_classification` as the key.

    Returns:
        One result with score 1.0 or 0.0; None where the reference is no label, or none of the classes.
        `extra` has both labels as they were compared.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_binary_classification_evaluator(positive_class="spam")
        >>> evaluate(outputs={"label": " Spam"}, reference_outputs={"label": "spam"})["score"]
        1.0
    """
    known = None if classes is None else classes_of(classes)
    positive = label_of(positive_class)
    if not positive:
        raise ConfigError(f"positive_class={shown(positive_class)}: must be a label that is not blank")
    if known is not None and positive not in known:
        raise ConfigError(f"positive_class={shown(positive_class)}: must be one of classes, {listed(known)}")
    if known is not None and len(known) != 2:  # noqa: PLR2004 - binary
        raise ConfigError(
            f"classes={shown(classes)}: must be two; multiclass_classification takes any number"
        )
    summing = Labels(
        known, positive, options.one_of("metric_type", metric_type, Metric), "micro", f_value,
        zero_division,
    )  # fmt: skip
    return _plan("binary_classification", summing, target_output_key, feedback_key, keys)


@options.KEYS.named
def multiclass_classification(
    *,
    classes: Sequence[str | float],
    metric_type: Metric = "f-score",
    averaging: Averaging = "macro",
    f_value: float = 1.0,
    zero_division: ZeroDivision = 0,
    target_output_key: str = "*",
    feedback_key: str = "multiclass_classification",
    **keys: Unpack[options.Keys],
) -> Plan:
    """Accept the right one of several labels.

    The reference is a label, `{"expectedClass": label}`, or a sole column that holds one.

    Args:
        classes: all labels there are.
        metric_type: what a summary over records puts first: "precision", "recall" or "f-score".
        averaging: how a summary makes one metric of those of all classes: "macro", each class the same;
            "weighted", by how often it is true; "micro", of all counts added up.
        f_value: how many times recall counts as much as precision in the f-score, from
            0 to 1,000; 0 is precision alone.
        zero_division: what a metric counts as that divides by nothing: 0, 1, or "exclude": the class is left
            out.
        target_output_key: "*" for the whole output, or the path of the label; the same in a reference that
            is an object.
        keys: which value of each side is looked at; see `options.Keys`.
        feedback_key: replaces `multiclass_classification` as the key.

    Returns:
        One result with score 1.0 or 0.0; None where the reference is none of the classes. `extra` has both
        labels as they were compared.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_multiclass_classification_evaluator(classes=["cat", "dog", "bird"])
        >>> evaluate(outputs="cow", reference_outputs="dog")["comment"]
        'expected "dog", got "cow", which is none of the classes'
    """
    summing = Labels(
        classes_of(classes), None, options.one_of("metric_type", metric_type, Metric),
        options.one_of("averaging", averaging, Averaging), f_value, zero_division,
    )  # fmt: skip
    return _plan("multiclass_classification", summing, target_output_key, feedback_key, keys)


# ------------------------------------------------------------------------------------------ one record


def _plan(name: str, summing: Labels, target: str, key: str, keys: options.Keys) -> Plan:
    if not isinstance(target, str):
        raise ConfigError(f"target_output_key={shown(target)}: must be '*' or one path, the label's")
    common = Common(
        {"target_output_key": target, **keys},
        envelopes=_ENVELOPES,
    )
    check = _Check(common.sides(), summing.classes)
    plan = single(name, check, check.sides.reader, feedback_key=key, worst=0.0)
    return replace(plan, summarise=summing.summarise, labels=summing)


@dataclass(frozen=True, slots=True)
class _Check:
    """Grades one record."""

    sides: Sides
    classes: tuple[str, ...] | None

    def __call__(self, documents: Documents) -> Grade:
        place = self.sides.place
        try:
            expected, actual = self.sides.take(documents)
        except Unfit as unfit:
            grade, wanted = unfit.grade, label_of(unfit.expected)
            if grade.score is None:
                return replace(grade, path=place)
            extra = {"expected_class": wanted, "predicted_class": None}
            return replace(grade, score=0.0, path=place, extra=extra if self._known(wanted) else {})
        return replace(self._grade(expected, actual), path=place)

    def _grade(self, expected: Any, actual: Any) -> Grade:
        wanted, came = label_of(expected), label_of(actual)
        if wanted is None:
            reason = f"the reference must be a label, text, a number or a boolean, got {preview(expected)}"
            return Grade(None, reason, "invalid_reference")
        if not self._known(wanted):
            close = nearest(wanted, self.classes or ())
            hint = f"; did you mean {close!r}?" if close else f"; the classes: {listed(self.classes or ())}"
            return Grade(None, f"the reference is {preview(expected)}, no class{hint}", "invalid_reference")
        extra = {"expected_class": wanted, "predicted_class": came}
        if came == wanted:
            return Grade(1.0, extra=extra)
        note = (
            ""
            if self._known(came)
            else ", which is none of the classes"
            if came is not None
            else ", no label"
        )
        return Grade(0.0, f"expected {preview(expected)}, got {preview(actual)}{note}", extra=extra)

    def _known(self, label: str | None) -> bool:
        return label is not None and (self.classes is None or label in self.classes)
