"""Values and errors of others in one bounded line, whatever their `__repr__` and `__str__` do."""

from __future__ import annotations


def shown(value: object, limit: int = 80) -> str:
    """Return the `repr` of any object in one line of at most `limit` characters.

    >>> shown([1, 2])
    '[1, 2]'
    """
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - whatever it raises, it cannot be shown
        text = f"a {type(value).__qualname__}"
    return text if len(text) <= limit and text.isprintable() else one_line(text, limit)


def said(error: BaseException, limit: int = 300) -> str:
    r"""Return the type and the text of an exception in one line.

    >>> said(ValueError("no\n digits"))
    'ValueError: no digits'
    """
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - as above
        text = ""
    return one_line(f"{name}: {text}" if text.strip() else name, limit)


def one_line(text: str, limit: int = 300) -> str:
    """Return text with its white space folded, cut to `limit` characters."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1]}…"
