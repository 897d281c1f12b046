"""A LangSmith that records: the few endpoints that evaluations, traces and LangSmith tests call.

It speaks HTTP on loopback, remembers datasets, sessions and examples well enough to be asked for them
again, and keeps every run and feedback it is sent, whichever way they come: one by one or in multipart
bodies, where a run arrives in pieces (`post.<id>`, `patch.<id>.outputs`, ...).
"""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

TENANT = str(uuid.UUID(int=1))
WHEN = "2025-01-01T00:00:00+00:00"
INFO = {
    "version": "0.10.0",
    "instance_flags": {},
    "batch_ingest_config": {
        "use_multipart_endpoint": True,
        "size_limit": 100,
        "size_limit_bytes": 20_000_000,
        "scale_up_nthreads_limit": 1,
        "scale_up_qsize_trigger": 1000,
        "scale_down_nempty_trigger": 4,
    },
}
SETTINGS = {"id": TENANT, "display_name": "test", "created_at": WHEN}


def dataset(body: dict[str, Any]) -> dict[str, Any]:
    made = {"id": str(uuid.uuid4()), "created_at": WHEN, "modified_at": WHEN, "tenant_id": TENANT}
    return {**made, "data_type": "kv", "example_count": 0, "session_count": 0, **body}


def session(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "start_time": WHEN, "tenant_id": TENANT, **body}


def example(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "created_at": WHEN, "modified_at": WHEN, **body}


STORES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "datasets": dataset,
    "sessions": session,
    "examples": example,
}


_FILTERS = {"name": "name", "dataset": "dataset_id"}
"""Parameter of a listing to the field it filters by."""


class LangSmithServer:
    """Use as a context manager; `url` is its address.

    Attributes:
        runs: run id to the run, its pieces merged.
        feedback: every feedback, in order of arrival.
        calls: `METHOD /path` of every request.
    """

    def __init__(self) -> None:
        self.runs: dict[str, dict[str, Any]] = {}
        self.feedback: list[dict[str, Any]] = []
        self.calls: list[str] = []
        self._stored: dict[str, dict[str, Any]] = {name: {} for name in STORES}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def named(self, name: str) -> list[dict[str, Any]]:
        """The runs of this name."""
        return [run for run in self.runs.values() if run.get("name") == name]

    @property
    def sessions(self) -> list[dict[str, Any]]:
        """The experiments and projects that were made."""
        return list(self._stored["sessions"].values())

    def wait(self, done: Callable[[], bool]) -> bool:
        """Whether it became true within ten seconds; langsmith sends from threads."""
        end = time.monotonic() + 10
        while not done() and time.monotonic() < end:
            time.sleep(0.01)
        return done()

    def put_examples(self, bodies: list[dict[str, Any]]) -> None:
        """Have these examples, as if they had been sent."""
        self._stored["examples"] |= {body["id"]: example(body) for body in bodies}

    def answer(self, method: str, target: str, kind: str, raw: bytes) -> tuple[int, Any]:
        """Record one request; return status and body of the reply."""
        url = urlsplit(target)
        parts = re.sub(r"^/(api/)?(v\d/)?", "", url.path).split("/")
        self.calls.append(f"{method} /{'/'.join(parts)}")
        if kind.startswith("multipart/") and parts[-1] == "examples":
            return 200, self._take_examples(parts[-2], multipart(kind, raw))
        if kind.startswith("multipart/"):
            for name, value in multipart(kind, raw):
                self._take_part(*name.split("."), value=value)
            return 200, {}
        body = json.loads(raw) if raw else {}
        if parts[:2] == ["runs", "query"]:
            return 200, {"runs": self._runs_of(body["session"]), "cursors": {}}
        if parts[0] == "runs":
            self._take_run(parts[1] if method == "PATCH" else body["id"], body)
        elif parts[0] == "feedback":
            self.feedback.append(body)
        elif parts[0] in STORES:
            return self._store(method, parts, parse_qs(url.query), body)
        return 200, {"info": INFO, "settings": SETTINGS}.get(parts[0], body)

    def _take_part(self, event: str, id_: str, *field: str, value: Any) -> None:
        if event == "feedback":
            self.feedback.append(value)
        else:
            self._take_run(id_, {field[0]: value} if field else value)

    def _take_examples(self, dataset_id: str, sent: Iterator[tuple[str, Any]]) -> dict[str, Any]:
        """Store examples that come in parts, `<id>`, `<id>.inputs`, `<id>.outputs`."""
        made: dict[str, dict[str, Any]] = {}
        for name, value in sent:
            id_, *field = name.split(".")
            made.setdefault(id_, {"id": id_, "dataset_id": dataset_id}).update(
                {field[0]: value} if field else value
            )
        self._stored["examples"] |= {id_: example(body) for id_, body in made.items()}
        return {"count": len(made), "example_ids": list(made)}

    def _runs_of(self, sessions: list[str]) -> list[dict[str, Any]]:
        """The root runs of these sessions, by which a run names its session."""
        names = {self._stored["sessions"][one]["name"]: one for one in sessions}
        return [
            {"trace_id": run["id"], "status": "success", **run, "session_id": names[run["session_name"]]}
            for run in self.runs.values()
            if run.get("session_name") in names and not run.get("parent_run_id")
        ]

    def _take_run(self, id_: str, body: dict[str, Any]) -> None:
        """Merge a piece of a run; they may come in any order, and what says nothing changes nothing."""
        self.runs.setdefault(id_, {"id": id_}).update(
            {name: value for name, value in body.items() if value not in (None, {})}
        )

    def _store(
        self, method: str, parts: list[str], query: dict[str, list[str]], body: dict[str, Any]
    ) -> tuple[int, Any]:
        kept = self._stored[parts[0]]
        if method == "GET" and len(parts) > 1:
            return (200, kept[parts[1]]) if parts[1] in kept else (404, {"detail": "not found"})
        if method == "GET":
            asked = [(field, query[name]) for name, field in _FILTERS.items() if name in query]
            found = [item for item in kept.values() if all(item.get(one) in many for one, many in asked)]
            return 200, found[int(query.get("offset", ["0"])[0]) :]
        id_ = parts[1] if len(parts) > 1 else body.get("id")
        given = {name: value for name, value in body.items() if value is not None}
        item = {**kept[id_], **given} if id_ in kept else STORES[parts[0]](given)
        kept[item["id"]] = item
        return 200, item


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each reply waits 40 ms for the client to say that its head arrived
    owner: LangSmithServer

    def log_message(self, *_: object) -> None:
        """Say nothing: the test reads what was recorded."""

    def _reply(self) -> None:
        raw = b"".join(self._body())
        status, body = self.owner.answer(self.command, self.path, self.headers.get("content-type", ""), raw)
        sent = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def _body(self) -> Iterator[bytes]:
        if self.headers.get("transfer-encoding") != "chunked":
            yield self.rfile.read(int(self.headers.get("content-length", 0)))
            return
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _reply  # noqa: N815 - http.server's names


def multipart(kind: str, raw: bytes) -> Iterator[tuple[str, Any]]:
    """Name and JSON value of each part of a multipart/form-data body."""
    message: Any = BytesParser(policy=HTTP).parsebytes(b"content-type: " + kind.encode() + b"\r\n\r\n" + raw)
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        yield name, json.loads(part.get_payload(decode=True))
