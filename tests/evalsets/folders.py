"""Evaluation projects for tests: a set, its evaluators, in the folders where they belong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st

EXACT: Final[dict[str, Any]] = {
    "version": "1.0",
    "id": "Exact",
    "evaluatorTypeId": "uipath-exact-match",
    "evaluatorConfig": {"name": "Exact"},
}


def json_values() -> st.SearchStrategy[Any]:
    """Any small JSON."""
    scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=20,
    )


def spec(type_id: str = "uipath-exact-match", id_: str = "E", /, **config: Any) -> dict[str, Any]:
    """The file of an evaluator."""
    return {"version": "1.0", "id": id_, "evaluatorTypeId": type_id, "evaluatorConfig": config}


def item(id_: str = "one", criterias: Any = None, /, **more: Any) -> dict[str, Any]:
    """An item of a set."""
    return {"id": id_, "inputs": {}, "evaluationCriterias": criterias or {}, **more}


def eval_set(refs: list[Any], items: list[Any], /, **more: Any) -> dict[str, Any]:
    """The file of a set."""
    return {"version": "1.0", "id": "set", "evaluatorRefs": refs, "evaluations": items, **more}


def project(folder: Path, the_set: Any, *evaluators: Any, custom: dict[str, str] | None = None) -> Path:
    """Write a project below a folder and return the file of its set; texts are written as they are."""
    root = folder / "evaluations"
    for name in ("eval-sets", "evaluators/custom"):
        (root / name).mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(evaluators):
        (root / "evaluators" / f"e{number}.json").write_text(_text(one), encoding="utf-8")
    for name, code in (custom or {}).items():
        (root / "evaluators" / "custom" / name).write_text(code, encoding="utf-8")
    file = root / "eval-sets" / "set.json"
    file.write_text(_text(the_set), encoding="utf-8")
    return file


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
