"""Many pages that play with the studio for a long time: how its memory grows."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.benchmarks.processes import memory_of
from neurok.benchmarks.studio import serving

Array = np.ndarray
INTERVAL = 2.0  # s between looks at the memory
RATE = 30  # messages of a hand per second
WARM = 1 / 3  # of the time, in which every example is opened and caches fill
LONGEST_DRAG = 4.0  # s
OPENINGS = 12  # drags, after which a page opens something else or is closed and opened again
HEADER = ["what", "figure", ""]


@dataclass(frozen=True)
class Soaked:
    """Memory of the studio's processes over time, and what was done to it."""

    seconds: Float[Array, " s"]
    megabytes: Float[Array, " s"]
    drags: int
    frames: int
    errors: tuple[str, ...]

    @property
    def steady(self) -> tuple[Float[Array, " t"], Float[Array, " t"]]:
        """Times and memory once it is warm."""
        later = self.seconds >= WARM * self.seconds[-1]
        return self.seconds[later], self.megabytes[later]

    def figures(self) -> dict[str, float]:
        """Growth is the slope of a line through the medians of both halves of the steady time."""
        time, memory = self.steady
        half = len(time) // 2
        early, late = slice(None, half), slice(half, None)
        rise = float(np.median(memory[late]) - np.median(memory[early]))
        apart = float(time[late].mean() - time[early].mean())
        return {
            "soak_minutes": float(self.seconds[-1] / 60),
            "soak_drags": float(self.drags),
            "soak_frames": float(self.frames),
            "memory_mb": float(np.median(memory[late])),
            "memory_rise_mb": rise,
            "memory_growth_mb_per_h": 3600 * rise / apart,
            "soak_errors": float(len(self.errors)),
        }


def soak(
    minutes: float, tabs: int, names: tuple[str, ...] = (), seed: int = 0,
    step: Callable[[], None] = lambda: None,
) -> Soaked:  # fmt: skip
    """`tabs` pages without a browser that drag, slide, change and record at random, each at its own pace.

    They open the examples of these names, or all there are.
    """
    with serving() as (address, _, pid):
        host = address.split("/")[2]
        players = [_Player(host, names, np.random.default_rng([seed, i])) for i in range(tabs)]
        return asyncio.run(_soak(players, pid, 60 * minutes, step))


async def _soak(players: list[_Player], pid: int, seconds: float, step: Callable[[], None]) -> Soaked:
    began, until = time.monotonic(), time.monotonic() + seconds
    playing = [asyncio.create_task(player.play(until)) for player in players]
    samples: list[tuple[float, float]] = []
    while time.monotonic() < until:
        samples.append((time.monotonic() - began, memory_of(pid) / 2**20))
        step()
        await asyncio.sleep(INTERVAL)
    await asyncio.gather(*playing)
    seconds_in, megabytes = np.array(samples).T
    return Soaked(
        seconds_in, megabytes, sum(p.drags for p in players), sum(p.frames for p in players),
        tuple(text for p in players for text in p.errors),
    )  # fmt: skip


class _Player:
    """One page, and somebody who can't leave it alone."""

    def __init__(self, host: str, names: tuple[str, ...], random: np.random.Generator) -> None:
        self.host, self.names, self.random = host, names, random
        self.scene: dict[str, Any] | None = None
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
        """Some objects, and many drags of each."""
        hello = json.loads(await socket.recv())
        listening = asyncio.create_task(self._listen(socket))
        try:
            for _ in range(int(self.random.integers(1, 4))):
                await self._open(socket, self.names or hello["gallery"], until)
                for _ in range(OPENINGS):
                    if time.monotonic() < until and self.scene is not None:
                        await self._drag(socket, self.scene, until)
                        await self._meddle(socket, self.scene)
        finally:
            listening.cancel()
            await asyncio.wait([listening])

    async def _listen(self, socket: Any) -> None:
        async for message in socket:
            if isinstance(message, str):
                if json.loads(message)["type"] == "error":
                    self.errors.append(json.loads(message)["text"])
            elif message[:4] == bytes(4):
                self.frames += 1
                await socket.send('{"type": "shown"}')
            else:
                self.scene = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])

    async def _open(self, socket: Any, names: Sequence[str], until: float) -> None:
        self.scene = None
        await socket.send(json.dumps({"type": "open", "name": str(self.random.choice(names))}))
        while self.scene is None and time.monotonic() < until:
            await asyncio.sleep(0.1)

    async def _drag(self, socket: Any, scene: dict[str, Any], until: float) -> None:
        """A hand that wanders, from any vertex."""
        place = self.random.normal(0, 0.5, 3)
        held = {"type": "grab", "vertex": int(self.random.integers(scene["vertices"]))}
        for seq in range(int(RATE * self.random.uniform(0.5, LONGEST_DRAG))):
            place = place + self.random.normal(0, 0.05, 3)
            await socket.send(json.dumps({**held, "target": place.tolist(), "seq": seq}))
            held = {"type": "hand"}
            await asyncio.sleep(1 / RATE)
            if time.monotonic() > until:
                break
        await socket.send('{"type": "release"}')
        self.drags += 1

    async def _meddle(self, socket: Any, scene: dict[str, Any]) -> None:
        """One of the other things that a page can do."""
        name = str(self.random.choice(list(scene["ranges"])))
        coordinate = int(self.random.integers(len(scene["coordinates"])))
        limits = scene["coordinates"][coordinate]
        message = [
            {"type": "reset"},
            {"type": "record", "on": bool(self.random.random() < 0.5)},
            {"type": "controls", "values": {name: float(self.random.uniform(*scene["ranges"][name]))}},
            {"type": "controls", "values": {"floor": bool(self.random.random() < 0.5)}},
            {
                "type": "pose", "index": coordinate, "held": False,
                "value": float(self.random.uniform(limits["low"], limits["high"])),
            },
        ][int(self.random.integers(5))]  # fmt: skip
        await socket.send(json.dumps(message))


def rows_of(figures: dict[str, float]) -> list[list[str]]:
    words = {
        "soak_tabs": "pages at once",
        "soak_minutes": "so long it was played with",
        "soak_drags": "drags, each followed by a reset, a slider, a control or a recording",
        "soak_frames": "frames that pages were sent",
        "memory_mb": "of the studio and its processes, last third, median",
        "memory_rise_mb": "from the second third to the last, medians",
        "memory_growth_mb_per_h": "the same per hour",
        "soak_errors": "errors that pages were told",
    }
    return [[name, f"{value:,.4g}", words[name]] for name, value in figures.items()]
