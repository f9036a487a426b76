"""A page of pictures: every object at rest, in the pose to be found, and as each method found it."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np

from neurok.evaluation.kinematics.cases import Case
from neurok.evaluation.metrics import Errors
from neurok.rendering import contact_sheet, save_image
from neurok.sequences import Sequence
from neurok.writing import write_bytes

CELL = 200  # pixels


class Strip:
    """Takes the methods' answers for an object's first pose as they come, and draws them side by side."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[np.ndarray, float]] = {}

    def __call__(self, case: Case, target: int, method: str, vertices: np.ndarray, errors: Errors) -> None:
        if target == 0:
            self.answers[method] = vertices, errors.chamfer_l1

    def draw(self, case: Case, folder: Path) -> Path:
        frames = [case.shape.vertices, case.targets[0], *(v for v, _ in self.answers.values())]
        labels = ["at rest", "to be found", *(f"{e:.3f} {m}" for m, (_, e) in self.answers.items())]
        sheet = contact_sheet(
            Sequence(case.shape, np.stack(frames), fps=1.0), columns=len(frames), count=len(frames),
            labels=labels, width=CELL, height=CELL,
        )  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        return save_image(sheet, folder / (case.name.replace("/", "_") + ".png"))


def write_page(folder: Path, strips: list[Path]) -> Path:
    """The page that shows all strips."""
    body = "\n".join(
        f'<h3>{html.escape(strip.stem)}</h3><img src="{html.escape(strip.name)}" loading="lazy">'
        for strip in strips
    )
    page = (
        '<!doctype html><meta charset="utf-8"><title>neurok eval kinematics</title>'
        "<style>body{font:15px sans-serif;margin:2em}img{max-width:100%}</style>"
        "<h1>Poses of held-out objects</h1><p>Numbers are Chamfer-L1, in radii of the object.</p>\n"
    )
    return write_bytes(folder / "index.html", (page + body + "\n").encode())
