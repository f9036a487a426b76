"""Rigid motions as unit dual quaternions, in torch: predicted as a residual, applied.

q = r + ε d with |r| = 1 and r · d = 0 is the motion x ↦ R(r) x + t with t = 2 d r* (vector part). r and d
together with their negatives are one motion.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

Quaternions = Float[Tensor, "*batch 4"]
DualQuaternions = Float[Tensor, "*batch 8"]


def unit_dual(residual: Float[Tensor, "*batch 8"]) -> DualQuaternions:
    """The unit dual quaternion nearest to identity + residual: r/|r|, and d/|r| without its share along r."""
    identity = torch.zeros(8, dtype=residual.dtype, device=residual.device)
    identity[0] = 1
    return normalised_dual(residual + identity)


def normalised_dual(dual: DualQuaternions) -> DualQuaternions:
    real, moment = dual[..., :4], dual[..., 4:]
    length = (real.square().sum(-1, keepdim=True) + 1e-12).sqrt()
    real, moment = real / length, moment / length
    return torch.cat([real, moment - (real * moment).sum(-1, keepdim=True) * real], dim=-1)


def from_rotation_translation(
    rotation: Quaternions, translation: Float[Tensor, "*batch 3"]
) -> DualQuaternions:
    """d = ½ t r."""
    zero = torch.zeros_like(translation[..., :1])
    return torch.cat([rotation, 0.5 * multiply(torch.cat([zero, translation], -1), rotation)], dim=-1)


def to_matrix(dual: DualQuaternions) -> Float[Tensor, "*batch 3 4"]:
    """[R | t]."""
    real, moment = dual[..., :4], dual[..., 4:]
    conjugate = real * real.new_tensor([1, -1, -1, -1])
    shift = 2 * multiply(moment, conjugate)[..., 1:]
    return torch.cat([rotation_matrix(real), shift[..., None]], dim=-1)


def multiply(a: Quaternions, b: Quaternions) -> Quaternions:
    """The Hamilton product, (w, x, y, z)."""
    w, v, u, s = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    real = w * u - (v * s).sum(-1, keepdim=True)
    return torch.cat([real, w * s + u * v + torch.cross(v, s, dim=-1)], dim=-1)


def rotation_matrix(q: Quaternions) -> Float[Tensor, "*batch 3 3"]:
    """R of unit quaternions."""
    w, x, y, z = q.unbind(-1)
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return torch.stack(rows, dim=-1).unflatten(-1, (3, 3))


def apply(maps: Float[Tensor, "*batch 3 4"], points: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3"]:
    """R x + t."""
    return (maps[..., :3] @ points[..., None])[..., 0] + maps[..., 3]


def about(
    maps: Float[Tensor, "*batch 3 4"], centre: Float[Tensor, "*batch 3"]
) -> Float[Tensor, "*batch 3 4"]:
    """The same motion with its origin moved from 0 to `centre`: x ↦ R (x − c) + c + t."""
    shift = maps[..., 3] + centre - (maps[..., :3] @ centre[..., None])[..., 0]
    return torch.cat([maps[..., :3], shift[..., None]], dim=-1)
