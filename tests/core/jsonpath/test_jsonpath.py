"""JSONPath: what is refused and how, what is answered beyond the suite, hostile text and documents."""

from __future__ import annotations

import math
import sys
import time
from decimal import Decimal
from typing import Any

import pytest

from fieldwise.core import jsonpath
from fieldwise.core.jsonpath import Engine, compile_jsonpath, has_extra, plain_steps
from fieldwise.core.jsonpath.grammar import MAX_DEPTH, MAX_OPERANDS, read
from fieldwise.core.select import WILD, Match, compile_path
from fieldwise.errors import PathError
from tests.core.jsonpath import oracle as jsonpath_oracle

extra = pytest.mark.skipif(not has_extra(), reason="the extra rfc9535 is not installed")
ENGINES = [pytest.param("jsonpath-ng"), pytest.param("rfc9535", marks=extra)]
on_both = pytest.mark.parametrize("engine", ENGINES)

EXPECTED_SELECTOR = "expected a name in quotes, an index, a slice, '*' or a filter"
EXPECTED_OPERAND = "expected '@', '$', a value or a function"
NEGATED = "'!' negates a path, a function or a group"
NO_INDEX = "an index has no plus sign, no leading zero and no -0"

REFUSED: tuple[tuple[str, int, str, str | None], ...] = (
    # a dollar that is part of a name
    ("$schema", 1, "expected '.' or '['", "/$schema"),
    ("$defs.a-b", 1, "expected '.' or '['", "/$defs/a-b"),
    ("$a[0]", 1, "expected '.' or '['", "$.a[0]"),
    ("$.$x", 2, "expected a name or '*'", "$['$x']"),
    ("a.b", 0, "a JSONPath begins with '$'", "$.a.b"),
    # names that need quotes, indices that need brackets
    ("$.first name", 7, "expected '.' or '['", "$['first name']"),
    ("$.first name.last name[0]", 7, "expected '.' or '['", "$['first name']['last name'][0]"),
    ("$.foo-bar", 5, "expected '.' or '['", "$['foo-bar']"),
    ("$..foo-bar.x", 6, "expected '.' or '['", "$..['foo-bar'].x"),
    ("$.it's", 4, "expected '.' or '['", None),
    ("$.items.0", 8, "expected a name or '*'", "$.items[0]"),
    ("$.items.-1.x", 8, "expected a name or '*'", "$.items[-1].x"),
    ("$.items[*]price", 10, "expected '.' or '['", "$.items[*].price"),
    ("$" + ".a b" * 8, 3, "expected '.' or '['", "$" + "['a b']" * 8),
    ("$" + ".a b" * 9, 3, "expected '.' or '['", None),
    # dots and blanks
    ("$.a.", 4, "expected a name or '*'", "$.a"),
    ("$..", 3, "expected a name, '*' or a bracket", "$..*"),
    ("$.[0]", 2, "expected a name or '*'", "$[0]"),
    ("$. a", 2, "expected a name or '*'", "$.a"),
    ("$.a ", 3, "blanks follow the path", "$.a"),
    (" $.a", 0, "a JSONPath begins with '$'", "$.a"),
    # brackets
    ("$.a[", 4, EXPECTED_SELECTOR, "$.a[*]"),
    ("$.a[0", 5, "the bracket is not closed", "$.a[0]"),
    ("$.a['b", 6, "the text that begins at 4 is not closed", "$.a['b']"),
    ("$[]", 2, "a selector is missing", "$[*]"),
    ("$['a',]", 6, EXPECTED_SELECTOR, "$['a']"),
    ("$['a' 'b']", 6, "expected ',' or ']'", "$['a' ,'b']"),
    ("$[name]", 2, EXPECTED_SELECTOR, "$['name']"),
    ("$[(@.length-1)].x", 2, "RFC 9535 has no script expressions", "$[-1].x"),
    ("$[01]", 2, NO_INDEX, "$[1]"),
    ("$[-0]", 2, NO_INDEX, "$[0]"),
    ("$[1.5]", 3, "expected ',' or ']'", None),
    ("$[9007199254740992]", 2, "an index is at most 9007199254740991, positive or negative", None),
    # quoted text
    (r"$['\q']", 3, r"\q is no escape", "$['q']"),
    ("$['a\nb']", 4, "U+000A is written as an escape", r"$['a\u000ab']"),
    (r"$['\ud800']", 3, r"\u is followed by four hex digits, and surrogates come in pairs", None),
    # operators
    ("$[?(@.a=1)]", 7, "'=' is no operator", "$[?(@.a==1)]"),
    ("$[?@.a === 1 and @.b]", 7, "'===' is no operator", "$[?@.a == 1 && @.b]"),
    ("$[?@.a <> 1 | @.b]", 7, "'<>' is no operator", "$[?@.a != 1 || @.b]"),
    ("$[?not @.a OR @.b]", 3, "expected '!'", "$[?! @.a || @.b]"),
    ("$[?@.a =~ 'x']", 7, "'=~' is no operator; patterns are for match() and search()", None),
    ("$[?!@.a == 1]", 4, f"{NEGATED}; put the comparison into parentheses", None),
    ("$[?(@.a", 7, "the group is not closed", "$[?(@.a)]"),
    ("$[?(@.a-b)]", 7, "expected ')'", "$[?(@['a-b'])]"),
    # operands
    ("$[?@.a == None]", 10, "None stands alone", "$[?@.a == null]"),
    ("$[?@.a == foo]", 10, "foo stands alone", "$[?@.a == 'foo']"),
    ("$[?price < 10]", 3, "price stands alone", "$[?@.price < 10]"),
    ("$[?.a]", 3, EXPECTED_OPERAND, "$[?@.a]"),
    ("$[?@a]", 4, "expected '.' or '['", "$[?@.a]"),
    ("$[?@.a-b == 1]", 6, "expected ',' or ']'", "$[?@['a-b'] == 1]"),
    ("$[?@.a == .5]", 10, EXPECTED_OPERAND, "$[?@.a == 0.5]"),
    ("$[?@.a == 01]", 10, "a number has no leading zero", "$[?@.a == 1]"),
    ("$[?@.a == 1.]", 10, "a digit is missing in the number", "$[?@.a == 1]"),
    ("$[?1]", 3, "a value alone is no condition; compare it", None),
    ("$[?@.* == 1]", 3, "this path can name several values; one is needed", "$[?value(@.*) == 1]"),
    # functions
    ("$.x.length()", 10, "a function stands in a filter, before its argument", "$.x"),
    ("$[?@.a.length() > 1]", 13, "a function stands in a filter, before its argument", "$[?length(@.a) > 1]"),
    ("$[?@.a].b.length()", 16, "a function stands in a filter, before its argument", "$[?@.a].b"),
    ("$[?@.a.size() > 1]", 11, "a function stands in a filter, before its argument", None),
    ("$[?count(@.*", 12, "the call is not closed", "$[?count(@.*) > 0]"),
    ("$[?length(@.a)]", 3, "length() is a value; compare it", "$[?length(@.a) > 0]"),
    ("$[?match(@.a, 'x') == true]", 3, "match() is true or false already, not a value", None),
    ("$[?match(@.a)]", 12, "match() takes 2 arguments; expected ','", None),
    ("$[?count(@.a, @.b) > 1]", 12, "count() takes 1 argument; expected ')'", None),
    ("$[?count('a') > 1]", 9, "count() takes a path", None),
    ("$[?count (@.*) > 1]", 8, "blanks before '('", "$[?count(@.*) > 1]"),
    ("$[?Length(@) > 1]", 3, "no function Length(); there are count, length, match, search, value",
     "$[?length(@) > 1]"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "position", "problem", "hint"), [pytest.param(*row, id=row[0]) for row in REFUSED]
)
def test_refusal(text: str, position: int, problem: str, hint: str | None) -> None:
    with pytest.raises(PathError) as caught:
        compile_jsonpath(text)
    advice = f"; did you mean {hint!r}?" if hint else ""
    assert str(caught.value) == f"path {text!r}: {problem} at position {position}{advice}"
    assert (caught.value.position, caught.value.hint) == (position, hint)


