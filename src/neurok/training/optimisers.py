"""Builds the optimisers (Muon for matrices, AdamW otherwise) and updates the average of the weights."""

from __future__ import annotations

import torch
from torch import nn
from torch.optim import AdamW, Optimizer

from neurok.training.config import TrainConfig
from neurok.training.muon import Muon


def make_optimisers(model: nn.Module, config: TrainConfig) -> list[Optimizer]:
    """Optimisers of a model; sharded weights (FSDP) all use AdamW, because Muon needs whole matrices."""
    inner, outer = [], []
    for parameter in model.parameters():
        is_matrix = parameter.ndim == 2 and min(parameter.shape) >= 32
        (inner if is_matrix and config.strategy == "ddp" else outer).append(parameter)
    found: list[Optimizer] = [AdamW(outer, lr=config.lr / 2, betas=(0.9, 0.99), weight_decay=0.0)]
    if inner:
        found.append(Muon(inner, lr=config.lr, weight_decay=config.weight_decay))
    for optimiser in found:
        for group in optimiser.param_groups:
            group["peak"] = group["lr"]
    return found


def step_all(optimisers: list[Optimizer], factor: float) -> None:
    """One step at `factor` times the peak learning rate."""
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * factor
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)


@torch.no_grad()
def update_average(average: dict[str, torch.Tensor], model: nn.Module, decay: float, step: int) -> None:
    """a ← a + (1 − d)(θ − a), with d rising from 0.1 to `decay` so that early weights decay fast."""
    decay = min(decay, (1 + step) / (10 + step))
    for name, parameter in model.named_parameters():
        average[name].lerp_(parameter.detach(), 1 - decay)
