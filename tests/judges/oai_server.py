"""A local HTTP server that speaks OpenAI's chat completions and follows a script, faults included."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.judges.fakes import Script, Step, completion


def strict_faults(schema: dict[str, Any], path: str = "$") -> Iterator[str]:
    """What OpenAI's strict mode refuses in a schema: open objects and optional members."""
    if schema.get("type") != "object":
        return
    members = schema.get("properties", {})
    if schema.get("additionalProperties") is not False:
        yield f"{path}: 'additionalProperties' is required to be supplied and to be false"
    missing = sorted(members.keys() - set(schema.get("required", [])))
    if missing:
        yield f"{path}: 'required' is required to include every key in properties, missing {missing}"
    for name, member in members.items():
        yield from strict_faults(member, f"{path}.{name}")


class OpenAIServer:
    """A server that answers each request by the next step of its script; use it in a `with`.

    It closes each connection, unless told to keep them: clients then leave none open for a test to end with.
    """

    def __init__(self, *steps: Step, keep_alive: bool = False) -> None:
        self.keep_alive = keep_alive
        self.script = Script(*steps)
        self.bodies: list[dict[str, Any]] = []
        self.busy = self.most_busy = 0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, handler: _Handler, body: dict[str, Any]) -> None:
        with self._lock:
            self.bodies.append(body)
            step = self.script.next()
            self.busy += 1
            self.most_busy = max(self.most_busy, self.busy)
        try:
            if step.delay and self._over.wait(step.delay):
                return
            self._do(handler, body, step)
        finally:
            with self._lock:
                self.busy -= 1

    def _do(self, handler: _Handler, body: dict[str, Any], step: Step) -> None:
        if step.reset:
            handler.reset()
            return
        if step.status is not None:
            error = {"message": f"scripted {step.status}", "type": "scripted", "param": None, "code": None}
            handler.send(step.status, {"error": error | step.error}, step.headers)
            return
        shape = (body.get("response_format") or {}).get("json_schema", {})
        schema = shape.get("schema", {})
        faults = list(strict_faults(schema)) if shape.get("strict") else []
        if faults:
            error = {"message": f"Invalid schema for response_format: {faults[0]}", "type": "invalid"}
            handler.send(400, {"error": error})
            return
        handler.send(200, completion(step, schema), cut=step.cut)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: OpenAIServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that went away are part of the script."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.owner.answer(self, body)

    def send(
        self, status: int, reply: Any, headers: tuple[tuple[str, str], ...] = (), *, cut: bool = False
    ) -> None:
        content = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        for name, value in headers:
            self.send_header(name, value)
        if not self.server.owner.keep_alive:
            self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if cut else content)
        self.wfile.flush()
        if cut:
            self.reset()

    def reset(self) -> None:
        """End the connection as a peer that broke does."""
        self.close_connection = True
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
