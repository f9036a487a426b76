"""Two decoders of latents: skinning, linear in a small code, and attention, the decoder of arXiv:2605.30347.

Both give a map [R | t] for any point of the surface.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.geometry.dual_quaternions import dual_from_residual, dual_to_map
from neurok.geometry.screws import screw_to_map
from neurok.geometry.transforms import map_about
from neurok.latent.blocks import latent_block
from neurok.latent.config import RESIDUAL_SCALE, ModelConfig
from neurok.latent.modes import ROOT, apart
from neurok.latent.surface import ShapeCode, SurfacePoints
from neurok.nn.embedding import RELATIONS, PointEmbedding


class SkinningDecoder(nn.Module):
    """x'(z) = Σ_j w_j(x) T_j(z) x with T_j(z) = exp(Ξ_j z): weights and modes from the shape alone.

    The map is linear in the small code c(z) = (T_1 … T_K), and c(z) is a closed form. Once a shape is encoded
    no network runs, and a step of simulation costs the same for any mesh.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.rigid = config.motion == "rigid"
        self.embedding = PointEmbedding(config.width, config.octaves)
        self.look = latent_block(config, cross=True)
        self.features = nn.Linear(config.width, config.features, bias=False)
        self.nearness = nn.Linear(RELATIONS, 1, bias=False)
        nn.init.normal_(self.features.weight, std=0.02)
        nn.init.constant_(self.nearness.weight, 2.0)

    def forward(
        self, z: Float[Tensor, "b z"], code: ShapeCode, queries: SurfacePoints
    ) -> Float[Tensor, "b n 3 4"]:
        return blended(self.weights(code, queries), self.handles(z[:, None], code)[:, 0])

    def handles(self, z: Float[Tensor, "b d z"], code: ShapeCode) -> Float[Tensor, "b d k 3 4"]:
        """T(z), the small code, for several latents of each shape."""
        return handle_maps(z @ code.modes.mT, code.anchors.points[:, None], self.rigid)

    def weights(self, code: ShapeCode, queries: SurfacePoints) -> Float[Tensor, "b n k"]:
        """w(x) ∝ exp(b(x, j) − |f(x) − f_j|²), Σ_j w_j = 1."""
        relations = queries.relations(code.anchors)
        return self.weights_of(self.described(code, queries, relations), code, relations)

    def described(
        self, code: ShapeCode, queries: SurfacePoints, relations: Float[Tensor, "b n k c"]
    ) -> Float[Tensor, "b n f"]:
        """f(x): features of points, close to those of the handles that they move with."""
        x = self.look(self.embedding(queries.points, queries.normals), code.tokens, relations=relations)
        return self.features(x)

    def weights_of(
        self, features: Float[Tensor, "b n f"], code: ShapeCode, relations: Float[Tensor, "b n k c"]
    ) -> Float[Tensor, "b n k"]:
        return (self.nearness(relations)[..., 0] - apart(features, code.features)).softmax(-1)


def blended(
    weights: Float[Tensor, "*some n k"], handles: Float[Tensor, "*batch k 3 4"]
) -> Float[Tensor, "*batch n 3 4"]:
    """Σ_j w_j T_j; one set of weights may serve many motions of the handles."""
    return (weights @ handles.flatten(-2)).unflatten(-1, (3, 4))


def handle_maps(
    screw: Float[Tensor, "*batch s"], anchors: Float[Tensor, "*some k 3"], is_rigid: bool = True
) -> Float[Tensor, "*batch k 3 4"]:
    """Maps of handles that move by screws about their anchors, or (ablation) by their shifts alone."""
    screw = screw.unflatten(-1, (-1, 6))
    if is_rigid:
        return map_about(screw_to_map(screw), anchors)
    eye = torch.eye(3, dtype=screw.dtype, device=screw.device).expand(*screw.shape[:-1], 3, 3)
    return torch.cat([eye, screw[..., 3:, None]], dim=-1)


class AttentionDecoder(nn.Module):
    """Tokens of shape and latent attend to each other, then every point attends to them.

    Each point gets its own rigid motion, a unit dual quaternion predicted as a residual to the identity, or
    (ablation) its shift alone.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.tokens, self.rigid = config.tokens, config.motion == "rigid"
        own = max(config.decoder_blocks // 2, 1)
        self.own = nn.Linear(6, config.width)
        self.whole = nn.Linear(config.common + ROOT, config.width, bias=False)
        self.think = nn.ModuleList(latent_block(config) for _ in range(config.decoder_blocks - own))
        self.embedding = PointEmbedding(config.width, config.octaves)
        self.look = nn.ModuleList(latent_block(config, cross=True) for _ in range(own))
        self.norm = nn.RMSNorm(config.width)
        self.motion = nn.Linear(config.width, 8)
        nn.init.zeros_(self.motion.weight)
        nn.init.zeros_(self.motion.bias)

    def forward(
        self, z: Float[Tensor, "b z"], code: ShapeCode, queries: SurfacePoints
    ) -> Float[Tensor, "b n 3 4"]:
        own, whole = z[:, : 6 * self.tokens].unflatten(-1, (-1, 6)), z[:, 6 * self.tokens :]
        tokens = code.tokens + self.own(own) + self.whole(whole)[:, None]
        for block in self.think:
            tokens = block(tokens, relations=code.relations)
        x, relations = self.embedding(queries.points, queries.normals), queries.relations(code.anchors)
        for block in self.look:
            x = block(x, tokens, relations=relations)
        maps = dual_to_map(dual_from_residual(self.motion(self.norm(x)) / RESIDUAL_SCALE))
        if self.rigid:
            return map_about(maps, queries.points)
        eye = torch.eye(3, dtype=x.dtype, device=x.device).expand(*x.shape[:-1], 3, 3)
        return torch.cat([eye, maps[..., 3:]], dim=-1)
