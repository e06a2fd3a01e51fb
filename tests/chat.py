"""A chat endpoint over real HTTP, for all that speaks to one: a test's own function says what it answers."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = str | tuple[int, object, dict[str, str]]
"""The words of an answer, or status, body and headers."""


@dataclass
class ChatServer:
    """What it is, and what it was asked."""

    url: str
    """Where it listens, with `/v1`."""
    requests: list[tuple[dict[str, str], dict]] = field(default_factory=list)
    """(headers, body with `path`), in order."""
    errors: list[Exception] = field(default_factory=list)
    """What the function raised; the first one is raised again at the end."""


@contextmanager
def chat_server(answer: Callable[[dict], Answer]) -> Iterator[ChatServer]:
    """A server on a free port; `answer` is given the body of each request, with `path`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = {"path": self.path, **json.loads(self.rfile.read(int(self.headers["content-length"])))}
            chat.requests.append((dict(self.headers), body))
            try:
                status, payload, headers = _whole(answer(body))
            except Exception as error:
                chat.errors.append(error)
                status, payload, headers = 400, "the test's function raised", {}
            data = payload.encode() if isinstance(payload, str) else json.dumps(payload).encode()
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    chat = ChatServer(f"http://127.0.0.1:{http.server_port}/v1")
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
    if chat.errors:
        raise chat.errors[0]


def _whole(answer: Answer) -> tuple[int, object, dict[str, str]]:
    return (200, {"choices": [{"message": {"content": answer}}]}, {}) if isinstance(answer, str) else answer
