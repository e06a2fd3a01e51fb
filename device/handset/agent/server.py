"""uiautomator2's server on the phone: `GET /ping` and `POST /jsonrpc/0` at its port, for as long as it was started.

It holds the phone's one UiAutomation slot while it runs; a second one, or `uiautomator dump`, does not get it.
"""

import asyncio
import json
import re
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from device.handset.agent.finding import NotFound
from device.handset.agent.http import serve_http
from device.handset.screens.node import Window
from device.handset.wire.streams import Stream

if TYPE_CHECKING:
    from device.handset.handset import Handset

_JSON, _TEXT = "application/json", "text/plain"
_NOT_FOUND, _NO_METHOD, _FAILED = -32_001, -32_601, -32_603
_HUGE = 5_000_000
Reply = tuple[int, str, bytes]


class Agent:
    """The server, running or not."""

    def __init__(self, phone: "Handset") -> None:
        self.phone = phone
        self.running = False
        self._stop = asyncio.Event()
        self._last_dump = ""

    async def run(self, port: int) -> None:
        """Serve at a port until `stop`, or until whoever started it goes."""
        from device.handset.agent.methods import Methods

        methods = Methods(self.phone)

        async def answer(method: str, path: str, body: bytes) -> Reply | None:
            return await self._answer(methods, method, path, body)

        async def connected(stream: Stream) -> None:
            await serve_http(stream, answer)

        self.running = True
        self._stop.clear()
        self.phone.listen(f"tcp:{port}", connected)
        try:
            await self._stop.wait()
        finally:
            self.running = False
            self.phone.stop_listening(f"tcp:{port}")

    def stop(self) -> None:
        """End it, as when its process dies."""
        self._stop.set()

    def halved(self, windows: list[Window]) -> list[Window]:
        """The windows of a dump; where it is set so, lists end in their middle."""
        if self.phone.faults.use("half_tree"):
            for window in windows:
                for node in window.root.walk():
                    if len(node.children) > 3:
                        node.children = node.children[: len(node.children) // 2]
        return windows

    def spoiled(self, text: str) -> str:
        """A dump with what is set to be wrong with it."""
        faults = self.phone.faults
        before, self._last_dump = self._last_dump, text
        if before and faults.use("stale_tree"):
            return before
        if faults.use("empty_tree"):
            return f'{text.partition("<hierarchy")[0]}<hierarchy rotation="{self.phone.ui.rotation}" />'
        if faults.use("control_char"):
            text = text.replace('text="', 'text="\x0b', 1)
        if faults.use("huge"):
            filler = '<node index="0" text="filler" class="android.view.View" package="p" bounds="[0,0][0,0]" />'
            head, _, _ = text.rpartition("</hierarchy>")
            text = head + filler * (_HUGE // len(filler)) + "</hierarchy>"
        return text

    async def _answer(self, methods: Any, method: str, path: str, body: bytes) -> Reply | None:
        if path == "/ping":
            return 200, _TEXT, b"pong"
        if method != "POST" or not path.startswith("/jsonrpc"):
            return 404, _TEXT, b"Not found"
        if self.phone.faults.use("server_death"):
            self.stop()
            return None
        return (
            200,
            _JSON,
            json.dumps(await self._call(methods, body), ensure_ascii=False).encode(errors="surrogatepass"),
        )

    async def _call(self, methods: Any, body: bytes) -> dict[str, Any]:
        try:
            request = json.loads(body)
            name, given = request["method"], request.get("params") or []
        except (ValueError, KeyError, TypeError):
            return _error(None, -32_700, "Parse error")
        ident = request.get("id")
        own = re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name) if isinstance(name, str) else ""
        function = None if own.startswith("_") else getattr(methods, own, None)
        if not callable(function) or own in ("windows", "phone", "ui"):
            return _error(ident, _NO_METHOD, f"Method {name} not found")
        try:
            result = function(**given) if isinstance(given, dict) else function(*given)
            if isinstance(result, Awaitable):
                result = await result
        except NotFound as error:
            return _error(ident, _NOT_FOUND, f"androidx.test.uiautomator.UiObjectNotFoundException: {error}")
        except (TypeError, ValueError, KeyError, IndexError) as error:
            return _error(ident, _FAILED, f"java.lang.IllegalArgumentException: {error}")
        return {"jsonrpc": "2.0", "id": ident, "result": result}


def _error(ident: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message, "data": message}}
