"""Files that people write, JSON and YAML: what is in them, where it stands, and what is wrong.

| module | what it holds |
|---|---|
| `documents` | a file as it was read, either format |
| `json_text`, `yaml_text` | the formats, with the line of every member |
| `faults` | how mistakes are told, all at once |
| `spelling` | keys in camelCase and in snake_case |
"""
