"""Draws each pushed object at rest, after the true motion and after the simulated motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float
from PIL import Image

from neurok.evaluation.picture_page import write_picture_page
from neurok.rendering import contact_sheet, save_image
from neurok.sequences import Sequence
from neurok.shapes import Shape

Array = np.ndarray
CELL = 200  # pixels
SHEET_ROWS, SHEET_COLUMNS = 8, 3  # strips on the sheet
PUSHED, OTHERS = np.array([[232, 120, 48, 255], [176, 184, 196, 255]], np.uint8)  # RGBA of bodies


def draw(
    user: Shape, own: Bool[Array, " n"], moved: list[Float[Array, "n 3"]], name: str, verdict: str,
    folder: Path,
) -> Path:  # fmt: skip
    """Draws and saves the strip of one object: at rest, with true joints, by the defaults.

    `own` marks the vertices of the pushed body.
    """
    colors = np.where(own[:, None], PUSHED, OTHERS)
    shape = Shape(user.vertices, user.faces, user.name, colors=colors, frame=user.frame)
    labels = [name.rpartition("/")[2][:28], "true joints", verdict]
    sheet = contact_sheet(
        Sequence(shape, np.stack([shape.vertices, *moved]), fps=1.0), columns=3, count=3, labels=labels,
        width=CELL, height=CELL,
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    return save_image(sheet, folder / (name.replace("/", "_") + ".png"))


def write_pages(folder: Path, strips: list[tuple[str, Path]]) -> list[Path]:
    """Writes the page of all captioned strips, and a sheet of some, evenly spaced among them."""
    note = "The pushed part is orange. Frames are those in which its true motion is largest."
    page = write_picture_page(
        folder, "neurok eval dynamics --as-user", "One push by default settings", note, strips
    )
    return [page, save_image(_sheet([path for _, path in strips]), folder / "sheet.png")]


def _sheet(paths: list[Path]) -> Image.Image:
    """Strips in SHEET_COLUMNS columns and at most SHEET_ROWS rows."""
    shown = np.linspace(0, len(paths) - 1, min(len(paths), SHEET_ROWS * SHEET_COLUMNS)).round().astype(int)
    images = [Image.open(paths[k]) for k in shown]
    width, height = (max(image.size[k] for image in images) for k in (0, 1))
    columns = min(SHEET_COLUMNS, len(images))
    sheet = Image.new("RGB", (columns * width, -(-len(images) // columns) * height), "white")
    for k, image in enumerate(images):
        sheet.paste(image, (k % columns * width, k // columns * height))
    return sheet
