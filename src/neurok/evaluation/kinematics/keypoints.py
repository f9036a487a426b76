"""Learned baseline: unsupervised keypoints drive a cage, and the cage deforms the mesh.

It follows KeypointDeformer (Jakab et al., CVPR 2021) in an independent implementation.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.errors import InputError
from neurok.evaluation.kinematics.cages import cage_around, icosphere, mean_value_coordinates
from neurok.evaluation.kinematics.cases import CLOUD_POINTS, Case
from neurok.evaluation.kinematics.methods import Method, Predictor
from neurok.nn.embedding import octave_features
from neurok.nn.mlp import MLP
from neurok.nn.weights import load_network, save_network
from neurok.shapes import Frame
from neurok.shapes.sample import sample_surface

Array = np.ndarray
CAGE = 42  # vertices of the cage
POINTS = CLOUD_POINTS  # of the rest surface and of the cloud; more points reduce the keypoint noise
FORMAT = "neurok-keypoints"


@dataclass(frozen=True)
class KeypointConfig:
    """Sizes of the deformer."""

    keypoints: int = 12
    """Number of keypoints."""
    width: int = 128
    """Channels of point and keypoint features."""
    octaves: int = 4
    """Frequencies π·2^i of the point embedding."""
    reach: int = 14
    """Number of nearest cage vertices that a keypoint moves."""

    def __post_init__(self) -> None:
        if min(self.keypoints, self.width, self.octaves, self.reach) < 1 or self.reach > CAGE:
            raise InputError(
                "keypoints", f"inconsistent sizes: {self}",
                f"Give positive sizes, and a reach of at most {CAGE}",
            )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Keypoints:
    """Keypoints of a cloud, with their features and a global feature."""

    places: Float[Tensor, "b k 3"]
    features: Float[Tensor, "b k w"]
    whole: Float[Tensor, "b w"]


class KeypointFinder(nn.Module):
    """Per-point networks with two rounds of pooling; a keypoint is a softmax-weighted mean of the points."""

    def __init__(self, config: KeypointConfig) -> None:
        super().__init__()
        width, self.octaves = config.width, config.octaves
        self.first = MLP(3 + 6 * config.octaves, width, width)
        self.second = MLP(2 * width, width, width)
        self.third = MLP(2 * width, width, width)
        self.score = nn.Linear(width, config.keypoints)

    def forward(self, points: Float[Tensor, "b n 3"]) -> Keypoints:
        x = self.first(octave_features(points, self.octaves))
        x = x + self.second(_with_pooled(x))
        x = x + self.third(_with_pooled(x))
        share = self.score(x).softmax(dim=-2).transpose(-1, -2)
        return Keypoints(share @ points, share @ x, x.amax(-2))


class KeypointDeformer(nn.Module):
    """x' = Σ_j λ_j(x) (c_j + Σ_k W_kj (p'_k − p_k)).

    λ are mean value coordinates in the cage c of the source, p the keypoints of the source and p' those of
    the target. The influence W, a shared term plus one of the shape, is nonzero only for the nearest cage
    vertices of each keypoint. Equal clouds as source and target give the source.
    """

    def __init__(self, config: KeypointConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.find = KeypointFinder(config)
        each = CAGE / (config.keypoints * config.reach)  # a common shift moves the cage equally
        self.shared = nn.Parameter(torch.full((config.keypoints, CAGE), each))
        self.of_keypoint = nn.Linear(width, width)
        self.of_vertex = MLP(width + 3 + 6 * config.octaves, width, width)
        nn.init.zeros_(self.of_keypoint.weight)
        nn.init.zeros_(self.of_keypoint.bias)

    def forward(
        self, source: Float[Tensor, "b n 3"], target: Float[Tensor, "b d m 3"]
    ) -> tuple[Float[Tensor, "b d n 3"], Float[Tensor, "b k 3"], Float[Tensor, "b d k 3"]]:
        """Points of b sources deformed to each of d targets; keypoints of the sources and targets."""
        cage, (_, faces) = cage_around(source), icosphere()
        weights = mean_value_coordinates(source, cage, faces.to(source.device))
        found = self.find(source)
        goals = self.find(target.flatten(0, 1)).places.unflatten(0, target.shape[:2])
        shift = self.cage_shift(found, goals, cage)
        return source[:, None] + weights[:, None] @ shift, found.places, goals

    def cage_shift(
        self, source: Keypoints, goals: Float[Tensor, "b d k 3"], cage: Float[Tensor, "b c 3"]
    ) -> Float[Tensor, "b d c 3"]:
        """Shift of every cage vertex when the keypoints move to the goals."""
        influence = self.influence(source, cage).transpose(-1, -2)
        return influence[:, None] @ (goals - source.places[:, None])

    def influence(self, source: Keypoints, cage: Float[Tensor, "b c 3"]) -> Float[Tensor, "b k c"]:
        """Influence W of every keypoint on every cage vertex."""
        embedded = octave_features(cage, self.config.octaves)
        whole = source.whole[:, None].expand(-1, cage.shape[1], -1)
        vertex = self.of_vertex(torch.cat([embedded, whole], dim=-1))
        own = self.of_keypoint(source.features) @ vertex.transpose(-1, -2) / vertex.shape[-1] ** 0.5
        return (self.shared + own) * self.nearest(source.places, cage)

    def nearest(self, places: Float[Tensor, "b k 3"], cage: Float[Tensor, "b c 3"]) -> Bool[Tensor, "b k c"]:
        """Mask of the cage vertices that each keypoint moves."""
        distance = torch.cdist(places.detach(), cage)
        index = distance.topk(self.config.reach, largest=False).indices
        return torch.zeros_like(distance, dtype=torch.bool).scatter(-1, index, True)


def _with_pooled(x: Float[Tensor, "b n w"]) -> Float[Tensor, "b n 2*w"]:
    """Features of every point, concatenated with their maximum over all points."""
    return torch.cat([x, x.amax(-2, keepdim=True).expand_as(x)], dim=-1)


def keypoint_cage(deformer: KeypointDeformer) -> Method:
    """Method of the trained deformer, which takes only the mesh at rest and the cloud."""

    @torch.no_grad()
    def method(case: Case) -> tuple[Predictor, dict[str, float]]:
        upright = case.shape.frame.to(Frame("y"))[:3, :3]
        vertices = torch.tensor(case.shape.vertices @ upright.T)
        surface = sample_surface(case.shape, POINTS, seed=0, even=False).positions(case.shape) @ upright.T
        cage = cage_around(vertices)
        weights = mean_value_coordinates(vertices, cage, icosphere()[1]).numpy()
        source = deformer.find(torch.tensor(surface)[None].float())

        @torch.no_grad()
        def predict(cloud: Float[Array, "p 3"]) -> Float[Array, "n 3"]:
            chosen = np.random.default_rng(0).permutation(len(cloud))[:POINTS]
            goals = deformer.find(torch.tensor(cloud[chosen] @ upright.T)[None].float()).places
            shift = deformer.cage_shift(source, goals[None], cage[None].float())[0, 0]
            return case.shape.vertices + weights @ shift.double().numpy() @ upright

        return predict, {}

    return method


def save_deformer(
    path: str | Path, state: dict[str, Tensor], config: KeypointConfig, about: dict[str, Any] | None = None
) -> Path:
    """Writes weights with their configuration and metadata."""
    return save_network(path, FORMAT, state, config, about)


def load_deformer(path: str | Path) -> KeypointDeformer:
    """Loads a network written by `save_deformer`."""
    return load_network(path, FORMAT, lambda config: KeypointDeformer(KeypointConfig(**config)))
