"""Draws the sheet of docs/kinematics.md: held-out objects, their true motion, fitted poses and samples.

  python scripts/make_sheet.py STORE -o docs/pictures/kinematics.png

A row per object: the rest pose, a true pose, that pose fitted in the learned space (with known vertices), and
samples with a fixed support.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from jaxtyping import Bool
from PIL import Image

from neurok.datasets.store.store import Store
from neurok.dynamics import standing_base
from neurok.evaluation.kinematics import Case, cases_of
from neurok.kinematics import sample_poses
from neurok.kinematics.inverse import FitConfig, fit_in, fit_vertices
from neurok.latent import NeuROK
from neurok.latent.reduction import FOR_FITTING
from neurok.pipelines.choose import Surroundings, choose_kinematics, fitting_spaces
from neurok.rendering import contact_sheet, save_image
from neurok.sequences import Sequence
from neurok.shapes import Shape

OBJECTS = (
    "generated/laptop/000000", "generated/scissors/000000", "generated/fan/000001",
    "generated/window/000002", "generated/folding_chair/000000", "generated/curtain/000001",
    "articulated_synthetic/chest_freezer_with_hinged_lid_01", "articulated_synthetic/glasses_01",
    "articulated_synthetic/wheelbarrow_02", "articulated_real/furniture_sim/microwave",
    "articulated_real/furniture_sim/hingecabinet",
    "animated_free/qt_animals_Wolf",
)  # fmt: skip
HANGING, TOP = ("curtain",), 0.02  # objects fixed at the top, and the fixed share of the height
SAMPLES, CELL = 4, 150
POINTS = 2000  # vertices of the fit


def held(shape: Shape) -> Bool[np.ndarray, " n"]:
    """Mask of the fixed vertices: the top of a hanging object, the base of a standing one."""
    height = shape.vertices[:, 1]
    hangs = any(word in shape.name for word in HANGING)
    return height > height.max() - TOP * np.ptp(height) if hangs else standing_base(shape)


def row(case: Case, model: NeuROK) -> Image.Image:
    """Row of one object."""
    bare = Shape(case.shape.vertices, case.shape.faces, case.shape.name, frame=case.shape.frame)
    few = choose_kinematics(bare, surroundings=Surroundings(pinned=held(bare))).kinematics
    true = case.targets[0]
    seen = np.random.default_rng(0).permutation(len(true))[:POINTS]
    spaces, config = fitting_spaces(bare, model, FOR_FITTING), FitConfig(starts=2)
    many, fit = fit_in(spaces, lambda space: fit_vertices(space, seen, true[seen], config))
    found = many.positions(fit.q).numpy()
    drawn = few.positions(sample_poses(few, SAMPLES, seed=1)).numpy()[:, : len(true)]
    frames = np.stack([case.shape.vertices, true, found, *drawn])
    error = np.linalg.norm(found - true, axis=-1).mean()
    labels = [
        case.category[:20],
        "true",
        f"learned, error {error:.3f}",
        *(f"{few.dim} coordinates",) * SAMPLES,
    ]
    shown = Sequence(case.shape, frames, fps=1.0)
    return contact_sheet(
        shown, columns=len(frames), count=len(frames), labels=labels, width=CELL, height=CELL
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--model", type=Path)
    options = parser.parse_args()
    store, model = Store.open(options.store), NeuROK.from_pretrained(options.model)
    rows = [row(case, model) for case in cases_of(store, list(OBJECTS), poses=1, seed=0)]
    sheet = Image.new("RGB", (rows[0].width, sum(r.height for r in rows)), "white")
    for k, strip in enumerate(rows):
        sheet.paste(strip, (0, k * strip.height))
    print(f"wrote {save_image(sheet, options.output)}")


if __name__ == "__main__":
    main()
