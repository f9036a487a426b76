"""How a mechanism is moved for a data set: rest, each joint alone to its limits, several at once."""

from __future__ import annotations

import torch

from neurok.kinematics import JointKinematics, animate
from neurok.kinematics.trajectories import random_sweep
from neurok.sequences import Sequence

FPS = 15.0
MOST_ALONE = 8  # joints shown alone; a mechanism of fifty shows these and all of them together


def joint_clips(kinematics: JointKinematics, frames: int, seed: int) -> tuple[Sequence, ...]:
    """Two clips of `frames` frames together, the first starting at rest.

    "alone": every joint by itself at even steps between its limits, both limits among them (a random eight
    where there are more). "together": a smooth motion of all joints inside their limits, from rest and back.
    """
    alone = _alone(kinematics, frames // 2, seed)
    together = random_sweep(kinematics, frames - len(alone), seed=seed, reach=torch.pi)
    return (
        animate(kinematics, alone, FPS, "alone"),
        animate(kinematics, together, FPS, "together"),
    )


def _alone(kinematics: JointKinematics, frames: int, seed: int) -> torch.Tensor:
    count = len(kinematics.names)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))[:MOST_ALONE].sort().values
    steps = max(2, (frames - 1) // len(order))
    limits = kinematics.finite_limits(torch.pi)
    poses = [kinematics.rest[None]]
    for i in order.tolist():
        q = kinematics.rest.repeat(steps, 1)
        q[:, i] = torch.linspace(float(limits[i, 0]), float(limits[i, 1]), steps, dtype=torch.float64)
        poses.append(q)
    return torch.cat(poses)
