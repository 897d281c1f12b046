"""Clients of models, one kind a module: a call goes in, a reply comes out, once.

| module | the client |
|---|---|
| `langchain` | a LangChain chat model or Runnable |
| `openai` | a client of the openai package, or one of its shape |
| `named` | a model by its name, which `init_chat_model` makes |
| `functions` | a function that judges: it answers requests, not calls |

What they share: `settings` that a model may refuse, `errors` in replies, contents in `parts`, `labels` for
caches' keys, `tracing` of calls.
"""
