"""The kinematic prior encoder E(M₀) and the variational deformation encoder E(φ, M₀)."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.model import rigid
from neurok.model.anchors import farthest_points
from neurok.model.attention import Block, GatedSkip
from neurok.model.config import MOTION, ModelConfig
from neurok.model.embedding import PointEmbedding
from neurok.model.surface import ShapeCode, SurfacePoints

QUIET = -6.0  # log variance of the posterior before training: little noise, until the KL term asks for more


class PriorEncoder(nn.Module):
    """Any number of surface points → K tokens → μ(M₀).

    A Perceiver whose learnable token starts at an anchor of the surface: half of the blocks, the points are
    looked at again, half of them the tokens look at each other. Prior p(z | M₀) = N(μ(M₀), I).
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.count = config.tokens
        self.embedding = PointEmbedding(config.width, config.octaves)
        self.token = nn.Parameter(0.02 * torch.randn(config.width))
        rounds = config.shape_blocks // 2
        self.look = nn.ModuleList(
            Block(config.width, config.heads, looks_at_others=True) for _ in range(rounds)
        )
        self.think = nn.ModuleList(Block(config.width, config.heads) for _ in range(rounds))
        self.norm = nn.RMSNorm(config.width)
        self.mean = nn.Linear(config.width, config.latent)
        nn.init.zeros_(self.mean.weight)
        nn.init.zeros_(self.mean.bias)

    def forward(self, surface: SurfacePoints) -> ShapeCode:
        index = farthest_points(surface.points, surface.component, self.count)
        anchors = surface.take(index)
        points = self.embedding(surface.points, surface.normals)
        tokens = self.token + self.embedding(anchors.points, anchors.normals)
        to_points, to_each_other = anchors.relations(surface), anchors.relations(anchors)
        for look, think in zip(self.look, self.think, strict=True):
            tokens = think(look(tokens, to_points, points), to_each_other)
        tokens = self.norm(tokens)
        return ShapeCode(tokens, anchors, index, to_each_other, self.mean(tokens))


class PosteriorEncoder(nn.Module):
    """The rigid motion of the surface around each anchor → mean and log variance of z.

    Those motions are closed-form (the part's transform, or the local fit), so K of them say what hundreds of
    points would. The mean is an offset from the prior's: KL has nothing to unlearn. Before training a token's
    offset *is* the dual quaternion of its anchor, which the skinning decoder reads as such: training starts
    from free handles and learns which of their motions belong together.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.motion = nn.Sequential(
            nn.Linear(8, config.width), nn.GELU(), nn.Linear(config.width, config.width)
        )
        self.blocks = nn.ModuleList(Block(config.width, config.heads) for _ in range(config.posterior_blocks))
        self.norm = nn.RMSNorm(config.width)
        self.head = nn.Linear(config.width, 2 * config.latent)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        nn.init.constant_(self.head.bias[config.latent :], QUIET)
        self.straight = GatedSkip(8, config.latent, config.width)

    def forward(
        self,
        code: ShapeCode,
        rotation: Float[Tensor, "b k 4"],
        displacement: Float[Tensor, "b k 3"],
    ) -> tuple[Float[Tensor, "b k d"], Float[Tensor, "b k d"]]:
        motion = MOTION * rigid.residual(rigid.from_rotation_translation(rotation, displacement))
        x = code.tokens + self.motion(motion)
        for block in self.blocks:
            x = block(x, code.relations)
        offset, log_variance = self.head(self.norm(x)).chunk(2, dim=-1)
        return code.prior + self.straight(motion, code.tokens) + offset, log_variance.clamp(-12, 4)
