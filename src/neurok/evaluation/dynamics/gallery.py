"""Draws each pushed object at rest, after its true motion and after its simulated motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from neurok.evaluation.picture_page import write_picture_page
from neurok.rendering import contact_sheet, save_image
from neurok.sequences import Sequence
from neurok.shapes import Shape

CELL = 260  # pixels


def draw(shape: Shape, name: str, last: tuple[np.ndarray, np.ndarray], error: float, folder: Path) -> Path:
    """Draws and saves the strip of one object."""
    frames = np.stack([shape.vertices, *last])
    labels = ["at rest", "MuJoCo after 1 s", f"learned, error {error:.0%}"]
    sheet = contact_sheet(
        Sequence(shape, frames, fps=1.0), columns=3, count=3, labels=labels, width=CELL, height=CELL
    )
    folder.mkdir(parents=True, exist_ok=True)
    return save_image(sheet, folder / (name.replace("/", "_") + ".png"))


def write_page(folder: Path, strips: list[tuple[str, float, Path]]) -> Path:
    """Writes the page of all strips, the largest error first."""
    ordered = sorted(strips, key=lambda strip: -strip[1])
    return write_picture_page(
        folder, "neurok eval dynamics", "Pushed objects in their learned space and in MuJoCo",
        "Percentages are the mean error over a second, relative to the amplitude of the true motion.",
        [(f"{error:.0%} {name}", picture) for name, error, picture in ordered],
    )  # fmt: skip
