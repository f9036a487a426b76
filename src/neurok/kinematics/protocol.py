"""The one idea: a kinematic state parameterization is a pair (coordinates q, map F: q → geometry)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float
from scipy import sparse
from torch import Tensor

from neurok.sequences import Rig, Sequence, SkinnedFrames
from neurok.shapes import Shape


@runtime_checkable
class Basis(Protocol):
    """A map from a small code c ∈ R^r to all n vertices that is linear: x = B c."""

    def apply(self, code: Float[Tensor, "*batch r"]) -> Float[Tensor, "*batch n 3"]:
        """x = B c."""
        ...

    def gram(self, mass: Float[Tensor, " n"]) -> Float[Tensor, "r r"]:
        """Bᵀ m B over all vertices: computed once, it makes M(q) = (∂c/∂q)ᵀ (Bᵀ m B) (∂c/∂q) cost nothing
        that grows with the mesh."""
        ...

    def at(self, mix: sparse.csr_matrix) -> Callable[[Tensor], Tensor]:
        """c ↦ (*batch, s, 3): the points Σ_v mix_sv x_v alone, at a cost that does not grow with the mesh."""
        ...


@runtime_checkable
class Kinematics(Protocol):
    """Generalised coordinates q ∈ R^k of one shape, and the map x(q) = B c(q) to its vertices.

    A pure function of q, differentiable in torch, batched over leading dimensions of q, in float64.
    Joints, elastic modes and learned latents all have this form; what simulates, fits, samples or shows
    one of them does so for every one.
    """

    @property
    def shape(self) -> Shape: ...

    @property
    def names(self) -> tuple[str, ...]:
        """One per coordinate."""
        ...

    @property
    def rest(self) -> Float[Tensor, " k"]:
        """q of the input pose."""
        ...

    @property
    def limits(self) -> Float[Tensor, "k 2"]:
        """Lowest and highest value of each coordinate, ±inf where there is none."""
        ...

    @property
    def basis(self) -> Basis: ...

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """c(q): the small non-linear half of the map."""
        ...

    def positions(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch n 3"]:
        """x(q) = B c(q): every vertex, in the shape's own coordinates."""
        ...


def animate(
    kinematics: Kinematics,
    q: Float[Tensor, "frames k"],
    fps: float = 30.0,
    name: str = "motion",
    lazy: bool = False,
) -> Sequence:
    """The sequence of poses x(q_t). It keeps its rig when the basis is a skin.

    `lazy`: a skin's vertices are computed when they are asked for and never kept.
    """
    from neurok.kinematics.skinned import SkinBasis

    code = kinematics.code(q.detach())
    rig = None
    if isinstance(kinematics.basis, SkinBasis):
        transforms = code.reshape(len(q), -1, 3, 4).numpy(force=True)
        rig = Rig(kinematics.basis.skin, transforms)
        if lazy:
            positions = SkinnedFrames(kinematics.shape.vertices, rig)
            return Sequence(kinematics.shape, positions, fps, name, rig)
    positions = np.stack([kinematics.basis.apply(c).numpy(force=True).astype(np.float32) for c in code])
    return Sequence(kinematics.shape, positions, fps, name, rig)


def sweep(
    kinematics: Kinematics, frames_per_coordinate: int = 30, reach: float = 1.0
) -> Float[Tensor, "frames k"]:
    """Each coordinate in turn from rest to its limits and back, the others at rest.

    A coordinate without limits turns or slides by ±`reach`. One that rests at a limit, as a closed door does,
    spends its whole turn on the side that is open to it.
    """
    lower, upper = finite_limits(kinematics, reach).unbind(-1)
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
    """Poses drawn evenly between the limits (±`reach` about rest where there are none)."""
    generator = torch.Generator().manual_seed(seed)
    lower, upper = finite_limits(kinematics, reach).unbind(-1)
    u = torch.rand(count, len(lower), generator=generator, dtype=torch.float64)
    return lower + u * (upper - lower)


def finite_limits(kinematics: Kinematics, reach: float) -> Float[Tensor, "k 2"]:
    """The limits, with rest ∓ reach in place of what is infinite."""
    rest = kinematics.rest[:, None] + torch.tensor([-reach, reach], dtype=torch.float64)
    return torch.where(torch.isfinite(kinematics.limits), kinematics.limits, rest)
