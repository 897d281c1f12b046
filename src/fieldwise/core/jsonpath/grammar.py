"""The grammar of RFC 9535: text to a `Query`, or a `Flaw` that says where, why and how to mend it.

One method per rule of the RFC's section 2, by recursive descent. Limits keep hostile text away from
Python's stack: `MAX_LENGTH` characters, `MAX_STEPS` segments of one path, `MAX_OPERANDS` operands in all,
`MAX_DEPTH` filters, groups and calls inside one another. Well-typedness (section 2.4.3) is checked where an
operand is used: `_comparable`, `_test`, `_argument`.

What people write instead of JSONPath (`$.a-b`, `=`, `and`, `.length()`, `None`) is recognised where
it breaks a rule, here or in `mending`, and the flaw carries the edit that makes it JSONPath.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final, TypeVar

from fieldwise.core.jsonpath import tree
from fieldwise.core.jsonpath.mending import LOOSE_OPERAND, Mender
from fieldwise.core.jsonpath.reader import NAME, Flaw
from fieldwise.core.path_text import MAX_LENGTH, MAX_STEPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json

T = TypeVar("T")

MAX_DEPTH: Final = 32
MAX_OPERANDS: Final = 128

_CONSTANTS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None}
_MEANT: Final = {
    "none": "null",
    "nil": "null",
    "undefined": "null",
    "true": "true",
    "false": "false",
    "null": "null",
}
_OPERATORS: Final[tuple[tree.Operator, ...]] = ("==", "!=", "<=", ">=", "<", ">")
_OPERATOR_RUN: Final = re.compile(r"[=<>~]+|![=<>~]+")
_NEAR_OPERATORS: Final = {"=": "==", "===": "==", "!==": "!=", "<>": "!=", "=>": ">=", "=<": "<="}
_WORD: Final = re.compile(r"[^\W\d]\w*")
_FRACTION: Final = re.compile(r"\.[0-9]")


def read(text: str) -> tree.Query:
    """Return what a JSONPath query says.

    Raises:
        Flaw: at the first character that does not fit.

    >>> read("$.a[0]").singular
    True
    """
    if len(text) > MAX_LENGTH:
        raise Flaw(MAX_LENGTH, f"longer than {MAX_LENGTH:,} characters")
    grammar = _Grammar(text)
    if not grammar.take("$"):
        stripped = text.lstrip()
        edit = (0, len(text) - len(stripped), "") if stripped.startswith("$") else (0, 0, "$.")
        raise Flaw(0, "a JSONPath begins with '$'", edit)
    segments = grammar.segments()
    if grammar.at < len(text):
        grammar.stray()
    return tree.Query(absolute=True, segments=segments)


class _Grammar(Mender):
    """The rules; each method reads one of them from the current position on."""

    __slots__ = ()

    # ------------------------------------------------------------------------------------- segments

    def segments(self) -> tuple[tree.Segment, ...]:
        """Read segments until something else comes; blanks before that are left."""
        found: list[tree.Segment] = []
        while True:
            end, dot = self.at, self.dot
            self.blank()
            if len(found) == MAX_STEPS and (self.ahead("[") or self.ahead(".")):
                self.flaw(f"a path has at most {MAX_STEPS} steps")
            if self.ahead("["):
                found.append(tree.Segment(self._bracket()))
            elif self.ahead("."):
                found.append(self._dotted())
            else:
                self.at, self.dot = end, dot
                return tuple(found)

    def _dotted(self) -> tree.Segment:
        start = self.at
        deep = self.take("..") or not self.take(".")
        self.dot = -1
        if deep and self.ahead("["):
            return tree.Segment(self._bracket(), deep=True)
        if self.take("*"):
            return tree.Segment((tree.Wild(),), deep)
        name = self.match(NAME)
        if not name:
            self.nameless(start, deep=deep)
        self.at += len(name)
        self.dot = start
        return tree.Segment((tree.Name(name),), deep)

    # ------------------------------------------------------------------------------------ selectors

    def _bracket(self) -> tuple[tree.Selector, ...]:
        self.take("[")
        self.dot = -1
        self.blank()
        if self.ahead("]"):
            self.flaw("a selector is missing", "*")
        selectors = [self._selector()]
        while True:
            end = self.at
            self.blank()
            if self.take("]"):
                self.dot = -1
                self.start = self.start if self.depth else 0
                return tuple(selectors)
            if not self.take(","):
                self.unclosed(end)
            self.dot = -1
            self.blank()
            selectors.append(self._selector())

    def _selector(self) -> tree.Selector:
        if self.ahead("'") or self.ahead('"'):
            return tree.Name(self.string())
        if self.take("*"):
            return tree.Wild()
        if self.take("?"):
            return self._filter()
        start = self.integer()
        end = self.at
        self.blank()
        if self.take(":"):
            return self._slice(start)
        self.at = end
        return self.unselective() if start is None else tree.Index(start)

    def _slice(self, start: int | None) -> tree.Slice:
        self.blank()
        end, step = self.integer(), None
        mark = self.at
        self.blank()
        if self.take(":"):
            mark = self.at
            self.blank()
            step = self.integer()
            mark = mark if step is None else self.at
        self.at = mark
        return tree.Slice(start, end, step)

    def _filter(self) -> tree.Filter:
        self.blank()
        return tree.Filter(self._nested(self._some))

    def _nested(self, rule: Callable[[], T]) -> T:
        """Read a rule one level deeper."""
        if self.depth == MAX_DEPTH:
            self.flaw(f"more than {MAX_DEPTH} filters, groups and calls inside one another")
        self.depth += 1
        found = rule()
        self.depth -= 1
        return found

    # ----------------------------------------------------------------------------------- conditions

    def _some(self) -> tree.Condition:
        conditions = self._joined(self._every, "||", "or")
        return conditions[0] if len(conditions) == 1 else tree.Some(conditions)

    def _every(self) -> tree.Condition:
        conditions = self._joined(self._basic, "&&", "and")
        return conditions[0] if len(conditions) == 1 else tree.Every(conditions)

    def _joined(self, rule: Callable[[], tree.Condition], sign: str, word: str) -> tuple[tree.Condition, ...]:
        found = [rule()]
        while True:
            end, dot = self.at, self.dot
            self.blank()
            if self.take(sign):
                self.blank()
                found.append(rule())
                continue
            for meant in (sign[0], word, word.upper()):
                if self.ahead(meant) and (meant == sign[0] or self.match(_WORD) == meant):
                    self.flaw(f"expected {sign!r}", sign, over=len(meant))
            self.at, self.dot = end, dot
            return tuple(found)

    def _basic(self) -> tree.Condition:
        if self.take("!"):
            self.blank()
            return tree.Not(self._group() if self.ahead("(") else self._negated())
        if self.match(_WORD) in {"not", "NOT"}:
            self.flaw("expected '!'", "!", over=3)
        if self.ahead("("):
            return self._group()
        start = self.at
        left = self._operand(bare="@.{}")
        end = self.at
        operator = self._operator()
        if operator is None:
            return self._test(left, start)
        self._comparable(left, start, end)
        self.blank()
        start = self.at
        right = self._operand()
        self._comparable(right, start, self.at)
        return tree.Comparison(left, operator, right)

    def _negated(self) -> tree.Condition:
        start = self.at
        operand = self._operand(bare="@.{}")
        if self._operator():
            raise Flaw(
                start, "'!' negates a path, a function or a group; put the comparison into parentheses"
            )
        return self._test(operand, start)

    def _group(self) -> tree.Condition:
        self.take("(")
        self.blank()
        condition = self._nested(self._some)
        end = self.at
        self.blank()
        if self.take(")"):
            self.dot = -1
            return condition
        if self.at == end and self.dot >= 0 and self.at < len(self.text):
            self.misnamed("')'", LOOSE_OPERAND)
        ends = self.ahead("]") or self.at == len(self.text)
        return self.flaw("the group is not closed", ")" if ends else None)

    def _operator(self) -> tree.Operator | None:
        end = self.at
        self.blank()
        run = self.match(_OPERATOR_RUN)
        if run in _NEAR_OPERATORS:
            self.flaw(f"{run!r} is no operator", _NEAR_OPERATORS[run], over=len(run))
        if "~" in run:
            self.flaw(f"{run!r} is no operator; patterns are for match() and search()")
        for operator in _OPERATORS:
            if self.take(operator):
                return operator
        self.at = end
        return None

    # ------------------------------------------------------------------------------------- operands

    def _operand(self, bare: str = "'{}'") -> tree.Operand:
        """Read an operand; `bare` is what a word on its own was probably meant to be."""
        self.operands += 1
        if self.operands > MAX_OPERANDS:
            self.flaw(f"more than {MAX_OPERANDS} operands")
        self.dot, self.start = -1, self.at
        here = self.text[self.at : self.at + 1]
        if here and here in "@$":
            return self._query()
        if here and here in "'\"":
            return tree.Literal(self.string())
        if here and here in "-0123456789":
            return tree.Literal(self.number())
        word = self.match(_WORD)
        if word in _CONSTANTS:
            self.at += len(word)
            return tree.Literal(_CONSTANTS[word])
        if not word:
            mended = "0" if self.match(_FRACTION) else "@" if self.ahead(".") else None
            self.flaw("expected '@', '$', a value or a function", mended)
        return self._call(word, bare)

    def _query(self) -> tree.Query:
        absolute = self.take("$") or not self.take("@")
        if self.match(NAME):
            self.flaw("expected '.' or '['", ".")
        return tree.Query(absolute, self.segments())

    def _call(self, word: str, bare: str) -> tree.Call:
        start = self.at
        self.at += len(word)
        name = self.at
        self.blank()
        if not self.ahead("("):
            meant = _MEANT.get(word.lower()) or bare.format(word)
            raise Flaw(start, f"{word} stands alone", (start, name, meant))
        if self.at > name:
            raise Flaw(name, "blanks before '('", (name, self.at, ""))
        if word not in tree.SIGNATURES:
            close = difflib.get_close_matches(word.lower(), tree.SIGNATURES, n=1)
            edit = (start, name, close[0]) if close else None
            raise Flaw(start, f"no function {word}(); there are {', '.join(tree.SIGNATURES)}", edit)
        self.at += 1
        arguments = self._nested(lambda: self._arguments(word))
        self.dot = -1
        return tree.Call(word, arguments, start)

    def _arguments(self, function: str) -> tuple[tree.Operand, ...]:
        kinds = tree.SIGNATURES[function][0]
        found: list[tree.Operand] = []
        for kind in kinds:
            self.blank()
            if found and not self.take(","):
                self.flaw(f"{function}() takes {len(kinds)} arguments; expected ','")
            self.blank()
            found.append(self._argument(function, kind))
        self.blank()
        if self.take(")"):
            return tuple(found)
        if self.at == len(self.text):
            self.flaw("the call is not closed", ")")
        count = f"{len(kinds)} argument{'s' if len(kinds) > 1 else ''}"
        return self.flaw(f"{function}() takes {count}; expected ')'")

    def _argument(self, function: str, kind: tree.Kind) -> tree.Operand:
        start = self.at
        operand = self._operand()
        if kind == "value":
            self._comparable(operand, start, self.at)
        elif not isinstance(operand, tree.Query):
            raise Flaw(start, f"{function}() takes a path")
        return operand

    # ---------------------------------------------------------------------------- well-typed or not

    def _comparable(self, operand: tree.Operand, start: int, end: int) -> None:
        """Refuse an operand that is not one value."""
        if isinstance(operand, tree.Query) and not operand.singular:
            edit = (start, end, f"value({self.text[start:end]})")
            raise Flaw(start, "this path can name several values; one is needed", edit)
        if isinstance(operand, tree.Call) and operand.result != "value":
            raise Flaw(start, f"{operand.function}() is true or false already, not a value")

    def _test(self, operand: tree.Operand, start: int) -> tree.Holds:
        """Refuse an operand that is neither a path nor true or false."""
        if isinstance(operand, tree.Literal):
            raise Flaw(start, "a value alone is no condition; compare it")
        if isinstance(operand, tree.Call) and operand.result == "value":
            raise Flaw(start, f"{operand.function}() is a value; compare it", (self.at, self.at, " > 0"))
        return tree.Holds(operand)
