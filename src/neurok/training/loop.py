"""Training loop: runs a task on one or several processes, with checkpoints and validation."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from neurok.errors import InputError
from neurok.training.checkpoint import load_checkpoint, save_checkpoint
from neurok.training.config import TrainConfig
from neurok.training.distributed import World, any_process, blocks_of, distributed, mean_over
from neurok.training.optimisers import make_optimisers, step_all, update_average

CHECKPOINT = "checkpoint.safetensors"
LOG_EVERY = 20  # steps between progress reports


@runtime_checkable
class Task(Protocol):
    """Batches and objective of one kind of model."""

    def batches(self, world: World, start: int) -> Iterator[Any]:
        """Batches of this process for the steps `start`, `start` + 1, …"""
        ...

    def held_out(self, world: World) -> Iterator[Any]:
        """Fixed batches of validation objects; none if the store has no such objects."""
        ...

    def terms(self, model: Any, batch: Any, step: int, world: World) -> dict[str, Tensor]:
        """Terms of the objective including "loss", averaged over the batch of this process."""
        ...


class Objective(nn.Module):
    """Module whose forward pass evaluates the objective of a model."""

    def __init__(self, model: nn.Module, terms: Callable[..., dict[str, Tensor]]) -> None:
        super().__init__()
        self.model, self._terms = model, terms

    def forward(self, batch: Any, step: int, world: World) -> dict[str, Tensor]:
        return self._terms(self.model, batch, step, world)


@dataclass(frozen=True)
class Progress:
    """Progress report of the loop."""

    step: int
    values: dict[str, float]
    seconds: float  # since the loop started


def train(
    model: nn.Module,
    task: Task,
    config: TrainConfig,
    folder: Path,
    world: World,
    *,
    about: dict[str, Any] | None = None,
    report: Callable[[Progress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[dict[str, Tensor], int]:
    """Trains until the last step or until `stop` is true; returns averaged weights and finished steps.

    A checkpoint in the folder is resumed exactly. A checkpoint is written every `save_minutes` and at the
    end, also after an error.
    """
    torch.manual_seed(config.seed)
    if config.compile:
        for block in blocks_of(model):
            block.compile(dynamic=False)
    module = distributed(Objective(model.to(world.device), task.terms), world, config)
    parameters = dict(model.named_parameters())
    average = {name: p.detach().clone() for name, p in parameters.items()}
    optimisers = make_optimisers(model, config)
    path = folder / CHECKPOINT
    step = load_checkpoint(path, model, average, optimisers) if path.is_file() else 0

    def save() -> None:
        save_checkpoint(path, model, average, optimisers, step, about or {}, world)

    start = saved = time.monotonic()
    done_before = step
    try:
        for batch in task.batches(world, step):
            if step >= config.steps or any_process(world, stop()):
                break
            terms = module(batch, step, world)
            terms["loss"].backward()
            norm = nn.utils.clip_grad_norm_(parameters.values(), config.clip)
            _check(norm, terms, step, path)
            step_all(optimisers, config.lr_factor(step))
            update_average(average, model, config.ema, step)
            step += 1
            if step % LOG_EVERY == 0 or step in (1, config.steps):
                values = mean_over(world, {name: float(term.detach()) for name, term in terms.items()})
                report(Progress(step, values | {"gradient": float(norm)}, time.monotonic() - start))
            if any_process(world, time.monotonic() - saved > 60 * config.save_minutes):
                save()
                saved = time.monotonic()
                if world.leads and config.strategy == "ddp":
                    values = validated(model, average, task, world)
                    report(Progress(step, values, time.monotonic() - start))
    finally:
        if (
            step > done_before and world.size == 1
        ):  # with several processes, others may have died and saving would block
            save()
    if step > done_before and world.size > 1:
        save()
    return average, step


@torch.no_grad()
def validated(model: nn.Module, average: dict[str, Tensor], task: Task, world: World) -> dict[str, float]:
    """Mean terms of the averaged weights on the validation batches, with the prefix "validation_"."""
    averaged = copy.deepcopy(model).eval()
    averaged.load_state_dict(average, strict=False)
    alone = World(0, 1, world.device)
    rows = [task.terms(averaged, batch, k, alone) for k, batch in enumerate(task.held_out(alone))]
    return {
        f"validation_{name}": float(torch.stack([r[name] for r in rows]).mean()) for name in (rows or [{}])[0]
    }


def _check(norm: Tensor, terms: dict[str, Tensor], step: int, path: Path) -> None:
    """Raises if the gradient is not finite, before it reaches the weights."""
    if not math.isfinite(float(norm)):
        values = {name: float(term.detach()) for name, term in terms.items()}
        raise InputError(
            path, f"the gradient of step {step} is not finite ({values})", "Lower --train.lr and resume"
        )
