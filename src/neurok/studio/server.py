"""The studio's server: a page, and a session for everyone who opens it."""

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
from neurok.studio.memory import keep_little
from neurok.studio.session import OF_PAGES, Session
from neurok.studio.worker import warm_up

PORT = 8765
MOST = 32  # pages at once
TEXT = 1 << 16  # bytes of a message that is no file
OTHER_PORTS = 20  # that are tried when the usual one is taken
PATIENCE = 90.0  # s without a sign of life, after which a page is taken for gone
SWITCH = 5e-4  # s after which a thread that computes lets the one that sends go on
AHEAD = 2  # frames that a page has been sent and not yet shown: more of them would only be older


class Outbox:
    """What waits to be sent to a page: messages in order, and of all frames the newest alone.

    A frame goes out while fewer than `AHEAD` are on the way, so that none waits behind another on a slow line
    or for a page that draws slowly.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.messages: deque[bytes | str] = deque()
        self.frame: bytes | None = None
        self.under_way = 0
        self.loop, self.wake = loop, asyncio.Event()

    def put(self, message: bytes | str) -> None:
        """From any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._put, message)

    def _put(self, message: bytes | str) -> None:
        if isinstance(message, bytes) and message[:4] == bytes(4):
            self.frame = message
        else:
            self.messages.append(message)
            if isinstance(message, bytes):
                self.frame = None  # it may be one of the object before
        self.wake.set()

    def shown(self) -> None:
        """The page has drawn all that it was sent."""
        self.under_way = 0
        self.wake.set()

    async def deliver(self, connection: ServerConnection) -> None:
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.messages:
                await connection.send(self.messages.popleft())
            if self.frame is not None and self.under_way < AHEAD:
                frame, self.frame = self.frame, None
                self.under_way += 1
                await connection.send(frame)


async def listen(access: Access, port: int | None, gallery: Gallery) -> Server:
    """A server that accepts connections; without a port, on the usual one or the next that is free."""
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
        if len(pages) >= MOST:
            await connection.close(1013, "too many pages are open")
            return
        pages.add(connection)
        try:
            await _converse(connection, gallery)
        finally:
            pages.discard(connection)

    tried = [PORT + i for i in range(OTHER_PORTS)] if port is None else [port]
    for candidate in tried:
        with contextlib.suppress(OSError):
            return await serve(
                handle, access.host, candidate, process_request=request, compression=None,
                max_size=gallery.limits.size + 1, max_queue=4, write_limit=1 << 20, ping_timeout=PATIENCE,
            )  # fmt: skip
    what = f"port {tried[0]}" if port is not None else f"ports {tried[0]} to {tried[-1]}"
    raise InputError(access.host, f"{what} can't be listened on", "Choose another with --host and --port")


async def _converse(connection: ServerConnection, gallery: Gallery) -> None:
    outbox = Outbox(asyncio.get_running_loop())
    session = Session(gallery, outbox.put)
    session.start()
    sender = asyncio.create_task(outbox.deliver(connection))
    try:
        with contextlib.suppress(
            ConnectionClosed
        ):  # a page that is closed without a word is closed all the same
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
    """What a page sent, as the session takes it; what none may send becomes nonsense, which is answered."""
    if isinstance(message, bytes):
        return {"type": "uploaded", "data": message}
    try:
        found = json.loads(message) if len(message) <= TEXT else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("type") not in OF_PAGES | {"shown"}:
        return {"type": "nonsense"}
    return found


async def run(access: Access, port: int | None, gallery: Gallery, ready: Callable[[str], None]) -> None:
    """Serve until cancelled; `ready` is told the address once pages can be opened."""
    sys.setswitchinterval(SWITCH)
    threadpool_limits(1)  # a step is many small products: threads cost more than they bring
    keep_little()
    server = await listen(access, port, gallery)
    async with server:
        bound = next(iter(server.sockets)).getsockname()[1]
        ready(access.address(bound))
        await asyncio.get_running_loop().run_in_executor(None, warm_up)
        await asyncio.Future()
