"""What evaluation sets are made of: evaluators, items, and what became of an item.

Files are read into these by `load`, run by `runner`, kept by `results`, shown by `fieldwise.report`. Nothing
here computes or does I/O.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fieldwise._types import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import EvaluatorResult

Outcome: TypeAlias = Literal["ok", "agent_error", "timeout", "not_run"]
"""What became of running an item: an answer, an exception, no answer in time, never started."""


@dataclass(frozen=True, slots=True)
class Code:
    """A file of code as it was when it was read: what runs, here and elsewhere, whatever becomes of the file.

    Attributes:
        file: its path, as messages name it.
        place: its path, links followed.
        text: what is in it.
    """

    file: str
    place: str
    text: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Spec:
    """One evaluator, as its file describes it.

    Attributes:
        id: what evaluation sets call it.
        type_id: the `evaluatorTypeId`, such as "uipath-exact-match" or "fieldwise-json-match".
        name: for people.
        description: for people.
        options: the options of the evaluator's factory, in snake_case, checked.
        default: the criteria of an item that states none; None: there are none.
        file: where it was read from.
        code: of a custom evaluator, "file://name.py:ClassName"; None otherwise.
        loaded: the file that `code` names, if it was read already, which needs consent.
    """

    id: str
    type_id: str
    name: str
    description: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    default: Any = None
    file: str = ""
    code: str | None = None
    loaded: Code | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Chosen:
    """An evaluator of a set: how much it counts, and what its score has to reach to have passed."""

    spec: Spec
    weight: float = 1.0
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One case of an evaluation set.

    Attributes:
        id: unique within the set.
        name: for people.
        inputs: what the agent is given.
        criterias: evaluator id to criteria; None: the evaluator's default. An evaluator that is not in it
            is skipped for this item.
        expected_output: what evaluators of outputs compare with where their criteria say nothing.
        expected_agent_behavior: the same for judges of trajectories.
        simulation_instructions: how the agent's tools are simulated, in words.
        line: where in its file it stands.
    """

    id: str
    name: str
    inputs: Mapping[str, Any]
    criterias: Mapping[str, Any]
    expected_output: Any = MISSING
    expected_agent_behavior: str = ""
    simulation_instructions: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """An evaluation set, its evaluators found.

    Attributes:
        id: its id.
        name: for people.
        evaluators: in the order in which the set names them.
        items: in the order of the file.
        file: where it was read from.
    """

    id: str
    name: str
    evaluators: tuple[Chosen, ...]
    items: Sequence[Item]
    file: str = ""


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one item, once: a line of a results file.

    Attributes:
        item: the item's id.
        name: the item's name.
        repeat: which time it was run, from 0.
        outcome: what became of the agent.
        inputs: what the agent was given.
        output: what it answered; None where it did not.
        error: why there is no answer.
        seconds: how long the agent took; None for a recorded answer.
        spans: its spans, as JSON: name, start and end in nanoseconds, status, attributes, id, parent.
        results: evaluator id to its results; an evaluator that the item skips is not in it.
        criteria: evaluator id to the criteria that were used.
    """

    item: str
    name: str
    repeat: int = 0
    outcome: Outcome = "ok"
    inputs: Any = None
    output: Any = None
    error: str | None = None
    seconds: float | None = None
    spans: tuple[Mapping[str, Any], ...] = ()
    results: Mapping[str, list[EvaluatorResult]] = field(default_factory=dict)
    criteria: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON, without what is empty."""
        found: dict[str, Any] = {"item": self.item, "name": self.name, "repeat": self.repeat}
        found |= {"outcome": self.outcome, "inputs": self.inputs, "output": self.output}
        more: dict[str, Any] = {"error": self.error, "seconds": self.seconds, "spans": list(self.spans)}
        more |= {"criteria": dict(self.criteria)}
        found |= {name: value for name, value in more.items() if value not in (None, [], {})}
        return {**found, "results": dict(self.results)}

    @classmethod
    def from_dict(cls, line: Mapping[str, Any]) -> ItemResult:
        """Read what `to_dict` returned.

        >>> ItemResult.from_dict({"item": "a", "name": "A", "results": {}}).outcome
        'ok'
        """
        return cls(
            item=line["item"],
            name=line.get("name", line["item"]),
            repeat=line.get("repeat", 0),
            outcome=line.get("outcome", "ok"),
            inputs=line.get("inputs"),
            output=line.get("output"),
            error=line.get("error"),
            seconds=line.get("seconds"),
            spans=tuple(line.get("spans", ())),
            results=line.get("results", {}),
            criteria=line.get("criteria", {}),
        )
