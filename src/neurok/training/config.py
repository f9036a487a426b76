"""Defines `TrainConfig`, the options of the training loop for every model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from neurok.errors import InputError


@dataclass(frozen=True)
class TrainConfig:
    """Options of optimiser, schedule and checkpoints."""

    steps: int = 20_000
    """Total number of optimiser steps; a larger number extends a finished run."""
    batch: int = 16
    """Shapes per step over all processes."""
    lr: float = 2e-3
    """Learning rate of matrices (Muon, scaled to AdamW's); vectors and embeddings use half of it (AdamW)."""
    warmup: int = 300
    """Number of steps of the linear warm-up."""
    cooldown: float = 0.25
    """Share of the steps in which the learning rate decays to zero."""
    weight_decay: float = 0.01
    """Weight decay of matrices (Muon)."""
    clip: float = 1.0
    """Largest gradient norm."""
    ema: float = 0.999
    """Decay of the moving average of the weights; the average is the saved model."""
    seed: int = 0
    """Random seed of initialisation and batches."""
    readers: int = 1
    """Number of data-loading processes per training process."""
    compile: bool = False
    """Compile the transformer blocks; takes minutes and pays off in long runs."""
    strategy: Literal["ddp", "fsdp"] = "ddp"
    """Under torchrun: replicated weights (ddp) or sharded weights (fsdp)."""
    device: str = "auto"
    """auto: CUDA if available, otherwise the CPU."""
    save_minutes: float = 5.0
    """Minutes between checkpoints."""

    def __post_init__(self) -> None:
        if self.steps < 1 or self.batch < 1 or not 0 <= self.cooldown <= 1 or not 0 <= self.ema < 1:
            raise InputError(
                "training",
                f"steps {self.steps}, batch {self.batch}, cooldown {self.cooldown}, ema {self.ema}",
                "Give positive counts, and shares from 0 to 1",
            )  # fmt: skip

    def lr_factor(self, step: int) -> float:
        """Trapezoid: linear rise over `warmup` steps, constant, linear decay over the `cooldown` share."""
        up = min(1.0, (step + 1) / max(1, self.warmup))
        down = (self.steps - step) / max(1.0, self.cooldown * self.steps)
        return max(0.0, min(up, down))
