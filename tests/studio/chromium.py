"""Runs the studio in a real browser for the tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from colorsys import rgb_to_hsv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from neurok.benchmarks.studio import ARGUMENTS, find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 240.0  # s: test machines may be busy


@contextmanager
def open_studio(folder: Path, *arguments: str) -> Iterator[str]:
    """The address of `neurok studio` in a child process."""
    command = [sys.executable, "-m", "neurok", "studio", "--port", "0", "--no-browser", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=folder, env=_environment()
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[2]
        finally:
            process.kill()


def _environment() -> dict[str, str]:
    package = str(Path(__file__).parents[2] / "src")
    return os.environ | {"PYTHONPATH": package, "OMP_NUM_THREADS": "1"}


@contextmanager
def open_browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # takes a second to import

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


def visit(browser: Browser, address: str) -> Page:
    """A page with its first object loaded. Script errors fail the test."""
    page = browser.new_page(viewport={"width": 760, "height": 480})
    page.on("pageerror", lambda error: page.evaluate("e => (window.failed = e)", str(error)))
    page.set_default_timeout(1e3 * PATIENCE)
    page.goto(address)
    wait(page, "window.studio && studio.stats.ready > 0 && studio.stats.frames > 0")
    return page


def wait(page: Page, condition: str, patience: float = PATIENCE) -> None:
    """Waits until an expression holds by polling, because the page's content security policy forbids eval."""
    deadline = time.monotonic() + patience
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"{condition} did not come true: {page.inner_text('#message')}"
        page.wait_for_timeout(100)
    assert page.evaluate("window.failed ?? null") is None


def reset(page: Page) -> None:
    """Resets the object and waits until the page shows it at rest."""
    page.click("#reset")
    wait(page, "studio.stats.q.every((x) => Math.abs(x) < 0.02)")


def grip(page: Page) -> tuple[float, float, int]:
    """A pixel on the object and the vertex under it."""
    found = page.evaluate(
        """() => { for (let y = 60; y < 440; y += 10) for (let x = 20; x < 430; x += 10) {
            const hit = studio.place(x, y); if (hit) return [x, y, hit.vertex]; } }"""
    )
    assert found, "nothing is drawn"
    return tuple(found)


def set_slider(page: Page, name: str, value: float) -> None:
    """Sets a slider as a user does; the simulation stands still while a coordinate is held."""
    page.locator(f"#{name}").evaluate(
        "(e, value) => { e.value = value; e.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def colour_at(picture: np.ndarray, x: int, y: int) -> str:
    """The name of a pixel's hue."""
    hue, saturation, _ = rgb_to_hsv(*(picture[y, x] / 255.0))
    if saturation < 0.3:
        return "grey"
    return ("red", "yellow", "green", "cyan", "blue", "magenta")[round(6 * hue) % 6]
