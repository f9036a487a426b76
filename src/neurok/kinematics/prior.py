"""`CoordinatePrior`: the normal distribution of plausible poses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True, eq=False)
class CoordinatePrior:
    """q ~ N(mean, covariance)."""

    mean: Float[Tensor, " k"]
    covariance: Float[Tensor, "k k"]

    @cached_property
    def precision(self) -> Float[Tensor, "k k"]:
        """Inverse of the covariance: −log p = ½ (q − mean)ᵀ precision (q − mean) + const."""
        return torch.linalg.inv(self.covariance)

    @property
    def deviation(self) -> Float[Tensor, " k"]:
        """Standard deviation of each coordinate."""
        return self.covariance.diagonal().sqrt()

    def sample(self, count: int, seed: int = 0) -> Float[Tensor, "count k"]:
        """Independent poses: mean + L ξ with L Lᵀ = covariance and ξ ~ N(0, I)."""
        rng = torch.Generator().manual_seed(seed)
        drawn = torch.randn(count, len(self.mean), generator=rng, dtype=torch.float64)
        return self.mean + drawn @ torch.linalg.cholesky(self.covariance).T
