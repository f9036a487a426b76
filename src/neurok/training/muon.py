"""Muon: momentum whose matrices are made orthogonal before they are applied.

Our own because torch's works in bfloat16, which takes ten times as long on a CPU; this one also takes
matrices of one shape together.
"""

from __future__ import annotations

from collections import defaultdict

import torch
from jaxtyping import Float
from torch import Tensor
from torch.optim import Optimizer

COEFFICIENTS = (3.4445, -4.775, 2.0315)  # of the quintic that drives all singular values towards 1


def orthogonalised(matrices: Float[Tensor, "m r c"], rounds: int = 5) -> Float[Tensor, "m r c"]:
    """About U Vᵀ of each matrix U S Vᵀ: X ← a X + (b A + c A²) X with A = X Xᵀ."""
    a, b, c = COEFFICIENTS
    tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.transpose(1, 2) if tall else matrices
    x = x / (x.flatten(1).norm(dim=1)[:, None, None] + 1e-7)
    for _ in range(rounds):
        gram = x @ x.transpose(1, 2)
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.transpose(1, 2) if tall else x


class Muon(Optimizer):
    """θ ← (1 − lr·decay) θ − lr · 0.2 √max(r, c) · orthogonalised(g + β m), m ← β m + g: steps of the size of
    AdamW's."""

    def __init__(self, params, lr: float, momentum: float = 0.95, weight_decay: float = 0.0) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure=None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            alike = defaultdict(list)
            for parameter in group["params"]:
                if parameter.grad is not None:
                    alike[parameter.shape].append(parameter)
            for (rows, columns), parameters in alike.items():
                for parameter in parameters:
                    state = self.state[parameter]
                    if not state:
                        state["momentum"] = torch.zeros_like(parameter)
                    state["momentum"].mul_(group["momentum"]).add_(parameter.grad)
                ways = [p.grad.add(self.state[p]["momentum"], alpha=group["momentum"]) for p in parameters]
                steps = orthogonalised(torch.stack(ways))
                size = 0.2 * max(rows, columns) ** 0.5 * group["lr"]
                for parameter, step in zip(parameters, steps, strict=True):
                    parameter.mul_(1 - group["lr"] * group["weight_decay"]).add_(step, alpha=-size)
