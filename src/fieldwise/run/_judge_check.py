"""How far a judge can be trusted: its verdicts beside those of people, and beside its own.

Each record's questions are asked in one request, as an evaluator asks them, those without a valid answer once
more. That first asking is what is compared with people. Then the same request is made again:

- with its questions in reversed order, where there are two or more, for what the order of questions within
  a request changes;
- `repeat - 1` times as it was, past any cache, for what the judge says differently of itself.

All of this is asked at the same time, of many records at once; no question is remembered from another
record. What the judge did not answer is counted apart, never as disagreement. A change of order shows the
judge's own wavering as well: compare it with the repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.core.flow import drive_many, together
from fieldwise.core.flow.desk import is_async
from fieldwise.errors import ConfigError
from fieldwise.judges import as_run_judge
from fieldwise.judges.model import ModelJudge
from fieldwise.run._labelled import criteria, read_case
from fieldwise.run._members import as_errands, run_errand
from fieldwise.scorers.agreement import Confusion, Consistency
from fieldwise.scorers.judging import Judged, ask
from fieldwise.scorers.options import flag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fieldwise.core.flow import Flow
    from fieldwise.run._labelled import Case, Labelled

MAX_DISAGREEMENTS: Final = 1_000
MAX_REPEATS: Final = 1_000
MAX_REASONS: Final = 100
"""How many different reasons are told apart."""
OTHER: Final = "(other reasons)"
_AHEAD: Final = 4


@dataclass(slots=True)
class Agreement:
    """What is known of the judge's answers to some questions.

    Attributes:
        asked: how many questions were asked.
        confusion: the judge's first verdicts beside people's.
        repeats: its verdicts beside its own, over the repeats.
        order: the same, over the two orders of questions.
    """

    asked: int = 0
    confusion: Confusion = field(default_factory=Confusion)
    repeats: Consistency = field(default_factory=Consistency)
    order: Consistency = field(default_factory=Consistency)

    @property
    def judged(self) -> int:
        """How many questions got a valid answer."""
        return self.confusion.count

    @property
    def coverage(self) -> float | None:
        """The share of questions that got one."""
        return self.judged / self.asked if self.asked else None

    @property
    def accuracy(self) -> float | None:
        """The share of answers that are what people said."""
        return self.confusion.accuracy

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of judge and people; None where both said one and the same of everything."""
        return self.confusion.kappa

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "asked": self.asked,
            "judged": self.judged,
            "coverage": self.coverage,
            **self.confusion.to_dict(),
            "repeats": self.repeats.to_dict() if self.repeats.questions else None,
            "order": self.order.to_dict() if self.order.questions else None,
        }


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One question of which the judge said something else than people."""

    id: str
    path: str
    people: bool
    judge: bool
    reason: str | None


@dataclass(slots=True)
class JudgeCheck:
    """How far a judge can be trusted.

    Attributes:
        overall: over all questions.
        criteria: path of a criterion to the questions it was asked about; where one criterion is for every
            place, the name of the place instead, indices as `[*]`.
        disagreements: where it said something else than people, the first `MAX_DISAGREEMENTS`.
        records: how many records there were.
        labels: how many verdicts of people.
        judge_errors: reason to how many questions got no answer for it.
        skipped: reason to how many labels were no question for it.
        unused: paths of criteria that no label needed.
        usage: what the calls used.
    """

    overall: Agreement = field(default_factory=Agreement)
    criteria: dict[str, Agreement] = field(default_factory=dict)
    disagreements: list[Disagreement] = field(default_factory=list)
    records: int = 0
    labels: int = 0
    judge_errors: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    usage: dict[str, float] = field(default_factory=dict)

    def passed(
        self,
        min_accuracy: float | None = None,
        min_kappa: float | None = None,
        min_coverage: float | None = None,
    ) -> bool:
        """Whether something was judged and every bar is reached; a kappa that is None reaches none."""
        one = self.overall
        bars = ((min_accuracy, one.accuracy), (min_kappa, one.kappa), (min_coverage, one.coverage))
        reached = (bar is None or (value is not None and value >= bar) for bar, value in bars)
        return one.judged > 0 and all(reached)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "records": self.records,
            "labels": self.labels,
            "overall": self.overall.to_dict(),
            "criteria": {path: one.to_dict() for path, one in self.criteria.items()},
            "judge_errors": dict(self.judge_errors),
            "skipped": dict(self.skipped),
            "unused": list(self.unused),
            "disagreements": [
                {
                    "id": one.id,
                    "path": one.path,
                    "people": one.people,
                    "judge": one.judge,
                    "reason": one.reason,
                }
                for one in self.disagreements
            ],
            "usage": dict(self.usage),
        }

    def add(self, case: Case, answers: _Answers) -> None:
        """Count one record."""
        self.records += 1
        self.labels += case.labels
        for reason in case.skipped:
            _count(self.skipped, reason)
        for judged in answers.every():
            for name, amount in judged.usage.items():
                self.usage[name] = self.usage.get(name, 0) + amount
        for one in case.questions:
            self._add(case.id, one, answers)

    def _add(self, id_: str, one: Labelled, answers: _Answers) -> None:
        name = one.question.id
        counted = (self.overall, self.criteria.setdefault(one.name, Agreement()))
        first = answers.first.answers.get(name)
        if first is None:
            _count(self.judge_errors, answers.first.reasons[name])
        elif first.score is not one.label and len(self.disagreements) < MAX_DISAGREEMENTS:
            found = Disagreement(id_, one.question.field, one.label, first.score, first.reasoning)
            self.disagreements.append(found)
        for here in counted:
            here.asked += 1
            if first is not None:
                here.confusion.add(people=one.label, judge=first.score)
            here.repeats.add(_scores(name, answers.first, *answers.repeats))
            here.order.add(_scores(name, answers.first, *answers.reversed))


def check_judge(
    records: Any,
    judge: Any = None,
    *,
    rubric: Any = None,
    repeat: int = 1,
    order: bool = True,
    model: str | None = None,
    concurrency: int = 16,
    on_record: Callable[[JudgeCheck], object] | None = None,
    check: JudgeCheck | None = None,
) -> JudgeCheck:
    """Ask a judge what people have judged already, and compare.

    Args:
        records: an iterable of mappings with `outputs`, `reference_outputs` and `labels`, which maps the
            path of a place, the same one in both, to people's verdict, true or false; optionally `rubric` and
            `id`.
        judge: as of an evaluator: a callable, a model client, or what `create_judge` made; not an async one.
        rubric: path to criterion, as of an evaluator, or text: one criterion for every place.
        repeat: how often each question is asked, from 1 to 1,000.
        order: whether each record is asked once more with its questions in reversed order.
        model: the name of a model in place of a judge, or the model of an OpenAI client.
        concurrency: how many calls are under way at once.
        on_record: called with what was found so far after each record, in the order of the records.
        check: one to add to, instead of a new one. It has every record that was finished also when the run is
            interrupted: KeyboardInterrupt propagates.

    Returns:
        What was found. A record that is no good is counted as skipped there and costs nothing else.

    Raises:
        ConfigError: for a judge, rubric or number that cannot serve.

    Example:
        >>> record = {"outputs": {"name": "A. Lovelace"}, "reference_outputs": {"name": "Ada Lovelace"}}
        >>> found = check_judge(
        ...     [{**record, "labels": {"name": True}}, {**record, "labels": {"name": False}}],
        ...     lambda request: {one.id: True for one in request.questions},
        ...     rubric={"name": "the same person"},
        ... )
        >>> found.overall.accuracy, found.overall.kappa, found.overall.coverage
        (0.5, 0.0, 1.0)
    """
    _check_whole("repeat", repeat)
    if repeat > MAX_REPEATS:
        raise ConfigError(f"repeat={shown(repeat)}: must be at most {MAX_REPEATS:,}")
    _check_whole("concurrency", concurrency)
    flag("order", order)
    if on_record is not None and not callable(on_record):
        raise ConfigError(f"on_record={shown(on_record)}: must be a function of a JudgeCheck, or None")
    if check is not None and not isinstance(check, JudgeCheck):
        raise ConfigError(f"check={shown(check)}: must be a JudgeCheck to add to, or None")
    known = criteria(rubric)
    asking = _Asking(_judge(judge, model), repeat, order)
    check = JudgeCheck() if check is None else check
    cases = (read_case(row, at, known) for at, row in enumerate(_rows(records), start=1))
    flows = (asking.flow(case) for case in cases)
    with closing(drive_many(flows, run_errand, window=_AHEAD * concurrency, limit=concurrency)) as results:
        for case, answers in results:
            check.add(case, answers)
            if on_record is not None:
                on_record(check)
    check.unused = [one.path for one in known if one.selector and one.path not in check.criteria]
    return check


def _check_whole(option: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{option}={shown(value)}: must be a whole number from 1 up")


def _judge(judge: Any, model: str | None) -> Any:
    found = as_run_judge(judge, model, awaits=False)
    if found is None:
        raise ConfigError("judge=None: pass the judge to check, or model= the name of a model")
    if is_async(found):
        name = getattr(judge, "__name__", type(judge).__name__)
        raise ConfigError(f"judge={name} is async, which check_judge cannot await: pass a plain function")
    return found


def _rows(records: Any) -> Iterator[Any]:
    usable = isinstance(records, Iterable) and not isinstance(records, str | bytes | Mapping)
    if not usable or hasattr(records, "itertuples"):
        raise ConfigError(
            f"records is {type(records).__name__}: pass an iterable of mappings with outputs, "
            'reference_outputs and labels; of a DataFrame, frame.to_dict("records")'
        )
    return iter(records)


@dataclass(frozen=True, slots=True)
class _Answers:
    """What the judge said of one record: at first, in reversed order, and when asked again."""

    first: Judged
    reversed: list[Judged]
    repeats: list[Judged]

    def every(self) -> list[Judged]:
        """All of it; nothing where nothing was asked."""
        return [self.first, *self.reversed, *self.repeats]


@dataclass(frozen=True, slots=True)
class _Asking:
    """How a record is asked about."""

    judge: Any
    repeat: int
    order: bool

    def flow(self, case: Case) -> Flow[tuple[Case, _Answers]]:
        """Ask everything about one record."""
        questions = [one.question for one in case.questions]
        if not questions:
            return case, _Answers(Judged(), [], [])
        turned = [questions[::-1]] if self.order and len(questions) > 1 else []
        asked = [as_errands(ask(some), self.judge) for some in (questions, *turned)]
        fresh = self.judge.fresh if isinstance(self.judge, ModelJudge) else self.judge
        again = [as_errands(ask(questions), fresh) for _ in range(self.repeat - 1)]
        first, *others = yield from together([*asked, *again])
        return case, _Answers(first, others[: len(turned)], others[len(turned) :])


def _scores(name: str, *asked: Judged) -> list[bool]:
    """The valid answers to one question."""
    return [one.answers[name].score for one in asked if name in one.answers]


def _count(reasons: dict[str, int], reason: str) -> None:
    """Count a reason; beyond so many different ones they are not told apart."""
    key = reason if reason in reasons or len(reasons) < MAX_REASONS else OTHER
    reasons[key] = reasons.get(key, 0) + 1
