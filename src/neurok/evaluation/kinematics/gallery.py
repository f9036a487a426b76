"""Draws each object at rest, in its target pose, and as predicted by each method."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from neurok.evaluation.kinematics.cases import Case
from neurok.evaluation.metrics import Errors
from neurok.evaluation.picture_page import write_picture_page
from neurok.rendering import contact_sheet, save_image
from neurok.sequences import Sequence

CELL = 200  # pixels


class Strip:
    """Collects the predictions of all methods for the first pose, and draws them side by side."""

    def __init__(self) -> None:
        self.predictions: dict[str, tuple[np.ndarray, float]] = {}

    def __call__(self, case: Case, target: int, method: str, vertices: np.ndarray, errors: Errors) -> None:
        if target == 0:
            self.predictions[method] = vertices, errors.chamfer_l1

    def draw(self, case: Case, folder: Path) -> Path:
        frames = [case.shape.vertices, case.targets[0], *(v for v, _ in self.predictions.values())]
        labels = ["at rest", "target", *(f"{e:.3f} {m}" for m, (_, e) in self.predictions.items())]
        sheet = contact_sheet(
            Sequence(case.shape, np.stack(frames), fps=1.0), columns=len(frames), count=len(frames),
            labels=labels, width=CELL, height=CELL,
        )  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        return save_image(sheet, folder / (case.name.replace("/", "_") + ".png"))


def write_page(folder: Path, strips: list[Path]) -> Path:
    """Writes the page of all strips."""
    note = "Numbers are Chamfer-L1 distances in radii of the object."
    titled = [(strip.stem, strip) for strip in strips]
    return write_picture_page(folder, "neurok eval kinematics", "Poses of held-out objects", note, titled)
