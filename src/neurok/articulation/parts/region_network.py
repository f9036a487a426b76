"""Region network: which of the regions around a push is what moves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.articulation.parts.regions import NUMBERS
from neurok.nn.mlp import MLP
from neurok.nn.weights import load_network, save_network

FORMAT = "neurok-regions"


@dataclass(frozen=True)
class RegionConfig:
    """Sizes of the network."""

    hidden: int = 32


class RegionNetwork(nn.Module):
    """Numbers of regions ↦ scores; their softmax over the regions of a push says which one moves."""

    def __init__(self, config: RegionConfig = RegionConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        self.mean = nn.Parameter(torch.zeros(NUMBERS), requires_grad=False)
        self.spread = nn.Parameter(torch.ones(NUMBERS), requires_grad=False)
        self.score = MLP(NUMBERS, config.hidden, 1)

    def forward(self, numbers: Float[Tensor, "*b f"]) -> Float[Tensor, "*b"]:
        return self.score((numbers - self.mean) / self.spread)[..., 0]


def load_region_network(path: Path) -> RegionNetwork:
    """Loads a file that `neurok train regions` wrote."""
    return load_network(path, FORMAT, lambda data: RegionNetwork(RegionConfig(**data)))


def save_region_network(
    path: str | Path, state: dict[str, Tensor], config: RegionConfig, about: dict[str, Any] | None = None
) -> Path:
    """Writes weights with their configuration and provenance."""
    return save_network(path, FORMAT, state, config, about)
