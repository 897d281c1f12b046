"""What became of items, as it comes: files of JSON Lines, and histories in SQLite.

| module | what it holds |
|---|---|
| `header` | what results say of their run, and whether two runs are one |
| `lines` | what a line must be |
| `files` | files that are read, written, gone on with |
| `retry` | failures taken out, to be run again |
| `store` | histories |
| `read` | either, by its name |
| `as_json` | any value as JSON |
"""
