"""Simulates users of the studio, over a socket or in a browser, that act at random."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import trimesh

from neurok.benchmarks.studio import HEIGHT, WIDTH

RATE = 30  # mouse messages per second
MAX_DRAG = 4.0  # s
DRAGS = 12  # per object
MAX_OBJECTS = 3  # per connection of a page without a browser
UPLOADS = 0.1  # share of the objects that are uploaded files
EXPORTS = 0.3  # share of the recordings that are exported
PLACES = 40  # random places at which the browser page looks for the object


@dataclass
class UserBehaviour:
    """Random choices of a user, and the pause after a drag."""

    random: np.random.Generator
    rest: float  # mean pause in s
    names: tuple[str, ...] = ()  # examples to open; all if empty

    def duration(self) -> float:
        return float(self.random.uniform(0.5, MAX_DRAG))

    def happens(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def one_of(self, items: Sequence[Any]) -> Any:
        return items[int(self.random.integers(len(items)))]

    async def pause(self, until: float) -> None:
        wanted = float(self.random.uniform(0, 2 * self.rest))
        await asyncio.sleep(max(0.0, min(wanted, until - time.monotonic())))


class SocketPlayer:
    """User of a page without a browser, which sends the messages of a page."""

    def __init__(self, host: str, user: UserBehaviour) -> None:
        self.host, self.user = host, user
        self.scene: dict[str, Any] | None = None
        self.recorded = 0.0  # s
        self.drags = self.frames = 0
        self.errors: list[str] = []

    async def play(self, until: float) -> None:
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        while time.monotonic() < until:
            try:
                async with connect(
                    f"ws://{self.host}/socket", origin=f"http://{self.host}",  # pyright: ignore
                    max_size=None, compression=None, open_timeout=60, ping_timeout=None,
                ) as socket:  # fmt: skip
                    await self._visit(socket, until)
            except (OSError, WebSocketException) as error:
                self.errors.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1.0)

    async def _visit(self, socket: Any, until: float) -> None:
        """Opens some objects and drags each several times."""
        from websockets.exceptions import WebSocketException

        hello = json.loads(await socket.recv())
        listening = asyncio.create_task(self._listen(socket))
        try:
            for _ in range(1 + int(self.user.random.integers(MAX_OBJECTS))):
                await self._open(socket, self.user.names or hello["gallery"], until)
                for _ in range(DRAGS):
                    if time.monotonic() < until and self.scene is not None:
                        await self._drag(socket, self.scene, until)
                        await self._act(socket, self.scene)
                        await _send(socket, "pause", on=True)
                        await self.user.pause(until)
                        await _send(socket, "pause", on=False)
        finally:
            listening.cancel()
            (ended,) = await asyncio.gather(listening, return_exceptions=True)
            if isinstance(ended, Exception) and not isinstance(ended, OSError | WebSocketException):
                self.errors.append(f"{type(ended).__name__}: {ended}")

    async def _listen(self, socket: Any) -> None:
        async for message in socket:
            if isinstance(message, str):
                content = json.loads(message)
                if content["type"] == "error":
                    self.errors.append(content["text"])
                if content["type"] == "recording":
                    self.recorded = 0.0 if content["on"] else content["seconds"]
            elif message[:4] == bytes(4):
                self.frames += 1
                await _send(socket, "shown")
            else:
                header = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])
                if header["type"] == "scene":
                    self.scene, self.recorded = header, 0.0

    async def _open(self, socket: Any, names: Sequence[str], until: float) -> None:
        self.scene, errors = None, len(self.errors)
        if self.user.happens(UPLOADS):
            await _send(socket, "upload", name="own.ply")
            await socket.send(_own_mesh())
        else:
            await _send(socket, "open", name=self.user.one_of(names))
        while self.scene is None and len(self.errors) == errors and time.monotonic() < until:
            await asyncio.sleep(0.1)

    async def _drag(self, socket: Any, scene: dict[str, Any], until: float) -> None:
        """Drags a random vertex along a random walk."""
        random = self.user.random
        place, kind = random.normal(0, 0.5, 3), "grab"
        held = {"vertex": int(random.integers(scene["vertices"]))}
        for seq in range(int(RATE * self.user.duration())):
            place = place + random.normal(0, 0.05, 3)
            await _send(socket, kind, target=place.tolist(), seq=seq, **held)
            kind, held = "hand", {}
            await asyncio.sleep(1 / RATE)
            if time.monotonic() > until:
                break
        await _send(socket, "release")
        self.drags += 1

    async def _act(self, socket: Any, scene: dict[str, Any]) -> None:
        """Sends a random message other than a drag: reset, recording, controls, pose or export."""
        random, happens = self.user.random, self.user.happens
        if self.recorded > 0 and happens(EXPORTS):
            self.recorded = 0.0
            return await _send(socket, "export", suffix=".glb")
        name = self.user.one_of(list(scene["ranges"]))
        index = int(random.integers(len(scene["coordinates"])))
        limits = scene["coordinates"][index]
        kind, values = self.user.one_of(
            [
                ("reset", {}),
                ("record", {"on": happens(0.5)}),
                ("controls", {"values": {name: float(random.uniform(*scene["ranges"][name]))}}),
                ("controls", {"values": {"floor": happens(0.5)}}),
                ("pose", {"index": index, "held": False,
                          "value": float(random.uniform(limits["low"], limits["high"]))}),
            ]
        )  # fmt: skip
        await _send(socket, kind, **values)


class BrowserPlayer:
    """User of one page in a browser, which stays open, with mouse drags."""

    def __init__(self, browser: Any, address: str, user: UserBehaviour) -> None:
        self.browser, self.address, self.user = browser, address, user
        self.drags = self.frames = 0
        self.errors: list[str] = []

    async def play(self, until: float) -> None:
        from playwright.async_api import Error

        page = await self.browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.on("pageerror", lambda error: self.errors.append(f"page: {error}"))
        while time.monotonic() < until:
            try:
                await page.goto(self.address)
                while time.monotonic() < until:
                    await self._visit(page, until)
            except Error as error:
                self.errors.append(f"browser: {error}")
        await page.close()

    async def _visit(self, page: Any, until: float) -> None:
        """Opens an object and drags it several times."""
        await self._open(page, until)
        for _ in range(DRAGS):
            if time.monotonic() < until:
                await self._drag(page, until)
                await self._act(page)
                await page.click("#pause")
                self.frames = await page.evaluate("studio.stats.frames")
                await self.user.pause(until)
                await page.click("#pause")

    async def _open(self, page: Any, until: float) -> None:
        await _until(page, "window.studio && studio.stats.ready > 0", until)
        names = await page.locator("#gallery button").all_inner_texts()
        ready = await page.evaluate("studio.stats.ready")
        await page.click(f"#open-{self.user.one_of(self.user.names or names)}")
        await _until(page, f"studio.stats.ready > {ready} && studio.stats.q.length > 0", until)

    async def _drag(self, page: Any, until: float) -> None:
        """Drags from a place on the object, or beside it, which rotates the view."""
        random, box = self.user.random, await page.locator("#view").bounding_box()
        places = (box["width"], box["height"]) * random.uniform(0.1, 0.9, (PLACES, 2))
        find = "(places) => places.find(([x, y]) => studio.place(x, y)) ?? places[0]"
        place = np.array(await page.evaluate(find, places.tolist()))
        await page.mouse.move(*place)
        await page.mouse.down()
        end = min(until, time.monotonic() + self.user.duration())
        while time.monotonic() < end:
            place = place + random.normal(0, 12.0, 2)
            await page.mouse.move(*place)
            await asyncio.sleep(1 / RATE)
        await page.mouse.up()
        self.drags += 1

    async def _act(self, page: Any) -> None:
        what = self.user.one_of(["#reset", "#record", "#control-floor", "slider", "show"])
        if what == "slider":
            slider = self.user.one_of(await page.locator("#controls input[type=range]").all())
            await slider.evaluate(
                "(e, share) => { e.value = +e.min + share * (e.max - e.min);"
                " e.dispatchEvent(new Event('input', { bubbles: true })); }",
                float(self.user.random.random()),
            )
        elif what == "show":
            await self.user.one_of(await page.locator("#show input:enabled").all()).evaluate("e => e.click()")
        else:
            await page.click(what)


Player = SocketPlayer | BrowserPlayer


async def _until(page: Any, condition: str, until: float) -> None:
    while not await page.evaluate(condition) and time.monotonic() < until:
        await asyncio.sleep(0.1)


async def _send(socket: Any, kind: str, **values: Any) -> None:
    await socket.send(json.dumps({"type": kind, **values}))


def _own_mesh() -> bytes:
    data = trimesh.creation.cylinder(0.1, 0.6, sections=24).export(file_type="ply")
    assert isinstance(data, bytes)
    return data
