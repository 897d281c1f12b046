"""Every exception fieldwise raises on purpose.

    FieldwiseError
    +-- ConfigError (also ValueError)   an option is wrong; raised when an evaluator is created
    |   +-- PathError                   a path does not parse; carries its text, position and a hint
    +-- InputError (also ValueError)    a file or record cannot be read
    +-- JudgeError                      a judge could not answer; drivers turn it into a JudgeFailure
    |   +-- BudgetExceeded              a ceiling on calls, tokens or cost was reached: not_evaluated
    +-- ExecutorError                   an executor lost its workers; carries the report of what was finished
    +-- Unreadable                      a comparator cannot read a value; the core falls back to equality

Evaluators never raise any of them on data: bad data becomes a status and a reason.
"""

from __future__ import annotations


class FieldwiseError(Exception):
    """The root of the tree; catch it to catch everything."""


class ConfigError(FieldwiseError, ValueError):
    """An option has a wrong name, type or value; the message names option, value and fix."""


class PathError(ConfigError):
    """A path does not parse.

    Attributes:
        text: the path as given.
        position: the offset of the first character that does not fit.
        hint: the nearest valid spelling, or None.
    """

    def __init__(self, text: str, position: int, problem: str, hint: str | None = None) -> None:
        self.text = text
        self.position = position
        self.hint = hint
        advice = f"; did you mean {hint!r}?" if hint else ""
        super().__init__(f"path {text!r}: {problem} at position {position}{advice}")


class InputError(FieldwiseError, ValueError):
    """A file or a record cannot be read; the message names the file, the line and the fix."""


class JudgeError(FieldwiseError):
    """A judge could not answer; its text becomes the reason of the judge_error."""


class BudgetExceeded(JudgeError):
    """A ceiling on calls, tokens or cost was reached, so the judge was not asked."""


class ExecutorError(FieldwiseError):
    """An executor cannot go on; the message names the records that were under way.

    Attributes:
        report: the report of all records before those.
    """

    def __init__(self, message: str, report: object = None) -> None:
        self.report = report
        super().__init__(message)


class Unreadable(FieldwiseError):
    """Raised by a comparator for a value it cannot read; the reason reaches the result."""
