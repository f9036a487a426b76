"""The studio's server: serves the page and one WebSocket session per open page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import deque
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from threadpoolctl import threadpool_limits
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from neurok.errors import InputError
from neurok.studio.access import Access, page_files, status_of
from neurok.studio.gallery import Gallery
from neurok.studio.memory import limit_heap
from neurok.studio.session import OF_PAGES, Session
from neurok.studio.worker import warm_up

PORT = 8765
MAX_PAGES = 32  # open at once
MAX_TEXT_BYTES = 1 << 16  # of a message that is not a file
PORTS_TRIED = 20  # from `PORT` on, if none is given
PING_TIMEOUT = 90.0  # s without a pong after which a page counts as closed
SWITCH_INTERVAL = 5e-4  # s after which a computing thread yields to the sending one
MAX_FRAMES_AHEAD = 2  # frames sent but not yet shown; more would add latency


class Outbox:
    """The queue of a page: messages in order, and only the newest frame.

    A frame is sent while fewer than `MAX_FRAMES_AHEAD` are unshown, so that frames do not queue up on a slow
    connection or a slow page.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.messages: deque[bytes | str] = deque()
        self.frame: bytes | None = None
        self.under_way = 0
        self.loop, self.wake = loop, asyncio.Event()

    def put(self, message: bytes | str) -> None:
        """Queues a message; can be called from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._put, message)

    def _put(self, message: bytes | str) -> None:
        if isinstance(message, bytes) and message[:4] == bytes(4):
            self.frame = message
        else:
            self.messages.append(message)
            if isinstance(message, bytes):
                self.frame = None  # it may belong to the previous object
        self.wake.set()

    def shown(self) -> None:
        """Records that the page has drawn all frames sent."""
        self.under_way = 0
        self.wake.set()

    async def deliver(self, connection: ServerConnection) -> None:
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.messages:
                await connection.send(self.messages.popleft())
            if self.frame is not None and self.under_way < MAX_FRAMES_AHEAD:
                frame, self.frame = self.frame, None
                self.under_way += 1
                await connection.send(frame)


async def listen(access: Access, port: int | None, gallery: Gallery) -> Server:
    """Starts a server; without a port, on `PORT` or the next free one."""
    files, pages = page_files(), set()

    def request(connection: ServerConnection, asked: Request) -> Response | None:
        is_socket = asked.headers.get("Upgrade", "").lower() == "websocket"
        refusal = access.refusal(asked.path, asked.headers, is_socket)
        if refusal is None and is_socket:
            return None
        found = files.get(urlsplit(asked.path).path)
        status = status_of(refusal, found is not None and not is_socket)
        kind, body = found if status == 200 and found else ("text/plain", (refusal or status.phrase).encode())
        headers = Headers({"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))})
        headers.update(access.headers() if refusal is None else {"Cache-Control": "no-store"})
        return Response(status.value, status.phrase, headers, body)

    async def handle(connection: ServerConnection) -> None:
        if len(pages) >= MAX_PAGES:
            await connection.close(1013, "too many pages are open")
            return
        pages.add(connection)
        try:
            await _converse(connection, gallery)
        finally:
            pages.discard(connection)

    tried = [PORT + i for i in range(PORTS_TRIED)] if port is None else [port]
    for candidate in tried:
        with contextlib.suppress(OSError):
            return await serve(
                handle, access.host, candidate, process_request=request, compression=None,
                max_size=gallery.limits.size + 1, max_queue=4, write_limit=1 << 20, ping_timeout=PING_TIMEOUT,
            )  # fmt: skip
    what = f"port {tried[0]}" if port is not None else f"ports {tried[0]} to {tried[-1]}"
    raise InputError(access.host, f"{what} can't be listened on", "Choose another with --host and --port")


async def _converse(connection: ServerConnection, gallery: Gallery) -> None:
    outbox = Outbox(asyncio.get_running_loop())
    session = Session(gallery, outbox.put)
    session.start()
    sender = asyncio.create_task(outbox.deliver(connection))
    try:
        with contextlib.suppress(ConnectionClosed):  # a page that closes without a handshake is also closed
            async for message in connection:
                asked = _read(message)
                if asked["type"] == "shown":
                    outbox.shown()
                else:
                    session.put(asked)
    finally:
        session.close()
        sender.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
            await sender


def _read(message: bytes | str) -> dict[str, Any]:
    """A page's message as the session takes it; invalid ones become type "nonsense", which gets an error."""
    if isinstance(message, bytes):
        return {"type": "uploaded", "data": message}
    try:
        found = json.loads(message) if len(message) <= MAX_TEXT_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("type") not in OF_PAGES | {"shown"}:
        return {"type": "nonsense"}
    return found


async def run(access: Access, port: int | None, gallery: Gallery, ready: Callable[[str], None]) -> None:
    """Serves until cancelled; calls `ready` with the address once pages can be opened."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    threadpool_limits(1)  # the matrix products of a step are too small for threads
    limit_heap()
    server = await listen(access, port, gallery)
    async with server:
        bound = next(iter(server.sockets)).getsockname()[1]
        ready(access.address(bound))
        await asyncio.get_running_loop().run_in_executor(None, warm_up)
        await asyncio.Future()
