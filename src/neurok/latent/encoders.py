"""`PriorEncoder`: the kinematic prior E(M₀) of a surface M₀."""

from __future__ import annotations

import torch
from torch import nn

from neurok.geometry.farthest_points import farthest_points
from neurok.latent.blocks import latent_block
from neurok.latent.config import ModelConfig
from neurok.latent.modes import Centres, Modes
from neurok.latent.surface import ShapeCode, SurfacePoints
from neurok.nn.embedding import PointEmbedding


class PriorEncoder(nn.Module):
    """Any number of surface points → K tokens → modes Ξ and prior N(μ(M₀), I) of the latent.

    A Perceiver: tokens start at anchors of the surface. In turn they attend to the points and to each other.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.count = config.tokens
        self.embedding = PointEmbedding(config.width, config.octaves)
        self.token = nn.Parameter(0.02 * torch.randn(config.width))
        rounds = config.shape_blocks // 2
        self.look = nn.ModuleList(latent_block(config, cross=True) for _ in range(rounds))
        self.think = nn.ModuleList(latent_block(config) for _ in range(rounds))
        self.norm = nn.RMSNorm(config.width)
        self.features = nn.Linear(config.width, config.features, bias=False)
        self.centres = Centres(config.width)
        self.modes = Modes(config.width, config.common)
        nn.init.normal_(self.features.weight, std=0.02)

    def forward(self, surface: SurfacePoints) -> ShapeCode:
        index = farthest_points(surface.points, self.count, surface.component)
        anchors = surface.take(index)
        points = self.embedding(surface.points, surface.normals)
        tokens = self.token + self.embedding(anchors.points, anchors.normals)
        to_points, to_each_other = anchors.relations(surface), anchors.relations(anchors)
        for look, think in zip(self.look, self.think, strict=True):
            tokens = think(look(tokens, points, relations=to_points), relations=to_each_other)
        tokens = self.norm(tokens)
        features = self.features(tokens)
        centres = self.centres(tokens, points, anchors, surface, to_points)
        modes = self.modes(tokens, features, anchors, to_each_other, centres)
        return ShapeCode(tokens, features, anchors, index, to_each_other, *modes)
