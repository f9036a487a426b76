"""Measures the frame rate and the latency of the studio, over a socket and in a browser without a GPU."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from neurok.benchmarks.processes import descendant_named, seconds_of
from neurok.errors import InputError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--no-sandbox", "--headless=new", "--enable-unsafe-swiftshader",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip
WIDTH, HEIGHT = 1280, 720  # window in pixels
DRAG_SECONDS = 5.0
MOUSE_INTERVAL = 1 / 100  # s
READY_TIMEOUT = 300.0  # s until an object is ready
SOCKET_VERTICES, BROWSER_VERTICES = 20_000, 2_500
HEADER = ["figure", "value", "meaning"]


def find_chromium() -> str | None:
    """Path of an installed Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def measure(step: Callable[[], None]) -> tuple[list[list[str]], dict[str, float], list[str]]:
    """Rows of the table, figures, and notes on missing measurements."""
    notes: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        files = [_ball(Path(name), count) for count in (SOCKET_VERTICES, BROWSER_VERTICES)]
        with serving(*map(str, files)) as (address, _, pid):
            figures = delivered(address, files[0].stem, pid)
            step()
            if (browser := find_chromium()) is None:
                notes.append(
                    "Chromium is not installed: drawing, latency and the first drag are not measured"
                )
                return _rows(figures), figures, notes
            with _page(browser) as page:
                figures |= drawn(page, address, files[1].stem)
            step()
    with _page(browser) as page, serving() as (address, began, _):
        figures["first_drag_s"] = first_drag(page, address, began)
    step()
    figures["load"] = os.getloadavg()[0]
    return _rows(figures), figures, notes


def _rows(figures: dict[str, float]) -> list[list[str]]:
    meaning = {
        "frames_per_s": f"frames delivered to the page, {SOCKET_VERTICES:,} vertices",
        "bytes_per_frame": f"bytes per frame; all vertices would take {12 * SOCKET_VERTICES:,}",
        "frame_cpu_ms": "CPU time of the studio per frame",
        "delivery_ms": "from a mouse message to the frame that contains it, median",
        "rendered_frames_per_s": f"frames drawn without a GPU, {BROWSER_VERTICES:,} vertices",
        "rendered_frame_cpu_ms": "CPU time of the browser per frame",
        "latency_ms": "from the mouse event to the picture, median, same page",
        "load": f"load average of the last minute, on {os.cpu_count()} cores",
        "first_drag_s": "from `neurok studio` to the first motion of an example",
    }
    return [[name, f"{value:.4g}", meaning[name]] for name, value in figures.items()]


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, float, int]]:
    """Runs `neurok studio` in a process; gives its address, start time and process id."""
    command = [sys.executable, "-m", "neurok", "studio", "--port", "0", "--no-browser", *arguments]
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().split()
            if len(line) < 3:
                raise InputError("studio", "did not start", "Run `neurok studio` and read its messages")
            yield line[2], began, process.pid
        finally:
            process.kill()


def delivered(address: str, name: str, pid: int) -> dict[str, float]:
    """Drags an object over a socket for DRAG_SECONDS and counts frames; `pid` is the studio process."""
    from websockets.sync.client import connect

    host = address.split("/")[2]
    with connect(f"ws://{host}/socket", origin=f"http://{host}", max_size=None, compression=None) as socket:  # pyright: ignore
        socket.send(json.dumps({"type": "open", "name": name}))
        _until_scene(socket)
        sent: dict[int, float] = {}
        frames, size, answers, seq, spent = 0, 0, [], 0, seconds_of(pid)
        began = time.perf_counter()
        while (now := time.perf_counter()) - began < DRAG_SECONDS:
            if now - began >= seq / 60:
                seq += 1
                sent[seq] = now
                socket.send(json.dumps(_pull(seq)))
            try:
                message = socket.recv(timeout=1 / 120)
            except TimeoutError:
                continue
            if isinstance(message, bytes) and message[:4] == bytes(4):
                socket.send('{"type": "shown"}')
                frames, size = frames + 1, len(message)
                heard = int(np.frombuffer(message, "<f4", 1, 28)[0])
                answers += [time.perf_counter() - sent.pop(s) for s in list(sent) if s <= heard]
        spent = seconds_of(pid) - spent
    return {
        "frames_per_s": frames / DRAG_SECONDS,
        "frame_cpu_ms": 1e3 * spent / max(frames, 1),
        "bytes_per_frame": float(size),
        "delivery_ms": 1e3 * float(np.median(answers)) if answers else float("inf"),
    }


def _pull(seq: int) -> dict[str, Any]:
    """Drag message: the top vertex oscillates at 2 Hz."""
    offset = 0.3 * np.sin(4 * np.pi * seq / 60)
    message = {"type": "hand", "target": [offset, 1.0, 0.0], "seq": seq}
    return message if seq > 1 else message | {"type": "grab", "vertex": 0}


