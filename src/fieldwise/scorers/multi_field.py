"""Multi-field match: the fields you name, a score for each, and how each one came out.

Besides its score every field has an outcome, by whether a value was wanted and whether one came:

| | a value came, right | a value came, wrong | no value came |
|---|---|---|---|
| wanted | true_positive | false_discovery | false_negative |
| not wanted | - | false_alarm | true_negative |

null and no value both count as none here; whether they are *equal* is `null_policy`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING, ListMode, MultipleJson, NullPolicy, ParseMode, Truncated
from fieldwise.core.aggregate import Score, fold
from fieldwise.core.explain import comment
from fieldwise.core.pick import Pick, Picked, Picker
from fieldwise.core.policy import entry
from fieldwise.core.select import compile_path
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.plan import Card, Plan

if TYPE_CHECKING:
    from fieldwise._types import CompareCallable, EvaluatorResult, Json, Missing
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Comparator, Outcome
    from fieldwise.core.flow import Flow
    from fieldwise.core.read import Documents, Problem, Reader

AGGREGATE = "aggregate_score"


@dataclass(frozen=True, slots=True)
class Field:
    """One field to compare.

    Attributes:
        path: dotted, JSON Pointer or JSONPath; a wildcard names one field over many places.
        comparator: a comparator, its name, or a callable; JSON equality unless given.
        weight: its share in the aggregate, at least 0.
        threshold: what its score has to reach to have passed, in (0, 1].
        rubric: what makes it right; a judge decides, unless the values are equal.
        required: whether the record passes only if this field does.
        list_match_mode: how it pairs when it is a list; "ordered" unless given.
    """

    path: str
    comparator: Comparator | CompareCallable | str | None = None
    weight: float = 1.0
    threshold: float = 1.0
    rubric: str | None = None
    required: bool = False
    list_match_mode: ListMode | ByKey | None = None


def multi_field(
    *,
    fields: Sequence[str | Field],
    lists: Mapping[str, ListMode | ByKey] | None = None,
    judge: Any | None = None,
    model: str | None = None,
    outputs_key: str | None = None,
    correct_answer_key: str | None = None,
    parse: ParseMode = "lenient",
    multiple_json: MultipleJson = "error",
    truncated: Truncated = "error",
    null_policy: NullPolicy = "distinct",
    coerce: bool = False,
    feedback_key: str = "multi_field",
    threshold: float = 1.0,
) -> Plan:
    """Compare the named fields of two documents; a score for each, and their weighted mean.

    Args:
        fields: paths, or `Field`s that say more about one.
        lists: path to how a list on the way of a wildcard pairs; "ordered" unless stated.
        judge: answers the rubrics of fields that have one.
        model: the name of a model that answers them, instead of `judge`.
        outputs_key: the key or path of the value to compare in the outputs.
        correct_answer_key: the same for the reference outputs, else the inputs.
        parse: "lenient" reads JSON in fences and prose and repairs slips; "strict" does not; "off" never.
        multiple_json: which value counts when a text holds several that differ.
        truncated: "closed_fields" credits what was closed before a text was cut off.
        null_policy: whether null, no value and empty values are told apart.
        coerce: whether text that is a number or boolean is read as one.
        feedback_key: replaces `multi_field` in the keys.
        threshold: what the aggregate has to reach to have passed; in (0, 1].

    Returns:
        A result for each field, keyed `multi_field:<path as given>`, then `multi_field:aggregate_score`. A
        path that is on neither side is not graded (status `path_not_found`) and left out of the aggregate.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.
        PathError: for a path that does not parse, with position and hint.
    """
    chosen = _fields(fields)
    rubrics = [one for one in chosen if one.rubric is not None]
    options.judged_as_asked("a Field with a rubric", bool(rubrics), judge, model)
    picker = Picker([_pick(one) for one in chosen], [*_lists(lists)])
    match = _Match(
        name=options.text("feedback_key", feedback_key),
        fields=chosen,
        picker=picker,
        reader=options.reader(
            outputs_key=outputs_key,
            correct_answer_key=correct_answer_key,
            parse=parse,
            multiple_json=multiple_json,
            truncated=truncated,
            coerce=coerce,
            null_policy=null_policy,
        ),
        threshold=options.threshold("threshold", threshold),
    )
    entries = [entry(one.path, "pick", True) for one in chosen]
    return Plan("multi_field", match.flow, judge, model, entries, reader=match.reader)


def _fields(given: Any) -> tuple[Field, ...]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ConfigError(f"fields={given!r}: must be a list of paths or Fields, fields=['name', 'address.city']")
    chosen = tuple(Field(one) if isinstance(one, str) else one for one in given)
    if not chosen:
        raise ConfigError("fields=[]: name at least one field")
    seen: set[str] = set()
    for one in chosen:
        if not isinstance(one, Field):
            raise ConfigError(f"fields: {one!r} must be a path or a Field")
        if one.path in seen:
            raise ConfigError(f"fields: {one.path!r} is named twice; name each field once")
        seen.add(one.path)
        if one.path == AGGREGATE:
            raise ConfigError(f"fields: {AGGREGATE!r} is the key of the aggregate; write the field as '/{AGGREGATE}'")
    return chosen


def _pick(one: Field) -> Pick:
    from fieldwise.comparators import resolve

    place = f"fields[{one.path!r}]"
    options.weights(f"{place}.weight", {one.path: one.weight})
    options.threshold(f"{place}.threshold", one.threshold)
    options.flag(f"{place}.required", one.required)
    if one.rubric is not None:
        options.texts(f"{place}.rubric", {one.path: one.rubric})
    return Pick(
        one.path,
        compile_path(one.path),
        None if one.comparator is None else resolve(f"{place}.comparator", one.comparator),
        one.rubric,
        None if one.list_match_mode is None else options.list_mode(f"{place}.list_match_mode", one.list_match_mode),
    )


def _lists(given: Any) -> Iterable[Any]:
    for key, mode in options.mapping("lists", given).items():
        try:
            compile_path(key)
        except PathError as error:
            raise ConfigError(f"lists[{key!r}]: {error}") from None
        yield entry(key, "lists", options.list_mode(f"lists[{key!r}]", mode))


@dataclass(frozen=True, slots=True)
class _Match:
    """The checked options, and the flow over one record."""

    name: str
    fields: tuple[Field, ...]
    picker: Picker
    reader: Reader
    threshold: float

    def flow(self, inputs: Any, outputs: Any, reference_outputs: Any) -> Flow[Card]:
        """Read, compare and judge one record."""
        documents = self.reader.read(inputs, outputs, reference_outputs)
        problem = documents.problem or _misfit(documents)
        if problem is not None:
            return _Card(self, documents.ledger, problem=problem)
        picked = self.picker.compare(documents.expected, documents.actual)  # type: ignore[arg-type]
        card = _Card(self, documents.ledger, picked)
        asked = [one for each in picked for one in each.outcomes if one.criterion is not None]
        if asked:
            from fieldwise.scorers.judging import judge_outcomes

            card.usage = yield from judge_outcomes(asked)
        return card


def _misfit(documents: Documents) -> Problem | None:
    from fieldwise.core.read import Problem, misfit

    expected = documents.expected
    if not isinstance(expected, dict | list):
        return Problem("invalid_reference", "reference_outputs: fields need an object or an array")
    return misfit(expected, documents.actual)


def outcome_of(expected: Json | Missing, actual: Json | Missing, *, right: bool) -> str:
    """Name how a field came out, by whether a value was wanted, came, and was right.

    >>> outcome_of("Oslo", None, right=False)
    'false_negative'
    """
    wanted, came = expected is not MISSING and expected is not None, actual is not MISSING and actual is not None
    if wanted and came:
        return "true_positive" if right else "false_discovery"
    if wanted:
        return "false_negative"
    return "false_alarm" if came else "true_negative"


@dataclass(slots=True)
class _Card:
    """One scored record, and its results."""

    match: _Match
    ledger: Mapping[str, Sequence[str]]
    picked: Sequence[Picked] = ()
    problem: Problem | None = None
    usage: Mapping[str, float] | None = None

    def results(self) -> list[EvaluatorResult]:
        """Return a result for each field, then the aggregate."""
        if self.problem is not None:
            names = [one.path for one in self.match.fields]
            return [self._failed(name, self.problem) for name in (*names, AGGREGATE)]
        scores = [_fold(one.outcomes) for one in self.picked]
        rows = [
            self._row(each, one, score) for each, one, score in zip(self.match.fields, self.picked, scores, strict=True)
        ]
        return [*rows, self._aggregate(scores)]

    def summary(self) -> EvaluatorResult:
        """Return the aggregate."""
        if self.problem is not None:
            return self._failed(AGGREGATE, self.problem)
        return self._aggregate([_fold(one.outcomes) for one in self.picked])

    def _row(self, named: Field, one: Picked, score: Score | None) -> EvaluatorResult:
        if score is None:
            note = f"{named.path}: on neither side"
            return self._result(named.path, None, "path_not_found", note, {"passed": False, "support": 0})
        value = score.value
        extra: dict[str, Any] = {
            "passed": value is not None and value >= named.threshold,
            "support": score.support,
            "comparator": one.outcomes[0].comparator,
            "outcome": _outcome(one.outcomes, passed=value is not None and value >= named.threshold),
        }
        if len(one.outcomes) > 1:
            extra["outcomes"] = _outcomes(one.outcomes, named.threshold)
        if score.cause is not None:
            extra["reason"] = score.cause.reason
        wrong = [each for each in one.outcomes if each.score != 1.0]
        return self._result(named.path, value, score.status, comment(wrong, len(one.outcomes), "places"), extra)

    def _aggregate(self, scores: Sequence[Score | None]) -> EvaluatorResult:
        pairs = [(each, score) for each, score in zip(self.match.fields, scores, strict=True) if score is not None]
        heavy = [(each, score) for each, score in pairs if each.weight > 0]
        cause = next((score.cause for _, score in heavy if score.value is None), None)
        graded = [(each, score.value) for each, score in heavy if score.value is not None]
        total = sum(each.weight for each, _ in graded)
        value: float | None = None
        if cause is None:
            value = sum(score * each.weight for each, score in graded) / total if total else 1.0
        needed = all(
            score is not None and score.value is not None and score.value >= each.threshold
            for each, score in zip(self.match.fields, scores, strict=True)
            if each.required
        )
        extra: dict[str, Any] = {
            "passed": value is not None and value >= self.match.threshold and needed,
            "support": len(graded),
            "coverage": len(graded) / len(heavy) if heavy else 1.0,
        }
        if cause is not None:
            extra["reason"] = cause.reason
        wrong = [one for each in self.picked for one in each.outcomes if one.score != 1.0]
        places = sum(len(each.outcomes) for each in self.picked)
        status = "graded" if cause is None else cause.status
        return self._result(AGGREGATE, value, status, comment(wrong, places, "fields"), extra, path="$")

    def _failed(self, name: str, problem: Problem) -> EvaluatorResult:
        score = 0.0 if problem.status == "invalid_output" else None
        extra = {"passed": False, "support": 0, "reason": problem.reason}
        path = "$" if name == AGGREGATE else name
        return self._result(name, score, problem.status, problem.reason, extra, path=path)

    def _result(
        self,
        name: str,
        score: float | None,
        status: str,
        note: str | None,
        more: Mapping[str, Any],
        *,
        path: str | None = None,
    ) -> EvaluatorResult:
        extra: dict[str, Any] = {"status": status, "path": path or name, **more}
        if self.ledger:
            extra["parse"] = {side: list(words) for side, words in self.ledger.items()}
        if self.usage is not None:
            extra["usage"] = dict(self.usage)
        key = f"{self.match.name}:{name}"
        return {"key": key, "score": score, "comment": note, "metadata": extra, "extra": extra}


def _fold(outcomes: Sequence[Outcome]) -> Score | None:
    """The mean over a field's places; None when it has none."""
    if not outcomes:
        return None
    cause = next((one for one in outcomes if one.score is None), None)
    graded = [one.score for one in outcomes if one.score is not None]
    if cause is not None:
        return Score(None, len(graded), len(outcomes) - len(graded), cause)
    return Score(fold(graded, "average"), len(graded))


def _outcome(outcomes: Sequence[Outcome], *, passed: bool) -> str:
    """How a field came out: of many places the worst word."""
    if len(outcomes) == 1:
        return outcome_of(outcomes[0].expected, outcomes[0].actual, right=passed)
    named = {outcome_of(one.expected, one.actual, right=one.score == 1.0) for one in outcomes}
    order = ("false_alarm", "false_negative", "false_discovery", "true_positive", "true_negative")
    return next(word for word in order if word in named)


def _outcomes(outcomes: Sequence[Outcome], threshold: float) -> dict[str, int]:
    """How many places came out each way."""
    counts: dict[str, int] = {}
    for one in outcomes:
        word = outcome_of(one.expected, one.actual, right=one.score is not None and one.score >= threshold)
        counts[word] = counts.get(word, 0) + 1
    return counts
