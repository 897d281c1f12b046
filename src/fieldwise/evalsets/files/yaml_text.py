"""YAML read as JSON, with the line of every member.

1. Unquoted words are what YAML 1.2 takes them for: null, true, false and numbers, 0x1F too; `no`, `12:30` and
   `2024-05-01` are text.
2. What JSON does not have is a fault: tags, keys that are no text, keys given twice, `.inf` and `.nan`.
3. Anchors and merge keys: an alias is the value it names, `<<` is refused. Together they may not stand for
   more than `MAX_VALUES` values, and none may hold itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import one_line, shown
from fieldwise.errors import ConfigError
from fieldwise.evalsets.files.json_text import Text

if TYPE_CHECKING:
    from fieldwise._types import Path

MAX_VALUES: Final = 5_000_000
_TOO_DEEP: Final = "is nested too deeply to be read as YAML; write it flatter, or as JSON"
_PLAIN: Final = "plain"
_TAG: Final = "tag:yaml.org,2002:"
_WORDS: Final = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_BASES: Final = {"0o": 8, "0x": 16}
_WHOLE: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_REAL: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NON_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def read_yaml(text: str) -> Text:
    r"""Read a text that is YAML, as JSON.

    Raises:
        ConfigError: PyYAML is not installed.

    >>> read_yaml("version: '1.0'\nanswer: no\n").value
    {'version': '1.0', 'answer': 'no'}
    """
    try:
        import yaml
    except ImportError:
        raise ConfigError("reading YAML needs PyYAML: pip install 'fieldwise[yaml]', or write JSON") from None

    class Loader(yaml.BaseLoader):
        """Tells unquoted words from text."""

        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            plain = kind is yaml.ScalarNode and implicit[0]
            return _PLAIN if plain else super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]

    try:
        node = yaml.compose(text, Loader)
    except yaml.MarkedYAMLError as error:
        return _broken(error)
    except yaml.YAMLError as error:  # a character that YAML has not
        return Text(faults=[("", 1, f"not YAML: {one_line(str(error))}")])
    except RecursionError:
        return Text(faults=[("", 1, _TOO_DEEP)])
    return Text(faults=[("", 1, "is empty; write an object")]) if node is None else _read(node)


def _read(node: Any) -> Text:
    """Make values of the nodes of a document."""
    reader = _Reader()
    try:
        value = reader.value(node, ())
    except RecursionError:
        return Text(faults=[("", 1, _TOO_DEEP)])
    if reader.values > MAX_VALUES:
        reader.found.faults = [("", 1, f"its aliases stand for more than {MAX_VALUES:,} values; write fewer")]
    reader.found.value = value
    return reader.found


def _broken(error: Any) -> Text:
    mark = error.problem_mark or error.context_mark
    words = one_line(f"not YAML: {', '.join(part for part in (error.context, error.problem) if part)}")
    return Text(faults=[(f"column {mark.column + 1}", mark.line + 1, words)])


@dataclass(slots=True)
class _Reader:
    """Makes values of nodes; `made` holds those that aliases may name, and how many values they stand for."""

    found: Text = field(default_factory=Text)
    made: dict[int, tuple[Any, int]] = field(default_factory=dict)
    under_way: set[int] = field(default_factory=set)
    values: int = 0

    def value(self, node: Any, path: Path) -> Any:
        self.found.lines.setdefault(path, node.start_mark.line + 1)
        if id(node) in self.made:
            value, size = self.made[id(node)]
            self.values += size
            return value
        if id(node) in self.under_way:
            return self.nothing(node, path, "an alias must not hold itself")
        before = self.values
        self.values += 1
        self.under_way.add(id(node))
        value = _MAKERS[node.id](self, node, path)
        self.under_way.discard(id(node))
        self.made[id(node)] = value, self.values - before
        return value

    def nothing(self, node: Any, path: Path, what: str) -> Any:
        """Note what is wrong, and have null instead."""
        self.found.faults.append((path, node.start_mark.line + 1, what))
        return None

    def scalar(self, node: Any, path: Path) -> Any:
        text: str = node.value
        if node.tag == f"{_TAG}str":
            return text
        if node.tag != _PLAIN:
            return self.tagged(node, path)
        if text in _WORDS:
            return _WORDS[text]
        if _NON_FINITE.fullmatch(text):
            return self.nothing(
                node, path, f"must be a finite number, got {text}; give a number, null or text"
            )
        if _WHOLE.fullmatch(text) or _REAL.fullmatch(text):
            return self.number(node, path)
        return text

    def number(self, node: Any, path: Path) -> Any:
        try:
            value = _number(node.value)
        except ValueError:  # more digits than are read
            value = float("inf")
        if value in (float("inf"), float("-inf")):
            what = f"must be a finite number, got {shown(node.value, 40)}"
            return self.nothing(node, path, f"{what}; give a number that a float holds, or text in quotes")
        return value

    def tagged(self, node: Any, path: Path) -> Any:
        return self.nothing(node, path, f"has the tag {shown(node.tag)}, which JSON has not; leave it out")

    def sequence(self, node: Any, path: Path) -> Any:
        if node.tag != f"{_TAG}seq":
            return self.tagged(node, path)
        return [self.value(one, (*path, index)) for index, one in enumerate(node.value)]

    def mapping(self, node: Any, path: Path) -> Any:
        if node.tag != f"{_TAG}map":
            return self.tagged(node, path)
        members: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self.key(key_node, path)
            if key is None:
                continue
            place, line = (*path, key), key_node.start_mark.line + 1
            if key in members:
                first = self.found.lines[place]
                self.found.faults.append((place, line, f"is given twice, first in line {first}; keep one"))
                continue
            self.found.lines[place] = line
            members[key] = self.value(value_node, place)
        return members

    def key(self, node: Any, path: Path) -> str | None:
        if node.id != "scalar":
            self.nothing(node, path, "has a key that is no text; write text")
            return None
        read = self.scalar(node, path)
        if isinstance(read, str) and read != "<<":
            return read
        fix = "write the members out" if read == "<<" else "put it in quotes"
        self.nothing(node, path, f"has the key {node.value}, which is no text; {fix}")
        return None


def _number(text: str) -> int | float:
    if _WHOLE.fullmatch(text):
        return int(text, _BASES.get(text[:2], 10))
    return float(text)


_MAKERS: Final = {"scalar": _Reader.scalar, "sequence": _Reader.sequence, "mapping": _Reader.mapping}
