"""`LatentKinematics`: the learned latent space of a mesh, reduced to the coordinates that move it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from neurok.geometry.farthest_points import farthest_points
from neurok.kinematics import CoordinatePrior, Kinematics, PhysicalDefaults
from neurok.kinematics.jets.jet import Jets
from neurok.kinematics.jets.screws import screw_jets
from neurok.kinematics.skinned import SkinBasis
from neurok.latent import NeuROK
from neurok.latent.constraints import conditioned, pin_information, point_motions, seam_information
from neurok.latent.decoders import handle_maps
from neurok.latent.encoding import encode_shape
from neurok.latent.features import ShapeFeatures
from neurok.latent.modes import ROOT
from neurok.latent.reduction import ActiveSubspace, ReductionConfig, active_subspace, whole_space
from neurok.latent.rigid_pieces import blend, with_rigid_pieces
from neurok.sequences import Skin
from neurok.shapes import Shape
from neurok.shapes.mass import vertex_mass

REACH = 2.576  # standard deviations of the prior that hold 99 % of one coordinate
N_PIN_CONSTRAINTS = 32  # pinned vertices, far from each other, whose motion is constrained to zero
N_SEAM_CONSTRAINTS = 128  # vertices, far from each other, where handles are constrained to move together
N_PRIOR_POSES = 16  # samples of the prior that measure how much pieces bend
INFLUENCE_COUNTS = (8, 16)  # handles per vertex, tried in this order; smaller weights are dropped
MAX_DROPPED_MOTION = 0.01  # share of the motion that dropped weights may change
SKIN, GLUE, PRIOR = 1000.0, 3.0, 0.01  # stiffness of latent coordinates, see `dynamics.Stiffness`


@dataclass(frozen=True, eq=False)
class LatentKinematics(Kinematics):
    """x(q) = Σ_j w_j(X) exp(Ξ_j U q) X: weights w and modes Ξ by the model, U by the reduction.

    q = 0 is exactly the input mesh. The prior over q is N(centre, I); its inner 99 % are the limits of each
    coordinate. The networks run once, to encode the mesh. A pose costs a few matrix products.
    """

    shape: Shape
    names: tuple[str, ...]
    rest: Float[Tensor, " k"]
    limits: Float[Tensor, "k 2"]
    basis: SkinBasis
    subspace: ActiveSubspace
    read: ShapeFeatures
    modes: Float[Tensor, "s k"]  # Ξ U: screws of the handles per coordinate
    anchors: Float[Tensor, "h 3"]  # of the handles, in the unit ball
    is_rigid: bool  # handles turn (False only in an ablation)
    confidence: float  # share of its motion that few coordinates should hold
    dropped: float  # share of the motion that light weights, which are left out, would change
    bending: float  # of its connected pieces, in units of the motion that the prior gives it

    def code(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch r"]:
        """One map of the shape's coordinates per handle."""
        return self.read.to_shape(handle_maps(q @ self.modes.T, self.anchors, self.is_rigid)).flatten(-3)

    @cached_property
    def jets(self) -> Jets:
        """c(q) with its derivatives, in closed form where handles turn."""
        if not self.is_rigid:
            return super().jets
        read = self.read
        turn, centre = torch.tensor(read.turn), torch.tensor(read.centre)
        return screw_jets(self.modes, self.anchors, turn, centre, read.radius)

    @cached_property
    def prior(self) -> CoordinatePrior:
        """N(centre, I): the learned prior in reduced coordinates."""
        return CoordinatePrior(self.subspace.centre, torch.eye(self.dim, dtype=torch.float64))

    @property
    def defaults(self) -> PhysicalDefaults:
        """The model predicts motion but no stiffness; the surface is assumed to resist stretching."""
        return PhysicalDefaults(skin=SKIN, glue=GLUE, prior=PRIOR)

    def describe(self) -> str:
        count = "1 latent coordinate" if self.dim == 1 else f"{self.dim} latent coordinates"
        lost = self.subspace.lost[self.dim - 1]
        return f"{count}, which lose {lost:.0%} of the learned motion, confidence {self.confidence:.2f}"

    @classmethod
    def from_shape(
        cls,
        shape: Shape,
        model: NeuROK | None = None,
        reduction: ReductionConfig | None = ReductionConfig(),  # noqa: B008  # frozen
        *,
        pinned: Bool[np.ndarray, " n"] | None = None,
        whole: Int[np.ndarray, " n"] | None = None,
        attached: bool = False,
        rooted: bool = False,
        samples: int = 1024,
        seed: int = 0,
    ) -> LatentKinematics:
        """Encode the shape with the model (default: the shipped one), reduce its latent space, skin it.

        Without `reduction` all latent coordinates are kept. `pinned` vertices do not move; the space contains
        the remaining motions. Without pins the whole neither turns nor shifts, and all coordinates deform the
        object: `with_free_root` moves it exactly. If it is `rooted`, rigid motions are among the coordinates.
        Vertices with one label of `whole` share their weights and move as one. Without labels, or if the
        labelled parts are `attached`, handles move alike where they share the surface.
        """
        encoded = encode_shape(shape, model or NeuROK.from_pretrained(), samples, seed)
        read, is_rigid = encoded.features, encoded.is_rigid
        code = encoded.code
        modes, anchors, mean = (x[0].double() for x in (code.modes, code.anchors.points, code.prior))
        if pinned is None and not rooted:
            modes, mean = modes[:, :-ROOT], mean[:-ROOT]
        learned = _Space(encoded.weights.numpy(), modes, anchors, mean)
        mass = vertex_mass(shape, mode="area")
        weight = np.bincount(read.of_vertex, mass, len(encoded.weights))
        rng = torch.Generator().manual_seed(seed)
        learned, bending = _with_pieces(learned, read, weight, learned.poses(rng, is_rigid), whole)
        space = _conditioned(learned, read, pinned, attached or whole is None)
        kept, dropped = _with_few_influences(
            space.weights, read.queries.points[0].double().numpy(), weight, space.poses(rng, is_rigid)
        )
        basis = SkinBasis(shape, _skin(kept[read.of_vertex]))
        subspace = _reduced(space, read, basis, mass, is_rigid, reduction)
        limits = subspace.centre[:, None] + REACH * torch.tensor([-1.0, 1.0], dtype=torch.float64)
        limits = torch.stack([limits[:, 0].clamp(max=0.0), limits[:, 1].clamp(min=0.0)], dim=1)
        names = tuple(f"latent_{i + 1}" for i in range(subspace.dim))
        return cls(
            shape, names, torch.zeros(subspace.dim, dtype=torch.float64), limits, basis, subspace, read,
            space.modes @ subspace.axes, space.anchors, is_rigid, encoded.confidence, dropped, bending,
        )  # fmt: skip


