"""Embeddings: the cosine, clipped; each text embedded once; faults of a model are not the text's."""

from __future__ import annotations

from typing import Any, Final

import pytest
from langchain_core.embeddings import Embeddings

import fieldwise
from fieldwise.comparators import embedding
from fieldwise.comparators.embeddings import _KEPT
from tests.comparators.grades import grade

VECTORS: Final = {
    "east": [2.0, 0.0], "also east": [3.0, 0.0], "north": [0.0, 1.0], "north east": [1.0, 1.0],
    "west": [-1.0, 0.0], "nothing": [0.0, 0.0], "huge": [1e308, 1e308], "tiny": [5e-324, 0.0],
    "broken": [float("nan"), 1.0], "endless": [float("inf"), 1.0], "long": [1.0, 2.0, 3.0],
}  # fmt: skip


class Compass(Embeddings):
    """Embeds words of direction, and keeps the batches it was asked for."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(texts)
        return [VECTORS.get(text, [1.0, 0.0]) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        raise AssertionError(text)


CASES: Final = [
    ("east", "also east", 1.0),
    ("east", "north", 0.0),
    ("east", "west", 0.0),
    ("east", "north east", 0.5**0.5),
    ("huge", "north east", 1.0),
    ("tiny", "east", 1.0),
    ("east", "nothing", 'the embedding of "nothing" is all zeros'),
    ("east", "\ud800", '"\\ud800" holds half a character, which no model takes'),
    ("east", 1, "1 is not text"),
]


@pytest.mark.parametrize(("expected", "actual", "wanted"), CASES)
def test_embedding(expected: Any, actual: Any, wanted: float | str) -> None:
    found = grade(embedding(embeddings=Compass()), expected, actual)
    assert found == (wanted if isinstance(wanted, str) else pytest.approx(wanted, abs=1e-12))


FAULTS: Final = [
    ("broken", 'ValueError: the embedding of "broken" holds a number that is not finite'),
    ("endless", 'ValueError: the embedding of "endless" holds a number that is not finite'),
    ("long", "ValueError: embeddings of 2 and 3 dimensions"),
]


@pytest.mark.parametrize(("text", "reason"), FAULTS)
def test_a_fault_of_the_model_is_not_evaluated(text: str, reason: str) -> None:
    evaluator: Any = fieldwise.create_json_match_evaluator(comparators={"a": embedding(embeddings=Compass())})
    [result] = evaluator(outputs={"a": text}, reference_outputs={"a": "east"})
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert result["extra"]["reason"] == f"embedding raised {reason}"


def test_a_model_that_answers_too_little_is_at_fault() -> None:
    class Silent(Compass):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return super().embed_documents(texts)[:1]

    with pytest.raises(ValueError, match=r"^1 embeddings came for 2 texts$"):
        embedding(embeddings=Silent())("east", "north")


def test_a_pair_is_one_batch_and_a_known_text_is_not_embedded_again() -> None:
    compass = Compass()
    similar = embedding(embeddings=compass)
    for actual in ("north", "west", "north"):
        similar("east", actual)
    assert compass.batches == [["east", "north"], ["west"]]


def test_only_the_latest_vectors_are_kept() -> None:
    compass = Compass()
    similar = embedding(embeddings=compass)
    for number in range(_KEPT + 1):
        similar("east", f"place {number}")
    similar("place 0", f"place {_KEPT}")
    assert compass.batches[-1] == ["place 0"]
