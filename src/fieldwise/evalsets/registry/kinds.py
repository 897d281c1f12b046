"""Every `evaluatorTypeId` there is: which evaluator it names, what criteria that takes, how it scores.

The thirteen `uipath-…` ids stand in one table; every other evaluator of the package has an id made of its
name, `fieldwise-json-match`, and what is known of it is read off its factory (`signatures`). In files:

1. An evaluator's options are those of its factory, in camelCase, less what files do not decide: the judge,
   which a run may give, and the feedback key, which is the id of the evaluator.
2. Its criteria are an object with one key, `expectedOutput` unless the tables say otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.evalsets.files.faults import close_to
from fieldwise.evalsets.registry.signatures import factories, options, section

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fieldwise.evalsets.registry.signatures import Option

EXPECTED_OUTPUT: Final = "expectedOutput"
EXPECTED_BEHAVIOR: Final = "expectedAgentBehavior"
BINARY: Final = "Binary (0/1)"
CONTINUOUS: Final = "Continuous (0-1)"
FRACTIONAL: Final = "Binary/Fractional"
_NOT_OF_FILES: Final = frozenset({"judge", "feedback_key"})
_AFFIXES: Final = re.compile(r"^(uipath|fieldwise)-|Evaluator$")


@dataclass(frozen=True, slots=True)
class Kind:
    """What an `evaluatorTypeId` names.

    Attributes:
        type_id: the id.
        evaluator: the name of the evaluator, `exact_match`.
        title: what tables call it.
        scoring: how it scores, in a word or two.
        criteria: the key of its criteria.
        enveloped: whether the evaluator takes its criteria with their key.
    """

    type_id: str
    evaluator: str
    title: str
    scoring: str
    criteria: str = EXPECTED_OUTPUT
    enveloped: bool = True

    @property
    def factory(self) -> Callable[..., Any]:
        """What makes the evaluator."""
        return factories()[self.evaluator]

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that a file may give, by their names in snake_case."""
        known = options(self.evaluator).items()
        return {name: one for name, one in known if name not in _NOT_OF_FILES and one.schema is not None}

    def reference(self, criteria: Any) -> Any:
        """What the evaluator compares with, of criteria; none of them, `{}`, is no reference."""
        if not isinstance(criteria, dict):
            return criteria
        if not criteria:
            return MISSING
        return criteria if self.enveloped else criteria.get(self.criteria, MISSING)

    @property
    def judged(self) -> bool:
        """Whether a model answers it, always."""
        return self.evaluator.startswith("llm_")


@dataclass(frozen=True, slots=True)
class Guide:
    """A row of the selection guide: for agents of a kind, which evaluators."""

    agent: str
    primary: str
    secondary: str
    notes: str


GUIDE: Final = (
    Guide("Calculator/Deterministic", "Exact Match", "-", "Binary pass/fail"),
    Guide("Text/NLP", "LLM Judge Output", "Contains", "Semantic matching"),
    Guide(
        "Multi-step Orchestration", "LLM Judge Trajectory", "Tool Call Order",
        "Execution path + tool validation",
    ),
    Guide("API Integration", "JSON Similarity", "Exact Match", "Structured data"),
    Guide("Classification", "Binary/Multiclass Classification", "-", "Label validation"),
)  # fmt: skip

