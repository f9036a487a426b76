"""The free root: six coordinates that translate and rotate an object, before its other coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.errors import InputError
from neurok.geometry.arrays import Array, namespace, permuted
from neurok.geometry.quaternions import (
    normalised,
    quaternion_exp,
    quaternion_log,
    quaternion_multiply,
    quaternion_to_matrix,
)
from neurok.geometry.rotation_jets import rotation_and_integral, rotation_jets
from neurok.geometry.rotations import exp_so3
from neurok.kinematics.defaults import PhysicalDefaults
from neurok.kinematics.jets.jet import Jet, Jets, Recentred
from neurok.kinematics.mass import Mass
from neurok.kinematics.protocol import Kinematics, Quantity

ROOT = tuple(f"root.{c}" for c in ("x", "y", "z", "rx", "ry", "rz"))


class FreeRootKinematics(Kinematics):
    """x = R (x_inner − o) + o + t with R = exp[w]ₓ and q = (t, w, q_inner); t is in the shape's units.

    The pivot o is the centre of the rest shape. Multiplying the map of every handle from the left moves a
    skin rigidly, so the code has the layout of the inner kinematics.
    """

    def __init__(self, inner: Kinematics) -> None:
        if inner.basis.skin is None:
            raise InputError(
                inner.shape.name, "its vertices are not skinned to handles", "Keep its root fixed"
            )
        free = torch.tensor([[-torch.inf, torch.inf]] * len(ROOT), dtype=torch.float64)
        self.inner, self.shape, self.basis = inner, inner.shape, inner.basis
        self.names = (*ROOT, *inner.names)
        self.rest = torch.cat([torch.zeros(len(ROOT), dtype=torch.float64), inner.rest])
        self.limits = torch.cat([free, inner.limits])
        self.pivot: Float[Tensor, "3"] = torch.tensor(self.shape.normalisation.centre)

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """R (A_h − o) + o + t for the map A_h of every handle."""
        maps = self.inner.code(q[..., 6:]).unflatten(-1, (-1, 3, 4))
        rotation = exp_so3(q[..., 3:6])[..., None, :, :]
        linear = rotation @ maps[..., :3]
        offset = (rotation @ (maps[..., 3] - self.pivot)[..., None])[..., 0] + self.pivot + q[..., None, :3]
        return torch.cat([linear, offset[..., None]], dim=-1).flatten(-3)

    @property
    def own(self) -> Kinematics:
        return self.inner

    @property
    def root_dim(self) -> int:
        return len(ROOT)

    @cached_property
    def jets(self) -> FreeRootJets:
        """c(q) with its derivatives."""
        return free_root_jets(self)

    def mass(self, per_vertex: Float[Tensor, " n"] | None = None) -> Mass:
        return self.inner.mass(per_vertex)

    @property
    def material_stiffness(self) -> Float[Tensor, "k k"] | None:
        own = self.inner.material_stiffness
        return None if own is None else torch.block_diag(torch.zeros(len(ROOT), len(ROOT)).to(own), own)

    @property
    def joint_damping(self) -> Float[Tensor, " k"]:
        return torch.cat([torch.zeros(len(ROOT), dtype=torch.float64), self.inner.joint_damping])

    @property
    def pose_deviation(self) -> Float[Tensor, " k"]:
        """Standard deviation of random poses, in which the root stays at rest."""
        return torch.cat([torch.zeros(len(ROOT), dtype=torch.float64), self.inner.pose_deviation])

    @property
    def defaults(self) -> PhysicalDefaults:
        return self.inner.defaults

    def describe(self) -> str:
        return f"{self.inner.describe()}, with a free root"

    def quantity(self, name: str) -> Quantity:
        if name in ROOT:
            return "angle" if name in ROOT[3:] else "length"
        return self.inner.quantity(name)


def with_free_root(kinematics: Kinematics) -> Kinematics:
    """The kinematics with a free root; itself if it has one."""
    return kinematics if kinematics.root_dim else FreeRootKinematics(kinematics)


@dataclass(frozen=True, eq=False)
class FreeRootJets(Jets):
    """Derivatives of R (A − o) + o + t, R = exp[w]ₓ R₀, from those of the inner code A.

    Rotation vectors are singular at |w| = 2π, and the equations of motion are isotropic only at w = 0.
    `recentred` therefore moves the rotation of w into R₀. A simulation recentres after every step.
    """

    inner: Jets
    pivot: Float[Array, "3 m"]  # o as the offset of every handle; columns are those of all maps
    offsets: Float[Array, "1 m"]  # 1 in the columns that are offsets
    rotation_vectors: tuple[int, ...]  # first coordinate of each rotation vector, that of the root left out
    turned: Float[Array, "b 4"] | None = None  # R₀ as a quaternion (w, x, y, z); None: not turned

    def __call__(self, q: Float[Array, "b k"], v: Float[Array, "b k"] | None) -> Jet:
        xp, b, k = namespace(q), len(q), q.shape[1] - 6
        inner = self.inner(q[:, 6:], None if v is None else v[:, 6:])
        A, m = inner.code - self.pivot, self.pivot.shape[1]
        (turn,) = rotation_jets(q[:, 3:6].T, None if v is None else v[:, 3:6].T, 1)
        turn = permuted(turn, 3, 0, 1, 2)  # b rows 3 3
        R, by_w = turn[:, 0], turn[:, 1:4]
        before = None if self.turned is None else quaternion_to_matrix(self.turned)
        if before is not None:
            R, by_w = R @ before, by_w @ before[:, None]
        shift = xp.broadcast_to(xp.eye(3, dtype=q.dtype)[:, :, None] * self.offsets, (b, 3, 3, m))
        code = R @ A + self.pivot + q[:, :3, None] * self.offsets
        slope = xp.concatenate([shift, by_w @ A[:, None], R[:, None] @ inner.slope], 1)
        if v is None:
            return Jet(code, slope, None)
        by_w_rate = turn[:, 4:] if before is None else turn[:, 4:] @ before[:, None]
        A_rate = (v[:, None, 6:] @ inner.slope.reshape(b, k, 3 * m)).reshape(b, 3, m)
        R_rate = (v[:, None, 3:6] @ by_w.reshape(b, 3, 9)).reshape(b, 1, 3, 3)
        turning = by_w_rate @ A[:, None] + by_w @ A_rate[:, None]
        carried = R_rate @ inner.slope + R[:, None] @ inner.bend
        return Jet(code, slope, xp.concatenate([0 * shift, turning, carried], 1))

    def recentred(self, q: Float[Array, "b k"]) -> Recentred:
        """The same pose with w = 0; D = V(w) takes ẇ to the angular velocity."""
        xp, w = namespace(q), q[:, 3:6]
        turn = quaternion_exp(w)
        turned = turn if self.turned is None else quaternion_multiply(turn, self.turned)
        turned = normalised(turned)
        still = xp.concatenate([q[:, :3], 0 * w, q[:, 6:]], -1)
        below = super().recentred(still)
        blocks = ((3, rotation_and_integral(w, 0 * w)[1]), *below.blocks)
        return Recentred(replace(self, turned=turned), below.q, blocks)

    def merged(self, other: FreeRootJets, pick: Callable[[Array, Array], Array]) -> FreeRootJets:
        return self if self.turned is None else replace(self, turned=pick(self.turned, other.turned))

    def in_world(self, q: Float[Array, "b k"]) -> Float[Array, "b k"]:
        """Coordinates of the same pose with R₀ = 1 and |w| ≤ π."""
        if self.turned is None:
            return q
        xp = namespace(q)
        whole = quaternion_multiply(quaternion_exp(q[:, 3:6]), self.turned)
        return xp.concatenate([q[:, :3], quaternion_log(whole), q[:, 6:]], -1)


def free_root_jets(kinematics: FreeRootKinematics) -> FreeRootJets:
    offsets = torch.tensor([0.0, 0.0, 0.0, 1.0], dtype=torch.float64)
    offsets = offsets.repeat(kinematics.inner.code(kinematics.inner.rest).shape[-1] // 12)[None]
    inner = kinematics.inner.jets
    below = tuple(len(ROOT) + first for first in inner.rotation_vectors)
    return FreeRootJets(inner, kinematics.pivot[:, None] * offsets, offsets, below)
