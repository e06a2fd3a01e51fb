"""The browser's debugging socket, `localabstract:chrome_devtools_remote`: which tabs are open.

The two lists of `content/browser/devtools/devtools_http_handler.cc`; the protocol behind them is not spoken.
"""

import json
from typing import TYPE_CHECKING

from device.handset.agent.http import serve_http
from device.handset.wire.streams import Stream
from device.sandbox.rows.utilities import BrowserTab

if TYPE_CHECKING:
    from device.handset.handset import Handset


async def devtools(phone: "Handset", stream: Stream) -> None:
    """Serve one connection."""

    async def answer(method: str, path: str, body: bytes) -> tuple[int, str, bytes]:
        if path.startswith("/json/version"):
            found: object = {
                "Android-Package": "com.android.chrome",
                "Browser": "Chrome/131.0.6778.39",
                "Protocol-Version": "1.3",
            }
        elif path.startswith("/json"):
            rows = phone.sandbox.table(BrowserTab).all()
            found = [{"id": row.id, "type": "page", "title": row.query or row.url, "url": row.url} for row in rows]
        else:
            return 404, "text/html", b"Unknown command"
        return 200, "application/json; charset=UTF-8", json.dumps(found).encode()

    await serve_http(stream, answer)
