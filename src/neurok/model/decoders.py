"""Two ways from latent tokens to deformations: skinning (linear in a small code) and attention (the paper's)

Both answer for any points of the surface with a map [R | t] per point.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.model import rigid
from neurok.model.attention import Block, GatedSkip
from neurok.model.config import MOTION, ModelConfig
from neurok.model.embedding import RELATIONS, PointEmbedding
from neurok.model.surface import ShapeCode, SurfacePoints


class TokenDecoder(nn.Module):
    """z and the shape's tokens, mixed by blocks of self-attention."""

    def __init__(self, config: ModelConfig, blocks: int) -> None:
        super().__init__()
        self.latent = nn.Linear(config.latent, config.width)
        self.blocks = nn.ModuleList(Block(config.width, config.heads) for _ in range(blocks))

    def forward(self, z: Float[Tensor, "b k d"], code: ShapeCode) -> Float[Tensor, "b k w"]:
        x = code.tokens + self.latent(z)
        for block in self.blocks:
            x = block(x, code.relations)
        return x


class MotionHead(nn.Module):
    """Features → a map [R | t] about a centre; the identity before training."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.rigid = config.motion == "dual-quaternion"
        self.norm = nn.RMSNorm(config.width)
        self.linear = nn.Linear(config.width, 8)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(
        self,
        x: Float[Tensor, "*batch w"],
        centre: Float[Tensor, "*batch 3"],
        straight: Float[Tensor, "*batch 8"] | float = 0.0,
    ) -> Float[Tensor, "*batch 3 4"]:
        """A unit dual quaternion from its residual to identity; for the ablation, its shift alone."""
        maps = rigid.to_matrix(rigid.unit_dual((self.linear(self.norm(x)) + straight) / MOTION))
        if self.rigid:
            return rigid.about(maps, centre)
        eye = torch.eye(3, dtype=x.dtype, device=x.device).expand(*x.shape[:-1], 3, 3)
        return torch.cat([eye, maps[..., 3:]], dim=-1)


class SkinningDecoder(nn.Module):
    """x'(z) = Σ_j w_j(x) T_j(z) x: weights from the shape alone, handle motions from the latent.

    The map is linear in the small code c(z) = (T_1 … T_K), so simulation costs the same for any mesh.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.tokens = TokenDecoder(config, config.decoder_blocks)
        self.head = MotionHead(config)
        self.straight = GatedSkip(config.latent, 8, config.width)
        self.embedding = PointEmbedding(config.width, config.octaves)
        self.look = Block(config.width, config.heads, looks_at_others=True)
        self.point, self.handle = (nn.Linear(config.width, config.width, bias=False) for _ in range(2))
        self.nearness = nn.Linear(RELATIONS, 1, bias=False)
        nn.init.constant_(self.nearness.weight, 2.0)

    def forward(
        self, z: Float[Tensor, "b k d"], code: ShapeCode, queries: SurfacePoints
    ) -> Float[Tensor, "b n 3 4"]:
        return blended(self.weights(code, queries), self.handles(z, code))

    def handles(self, z: Float[Tensor, "b k d"], code: ShapeCode) -> Float[Tensor, "b k 3 4"]:
        """T(z): the small code."""
        straight = self.straight(z - code.prior, code.tokens)
        return self.head(self.tokens(z, code), code.anchors.points, straight)

    def weights(self, code: ShapeCode, queries: SurfacePoints) -> Float[Tensor, "b n k"]:
        """w(x) ≥ 0 with Σ_j w_j = 1."""
        relations = queries.relations(code.anchors)
        x = self.look(self.embedding(queries.points, queries.normals), relations, code.tokens)
        match = self.point(x) @ self.handle(code.tokens).transpose(-1, -2) / x.shape[-1] ** 0.5
        return (match + self.nearness(relations)[..., 0]).softmax(-1)


def blended(
    weights: Float[Tensor, "*some n k"], handles: Float[Tensor, "*batch k 3 4"]
) -> Float[Tensor, "*batch n 3 4"]:
    """Σ_j w_j T_j; weights may be one for many handles' motions."""
    return (weights @ handles.flatten(-2)).unflatten(-1, (3, 4))


class AttentionDecoder(nn.Module):
    """Every point attends to the tokens of shape and latent, and gets its own rigid motion."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        own = config.decoder_blocks // 2
        self.tokens = TokenDecoder(config, config.decoder_blocks - own)
        self.embedding = PointEmbedding(config.width, config.octaves)
        self.blocks = nn.ModuleList(
            Block(config.width, config.heads, looks_at_others=True) for _ in range(max(own, 1))
        )
        self.head = MotionHead(config)

    def forward(
        self, z: Float[Tensor, "b k d"], code: ShapeCode, queries: SurfacePoints
    ) -> Float[Tensor, "b n 3 4"]:
        tokens, relations = self.tokens(z, code), queries.relations(code.anchors)
        x = self.embedding(queries.points, queries.normals)
        for block in self.blocks:
            x = block(x, relations, tokens)
        return self.head(x, queries.points)