UIPATH: Final = tuple(
    Kind(f"uipath-{end}", evaluator, title, scoring, criteria)
    for end, evaluator, title, scoring, criteria in (
        ("exact-match", "exact_match", "ExactMatchEvaluator", BINARY, EXPECTED_OUTPUT),
        ("contains", "contains", "ContainsEvaluator", BINARY, "searchText"),
        ("json-similarity", "json_similarity", "JsonSimilarityEvaluator", CONTINUOUS, EXPECTED_OUTPUT),
        (
            "llm-judge-output-semantic-similarity", "llm_judge_output", "LLMJudgeOutputEvaluator",
            CONTINUOUS, EXPECTED_OUTPUT,
        ),
        (
            "llm-judge-output-strict-json-similarity", "llm_judge_strict_json",
            "LLMJudgeStrictJSONSimilarityOutputEvaluator", CONTINUOUS, EXPECTED_OUTPUT,
        ),
        (
            "llm-judge-trajectory-similarity", "llm_judge_trajectory", "LLMJudgeTrajectoryEvaluator",
            CONTINUOUS, EXPECTED_BEHAVIOR,
        ),
        (
            "llm-judge-trajectory-simulation", "llm_judge_trajectory_simulation",
            "LLMJudgeTrajectorySimulationEvaluator", CONTINUOUS, EXPECTED_BEHAVIOR,
        ),
        (
            "binary-classification", "binary_classification", "BinaryClassificationEvaluator",
            BINARY, "expectedClass",
        ),
        (
            "multiclass-classification", "multiclass_classification", "MulticlassClassificationEvaluator",
            CONTINUOUS, "expectedClass",
        ),
        ("tool-call-order", "tool_call_order", "ToolCallOrderEvaluator", FRACTIONAL, "toolCallsOrder"),
        ("tool-call-args", "tool_call_args", "ToolCallArgsEvaluator", FRACTIONAL, "toolCalls"),
        ("tool-call-count", "tool_call_count", "ToolCallCountEvaluator", FRACTIONAL, "toolCallsCount"),
        ("tool-call-output", "tool_call_output", "ToolCallOutputEvaluator", FRACTIONAL, "toolOutputs"),
    )
)  # fmt: skip
"""The built-in ids, in the order of their table."""

_OWN_CRITERIA: Final = {
    "contains_any": "substrings",
    "contains_all": "substrings",
    "starts_with": "prefix",
    "ends_with": "suffix",
    "regex_match": "pattern",
    "latency_budget": "maxMs",
    "span_order": "spanOrder",
    "error_budget": "maxErrors",
    "token_budget": "maxTokens",
}
_OWN_SCORING: Final = {"json_edit_distance": "Distance (0-1)", "llm_as_judge": FRACTIONAL}


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by its `evaluatorTypeId`, the built-in ones first.

    >>> kinds()["fieldwise-json-match"].evaluator
    'json_match'
    """
    built_in = {kind.evaluator for kind in UIPATH}
    others = [_own(name) for name in factories() if name not in built_in]
    return {kind.type_id: kind for kind in (*UIPATH, *others)}


def kind_of(type_id: str) -> Kind:
    """Return the kind that an `evaluatorTypeId` names.

    Raises:
        ConfigError: naming the nearest id.

    >>> kind_of("uipath-exactmatch")
    Traceback (most recent call last):
    fieldwise.errors.ConfigError: there is no evaluatorTypeId 'uipath-exactmatch'; did you mean \
'uipath-exact-match'?
    """
    known = kinds()
    if type_id not in known:
        meant = kind_meant(type_id)
        hint = f"did you mean {meant.type_id!r}?" if meant else "`fieldwise list` has them all"
        raise ConfigError(f"there is no evaluatorTypeId {shown(type_id)}; {hint}")
    return known[type_id]


def kind_meant(name: str) -> Kind | None:
    """Return the kind whose evaluator, title or id is like a name; None where none is.

    >>> [kind_meant(name).type_id for name in ("json_mach", "JsonMatch", "ExactMatchEvaluator")]
    ['fieldwise-json-match', 'fieldwise-json-match', 'uipath-exact-match']
    """
    names = {
        like: kind for kind in kinds().values() for like in (kind.evaluator, _AFFIXES.sub("", kind.type_id))
    }
    close = close_to(_AFFIXES.sub("", name), names)
    return names[close] if close else None


def _own(name: str) -> Kind:
    """The kind of an evaluator that has no built-in id."""
    criteria = _OWN_CRITERIA.get(name, EXPECTED_OUTPUT)
    scoring = _OWN_SCORING.get(name) or _scoring(factories()[name])
    type_id = f"fieldwise-{name.replace('_', '-')}"
    return Kind(type_id, name, name, scoring, criteria, enveloped=name in _OWN_CRITERIA)


def _scoring(factory: Callable[..., Any]) -> str:
    """How an evaluator scores, by what its docstring says it returns."""
    text = section(factory, "Returns")
    if "True or False" not in text:
        return CONTINUOUS
    return FRACTIONAL if re.search(r"\ba (float|number)\b", text) else BINARY
