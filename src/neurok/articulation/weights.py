"""Weights of the articulation networks as one safetensors file with the configuration inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import Tensor

from neurok.articulation.ensemble import Jury
from neurok.articulation.network import ArticulationConfig
from neurok.assets import WEIGHTS
from neurok.nn.weights import load_network, save_network

FORMAT = "neurok-articulation"


def save_articulator(
    path: str | Path,
    state: dict[str, Tensor],
    config: ArticulationConfig,
    about: dict[str, Any] | None = None,
) -> Path:
    """Write weights with the configuration and what is known about them."""
    return save_network(path, FORMAT, state, config, about)


def load_articulator(path: Path | None = None) -> Jury:
    """The networks of a file that `neurok train articulation` wrote, or those that ship."""
    return load_network(
        path or WEIGHTS["articulation"], FORMAT, lambda config: Jury(ArticulationConfig(**config))
    )