@pytest.mark.parametrize("hint", [row[3] for row in REFUSED if row[3] and row[3].startswith("$")])
def test_every_hint_is_a_path(hint: str) -> None:
    assert compile_path(hint).text == hint


@pytest.mark.parametrize("function", ["match", "search"])
def test_without_the_extra_patterns_are_refused_whatever_the_document(function: str) -> None:
    text = f"$.a[?@.b || {function}(@.c, 'x')]"
    with pytest.raises(PathError) as caught:
        compile_jsonpath(text, "jsonpath-ng")
    assert str(caught.value) == (
        f"path {text!r}: {function}() is valid RFC 9535, but needs the fully compliant engine"
        " (pip install 'fieldwise[rfc9535]'); it stands at position 12"
    )


@pytest.mark.parametrize(("installed", "engine"), [(True, "rfc9535"), (False, "jsonpath-ng")])
def test_the_extra_is_used_where_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, installed: bool, engine: str
) -> None:
    if installed and not has_extra():
        pytest.skip("the extra rfc9535 is not installed")
    monkeypatch.setattr(jsonpath, "has_extra", lambda: installed)
    assert compile_jsonpath("$..a").engine == engine


def test_the_extra_counts_as_missing_when_it_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fieldwise.core.jsonpath.on_rfc9535", None)
    monkeypatch.delattr("fieldwise.core.jsonpath.on_rfc9535", raising=False)
    has_extra.cache_clear()
    try:
        assert has_extra() is False
    finally:
        has_extra.cache_clear()


