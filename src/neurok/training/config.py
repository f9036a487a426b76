"""`TrainConfig`: how to train, whatever the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from neurok.errors import InputError


@dataclass(frozen=True)
class TrainConfig:
    """Optimiser, schedule and bookkeeping."""

    steps: int = 20_000
    """Optimiser steps in all. More steps later: resume with a larger number."""
    batch: int = 16
    """Shapes per step, over all processes."""
    lr: float = 2e-3
    """Learning rate of matrices (Muon, scaled to AdamW's); vectors and embeddings get half of it (AdamW)."""
    warmup: int = 300
    """Steps in which the learning rate rises from zero."""
    cooldown: float = 0.25
    """Share of all steps in which it falls to zero at the end."""
    weight_decay: float = 0.01
    clip: float = 1.0
    """Largest norm of the gradient."""
    ema: float = 0.999
    """Decay of the moving average of the weights, which is what is saved for use."""
    seed: int = 0
    readers: int = 1
    """Processes that read data, per training process."""
    compile: bool = False
    """Compile the blocks first: minutes that a run of hours earns back."""
    strategy: Literal["ddp", "fsdp"] = "ddp"
    """Under torchrun: every process holds all weights, or shards of them."""
    device: str = "auto"
    """auto takes CUDA when there is one."""
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
        """Trapezoid: up in `warmup` steps, level, straight down to zero over the last `cooldown` of them."""
        up = min(1.0, (step + 1) / max(1, self.warmup))
        down = (self.steps - step) / max(1.0, self.cooldown * self.steps)
        return max(0.0, min(up, down))
