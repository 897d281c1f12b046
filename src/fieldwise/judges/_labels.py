"""What a LangChain runnable is called in a cache's key: its model and every setting around it.

Models name themselves, as they do for LangChain's own caches. What is wrapped around one (settings that are
bound, retries, fallbacks, a sequence) is named with what it adds: a binding answers for its model when asked,
but leaves out its own settings.
"""

from __future__ import annotations

import json
from typing import Any


def label_of(runnable: Any) -> str:
    """Return the name of a runnable, the same in every process where its parts have names.

    >>> label_of(3)
    '3'
    """
    kind = type(runnable)
    if hasattr(kind, "_get_llm_string"):
        return str(runnable._get_llm_string())  # noqa: SLF001 - LangChain's caches use it, there is no other
    parts = getattr(runnable, "steps", None)
    if isinstance(parts, list):
        return f"{kind.__name__}({', '.join(map(label_of, parts))})"
    fields = vars(runnable) if hasattr(runnable, "__dict__") else {}
    if "bound" in fields:
        kwargs = json.dumps(fields.get("kwargs", {}), sort_keys=True, default=repr)
        return f"{kind.__name__}({label_of(fields['bound'])}, {kwargs})"
    if "fallbacks" in fields:
        return f"{kind.__name__}({', '.join(map(label_of, [fields['runnable'], *fields['fallbacks']]))})"
    return repr(runnable)
