"""Weights of the kinematic model: saved with their configuration, loaded ready to use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from neurok.latent.config import ModelConfig
from neurok.latent.cvae import NeuROK
from neurok.nn.weights import load_network, save_network

FORMAT = "neurok-kinematics"


def save_model(
    path: str | Path, state: dict[str, Tensor], config: ModelConfig, about: dict[str, Any] | None = None
) -> Path:
    """Write weights with their configuration and provenance."""
    return save_network(path, FORMAT, state, config, about)


def load_model(path: str | Path, device: str | torch.device = "cpu") -> NeuROK:
    """Load a file that `save_model` wrote."""
    return load_network(path, FORMAT, lambda config: NeuROK(ModelConfig(**config)), device)