latent_space_of = LatentKinematics.from_shape


class _Space(NamedTuple):
    """Weights, modes and anchors of the handles, and the latent z ~ N(mean, I) that moves them."""

    weights: Float[np.ndarray, "s h"]
    modes: Float[Tensor, "h6 l"]
    anchors: Float[Tensor, "h 3"]
    mean: Float[Tensor, " l"]

    def maps(self, z: Float[Tensor, "b l"], rigid: bool) -> Float[Tensor, "b h 3 4"]:
        """Affine maps of the handles, in the unit ball."""
        return handle_maps(z @ self.modes.T, self.anchors, rigid)

    def poses(self, rng: torch.Generator, rigid: bool) -> Float[np.ndarray, "d h 3 4"]:
        """Maps of the handles in poses drawn from the prior."""
        z = self.mean + torch.randn(N_PRIOR_POSES, len(self.mean), generator=rng, dtype=self.mean.dtype)
        return self.maps(z, rigid).numpy()


def _with_pieces(
    space: _Space,
    read: ShapeFeatures,
    weight: Float[np.ndarray, " s"],
    drawn: Float[np.ndarray, "d h 3 4"],
    whole: Int[np.ndarray, " n"] | None,
) -> tuple[_Space, float]:
    """The space in which connected pieces that hardly bend are rigid, and the mean bending of the pieces.

    With labels, all points of one label share their weights.
    """
    points, component = read.queries.points[0].double().numpy(), read.queries.component[0].numpy()
    weights, bending = with_rigid_pieces(space.weights, component, points, weight, drawn)
    if whole is not None:
        label = np.zeros(len(weights), np.int64)
        label[read.of_vertex] = whole
        weights, _ = with_rigid_pieces(weights, label, points, weight, drawn, bend=np.inf)
    return space._replace(weights=weights), bending


