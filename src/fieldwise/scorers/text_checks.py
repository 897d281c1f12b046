"""What the evaluators of text share: their common options, how they read text, and negation.

Text is never parsed here: it is compared as it was given. Rules of the module:

1. The text of a value that is no text is its canonical JSON, never Python's. null has no text.
2. What is looked for is not empty: an empty text is in every text, so it would say nothing.
3. `negated` turns a grade around, and nothing else: an output that has nothing at the target, or no
   text, is 0 either way.

Which values are looked at is said in `sides`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core._say import shown
from fieldwise.core.equality import canonical, preview
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.sides import Sides, Unfit
from fieldwise.scorers.single import Grade, single
from fieldwise.scorers.target import target

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import NullPolicy
    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

Test: TypeAlias = "Callable[[Any, Any], Grade]"
"""`(wanted, came) -> Grade`; its comment says what was found, right or wrong. Raises `Unfit`."""


def ignoring_case(ignore_case: Any, case_sensitive: Any, *, default: bool = False) -> bool:
    """Return whether case does not count, from the option and its opposite.

    Raises:
        ConfigError: for a value that is no boolean, and for two that contradict each other.
    """
    if ignore_case is not None:
        options.flag("ignore_case", ignore_case)
    if case_sensitive is None:
        return default if ignore_case is None else bool(ignore_case)
    options.flag("case_sensitive", case_sensitive)
    if ignore_case == case_sensitive:
        raise ConfigError(
            f"ignore_case={ignore_case} and case_sensitive={case_sensitive} contradict each other: "
            "pass one of them"
        )
    return not case_sensitive


def folded(text: str, *, ignore_case: bool) -> str:
    """Return a text as it is compared."""
    return text.casefold() if ignore_case else text


def text_of(value: Any) -> str:
    """Return the text of an output: itself, or canonical JSON.

    Raises:
        Unfit: for null, which has none.
    """
    if value is None:
        raise Unfit("null is not text", "invalid_output")
    return value if isinstance(value, str) else canonical(value)


def sought(what: str, wanted: Any) -> str:
    """Return the text to look for that a reference holds; it may be empty.

    Raises:
        Unfit: for what is no text.
    """
    if isinstance(wanted, str):
        return wanted
    raise Unfit(f"{what} must be text, got {preview(wanted)}", "invalid_reference")


def empty_text(came: str) -> Grade:
    """The grade of an empty text to look for: it is right only where the output is empty as well.

    Raises:
        Unfit: everywhere else.
    """
    if came:
        raise Unfit("an empty text is found everywhere", "invalid_reference")
    return Grade(score=True, comment="both are empty")


def named_text(option: str, value: Any) -> str:
    """Return an option that says what to look for.

    Raises:
        ConfigError: unless it is text, and not empty.
    """
    if not isinstance(value, str):
        raise ConfigError(f"{option}={shown(value)}: must be text")
    if not value:
        raise ConfigError(f"{option}='': an empty text is found everywhere; say what to look for")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """The options that all evaluators of text have, as given, and what kind of evaluator has them.

    Attributes:
        negated: an option, and so are the next five; see each evaluator for their meaning.
        target_output_key: where to look.
        outputs_key: what to look at in the outputs.
        correct_answer_key: the same in the reference outputs, else the inputs.
        null_policy: how null is read.
        coerce: whether text is read as a number.
        envelopes: the sole keys that a reference may be put under.
        one_value: see `Sides`.
        mirrored: see `Sides`.
        wanted: what is looked for in every record, checked; MISSING: the reference says.
        option: the name of the option that `wanted` is.
    """

    negated: Any = False
    target_output_key: Any = "*"
    outputs_key: Any = None
    correct_answer_key: Any = None
    null_policy: NullPolicy = "distinct"
    coerce: bool = False
    envelopes: tuple[str, ...] = ()
    one_value: bool = True
    mirrored: bool = False
    wanted: Any = MISSING
    option: str = ""

    def plan(
        self, name: str, test: Test, feedback_key: Any, *, threshold: float = 1.0, worst: float | bool = False
    ) -> Plan:
        """Check the options and make the plan of an evaluator whose test is `test`.

        Raises:
            ConfigError: for a wrong option, naming it, its value and the fix.
        """
        stated = self.wanted is not MISSING
        if stated and self.correct_answer_key is not None:
            raise ConfigError(f"{self.option} and correct_answer_key are both given: pass one of them")
        negated = options.flag("negated", self.negated)
        sides = self.sides()

        def check(documents: Documents) -> Grade:
            try:
                grade = _settled(test(*sides.take(documents)), negated=negated)
            except Unfit as unfit:
                grade = unfit.grade
            return replace(grade, score=worst if grade.score is False else grade.score, path=sides.place)

        return single(
            name,
            check,
            sides.reader,
            feedback_key=feedback_key,
            threshold=threshold,
            worst=worst,
            requires_reference=not stated,
            prepare=_without_reference if stated else None,
        )

    def sides(self) -> Sides:
        """Check the options that say which values are looked at.

        Raises:
            ConfigError: as `plan`.
        """
        aim = target("target_output_key", self.target_output_key)
        reader = options.reader(
            outputs_key=self.outputs_key,
            correct_answer_key=self.correct_answer_key,
            parse="off",
            multiple_json="error",
            truncated="error",
            coerce=self.coerce,
            null_policy=self.null_policy,
        )
        reader = replace(reader, envelopes=self.envelopes, unwrap=self.mirrored and aim is None)
        return Sides(reader, aim, self.wanted, one_value=self.one_value, mirrored=self.mirrored)


def _without_reference(outputs: Any, _: Any) -> tuple[Any, None]:
    """What an evaluator reads that looks at outputs only."""
    return outputs, None


def _settled(grade: Grade, *, negated: bool) -> Grade:
    """Turn a grade around if that is asked for; what is right needs no words."""
    score: Any = grade.score
    if negated:
        score = not score if isinstance(score, bool) else 1.0 - score
    return replace(grade, score=score, comment=None if score == 1 else grade.comment)