# ------------------------------------------------------------------------------------ right answers

LARGE = 100_000_000_000_000_000_001
ANSWERED: tuple[tuple[str, Any, list[tuple[str | int, ...]]], ...] = (
    ("$[?@]", [0, False, "", None, [], {}], [(0,), (1,), (2,), (3,), (4,), (5,)]),
    ("$[?!@]", [0, False, ""], []),
    ("$[?@.a == @.b]", [{"a": [True], "b": [1]}, {"a": [1], "b": [1.0]}, {}], [(1,), (2,)]),
    ("$[?@.a != @.b]", [{}, {"a": None}], [(1,)]),
    ("$[?@ == null]", [None, 0, {}], [(0,)]),
    ("$[?@.a == null]", [{"a": None}, {}], [(0,)]),
    ("$[?@ <= true]", [True, False, 1], [(0,)]),
    ("$[?@ < 5]", [Decimal("1e-400"), 5, "4", True, math.nan, -math.inf], [(0,), (5,)]),
    ("$[?@ <= $[0]]", [math.nan, Decimal("1e400")], [(0,)]),
    ("$[?@ == 1e400]", [Decimal("1e400"), math.inf], [(0,)]),
    (f"$[?@ == {LARGE}]", [LARGE, 1e20], [(0,)]),
    ("$[?1 == 1.0]", ["x"], [(0,)]),
    ("$.l[?@.l[?@.a == $.x]]", {"x": 1, "l": [{"l": [{"a": 1}]}, {"l": [{"a": 2}]}]}, [("l", 0)]),
    ("$..['*']", {"*": 1, "a": {"*": 2}}, [("*",), ("a", "*")]),
    ("$[?@['*'] > 1]", [{"*": 1}, {"*": 2}], [(1,)]),
    ("$[-1, 0, 0, 'a']", [1, 2], [(1,), (0,), (0,)]),
    ("$[::-1]", [1, 2, 3], [(2,), (1,), (0,)]),
    ("$[:]", {"a": 1}, []),
    ("$..[0, 'b']", {"a": [{"b": 1}], "b": 2}, [("b",), ("a", 0), ("a", 0, "b")]),
    ("$[?count(@[?@.a, 0]) == 2]", [[{"a": 1}], [1]], [(0,)]),
    ("$[?length(@) == 1]", ["\N{GRINNING FACE}", [1], {"a": 1}, 1, None], [(0,), (1,), (2,)]),
    ("$[?value(@..a) == 1]", [{"a": 1}, {"a": 1, "b": {"a": 1}}], [(0,)]),
    (r'$["\ud83d\ude00"].x ["y"]', {"\N{GRINNING FACE}": {"x": {"y": 1}}}, [("\N{GRINNING FACE}", "x", "y")]),
)  # fmt: skip


