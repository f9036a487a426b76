"""The objective of training: reconstruction in units of the motion, λ KL, and teachers that cost nothing."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from neurok.model import rigid
from neurok.model.cvae import NeuROK
from neurok.model.decoders import SkinningDecoder, blended
from neurok.model.surface import ShapeCode, SurfacePoints


@dataclass(frozen=True)
class LossConfig:
    """Weights of the terms (see `losses`)."""

    kl: float = 0.003
    """λ of KL(q‖p), summed over all latent numbers of an object, in nats; averaged over deformations."""
    rotation: float = 0.25
    handles: float = 0.5
    """Of the motions at the anchors themselves."""
    taught: float = 0.5
    """Of the skinning weights under the true motions of the anchors."""
    least_motion: float = 0.05
    """Radii: a deformation smaller than this is not scaled up further."""

    def total(self, terms: dict[str, Tensor], kl_share: float) -> Tensor:
        """Σ weight · term; `kl_share` ∈ [0, 1] warms the KL term up."""
        weights = {
            "position": 1.0, "rotation": self.rotation, "handles": self.handles, "taught": self.taught,
            "kl": self.kl * kl_share,
        }  # fmt: skip
        return torch.stack([weights[name] * term for name, term in terms.items()]).sum()


@dataclass(frozen=True, eq=False)
class Deformations:
    """D deformations of each of B surfaces, at n points: y = R x + t."""

    rotation: Float[Tensor, "b d n 4"]
    target: Float[Tensor, "b d n 3"]

    def take(self, index: Int[Tensor, "b k"]) -> Deformations:
        """At some of the points."""
        places = index[:, None, :, None].expand(-1, self.target.shape[1], -1, 4)
        return Deformations(self.rotation.gather(2, places), self.target.gather(2, places[..., :3]))

    def matrices(self, points: Float[Tensor, "b n 3"]) -> Float[Tensor, "b d n 3 4"]:
        """[R | y − R x]."""
        turn = rigid.rotation_matrix(self.rotation)
        shift = self.target - (turn @ points[:, None, :, :, None])[..., 0]
        return torch.cat([turn, shift[..., None]], dim=-1)


def posterior(
    model: NeuROK, code: ShapeCode, at_anchors: Deformations
) -> tuple[ShapeCode, Float[Tensor, "bd k d"], Float[Tensor, "bd k d"]]:
    """The code once per deformation, and mean and log variance of q(z | φ, M₀)."""
    many = code.spread(at_anchors.target.shape[1])
    displacement = (at_anchors.target - code.anchors.points[:, None]).flatten(0, 1)
    return many, *model.posterior(many, at_anchors.rotation.flatten(0, 1), displacement)


def losses(
    model: NeuROK,
    surface: SurfacePoints,
    deformations: Deformations,
    encoder_points: int,
    noise: Float[Tensor, "bd k d"],
    least_motion: float,
) -> dict[str, Tensor]:
    """Terms of the objective, averaged over the deformations of the batch.

    The first `encoder_points` points are what the encoder sees; the others are where the answer is judged.
    With s the root mean square displacement of a deformation, but at least `least_motion`:

    position  mean over points of ρ(|x' − y|/s), ρ(e) = √(e² + ε²) − ε
    rotation  mean over points of |A − R|_F / √8, A the linear part of the map there
    handles   both of the above at the anchors, for the handles' own motions (skinning only)
    taught    position, with the anchors' true motions in place of the handles' (skinning only)
    kl        Σ ½ (σ² + (m − μ)² − 1 − log σ²) over the latent numbers
    """
    b, d = deformations.target.shape[:2]
    asked = surface.part(slice(encoder_points, None))
    rotation = rigid.rotation_matrix(deformations.rotation[:, :, encoder_points:])
    target = deformations.target[:, :, encoder_points:]
    moved = (target - asked.points[:, None]).square().sum(-1).mean(-1)
    scale = moved.sqrt().clamp(min=least_motion)
    code = model.encode(surface.part(slice(encoder_points)))
    at_anchors = deformations.take(code.index)
    many, mean, log_variance = posterior(model, code, at_anchors)
    z = mean + noise * (0.5 * log_variance).exp()
    kl = 0.5 * (log_variance.exp() + (mean - many.prior).square() - 1 - log_variance)
    terms = {"kl": kl.sum((-1, -2)).mean()}
    if isinstance(model.decoder, SkinningDecoder):  # the weights are the shape's: once for all deformations
        weights = model.decoder.weights(code, asked)[:, None]
        handles = model.decoder.handles(z, many).unflatten(0, (b, d))
        truth = at_anchors.matrices(code.anchors.points)
        maps = blended(weights, handles)
        at = code.anchors.points
        terms["handles"] = position_error(handles, at, at_anchors.target, scale) + rotation_error(
            handles, truth[..., :3]
        )
        terms["taught"] = position_error(blended(weights, truth), asked.points, target, scale)
    else:
        maps = model.decoder(z, many, asked.spread(d)).unflatten(0, (b, d))
    terms["position"] = position_error(maps, asked.points, target, scale)
    terms["rotation"] = rotation_error(maps, rotation)
    return terms


def position_error(
    maps: Float[Tensor, "b d n 3 4"],
    points: Float[Tensor, "b n 3"],
    target: Float[Tensor, "b d n 3"],
    scale: Float[Tensor, "b d"],
) -> Float[Tensor, ""]:
    """Mean of √(e² + ε²) − ε for e = |A x + t − y| / s: squares near zero, straight lines beyond."""
    image = (maps[..., :3] @ points[:, None, :, :, None])[..., 0] + maps[..., 3]
    square = (image - target).square().sum(-1) / scale[..., None].square()
    return ((square + 1e-4).sqrt() - 1e-2).mean()


def rotation_error(maps: Float[Tensor, "b d n 3 4"], turn: Float[Tensor, "b d n 3 3"]) -> Float[Tensor, ""]:
    """Mean of |A − R|_F / √8: |sin(angle/2)| between two rotations."""
    return ((maps[..., :3] - turn).square().sum((-1, -2)) / 8 + 1e-6).sqrt().mean()
