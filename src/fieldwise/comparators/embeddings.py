"""Grading text by the likeness of its meaning, with any langchain-core `Embeddings`.

Formula: the cosine of the two embeddings, negative ones 0. Vectors are kept for texts seen lately, and
both texts of a pair are asked for in one batch, so pairing n with m elements embeds n + m texts. What
the model raises is its fault, not the text's: the field is not evaluated.
"""

from __future__ import annotations

import math
import operator
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from fieldwise.comparators._options import refuse
from fieldwise.comparators._readers import shown, text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.embeddings import Embeddings

_KEPT: Final = 2_048


def embedding(*, embeddings: Embeddings | None = None) -> Comparator:
    """Grade text in 0..1 by the cosine of its embeddings. Symmetric.

    A text whose embedding is all zeros, as many models give for no text, is unreadable.

    Args:
        embeddings: any langchain-core `Embeddings`; its `embed_documents` is called, from any thread.

    Raises:
        ConfigError: when there is no `embed_documents` to call.

    >>> from langchain_core.embeddings import DeterministicFakeEmbedding
    >>> similar = embedding(embeddings=DeterministicFakeEmbedding(size=8))
    >>> 0.0 <= similar("a parcel", "a package") <= 1.0
    True
    """
    if not callable(getattr(embeddings, "embed_documents", None)):
        fix = "give a langchain-core Embeddings, in Python: no text stands for one"
        raise refuse("embedding", "embeddings", embeddings, fix)
    vectors = _Vectors(embeddings)

    def grade(expected: Any, actual: Any) -> float:
        wanted, came = vectors.of([text_of(expected), text_of(actual)])
        if len(wanted) != len(came):
            raise ValueError(f"embeddings of {len(wanted)} and {len(came)} dimensions")
        return min(1.0, max(0.0, float(sum(map(operator.mul, wanted, came)))))

    return Comparator("embedding", grade, {"embeddings": type(embeddings).__name__})


class _Vectors:
    """The unit vectors of texts, the latest kept."""

    def __init__(self, embeddings: Any) -> None:
        self._embeddings = embeddings
        self._kept: dict[bytes, tuple[float, ...]] = {}
        self._lock = Lock()

    def of(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return the unit vector of each text, embedding the unknown ones in one batch."""
        marks = {text: _mark(text) for text in texts}
        with self._lock:
            found = {text: self._kept[mark] for text, mark in marks.items() if mark in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            raw = self._embeddings.embed_documents(missing)
            if len(raw) != len(missing):
                raise ValueError(f"{len(raw)} embeddings came for {len(missing)} texts")
            found |= {text: _unit(text, vector) for text, vector in zip(missing, raw, strict=True)}
            self._keep({marks[text]: found[text] for text in missing})
        return [found[text] for text in texts]

    def _keep(self, vectors: dict[bytes, tuple[float, ...]]) -> None:
        with self._lock:
            self._kept |= vectors
            while len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]


def _mark(text: str) -> bytes:
    """A short stand-in for a text of any length."""
    import hashlib

    try:
        return hashlib.sha256(text.encode()).digest()
    except UnicodeEncodeError:
        raise Unreadable(f"{shown(text)} holds half a character, which no model takes") from None


def _unit(text: str, vector: Sequence[float]) -> tuple[float, ...]:
    largest = max((abs(float(one)) for one in vector), default=0.0)
    if not math.isfinite(largest) or not all(math.isfinite(one) for one in vector):
        raise ValueError(f"the embedding of {shown(text)} holds a number that is not finite")
    if not largest:
        raise Unreadable(f"the embedding of {shown(text)} is all zeros")
    scaled = [float(one) / largest for one in vector]
    length = math.sqrt(sum(one * one for one in scaled))
    return tuple(one / length for one in scaled)
