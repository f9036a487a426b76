"""How likely two loose pieces that are near each other are one rigid part: a small network, without torch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float
from safetensors.numpy import load_file

from neurok.articulation.contacts import FEATURES

Array = np.ndarray
WEIGHTS = Path(__file__).parents[1] / "assets" / "part_affinity.safetensors"
PRIOR = -0.5  # added to the log-odds: splitting a part in two does less harm than fusing two


def log_odds(features: Float[Array, "p f"]) -> Float[Array, " p"]:
    """log p / (1 − p) that the pieces of each pair move as one, of what `contacts.FEATURES` lists."""
    return network(_shipped(), features) + PRIOR


def network(weights: Mapping[str, Array], features: Float[Array, "p f"]) -> Float[Array, " p"]:
    """w₂ · tanh(W₁ (x − mean) / spread + b₁) + b₂."""
    x = (features - weights["mean"]) / weights["spread"]
    hidden = np.tanh(np.clip(x, -8, 8) @ weights["hidden.weight"].T + weights["hidden.bias"])
    return hidden @ weights["out.weight"][0] + weights["out.bias"][0]


@cache
def _shipped() -> dict[str, Array]:
    weights = {name: value.astype(np.float64) for name, value in load_file(WEIGHTS).items()}
    assert weights["mean"].shape == (len(FEATURES),)
    return weights
