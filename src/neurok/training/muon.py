"""Muon optimiser: momentum whose matrices are orthogonalised before they are applied.

The implementation of torch works in bfloat16, which takes ten times as long on a CPU. This one works in
float32 and orthogonalises matrices of the same shape together.
"""

from __future__ import annotations

from collections import defaultdict

import torch
from jaxtyping import Float
from torch import Tensor
from torch.optim import Optimizer

COEFFICIENTS = (
    3.4445,
    -4.775,
    2.0315,
)  # of the quintic that drives all singular values to 1; Jordan et al., Muon (2024)


def orthogonalised(matrices: Float[Tensor, "m r c"], rounds: int = 5) -> Float[Tensor, "m r c"]:
    """Approximates U Vᵀ of each matrix U S Vᵀ by X ← a X + (b A + c A²) X with A = X Xᵀ."""
    a, b, c = COEFFICIENTS
    tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.transpose(1, 2) if tall else matrices
    x = x / (x.flatten(1).norm(dim=1)[:, None, None] + 1e-7)
    for _ in range(rounds):
        gram = x @ x.transpose(1, 2)
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.transpose(1, 2) if tall else x


class Muon(Optimizer):
    """θ ← (1 − lr·decay) θ − lr · 0.2 √max(r, c) · orthogonalised(g + β m), m ← β m + g.

    The factor 0.2 √max(r, c) gives updates of the size of AdamW's.
    """

    def __init__(self, params, lr: float, momentum: float = 0.95, weight_decay: float = 0.0) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            by_shape = defaultdict(list)
            for parameter in group["params"]:
                if parameter.grad is not None:
                    by_shape[parameter.shape].append(parameter)
            for (rows, columns), parameters in by_shape.items():
                for parameter in parameters:
                    state = self.state[parameter]
                    if not state:
                        state["momentum"] = torch.zeros_like(parameter)
                    state["momentum"].mul_(group["momentum"]).add_(parameter.grad)
                directions = [
                    p.grad.add(self.state[p]["momentum"], alpha=group["momentum"]) for p in parameters
                ]
                steps = orthogonalised(torch.stack(directions))
                size = 0.2 * max(rows, columns) ** 0.5 * group["lr"]
                for parameter, step in zip(parameters, steps, strict=True):
                    parameter.mul_(1 - group["lr"] * group["weight_decay"]).add_(step, alpha=-size)
