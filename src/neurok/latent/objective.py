"""Training objective of the learned kinematics.

It sums the evidence of the handles' motion, the reconstruction error in units of the motion, and the
supervision of skinning weights and features by the true motion of the anchors.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from neurok.geometry.quaternions import quaternion_in_frame, quaternion_to_matrix
from neurok.geometry.screws import screw_from_motion
from neurok.latent.cvae import NeuROK
from neurok.latent.decoders import SkinningDecoder, blended
from neurok.latent.modes import apart
from neurok.latent.nested import nested_error
from neurok.latent.own_frame import heading
from neurok.latent.posterior import Posterior, posterior
from neurok.latent.surface import ShapeCode, SurfacePoints

SAME_MOTION = 0.1  # error, in units of the motion, below which a point moves as one with an anchor
OTHER_MOTION = 0.3  # the same, above which it does not
DEGREES_OF_FREEDOM = 64.0  # ν of Student's t: the fewer, the heavier the tails


@dataclass(frozen=True)
class LossConfig:
    """Weights of the terms (see `losses`)."""

    evidence: float = 1.0
    rotation: float = 0.25
    taught: float = 0.5
    """Position error of the skinning weights under the true motions of the anchors."""
    together: float = 0.5
    """Contrast of the features."""
    nested: float = 0.5
    """Share of the motion that the first coordinates of the prior lose."""
    least_motion: float = 0.05
    """Smallest unit of motion, in radii: errors of smaller deformations are not scaled up further."""

    def total(self, terms: dict[str, Tensor]) -> Tensor:
        """Σ weight · term."""
        weights = {
            "evidence": self.evidence, "position": 1.0, "rotation": self.rotation, "taught": self.taught,
            "together": self.together, "nested": self.nested,
        }  # fmt: skip
        return torch.stack([weight * terms[name] for name, weight in weights.items() if name in terms]).sum()


@dataclass(frozen=True, eq=False)
class Deformations:
    """D deformations of each of B surfaces, at n points: y = R x + t."""

    rotation: Float[Tensor, "b d n 4"]
    target: Float[Tensor, "b d n 3"]

    def take(self, index: Int[Tensor, "b k"]) -> Deformations:
        """The deformations at some of the points."""
        places = index[:, None, :, None].expand(-1, self.target.shape[1], -1, 4)
        return Deformations(self.rotation.gather(2, places), self.target.gather(2, places[..., :3]))

    def turned(self, turn: Float[Tensor, "b 3 3"]) -> Deformations:
        """The same deformations of turned surfaces."""
        rotation = quaternion_in_frame(self.rotation, turn[:, None])
        return Deformations(rotation, self.target @ turn.mT[:, None])

    def matrices(self, points: Float[Tensor, "b n 3"]) -> Float[Tensor, "b d n 3 4"]:
        """[R | y − R x]."""
        turn = quaternion_to_matrix(self.rotation)
        shift = self.target - (turn @ points[:, None, :, :, None])[..., 0]
        return torch.cat([turn, shift[..., None]], dim=-1)


def in_own_frame(surface: SurfacePoints, deformations: Deformations) -> tuple[SurfacePoints, Deformations]:
    """Both in the frame in which the networks read shapes."""
    turn = heading(surface.normals)
    return surface.turned(turn), deformations.turned(turn)


def anchor_screws(
    code: ShapeCode, at_anchors: Deformations, *, is_rigid: bool = True
) -> Float[Tensor, "b d s"]:
    """ξ: screws of the anchors about themselves, or (ablation) their displacements alone."""
    shift = at_anchors.target - code.anchors.points[:, None]
    if is_rigid:
        return screw_from_motion(at_anchors.rotation, shift).flatten(-2)
    return torch.cat([torch.zeros_like(shift), shift], dim=-1).flatten(-2)


def losses(
    model: NeuROK,
    surface: SurfacePoints,
    deformations: Deformations,
    part: Int[Tensor, "b n"],
    jointed: Bool[Tensor, " b"],
    encoder_points: int,
    noise: Float[Tensor, "b d z"],
    config: LossConfig,
) -> dict[str, Tensor]:
    """Terms of the objective, averaged over the deformations of the batch.

    The encoder sees the first `encoder_points` points; errors are measured at the others. With s the root
    mean square displacement of a deformation, at least `least_motion`:

    evidence  −log p(ξ | M₀) / 6K of the handles' screws ξ (see `negative_log_evidence`): the exact value that
              the bound of a CVAE, reconstruction + KL(q‖p), bounds from above
    position  mean over points of ρ(|x' − y|/s), ρ(e) = √(e² + ε²) − ε, for z drawn from the posterior
    rotation  mean over points of |A − R|_F / √8, A the linear part of the map there
    taught    position, with the anchors' true motions in place of the handles' (skinning only)
    together  contrast of the features of points and anchors that move as one (of one part, and carried to
              within 0.1 s by the anchor's motion in all deformations) and that do not (off by more than 0.3 s
              in some, or of two parts of a jointed object) (skinning only)
    nested    share of the handles' motion that 4, 8, 12 and 24 coordinates lose (see `nested_error`), if its
              weight is not 0
    """
    b, d = deformations.target.shape[:2]
    asked = surface.part(slice(encoder_points, None))
    rotation = quaternion_to_matrix(deformations.rotation[:, :, encoder_points:])
    target = deformations.target[:, :, encoder_points:]
    moved = (target - asked.points[:, None]).square().sum(-1).mean(-1)
    scale = moved.sqrt().clamp(min=config.least_motion)
    code = model.encode(surface.part(slice(encoder_points)))
    at_anchors = deformations.take(code.index)
    seen = anchor_screws(code, at_anchors, is_rigid=model.config.motion == "rigid")
    found = posterior(code, seen)
    z = found.sample(noise)
    terms = {"evidence": negative_log_evidence(found, seen.shape[-1]).mean()}
    if config.nested:
        terms["nested"] = nested_error(code, seen, config.least_motion)
    if isinstance(model.decoder, SkinningDecoder):  # the weights are the shape's: once for all deformations
        relations = asked.relations(code.anchors)
        features = model.decoder.described(code, asked, relations)
        weights = model.decoder.weights_of(features, code, relations)[:, None]
        maps = blended(weights, model.decoder.handles(z, code))
        truth = at_anchors.matrices(code.anchors.points)
        terms["taught"] = position_error(blended(weights, truth), asked.points, target, scale)
        off = carried_error(truth, asked, target, scale)
        one_part = part[:, encoder_points:, None] == part.gather(1, code.index)[:, None]
        same = (off < SAME_MOTION) & one_part
        other = (off > OTHER_MOTION) | (jointed[:, None, None] & ~one_part)
        terms["together"] = contrast(apart(features, code.features), same, other)
    else:
        maps = model.decoder(z.flatten(0, 1), code.spread(d), asked.spread(d)).unflatten(0, (b, d))
    terms["position"] = position_error(maps, asked.points, target, scale)
    terms["rotation"] = rotation_error(maps, rotation)
    return terms


def negative_log_evidence(found: Posterior, numbers: int) -> Float[Tensor, "b d"]:
    """−log p(ξ | M₀) per number of ξ, without constants, under Student's t with ν degrees of freedom.

    It is ½ ((ν + n) log(1 + misfit/ν) + log det C) / n. Deformations vary in size, and some objects are
    beyond the model: under the tails of a normal distribution a few of them would dominate.
    """
    bulk = (DEGREES_OF_FREEDOM + numbers) * torch.log1p(found.misfit / DEGREES_OF_FREEDOM)
    return 0.5 * (bulk + found.volume[:, None]) / numbers


@torch.no_grad()
def carried_error(
    truth: Float[Tensor, "b d k 3 4"],
    asked: SurfacePoints,
    target: Float[Tensor, "b d n 3"],
    scale: Float[Tensor, "b d"],
) -> Float[Tensor, "b n k"]:
    """Distance of each point from its target if it moved with each anchor.

    It is the largest over the deformations, in units of their size.
    """
    image = torch.einsum("bdkij,bnj->bdnki", truth[..., :3], asked.points) + truth[:, :, None, ..., 3]
    return ((image - target[..., None, :]).square().sum(-1).sqrt() / scale[..., None, None]).amax(1)


def contrast(
    distance: Float[Tensor, "b n k"], same: Bool[Tensor, "b n k"], other: Bool[Tensor, "b n k"]
) -> Float[Tensor, ""]:
    """−log s for pairs that move as one, −log(1 − s) for those that don't, s = exp(−|f − f_j|²).

    Both kinds have equal weight in every shape.
    """
    pulled = (distance * same).sum((1, 2)) / same.sum((1, 2)).clamp(min=1)
    repelled = -torch.log(1 - torch.exp(-distance) + 1e-3)
    pushed = (repelled * other).sum((1, 2)) / other.sum((1, 2)).clamp(min=1)
    return 0.5 * (pulled + pushed).mean()


def position_error(
    maps: Float[Tensor, "b d n 3 4"],
    points: Float[Tensor, "b n 3"],
    target: Float[Tensor, "b d n 3"],
    scale: Float[Tensor, "b d"],
) -> Float[Tensor, ""]:
    """Mean of √(e² + ε²) − ε for e = |A x + t − y| / s: quadratic near zero, linear beyond."""
    image = (maps[..., :3] @ points[:, None, :, :, None])[..., 0] + maps[..., 3]
    square = (image - target).square().sum(-1) / scale[..., None].square()
    return ((square + 1e-4).sqrt() - 1e-2).mean()


def rotation_error(maps: Float[Tensor, "b d n 3 4"], turn: Float[Tensor, "b d n 3 3"]) -> Float[Tensor, ""]:
    """Mean of |A − R|_F / √8: |sin(angle/2)| between two rotations."""
    return ((maps[..., :3] - turn).square().sum((-1, -2)) / 8 + 1e-6).sqrt().mean()
