"""Learned kinematics: the latent space that the model gives a mesh, reduced to what moves it."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.errors import InputError
from neurok.kinematics.skinning import SkinBasis
from neurok.model import NeuROK
from neurok.model.decoders import SkinningDecoder
from neurok.model.reading import ReadShape, read_shape
from neurok.model.surface import ShapeCode
from neurok.reduction import ActiveSubspace, ReductionConfig, active_subspace, whole_space
from neurok.sequences import Skin
from neurok.shapes import Shape
from neurok.shapes.mass import vertex_mass

REACH = 2.576  # standard deviations of the prior that hold 99 % of one coordinate
INFLUENCES = 8  # handles that move a vertex; the lightest weights of 32 are dropped


@dataclass(frozen=True, eq=False)
class LatentKinematics:
    """x(q) = Σ_j w_j(X) T_j(z₀ + U q) T_j(z₀)⁻¹ X: q = 0 is the input mesh, exactly.

    The prior over q is N(centre, I); its inner 99 % are the limits of each coordinate.
    """

    shape: Shape
    names: tuple[str, ...]
    rest: Float[Tensor, " k"]
    limits: Float[Tensor, "k 2"]
    basis: SkinBasis
    subspace: ActiveSubspace
    read: ReadShape
    model: NeuROK  # float64
    encoded: ShapeCode  # float64
    undo: Float[Tensor, "h 3 4"]  # T(z₀)⁻¹

    @property
    def dim(self) -> int:
        return len(self.rest)

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """One map of the shape's coordinates per handle."""
        flat = self.subspace.latent(q.reshape(-1, self.dim))
        maps = compose(handles(self.model, self.encoded, flat), self.undo)
        return self.read.to_shape(maps).flatten(-3).reshape(*q.shape[:-1], -1)

    def positions(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch n 3"]:
        return self.basis.apply(self.code(q))

    def sample(self, count: int, seed: int = 0) -> Float[Tensor, "count k"]:
        """Poses from the prior N(centre, I), within the limits."""
        rng = torch.Generator().manual_seed(seed)
        drawn = self.subspace.centre + torch.randn(count, self.dim, generator=rng, dtype=torch.float64)
        return drawn.clamp(*self.limits.unbind(-1))

    @classmethod
    def from_shape(
        cls,
        shape: Shape,
        model: NeuROK,
        reduction: ReductionConfig | None = ReductionConfig(),  # noqa: B008  # frozen
        points: int = 1024,
        seed: int = 0,
    ) -> LatentKinematics:
        """Encode the mesh, find the subspace in which it moves (without `reduction`: keep all of the latent
        space), bind every vertex to the handles."""
        decoder = model.decoder
        if not isinstance(decoder, SkinningDecoder):
            raise InputError("model", "its decoder mixes points and latents", "Use a model that skins")
        read = read_shape(shape, points, seed)
        with torch.no_grad():
            encoded = model.encode(read.surface)
            weights = decoder.weights(encoded, read.queries)[0]
            still = rest_latent(model, encoded)
        skin = _skin(weights.double().numpy()[read.of_vertex], len(encoded.tokens[0]))
        basis = SkinBasis(shape, skin)
        metric = basis.gram(torch.tensor(vertex_mass(shape, mode="area"))).float()
        metric = metric / shape.normalisation.radius**2

        def decode(z: Float[Tensor, "b l"]) -> Float[Tensor, "b r"]:
            return read.to_shape(handles(model, encoded, z)).flatten(-3)

        mean = encoded.prior.flatten()
        if reduction is None:
            subspace = whole_space(mean, still)
        else:
            subspace = active_subspace(decode, mean, still, metric, reduction)
        exact, encoded64 = copy.deepcopy(model).double(), _double(encoded)
        subspace = ActiveSubspace(
            *(getattr(subspace, f).double() for f in ("origin", "axes", "spectrum", "lost", "centre"))
        )
        undo = inverse(handles(exact, encoded64, subspace.origin[None])[0])
        limits = subspace.centre[:, None] + REACH * torch.tensor([-1.0, 1.0], dtype=torch.float64)
        limits = torch.stack([limits[:, 0].clamp(max=0.0), limits[:, 1].clamp(min=0.0)], dim=1)
        names = tuple(f"latent_{i + 1}" for i in range(subspace.dim))
        return cls(
            shape, names, torch.zeros(subspace.dim, dtype=torch.float64), limits, basis, subspace, read,
            exact, encoded64, undo,
        )  # fmt: skip


def handles(model: NeuROK, code: ShapeCode, z: Float[Tensor, "b l"]) -> Float[Tensor, "b h 3 4"]:
    """T(z) of one encoded shape, for many latents."""
    assert isinstance(model.decoder, SkinningDecoder)
    return model.decoder.handles(z.unflatten(-1, code.prior.shape[1:]), code.spread(len(z)))


def rest_latent(model: NeuROK, code: ShapeCode) -> Float[Tensor, " l"]:
    """z₀: the posterior mean of no deformation at all."""
    anchors = code.anchors.points
    identity = torch.zeros(*anchors.shape[:-1], 4, dtype=anchors.dtype)
    identity[..., 0] = 1
    return model.posterior(code, identity, torch.zeros_like(anchors))[0].flatten()


def compose(a: Float[Tensor, "*batch 3 4"], b: Float[Tensor, "*other 3 4"]) -> Float[Tensor, "*batch 3 4"]:
    """x ↦ A (B x + s) + t."""
    shift = (a[..., :3] @ b[..., 3:])[..., 0] + a[..., 3]
    return torch.cat([a[..., :3] @ b[..., :3], shift[..., None]], dim=-1)


def inverse(maps: Float[Tensor, "*batch 3 4"]) -> Float[Tensor, "*batch 3 4"]:
    """[A⁻¹ | −A⁻¹ t]."""
    back = torch.linalg.inv(maps[..., :3])
    return torch.cat([back, -back @ maps[..., 3:]], dim=-1)


def _skin(weights: Float[np.ndarray, "n h"], count: int) -> Skin:
    """The strongest few weights of each vertex, summing to one again."""
    chosen = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    kept = np.take_along_axis(weights, chosen, axis=1)
    names = tuple(f"handle_{j + 1}" for j in range(count))
    return Skin(chosen.astype(np.int32), kept / kept.sum(1, keepdims=True), names)


def _double(code: ShapeCode) -> ShapeCode:
    anchors = code.anchors
    points = type(anchors)(anchors.points.double(), anchors.normals.double(), anchors.component)
    return ShapeCode(code.tokens.double(), points, code.index, code.relations.double(), code.prior.double())
