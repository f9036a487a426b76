"""Learned kinematics: the latent space that the model gives a mesh, reduced to what moves it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from neurok.articulation import Articulation
from neurok.errors import InputError
from neurok.kinematics.held import given_still, shifts
from neurok.kinematics.jointed import jointed
from neurok.kinematics.pieces import blend, with_rigid_pieces
from neurok.kinematics.screw_jets import ScrewJets, screw_jets
from neurok.kinematics.skinning import SkinBasis
from neurok.model import NeuROK
from neurok.model.anchors import farthest_points
from neurok.model.decoders import SkinningDecoder, handle_maps
from neurok.model.reading import ReadShape, read_shape
from neurok.reduction import ActiveSubspace, ReductionConfig, active_subspace, whole_space
from neurok.sequences import Skin
from neurok.shapes import Shape
from neurok.shapes.mass import vertex_mass

REACH = 2.576  # standard deviations of the prior that hold 99 % of one coordinate
HELD = 32  # pinned vertices that are looked at
POSES = 16  # of the prior, that show which pieces bend
INFLUENCES = (8, 16)  # handles that move a vertex: as few as possible; the lightest weights are dropped
ALL_OF_IT = 0.002  # share of the motion that may be lost where joints are known
DROPPED = 0.01  # share of the motion that dropping them may change


@dataclass(frozen=True, eq=False)
class LatentKinematics:
    """x(q) = Σ_j w_j(X) exp(Ξ_j U q) X: weights w and modes Ξ by the model, U by the reduction.

    q = 0 is the input mesh, exactly. The prior over q is N(centre, I); its inner 99 % are the limits of each
    coordinate. The networks have done their work when the mesh is encoded: poses cost a few matrices.
    """

    shape: Shape
    names: tuple[str, ...]
    rest: Float[Tensor, " k"]
    limits: Float[Tensor, "k 2"]
    basis: SkinBasis
    subspace: ActiveSubspace
    read: ReadShape
    modes: Float[Tensor, "s k"]  # Ξ U: screws of the handles per coordinate
    anchors: Float[Tensor, "h 3"]  # of the handles, in the unit ball
    is_rigid: bool  # handles turn (False only in an ablation)
    confidence: float  # share of its motion that few coordinates should hold
    dropped: float  # share of the motion that light weights, which are left out, would change
    bending: float  # of its connected pieces, in units of the motion that the prior gives it
    articulation: Articulation | None = None  # the joints that were known

    @property
    def dim(self) -> int:
        return len(self.rest)

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """One map of the shape's coordinates per handle."""
        return self.read.to_shape(handle_maps(q @ self.modes.T, self.anchors, self.is_rigid)).flatten(-3)

    def positions(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch n 3"]:
        return self.basis.apply(self.code(q))

    @cached_property
    def jets(self) -> ScrewJets | None:
        """c(q) with its derivatives in closed form."""
        if not self.is_rigid:
            return None
        read = self.read
        turn, centre = torch.tensor(read.turn), torch.tensor(read.centre)
        return screw_jets(self.modes, self.anchors, turn, centre, read.radius)

    def sample(self, count: int, seed: int = 0) -> Float[Tensor, "count k"]:
        """Poses from the prior N(centre, I), within the limits."""
        rng = torch.Generator().manual_seed(seed)
        drawn = self.subspace.centre + torch.randn(count, self.dim, generator=rng, dtype=torch.float64)
        return drawn.clamp(*self.limits.unbind(-1))

    @classmethod
    def from_shape(
        cls,
        shape: Shape,
        model: NeuROK | None = None,
        reduction: ReductionConfig | None = ReductionConfig(),  # noqa: B008  # frozen
        pinned: Bool[np.ndarray, " n"] | None = None,
        articulation: Articulation | None = None,
        whole: Int[np.ndarray, " n"] | None = None,
        samples: int = 1024,
        seed: int = 0,
    ) -> LatentKinematics:
        """Encode the mesh (with the shipped model, if no other is given), find the subspace in which it moves
        (without `reduction`: keep all of the latent space), bind every vertex to the handles. What is
        `pinned` stands still: the space is that of the motions which are left. Where an `articulation` is
        known, parts are rigid and move as its joints let them. Vertices with one label of `whole` move as
        one."""
        model = model or NeuROK.from_pretrained()
        decoder = model.decoder
        if not isinstance(decoder, SkinningDecoder):
            raise InputError("model", "its decoder mixes points and latents", "Use a model that skins")
        read = read_shape(shape, samples, seed)
        with torch.no_grad():
            encoded = model.encode(read.surface)
            confidence = float(model.confidence(encoded))
            weights = decoder.weights(encoded, read.queries)[0]
        modes, anchors, mean = (x[0].double() for x in (encoded.modes, encoded.anchors.points, encoded.prior))

        def handles(z: Float[Tensor, "b l"]) -> Float[Tensor, "b h 3 4"]:
            return handle_maps(z @ modes.T, anchors, decoder.rigid)

        def decode(z: Float[Tensor, "b l"]) -> Float[Tensor, "b r"]:
            return read.to_shape(handles(z)).flatten(-3)

        mass = vertex_mass(shape, mode="area")
        rng = torch.Generator().manual_seed(seed)
        drawn = handles(mean + torch.randn(POSES, len(mean), generator=rng, dtype=mean.dtype))
        component, points = read.queries.component[0].numpy(), read.queries.points[0].double().numpy()
        weight = np.bincount(read.of_vertex, mass, len(weights))
        pieces, bending = with_rigid_pieces(
            weights.double().numpy(), component, points, weight, drawn.numpy()
        )
        if whole is not None:
            label = np.zeros(len(weights), np.int64)
            label[read.of_vertex] = whole
            pieces, _ = with_rigid_pieces(pieces, label, points, weight, drawn.numpy(), bend=np.inf)
        known = None
        if articulation is not None:
            known = jointed(articulation, read, torch.tensor(pieces), modes, anchors)
        if known is not None:
            pieces, modes, anchors, mean = known.weights.numpy(), known.modes, known.anchors, known.mean
        elif pinned is not None and pinned.any():
            some = torch.tensor(_far_apart(read, np.unique(read.of_vertex[pinned])))
            rows = torch.tensor(pieces)[some], read.queries.points[0].double()[some]
            modes, mean = given_still(modes, mean, shifts(modes, anchors, *rows))
        drawn = handles(mean + torch.randn(POSES, len(mean), generator=rng, dtype=mean.dtype)).numpy()
        kept, dropped = _strongest(pieces, points, weight, drawn)
        basis = SkinBasis(shape, _skin(kept[read.of_vertex]))
        metric = basis.gram(torch.tensor(mass)) / shape.normalisation.radius**2
        origin = torch.zeros_like(mean)
        if known is not None and reduction is not None:  # joints are few: only those that go together are one
            reduction = replace(reduction, most=len(mean), tolerance=ALL_OF_IT)
        if reduction is None:
            subspace = whole_space(mean, origin)
        else:
            subspace = active_subspace(decode, mean, origin, metric, reduction)
        limits = subspace.centre[:, None] + REACH * torch.tensor([-1.0, 1.0], dtype=torch.float64)
        limits = torch.stack([limits[:, 0].clamp(max=0.0), limits[:, 1].clamp(min=0.0)], dim=1)
        names = tuple(f"latent_{i + 1}" for i in range(subspace.dim))
        return cls(
            shape, names, torch.zeros(subspace.dim, dtype=torch.float64), limits, basis, subspace, read,
            modes @ subspace.axes, anchors, decoder.rigid, confidence, dropped,
            bending, None if known is None else articulation,
        )  # fmt: skip


def _far_apart(read: ReadShape, queries: Int[np.ndarray, " p"]) -> Int[np.ndarray, " q"]:
    """A few of the welded vertices, far from each other."""
    points, component = (x[:, queries] for x in (read.queries.points, read.queries.component))
    return queries[farthest_points(points, 0 * component, min(HELD, len(queries)))[0].numpy()]


def _strongest(
    weights: Float[np.ndarray, "s h"],
    points: Float[np.ndarray, "s 3"],
    mass: Float[np.ndarray, " s"],
    maps: Float[np.ndarray, "d h 3 4"],
) -> tuple[Float[np.ndarray, "s h"], float]:
    """The fewest weights of each point, summing to one again, that hardly change how poses look, and by how
    much they do: root mean squares, relative to the motion. All of them where even many are too few."""
    truth = blend(weights, points, maps)
    motion = np.average(((truth - points) ** 2).sum(-1).mean(0), weights=mass + 1e-30)
    for count in INFLUENCES:
        light = np.argsort(-weights, axis=1, kind="stable")[:, count:]
        kept = weights.copy()
        np.put_along_axis(kept, light, 0.0, axis=1)
        kept /= kept.sum(1, keepdims=True)
        off = np.average(((blend(kept, points, maps) - truth) ** 2).sum(-1).mean(0), weights=mass + 1e-30)
        share = float(np.sqrt(off / max(motion, 1e-30)))
        if share <= DROPPED:
            return kept, share
    return weights, 0.0


def _skin(weights: Float[np.ndarray, "n h"]) -> Skin:
    """As many influences per vertex as the one that has most needs."""
    count = max(1, int((weights > 0).sum(1).max(initial=1)))
    chosen = np.argsort(-weights, axis=1, kind="stable")[:, :count]
    names = tuple(f"handle_{j + 1}" for j in range(weights.shape[1]))
    return Skin(chosen.astype(np.int32), np.take_along_axis(weights, chosen, axis=1), names)
