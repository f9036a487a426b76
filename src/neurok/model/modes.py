"""What the model says about how a shape moves: a Gaussian over the screws of all its handles.

ξ = Ξ z + noise, z ~ N(μ, I): every column of Ξ ("mode") is a way in which the handles move together. With ξ
linear in z, posterior, KL and evidence of a deformation are closed forms, and the sum of many modes costs
nothing: the latent may be wide and redundant, the space of motions that it spans is what counts.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.model.embedding import RELATIONS
from neurok.model.surface import SurfacePoints

USUAL = 0.3  # size of a screw before training: radians, radii
FEATURES = 32  # of a token, by which the model tells what moves together
FLOOR = 0.02  # standard deviation that is noise at least


class Modes(nn.Module):
    """Tokens → Ξ, μ and the standard deviation of the noise of every screw.

    Own modes: token j has six latent numbers, which S_j (6 × 6) turns into a screw at its anchor. Handle k
    takes part by a_kj as if it were rigidly attached: with A_kj the change of centre from anchor j to k,

      Ξ_kj = a_kj A_kj S_j,   a_kj ∝ exp(b(k, j) − |f_k − f_j|²),   Σ_j a_kj² = 1.

    Handles with equal features f are one rigid part. Common modes: columns in which every handle has a screw
    of its own, for what is coupled without being rigid (wings, gaits).
    """

    def __init__(self, width: int, common: int) -> None:
        super().__init__()
        self.common = common
        self.features = nn.Linear(width, FEATURES, bias=False)
        self.nearness = nn.Linear(RELATIONS, 1, bias=False)
        self.own, self.shared = nn.Linear(width, 36), nn.Linear(width, 6 * common)
        self.mean, self.shared_mean = nn.Linear(width, 6), nn.Linear(width, common)
        self.noise = nn.Linear(width, 2)
        nn.init.normal_(self.features.weight, std=0.02)
        nn.init.ones_(self.nearness.weight)
        for layer in (self.own, self.shared):
            nn.init.normal_(layer.weight, std=0.02 * USUAL)
            nn.init.zeros_(layer.bias)
        for layer in (self.mean, self.shared_mean, self.noise):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.constant_(self.noise.bias, math.log(0.1))
        with torch.no_grad():
            self.own.bias.copy_(USUAL * torch.eye(6).flatten())

    def forward(
        self,
        tokens: Float[Tensor, "b k w"],
        anchors: SurfacePoints,
        relations: Float[Tensor, "b k k c"],
    ) -> tuple[Float[Tensor, "b s z"], Float[Tensor, "b z"], Float[Tensor, "b s"]]:
        b, k, _ = tokens.shape
        together = self.together(tokens, relations)
        own = self.own(tokens).unflatten(-1, (6, 6))
        spin = own[:, None, :, :3].expand(-1, k, -1, -1, -1)  # b k j 3 6
        arm = anchors.points[:, :, None] - anchors.points[:, None]  # from j to k
        shift = own[:, None, :, 3:] + torch.cross(spin, arm[..., None].expand_as(spin), dim=-2)  # u + ω × arm
        carried = together[..., None, None] * torch.cat([spin, shift], dim=-2)
        carried = carried.transpose(2, 3).reshape(b, 6 * k, 6 * k)
        common = self.shared(tokens).reshape(b, 6 * k, self.common)
        modes = torch.cat([carried, common], dim=-1)
        mean = torch.cat([self.mean(tokens).flatten(1), self.shared_mean(tokens).mean(1)], dim=-1)
        noise = FLOOR + self.noise(tokens).clamp(max=1.0).exp()
        return modes, mean, noise.repeat_interleave(3, dim=-1).flatten(1)

    def together(
        self, tokens: Float[Tensor, "b k w"], relations: Float[Tensor, "b k k c"]
    ) -> Float[Tensor, "b k k"]:
        """a: how far handle k follows handle j."""
        f = self.features(tokens)
        apart = (f[:, :, None] - f[:, None]).square().sum(-1)
        near = (self.nearness(relations)[..., 0] - apart).exp()
        return near / near.square().sum(-1, keepdim=True).sqrt().clamp(min=1e-6)
