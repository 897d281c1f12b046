"""The shapes of evaluator files and evaluation sets, checked here and given to editors.

| module | what it holds |
|---|---|
| `shapes` | what is the same for every evaluator |
| `evaluator_shapes` | criteria and `evaluatorConfig` of each |
| `checking` | a value against a shape, in words |
| `json_schema` | the shapes as JSON Schema |
"""
