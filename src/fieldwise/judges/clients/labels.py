"""What a model is called in a cache's key: its kind, and every setting that may change what it says.

Rules. Two models that may answer differently never share a name, for one would be given the other's replies.
What has a name in every process (classes of modules, plain values, pydantic fields) is named by it; anything
else (functions, clients of unknown classes, private state) is named by the object itself, in this process
only. Settings may hold secrets, so a label shows their digest alone, next to the kind of the model.

LangChain's models that name themselves for LangChain's own caches are named so; a class that inherits its
name from another, or has none, is named by its fields. What is wrapped around one is named with its parts.
"""

from __future__ import annotations

import weakref
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Callable

_SILENT: Final = frozenset(
    {"name", "cache", "verbose", "callbacks", "callback_manager", "tags", "metadata"}
    | {"custom_get_token_ids", "rate_limiter"}
)
"""Fields of models that change nothing of what they say."""
_LEFT_OUT: Final = (" at 0x", '"type": "not_implemented"')
"""What a model's own name has in place of objects."""
_SERVER: Final = ("base_url", "organization", "project", "_api_version", "default_query", "_custom_headers")

_lock: Final = Lock()
_known: Final[dict[int, tuple[Any, str]]] = {}


def label_of(runnable: Any) -> str:
    """Return the name of a runnable, the same in every process where all of its parts have names.

    >>> label_of({"a": 3}) == label_of({"a": 3})
    True
    >>> label_of(print) == label_of(len)
    False
    """
    try:
        return f"{type(runnable).__name__} {digest_of(runnable)}"
    except Exception:  # noqa: BLE001 - fields are others' code, and may hold each other
        return object_name(runnable)


def digest_of(*values: Any) -> str:
    """Return a digest of settings, which tells them apart and does not show them.

    >>> digest_of("a", {"b": 1, "c": 2}) == digest_of("a", {"c": 2, "b": 1})
    True
    """
    return blake2b(_words(values).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def server_of(client: Any) -> str:
    """Return where a client of the openai package sends its calls; the object itself for any other class.

    >>> server_of(print) == server_of(print)
    True
    """
    if not any(kind.__name__ in {"SyncAPIClient", "AsyncAPIClient"} for kind in type(client).__mro__):
        return object_name(client)
    settings = [getattr(client, name, None) for name in _SERVER]
    host = urlsplit(str(settings[0])).hostname or "?"
    return f"{host} {digest_of(str(settings[0]), *settings[1:])}"


def object_name(thing: Any) -> str:
    """Return a name that stands for one object, in this process only.

    >>> object_name(print) == object_name(len)
    False
    """
    with _lock:
        holder, name = _known.get(id(thing), (None, ""))
        if holder is not None and holder() is thing:
            return name
        name = f"{type(thing).__name__} {uuid4().hex}"
        _known[id(thing)] = (_holder(thing), name)
        return name


def _holder(thing: Any) -> Any:
    """A weak reference where there can be one: what is let go of leaves its address to others."""
    try:
        return weakref.ref(thing)
    except TypeError:
        return lambda: thing


# ----------------------------------------------------------------------------------------------- words


def _words(value: Any) -> str:
    """A value in words: equal ones only for equal values."""
    known = _KINDS.get(type(value))
    if known is not None:
        return known(value)
    if isinstance(value, type):
        return _class(value)
    if callable(getattr(value, "get_secret_value", None)):
        return f"secret({_words(value.get_secret_value())})"
    return _model(value) if hasattr(type(value), "_get_llm_string") else _fields(value)


def _members(values: dict[Any, Any]) -> str:
    return f"{{{', '.join(sorted(f'{_words(name)}: {_words(value)}' for name, value in values.items()))}}}"


def _items(values: Any) -> str:
    return f"[{', '.join(map(_words, values))}]"


def _set(values: Any) -> str:
    return f"set({', '.join(sorted(map(_words, values)))})"


_KINDS: Final[dict[type, Callable[[Any], str]]] = {
    **dict.fromkeys((str, int, float, bool, bytes, type(None)), repr),
    **dict.fromkeys((list, tuple), _items),
    **dict.fromkeys((set, frozenset), _set),
    dict: _members,
}


def _class(kind: type) -> str:
    """A class by its name, unless others may have it: those made in a function, a notebook or a script."""
    unsure = "<locals>" in kind.__qualname__ or kind.__module__ == "__main__"
    return f"{kind.__module__}.{kind.__qualname__}{' ' + object_name(kind) if unsure else ''}"


def _model(model: Any) -> str:
    """A chat model, as it names itself, if that name is its own."""
    if not (model.is_lc_serializable() or "_identifying_params" in vars(type(model))):
        return _fields(model)
    try:
        name = model._get_llm_string()  # noqa: SLF001 - LangChain's caches use it, there is no other
    except Exception:  # noqa: BLE001 - whatever it raises, it has no name
        return object_name(model)
    shown = f"{_class(type(model))} {name}"
    if any(mark in shown for mark in _LEFT_OUT):
        return f"{shown} {object_name(model)}"
    root = getattr(model, "root_client", None)
    return shown if root is None else f"{shown} {server_of(root)}"


def _fields(thing: Any) -> str:
    """A pydantic model by its fields; what has private state, or is none, is nothing but itself."""
    kind = type(thing)
    if not hasattr(kind, "model_fields") or getattr(thing, "__pydantic_private__", None):
        return object_name(thing)
    fields = {name: value for name, value in thing if name not in _SILENT}
    if "bound" in fields and "config" in fields:
        fields["config"] = (fields["config"] or {}).get("configurable")
    return f"{_class(kind)}({_words(fields)})"
