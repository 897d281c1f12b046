"""Segments and brackets that are not JSONPath: what was probably meant, as the edit of a `Flaw`.

Every method here refuses. The grammar calls one where a rule of the RFC ends and the text goes on; what
it says of the text so far (`dot`, `start`) tells a name that needs quotes from a method call.
"""

from __future__ import annotations

import re
from typing import Final, Never

from fieldwise.core.jsonpath import tree
from fieldwise.core.jsonpath.reader import NAME, Flaw, Reader, quoted

_LOOSE_NAME: Final = re.compile(r"[^.\[\]()'\"?,:*\x00-\x1f]+")
"""What was meant as one name, outside a bracket."""
_LOOSE_KEY: Final = re.compile(r"[^\[\]()'\"?,:*\x00-\x1f]+")
"""The same, inside one."""
LOOSE_OPERAND: Final = re.compile(r"[^.\[\]()'\"?,:*\s=<>!&|]+")
"""The same, inside a filter."""
_BLANKS: Final = re.compile(r"\s+")
_DIGITS: Final = re.compile(r"-?[0-9]+(?![^.\[\s])")
_SCRIPT: Final = re.compile(r"\(\s*@\s*\.\s*length\s*(?:\(\s*\)\s*)?-\s*([0-9]+)\s*\)")
_DOLLAR_NAMES: Final = re.compile(r"\$[\w-]+(\.[\w-]+)*")
_CALLED: Final = re.compile(r"\(\s*\)")


class Mender(Reader):
    """A reader that knows what stands where it does not belong."""

    __slots__ = ("depth", "dot", "operands", "start")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0
        self.operands = 0
        self.start = 0
        """Where the operand that is read began, inside a filter; else 0."""
        self.dot = -1
        """Where the last `.name` or `..name` began, while the position is still at its end; else -1."""

    def nameless(self, start: int, *, deep: bool) -> Never:
        """Refuse what follows a dot."""
        dots = ".." if deep else ""
        digits = self.match(_DIGITS)
        loose = self.match(LOOSE_OPERAND if self.depth else _LOOSE_NAME).rstrip()
        if digits:
            edit = (start, self.at + len(digits), f"{dots}[{digits}]")
        elif loose and not loose[0].isspace():
            edit = (start, self.at + len(loose), f"{dots}[{quoted(loose)}]")
        elif loose or self.match(_BLANKS):
            edit = (self.at, self.at + len(self.match(_BLANKS)), "")
        elif deep and self.at == len(self.text):
            edit = (self.at, self.at, "*")
        else:
            edit = (self.at - 1, self.at, "")
        raise Flaw(self.at, "expected a name, '*' or a bracket" if deep else "expected a name or '*'", edit)

    def stray(self) -> Never:
        """Refuse what follows the last segment of the whole query."""
        if self.text[self.at :].isspace():
            self.flaw("blanks follow the path", "", over=len(self.text) - self.at)
        if self.at == 1:
            literal = _DOLLAR_NAMES.fullmatch(self.text) is not None
            raise Flaw(1, "expected '.' or '['", (1, 1, "."), literal=literal)
        if self.dot < 0:
            self.flaw("expected '.' or '['", "." if self.match(NAME) else None)
        self.misnamed("'.' or '['", _LOOSE_NAME)

    def misnamed(self, expected: str, loosely: re.Pattern[str]) -> Never:
        """Refuse what follows a dotted name: a call, more of a name that needs quotes, or anything else."""
        if self.ahead("("):
            self._method()
        loose = self.match(loosely).rstrip()
        if not loose:
            self.flaw(f"expected {expected}")
        dots = ".." if self.text.startswith("..", self.dot) else ""
        end = self.at + len(loose)
        name = quoted(self.text[self.dot + (len(dots) or 1) : end])
        raise Flaw(self.at, f"expected {expected}", (self.dot, end, f"{dots}[{name}]"))

    def _method(self) -> Never:
        """Refuse `.name(`: a function stands in a filter, before its argument."""
        called, edit = self.match(_CALLED), None
        name = self.text[self.dot : self.at].strip(".")
        if called and self.start == 0:
            edit = (self.dot, self.at + len(called), "")
        elif called and name in tree.SIGNATURES:
            edit = (self.start, self.at + len(called), f"{name}({self.text[self.start : self.dot]})")
        raise Flaw(self.at, "a function stands in a filter, before its argument", edit)

    def unclosed(self, end: int) -> Never:
        """Refuse what follows a selector."""
        if self.at == len(self.text):
            self.flaw("the bracket is not closed", "]")
        if self.at == end and self.dot >= 0:
            self.misnamed("',' or ']'", LOOSE_OPERAND)
        self.flaw("expected ',' or ']'", "," if self.text[self.at] in "'\"" else None)

    def unselective(self) -> Never:
        """Refuse what stands where a selector should."""
        problem = "expected a name in quotes, an index, a slice, '*' or a filter"
        if self.at == len(self.text):
            self.flaw(problem, "*]")
        if self.ahead("]"):
            raise Flaw(self.at, problem, (self.text.rfind(",", 0, self.at), self.at, ""))
        script = _SCRIPT.match(self.text, self.at)
        if script:
            self.flaw("RFC 9535 has no script expressions", f"-{script[1]}", over=len(script[0]))
        loose = self.match(_LOOSE_KEY).rstrip()
        self.flaw(problem, quoted(loose) if loose else None, over=len(loose))
