"""Ways to grade two unequal values, one small function each, in one table.

| name | factory | 1.0 when |
|---|---|---|
| `exact` | `exact()` | never for unequal values: JSON equality alone |
| `number` | `number(absolute=0, relative=0)` | the numbers differ by no more than the tolerance |
| `string_similarity` | `string_similarity(metric="levenshtein")` | graded: 1 - normalised distance |

An option takes the factory's result, the name of a row (made with its defaults), or any
`callable(expected, actual) -> float | bool`. Add a comparator: write its factory in a module here, add
its row to `COMPARATORS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from fieldwise.comparators.numbers import number
from fieldwise.comparators.text import METRICS, string_similarity
from fieldwise.core._say import shown
from fieldwise.core.compare import Comparator
from fieldwise.core.select import nearest
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import CompareCallable

__all__ = ["COMPARATORS", "Comparator", "METRICS", "exact", "number", "resolve", "string_similarity"]


def exact() -> Comparator:
    """Compare by JSON equality and nothing else: no case, space or number tolerance.

    >>> exact()("QX-118", "qx 118")
    0.0
    """
    return Comparator("exact", lambda _expected, _actual: False)


COMPARATORS: Final[dict[str, Callable[[], Comparator]]] = {
    "exact": exact,
    "number": number,
    "string_similarity": string_similarity,
}


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
        close = nearest(value, COMPARATORS)
        hint = f"did you mean {close!r}?" if close else f"known: {', '.join(COMPARATORS)}"
        raise ConfigError(f"{option}={shown(value)}: there is no such comparator; {hint}")
    given: Any = value
    if given in COMPARATORS.values():  # the factory itself, not what it makes
        return cast("Comparator", given())
    if not callable(value):
        raise ConfigError(
            f"{option}={shown(value)}: give a comparator, its name, or a callable(expected, actual)"
        )
    name = str(getattr(value, "__name__", type(value).__name__))
    problem = _unfit(value)
    if problem:
        raise ConfigError(f"{option}={name}: {problem}; give a callable(expected, actual) -> float | bool")
    return Comparator(name, value)


def _unfit(function: CompareCallable) -> str | None:
    """What keeps a callable from comparing two values, as far as its signature tells."""
    import inspect

    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        return "it is async"
    try:
        inspect.signature(function).bind(None, None)
    except TypeError as error:
        return f"it does not take two values ({error})"
    except ValueError:  # some builtins do not tell
        return None
    return None
