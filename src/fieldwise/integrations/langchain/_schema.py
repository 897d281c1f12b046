"""Whether a prediction satisfies a JSON Schema: the reference is the schema.

The check is the jsonschema package's. Nothing is fetched: a `$ref` that leads outside the schema and the
published metaschemas is an error.
"""

from __future__ import annotations

from typing import Any

from fieldwise.core.conversion import to_json
from fieldwise.integrations.langchain._base import Strings
from fieldwise.integrations.langchain._reading import read, read_prediction


class JsonSchemaEvaluator(Strings):
    r"""Whether a prediction satisfies the reference, a schema: as text, a dict or a pydantic model class.

    Example:
        >>> evaluator = JsonSchemaEvaluator()
        >>> evaluator.evaluate_strings('{"a": 1}', reference={"type": "object"})
        {'score': True}
        >>> evaluator.evaluate_strings("[]", reference={"type": "object"})
        {'score': False, 'reasoning': '<ValidationError: "[] is not of type \'object\'">'}
    """

    _name = "json_schema_validation"

    def _evaluate_strings(self, *, prediction: Any, reference: Any = None, **_: Any) -> dict[str, Any]:
        value, reasoning = read_prediction(prediction)
        schema = _schema(reference)
        if reasoning is not None:
            return {"score": False, "reasoning": reasoning}
        try:
            reasoning = _complaint(to_json(value), schema)
        except RecursionError:
            raise ValueError("the prediction is nested too deeply to check it against a schema") from None
        return {"score": True} if reasoning is None else {"score": False, "reasoning": reasoning}


def _schema(reference: Any) -> Any:
    if isinstance(reference, str):
        return read(reference)
    for method in ("model_json_schema", "schema"):  # pydantic, and pydantic 1
        describe = getattr(reference, method, None)
        if callable(describe):
            return describe()
    return reference


def _complaint(instance: Any, schema: Any) -> str | None:
    """The most telling violation, or None.

    Raises:
        jsonschema.SchemaError: when the schema itself is wrong.
    """
    from jsonschema.exceptions import best_match
    from jsonschema.validators import validator_for
    from jsonschema_specifications import REGISTRY

    validator = validator_for(schema)
    validator.check_schema(schema)
    error = best_match(validator(schema, registry=REGISTRY).iter_errors(instance))
    return None if error is None else repr(error)
