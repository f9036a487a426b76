"""A page of pictures: every pushed object at rest, where it truly went, where its learned space took it."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np

from neurok.rendering import contact_sheet, save_image
from neurok.sequences import Sequence
from neurok.shapes import Shape
from neurok.writing import write_bytes

CELL = 260  # pixels


def draw(shape: Shape, name: str, last: tuple[np.ndarray, np.ndarray], error: float, folder: Path) -> Path:
    """One strip."""
    frames = np.stack([shape.vertices, *last])
    labels = ["at rest", "MuJoCo after 1 s", f"learned, {error:.0%} off"]
    sheet = contact_sheet(
        Sequence(shape, frames, fps=1.0), columns=3, count=3, labels=labels, width=CELL, height=CELL
    )
    folder.mkdir(parents=True, exist_ok=True)
    return save_image(sheet, folder / (name.replace("/", "_") + ".png"))


def write_page(folder: Path, strips: list[tuple[str, float, Path]]) -> Path:
    """The page that shows all strips, the worst first."""
    body = "\n".join(
        f'<h3>{error:.0%} {html.escape(name)}</h3><img src="{html.escape(strip.name)}" loading="lazy">'
        for name, error, strip in sorted(strips, key=lambda s: -s[1])
    )
    page = (
        '<!doctype html><meta charset="utf-8"><title>neurok eval dynamics</title>'
        "<style>body{font:15px sans-serif;margin:2em}img{max-width:100%}</style>"
        "<h1>Pushed objects in their learned space and in MuJoCo</h1><p>Shares are the mean error over a "
        "second, in amplitudes of the true motion.</p>\n"
    )
    return write_bytes(folder / "index.html", (page + body + "\n").encode())
