"""Ways to grade two unequal values, one small function each, in one table.

| name | factory | score |
|---|---|---|
| `exact` | `exact()` | never right for unequal values: JSON equality alone |
| `id` | `id(strip, ignore_case, separators, integers)` | right or wrong: the same identifier |
| `text` | `text(ignore_case, whitespace, normal_form, ignore_punctuation)` | right or wrong: the same text |
| `contains` | `contains(ignore_case, whitespace, normal_form)` | right or wrong: the expected text is in it |
| `regex` | `regex(pattern, match, ignore_case, timeout)` | right or wrong: it matches the expected pattern |
| `number` | `number(absolute, relative)` | right or wrong: the numbers differ by no more than the tolerance |
| `numeric_diff` | `numeric_diff(tolerance, relative_to)` | graded: 1 - relative difference |
| `number_text` | `number_text(locale, decimal, group, percent, absolute, relative)` | right or wrong |
| `money` | `money(currency, locale, decimal, group, absolute)` | right or wrong: currency and amount |
| `quantity` | `quantity(unit, locale, decimal, group, absolute, relative)` | right or wrong |
| `duration` | `duration(unit, locale, decimal, group, within_seconds, relative)` | right or wrong |
| `date` | `date(formats, day_first, within_days)` | right or wrong: the same day |
| `datetime` | `datetime(formats, day_first, zone, within_seconds)` | right or wrong: the same moment |
| `phone` | `phone(region)` | right or wrong: the same number |
| `url` | `url(ignore_scheme, ignore_www, …)` | right or wrong: the same resource |
| `string_similarity` | `string_similarity(metric)` | graded: 1 - normalised distance |
| `fuzzy` | `fuzzy(scorer, clean)` | graded: a scorer of `rapidfuzz.fuzz` |
| `token_set` | `token_set(ignore_case)` | graded: words in both / words in either |
| `embedding` | `embedding(embeddings)` | graded: cosine of the embeddings; has no default, so no bare name |
| `any_of` | `any_of(comparator)` | the best grade that one of several right answers gets |

And `within(comparator, threshold)` makes any of them right or wrong.

What a comparator cannot read is 0 with the reason; nothing is guessed. An option takes the factory's
result, the name of a row (made with its defaults), or any `callable(expected, actual) -> float | bool`.
Add a comparator: write its factory in a module here, add its row to `COMPARATORS`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from fieldwise.comparators._numerals import LOCALES
from fieldwise.comparators.choice import any_of, within
from fieldwise.comparators.dates import date, datetime
from fieldwise.comparators.differences import numeric_diff
from fieldwise.comparators.durations import duration
from fieldwise.comparators.embeddings import embedding
from fieldwise.comparators.identity import id  # noqa: A004 - the name people look for
from fieldwise.comparators.numbers import number
from fieldwise.comparators.numerals import number_text
from fieldwise.comparators.patterns import regex
from fieldwise.comparators.phones import phone
from fieldwise.comparators.quantities import quantity
from fieldwise.comparators.ratios import SCORERS, fuzzy
from fieldwise.comparators.similarity import METRICS, string_similarity
from fieldwise.comparators.sums import money
from fieldwise.comparators.tokens import token_set
from fieldwise.comparators.urls import url
from fieldwise.comparators.wording import contains, text
from fieldwise.core.compare import Comparator, unfit
from fieldwise.core.display import nearest, shown
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import CompareCallable

__all__ = [
    "COMPARATORS",
    "Comparator",
    "LOCALES",
    "METRICS",
    "SCORERS",
    "any_of",
    "contains",
    "date",
    "datetime",
    "duration",
    "embedding",
    "exact",
    "fuzzy",
    "id",
    "money",
    "number",
    "number_text",
    "numeric_diff",
    "phone",
    "quantity",
    "regex",
    "resolve",
    "string_similarity",
    "text",
    "token_set",
    "url",
    "within",
]


def exact() -> Comparator:
    """Compare by JSON equality and nothing else: no case, space or number tolerance.

    >>> exact()("QX-118", "qx 118")
    0.0
    """
    return Comparator("exact", lambda _expected, _actual: False)


COMPARATORS: Final[dict[str, Callable[[], Comparator]]] = {
    "exact": exact,
    "id": id,
    "text": text,
    "contains": contains,
    "regex": regex,
    "number": number,
    "numeric_diff": numeric_diff,
    "number_text": number_text,
    "money": money,
    "quantity": quantity,
    "duration": duration,
    "date": date,
    "datetime": datetime,
    "phone": phone,
    "url": url,
    "string_similarity": string_similarity,
    "fuzzy": fuzzy,
    "token_set": token_set,
    "embedding": embedding,
    "any_of": any_of,
}

_IMPORTED: Final = re.compile(r"[\w./]+(\.py)?:[\w.]+")
"""A text that names what can be imported, as the options of judges and agents are given."""
_CALLED: Final = {"within": "within(number, 0.5)"}
"""What makes a comparator of another one, and so has no bare name."""


def resolve(option: str, value: Comparator | CompareCallable | str) -> Comparator:
    """Return the comparator an option names.

    Raises:
        ConfigError: naming the option, the value and the nearest known name; for a callable that is
            async or does not take two values.

    >>> resolve("comparators['total']", "number").name
    'number'
    """
    if isinstance(value, Comparator):
        return value
    if isinstance(value, str):
        if value in COMPARATORS:
            return COMPARATORS[value]()
        raise ConfigError(f"{option}={shown(value)}: {_unknown(value)}")
    given: Any = value
    if any(given is one for one in COMPARATORS.values()):  # the factory itself, not what it makes
        return cast("Comparator", given())
    if not callable(value):
        raise ConfigError(
            f"{option}={shown(value)}: give a comparator, its name, or a callable(expected, actual)"
        )
    name = str(getattr(value, "__name__", type(value).__name__))
    problem = unfit(value)
    if problem:
        raise ConfigError(f"{option}={name}: {problem}; give a callable(expected, actual) -> float | bool")
    return Comparator(name, value)


def _unknown(text: str) -> str:
    """Say what is wrong with a text that names no comparator."""
    name, bracket, _ = text.partition("(")
    if name in _CALLED:
        return f"{name} is not called whole, as in {_CALLED[name]}"
    if bracket and name in COMPARATORS:
        return f"{name}( is not called whole; write {name}(option=value, …)"
    if _IMPORTED.fullmatch(text):
        return (
            "there is no such comparator; one of your own is given in Python, as the callable itself, "
            f"and by name there are: {', '.join(COMPARATORS)}"
        )
    close = nearest(name, COMPARATORS)
    hint = f"did you mean {close!r}?" if close else f"known: {', '.join(COMPARATORS)}"
    return f"there is no such comparator; {hint}"
