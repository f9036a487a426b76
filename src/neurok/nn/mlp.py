"""Perceptron with one hidden layer."""

from __future__ import annotations

from torch import Tensor, nn


class MLP(nn.Module):
    """x ↦ W₂ gelu(W₁ x + b₁) + b₂, of the RMS-normalised x if `norm` is set.

    With `zero_init` the output is 0 before training, so that a residual branch starts as the identity.
    """

    def __init__(
        self, inputs: int, hidden: int, outputs: int, *, norm: bool = False, zero_init: bool = False
    ) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(inputs) if norm else None
        self.up, self.down = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)
        if zero_init:
            nn.init.zeros_(self.down.weight)
            nn.init.zeros_(self.down.bias)

    def forward(self, x: Tensor) -> Tensor:
        x = x if self.norm is None else self.norm(x)
        return self.down(nn.functional.gelu(self.up(x)))
