"""The kinematic prior of a shape: a Gaussian over the screws of all its handles.

ξ = Ξ z + noise, z ~ N(μ, I). Every column of Ξ, a mode, moves the handles together. ξ is linear in z, so
posterior, KL and evidence of a deformation are closed forms. The latent may be wide and redundant: only the
space of motions that the modes span matters.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.geometry.screws import screws_at
from neurok.latent.surface import SurfacePoints
from neurok.nn.attention import attention_weights
from neurok.nn.embedding import RELATIONS

INITIAL_SCREW = 0.3  # size of screws before training: radians, radii
MIN_NOISE = 0.04  # smallest standard deviation of the noise: radians, radii
ROOT = 6  # latent numbers that move the object as a whole
POINTER_WIDTH = 32  # channels of the attention by which a token selects centres on the surface


class Modes(nn.Module):
    """Tokens → Ξ, μ and the standard deviation of the noise of every screw.

    Own modes: token j has six latent numbers, which S_j (6 × 6) turns into screws about six centres p_j on
    the surface (`Centres`). An anchor would be the wrong centre, because a hinge lies where parts meet.
    Handle k follows them with weight a_kj as if it were rigidly attached. With A_kj the change of centre from
    p_j to anchor k,

      Ξ_kj = a_kj A_kj S_j,   a_kj ∝ exp(b(k, j) − |f_k − f_j|²),   Σ_j a_kj² = 1.

    Handles with equal features f are one rigid part. Common modes: columns in which every handle has its own
    screw, for motions that are coupled without being rigid (wings, gaits). Root modes: the six rigid motions
    of all handles at once. Every column has its own factor e^l, so that one number can switch a mode off.
    """

    def __init__(self, width: int, common: int) -> None:
        super().__init__()
        self.common = common
        self.nearness = nn.Linear(RELATIONS, 1, bias=False)
        self.own, self.shared = nn.Linear(width, 36), nn.Linear(width, 6 * common)
        self.own_size, self.whole_size = nn.Linear(width, 6), nn.Linear(width, common + ROOT)
        self.own_mean, self.whole_mean = nn.Linear(width, 6), nn.Linear(width, common + ROOT)
        self.noise = nn.Linear(width, 2)
        nn.init.ones_(self.nearness.weight)
        for layer in (self.own, self.shared):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)
        for layer in (self.own_size, self.whole_size, self.own_mean, self.whole_mean, self.noise):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.constant_(self.noise.bias, math.log(0.1))
        with torch.no_grad():
            self.own.bias.copy_(torch.eye(6).flatten())

    def forward(
        self,
        tokens: Float[Tensor, "b k w"],
        features: Float[Tensor, "b k f"],
        anchors: SurfacePoints,
        relations: Float[Tensor, "b k k c"],
        centres: Float[Tensor, "b k 3 6"],
    ) -> tuple[Float[Tensor, "b s z"], Float[Tensor, "b z"], Float[Tensor, "b s"]]:
        b, k, _ = tokens.shape
        together = self.together(features, relations)
        own = self.own(tokens).unflatten(-1, (6, 6)) * _size(self.own_size(tokens))[..., None, :]
        arm = anchors.points[:, :, None, :, None] - centres[:, None]  # from the centres of j to anchor k
        carried = together[..., None, None] * screws_at(own[:, None], arm)
        carried = carried.transpose(2, 3).reshape(b, 6 * k, 6 * k)
        eye = torch.eye(6, dtype=tokens.dtype, device=tokens.device).expand(b, k, 6, 6)
        root = screws_at(eye, anchors.points[..., None]).reshape(b, 6 * k, ROOT)
        common = self.shared(tokens).reshape(b, 6 * k, self.common)
        whole = torch.cat([common, root], dim=-1) * _size(self.whole_size(tokens).mean(1))[:, None]
        mean = torch.cat([self.own_mean(tokens).flatten(1), self.whole_mean(tokens).mean(1)], dim=-1)
        noise = MIN_NOISE + self.noise(tokens).clamp(max=1.0).exp()
        return torch.cat([carried, whole], dim=-1), mean, noise.repeat_interleave(3, dim=-1).flatten(1)

    def together(
        self, features: Float[Tensor, "b k f"], relations: Float[Tensor, "b k k c"]
    ) -> Float[Tensor, "b k k"]:
        """a_kj: how far handle k follows handle j."""
        near = (self.nearness(relations)[..., 0] - apart(features, features)).exp()
        return near / near.square().sum(-1, keepdim=True).sqrt().clamp(min=1e-6)


def apart(a: Float[Tensor, "b n f"], b: Float[Tensor, "b m f"]) -> Float[Tensor, "b n m"]:
    """|f_i − f_j|²: small for points that move together."""
    square = a.square().sum(-1)[:, :, None] + b.square().sum(-1)[:, None] - 2 * a @ b.mT
    return square.clamp(min=0)


class Centres(nn.Module):
    """Centres of the screws of token j: p_jc = x_j + g_jc (Σ_i α_jci x_i − x_j).

    α is the attention of the token to the points x_i of the surface, with a head for each of its six columns,
    and g is a gate. Centres are as precise as the surface is sampled.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.key = (nn.Linear(width, 6 * POINTER_WIDTH, bias=False) for _ in range(2))
        self.query_norm, self.key_norm = nn.RMSNorm(POINTER_WIDTH), nn.RMSNorm(POINTER_WIDTH)
        self.bias = nn.Linear(RELATIONS, 6, bias=False)
        self.gate = nn.Linear(width, 6)
        nn.init.zeros_(self.gate.weight)
        nn.init.zeros_(self.gate.bias)

    def forward(
        self,
        tokens: Float[Tensor, "b k w"],
        embedded: Float[Tensor, "b n w"],
        anchors: SurfacePoints,
        surface: SurfacePoints,
        relations: Float[Tensor, "b k n c"],
    ) -> Float[Tensor, "b k 3 6"]:
        q = self.query_norm(self.query(tokens).unflatten(-1, (6, -1)).transpose(1, 2))
        k = self.key_norm(self.key(embedded).unflatten(-1, (6, -1)).transpose(1, 2))
        weights = attention_weights(q, k, self.bias(relations).permute(0, 3, 1, 2))  # b 6 k n
        place = (weights @ surface.points[:, None]).permute(0, 2, 3, 1)
        here = anchors.points[..., None]
        return here + self.gate(tokens)[:, :, None] * (place - here)


def _size(log: Float[Tensor, "*b c"]) -> Float[Tensor, "*b c"]:
    return INITIAL_SCREW * log.clamp(-8, 2).exp()
