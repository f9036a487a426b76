"""What MuJoCo makes of a file: does it load, does it step, what touches as drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from neurok.errors import InputError

MARGIN = 1e-3  # of the model's extent: closer than this is touching


@dataclass(frozen=True)
class MujocoReport:
    """What happened when MuJoCo simulated a file."""

    joints: tuple[str, ...]
    total_mass: float  # kg
    steps: int
    max_speed: float  # largest |q̇| at any step, rad/s or m/s
    warnings: tuple[str, ...]  # what MuJoCo complained about, by name

    @property
    def is_sound(self) -> bool:
        """Whether it ran to the end without a complaint and without a NaN."""
        return not self.warnings and bool(np.isfinite(self.max_speed))


def check_in_mujoco(path: str | Path, steps: int = 1000) -> MujocoReport:
    """Load a URDF or MJCF file in MuJoCo and let it move under gravity."""
    mujoco = _mujoco()
    model = _loaded(Path(path))
    data = mujoco.MjData(model)
    speed = 0.0
    with _quiet() as messages:
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
    """Pairs of bodies that touch or overlap as drawn, to a thousandth of the model's extent."""
    mujoco = _mujoco()
    model = _loaded(path)
    model.geom_margin[:] = MARGIN * model.stat.extent
    data = mujoco.MjData(model)
    with _quiet():
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
    bodies = model.geom_bodyid[data.contact.geom].reshape(-1, 2)
    pairs = np.unique(np.sort(bodies, axis=1), axis=0) if len(bodies) else bodies
    return tuple((model.body(int(i)).name, model.body(int(j)).name) for i, j in pairs)


def _mujoco() -> Any:
    """The library, imported when it is first needed; its members have no static types."""
    import mujoco

    return mujoco


def _loaded(path: Path) -> Any:
    mujoco = _mujoco()
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        cause = " ".join(str(error).split())
        raise InputError(
            path, f"MuJoCo refuses it: {cause}", "Mend what it names, or export again"
        ) from error


@contextmanager
def _quiet() -> Iterator[list[str]]:
    """Collect MuJoCo's warnings; by itself it appends them to a log in the working folder."""
    mujoco = _mujoco()
    messages: list[str] = []
    mujoco.set_mju_user_warning(messages.append)
    try:
        yield messages
    finally:
        mujoco.set_mju_user_warning(None)
