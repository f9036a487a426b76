"""The server answers its own page, refuses others, and survives what pages send."""

from __future__ import annotations

import asyncio
import json
import threading

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from neurok.studio.access import Access
from neurok.studio.gallery import Gallery
from neurok.studio.guard import Limits
from neurok.studio.server import listen

ORIGIN = "http://127.0.0.1:{}"
NONSENSE = (
    "{",
    "[]",
    '{"type": "ready"}',
    '{"type": "grab"}',
    '{"type": "grab", "vertex": 1e300}',
    '{"type": "pose", "index": 99, "value": 1}',
    '{"type": "open", "name": "../../etc/passwd"}',
    '{"type": "controls", "values": {"gravity": "much"}}',
    '{"type": "export", "suffix": ".sh"}',
    "[" * 60_000,
)


@pytest.fixture(scope="module")
def gallery(cabinet):
    """One example that is ready."""
    gallery = Gallery({}, Limits())
    gallery._kept["cabinet", "auto"] = cabinet
    return gallery


@pytest.fixture(scope="module")
def port(gallery):
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(listen(Access(), 0, gallery), loop).result(30)
    yield next(iter(server.sockets)).getsockname()[1]
    loop.call_soon_threadsafe(server.close)


def visit(port: int, origin: str = ORIGIN):
    return connect(f"ws://127.0.0.1:{port}/socket", origin=origin.format(port), max_size=None)  # pyright: ignore


def until(socket, kind: str) -> dict:
    """The next message of a kind; frames are called so too."""
    while True:
        message = socket.recv(timeout=60)
        if isinstance(message, str):
            found = json.loads(message)
        elif message[:4] == bytes(4):
            found = {"type": "frame", "data": message}
        else:
            size = int.from_bytes(message[:4], "little")
            found = json.loads(message[4 : 4 + size])
        if found["type"] == kind:
            return found


def opened(port: int):
    socket = visit(port)
    until(socket, "hello")
    socket.send(json.dumps({"type": "open", "name": "cabinet"}))
    until(socket, "scene")
    return socket


def came(socket, value: float, frames: int = 300) -> bool:
    """Whether the first coordinate has a value in one of the next frames."""
    shown = (np.frombuffer(until(socket, "frame")["data"], "<f4")[8] for _ in range(frames))
    return any(x == pytest.approx(value) for x in shown)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1"])
def test_pages_of_others_are_refused(port, origin):
    with pytest.raises(InvalidStatus) as refused:
        visit(port, origin)
    assert refused.value.response.status_code == 403


def test_nonsense_is_answered_and_the_session_goes_on(port):
    with opened(port) as socket:
        for text in NONSENSE:
            socket.send(text)
            assert until(socket, "error")["text"], text
        socket.send(b"not a mesh")
        assert until(socket, "error")["text"]
        socket.send(json.dumps({"type": "pose", "index": 0, "value": 0.5, "held": True}))
        assert came(socket, 0.5)


def test_pages_do_not_share_an_object(port):
    with opened(port) as one, opened(port) as other:
        one.send(json.dumps({"type": "pose", "index": 0, "value": 0.5, "held": True}))
        other.send(json.dumps({"type": "pose", "index": 0, "value": 0.25, "held": True}))
        assert came(one, 0.5) and came(other, 0.25)


def test_a_page_that_leaves_takes_its_thread_along(port):
    before = threading.active_count()
    for _ in range(5):
        opened(port).close()
    deadline = 100
    while threading.active_count() > before + 2 and deadline:
        threading.Event().wait(0.1)
        deadline -= 1
    assert threading.active_count() <= before + 2
