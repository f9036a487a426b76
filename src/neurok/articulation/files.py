"""Writes an articulation: the mechanism as URDF or MJCF, or a sweep of its joints as GLB or USD."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from neurok.articulation.articulation import Articulation
from neurok.articulation.mujoco_reload import Reload, check_reload
from neurok.errors import InputError
from neurok.export import check_usd, save
from neurok.kinematics import animate, sweep
from neurok.sequences import Sequence
from neurok.shapes import Shape

ROBOTS, MOTIONS = (".urdf", ".xml"), (".glb", ".usd", ".usda", ".usdc", ".usdz")
FPS = 30.0
SWEEP_SECONDS = 2.0  # for each joint


def check_suffix(path: Path) -> None:
    """Refuse a file that joints cannot be written to, before anything is computed."""
    if path.suffix.lower() not in ROBOTS + MOTIONS:
        what = path.suffix or "a file without suffix"
        raise InputError(
            path, f"joints can't be written as {what}", f"Known are {', '.join(ROBOTS + MOTIONS)}"
        )
    check_usd(path)


@lru_cache(maxsize=1)  # a command reports the check of what it writes
def check_in_mujoco(articulation: Articulation, suffix: str = ".xml") -> Reload:
    """Write the mechanism to a temporary folder, load it in MuJoCo, step it, and move every joint.

    Raises `InputError` where MuJoCo refuses the file, warns, or moves a part to another place.
    """
    with TemporaryDirectory() as folder:
        trial = Path(folder) / f"trial{suffix if suffix in ROBOTS else '.xml'}"
        save(_shape(articulation), trial)
        return check_reload(trial, _shape(articulation))


def save_articulation(articulation: Articulation, path: Path) -> list[Path]:
    """Check the mechanism in MuJoCo, then write it. If nothing moves, a single rigid body is written."""
    check_suffix(path)
    check_in_mujoco(articulation, path.suffix.lower())
    is_still = path.suffix.lower() in ROBOTS or not articulation.moving
    return save(_shape(articulation) if is_still else swept(articulation), path)


def swept(articulation: Articulation) -> Sequence:
    """Every joint through its range in turn; an endless one a whole turn each way."""
    kinematics = articulation.kinematics
    q = sweep(kinematics, round(SWEEP_SECONDS * FPS), reach=2 * np.pi)
    return animate(kinematics, q, FPS, "sweep")


def _shape(articulation: Articulation) -> Shape:
    return articulation.shape_with_joints() if articulation.moving else articulation.shape.with_(joints=None)
