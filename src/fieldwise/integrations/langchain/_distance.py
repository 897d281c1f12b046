"""String distances: a prediction to its reference, or two predictions to each other. Lower is better.

As in LangChain both are chains: `invoke` takes a dict of the texts and returns it with the score, and
`callbacks`, `tags` and `metadata` given to an evaluation reach its run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fieldwise.comparators.similarity import METRICS
from fieldwise.integrations.langchain._base import Pairs, Strings
from fieldwise.scorers import options

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable, RunnableConfig

    Texts = Runnable[dict[str, Any], dict[str, Any]]
else:
    Texts = object

_RUNNABLE = "langchain_core.runnables:Runnable"
_RUN = ("callbacks", "tags", "metadata")


class Distance(Texts):
    """The distance of two of the texts in a dict, by a metric of RapidFuzz.

    Args:
        distance: the metric, by name: a key of `fieldwise.comparators.METRICS`, or LangChain's enum.
        normalize_score: whether it is divided by the greatest distance texts of these lengths can have,
            to be in 0..1.

    Raises:
        ConfigError: for an unknown metric, naming the nearest.
    """

    _compared: ClassVar[tuple[str, str]]

    def __init__(self, *, distance: Any = "jaro_winkler", normalize_score: bool = True) -> None:
        self.distance: str = options.one_of("distance", getattr(distance, "value", distance), tuple(METRICS))
        self.normalize_score = options.flag("normalize_score", normalize_score)

    @property
    def input_keys(self) -> list[str]:
        """The texts it compares."""
        return list(self._compared)

    @property
    def output_keys(self) -> list[str]:
        """What it adds to them."""
        return ["score"]

    def compute_metric(self, a: str, b: str) -> float:
        """Return the distance of two texts."""
        import rapidfuzz.distance

        metric = getattr(rapidfuzz.distance, METRICS[self.distance])
        measured = metric.normalized_distance if self.normalize_score else metric.distance
        return measured(a, b)  # type: ignore[no-any-return]

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> dict[str, Any]:
        """Return the dict with the distance of its texts as `score`.

        Raises:
            ValueError: when one of the texts is not in it.
        """
        return self._call_with_config(self._with_score, input, config, run_type="chain")

    def _with_score(self, given: dict[str, Any]) -> dict[str, Any]:
        missing = {key for key in self._compared if key not in given}
        if missing:
            raise ValueError(f"Missing some input keys: {missing}")
        return {**given, "score": self.compute_metric(*[given[key] for key in self._compared])}

    def _score(self, texts: dict[str, Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        return {"score": self.invoke(texts, _config(kwargs))["score"]}

    async def _ascore(self, texts: dict[str, Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        return {"score": (await self.ainvoke(texts, _config(kwargs)))["score"]}


def _config(kwargs: dict[str, Any]) -> Any:
    return {name: kwargs[name] for name in _RUN if kwargs.get(name) is not None} or None


class StringDistanceEvalChain(Strings, Distance):
    """The distance between a prediction and its reference.

    Args:
        distance: the metric, by name, "jaro_winkler" unless stated.
        normalize_score: whether the score is in 0..1.

    Raises:
        ConfigError: for an unknown metric, naming the nearest.

    Example:
        >>> from fieldwise.integrations.langchain import StringDistanceEvalChain
        >>> chain = StringDistanceEvalChain(distance="levenshtein")
        >>> chain.evaluate_strings("kitten", reference="sitten")
        {'score': 0.16666666666666666}
    """

    LANGCHAIN_BASES: ClassVar[tuple[str, ...]] = (*Strings.LANGCHAIN_BASES, _RUNNABLE)
    _compared = ("reference", "prediction")

    @property
    def evaluation_name(self) -> str:
        """The metric's name, with `_distance`."""
        return f"{self.distance}_distance"

    def _evaluate_strings(self, *, prediction: Any, reference: Any = None, **kwargs: Any) -> dict[str, Any]:
        return self._score({"prediction": prediction, "reference": reference}, kwargs)

    async def _aevaluate_strings(
        self, *, prediction: Any, reference: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        return await self._ascore({"prediction": prediction, "reference": reference}, kwargs)


class PairwiseStringDistanceEvalChain(Pairs, Distance):
    """The distance between two predictions; options as for `StringDistanceEvalChain`.

    Example:
        >>> from fieldwise.integrations.langchain import PairwiseStringDistanceEvalChain
        >>> chain = PairwiseStringDistanceEvalChain(distance="hamming", normalize_score=False)
        >>> chain.evaluate_string_pairs("QX-118", "QX-181")
        {'score': 2}
    """

    LANGCHAIN_BASES: ClassVar[tuple[str, ...]] = (*Pairs.LANGCHAIN_BASES, _RUNNABLE)
    _compared = ("prediction", "prediction_b")

    @property
    def evaluation_name(self) -> str:
        """The metric's name, between `pairwise_` and `_distance`."""
        return f"pairwise_{self.distance}_distance"

    def _evaluate_string_pairs(self, *, prediction: Any, prediction_b: Any, **kwargs: Any) -> dict[str, Any]:
        return self._score({"prediction": prediction, "prediction_b": prediction_b}, kwargs)

    async def _aevaluate_string_pairs(
        self, *, prediction: Any, prediction_b: Any, **kwargs: Any
    ) -> dict[str, Any]:
        return await self._ascore({"prediction": prediction, "prediction_b": prediction_b}, kwargs)
