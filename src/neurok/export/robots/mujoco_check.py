"""Checks a file in MuJoCo: loads it, simulates it and lists the bodies that touch at rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from neurok.errors import InputError
from neurok.shapes.robots.mujoco_warnings import collected_warnings

MARGIN = 1e-3  # relative to the model's extent: bodies closer than this touch


@dataclass(frozen=True)
class MujocoReport:
    """The result of simulating a file in MuJoCo."""

    joints: tuple[str, ...]
    total_mass: float  # kg
    steps: int
    max_speed: float  # largest |q̇| at any step, rad/s or m/s
    warnings: tuple[str, ...]  # names of MuJoCo's warnings

    @property
    def is_sound(self) -> bool:
        """Whether the simulation completed without warnings and without NaN."""
        return not self.warnings and bool(np.isfinite(self.max_speed))


def check_in_mujoco(path: str | Path, steps: int = 1000) -> MujocoReport:
    """Loads a URDF or MJCF file in MuJoCo and simulates it under gravity."""
    mujoco = _mujoco()
    model = _loaded(Path(path))
    data = mujoco.MjData(model)
    speed = 0.0
    with collected_warnings() as messages:
        for _ in range(steps):
            mujoco.mj_step(model, data)
            speed = max(speed, float(np.abs(data.qvel).max(initial=0.0)))
            if not np.isfinite(data.qpos).all() or not np.isfinite(speed):
                speed = np.nan
                break
    kinds = mujoco.mjtWarning.__members__.values()
    raised = [w.name for w in kinds if w.name != "mjNWARNING" and data.warning[int(w)].number]
    joints = tuple(model.joint(i).name for i in range(model.njnt))
    return MujocoReport(
        joints, float(model.body_mass.sum()), steps, speed, tuple(dict.fromkeys([*raised, *messages]))
    )


def touching_bodies(path: Path) -> tuple[tuple[str, str], ...]:
    """Pairs of bodies that touch or overlap at rest, within `MARGIN`."""
    mujoco = _mujoco()
    model = _loaded(path)
    model.geom_margin[:] = MARGIN * model.stat.extent
    data = mujoco.MjData(model)
    with collected_warnings():
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
    bodies = model.geom_bodyid[data.contact.geom].reshape(-1, 2)
    pairs = np.unique(np.sort(bodies, axis=1), axis=0) if len(bodies) else bodies
    return tuple((model.body(int(i)).name, model.body(int(j)).name) for i, j in pairs)


def _mujoco() -> Any:
    """The MuJoCo library, imported on first use; its members have no static types."""
    import mujoco

    return mujoco


def _loaded(path: Path) -> Any:
    mujoco = _mujoco()
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        cause = " ".join(str(error).split())
        raise InputError(path, f"MuJoCo refuses it: {cause}", "Fix what it names, or export again") from error
