"""What the evaluators of text share: their common options, how they read text, and negation.

Text is never parsed here: it is compared as it was given. Rules of the module:

1. The text of a value that is no text is its canonical JSON, never Python's. null has no text.
2. What is looked for is not empty: an empty text is in every text, so it would say nothing.
3. `negated` turns a grade around, and nothing else: an output that has nothing at the target, or no
   text, is 0 either way.

Which values are looked at is said in `sides`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypedDict

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.equality import canonical, preview
from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.options import Keys
from fieldwise.scorers.sides import Sides, Unfit
from fieldwise.scorers.single import Grade, single
from fieldwise.scorers.target import target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

Test: TypeAlias = "Callable[[Any, Any], Grade]"
"""`(wanted, came) -> Grade`; its comment says what was found, right or wrong. Raises `Unfit`."""


class Looking(TypedDict, total=False):
    """How text is looked at.

    Attributes:
        ignore_case: whether text is compared casefolded. False unless stated.
        case_sensitive: the opposite of `ignore_case`; pass one of them.
        negated: accept what would be refused, and refuse what would be accepted. An output without a value at
            the target, or without text, is 0 either way.
    """

    ignore_case: bool | None
    case_sensitive: bool | None
    negated: bool


class TextOptions(Looking, options.Target, Keys, total=False):
    """The options that all evaluators of text have."""


class ValueOptions(TextOptions, options.Values, total=False):
    """Those, for an evaluator that compares values of any kind as well."""


LOOKING: Final = Shared[Looking](Looking, {"ignore_case": None, "case_sensitive": None, "negated": False})
TEXT: Final = Shared[TextOptions](TextOptions, {}, LOOKING, options.TARGET, options.KEYS)
VALUE: Final = Shared[ValueOptions](ValueOptions, {}, TEXT, options.VALUES)


def ignoring_case(given: TextOptions, *, default: bool = False) -> bool:
    """Return whether case does not count, from the option and its opposite.

    Raises:
        ConfigError: for a value that is no boolean, and for two that contradict each other.
    """
    ignore_case, case_sensitive = given.get("ignore_case"), given.get("case_sensitive")
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


@dataclass(frozen=True, slots=True)
class Common:
    """The options that all evaluators of text have, as given, and what kind of evaluator has them.

    Attributes:
        given: the options; those that are not given have their defaults.
        envelopes: the sole keys that a reference may be put under.
        one_value: see `Sides`.
        mirrored: see `Sides`.
        wanted: what is looked for in every record, checked; MISSING: the reference says.
        option: the name of the option that `wanted` is.
    """

    given: Mapping[str, Any]
    _: KW_ONLY
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
        given = VALUE.complete(self.given)
        if stated and given.get("correct_answer_key") is not None:
            raise ConfigError(f"{self.option} and correct_answer_key are both given: pass one of them")
        negated = options.flag("negated", given.get("negated"))
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
        given = VALUE.complete(self.given)
        aim = target("target_output_key", given.get("target_output_key"))
        reader = options.reader(**options.KEYS.pick(given), **options.VALUES.pick(given), parse="off")
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
