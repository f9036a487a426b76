"""What an object weighs, as seen from its small code: the metric of kinetic energy, the pull of gravity."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import torch
from jaxtyping import Float
from scipy import sparse
from torch import Tensor

from neurok.geometry.arrays import Array
from neurok.kinematics import ElasticKinematics, JointKinematics, Kinematics
from neurok.kinematics.free_root import FreeKinematics
from neurok.kinematics.jets.jet import by_axis
from neurok.kinematics.skinned import SkinBasis
from neurok.shapes import Inertia, Link, Shape
from neurok.shapes.mass import part_inertia, vertex_mass


@dataclass(frozen=True, eq=False)
class Mass:
    """Sums over all mass points of x = B c, in kg and metres; their number no longer matters.

    T = ½ Σ m |ẋ|² = ½ ċ · G ċ, and Σ m x = Σ S c. Where the basis keeps axes apart, G is one block that
    serves each axis.
    """

    gram: Float[Array, "m m"]  # G = Bᵀ m B
    moment: Float[Array, "3 a m"]  # S: Σ m x_i = Σ S_i c
    total: Float[Array, ""]

    def times(self, rows: Float[Array, "*rows a m"]) -> Float[Array, "*rows a m"]:
        """G applied to codes."""
        return (rows.reshape(-1, len(self.gram)) @ self.gram).reshape(rows.shape)


def mass_of(kinematics: Kinematics, mass: Float[Tensor, " n"] | None = None) -> Mass:
    """The mass of an object: `mass` per vertex (kg), else what is known of it.

    Links weigh what their file says, with its inertia (see `mass_of_links`); elastic bodies are filled with
    their material; anything else is weighed by `shapes.mass.vertex_mass`. Differentiable in `mass`.
    """
    inner = kinematics.inner if isinstance(kinematics, FreeKinematics) else kinematics
    metres = inner.shape.frame.metres_per_unit
    if mass is None and isinstance(inner, JointKinematics):
        return mass_of_links(inner)
    if mass is None and isinstance(inner, ElasticKinematics):
        return _skinned(inner.body, inner.body_mass, metres)
    if mass is None:
        mass = torch.tensor(vertex_mass(inner.shape))
    if isinstance(inner.basis, SkinBasis):
        return _skinned(inner.basis, mass.double(), metres)
    gram, weight = inner.basis.gram(mass), sparse.csr_matrix(mass.numpy(force=True)[None])
    moment = inner.basis.at(weight)(torch.eye(len(gram), dtype=torch.float64))[:, 0].T
    return Mass(gram * metres**2, moment[:, None] * metres, mass.sum())


def mass_of_links(kinematics: JointKinematics) -> Mass:
    """Rigid links in closed form: ∫ (X, 1)(X, 1)ᵀ dm of each body from its mass, centre and inertia.

    The second moment about the centre is Σ = ½ tr I · 1 − I. A link that states no mass weighs what its
    geometry does; one without geometry either weighs nothing.
    """
    tree, metres = kinematics.tree, kinematics.shape.frame.metres_per_unit
    blocks = torch.zeros(len(tree.joints) + 1, 4, 4, dtype=torch.float64)
    for link in tree.links:
        if (found := link_inertia(kinematics, link)) is not None:
            blocks[kinematics.body_of_link[link.name]] += torch.tensor(_moments(*found, metres))
    blocks = blocks[torch.tensor(kinematics.handles)]
    first = blocks[:, 3].flatten()
    moment = by_axis(torch.einsum("hc,ij->ihjc", blocks[:, 3], torch.eye(3).double()).flatten(1))
    return Mass(torch.block_diag(*blocks) * metres**2, moment * metres, first[3::4].sum())


def link_inertia(kinematics: JointKinematics, link: Link) -> tuple[Inertia, Float[np.ndarray, "4 4"]] | None:
    """The inertia of a link and the frame that it is told in, at rest; None for one that weighs nothing."""
    own, shape = link.inertia, kinematics.shape
    if own is not None and own.mass > 0 and np.isfinite(own.tensor).all():
        return own, kinematics.tree.rest_poses[link.name]
    if link.name not in shape.part_names or not len(shape.faces_of(link.name)):
        return None
    return _weighed(shape, link.name), np.eye(4)


_PARTS: WeakKeyDictionary[Shape, dict[str, Inertia]] = WeakKeyDictionary()


def _weighed(shape: Shape, part: str) -> Inertia:
    """What a part weighs by its geometry, found once per shape: filling it may take longer than a run."""
    known = _PARTS.setdefault(shape, {})
    if part not in known:
        known[part] = part_inertia(shape, part)
    return known[part]


def _moments(inertia: Inertia, pose: Float[np.ndarray, "4 4"], metres: float) -> Float[np.ndarray, "4 4"]:
    """∫ (X, 1)(X, 1)ᵀ dm in the shape's units, for an inertia in metres in the frame `pose`."""
    centre = pose[:3, :3] @ inertia.centre / metres + pose[:3, 3]
    second = np.trace(inertia.tensor) / 2 * np.eye(3) - inertia.tensor
    moments = np.zeros((4, 4))
    moments[:3, :3] = pose[:3, :3] @ second @ pose[:3, :3].T / metres**2
    point = np.r_[centre, 1.0]
    return moments + inertia.mass * np.outer(point, point)


def _skinned(basis: SkinBasis, mass: Float[Tensor, " n"], metres: float) -> Mass:
    gram, first = _SkinSums.apply(mass, basis.matrix)  # pyright: ignore
    moment = torch.eye(3, dtype=torch.float64)[:, :, None] * first
    return Mass(gram * metres**2, moment * metres, mass.sum())


class _SkinSums(torch.autograd.Function):
    """Nᵀ m N and Nᵀ m for the sparse rows N of a skin; linear in m, so its gradient is Σ N ∂G Nᵀ by row."""

    @staticmethod
    def forward(ctx, mass: Tensor, matrix: sparse.csr_matrix) -> tuple[Tensor, Tensor]:  # pyright: ignore
        ctx.matrix = matrix
        weight = mass.numpy(force=True)
        gram = (matrix.T @ sparse.diags(weight) @ matrix).toarray()
        return torch.tensor(gram), torch.tensor(matrix.T @ weight)

    @staticmethod
    def backward(ctx, gram: Tensor, first: Tensor) -> tuple[Tensor, None]:  # pyright: ignore
        by_row = ctx.matrix.multiply(ctx.matrix @ gram.numpy()).sum(1)
        return torch.tensor(np.asarray(by_row)[:, 0] + ctx.matrix @ first.numpy()), None
