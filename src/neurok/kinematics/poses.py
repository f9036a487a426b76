"""Sets of poses of any kinematics: sweeps, random poses, and poses over time as a `Sequence`."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.kinematics.protocol import Kinematics
from neurok.sequences import Sequence, SkinnedFrames


def animate(
    kinematics: Kinematics,
    q: Float[Tensor, "frames k"],
    fps: float = 30.0,
    name: str = "motion",
    lazy: bool = False,
) -> Sequence:
    """The sequence of poses x(q_t), with its rig where the basis is a skin.

    With `lazy`, the vertices of a skin are computed on access and not stored.
    """
    code = kinematics.code(q.detach())
    rig = kinematics.basis.rig(code)
    if rig is not None and lazy:
        positions = SkinnedFrames(kinematics.shape.vertices, rig)
        return Sequence(kinematics.shape, positions, fps, name, rig)
    positions = np.stack([kinematics.basis.apply(c).numpy(force=True).astype(np.float32) for c in code])
    return Sequence(kinematics.shape, positions, fps, name, rig)


def sweep(
    kinematics: Kinematics, frames_per_coordinate: int = 30, reach: float = 1.0
) -> Float[Tensor, "frames k"]:
    """Each coordinate in turn from rest to its limits and back, the others at rest.

    A coordinate without limits moves by ±`reach`. A coordinate that rests at a limit, such as that of a
    closed door, moves only towards its other limit.
    """
    lower, upper = kinematics.finite_limits(reach).unbind(-1)
    up, down = (upper - kinematics.rest).clamp(min=0), (kinematics.rest - lower).clamp(min=0)
    phase = torch.linspace(0, 2 * torch.pi, frames_per_coordinate, dtype=torch.float64)
    poses = []
    for i in range(len(kinematics.rest)):
        wave = torch.sin(phase) if up[i] > 0 and down[i] > 0 else (1 - torch.cos(phase)) / 2
        q = kinematics.rest.repeat(frames_per_coordinate, 1)
        q[:, i] += torch.where(wave > 0, wave * up[i], wave * down[i]) if up[i] > 0 else -wave * down[i]
        poses.append(q)
    return torch.cat(poses) if poses else kinematics.rest.repeat(frames_per_coordinate, 1)


def random_poses(
    kinematics: Kinematics, count: int, seed: int = 0, reach: float = 1.0
) -> Float[Tensor, "count k"]:
    """Poses drawn uniformly between the limits (±`reach` about rest where there are none)."""
    generator = torch.Generator().manual_seed(seed)
    lower, upper = kinematics.finite_limits(reach).unbind(-1)
    u = torch.rand(count, len(lower), generator=generator, dtype=torch.float64)
    return lower + u * (upper - lower)


def sample_poses(kinematics: Kinematics, count: int, seed: int = 0) -> Float[Tensor, "count k"]:
    """Plausible poses within the limits: drawn from the prior where there is one, else uniformly."""
    if kinematics.prior is None:
        return random_poses(kinematics, count, seed)
    return kinematics.prior.sample(count, seed).clamp(*kinematics.limits.unbind(-1))
