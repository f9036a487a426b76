"""The server accepts its own page, refuses others, and survives invalid messages."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
import time

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from neurok.cli.commands.studio import Studio
from neurok.studio.access import Access
from neurok.studio.gallery import Gallery
from neurok.studio.guard import Limits
from neurok.studio.server import MAX_FRAMES_AHEAD, MAX_PAGES, listen
from neurok.studio.session import MAX_RECORDING, Session
from neurok.studio.tasks import FPS

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
    """A gallery with one prepared example."""
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
    """The next message of a kind; frames are called so too, and are shown at once."""
    while True:
        message = socket.recv(timeout=60)
        if isinstance(message, str):
            found = json.loads(message)
        elif message[:4] == bytes(4):
            found = {"type": "frame", "data": message}
            socket.send('{"type": "shown"}')
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


HOSTILE = {
    "not.glb": b"glTF" + bytes(range(256)) * 8,
    "huge.glb": b"glTF" + (2).to_bytes(4, "little") + (0xFFFFFFFF).to_bytes(4, "little") * 2 + b"JSON{}",
    "claims.ply": b"ply\nformat binary_little_endian 1.0\nelement vertex 2147483647\nproperty double x\n"
    b"property double y\nproperty double z\nend_header\n" + bytes(96),
    "nested.gltf": b'{"asset":' * 20_000,
    "elsewhere.gltf": b'{"asset":{"version":"2.0"},"buffers":[{"uri":"file:///etc/passwd","byteLength":9}],'
    b'"bufferViews":[{"buffer":0,"byteLength":9}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,'
    b'"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],'
    b'"scenes":[{"nodes":[0]}],"scene":0}',
    "entity.dae": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "nan.obj": b"v nan nan nan\nv inf 0 0\nv 0 1e308 0\nf 1 2 3\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_and_the_studio_goes_on(port, name):
    with opened(port) as socket:
        socket.send(json.dumps({"type": "upload", "name": name}))
        socket.send(HOSTILE[name])
        text = until(socket, "error")["text"]
        assert text and "root:" not in text
        socket.send(json.dumps({"type": "pose", "index": 0, "value": 0.5, "held": True}))
        assert came(socket, 0.5)


@pytest.mark.parametrize(
    "path",
    [
        "/../access.py",
        "/..%2faccess.py",
        "/%2e%2e/access.py",
        "//etc/passwd",
        "/etc/passwd",
        "/page/main.js",
        "/..",
    ],
)
def test_no_path_of_a_request_reaches_the_disk(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    assert connection.getresponse().status == 404


def test_by_default_it_listens_on_this_machine_only(port):
    assert Studio().host == "127.0.0.1"
    with pytest.raises(OSError):
        http.client.HTTPConnection("127.0.0.2", port, timeout=5).connect()


def test_one_page_too_many_is_turned_away(port):
    pages = [visit(port) for _ in range(MAX_PAGES)]
    try:
        with visit(port) as another, pytest.raises(ConnectionClosed) as closed:
            another.recv(timeout=60)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
    finally:
        for page in pages:
            page.close()


@pytest.mark.slow
def test_a_page_that_shows_nothing_is_not_flooded(port):
    """A page that does not draw gets a few frames, and the newest when it resumes."""
    with opened(port) as socket:
        socket.send(json.dumps({"type": "controls", "values": {"tilt": 40}}))
        frames, deadline = [], time.monotonic() + 3.0
        while time.monotonic() < deadline:
            try:
                message = socket.recv(timeout=1.0)
            except TimeoutError:
                continue
            if isinstance(message, bytes) and message[:4] == bytes(4):
                frames.append(np.frombuffer(message, "<f4")[1])
        assert 1 <= len(frames) <= MAX_FRAMES_AHEAD
        socket.send('{"type": "shown"}')
        newest = np.frombuffer(until(socket, "frame")["data"], "<f4")[1]
        assert newest > frames[-1] + 0.2


def test_a_recording_ends_by_itself(gallery, cabinet):
    session = Session(gallery, lambda message: None)
    session._start_job("ready", lambda report, is_wanted: cabinet)
    session._answer(session.inbox.get(timeout=60))
    session._answer({"type": "record", "on": True})
    session.recorded *= round(MAX_RECORDING * FPS) - 1
    session._answer({"type": "controls", "values": {"tilt": 40}})
    for _ in range(6):
        session._step()
    assert not session.recording
    assert len(session.recorded) == MAX_RECORDING * FPS


def test_without_an_object_nothing_is_recorded_and_the_page_is_informed(gallery):
    sent: list = []
    Session(gallery, sent.append)._record({"on": True})
    assert [message for message in sent if '"recording"' in message] == [
        '{"type": "recording", "on": false, "seconds": 0.0}'
    ]
