"""Moves a mechanism for recording: each joint alone between its limits, then all joints together."""

from __future__ import annotations

import torch

from neurok.kinematics import LinkedKinematics, animate
from neurok.kinematics.trajectories import random_sweep
from neurok.sequences import Sequence

FPS = 15.0
MAX_SINGLE_JOINTS = 8  # joints that are swept one at a time


def joint_clips(kinematics: LinkedKinematics, frames: int, seed: int) -> tuple[Sequence, ...]:
    """Two clips with `frames` frames in total; the first starts at rest.

    "alone" moves one joint at a time in even steps from limit to limit, for at most MAX_SINGLE_JOINTS random
    joints. "together" is a smooth motion of all joints inside their limits, from rest and back.
    """
    alone = _alone(kinematics, frames // 2, seed)
    together = random_sweep(kinematics, frames - len(alone), seed=seed, reach=torch.pi)
    return (
        animate(kinematics, alone, FPS, "alone"),
        animate(kinematics, together, FPS, "together"),
    )


def _alone(kinematics: LinkedKinematics, frames: int, seed: int) -> torch.Tensor:
    count = len(kinematics.names)
    order = (
        torch.randperm(count, generator=torch.Generator().manual_seed(seed))[:MAX_SINGLE_JOINTS].sort().values
    )
    steps = max(2, (frames - 1) // len(order))
    limits = kinematics.finite_limits(torch.pi)
    poses = [kinematics.rest[None]]
    for i in order.tolist():
        q = kinematics.rest.repeat(steps, 1)
        q[:, i] = torch.linspace(float(limits[i, 0]), float(limits[i, 1]), steps, dtype=torch.float64)
        poses.append(q)
    return torch.cat(poses)
