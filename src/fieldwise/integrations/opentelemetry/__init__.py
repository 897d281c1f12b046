"""OpenTelemetry: functions that leave spans behind, and the spans of one run.

Rules of this package:
1. `traced` needs the API only, and follows whatever provider is set. Without one it costs microseconds.
2. The provider of the process is its owner's: it is never replaced, and set only by `capture_spans` where
   it is told to install one.
3. Tracing never costs a call: what fails in recording is left out, and the function's own result or
   exception is what its caller gets.
4. OpenTelemetry is imported inside functions; where it is missing, a ConfigError names the extra.

| module | what it holds |
|---|---|
| `_traced` | the decorator, for the four kinds of functions |
| `_recording` | one span: started, made current, filled, ended |
| `_values` | arguments and results as bounded text |
| `_capture` | the spans of one run, told from those of others |
"""

from __future__ import annotations

from fieldwise.integrations.opentelemetry._capture import SpanCapture, capture_spans
from fieldwise.integrations.opentelemetry._traced import traced

__all__ = ["SpanCapture", "capture_spans", "traced"]
