"""The published description of evaluators and evaluation sets: every block of JSON in it loads.

The rewrite, and nothing else is changed:

1. A member that stands alone, `"NameEvaluator": {…}`, becomes the criteria of the one item of a set whose one
   evaluator has that name and the id in its heading, with the options that it cannot do without.
2. `"evaluatorConfig": {…}` alone becomes that of an evaluator of code, whose class has the criteria of the
   document; the set of the document then is run with it.
3. In the general shape of an evaluator, `<EvaluatorId>`, `<uipath-type-id>` and `{ ... }` are filled in.

The document is read where it lies beside the project; where it does not, the same in our own words stands in.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from fieldwise.evalsets.criteria import criteria_of
from fieldwise.evalsets.load import load_set, load_spec
from fieldwise.evalsets.registry.kinds import GUIDE, UIPATH, kind_of
from fieldwise.evalsets.schemas.evaluator_shapes import config_schema
from tests.evalsets.folders import eval_set, item, project, spec

DOCUMENT: Final = next(
    iter((Path(__file__).parents[3] / "shared" / "seeds").glob("001_*.txt")), Path("no document")
)
HEADING: Final = re.compile(r"^### (?P<name>\w+) \(`(?P<id>[\w-]+)`\)$", re.MULTILINE)
BLOCK: Final = re.compile(r"^```json\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION: Final = re.compile(r"`(?P<key>\w+)`(?: \((?:default (?P<default>`?[^`)]+`?)|[^)]*)\))?")
JUDGED: Final = {"model": "openai:a-model"}
NEEDED: Final[dict[str, dict[str, Any]]] = {
    "uipath-binary-classification": {"classes": ["positive", "negative"], "positiveClass": "positive"},
    "uipath-multiclass-classification": {"classes": ["spam", "ham"]},
    **{kind.type_id: JUDGED for kind in UIPATH if kind.judged},
}
"""What evaluators cannot do without, and the document leaves to the reader."""
CODE: Final = """
from fieldwise.evalsets.custom import BaseEvaluationCriteria, BaseEvaluator

class MyEvaluationCriteria(BaseEvaluationCriteria):
    expected_value: str = ""

class MyEvaluator(BaseEvaluator[MyEvaluationCriteria]):
    async def evaluate(self, agent_execution, criteria):
        return agent_execution.agent_output == criteria.expected_value
