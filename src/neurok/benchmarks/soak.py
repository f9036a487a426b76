"""Soak test: measures the memory growth of the studio and of a browser under many random users."""

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

from neurok.benchmarks.players import BrowserPlayer, Player, SocketPlayer, UserBehaviour
from neurok.benchmarks.processes import descendant_named, lasting_memory_of, memory_of, seconds_of
from neurok.benchmarks.studio import ARGUMENTS, find_chromium, serving

Array = np.ndarray
Report = Callable[[str], None]
MIN_INTERVAL, MAX_INTERVAL = 1.0, 10.0  # s between memory samples
ROW_INTERVAL = 60.0  # s between printed rows
WARM_UP = 1 / 3  # share of the time in which examples are opened and caches fill
MEAN_REST = 20.0  # s between the drags of a page
BROWSER_PAGES = 2  # a browser page without a GPU takes half a core
HEADER = ["figure", "value", "meaning"]
COLUMNS = (
    "minute", "studio MB", "with jobs MB", "browser MB", "drags", "frames", "errors", "CPU s studio",
    "CPU s browser",
)  # fmt: skip


class Sample(NamedTuple):
    """Memory, CPU time and counters at one time."""

    seconds: float
    studio: float  # MB of the studio and the process that forks its jobs
    with_jobs: float  # MB including the running jobs
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
class SoakResult:
    """Samples over time, and the errors of the pages."""

    samples: tuple[Sample, ...]
    tabs: int
    drawn: int  # pages in a browser
    errors: tuple[str, ...]

    def figures(self) -> dict[str, float]:
        """Figures of the whole test."""
        last = self.samples[-1]
        times, studio, with_jobs, browser = (np.array(x) for x in list(zip(*self.samples, strict=True))[:4])
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
    """Memory growth after the warm-up: slope between the medians of the two halves."""
    warm = seconds >= WARM_UP * seconds[-1]
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
    minutes: float, tabs: int, *, drawn: int = BROWSER_PAGES, names: tuple[str, ...] = (),
    rest: float = MEAN_REST, seed: int = 0, report: Report = lambda row: None,
) -> SoakResult:  # fmt: skip
    """Runs `tabs` pages that drag, change controls and record at random, `drawn` of them in a browser.

    They open the examples `names`, or all. After a drag a page pauses for `rest` seconds on average. `report`
    gets a row of the table every minute.
    """
    drawn = min(drawn, tabs) if find_chromium() else 0
    users = [UserBehaviour(np.random.default_rng([seed, i]), rest, names) for i in range(tabs)]
    with serving() as (address, _, pid):
        return asyncio.run(_soak(address, pid, users, drawn, 60 * minutes, report))


async def _soak(
    address: str, studio: int, users: Sequence[UserBehaviour], drawn: int, seconds: float, report: Report
) -> SoakResult:
    host = address.split("/")[2]
    async with _browser(drawn > 0) as browser:
        players: list[Player] = [BrowserPlayer(browser, address, m) for m in users[:drawn]]
        players += [SocketPlayer(host, m) for m in users[drawn:]]
        samples = await _watch(players, studio, seconds, report)
    return SoakResult(tuple(samples), len(players), drawn, tuple(text for p in players for text in p.errors))


async def _watch(players: list[Player], studio: int, seconds: float, report: Report) -> list[Sample]:
    began, samples, reported = time.monotonic(), [], 0.0
    playing = [asyncio.create_task(player.play(began + seconds)) for player in players]
    report("  ".join(COLUMNS))
    while (now := time.monotonic() - began) < seconds:
        samples.append(_sample(now, players, studio))
        if now >= reported:
            report(samples[-1].row)
            reported += ROW_INTERVAL
        await asyncio.sleep(float(np.clip(seconds / 300, MIN_INTERVAL, MAX_INTERVAL)))
    samples.append(_sample(time.monotonic() - began, players, studio))
    report(samples[-1].row)
    await asyncio.gather(*playing)
    return samples


def _sample(now: float, players: list[Player], studio: int) -> Sample:
    browser = descendant_named(os.getpid(), "chrom")
    return Sample(
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
    meaning = {
        "soak_minutes": "duration",
        "soak_tabs": "concurrent pages",
        "soak_browser_tabs": "pages in a browser",
        "soak_drags": "drags, each followed by a reset, a slider, a control, a recording or a file",
        "soak_frames": "frames sent to pages",
        "soak_cores": "cores used by the studio and the browser",
        "soak_errors": "error messages to pages",
        "memory_most_mb": "largest memory of the studio with its jobs",
    }
    of = {"memory": "studio without its jobs", "browser_memory": "browser"}
    when = {
        "start_mb": "before the first page",
        "warm_mb": "second third of the time, median",
        "mb": "last third, median",
        "rise_mb": "from the second third to the last",
        "growth_mb_per_h": "the same rise per hour",
    }
    meaning |= {
        f"{key}_{name}": f"{whose}, {then}" for key, whose in of.items() for name, then in when.items()
    }
    return [[name, f"{value:,.4g}", meaning[name]] for name, value in figures.items()]
