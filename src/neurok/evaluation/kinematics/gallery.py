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


class Gallery:
    """Takes answers as they come; a strip is drawn when an object's last method has answered."""

    def __init__(self, folder: Path, methods: list[str]) -> None:
        self.folder, self.methods = folder, methods
        self.rows: list[tuple[str, str]] = []  # name of the object, file of its strip
        self._answers: dict[str, tuple[np.ndarray, float]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, case: Case, target: int, method: str, vertices: np.ndarray, errors: Errors) -> None:
        """The first pose of each object is shown."""
        if target:
            return
        self._answers[method] = vertices, errors.chamfer_l1
        if len(self._answers) == len(self.methods):
            self.rows.append((case.name, self._strip(case).name))
            self._answers = {}

    def _strip(self, case: Case) -> Path:
        frames = [case.shape.vertices, case.targets[0], *(v for v, _ in self._answers.values())]
        labels = ["at rest", "to be found", *(f"{m} {e:.3f}" for m, (_, e) in self._answers.items())]
        shown = Sequence(case.shape, np.stack(frames), fps=1.0)
        sheet = contact_sheet(
            shown, columns=len(frames), count=len(frames), labels=labels, width=CELL, height=CELL
        )
        return save_image(sheet, self.folder / (case.name.replace("/", "_") + ".png"))

    def write(self) -> Path:
        """The page that shows all strips."""
        body = "\n".join(
            f'<h3>{html.escape(name)}</h3><img src="{html.escape(file)}" loading="lazy">'
            for name, file in self.rows
        )
        page = (
            '<!doctype html><meta charset="utf-8"><title>neurok eval kinematics</title>'
            "<style>body{font:15px sans-serif;margin:2em}img{max-width:100%}</style>"
            "<h1>Poses of held-out objects</h1><p>Numbers are Chamfer-L1, in radii of the object.</p>\n"
        )
        return write_bytes(self.folder / "index.html", (page + body + "\n").encode())