"""
OWN: Final[dict[str, dict[str, Any]]] = {
    "uipath-exact-match": {"expectedOutput": {"sum": "8"}},
    "uipath-contains": {"searchText": "done"},
    "uipath-json-similarity": {"expectedOutput": {"sum": 5.0}},
    "uipath-llm-judge-output-semantic-similarity": {"expectedOutput": {"text": "Yes."}},
    "uipath-llm-judge-output-strict-json-similarity": {"expectedOutput": {"a": "b"}},
    "uipath-llm-judge-trajectory-similarity": {"expectedAgentBehavior": "It adds once."},
    "uipath-llm-judge-trajectory-simulation": {"expectedAgentBehavior": "It searches."},
    "uipath-tool-call-order": {"toolCallsOrder": ["search", "compare"]},
    "uipath-tool-call-args": {"toolCalls": [{"name": "add", "arguments": {"a": 5}}]},
    "uipath-tool-call-count": {"toolCallsCount": {"search": ["=", 1], "format": [">=", 2]}},
    "uipath-tool-call-output": {"toolOutputs": [{"name": "get", "output": "{'a': 1}"}]},
    "uipath-binary-classification": {"expectedClass": "positive"},
    "uipath-multiclass-classification": {"expectedClass": "spam"},
}
"""Criteria of each kind, as the document has them."""


def document() -> str:
    if not DOCUMENT.exists():
        pytest.skip(f"the document is not beside the project: {DOCUMENT}")
    return DOCUMENT.read_text(encoding="utf-8")


def sections() -> dict[str, tuple[str, str]]:
    """Type id to the title and the text of its section."""
    text = document()
    heads = list(HEADING.finditer(text))
    ends = [head.start() for head in heads[1:]] + [text.index("## Custom Evaluators")]
    return {head["id"]: (head["name"], text[head.end() : end]) for head, end in zip(heads, ends, strict=True)}


def blocks_after(heading: str) -> list[str]:
    text = document()
    return [block["text"] for block in BLOCK.finditer(text, text.index(heading))]


def check(folder: Path, type_id: str, name: str, criteria: Any) -> None:
    file = project(
        folder,
        eval_set([name], [item("one", {name: criteria}), item("two", {name: None})]),
        spec(type_id, name, **NEEDED.get(type_id, {}), defaultEvaluationCriteria=criteria),
    )
    loaded = load_set(file)
    (chosen,) = loaded.evaluators
    assert (chosen.spec.type_id, chosen.spec.default) == (type_id, criteria)
    assert [criteria_of(one, chosen) for one in loaded.items] == [criteria, criteria]


def test_every_section_has_its_criteria(tmp_path: Path) -> None:
    found = sections()
    assert found.keys() == {kind.type_id for kind in UIPATH}
    for type_id, (title, text) in found.items():
        assert kind_of(type_id).title == title
        (block,) = BLOCK.finditer(text)
        members = json.loads(f"{{{block['text']}}}")
        assert members.keys() == {title}
        check(tmp_path, type_id, title, members[title])


@pytest.mark.parametrize("type_id", OWN)
def test_the_same_in_our_own_words(type_id: str, tmp_path: Path) -> None:
    assert OWN.keys() == {kind.type_id for kind in UIPATH}
    check(tmp_path, type_id, kind_of(type_id).title, OWN[type_id])


def test_every_option_of_the_document_is_one_with_its_default() -> None:
    told = 0
    for type_id, (_, text) in sections().items():
        line = re.search(r"^\*\*Config:\*\* (?P<options>.*)$", text, re.MULTILINE)
        for option in OPTION.finditer(line["options"].partition("placeholders")[0] if line else ""):
            schema = config_schema(kind_of(type_id))["properties"]
            assert option["key"] in schema, (type_id, option["key"])
            if option["default"]:
                told += 1
                assert schema[option["key"]]["default"] == json.loads(option["default"].strip("`")), option[0]
    assert told == 11


def test_the_shape_of_an_evaluator() -> None:
    (general,) = [
        block for block in blocks_after("## Evaluator File Structure") if "<uipath-type-id>" in block
    ]
    filled = general.replace("<EvaluatorId>", "ExactMatchEvaluator")
    filled = filled.replace("<uipath-type-id>", "uipath-exact-match").replace(
        "{ ... }", '{"expectedOutput": 1}'
    )
    loaded = load_spec(json.loads(filled))
    assert (loaded.id, loaded.default) == ("ExactMatchEvaluator", {"expectedOutput": 1})


def test_custom_evaluators_and_their_set(tmp_path: Path) -> None:
    config, the_set = blocks_after("### defaultEvaluationCriteria")
    evaluator = {
        **spec("custom-my-evaluator", "MyEvaluator"),
        "evaluatorSchema": "file://my_evaluator.py:MyEvaluator",
        **json.loads(f"{{{config}}}"),
    }
    file = project(tmp_path, the_set, evaluator, custom={"my_evaluator.py": CODE})
    loaded = load_set(file, allow_code=True)
    (chosen,) = loaded.evaluators
    assert chosen.spec.default == {"expectedValue": ""}
    assert criteria_of(loaded.items[0], chosen) == {"expectedValue": "value"}
    assert (loaded.id, loaded.name, loaded.items[0].inputs) == (
        "my-eval-set",
        "My Eval Set",
        {"param": "value"},
    )


def test_every_block_of_json_is_in_one_of_these_tests() -> None:
    assert len(BLOCK.findall(document())) == len(UIPATH) + 3


def table(heading: str) -> list[tuple[str, ...]]:
    text = document()
    lines = [line for line in text[text.index(heading) :].splitlines()[1:] if line.strip()]
    rows = []
    for line in lines:
        if line.startswith("|"):
            rows.append(tuple(cell.strip().strip("`") for cell in line.strip("|").split("|")))
        elif rows:
            break
    return rows[2:]


def test_the_two_tables_are_those_of_the_document() -> None:
    guide = [(row.agent, row.primary, row.secondary, row.notes) for row in GUIDE]
    assert guide == table("## Evaluator Selection Guide")
    built_in = [(kind.type_id, kind.title, kind.scoring) for kind in UIPATH]
    assert built_in == table("## Built-in evaluatorTypeId Values")