@on_both
@pytest.mark.parametrize(("text", "document", "paths"), [pytest.param(*row, id=row[0]) for row in ANSWERED])
def test_answer(engine: Engine, text: str, document: Any, paths: list[tuple[str | int, ...]]) -> None:
    found = compile_jsonpath(text, engine).find(document)
    assert [path for path, _ in found] == paths
    for path, value in found:
        here = document
        for step in path:
            here = here[step]
        assert value is here


@on_both
def test_agrees_with_the_oracle_on_random_queries(engine: Engine) -> None:
    answered = 0
    for seed in range(1_500):
        dice = jsonpath_oracle.Dice(seed)
        query, document = dice.query(), dice.document()
        text = jsonpath_oracle.text(query)
        assert read(text) == query, text
        wanted = jsonpath_oracle.nodes(query, document, document)
        assert compile_jsonpath(text, engine).find(document) == wanted, f"{text} in {document!r}"
        answered += bool(wanted)
    assert answered > 300


# ------------------------------------------------------------------------------------------ patterns

PATTERNS: tuple[tuple[str, str, str, bool], ...] = (
    ("match", "ab", "a", False),
    ("search", "ab", "a", True),
    ("match", "aaaaaaaaaaaa", "a{12}", True),
    ("search", "&", "[a&&b]", True),
    ("match", "B2", r"\p{Lu}\P{Lu}", True),
    ("match", "\n", ".", False),
    ("match", "^", "[^]", True),
    ("search", "a\n", "a$", False),
    ("match", "7", r"\d", False),
    ("match", "aa", "a{1}{2}", False),
    ("match", "a", "(a", False),
    ("match", "a", "a)", False),
    ("match", "a", "[b-a]", False),
    ("match", "a-]", r"[a\-\]]{3}", True),
    ("match", "", "", True),
)


@extra
@pytest.mark.parametrize(("function", "value", "pattern", "found"), PATTERNS)
def test_pattern(function: str, value: str, pattern: str, found: bool) -> None:
    query = compile_jsonpath(f"$.v[?{function}(@, $.p)]", "rfc9535")
    assert bool(query.find({"v": [value], "p": pattern})) is found


BEYOND: tuple[tuple[str, str], ...] = (
    ("a{99999999}", "the pattern 'a{99999999}' repeats more than 10,000 times"),
    ("((a{100}){100}){2}", "the pattern '((a{100}){100}){2}' repeats more than 10,000 times"),
    ("(" * 51, f"the pattern '{'(' * 51}' has more than 50 groups"),
    ("a" * 1_001, f"the pattern '{'a' * 78}… is longer than 1,000 characters"),
)


@extra
@pytest.mark.parametrize(("pattern", "reason"), BEYOND)
def test_a_pattern_beyond_the_limits_is_refused_where_it_is_met(pattern: str, reason: str) -> None:
    written = f"$[?match(@, '{pattern}')]"
    with pytest.raises(PathError) as caught:
        compile_jsonpath(written, "rfc9535")
    assert str(caught.value) == f"path {written!r}: {reason} in the filter at position 2"
    query = compile_jsonpath("$[?match(@, $[0])]", "rfc9535")
    with pytest.raises(PathError) as caught:
        query.find([pattern])
    assert str(caught.value) == f"path '$[?match(@, $[0])]': {reason} in the filter at position 2"


@extra
def test_a_pattern_that_runs_over_its_time_is_stopped() -> None:
    query = compile_jsonpath("$[?match(@, '(a|aa)*[bc]')]", "rfc9535")
    with pytest.raises(PathError) as caught:
        query.find(["a" * 60])
    assert str(caught.value) == (
        "path \"$[?match(@, '(a|aa)*[bc]')]\": the pattern '(a|aa)*[bc]' runs for more than 1 s"
        " in the filter at position 2"
    )


# ------------------------------------------------------------------------------------------- hostile

