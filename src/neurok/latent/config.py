"""`ModelConfig`: the sizes of the networks and two choices for ablations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from neurok.errors import InputError

RESIDUAL_SCALE = 4.0  # brings typical motions, dual quaternions minus the identity, to about one


@dataclass(frozen=True)
class ModelConfig:
    """Sizes of the networks. The default has 2.4 M parameters and trains on a laptop."""

    width: int = 128
    """Channels of points and tokens."""
    heads: int = 4
    tokens: int = 40
    """Tokens K. Each is anchored at a point of the surface and is a handle of the skinning decoder."""
    common: int = 16
    """Latent numbers of common modes; each token adds six, and so does the root."""
    features: int = 32
    """Length of the features f; points with close features move together."""
    octaves: int = 6
    """Frequencies π·2^i of the point embedding."""
    shape_blocks: int = 6
    decoder_blocks: int = 4
    """Of the attention decoder."""
    decoder: Literal["skinning", "attention"] = "skinning"
    """Handles whose motion is spread by weights, or points that attend to the latent tokens."""
    motion: Literal["rigid", "displacement"] = "rigid"
    """Output of the decoder per handle or point: a rigid motion, or (ablation) a displacement alone."""

    @property
    def latent(self) -> int:
        """Length of z."""
        return 6 * self.tokens + self.common + 6

    def __post_init__(self) -> None:
        sizes = (self.width, self.heads, self.tokens, self.common, self.features, self.octaves)
        if min(sizes) < 1 or self.width % self.heads or self.shape_blocks % 2:
            raise InputError(
                "model", f"its sizes do not fit together: {self}",
                "Give positive sizes, a width that the heads divide, and an even number of shape blocks",
            )  # fmt: skip
