"""The training loop: batches in, checkpoints and curves out; the same on one process or many."""

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
from neurok.training.distributed import World, blocks_of, everyone_agrees, mean_over, shared
from neurok.training.optimisers import follow, make_optimisers, step_all

CHECKPOINT = "checkpoint.safetensors"
LOG_EVERY = 20  # steps


@runtime_checkable
class Task(Protocol):
    """What a model brings to the loop."""

    def batches(self, world: World, start: int) -> Iterator[Any]:
        """This process's share of step `start`, `start` + 1, …"""
        ...

    def held_out(self, world: World) -> Iterator[Any]:
        """Batches of validation objects, the same ones every time; none where there are no such objects."""
        ...

    def terms(self, model: Any, batch: Any, step: int, world: World) -> dict[str, Tensor]:
        """Terms of the objective, "loss" among them, averaged over this process's share."""
        ...


class Objective(nn.Module):
    """The model and the task as one module whose forward pass is the objective."""

    def __init__(self, model: nn.Module, terms: Callable[..., dict[str, Tensor]]) -> None:
        super().__init__()
        self.model, self._terms = model, terms

    def forward(self, batch: Any, step: int, world: World) -> dict[str, Tensor]:
        return self._terms(self.model, batch, step, world)


@dataclass(frozen=True)
class Progress:
    """What the loop says after a step."""

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
    """Train until the last step or until told to stop. Returns the averaged weights and the steps done.

    Goes on from the folder's checkpoint when there is one: the steps that follow are those that would have
    followed. Writes a checkpoint every few minutes and at the end, whatever ends it.
    """
    torch.manual_seed(config.seed)
    if config.compile:
        for block in blocks_of(model):
            block.compile(dynamic=False)
    module = shared(Objective(model.to(world.device), task.terms), world, config)
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
            if step >= config.steps or everyone_agrees(world, stop()):
                break
            terms = module(batch, step, world)
            terms["loss"].backward()
            norm = nn.utils.clip_grad_norm_(parameters.values(), config.clip)
            _check(norm, terms, step, path)
            step_all(optimisers, config.lr_factor(step))
            follow(average, model, config.ema, step)
            step += 1
            if step % LOG_EVERY == 0 or step in (1, config.steps):
                values = mean_over(world, {name: float(term.detach()) for name, term in terms.items()})
                report(Progress(step, values | {"gradient": float(norm)}, time.monotonic() - start))
            if everyone_agrees(world, time.monotonic() - saved > 60 * config.save_minutes):
                save()
                saved = time.monotonic()
                if world.leads and config.strategy == "ddp":
                    values = validated(model, average, task, world)
                    report(Progress(step, values, time.monotonic() - start))
    finally:
        if step > done_before and world.size == 1:  # other processes may have died: they can't be asked
            save()
    if step > done_before and world.size > 1:
        save()
    return average, step


@torch.no_grad()
def validated(model: nn.Module, average: dict[str, Tensor], task: Task, world: World) -> dict[str, float]:
    """Mean terms of the averaged weights on held-out batches, by names that begin with "validation"."""
    judge = copy.deepcopy(model).eval()
    judge.load_state_dict(average, strict=False)
    alone = World(0, 1, world.device)
    rows = [task.terms(judge, batch, k, alone) for k, batch in enumerate(task.held_out(alone))]
    return {
        f"validation_{name}": float(torch.stack([r[name] for r in rows]).mean()) for name in (rows or [{}])[0]
    }


def _check(norm: Tensor, terms: dict[str, Tensor], step: int, path: Path) -> None:
    """A gradient that is not finite would spoil the weights for good."""
    if not math.isfinite(float(norm)):
        values = {name: float(term.detach()) for name, term in terms.items()}
        raise InputError(
            path, f"the gradient of step {step} is not finite ({values})", "Lower lr, and resume from here"
        )