HOSTILE: tuple[tuple[str, str, int], ...] = (
    ("$" + "[" * 100_000, "longer than 10,000 characters", 10_000),
    ("x" * 1_000_000, "longer than 10,000 characters", 10_000),
    ("$[?" + "(" * 9_000, f"more than {MAX_DEPTH} filters, groups and calls inside one another", 35),
    ("$" + "[?@" * 3_000, f"more than {MAX_DEPTH} filters, groups and calls inside one another", 99),
    ("$[?" + "length(" * 1_000, f"more than {MAX_DEPTH} filters, groups and calls inside one another", 227),
    ("$[?" + "!" * 9_000, EXPECTED_OPERAND, 4),
    ("$[?" + "&&".join(["@"] * (MAX_OPERANDS + 1)) + "]", f"more than {MAX_OPERANDS} operands", 387),
    ("$" + "..a" * 257, "a path has at most 256 steps", 769),
    ("$['" + "a" * 9_000, "the text that begins at 2 is not closed", 9_003),
    ("$[?@ == " + "9" * 5_000 + "]", "a number has at most 4,000 digits", 8),
    ("$[?@ == 1e" + "9" * 30 + "]", "a number whose exponent is beyond what a decimal holds", 8),
    ("$[" + "9" * 5_000 + "]", "an index is at most 9007199254740991, positive or negative", 2),
)


@pytest.mark.parametrize(
    ("text", "problem", "position"), [pytest.param(*row, id=f"{row[0][:8]}-{len(row[0])}") for row in HOSTILE]
)
def test_hostile_text_is_refused_at_once(text: str, problem: str, position: int) -> None:
    start = time.process_time()
    with pytest.raises(PathError) as caught:
        compile_jsonpath(text)
    assert time.process_time() - start < 1
    assert f": {problem} at position {position}" in str(caught.value)
    assert len(str(caught.value)) < 10_200


@on_both
@pytest.mark.parametrize(
    "text",
    [
        "$" + "[?@" * MAX_DEPTH + "]" * MAX_DEPTH,
        "$[?" + "(" * (MAX_DEPTH - 1) + "@" + ")" * (MAX_DEPTH - 1) + "]",
        "$[?" + " && ".join(["@"] * MAX_OPERANDS) + "]",
        "$" + ".a" * 200 + "[0:1]",
        "$[?@" + ".a" * 200 + "]",
        "$[?@[" + ",".join(["0"] * 4_000) + "]]",
    ],
    ids=["filters", "groups", "operands", "segments", "segments in a filter", "selectors in a filter"],
)
def test_what_is_within_the_limits_runs(engine: Engine, text: str) -> None:
    document: Any = 0
    for _ in range(MAX_DEPTH + 2):
        document = [document]
    assert compile_jsonpath(text, engine).find(document) in ([], [((0,), document[0])])


@on_both
@pytest.mark.parametrize(
    ("text", "count", "deepest"),
    [("$..x", 2, 1_502), ("$[?@..x]", 2, 1), ("$..[?@.y == $.y]", 3_004, 1_502), ("$[?@ == $[1]]", 2, 1)],
)
def test_deep_documents_are_no_problem(engine: Engine, text: str, count: int, deepest: int) -> None:
    def deep() -> Any:
        document: Any = {"x": 1}
        for _ in range(1_500):
            document = [document]
        return document

    found = compile_jsonpath(text, engine).find([deep(), deep()])
    assert (len(found), max(len(path) for path, _ in found)) == (count, deepest)


# ------------------------------------------------------------------------------------------- selectors


def test_plain_steps() -> None:
    assert plain_steps("$ ['a'] .b[-1][*].*") == ("a", "b", -1, WILD, WILD)
    assert [plain_steps(text) for text in ("$..a", "$[0,1]", "$[0:1]", "$[?@]")] == [None] * 4


def test_a_selector_runs_what_steps_cannot_say() -> None:
    selector = compile_path("$..price")
    document: Any = {"a": [{"price": 1}], "price": 2}
    assert selector.find(document) == [Match(("price",), 2), Match(("a", 0, "price"), 1)]
    assert (selector.syntax, selector.steps) == ("jsonpath", ("$..price",))


def test_a_plain_path_needs_no_engine() -> None:
    assert compile_path("$.a[0]").query is None
    assert compile_path("$ .a [0]").query is None
