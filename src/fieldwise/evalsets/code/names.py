"""What a new evaluator is called: one name, as its file and as its classes write it.

| given | file | classes begin with |
|---|---|---|
| `MyMetric`, `my-metric`, `my_metric`, `my metric` | `my_metric` | `MyMetric` |
| `LLMScore` | `llm_score` | `LLMScore` |
| `my_evaluator` | `my_evaluator` | `My` (the class is `MyEvaluator`) |
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError

LONGEST: Final = 50
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9 _-]*")
_SOME: Final = re.compile(r"[A-Za-z0-9]+")
_WORD: Final = re.compile(r"[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_SUFFIX: Final = "evaluator"
_TAKEN: Final = frozenset({"base"})  # BaseEvaluator is what the class derives from
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
)


@dataclass(frozen=True, slots=True)
class EvaluatorName:
    """The name of a new evaluator.

    Attributes:
        file: the stem of its file, in snake_case.
        base: what the names of its classes begin with, in PascalCase; "" for an evaluator named "evaluator".
    """

    file: str
    base: str

    @property
    def evaluator(self) -> str:
        """The name of the evaluator's class."""
        return f"{self.base}Evaluator"


def read_name(name: Any) -> EvaluatorName:
    """Read the name of a new evaluator.

    Args:
        name: letters of ASCII, digits and `-`, `_` or spaces between words; it begins with a letter.

    Raises:
        ConfigError: it is no such name; with one that is, where one is near.

    >>> read_name("my-metric"), read_name("MyEvaluator")
    (EvaluatorName(file='my_metric', base='MyMetric'), EvaluatorName(file='my_evaluator', base='My'))
    """
    if not isinstance(name, str) or not name.strip():
        raise ConfigError(f"name={shown(name)}: must be a name such as my_metric")
    text = name.strip().removesuffix(".py")
    if not _PLAIN.fullmatch(text):
        rule = "must be of the letters a to z, digits and _, and begin with a letter"
        raise ConfigError(f"name={shown(name)}: {rule}{_near(text)}")
    words = words_of(text)
    file = "_".join(words).lower()
    length = max(len(text), len(file))
    if length > LONGEST:
        where = "" if length == len(text) else " in snake_case"
        raise ConfigError(f"name={shown(name)}: has {length} characters{where}; {LONGEST} are the most")
    own = words[:-1] if words[-1].lower() == _SUFFIX else words
    base = "".join(word[0].upper() + word[1:] for word in own)
    if base.lower() in _TAKEN or file in _DEVICES:
        raise ConfigError(f"name={shown(name)}: is taken; write for example {file}_metric")
    return EvaluatorName(file, base)


def words_of(text: str) -> list[str]:
    """Return the words of a name; of `HTTPStatus2xx` "HTTP", "Status2" and "xx".

    >>> words_of("MyMetric"), words_of("f1-score")
    (['My', 'Metric'], ['f1', 'score'])
    """
    return _WORD.findall(text)


def _near(text: str) -> str:
    """A name like it that would do."""
    plain = unicodedata.normalize("NFKD", text[: 2 * LONGEST].casefold()).encode("ascii", "ignore").decode()
    near = "_".join(_SOME.findall(plain))[:LONGEST]
    if not near:
        return ""
    return f"; write for example {near if near[0].isalpha() else f'metric_{near}'[:LONGEST]}"
