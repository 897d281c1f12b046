"""What LangChain's string evaluators have in common, written anew: arguments, warnings, errors, async.

Rules: an argument counts as given unless it is None; one that is not expected is warned of, one that is
missing is refused, the input before the reference. A prediction may be positional, which LangChain's may
not. Any further keyword, `callbacks` or `tags`, is accepted and handed on.

What takes a prediction either way may stand in for what takes it by keyword. mypy finds so; pyright, which
counts what is positional, is told to pass it.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Final

if TYPE_CHECKING:
    from langchain_classic.evaluation.schema import (  # pyright: ignore[reportMissingImports] - an extra
        PairwiseStringEvaluator,
        StringEvaluator,
    )
else:
    StringEvaluator = PairwiseStringEvaluator = object

SCHEMA: Final = "langchain_classic.evaluation.schema"
_WITH_ARTICLE: Final = {"input": "an input", "reference": "a reference"}


class Arguments:
    """Which arguments an evaluator expects, and what is said when others are given."""

    LANGCHAIN_BASES: ClassVar[tuple[str, ...]] = ()
    _name: ClassVar[str] = ""
    _needs_reference: ClassVar[bool] = True

    @property
    def evaluation_name(self) -> str:
        """The name of the evaluation."""
        return self._name

    @property
    def requires_input(self) -> bool:
        """Whether an input has to be given; never."""
        return False

    @property
    def requires_reference(self) -> bool:
        """Whether a reference has to be given."""
        return self._needs_reference

    def _check_evaluation_args(self, reference: Any = None, input_: Any = None) -> None:
        given = {"input": input_, "reference": reference}
        required = {"input": self.requires_input, "reference": self.requires_reference}
        name = type(self).__name__
        for argument, value in given.items():
            if value is None and required[argument]:
                raise ValueError(f"{name} requires {_WITH_ARTICLE[argument]} string.")
            if value is not None and not required[argument]:
                warnings.warn(f"Ignoring {argument} in {name}, as it is not expected.", stacklevel=3)


class Strings(Arguments, StringEvaluator):
    """Grades one prediction; `_evaluate_strings` of a subclass says how."""

    LANGCHAIN_BASES: ClassVar[tuple[str, ...]] = (f"{SCHEMA}:StringEvaluator",)

    def evaluate_strings(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, prediction: Any, *, reference: Any = None, input: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Grade a prediction.

        Args:
            prediction: what the model said.
            reference: what it should have said.
            input: what it was asked; not used.
            **kwargs: callbacks, tags and the like.

        Returns:
            A dict with `score`, and `reasoning` where there is something to say.

        Raises:
            ValueError: when a reference is required and not given.
        """
        self._check_evaluation_args(reference, input)
        found: dict[str, Any] = self._evaluate_strings(
            prediction=prediction, reference=reference, input=input, **kwargs
        )
        return found

    async def aevaluate_strings(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, prediction: Any, *, reference: Any = None, input: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Grade a prediction, as `evaluate_strings` does, off the event loop."""
        self._check_evaluation_args(reference, input)
        return await self._aevaluate_strings(
            prediction=prediction, reference=reference, input=input, **kwargs
        )

    async def _aevaluate_strings(
        self, *, prediction: Any, reference: Any = None, input: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        from langchain_core.runnables.config import run_in_executor

        return await run_in_executor(
            None,
            self._evaluate_strings,
            prediction=prediction,
            reference=reference,
            input=input,
            **kwargs,
        )


class Pairs(Arguments, PairwiseStringEvaluator):
    """Compares two predictions; `_evaluate_string_pairs` of a subclass says how."""

    LANGCHAIN_BASES: ClassVar[tuple[str, ...]] = (f"{SCHEMA}:PairwiseStringEvaluator",)
    _needs_reference = False

    def evaluate_string_pairs(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, prediction: Any, prediction_b: Any, *, reference: Any = None, input: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Compare two predictions.

        Args:
            prediction: what one model said.
            prediction_b: what the other said.
            reference: not used.
            input: not used.
            **kwargs: callbacks, tags and the like.

        Returns:
            A dict with `score`.
        """
        self._check_evaluation_args(reference, input)
        found: dict[str, Any] = self._evaluate_string_pairs(
            prediction=prediction, prediction_b=prediction_b, reference=reference, input=input, **kwargs
        )
        return found

    async def aevaluate_string_pairs(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, prediction: Any, prediction_b: Any, *, reference: Any = None, input: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Compare two predictions, as `evaluate_string_pairs` does, off the event loop."""
        self._check_evaluation_args(reference, input)
        found: dict[str, Any] = await self._aevaluate_string_pairs(
            prediction=prediction, prediction_b=prediction_b, reference=reference, input=input, **kwargs
        )
        return found
