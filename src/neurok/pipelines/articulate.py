"""`articulate`: a file or shape in, an `Articulation` that MuJoCo accepts out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from neurok.articulation.articulation import Articulation, Following, JointHint
from neurok.articulation.decision import predict_joints
from neurok.articulation.files import check_in_mujoco
from neurok.articulation.parts.find import Parts, find_parts, found_parts
from neurok.errors import InputError
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

PartsChoice = Literal["auto", "file", "components"]


def articulate(
    item: str | Path | Shape | Parts,
    *,
    parts: PartsChoice = "auto",
    joints: Mapping[str, JointHint] = {},
    fixed: Collection[str] = (),
    follows: Mapping[str, Following] = {},
    seed: int = 0,
    model: Path | None = None,
    check: bool = True,
) -> Articulation:
    """Predict the joints of a static object: `neurok.articulate("cabinet.glb").save("cabinet.urdf")`.

    `parts` selects the source of the rigid parts; an item of type `Parts` is used unchanged. `joints`,
    `fixed` and `follows` are known facts by part name; the rest is predicted. `model` is a weights file in
    place of the shipped one. Unless `check` is off, MuJoCo loads the mechanism, steps it and moves every
    joint; a failure raises `InputError`.
    """
    if not isinstance(item, Parts):
        item = parts_of(item if isinstance(item, Shape) else load_shape(item), parts)
    articulation = predict_joints(item, joints=joints, fixed=fixed, follows=follows, seed=seed, model=model)
    if check:
        check_in_mujoco(articulation)
    return articulation


def parts_of(shape: Shape, choice: PartsChoice = "auto") -> Parts:
    """The rigid parts: as the file names them, or found on the surface."""
    if choice == "components":
        return found_parts(shape)
    if choice == "file" and len(np.unique(shape.part)) < 2:
        raise InputError(shape.name, "names one part only", "Use --parts components, or name its parts")
    return find_parts(shape)
