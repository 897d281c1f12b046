"""Inputs that OpenEvals 0.2.2 gets wrong, with the scores they should have; a row is one input.

`kind` is the row of `tests/cases/departures.json`; `id` numbers the defect.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import fieldwise
from fieldwise.comparators import number

EMPTY: Final[list[Any]] = [[], [{}], {}]
AVERAGES: Final[dict[str, Any]] = {"aggregator": "average", "list_aggregator": "average"}
ALL: Final[dict[str, Any]] = {"aggregator": "all"}
NAN: Final = float("nan")


@dataclass(frozen=True)
class Defect:
    """One input that OpenEvals gets wrong, and the scores it should have."""

    id: str
    kind: str
    outputs: Any
    reference: Any
    scores: dict[str, float | None]
    options: dict[str, Any] = field(default_factory=dict)


def nested(changed: int) -> dict[str, Any]:
    return {"a": {f"k{index}": index if index >= changed else -1 for index in range(10)}}


DEFECTS: Final = [
    Defect("D1", "order_dependent", [{"a": 9}, {"a": 1}], [{"a": 1}, {"a": 2}], {"average": 0.5}, AVERAGES),
    Defect("D1", "order_dependent", [{"a": 1}, {"a": 9}], [{"a": 1}, {"a": 2}], {"average": 0.5}, AVERAGES),
    Defect(
        "D1b",
        "order_dependent",
        [{"a": 1, "b": 1}, {"a": 1, "b": 2}],
        [{"a": 1, "b": 2}, {"a": 3, "b": 3}],
        {"average": 0.5},
        AVERAGES,
    ),
    *[
        Defect(
            "D2",
            "order_dependent",
            outputs,
            [{"a": 1, "b": 2}, {"a": 1}],
            {"average": 1.0},
            {**AVERAGES, "list_match_mode": mode},
        )
        for mode in ("subset", "superset")
        for outputs in ([{"a": 1}, {"a": 1, "b": 2}], [{"a": 1, "b": 2}, {"a": 1}])
    ],
    Defect(
        "D4",
        "sync_and_async",
        [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3}],
        [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3}],
        {"a": 1.0, "b": 1.0},
    ),
    Defect(
        "D5",
        "sync_and_async",
        [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 4}],
        [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3}],
        {"a": 2 / 3, "b": 1.0},
        {"list_aggregator": "average"},
    ),
    Defect("D6", "list_elements", [1, 2], [2, 1], {"$": 1.0}),
    Defect("D6", "list_elements", ["a"], ["b"], {"$": 0.0}),
    Defect("D6", "list_elements", [{"a": 1}, None], [None, {"a": 1}], {"$": 1.0, "a": 1.0}),
    Defect("D6", "list_elements", [[1, 2], 3], [3, [1, 2]], {"average": 1.0}, AVERAGES),
    Defect("D7", "nothing_to_compare", [{}, {}], [{}], {"$": 0.0}),
    *[Defect("D7b", "nothing_to_compare", empty, empty, {"$": 1.0}) for empty in EMPTY],
    *[
        Defect(
            "D8",
            "nothing_to_compare",
            empty,
            empty,
            {how: 1.0},
            {"aggregator": how, "list_aggregator": across},
        )
        for empty in EMPTY
        for how in ("all", "average")
        for across in ("all", "average")
    ],
    *[
        Defect(
            "D8b",
            "nothing_to_compare",
            {"a": 1},
            {"a": 2},
            {how or "$": 1.0},
            {"aggregator": how, "exclude_keys": ["a"]},
        )
        for how in (None, "all", "average")
    ],
    *[
        Defect("D8c", "nothing_to_compare", came, wanted, {how or "$": 1.0}, {**options, "aggregator": how})
        for how in (None, "all", "average")
        for came, wanted, options in (
            ([], [{"a": 1}], {"list_match_mode": "subset", "list_aggregator": "average"}),
            ([{"a": 1}], [], {"list_match_mode": "superset", "list_aggregator": "average"}),
        )
    ],
    Defect("D9", "text", '{"a": 1}', '{"a": 1.0}', {"a": 1.0}),
    Defect("D9", "text", 'Here it is:\n```json\n{"a": 2}\n```', {"a": 1}, {"a": 0.0}),
    Defect("D9", "text", "plain", "plain", {"$": 1.0}),
    Defect("D10", "document_shapes", None, {"a": 1, "b": 2}, {"a": 0.0, "b": 0.0}),
    Defect("D10", "document_shapes", {"a": 1}, None, {"$": 0.0}),
    Defect("D11", "document_shapes", {"a": 1}, [{"a": 1}], {"a": 0.0}),
    Defect("D11", "document_shapes", [{"a": 1}], {"a": 1}, {"all": 0.0}, ALL),
    *[
        Defect("D12", "json_equality", {"a": came}, {"a": wanted}, {"a": 0.0})
        for came, wanted in ((True, 1), (0, False), ([True], [1]), ({"b": 1}, {"b": True}))
    ],
    Defect("D12", "json_equality", {"a": 1}, {"a": 1.0}, {"a": 1.0}),
    Defect("D13", "json_equality", {"a": 0.1 + 0.2}, {"a": 0.3}, {"a": 0.0}),
    Defect(
        "D13",
        "json_equality",
        {"a": 0.1 + 0.2},
        {"a": 0.3},
        {"a": 1.0},
        {"comparators": {"a": number(relative=1e-9)}},
    ),
    Defect("D13", "json_equality", {"a": NAN}, {"a": float("nan")}, {"a": 1.0}),
    Defect("D13", "json_equality", {"a": 2**53 + 1}, {"a": float(2**53)}, {"a": 0.0}),
    Defect(
        "D14",
        "paths",
        {"a": {"b": 1, "c": 2}},
        {"a": {"b": 9, "c": 2}},
        {"a": 1.0},
        {"exclude_keys": ["a.b"]},
    ),
    Defect("D14", "paths", {"a.b": 1, "a": {"b": 2}}, {"a": {"b": 3}}, {"a": 0.0}, {"exclude_keys": ["a.b"]}),
    Defect(
        "D14", "paths", nested(1), nested(0), {"average": 0.9}, {"aggregator": "average", "depth": "leaves"}
    ),
    Defect("D14", "paths", {"a": [1, 2]}, {"a": [2, 1]}, {"a": 1.0}, {"lists": {"a": "same_elements"}}),
    Defect("D15", "key_types", {1: 2, "a": 1}, {1: 2, "a": 1}, {"1": 1.0, "a": 1.0}),
    Defect("D15", "key_types", {1: 2, None: 1}, {"1": 2, "null": 3}, {"1": 1.0, "null": 0.0}),
    Defect("D16", "empty_key", [{"": 1}], [{"": 2}], {"": 0.0}),
    Defect(
        "D16",
        "empty_key",
        [{"a_1": 1, "_": 2, "a_0": 3}],
        [{"a_1": 1, "_": 2}],
        {"_": 1.0, "a_0": 0.0, "a_1": 1.0},
    ),
    Defect("D17", "json_equality", {"a": None}, {}, {"a": 0.0}),
    Defect("D17", "json_equality", {"a": None}, {}, {"a": 1.0}, {"null_policy": "null_equals_missing"}),
    Defect("D18c", "no_reference", {"a": 1}, fieldwise.MISSING, {"$": None}),
    Defect("D18c", "no_reference", {"a": 1}, fieldwise.MISSING, {"all": None}, ALL),
    Defect("wrapper", "wrapper", {"output": [{"a": 1}]}, [{"a": 1}], {"a": 1.0}),
    Defect("wrapper", "wrapper", {"output": [{"a": 1}]}, {"output": [{"a": 2}]}, {"a": 0.0}),
    Defect("wrapper", "wrapper", {"output": '{"a": 1}'}, {"a": 1}, {"a": 1.0}),
    Defect("wrapper", "wrapper", {"output": "x"}, {"output": "y"}, {"output": 0.0}),
    Defect("wrapper", "wrapper", {"output": {"a": 1}}, {"output": {"a": 1}}, {"output": 1.0}),
]