def _until_scene(socket: Any) -> None:
    deadline = time.monotonic() + READY_TIMEOUT
    while time.monotonic() < deadline:
        message = socket.recv(timeout=READY_TIMEOUT)
        if isinstance(message, bytes) and message[:4] != bytes(4):
            return
        if isinstance(message, str) and json.loads(message)["type"] == "error":
            raise InputError("studio", json.loads(message)["text"])
    raise InputError(
        "studio", f"no object was ready after {READY_TIMEOUT:g} s", "Try again on an idle machine"
    )


@contextmanager
def _page(browser: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        window = playwright.chromium.launch(executable_path=browser, args=ARGUMENTS)
        yield window.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        window.close()


def drawn(page: Any, address: str, name: str) -> dict[str, float]:
    """Drags in a browser page, and counts the pictures that show a new frame."""
    page.goto(address)
    _wait(page, "window.studio && studio.stats.ready > 0")
    ready = page.evaluate("studio.stats.ready")
    page.click(f"#open-{name}")
    _wait(page, f"studio.stats.ready > {ready}")
    x, y = _grab(page)
    page.evaluate("studio.stats.latencies.length = 0")
    before, spent, began = page.evaluate("studio.stats.shown"), _browser_seconds(), time.perf_counter()
    while (passed := time.perf_counter() - began) < DRAG_SECONDS:
        page.mouse.move(x + 60 * np.sin(6 * passed), y + 20)
        page.wait_for_timeout(1e3 * MOUSE_INTERVAL)
    count, passed = page.evaluate("studio.stats.shown") - before, time.perf_counter() - began
    spent = _browser_seconds() - spent
    page.mouse.up()
    latencies = page.evaluate("studio.stats.latencies")
    return {
        "rendered_frames_per_s": count / passed,
        "rendered_frame_cpu_ms": 1e3 * spent / max(count, 1),
        "latency_ms": float(np.median(latencies)) if latencies else float("inf"),
    }


def _browser_seconds() -> float:
    """CPU time of the browser without the mouse driver."""
    browser = descendant_named(os.getpid(), "chrom")
    return seconds_of(browser) if browser else 0.0


def first_drag(page: Any, address: str, began: float) -> float:
    """Seconds from the start of the command to the first motion of an example under the mouse."""
    page.goto(address)
    _wait(page, "window.studio && studio.stats.ready > 0 && studio.stats.frames > 0")
    x, y = _grab(page)
    for i in range(1, 5):
        page.mouse.move(x + 10 * i, y + 10 * i)
    _wait(page, "studio.stats.latencies.length > 0")
    return time.monotonic() - began


def _grab(page: Any) -> tuple[float, float]:
    """Presses the mouse on the highest visible point of the object."""
    _wait(page, "studio.stats.frames > 0")
    search = f"""() => {{ for (let y = 40; y < {HEIGHT}; y += 12) for (let x = 20; x < {WIDTH} / 2; x += 12)
        if (studio.place(x, y)) return [x, y]; return null; }}"""
    deadline = time.monotonic() + READY_TIMEOUT
    while (found := page.evaluate(search)) is None:  # the first frame of a new object has not arrived
        if time.monotonic() > deadline:
            raise InputError("studio", "the page shows no object", "Try again on an idle machine")
        page.wait_for_timeout(50)
    page.mouse.move(*found)
    page.mouse.down()
    return found[0], found[1]


def _wait(page: Any, condition: str) -> None:
    deadline = time.monotonic() + READY_TIMEOUT
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            raise InputError("studio", f"the page was not ready after {READY_TIMEOUT:g} s", "Try again")
        page.wait_for_timeout(50)


def _ball(folder: Path, vertices: int) -> Path:
    """Writes a closed ball of about `vertices` vertices: rings between two poles."""
    rings = round((vertices / 2) ** 0.5)
    angle = np.linspace(0, np.pi, rings + 2)[1:-1, None]
    turn = np.linspace(0, 2 * np.pi, 2 * rings, endpoint=False)[None]
    points = np.stack(
        [np.sin(angle) * np.cos(turn), np.cos(angle) + 0 * turn, np.sin(angle) * np.sin(turn)], -1
    )
    points = np.concatenate([[[0, 1, 0]], points.reshape(-1, 3), [[0, -1, 0]]])
    last = len(points) - 1
    index = 1 + np.arange(2 * rings * rings).reshape(rings, 2 * rings)
    a, b, c, d = index[:-1], index[1:], np.roll(index[:-1], -1, 1), np.roll(index[1:], -1, 1)
    top, bottom = index[0], index[-1]
    faces = np.concatenate(
        [
            np.stack([a, c, b], -1).reshape(-1, 3),
            np.stack([b, c, d], -1).reshape(-1, 3),
            np.stack([0 * top, np.roll(top, -1), top], -1),
            np.stack([0 * bottom + last, bottom, np.roll(bottom, -1)], -1),
        ]
    )
    file = folder / f"ball_{vertices}.ply"
    trimesh.Trimesh(points, faces, process=False).export(file)
    return file
