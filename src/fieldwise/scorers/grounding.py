"""Grounded fields: is each value of an output in the texts that it was made from, and where?

What belongs here: the options, which values are looked for and in which texts. How a value is found is
`passages`; how a record is shown is `grounding_cards`. There is no reference: what is expected of a value is
that it was not made up.

| a value | |
|---|---|
| text, a number | looked for |
| a boolean | looked for with `method="literal"`, as a word; else not applicable |
| null, empty text, an empty object or list | not applicable |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fieldwise._types import MISSING, MultipleJson, ParseMode, Truncated
from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.core.policy import Policy, entry
from fieldwise.core.read import Problem, Reader
from fieldwise.core.select import compile_path, field_name
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.figures import Figures
from fieldwise.scorers.grounding_cards import GroundedCard, GroundedField, Place
from fieldwise.scorers.leaves import leaves
from fieldwise.scorers.passages import Passages, Search
from fieldwise.scorers.plan import Card, Plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fieldwise._types import Json, Path
    from fieldwise.core.flow import Flow
    from fieldwise.core.policy import Node
    from fieldwise.core.read import Documents
    from fieldwise.core.select import Selector
    from fieldwise.scorers.leaves import Link

Method: TypeAlias = Literal["literal", "fuzzy"]
_GIVEN = ("retrieval_context", "context")
_TEXTS = ("page_content", "text", "content")
"""The members of a document that hold its text, as retrievers name them."""


def grounded_fields(
    *,
    fields: Sequence[str] | None = None,
    exclude_keys: Sequence[str] | None = None,
    context_key: str | None = None,
    method: Method = "fuzzy",
    min_similarity: float = 0.9,
    ignore_case: bool = True,
    ignore_accents: bool = False,
    numbers: bool = True,
    locale: str | None = None,
    outputs_key: str | None = None,
    parse: ParseMode = "lenient",
    multiple_json: MultipleJson = "error",
    truncated: Truncated = "error",
    feedback_key: str = "grounded_fields",
    threshold: float = 1.0,
) -> Plan:
    """Look for each value of an output in the texts it was made from; a score for each field, and their mean.

    The texts are the evaluator's keyword `retrieval_context=`, else `context=`, else what `context_key`
    names: a text, a list of texts, or of documents with `page_content`. A value is found between words and
    numbers only, so 12 is not in "2012" and 8 not in "1.8". Dates are looked for as the text they are.

    Args:
        fields: paths of the values to look for, or of objects and lists of them; None: all values. A wildcard
            (`items[*].sku`) names one field over many places, and its score is the share that was found.
        exclude_keys: paths of values that are not looked for.
        context_key: the key or path of the texts in the reference outputs, else the inputs.
        method: "fuzzy" also accepts text of up to 500 characters that is nearly there, with the same numbers
            in it; "literal" does not.
        min_similarity: how like text has to be to be nearly there, by Indel similarity; in (0.5, 1].
        ignore_case: whether case does not count.
        ignore_accents: whether accents on letters do not count.
        numbers: whether a number, or text that is one, is found however it is written: 1234.5 as `1,234.50`.
        locale: by whose convention numbers are read, such as "de"; None: by any that fits.
        outputs_key: the key or path of the value to look at in the outputs.
        parse: "lenient" reads JSON in fences and prose and repairs slips; "strict" does not; "off" never.
        multiple_json: which value counts when a text holds several that differ.
        truncated: "closed_fields" credits what was closed before a text was cut off.
        feedback_key: replaces `grounded_fields` in the keys.
        threshold: what a score has to reach to have passed; in (0, 1].

    Returns:
        A list with a result for each field, keyed `grounded_fields:<path>`, then
        `grounded_fields:aggregate_score`. Scores are in 0..1; None where there is nothing to look for, and
        everywhere without texts. `extra["spans"]` says where each value was found: `document`, `start`, `end`
        and the `text` there.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_grounded_fields_evaluator()
        >>> total, *_ = evaluate(outputs={"total": 1234.5}, retrieval_context=["Total: 1,234.50 EUR"])
        >>> total["score"], total["extra"]["spans"][0]["text"]
        (1.0, '1,234.50')
    """
    figures = Figures(locale)
    grounding = _Grounding(
        name=options.text("feedback_key", feedback_key),
        fields=None if fields is None else _fields(fields),
        policy=Policy(
            entry(key, "exclude", value=True) for key in options.names("exclude_keys", exclude_keys)
        ),
        context_key=None if context_key is None else _selector("context_key", context_key),
        search=Search(
            options.flag("ignore_case", ignore_case),
            options.flag("ignore_accents", ignore_accents),
            _similarity(min_similarity) if options.one_of("method", method, Method) == "fuzzy" else None,
            figures if options.flag("numbers", numbers) else None,
        ),
        reader=options.reader(
            outputs_key=outputs_key, parse=parse, multiple_json=multiple_json, truncated=truncated
        ),
        threshold=options.threshold("threshold", threshold),
    )
    named = [entry(one.text, "fields", one) for one in grounding.fields or ()]
    return Plan(
        "grounded_fields",
        grounding.flow,
        entries=[*named, *grounding.policy.entries],
        requires_reference=False,
        takes_more=True,
        reader=grounding.reader,
        thresholds=(grounding.threshold,),
    )


def _fields(given: Any) -> tuple[Selector, ...]:
    chosen = tuple(_selector(f"fields[{at}]", one) for at, one in enumerate(options.names("fields", given)))
    if not chosen:
        raise ConfigError("fields=[]: name at least one field, or leave it out for all values")
    texts = [one.text for one in chosen]
    twice = next((one for at, one in enumerate(texts) if one in texts[:at]), None)
    if twice is not None:
        raise ConfigError(f"fields: {twice!r} is named twice; name each field once")
    return chosen


def _selector(option: str, path: str) -> Selector:
    try:
        return compile_path(path)
    except PathError as error:
        raise ConfigError(f"{option}: {error}") from None


def _similarity(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.5 < value <= 1:  # noqa: PLR2004
        raise ConfigError(f"min_similarity={shown(value)}: must be a number above 0.5 and at most 1")
    return float(value)


@dataclass(frozen=True, slots=True)
class _Grounding:
    """The checked options, and the flow over one record."""

    name: str
    fields: tuple[Selector, ...] | None
    policy: Policy
    context_key: Selector | None
    search: Search
    reader: Reader
    threshold: float

    def flow(self, inputs: Any, outputs: Any, reference_outputs: Any, **more: Any) -> Flow[Card]:
        """Look for the values of one record."""
        yield from ()
        documents = self.reader.read(inputs, outputs, None)
        texts = self._texts(inputs, reference_outputs, more)
        if isinstance(texts, Problem):
            return self._card(documents, problem=texts)
        if documents.problem is not None or documents.actual is MISSING:
            missing = Problem("invalid_output", "no outputs were given")
            return self._card(documents, problem=documents.problem or missing)
        passages = Passages(texts, self.search)
        found: dict[str, GroundedField] = {}
        for field, path, value in self._values(documents.actual):
            here = found.setdefault(field, GroundedField(field))
            if isinstance(value, PathError):
                here.problem = str(value)
            elif path is not None:
                here.places.append(Place(path, value, self._sought(value), passages))
        return self._card(documents, list(found.values()), documents=len(texts))

    def _card(
        self,
        read: Documents,
        fields: list[GroundedField] | None = None,
        problem: Problem | None = None,
        documents: int = 0,
    ) -> GroundedCard:
        if fields is None:
            fields = [GroundedField(one.text) for one in self.fields or ()]
        return GroundedCard(self.name, self.threshold, fields, documents, problem, read.ledger)

    def _values(self, document: Json) -> Iterator[tuple[str, Path | None, Any]]:
        """Yield each value: its field, path, itself. Each field that was named comes once with no path."""
        tree = self.policy.tree((document,))
        if self.fields is None:
            for path, value in _leaves(document):
                if not _is_excluded(tree, document, path):
                    yield field_name(path), path, value
            return
        for selector in self.fields:
            yield selector.text, None, None
            try:
                for match in selector.find(document):
                    for below, value in _leaves(match.value):
                        path = (*match.path, *below)
                        if not _is_excluded(tree, document, path):
                            yield selector.text, path, value
            except PathError as error:
                yield selector.text, None, error

    def _sought(self, value: Json) -> bool:
        """Whether a value is one to look for."""
        if isinstance(value, bool):
            return self.search.nearly is None
        if isinstance(value, str):
            return bool(value.strip())
        return value is not None and not isinstance(value, dict | list)

    def _texts(self, inputs: Any, reference: Any, more: Mapping[str, Any]) -> list[str] | Problem:
        """The texts to look into."""
        for name in _GIVEN:
            if more.get(name) is not None:
                return _texts(name, more[name])
        if self.context_key is None:
            return Problem(
                "invalid_reference",
                "no retrieval_context was given: pass retrieval_context= or context=, or name the key that "
                "holds it with context_key",
            )
        picker = Reader(correct_answer_key=self.context_key, parse="off")
        read = picker.read(inputs, None, reference)
        if read.problem is not None:
            return Problem("invalid_reference", f"no retrieval_context was given: {read.problem.reason}")
        return _texts(self.context_key.text, read.expected)


def _leaves(value: Json) -> Iterator[tuple[Path, Json]]:
    """Yield every leaf of a value and its path, in document order."""
    for leaf in leaves(MISSING, value):  # type: ignore[arg-type]
        yield _path(leaf.link), leaf.actual  # type: ignore[misc]


def _is_excluded(node: Node | None, document: Json, path: Path) -> bool:
    """Whether a place, or one that it is in, is excluded."""
    here: Any = document
    for step in path:
        if node is None or node.exclude:
            break
        node = node.child(step, _length(here))
        here = here[step]
    return node is not None and node.exclude


def _length(value: Any) -> int:
    """How many elements a list has; anything else has none."""
    return len(value) if isinstance(value, list) else 0


def _path(link: Link) -> Path:
    steps = []
    while link is not None:
        link, step = link
        steps.append(step)
    return tuple(reversed(steps))


def _texts(name: str, given: Any) -> list[str] | Problem:
    """A text, or a list of texts or documents, as texts."""
    try:
        value = to_json(given)
    except Unconvertible as error:
        return Problem("invalid_reference", f"{name}: {error}")
    found = []
    for at, one in enumerate(value if isinstance(value, list) else [value]):
        text = one
        if isinstance(one, dict):
            text = next((one[key] for key in _TEXTS if isinstance(one.get(key), str)), None)
        if not isinstance(text, str):
            place = f"{name}[{at}]" if isinstance(value, list) else name
            return Problem(
                "invalid_reference", f"{place}: {preview(one)} is no text, nor a document with one"
            )
        found.append(text)
    return found
