"""Many pages that play with the studio for a long time: how its memory grows, and that of a browser."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from neurok.benchmarks.players import BrowserPlayer, Manners, Player, SocketPlayer
from neurok.benchmarks.processes import child_called, lasting_memory_of, memory_of, seconds_of
from neurok.benchmarks.studio import ARGUMENTS, find_chromium, serving

Array = np.ndarray
Tell = Callable[[str], None]
LOOKS = (1.0, 10.0)  # s between looks at the memory: least, most
ROWS = 60.0  # s between rows of the table that grows
WARM = 1 / 3  # of the time, in which every example is opened and caches fill
REST = 20.0  # s that a page is left alone after a drag, on average
DRAWN = 2  # of the pages are a browser's: twenty of them would want ten cores without a GPU
HEADER = ["what", "figure", ""]
COLUMNS = (
    "minute", "studio MB", "with jobs MB", "browser MB", "drags", "frames", "errors", "CPU s studio",
    "CPU s browser",
)  # fmt: skip


class Look(NamedTuple):
    """What had been used and done by a time."""

    seconds: float
    studio: float  # MB, of the studio and the process that its jobs are forked from
    with_jobs: float  # MB, of these and the jobs that run
    browser: float  # MB
    drags: int
    frames: int
    errors: int
    studio_cpu: float  # s
    browser_cpu: float  # s

    @property
    def row(self) -> str:
        return "  ".join(
            f"{value:>{len(name)}.1f}" if isinstance(value, float) else f"{value:>{len(name)}}"
            for name, value in zip(COLUMNS, (self.seconds / 60, *self[1:]), strict=True)
        )


@dataclass(frozen=True)
class Soaked:
    """Memory over time, and what was done to the studio."""

    looks: tuple[Look, ...]
    tabs: int
    drawn: int  # of them by a browser
    errors: tuple[str, ...]

    def figures(self) -> dict[str, float]:
        last = self.looks[-1]
        times, studio, with_jobs, browser = (np.array(x) for x in list(zip(*self.looks, strict=True))[:4])
        found = {
            "soak_minutes": last.seconds / 60,
            "soak_tabs": float(self.tabs),
            "soak_browser_tabs": float(self.drawn),
            "soak_drags": float(last.drags),
            "soak_frames": float(last.frames),
            "soak_cores": (last.studio_cpu + last.browser_cpu) / last.seconds,
            "soak_errors": float(len(self.errors)),
            "memory_most_mb": float(with_jobs.max()),
        }
        found |= _growth("memory", times, studio)
        return found | (_growth("browser_memory", times, browser) if self.drawn else {})


def _growth(name: str, seconds: Float[Array, " s"], megabytes: Float[Array, " s"]) -> dict[str, float]:
    """Once it is warm: the slope of a line through the medians of both halves of that time."""
    warm = seconds >= WARM * seconds[-1]
    times, memory = seconds[warm], megabytes[warm]
    early, late = slice(None, len(times) // 2), slice(len(times) // 2, None)
    rise = float(np.median(memory[late]) - np.median(memory[early]))
    apart = float(times[late].mean() - times[early].mean())
    return {
        f"{name}_start_mb": float(megabytes[0]),
        f"{name}_warm_mb": float(np.median(memory[early])),
        f"{name}_mb": float(np.median(memory[late])),
        f"{name}_rise_mb": rise,
        f"{name}_growth_mb_per_h": 3600 * rise / apart,
    }


def soak(
    minutes: float, tabs: int, *, drawn: int = DRAWN, names: tuple[str, ...] = (), rest: float = REST,
    seed: int = 0, tell: Tell = lambda row: None,
) -> Soaked:  # fmt: skip
    """`tabs` pages that drag, slide, change and record at random, `drawn` of them in a browser where there is
    one.

    They open the examples of these names, or all there are; after a drag a page is left alone for `rest`
    seconds on average. `tell` gets a row of the table every minute.
    """
    drawn = min(drawn, tabs) if find_chromium() else 0
    manners = [Manners(np.random.default_rng([seed, i]), rest, names) for i in range(tabs)]
    with serving() as (address, _, pid):
        return asyncio.run(_soak(address, pid, manners, drawn, 60 * minutes, tell))


async def _soak(
    address: str, studio: int, manners: Sequence[Manners], drawn: int, seconds: float, tell: Tell
) -> Soaked:
    host = address.split("/")[2]
    async with _browser(drawn > 0) as browser:
        players: list[Player] = [BrowserPlayer(browser, address, m) for m in manners[:drawn]]
        players += [SocketPlayer(host, m) for m in manners[drawn:]]
        looks = await _watch(players, studio, seconds, tell)
    return Soaked(tuple(looks), len(players), drawn, tuple(text for p in players for text in p.errors))


async def _watch(players: list[Player], studio: int, seconds: float, tell: Tell) -> list[Look]:
    began, looks, told = time.monotonic(), [], 0.0
    playing = [asyncio.create_task(player.play(began + seconds)) for player in players]
    tell("  ".join(COLUMNS))
    while (now := time.monotonic() - began) < seconds:
        looks.append(_look(now, players, studio))
        if now >= told:
            tell(looks[-1].row)
            told += ROWS
        await asyncio.sleep(float(np.clip(seconds / 300, *LOOKS)))
    looks.append(_look(time.monotonic() - began, players, studio))
    tell(looks[-1].row)
    await asyncio.gather(*playing)
    return looks


def _look(now: float, players: list[Player], studio: int) -> Look:
    browser = child_called(os.getpid(), "chrom")
    return Look(
        now, lasting_memory_of(studio) / 2**20, memory_of(studio) / 2**20,
        memory_of(browser) / 2**20 if browser else 0.0,
        sum(p.drags for p in players), sum(p.frames for p in players), sum(len(p.errors) for p in players),
        seconds_of(studio), seconds_of(browser) if browser else 0.0,
    )  # fmt: skip


@asynccontextmanager
async def _browser(wanted: bool) -> AsyncIterator[Any]:
    if not wanted:
        yield None
        return
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


def rows_of(figures: dict[str, float]) -> list[list[str]]:
    words = {
        "soak_minutes": "so long it was played with",
        "soak_tabs": "pages at once",
        "soak_browser_tabs": "of them in a browser",
        "soak_drags": "drags, each followed by a reset, a slider, a control, a recording or a file",
        "soak_frames": "frames that pages were sent",
        "soak_cores": "that the studio and the browser kept busy",
        "soak_errors": "errors that pages were told",
        "memory_most_mb": "of the studio with the jobs that ran, at most",
    }
    of = {"memory": "of the studio without its jobs", "browser_memory": "of the browser"}
    when = {
        "start_mb": "before the first page was there",
        "warm_mb": "second third of the time, median",
        "mb": "last third, median",
        "rise_mb": "from the second third to the last",
        "growth_mb_per_h": "the same per hour",
    }
    words |= {f"{key}_{name}": f"{whose}, {then}" for key, whose in of.items() for name, then in when.items()}
    return [[name, f"{value:,.4g}", words[name]] for name, value in figures.items()]