def _conditioned(
    space: _Space, read: ShapeFeatures, pinned: Bool[np.ndarray, " n"] | None, is_one: bool
) -> _Space:
    """The space conditioned on a connected surface (`is_one`) and on pinned vertices at rest."""
    weights, points = torch.tensor(space.weights), read.queries.points[0].double()
    observed = torch.zeros(len(space.mean), len(space.mean), dtype=torch.float64)
    if is_one:
        some = _far_apart(read, np.arange(len(weights)), N_SEAM_CONSTRAINTS)
        observed += seam_information(point_motions(space.modes, space.anchors, points[some]), weights[some])
    if pinned is not None and pinned.any():
        held = _far_apart(read, np.unique(read.of_vertex[pinned]), N_PIN_CONSTRAINTS)
        observed += pin_information(point_motions(space.modes, space.anchors, points[held]), weights[held])
    modes, mean = conditioned(space.modes, space.mean, observed)
    return space._replace(modes=modes, mean=mean)


def _reduced(
    space: _Space,
    read: ShapeFeatures,
    basis: SkinBasis,
    mass: Float[np.ndarray, " n"],
    rigid: bool,
    reduction: ReductionConfig | None,
) -> ActiveSubspace:
    origin = torch.zeros_like(space.mean)
    if reduction is None:
        return whole_space(space.mean, origin)
    metric = basis.gram(torch.tensor(mass)) / basis.shape.normalisation.radius**2

    def decode(z: Float[Tensor, "b l"]) -> Float[Tensor, "b r"]:
        return read.to_shape(space.maps(z, rigid)).flatten(-3)

    return active_subspace(decode, space.mean, origin, metric, reduction)


def _far_apart(read: ShapeFeatures, queries: Int[np.ndarray, " p"], count: int) -> Int[np.ndarray, " q"]:
    """A few of the welded vertices, far from each other."""
    return queries[farthest_points(read.queries.points[:, queries], min(count, len(queries)))[0].numpy()]


def _with_few_influences(
    weights: Float[np.ndarray, "s h"],
    points: Float[np.ndarray, "s 3"],
    mass: Float[np.ndarray, " s"],
    maps: Float[np.ndarray, "d h 3 4"],
) -> tuple[Float[np.ndarray, "s h"], float]:
    """The fewest weights of each point that keep the poses, renormalised, and the error that remains.

    The error is a root mean square relative to the motion. If even the largest count is too few, all weights
    are kept.
    """
    truth = blend(weights, points, maps)
    motion = np.average(((truth - points) ** 2).sum(-1).mean(0), weights=mass + 1e-30)
    for count in INFLUENCE_COUNTS:
        light = np.argsort(-weights, axis=1, kind="stable")[:, count:]
        kept = weights.copy()
        np.put_along_axis(kept, light, 0.0, axis=1)
        kept /= kept.sum(1, keepdims=True)
        off = np.average(((blend(kept, points, maps) - truth) ** 2).sum(-1).mean(0), weights=mass + 1e-30)
        share = float(np.sqrt(off / max(motion, 1e-30)))
        if share <= MAX_DROPPED_MOTION:
            return kept, share
    return weights, 0.0


def _skin(weights: Float[np.ndarray, "n h"]) -> Skin:
    """Skin with the largest number of influences that any vertex has."""
    count = max(1, int((weights > 0).sum(1).max(initial=1)))
    chosen = np.argsort(-weights, axis=1, kind="stable")[:, :count]
    names = tuple(f"handle_{j + 1}" for j in range(weights.shape[1]))
    return Skin(chosen.astype(np.int32), np.take_along_axis(weights, chosen, axis=1), names)
